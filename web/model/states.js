/** State and outputs at the cursor: the newest wish wins, and neighbours are computed from patches. */

import { Cache } from "../base/cache.js";
import { cutBytes } from "../base/event-name.js";
import { isNumber, member } from "../base/json.js";
import { applyPatch, PatchError, readPatch } from "../base/patch.js";
import { RequestError } from "../wire/requests.js";

/** @import { Json } from "../base/json-types.d.ts" */
/** @import { Entry } from "../wire/entry.js" */
/** @import { FailureCode } from "../wire/requests.js" */
/** @import { Source } from "./source.js" */

/** Moments that are kept; neighbours share what did not change. */
const MOST_STATES = 48;

/** Deeper values come when somebody opens them. */
const DEPTH = 7;

/**
 * What is known of a moment.
 *
 * @typedef {{ is: "known", seq: number, state: Json, outputs: Json, computed: boolean }
 *   | { is: "failed", seq: number, code: FailureCode, message: string }} KnownMoment
 */

export class States {
  #source;
  #timeline;
  /** @type {Cache<number, KnownMoment>} */
  #known = new Cache(MOST_STATES);
  /** What was fetched where a value was cut, by `seq` and pointer. @type {Cache<string, Json>} */
  #parts = new Cache(200);

  /**
   * @param {Source} source
   * @param {string} timeline
   */
  constructor(source, timeline) {
    this.#source = source;
    this.#timeline = timeline;
  }

  /**
   * @param {number} seq
   * @returns {KnownMoment | undefined}
   */
  get(seq) {
    return this.#known.get(seq);
  }

  /**
   * What was fetched at a pointer into a moment.
   *
   * @param {number} seq
   * @param {string} path
   */
  part(seq, path) {
    return this.#parts.get(`${seq} ${path}`);
  }

  /** Forgets failures, which may be none any more. */
  forgetFailures() {
    for (const seq of [...this.#known.keys()]) {
      if (this.#known.peek(seq)?.is === "failed") this.#known.delete(seq);
    }
  }

  /**
   * The moment from the one before it and the entry's patch, when both are at hand. What did not
   * change is then the same value in both, which ends every comparison.
   *
   * @param {number} previous
   * @param {Entry} entry
   * @returns {KnownMoment | undefined}
   */
  derive(previous, entry) {
    const before = this.#known.get(previous);
    if (before?.is !== "known" || !entry.patch || entry.gap) return undefined;
    if (holdsCut(entry.patch) || holdsCut(entry.outputs ?? [])) return undefined;
    try {
      /** @type {KnownMoment} */
      const moment = {
        is: "known",
        seq: entry.seq,
        state: applyPatch(before.state, readPatch(entry.patch)),
        outputs: applyPatch(before.outputs, readPatch(entry.outputs ?? [])),
        computed: before.computed,
      };
      this.#known.set(entry.seq, moment);
      return moment;
    } catch (error) {
      // It changes what was cut from the state before.
      if (error instanceof PatchError) return undefined;
      throw error;
    }
  }

  /**
   * Fetches a moment. Answers nothing when a newer wish took its place.
   *
   * @param {number} seq
   * @param {string} slot
   * @param {{ compute?: boolean }} [options]
   * @returns {Promise<KnownMoment | undefined>}
   */
  async fetch(seq, slot, { compute = false } = {}) {
    const held = this.#known.get(seq);
    if (held && !(compute && held.is === "failed")) return held;
    try {
      const reply = await this.#source.ask({
        type: "state",
        timeline: this.#timeline,
        seq,
        depth: DEPTH,
        slot,
        ...(compute ? { compute } : {}),
      });
      /** @type {KnownMoment} */
      const moment = {
        is: "known",
        seq,
        state: member(reply.value, "state") ?? null,
        outputs: member(reply.value, "outputs") ?? {},
        computed: reply.computed ?? false,
      };
      this.#known.set(seq, moment);
      return moment;
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      if (error.code === "superseded" || error.code === "cancelled") return undefined;
      /** @type {KnownMoment} */
      const moment = { is: "failed", seq, code: error.code, message: error.message };
      if (error.code !== "disconnected") this.#known.set(seq, moment);
      return moment;
    }
  }

  /**
   * Fetches what was cut at a pointer into a moment.
   *
   * @param {number} seq
   * @param {string} path
   */
  async fetchPart(seq, path) {
    const reply = await this.#source.ask({
      type: "state",
      timeline: this.#timeline,
      seq,
      path,
      depth: 2,
    });
    if (reply.value !== undefined) this.#parts.set(`${seq} ${path}`, reply.value);
  }
}

/**
 * Whether something was cut from the values of a patch.
 *
 * @param {Json} value
 * @returns {boolean}
 */
function holdsCut(value) {
  if (value === null || typeof value !== "object" || isNumber(value)) return false;
  if (cutBytes(value) !== undefined) return true;
  return Object.values(value).some(holdsCut);
}
