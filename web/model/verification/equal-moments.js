/** Finds lines whose moments are equal although their patches differ, as where the next event sets a value again. */

import { RequestError } from "../../wire/requests.js";
import { hasSameEvent } from "./alignment.js";

/** @import { Source } from "../sources/source.js" */
/** @import { AlignedRow } from "./alignment.js" */

/** Requests at a time. */
const BATCH = 8;

export class EqualMoments {
  #source;
  #timelines;
  #signal;
  /** @type {WeakMap<AlignedRow, Promise<boolean>>} */
  #checks = new WeakMap();

  /**
   * @param {Source} source
   * @param {{ a: string, b: string }} timelines
   * @param {AbortSignal} signal
   */
  constructor(source, timelines, signal) {
    this.#source = source;
    this.#timelines = timelines;
    this.#signal = signal;
  }

  /** Whether only the moments decide if a line differs, and they were not compared yet. @param {AlignedRow} row */
  isUndecided(row) {
    return areOnlyPatchesUnlike(row) && !this.#checks.has(row);
  }

  /**
   * Marks the lines whose moments are equal as the same.
   *
   * @param {readonly AlignedRow[]} rows
   * @returns {Promise<boolean>} whether there are any
   */
  async check(rows) {
    let hasEqual = false;
    for (let first = 0; first < rows.length; first += BATCH) {
      const found = await Promise.all(
        rows.slice(first, first + BATCH).map((row) => this.#checkOnce(row)),
      );
      hasEqual ||= found.includes(true);
    }
    return hasEqual;
  }

  /** Whether a line is the same, by its moments where only they decide. @param {AlignedRow} row */
  async isSame(row) {
    return row.is === "same" || await this.#checkOnce(row);
  }

  /** @param {AlignedRow} row */
  async #checkOnce(row) {
    if (!areOnlyPatchesUnlike(row)) return false;
    const check = this.#checks.get(row) ?? this.#compare(row);
    this.#checks.set(row, check);
    return await check;
  }

  /** @param {AlignedRow} row */
  async #compare(row) {
    if (!row.a || !row.b) return false;
    try {
      const { patch } = await this.#source.ask({
        type: "diff",
        a: { timeline: this.#timelines.a, seq: row.a.seq },
        b: { timeline: this.#timelines.b, seq: row.b.seq },
      }, { signal: this.#signal });
      if (!Array.isArray(patch) || patch.length > 0) return false;
      row.is = "same";
      row.areUnlike = false;
      return true;
    } catch (error) {
      // An unknown moment leaves the line as its patches show it.
      if (!(error instanceof RequestError)) throw error;
      return false;
    }
  }
}

/** @param {AlignedRow} row */
function areOnlyPatchesUnlike({ a, b, is }) {
  return is === "differs" && a !== undefined && b !== undefined && hasSameEvent(a, b);
}
