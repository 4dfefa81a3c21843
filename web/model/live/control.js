/** Control of live apps: who has it, for how long, and what is done with it. */

import { formatNumbered } from "../../base/format.js";
import { RequestError } from "../../wire/requests.js";

/** @import { Json } from "../../base/json-types.d.ts" */
/** @import { Message, TimelineSummary } from "../../wire/to-inspector.js" */
/** @import { Source } from "../sources/source.js" */
/** @import { Place } from "../branches/undo-history.js" */

/** @typedef {"refuse" | "queue"} Policy */

/** Without renewal the recorder lets go after this long, in milliseconds. */
export const LEASE = 15_000;

/** A lease is renewed twice before it is in danger: one answer may be lost. */
const RENEW_EVERY = LEASE / 3;

/**
 * What this page holds; `isLeaving` while it asks to let go.
 *
 * @typedef {{ lease: string, policy: Policy, until: number, isLeaving?: boolean }} Held
 */

/**
 * The world around control; tests give one of their own.
 *
 * @typedef {object} ControlWorld
 * @property {() => Source | undefined} source
 * @property {() => number} now milliseconds
 * @property {(call: () => void, milliseconds: number) => void} later
 * @property {() => void} changed
 * @property {(text: string, timeline: string) => void} warn reports that control was lost
 */

export class LiveControl {
  #world;
  /** @type {Map<string, Held>} */
  #held = new Map();
  /** The daemon's latest report on each timeline. @type {Map<string, Message<"control">>} */
  #statuses = new Map();
  /** Why control ended, until the reader has seen it. @type {Map<string, string>} */
  #lost = new Map();
  /** Timelines whose recording this page paused. @type {Set<string>} */
  #paused = new Set();

  /** @param {ControlWorld} world */
  constructor(world) {
    this.#world = world;
  }

  /**
   * What this page holds of a timeline.
   *
   * @param {string | undefined} timeline
   * @returns {Held | undefined}
   */
  heldOf(timeline) {
    return timeline === undefined ? undefined : this.#held.get(timeline);
  }

