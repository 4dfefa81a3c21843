/** State and outputs at any entry of a file: the keyframe before it and the patches since. */

import { Cache } from "../../base/cache.js";
import { isObject, member } from "../../base/json.js";
import { applyPatch, PatchError, readPatch } from "../../base/patch.js";
import { FLAGS } from "../../wire/timeline-file.js";

/** @import { Json, JsonObject } from "../../base/json-types.d.ts" */
/** @import { EntryIndex } from "../../wire/timeline-file.js" */

/** The values after an entry. @typedef {{ state: Json, outputs: Json }} Values */

/** Or that it is unknown. @typedef {Values | "unknown"} Moment */

/**
 * The lines of a timeline, by their places.
 *
 * @typedef {{ index: EntryIndex,
 *   read: (first: number, end: number) => Promise<JsonObject[]> }} Lines
 */

/** What may be kept of moments, counted by the bytes that were read for them. */
const MOMENTS_BYTES = 32_000_000;

/** What a moment counts for at least; those of neighbours share most of their values. */
const LEAST_BYTES = 64_000;

/** How many lines are read at once on a long way. */
const BATCH = 256;

export class Moments {
  #lines;
  /** @type {Cache<number, Moment>} */
  #known = new Cache(MOMENTS_BYTES);

  /** @param {Lines} lines */
  constructor(lines) {
    this.#lines = lines;
  }

  /**
   * The values after the entry at that place.
   *
   * @param {number} place
   * @returns {Promise<Moment>}
   */
  async at(place) {
    const { index } = this.#lines;
    if (place < 0 || place >= index.count) return "unknown";
    let first = place;
    while (
      first > 0 && this.#known.peek(first) === undefined && !isStart(index, first)
    ) first--;
    let moment = this.#known.get(first);
    if (moment !== undefined) first++;
    const bytes = (index.offsets[place + 1] ?? 0) - (index.offsets[first] ?? 0);
    for (; first <= place; first += BATCH) {
      const lines = await this.#lines.read(first, Math.min(first + BATCH, place + 1));
      for (const line of lines) moment = after(moment ?? "unknown", line);
    }
    this.#known.set(place, moment ?? "unknown", Math.max(bytes, LEAST_BYTES));
    return moment ?? "unknown";
  }

  /**
   * Goes over a stretch of places in order; `visit` answers whether to go on.
   *
   * @param {number} first
   * @param {number} end
   * @param {boolean} wantsValues whether `before` and `after` are wanted; without, both are unknown
   * @param {(step: { place: number, line: JsonObject, before: Moment, after: Moment }) =>
   *   boolean | void} visit answers `false` to stop
   * @param {{ signal?: AbortSignal, onBatch?: (place: number) => void }} [options]
   */
  async walk(first, end, wantsValues, visit, { signal, onBatch } = {}) {
    /** @type {Moment} */
    let before = wantsValues && first > 0 ? await this.at(first - 1) : "unknown";
    for (let start = first; start < end; start += BATCH) {
      signal?.throwIfAborted();
      onBatch?.(start);
      const lines = await this.#lines.read(start, Math.min(start + BATCH, end));
      for (const [offset, line] of lines.entries()) {
        // What held just before is lost with the entries that a gap stands for.
        if (member(line, "gap") !== undefined) before = "unknown";
        const now = wantsValues ? after(before, line) : "unknown";
        if (visit({ place: start + offset, line, before, after: now }) === false) return;
        before = now;
      }
    }
  }
}

/**
 * Whether the moment at that place needs none before it: a keyframe, or an entry of which nothing
 * is known anyway.
 *
 * @param {EntryIndex} index
 * @param {number} place
 */
function isStart(index, place) {
  const flags = index.flags[place] ?? 0;
  return (flags & FLAGS.keyframe) !== 0 || (flags & FLAGS.hasPatch) === 0;
}

/**
 * The moment after a line.
 *
 * @param {Moment} before
 * @param {JsonObject} line
 * @returns {Moment}
 */
export function after(before, line) {
  const state = member(line, "state");
  if (state !== undefined) {
    const outputs = member(line, "outputState");
    return { state, outputs: isObject(outputs) ? outputs : {} };
  }
  const patch = member(line, "patch");
  if (patch === undefined || before === "unknown") return "unknown";
  try {
    const outputs = member(line, "outputs");
    return {
      state: applyPatch(before.state, readPatch(patch)),
      outputs: outputs === undefined
        ? before.outputs
        : applyPatch(before.outputs, readPatch(outputs)),
    };
  } catch (error) {
    // A file that breaks the rules; from the next keyframe on all is known again.
    if (error instanceof PatchError) return "unknown";
    throw error;
  }
}
