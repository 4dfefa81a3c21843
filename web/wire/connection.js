/**
 * The connection to a daemon as a machine without sockets and clocks: what happens goes in, what is
 * to be done comes out.
 */

import { readOverview } from "./overview.js";
import { RequestError, slotOf } from "./requests.js";
import { WireError } from "./shape.js";
import { readToInspector, replyId } from "./to-inspector.js";
import { writeFromInspector } from "./from-inspector.js";

/** @import { FromInspector } from "./from-inspector.js" */
/** @import { Overview } from "./overview.js" */
/** @import { Message, ToInspector } from "./to-inspector.js" */

/** The protocol that this page speaks. */
export const PROTOCOL = "1.0";

/** How long the daemon may take to answer `hello`, in milliseconds. */
const GREETING_LIMIT = 10_000;

/** The first and the longest wait before trying again, in milliseconds. */
const FIRST_WAIT = 250;
const LONGEST_WAIT = 10_000;

/** Requests that may wait for an answer; more are a fault of the page, not a reader's wish. */
const MOST_PENDING = 1_000;

/**
 * Where the connection stands.
 *
 * @typedef {{ is: "idle" }
 *   | { is: "connecting", attempt: number }
 *   | { is: "greeting", attempt: number }
 *   | { is: "open", welcome: Message<"welcome"> }
 *   | { is: "waiting", attempt: number, until: number, why: string }
 *   | { is: "refused", reason: "unauthorised" | "version", why: string }} ConnectionState
 */

/** A message that belongs to no request. @typedef {Exclude<ToInspector, Message<"welcome" | "error">>} News */

/**
 * What is to be done.
 *
 * @typedef {{ do: "connect" }
 *   | { do: "send", frame: string }
 *   | { do: "close", code: number, reason: string }
 *   | { do: "wake", at: number }
 *   | { do: "keep", session: string }
 *   | { do: "forget", session: string | undefined }
 *   | { do: "settle", id: number, reply: ToInspector | Overview }
 *   | { do: "fail", id: number, error: RequestError }
 *   | { do: "progress", id: number, progress: Message<"progress"> }
 *   | { do: "tell", message: News }
 *   | { do: "complain", message: string }
 *   | { do: "changed", state: ConnectionState }} Action
 */

/** @typedef {{ session?: string, code?: string, client?: string }} Credentials */

/** @typedef {{ slot: string | undefined, sent: number }} Pending */

export class Connection {
  /** @type {ConnectionState} */
  #state = { is: "idle" };
  #credentials;
  #random;
  #stored;
  /** @type {Map<number, Pending>} */
  #pending = new Map();
  /** The latest request of each slot. @type {Map<string, number>} */
  #slots = new Map();
  #nextId = 1;
  #roundTrip = 0;

  /**
   * @param {Credentials} credentials
   * @param {() => number} [random] from 0 to 1, so that many pages do not return at once
   * @param {() => string | undefined} [stored] the session that is kept by now, maybe of another page
   */
  constructor(credentials, random = Math.random, stored = () => undefined) {
    this.#credentials = { ...credentials };
    this.#random = random;
    this.#stored = stored;
  }

  get state() {
    return this.#state;
  }

  /** How long the latest short answers took, in milliseconds; 0 when none has come. */
  get roundTrip() {
    return this.#roundTrip;
  }

  /** How many requests wait for an answer. */
  get pendingCount() {
    return this.#pending.size;
  }

