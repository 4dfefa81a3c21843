/** Which entries are marked: there may be thousands of marks, and each row asks in each frame. */

/** @import { TimelineSummary } from "../../wire/to-inspector.js" */

/** @type {WeakMap<readonly { seq: number }[], Set<number>>} */
const known = new WeakMap();

/**
 * @param {TimelineSummary | undefined} summary
 * @param {number} seq
 */
export function isMarked(summary, seq) {
  const marks = summary?.marks;
  if (!marks) return false;
  const seqs = known.get(marks) ?? new Set(marks.map((mark) => mark.seq));
  known.set(marks, seqs);
  return seqs.has(seq);
}
