/** Finding things by the words of their titles. */

/**
 * The items that fit what was typed, the best first: all words must occur, and the beginning of
 * a word counts more than its middle.
 *
 * @template {{ title: string }} Item
 * @param {readonly Item[]} items
 * @param {string} typed
 * @returns {Item[]}
 */
export function searchTitles(items, typed) {
  const words = typed.toLowerCase().split(/\s+/).filter((word) => word !== "");
  return items
    .map((item, place) => ({ item, place, score: scoreOf(item.title.toLowerCase(), words) }))
    .filter(({ score }) => score !== undefined)
    .sort((left, right) => (right.score ?? 0) - (left.score ?? 0) || left.place - right.place)
    .map(({ item }) => item);
}

/**
 * @param {string} title
 * @param {string[]} words
 * @returns {number | undefined}
 */
function scoreOf(title, words) {
  let score = 0;
  for (const word of words) {
    const at = title.indexOf(word);
    if (at < 0) return undefined;
    score += at === 0 ? 3 : title[at - 1] === " " ? 2 : 1;
  }
  return score;
}
