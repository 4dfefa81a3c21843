/** Stretches of entries, both ends included: what is left out may be millions of them. */

/** @typedef {{ first: number, last: number }} Stretch */

/**
 * The same entries in order, each once; neighbours as one.
 *
 * @param {readonly Stretch[]} stretches
 * @returns {Stretch[]}
 */
export function united(stretches) {
  /** @type {Stretch[]} */
  const all = [];
  for (const { first, last } of [...stretches].sort((left, right) => left.first - right.first)) {
    const before = all.at(-1);
    if (before && first <= before.last + 1) before.last = Math.max(before.last, last);
    else all.push({ first, last });
  }
  return all;
}

/**
 * The parent's numbers of entries of a branch that only leaves out.
 *
 * @param {readonly Stretch[]} stretches united
 * @param {readonly Stretch[]} dropped what the branch leaves out of its parent, united
 * @returns {Stretch[]} in order
 */
export function beforeDrops(stretches, dropped) {
  /** @type {Stretch[]} */
  const found = [];
  let [place, missing] = [0, 0];
  for (const { first, last } of stretches) {
    for (let from = first; from <= last;) {
      let next = dropped[place];
      while (next && next.first - missing <= from) {
        missing += next.last - next.first + 1;
        next = dropped[++place];
      }
      const to = Math.min(last, next ? next.first - missing - 1 : last);
      found.push({ first: from + missing, last: to + missing });
      from = to + 1;
    }
  }
  return found;
}
