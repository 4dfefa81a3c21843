/** Finding things by the words of their titles. */

/**
 * The items that fit what was typed, the best first: all words must occur, and the beginning of
 * a word counts more than its middle. A word that occurs only in `also` counts least.
 *
 * @template {{ title: string, also?: string }} Item
 * @param {readonly Item[]} items
 * @param {string} typed
 * @returns {Item[]}
 */
export function searchTitles(items, typed) {
  const words = typed.toLowerCase().split(/\s+/).filter((word) => word !== "");
  return items
    .map((item, place) => ({ item, place, score: scoreOf(item, words) }))
    .filter(({ score }) => score !== undefined)
    .sort((left, right) => (right.score ?? 0) - (left.score ?? 0) || left.place - right.place)
    .map(({ item }) => item);
}

/**
 * @param {{ title: string, also?: string }} item
 * @param {string[]} words
 * @returns {number | undefined}
 */
function scoreOf({ title: shown, also = "" }, words) {
  const title = shown.toLowerCase();
  const rest = also.toLowerCase();
  let score = 0;
  for (const word of words) {
    const at = title.indexOf(word);
    if (at >= 0) score += at === 0 ? 3 : title[at - 1] === " " ? 2 : 1;
    else if (!rest.includes(word)) return undefined;
  }
  return score;
}
