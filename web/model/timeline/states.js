/** State and outputs at the cursor: the newest wish wins, and neighbours are computed from patches. */

import { Cache } from "../../base/cache.js";
import { cutBytes, moreCount } from "../../base/event-name.js";
import { isNumber, member } from "../../base/json.js";
import { applyPatch, PatchError, readPatch } from "../../base/patch.js";
import { weigh } from "../../base/weigh.js";
import { RequestError } from "../../wire/requests.js";

/** @import { Json } from "../../base/json-types.d.ts" */
/** @import { Entry } from "../../wire/entry.js" */
/** @import { FailureCode } from "../../wire/requests.js" */
/** @import { Source } from "../sources/source.js" */

/**
 * What may be kept in memory of moments, and of values that were opened in them. Neighbours share
 * what did not change, and yet each counts as if it were alone.
 */
const MOMENTS_WEIGHT = 12_000_000;
const PARTS_WEIGHT = 12_000_000;

/** A moment in JSON: more takes longer than a frame to read. */
const MOMENT_BYTES = 128 * 1024;

/** A value that was cut away, when it is first asked for, and at most. */
const PART_BYTES = 512 * 1024;
const MAXIMUM_PART_BYTES = 8 * 1024 * 1024;

/** Deeper values are loaded when the reader opens them. */
const DEPTH = 7;

/** And then as deep as this. */
const PART_DEPTH = 3;

/**
 * What is known of a moment.
 *
 * @typedef {{ is: "known", seq: number, state: Json, outputs: Json, computed: boolean,
 *     weight: number, isPartial: boolean }
 *   | { is: "failed", seq: number, code: FailureCode, message: string }} KnownMoment
 */

export class States {
  #source;
  #timeline;
  /** @type {Cache<number, KnownMoment>} */
  #known = new Cache(MOMENTS_WEIGHT);
  /** What was fetched where a value was cut, by `seq` and pointer. @type {Cache<string, { value: Json, bytes: number }>} */
  #parts = new Cache(PARTS_WEIGHT);

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
    return this.#parts.get(`${seq} ${path}`)?.value;
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
    // Places in an array of which only the first elements came are not those of the patch.
    if (before.isPartial) return undefined;
    if (holdsCut(entry.patch) || holdsCut(entry.outputs ?? [])) return undefined;
    try {
      /** @type {KnownMoment} */
      const moment = {
        is: "known",
        seq: entry.seq,
        state: applyPatch(before.state, readPatch(entry.patch)),
        outputs: applyPatch(before.outputs, readPatch(entry.outputs ?? [])),
        computed: before.computed,
        weight: before.weight + weigh(entry.patch) + weigh(entry.outputs),
        isPartial: false,
      };
      this.#known.set(entry.seq, moment, moment.weight);
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
   * @param {string} [slot]
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
        bytes: MOMENT_BYTES,
        ...(slot === undefined ? {} : { slot }),
        ...(compute ? { compute } : {}),
      });
      /** @type {KnownMoment} */
      const moment = {
        is: "known",
        seq,
        state: member(reply.value, "state") ?? null,
        outputs: member(reply.value, "outputs") ?? {},
        computed: reply.computed ?? false,
        weight: weigh(reply.value) + OWN_WEIGHT,
        isPartial: isPartial(reply.value),
      };
      this.#known.set(seq, moment, moment.weight);
      return moment;
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      if (error.code === "superseded" || error.code === "cancelled") return undefined;
      /** @type {KnownMoment} */
      const moment = { is: "failed", seq, code: error.code, message: error.message };
      // That there was no way to ask says nothing of the moment.
      if (error.code !== "disconnected" && error.code !== "limit") {
        this.#known.set(seq, moment, OWN_WEIGHT);
      }
      return moment;
    }
  }

  /**
   * Fetches what was cut at a pointer into a moment; of what came in part, more.
   *
   * @param {number} seq
   * @param {string} path
   * @returns {Promise<boolean>} whether it came; not when it is too large to be shown
   */
  async fetchPart(seq, path) {
    const key = `${seq} ${path}`;
    const held = this.#parts.peek(key);
    if (held && held.bytes >= MAXIMUM_PART_BYTES) return false;
    for (
      let bytes = held ? held.bytes * 4 : PART_BYTES;
      bytes <= MAXIMUM_PART_BYTES;
      bytes *= 4
    ) {
      const reply = await this.#source.ask({
        type: "state",
        timeline: this.#timeline,
        seq,
        path,
        depth: PART_DEPTH,
        bytes,
      });
      const { value } = reply;
      if (value === undefined) return false;
      // A text that is longer comes whole or not at all.
      if (cutBytes(value) !== undefined) continue;
      this.#parts.set(key, { value, bytes }, weigh(value) + OWN_WEIGHT);
      return true;
    }
    return false;
  }
}

/** What a moment weighs without its values. */
const OWN_WEIGHT = 300;

/**
 * Whether of some array or object only the first parts are there.
 *
 * @param {Json | undefined} value
 * @returns {boolean}
 */
function isPartial(value) {
  if (value === null || typeof value !== "object" || isNumber(value)) return false;
  return moreCount(value) !== undefined || Object.values(value).some(isPartial);
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
