/** Where the entries of a parent, and the new ones, stand in a branch: known before it is computed. */

/** @import { Edit } from "./edits.js" */

/** What precedes an entry of the branch: an entry of the parent, or a new event. */
/** @typedef {{ seq: number } | { edit: number }} Placed */

export class Arrangement {
  /** The parent's entry that is the branch's first one. */
  #base = 0;
  /** The parent's last entry that takes part. */
  #end;
  /** Stretches that are left out where they stood. @type {{ first: number, last: number }[]} */
  #removed = [];
  /** What was put before an entry, in the script's order. @type {Map<number, Placed[]>} */
  #placed = new Map();

  /**
   * @param {readonly Edit[]} edits
   * @param {number} through the parent's last entry that takes part
   */
  constructor(edits, through) {
    this.#end = through;
    edits.forEach((edit, index) => {
      switch (edit.is) {
        case "drop":
          this.#removed.push({ first: edit.first, last: edit.last });
          break;
        case "insert":
          this.#place(edit.before, { edit: index });
          break;
        case "append":
          this.#place(through + 1, { edit: index });
          break;
        case "move":
          this.#removed.push({ first: edit.seq, last: edit.seq });
          this.#place(edit.before, { seq: edit.seq });
          break;
        case "cut":
          this.#end = Math.min(this.#end, edit.seq);
          break;
        case "start":
          this.#base = edit.seq;
          break;
        case "replace":
        case "begin":
          break;
      }
    });
  }

  /**
   * @param {number} before
   * @param {Placed} placed
   */
  #place(before, placed) {
    this.#placed.set(before, [...this.#placed.get(before) ?? [], placed]);
  }

  /** The branch's last entry. */
  get last() {
    return this.#before(this.#end + 1) - 1 + this.#countPlaced(Infinity, this.#end);
  }

  /**
   * The branch's entry that recomputes, or shares, one of the parent's. For one that is left out the
   * next that is kept, else the one before.
   *
   * @param {number} seq
   * @returns {number}
   */
  seqOf(seq) {
    const placed = this.#find((one) => "seq" in one && one.seq === seq);
    if (placed !== undefined) return placed;
    const place = this.#before(Math.max(seq, this.#base));
    return Math.max(0, Math.min(place, this.last));
  }

  /**
   * The branch's entry of the event that an edit put in.
   *
   * @param {number} edit its index in the script
   * @returns {number | undefined}
   */
  seqOfEdit(edit) {
    return this.#find((one) => "edit" in one && one.edit === edit);
  }

  /**
   * Where something stands that the script put somewhere.
   *
   * @param {(one: Placed) => boolean} is
   * @returns {number | undefined}
   */
  #find(is) {
    for (const [before, list] of this.#placed) {
      const index = list.findIndex(is);
      if (index < 0) continue;
      if (before <= this.#end) return this.#before(before) - list.length + index;
      const end = this.#before(this.#end + 1);
      const earlier = [...this.#placed].filter(([other]) => other > this.#end && other < before)
        .reduce((sum, [, others]) => sum + others.length, 0);
      return end + earlier + index;
    }
    return undefined;
  }

  /**
   * How many entries stand in front of where a parent's entry stands, those that were put before it
   * included: its own seq in the branch.
   *
   * @param {number} seq
   */
  #before(seq) {
    const here = Math.min(seq, this.#end + 1);
    const removed = this.#removed.reduce(
      (sum, { first, last }) => {
        const from = Math.max(first, this.#base + 1);
        const to = Math.min(last, here - 1);
        return sum + Math.max(0, to - from + 1);
      },
      0,
    );
    return here - this.#base - removed + this.#countPlaced(Math.min(here, this.#end), this.#base);
  }

  /**
   * How much was put before entries behind `after`, up to `through`.
   *
   * @param {number} through
   * @param {number} after
   */
  #countPlaced(through, after) {
    let count = 0;
    for (const [before, list] of this.#placed) {
      if (before > after && before <= through) count += list.length;
    }
    return count;
  }
}
