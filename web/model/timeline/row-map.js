/** Which row of the events' list shows which entry, where some entries were lost. */

import { united } from "./stretches.js";

/** @import { Stretch } from "./stretches.js" */

/** What was lost before an entry. @typedef {{ seq: number, lost: number, why: string }} KnownGap */

/** What a row shows. @typedef {{ is: "entry", seq: number } | { is: "gap", gap: KnownGap }} RowItem */

/**
 * The list of all entries from `first` to `last`. Lost ones have no rows; each gap has one row of
 * its own above the entry that reports it.
 */
export class RowMap {
  #first;
  #last;
  #gaps;
  /** The row of each gap. @type {number[]} */
  #rows = [];
  /** How many rows there are. */
  count = 0;

  /**
   * @param {number} first
   * @param {number} last less than `first` when there is no entry
   * @param {readonly KnownGap[]} gaps
   */
  constructor(first, last, gaps) {
    this.#first = first;
    this.#last = last;
    this.#gaps = gaps.filter(({ seq }) => seq >= first && seq <= last).sort((a, b) =>
      a.seq - b.seq
    );
    let missing = 0;
    for (const [place, gap] of this.#gaps.entries()) {
      // What was lost before the first entry has no rows to take away.
      missing += Math.min(gap.lost, gap.seq - first);
      this.#rows.push(gap.seq - first - missing + place);
    }
    this.count = last < first ? 0 : last - first + 1 - missing + this.#gaps.length;
  }

  /**
   * The content of a row.
   *
   * @param {number} row
   * @returns {RowItem | undefined}
   */
  at(row) {
    if (row < 0 || row >= this.count) return undefined;
    const place = this.#gapsUntil(row) - 1;
    const gap = this.#gaps[place];
    if (!gap) return { is: "entry", seq: this.#first + row };
    const above = this.#rows[place] ?? 0;
    return row === above ? { is: "gap", gap } : { is: "entry", seq: gap.seq + row - above - 1 };
  }

  /** How many gaps stand in that row or above. @param {number} row */
  #gapsUntil(row) {
    let [low, high] = [0, this.#rows.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#rows[middle] ?? 0) <= row) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /**
   * The row of an entry; of one that was lost, the row of its gap.
   *
   * @param {number} seq
   * @returns {number}
   */
  rowOf(seq) {
    const within = Math.min(Math.max(seq, this.#first), this.#last);
    let place = this.#gaps.findIndex((gap) => gap.seq > within);
    if (place < 0) place = this.#gaps.length;
    const next = this.#gaps[place];
    if (next && within >= next.seq - next.lost) return this.#rows[place] ?? 0;
    const gap = this.#gaps[place - 1];
    if (!gap) return within - this.#first;
    return (this.#rows[place - 1] ?? 0) + 1 + within - gap.seq;
  }

  /**
   * The entry itself, or the first one after it when it was lost.
   *
   * @param {number} seq
   * @returns {number}
   */
  nearest(seq) {
    const item = this.at(this.rowOf(seq));
    if (!item) return seq;
    return item.is === "entry" ? item.seq : item.gap.seq;
  }

  /**
   * The entry that is `steps` entries away, past gaps, no further than the ends.
   *
   * @param {number} seq
   * @param {number} steps
   * @returns {number}
   */
  stepped(seq, steps) {
    let row = this.rowOf(seq);
    const direction = Math.sign(steps);
    for (let left = Math.abs(steps); left > 0; left--) {
      let next = row + direction;
      if (this.at(next)?.is === "gap") next += direction;
      if (!this.at(next)) break;
      row = next;
    }
    const item = this.at(row);
    return item?.is === "entry" ? item.seq : item?.gap.seq ?? seq;
  }
}

/** Rows of the entries that a filter let through, as far as they are known. */
export class FilteredRows {
  /** Ascending. @type {number[]} */
  seqs = [];
  /** Where the search goes on; nothing when it has come to the end. @type {number | undefined} */
  next = 0;
  /** Whether the reader ended the search before it came to the end. */
  isStopped = false;
  /** Where it goes on when the timeline grows after the search has come to the end. */
  scannedTo = 0;
  /** Where the filter could not tell, united. @type {Stretch[]} */
  #unknown = [];
  /** The leaves because of which entries match. @type {Map<number, string>} */
  #leaves = new Map();

  /** How many entries the filter could not tell. */
  get unknownCount() {
    return this.#unknown.reduce((sum, { first, last }) => sum + last - first + 1, 0);
  }

  get count() {
    return this.seqs.length;
  }

  /** Whether more may follow. */
  get isComplete() {
    return this.next === undefined;
  }

  /**
   * @param {readonly number[]} seqs the matches after all that are known
   * @param {number | undefined} next
   * @param {readonly (readonly [number, number])[]} [unknown]
   * @param {number} [last] the timeline's last entry when they were asked for
   * @param {readonly { seq: number, path: string }[]} [leaves] because of which entries match
   */
  extend(seqs, next, unknown = [], last = -1, leaves = []) {
    const known = this.seqs.at(-1) ?? -1;
    for (const { seq, path } of leaves) this.#leaves.set(seq, path);
    for (const seq of seqs) if (seq > known) this.seqs.push(seq);
    this.next = next;
    // A source may have searched further; then it searches those few again.
    this.scannedTo = Math.max(this.scannedTo, next ?? last + 1, (this.seqs.at(-1) ?? -1) + 1);
    if (unknown.length === 0) return;
    const stretches = unknown.map(([first, end]) => ({ first, last: end }));
    this.#unknown = united([...this.#unknown, ...stretches]);
  }

  /** Goes on where the search ended, when there are entries behind. @param {number} last */
  goOn(last) {
    if (this.isComplete && this.scannedTo <= last) this.next = this.scannedTo;
  }

  /** The pointer to the leaf because of which an entry matches, if there is one. @param {number} seq */
  leafOf(seq) {
    return this.#leaves.get(seq);
  }

  /** @param {number} row @returns {RowItem | undefined} */
  at(row) {
    const seq = this.seqs[row];
    return seq === undefined ? undefined : { is: "entry", seq };
  }

  /**
   * The row of the entry, or of the last match before it.
   *
   * @param {number} seq
   * @returns {number}
   */
  rowOf(seq) {
    let [low, high] = [0, this.seqs.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.seqs[middle] ?? 0) <= seq) low = middle + 1;
      else high = middle;
    }
    return Math.max(0, low - 1);
  }

  /**
   * The match that is `steps` matches away, no further than the ends; where there is none that way,
   * the entry itself.
   *
   * @param {number} seq
   * @param {number} steps
   * @returns {number}
   */
  stepped(seq, steps) {
    if (this.seqs.length === 0) return seq;
    const row = this.rowOf(seq);
    const isBetween = this.seqs[row] !== seq;
    const from = isBetween && (this.seqs[row] ?? 0) < seq && steps < 0
      ? row + 1
      : isBetween && (this.seqs[row] ?? 0) > seq
      ? row - 1
      : row;
    const place = Math.min(Math.max(from + steps, 0), this.seqs.length - 1);
    const found = this.seqs[place] ?? seq;
    return steps > 0 === found > seq ? found : seq;
  }
}
