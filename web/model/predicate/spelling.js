/** Finds the word that the reader probably meant. */

/**
 * The nearest of the words, when it is near enough to be a typo.
 *
 * @param {string} word
 * @param {readonly string[]} words
 * @returns {string | undefined}
 */
export function nearestWord(word, words) {
  const length = [...word].length;
  // Longer words are not typos, and the distance costs the product of both lengths.
  if (length > 32) return undefined;
  let best;
  let least = (length <= 4 ? 1 : 2) + 1;
  for (const candidate of words) {
    const steps = distance(word, candidate);
    if (steps < least) {
      least = steps;
      best = candidate;
    }
  }
  return best;
}

/**
 * How many characters must be inserted, removed, replaced or swapped with their neighbour, letter
 * case aside.
 *
 * @param {string} left
 * @param {string} right
 * @returns {number}
 */
export function distance(left, right) {
  const lefts = [...left.toLowerCase()];
  const rights = [...right.toLowerCase()];
  if (lefts.length === 0 || rights.length === 0) return Math.max(lefts.length, rights.length);
  /** @type {number[]} */
  let beforeLast = [];
  let last = Array.from({ length: rights.length + 1 }, (_, column) => column);
  for (let row = 1; row <= lefts.length; row++) {
    const current = [row];
    for (let column = 1; column <= rights.length; column++) {
      const isSame = lefts[row - 1] === rights[column - 1];
      let least = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
      );
      if (
        row > 1 && lefts[row - 1] === rights[column - 2] && lefts[row - 2] === rights[column - 1]
      ) {
        least = Math.min(least, (beforeLast[column - 2] ?? 0) + 1);
      }
      current.push(least);
    }
    beforeLast = last;
    last = current;
  }
  return last[rights.length] ?? 0;
}