  /** The timelines that this page holds. */
  get holding() {
    return [...this.#held.keys()];
  }

  /**
   * @param {string} timeline
   * @returns {Message<"control"> | undefined}
   */
  statusOf(timeline) {
    return this.#statuses.get(timeline);
  }

  /**
   * @param {string} timeline
   * @returns {string | undefined}
   */
  lostWhy(timeline) {
    return this.#lost.get(timeline);
  }

  /**
   * Holds a machine.
   *
   * @param {string} timeline
   * @param {Policy} policy
   * @param {{ take?: boolean }} [how] `take` takes it over from another
   */
  async hold(timeline, policy, { take = false } = {}) {
    const asked = this.#world.now();
    const { lease } = await this.#ask({
      type: "hold",
      timeline,
      policy,
      ...(take ? { take } : {}),
    });
    if (lease === undefined) return;
    this.#lost.delete(timeline);
    const held = { lease, policy, until: asked + LEASE };
    this.#held.set(timeline, held);
    this.#renewLater(timeline, held);
    this.#world.changed();
  }

  /**
   * Lets the machine go on. When that fails, this page still holds it.
   *
   * @param {string} timeline
   */
  async resume(timeline) {
    const held = this.#need(timeline);
    held.isLeaving = true;
    try {
      await this.#ask({ type: "resume", timeline, lease: held.lease });
      this.#forget(timeline, held);
    } catch (error) {
      held.isLeaving = false;
      // It is another's lease by now, or the machine is gone: either way it is let go.
      const isGone = error instanceof RequestError &&
        (error.code === "conflict" || error.code === "not-found");
      if (isGone) this.#forget(timeline, held);
      throw error;
    }
  }

  /**
   * @param {string} timeline
   * @param {Held} held
   */
  #forget(timeline, held) {
    if (this.#held.get(timeline) === held) this.#held.delete(timeline);
    this.#world.changed();
  }

  /**
   * Lets one waiting event through. Answers the last entry after it.
   *
   * @param {string} timeline
   */
  async step(timeline) {
    const { lease } = this.#need(timeline);
    return (await this.#ask({ type: "step", timeline, lease })).seq;
  }

  /**
   * Sends an event.
   *
   * @param {string} timeline
   * @param {Json} event
   */
  async dispatch(timeline, event) {
    const { lease } = this.#need(timeline);
    return (await this.#ask({ type: "dispatch", timeline, lease, event })).seq;
  }

  /**
   * Moves the app to a moment.
   *
   * @param {string} timeline
   * @param {Place} from
   */
  async restore(timeline, from) {
    const { lease } = this.#need(timeline);
    return (await this.#ask({ type: "restore", timeline, lease, from })).seq;
  }

  /**
   * Has the app record nothing any more, or everything again. Needs no lease: what it does is not
   * changed. Nothing is discarded.
   *
   * @param {string} timeline
   * @param {boolean} isPaused
   */
  async capture(timeline, isPaused) {
    await this.#ask({ type: "capture", timeline, ...(isPaused ? { allow: [] } : {}) });
    if (isPaused) this.#paused.add(timeline);
    else this.#paused.delete(timeline);
    this.#world.changed();
  }

  /**
   * Whether this page paused the recording of a timeline.
   *
   * @param {string} timeline
   */
  isPaused(timeline) {
    return this.#paused.has(timeline);
  }

  /**
   * Receives the daemon's report of who is in control.
   *
   * @param {Message<"control">} message
   */
  heard(message) {
    const { timeline, held, yours, holder, why } = message;
    this.#statuses.set(timeline, message);
    const own = this.#held.get(timeline);
    if (own?.isLeaving && !held) this.#held.delete(timeline);
    else if (own && !(held && yours)) {
      this.#lose(
        timeline,
        held
          ? `${holder ?? "Another inspector"} took over control.`
          : why ?? "The machine is running again.",
      );
    } else if (why !== undefined && this.#lost.has(timeline)) {
      this.#lost.set(timeline, why);
    }
    this.#world.changed();
  }

  /** The connection broke: the daemon lets go of what this page held. */
  disconnected() {
    for (const timeline of this.holding) {
      this.#lose(timeline, "The connection was lost, so the machine is running again.");
    }
    this.#statuses.clear();
    this.#world.changed();
  }

  /**
   * Forgets a loss that the reader has seen.
   *
   * @param {string} timeline
   */
  dismiss(timeline) {
    this.#lost.delete(timeline);
    this.#world.changed();
  }

  /**
   * @param {string} timeline
   * @param {Held} held
   */
  #renewLater(timeline, held) {
    this.#world.later(() => void this.#renew(timeline, held), RENEW_EVERY);
    // Without an answer, the recorder has resumed by then, and no message reports it.
    this.#world.later(() => {
      if (this.#held.get(timeline) !== held || this.#world.now() < held.until) return;
      this.#lose(timeline, "The lease was not renewed in time, so the machine is running again.");
      this.#world.changed();
    }, held.until - this.#world.now());
  }

  /**
   * @param {string} timeline
   * @param {Held} held
   */
  async #renew(timeline, held) {
    if (this.#held.get(timeline) !== held) return;
    const asked = this.#world.now();
    try {
      await this.#ask({ type: "hold", timeline, policy: held.policy, lease: held.lease });
      held.until = asked + LEASE;
      if (this.#held.get(timeline) === held) this.#renewLater(timeline, held);
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      if (this.#held.get(timeline) === held) this.#lose(timeline, error.message);
    }
    this.#world.changed();
  }

  /**
   * @param {string} timeline
   * @param {string} why
   */
  #lose(timeline, why) {
    this.#held.delete(timeline);
    this.#lost.set(timeline, why);
    this.#world.warn(`You no longer control the machine. ${why}`, timeline);
  }

  /** @param {string} timeline */
  #need(timeline) {
    const held = this.#held.get(timeline);
    if (!held) throw new RequestError("conflict", "Pause the machine first.");
    return held;
  }

  /**
   * @template {"hold" | "resume" | "step" | "dispatch" | "restore" | "capture"} Type
   * @param {import("../../wire/from-inspector.js").Request<Type>} request
   * @returns {Promise<Message<"done">>}
   */
  async #ask(request) {
    const source = this.#world.source();
    if (!source) throw new RequestError("disconnected", "The daemon is not connected.");
    const reply = await source.ask(request);
    return /** @type {Message<"done">} */ (reply);
  }
}

/**
 * What the live strip says.
 *
 * @typedef {{ is: "free" | "mine" | "other" | "lost", text: string, detail: string, lease?: string }} Strip
 */

/**
 * The strip of a timeline's machine; nothing if it cannot be controlled.
 *
 * @param {LiveControl} control
 * @param {TimelineSummary | undefined} summary
 * @param {number} now
 * @returns {Strip | undefined}
 */
export function stripOf(control, summary, now) {
  if (!summary?.live || !summary.controllable) return undefined;
  // A wrapped reducer belongs to its caller: its state cannot be replaced from outside.
  if (summary.header.machine.kind === "reducer") return undefined;
  const { timeline, machine } = summary.header;
  const held = control.heldOf(timeline);
  const status = control.statusOf(timeline);
  const queued = status?.queued ?? 0;
  const waiting = (control.isPaused(timeline) ? "Recording is paused. " : "") +
    (queued === 0 ? "" : `${formatNumbered(queued, "event")} queued. `);
  if (held) {
    const seconds = Math.max(0, Math.ceil((held.until - now) / 1_000));
    const events = held.policy === "refuse"
      ? "Its events are dropped."
      : queued === 0
      ? "Its events are queued."
      : "";
    return {
      is: "mine",
      text: `You paused ${machine.name}`,
      detail: `${waiting}${events}`.trim(),
      lease: `Control ends in ${seconds} s unless this page renews it.`,
    };
  }
  if (status?.held && !status.yours) {
    return {
      is: "other",
      text: `${status.holder ?? "Another inspector"} controls ${machine.name}`,
      detail: waiting.trim(),
    };
  }
  const why = control.lostWhy(timeline);
  if (why !== undefined) {
    return { is: "lost", text: `You no longer control ${machine.name}`, detail: waiting + why };
  }
  return {
    is: "free",
    text: `${machine.name} is running`,
    detail: `${waiting}Pause it to time-travel or send events.`,
  };
}