  /** Begins, or tries again at once. @returns {Action[]} */
  start() {
    if (
      this.#state.is === "open" || this.#state.is === "greeting" || this.#state.is === "connecting"
    ) {
      return [];
    }
    const attempt = this.#state.is === "waiting" ? this.#state.attempt : 0;
    return [this.#go({ is: "connecting", attempt }), { do: "connect" }];
  }

  /**
   * Takes new credentials and begins anew with them.
   *
   * @param {Credentials} credentials
   * @returns {Action[]}
   */
  authorise(credentials) {
    this.#credentials = { ...this.#credentials, ...credentials };
    return this.start();
  }

  /**
   * Ends the connection and begins another: the daemon forgets what it was in the middle of.
   *
   * @returns {Action[]}
   */
  restart() {
    return this.#state.is === "open" ? [...this.#failAll(), ...this.#again()] : [];
  }

  /** The socket is open. @param {number} now @returns {Action[]} */
  opened(now) {
    if (this.#state.is !== "connecting") return [];
    const { session, code, client } = this.#credentials;
    // A code is for once, and newer than any session that this page still knows.
    const hello = writeFromInspector({
      type: "hello",
      version: PROTOCOL,
      ...(code ? { code } : session ? { session } : {}),
      ...(client ? { client } : {}),
    });
    return [
      this.#go({ is: "greeting", attempt: this.#state.attempt }),
      { do: "send", frame: hello },
      { do: "wake", at: now + GREETING_LIMIT },
    ];
  }

  /**
   * A text frame came.
   *
   * @param {string} frame
   * @param {number} now
   * @returns {Action[]}
   */
  received(frame, now) {
    let message;
    try {
      message = readToInspector(frame);
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
      return this.#unreadable(frame, error.message);
    }
    if (!message) return [];
    if (this.#state.is === "greeting") return this.#greeted(message);
    if (this.#state.is !== "open" || message.type === "welcome") return [];
    if (message.re !== undefined) return this.#answered(message.re, message, now);
    if (message.type === "error") return [{ do: "complain", message: message.message }];
    return [{ do: "tell", message }];
  }

  /**
   * A binary frame came.
   *
   * @param {ArrayBuffer} frame
   * @param {number} now
   * @returns {Action[]}
   */
  receivedBinary(frame, now) {
    if (this.#state.is !== "open") return [];
    try {
      const overview = readOverview(frame);
      return this.#answered(overview.re, overview, now);
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
      return [{ do: "complain", message: `The daemon sent what cannot be read: ${error.message}` }];
    }
  }

  /**
   * The socket is closed, or could not be opened.
   *
   * @param {number} code
   * @param {string} reason
   * @param {number} now
   * @returns {Action[]}
   */
  closed(code, reason, now) {
    const actions = this.#failAll();
    if (this.#state.is === "idle" || this.#state.is === "refused" || this.#state.is === "waiting") {
      return actions;
    }
    if (code === 4001 || code === 4005) {
      return [...actions, ...this.#refused("unauthorised", reason)];
    }
    if (code === 4002) return [...actions, ...this.#refused("version", reason)];
    const attempt = this.#state.is === "open" ? 0 : this.#state.attempt;
    const wait = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** Math.min(attempt, 10));
    const until = now + Math.round(wait * (0.75 + 0.25 * this.#random()));
    const why = reason || "Nothing answers at this address.";
    return [
      ...actions,
      this.#go({ is: "waiting", attempt: attempt + 1, until, why }),
      { do: "wake", at: until },
    ];
  }

  /**
   * A time that was asked for has come.
   *
   * @param {number} now
   * @returns {Action[]}
   */
  woke(now) {
    if (this.#state.is === "waiting" && now >= this.#state.until) return this.start();
    if (this.#state.is === "greeting") {
      return [{ do: "close", code: 4001, reason: "no welcome in time" }];
    }
    return [];
  }

  /**
   * Sends a request.
   *
   * @param {FromInspector} message
   * @param {number} now
   * @returns {{ id: number, actions: Action[] }}
   */
  request(message, now) {
    const id = this.#nextId++;
    if (this.#state.is !== "open") return { id, actions: [failed(id, disconnected())] };
    if (this.#pending.size >= MOST_PENDING) {
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
    this.#pending.set(id, { slot, sent: now });
    actions.push({ do: "send", frame: writeFromInspector(message, id) });
    return { id, actions };
  }

  /** Ends a request that is under way. @param {number} id @returns {Action[]} */
  cancel(id) {
    if (!this.#pending.delete(id) || this.#state.is !== "open") return [];
    const frame = writeFromInspector({ type: "cancel", request: id }, this.#nextId++);
    return [
      { do: "send", frame },
      failed(id, new RequestError("cancelled", "It was cancelled.")),
    ];
  }

  /**
   * What cannot be read is no answer to wait for any longer.
   *
   * @param {string} frame
   * @param {string} why
   * @returns {Action[]}
   */
  #unreadable(frame, why) {
    const message = `The daemon sent what cannot be read: ${why}`;
    const re = replyId(frame);
    if (typeof re !== "number" || !this.#pending.delete(re)) return [{ do: "complain", message }];
    return [failed(re, new RequestError("failed", message))];
  }

  /**
   * @param {ConnectionState} state
   * @returns {Action}
   */
  #go(state) {
    this.#state = state;
    return { do: "changed", state };
  }

  /**
   * @param {ToInspector} message
   * @returns {Action[]}
   */
  #greeted(message) {
    if (message.type === "welcome") {
      /** @type {Action[]} */
      const actions = [];
      delete this.#credentials.code;
      if (message.session) {
        this.#credentials.session = message.session;
        actions.push({ do: "keep", session: message.session });
      }
      return [...actions, this.#go({ is: "open", welcome: message })];
    }
    if (message.type !== "error") return [];
    if (message.code === "version") return this.#refused("version", message.message);
    if (message.code === "unauthorised") return this.#refused("unauthorised", message.message);
    return [{ do: "complain", message: message.message }];
  }

  /**
   * @param {"unauthorised" | "version"} reason
   * @param {string} why
   * @returns {Action[]}
   */
  #refused(reason, why) {
    if (this.#state.is === "refused") return [];
    if (reason === "version") return [this.#go({ is: "refused", reason, why })];
    if (this.#credentials.code) {
      // The code was used or is too old; the session of before may still hold.
      delete this.#credentials.code;
      if (this.#credentials.session) return this.#again();
    }
    const { session } = this.#credentials;
    const newer = this.#stored();
    if (newer !== undefined && newer !== session) {
      // Another page of this browser signed in meanwhile; what it was given is for this one, too.
      this.#credentials.session = newer;
      return this.#again();
    }
    delete this.#credentials.session;
    return [{ do: "forget", session }, this.#go({ is: "refused", reason, why })];
  }

  /** @returns {Action[]} */
  #again() {
    this.#state = { is: "idle" };
    return [{ do: "close", code: 1000, reason: "" }, ...this.start()];
  }

  /**
   * @param {number | string} re
   * @param {ToInspector | Overview} message
   * @param {number} now
   * @returns {Action[]}
   */
  #answered(re, message, now) {
    const pending = typeof re === "number" ? this.#pending.get(re) : undefined;
    // Nobody waits any more: it was cancelled or superseded.
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
    return [{ do: "settle", id: re, reply: message }];
  }

  /** @returns {Action[]} */
  #failAll() {
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
