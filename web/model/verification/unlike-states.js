/** Finds lines with the same event and changes whose states differ, as after an earlier difference. */

import { RequestError } from "../../wire/requests.js";

/** @import { Message } from "../../wire/to-inspector.js" */
/** @import { Source } from "../sources/source.js" */
/** @import { AlignedRow } from "./alignment.js" */
/** @import { PathColumns } from "./path-columns.js" */

/**
 * What is known of the whole comparison.
 *
 * @typedef {{ verdict?: Message<"compare"> | undefined, failure?: string | undefined,
 *   columns?: PathColumns | undefined }} Known
 */

export class UnlikeStates {
  #source;
  #timelines;
  #how;
  /** @type {WeakSet<AlignedRow>} */
  #asked = new WeakSet();

  /**
   * @param {Source} source
   * @param {{ a: string, b: string }} timelines
   * @param {{ onChange: () => void, signal: AbortSignal }} how
   */
  constructor(source, timelines, how) {
    this.#source = source;
    this.#timelines = timelines;
    this.#how = how;
  }

  /**
   * Marks the line if its states differ. Mostly the values at hand show it; else the daemon is asked.
   *
   * @param {AlignedRow} row
   * @param {Known} known
   */
  look(row, { verdict, failure, columns }) {
    const { a, b } = row;
    if (!a || !b || row.areUnlike !== undefined || this.#asked.has(row)) return;
    // The verdict says where to look at all.
    if (!verdict && failure === undefined) return;
    if (verdict && (verdict.differing === 0 || a.seq < (verdict.a?.seq ?? 0))) return;
    if (columns && !columns.isLoaded(row)) return;
    const isShown = columns?.values(row).some((pair) =>
      pair.a !== undefined && pair.b !== undefined && !pair.isEqual
    );
    if (isShown) row.areUnlike = true;
    else {
      this.#asked.add(row);
      void this.#ask(row, { a: a.seq, b: b.seq });
    }
  }

  /** @param {AlignedRow} row @param {{ a: number, b: number }} seqs */
  async #ask(row, seqs) {
    const { a, b } = this.#timelines;
    try {
      const { patch } = await this.#source.ask({
        type: "diff",
        a: { timeline: a, seq: seqs.a },
        b: { timeline: b, seq: seqs.b },
      }, { signal: this.#how.signal });
      row.areUnlike = Array.isArray(patch) && patch.length > 0;
      if (row.areUnlike) this.#how.onChange();
    } catch (error) {
      // The states of a line whose moments are unknown are not marked.
      if (!(error instanceof RequestError)) throw error;
    }
  }
}
