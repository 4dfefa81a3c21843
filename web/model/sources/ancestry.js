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
 * The roots of all timelines. Each walk ends where an earlier one was, so that a chain of thousands of
 * branches costs one walk.
 *
 * @param {ReadonlyMap<string, TimelineSummary>} summaries
 * @returns {Map<string, string>}
 */
export function rootsOf(summaries) {
  /** @type {Map<string, string>} */
  const roots = new Map();
  for (const id of summaries.keys()) {
    /** @type {Set<string>} */
    const walked = new Set();
    /** @type {string | undefined} */
    let here = id;
    let root = id;
    while (here !== undefined && summaries.has(here) && !walked.has(here) && !roots.has(here)) {
      walked.add(here);
      root = here;
      here = summaries.get(here)?.header.parent?.timeline;
    }
    const known = here === undefined ? undefined : roots.get(here);
    const isCircle = here !== undefined && walked.has(here);
    const found = known ?? (isCircle ? rootOf(id, summaries) : undefined) ?? root;
    for (const one of walked) roots.set(one, found);
  }
  return roots;
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
