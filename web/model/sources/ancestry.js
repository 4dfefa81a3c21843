/**
 * The parents of branches. A header is recorded text: two can name each other as their parents, so
 * every walk over parents goes through here, and ends.
 */

/** @import { TimelineSummary } from "../../wire/to-inspector.js" */

/**
 * A timeline, its parent, the parent's parent, as far as they are known.
 *
 * Of timelines that lead round in a circle, the one with the smallest id counts as the root,
 * whichever of them the walk begins with.
 *
 * @param {string | undefined} id
 * @param {ReadonlyMap<string, TimelineSummary>} summaries
 * @returns {string[]}
 */
export function chainOf(id, summaries) {
  /** @type {Set<string>} */
  const seen = new Set();
  let here = id;
  while (here !== undefined && summaries.has(here) && !seen.has(here)) {
    seen.add(here);
    here = summaries.get(here)?.header.parent?.timeline;
  }
  const chain = [...seen];
  if (here === undefined || !seen.has(here)) return chain;
  const [root = here] = chain.slice(chain.indexOf(here)).sort();
  return chain.slice(0, chain.indexOf(root) + 1);
}

/**
 * The timeline that a branch of branches comes from.
 *
 * @param {string | undefined} id
 * @param {ReadonlyMap<string, TimelineSummary>} summaries
 */
export function rootOf(id, summaries) {
  return chainOf(id, summaries).at(-1);
}
