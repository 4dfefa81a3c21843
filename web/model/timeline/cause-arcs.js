/** Which arcs lead from causes to effects next to a list of entries. */

/** Further away than this, an arc is a line that leaves the view. */
const MAXIMUM_REACH = 200;

/**
 * From the row of a cause to the row of its effect. `isLit` is true for what led to the cursor's
 * entry, and for what that entry caused directly.
 *
 * @typedef {{ from: number, to: number, isLit: boolean }} Arc
 */

/**
 * The arcs of the rows in view. Each entry has one cause at most, so they are as many as the rows.
 *
 * @param {Iterable<number>} seqs the entries in view
 * @param {object} list
 * @param {(seq: number) => number | undefined} list.causeOf
 * @param {(seq: number) => number} list.rowOf the row of an entry, or the one that it would be in
 * @param {(seq: number) => boolean} list.has whether an entry has a row
 * @param {number} cursor
 * @returns {Arc[]}
 */
export function causeArcs(seqs, { causeOf, rowOf, has }, cursor) {
  const led = chainTo(cursor, causeOf);
  /** @type {Arc[]} */
  const arcs = [];
  for (const seq of seqs) {
    const cause = causeOf(seq);
    if (cause === undefined || cause >= seq || !has(cause)) continue;
    const to = rowOf(seq);
    const from = Math.max(rowOf(cause), to - MAXIMUM_REACH);
    if (from < to) arcs.push({ from, to, isLit: cause === cursor || led.has(seq) });
  }
  return arcs;
}

/**
 * An entry and those that led to it, as far as they are known.
 *
 * @param {number} seq
 * @param {(seq: number) => number | undefined} causeOf
 */
function chainTo(seq, causeOf) {
  const chain = new Set([seq]);
  let here = causeOf(seq);
  // A cause is earlier than its effect, unless a file is wrong.
  while (here !== undefined && !chain.has(here) && chain.size < MAXIMUM_REACH) {
    chain.add(here);
    here = causeOf(here);
  }
  return chain;
}
