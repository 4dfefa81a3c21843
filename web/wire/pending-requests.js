/** The requests of a connection that wait for an answer. */

import { answerProblem, unreadableAnswer } from "./answers.js";
import { writeFromInspector } from "./from-inspector.js";
import { RequestError, slotOf } from "./requests.js";
import { replyId } from "./to-inspector.js";

/** @import { Action } from "./connection-state.js" */
/** @import { FromInspector } from "./from-inspector.js" */
/** @import { Overview } from "./overview.js" */
/** @import { ToInspector } from "./to-inspector.js" */

/** The maximum number of waiting requests; more are a fault of the page, not a reader's wish. */
const LIMIT = 1_000;

export class PendingRequests {
  /** @type {Map<number, { request: FromInspector, slot: string | undefined, sent: number }>} */
  #pending = new Map();
  /** The latest request of each slot. @type {Map<string, number>} */
  #slots = new Map();
  #nextId = 1;
  #roundTrip = 0;

  /** How long the latest short answers took, in milliseconds; 0 before the first. */
  get roundTrip() {
    return this.#roundTrip;
  }

  /** How many requests wait for an answer. */
  get count() {
    return this.#pending.size;
  }

  /**
   * @param {FromInspector} message
   * @param {number} now
   * @param {boolean} isOpen whether there is a connection
   * @returns {{ id: number, actions: Action[] }}
   */
  begin(message, now, isOpen) {
    const id = this.#nextId++;
    if (!isOpen) return { id, actions: [failed(id, disconnected())] };
    if (this.#pending.size >= LIMIT) {
      return {
        id,
        actions: [failed(id, new RequestError("limit", "Too many requests wait for an answer."))],
      };
    }
    /** @type {Action[]} */
    const actions = [];
    const slot = slotOf(message);
    if (slot !== undefined) {
      const older = this.#slots.get(slot);
      if (older !== undefined && this.#pending.delete(older)) {
        actions.push(
          failed(older, new RequestError("superseded", "A newer request took its place.")),
        );
      }
      this.#slots.set(slot, id);
    }
    this.#pending.set(id, { request: message, slot, sent: now });
    actions.push({ do: "send", frame: writeFromInspector(message, id) });
    return { id, actions };
  }

  /**
   * @param {number} id
   * @param {boolean} isOpen whether there is a connection
   * @returns {Action[]}
   */
  cancel(id, isOpen) {
    if (!this.#pending.delete(id) || !isOpen) return [];
    const frame = writeFromInspector({ type: "cancel", request: id }, this.#nextId++);
    return [
      { do: "send", frame },
      failed(id, new RequestError("cancelled", "The request was canceled.")),
    ];
  }

  /**
   * An answer that cannot be read ends the wait for it.
   *
   * @param {string} frame
   * @param {string} why
   * @returns {Action[]}
   */
  unreadable(frame, why) {
    const re = replyId(frame);
    if (typeof re !== "number" || !this.#pending.delete(re)) {
      return [{ do: "complain", message: unreadableAnswer(why).message }];
    }
    return [failed(re, unreadableAnswer(why))];
  }

  /**
   * @param {number | string} re
   * @param {ToInspector | Overview} message
   * @param {number} now
   * @returns {Action[]}
   */
  answered(re, message, now) {
    const pending = typeof re === "number" ? this.#pending.get(re) : undefined;
    // No one waits for it: the request was canceled or superseded.
    if (typeof re !== "number" || !pending) return [];
    if (message.type === "progress") return [{ do: "progress", id: re, progress: message }];
    // An export comes in parts, all with the same id.
    if (!(message.type === "export" && message.more)) {
      this.#pending.delete(re);
      if (pending.slot !== undefined && this.#slots.get(pending.slot) === re) {
        this.#slots.delete(pending.slot);
      }
    }
    const took = now - pending.sent;
    this.#roundTrip = this.#roundTrip === 0 ? took : this.#roundTrip * 0.8 + took * 0.2;
    if (message.type === "error") {
      return [failed(re, new RequestError(message.code, message.message, message))];
    }
    const problem = answerProblem(pending.request, message);
    if (problem !== undefined) {
      this.#pending.delete(re);
      return [failed(re, unreadableAnswer(problem))];
    }
    return [{ do: "settle", id: re, reply: message }];
  }

  /** @returns {Action[]} */
  failAll() {
    const ids = [...this.#pending.keys()];
    this.#pending.clear();
    this.#slots.clear();
    return ids.map((id) => failed(id, disconnected()));
  }
}

/**
 * @param {number} id
 * @param {RequestError} error
 * @returns {Action}
 */
function failed(id, error) {
  return { do: "fail", id, error };
}

function disconnected() {
  return new RequestError("disconnected", "The daemon is not connected.");
}
