/** The graph of event names that was observed: what a machine without a chart can show. */

/** @typedef {{ name: string, count: number, isLast: boolean, next: { name: string, count: number, isLast: boolean }[] }} Observed */

/**
 * Which names occurred and which one followed each, the most frequent first. The last step is told.
 *
 * @param {readonly string[]} names in order; empty ones are left out
 * @returns {Observed[]}
 */
export function observeNames(names) {
  const seen = names.filter((name) => name !== "");
  /** @type {Map<string, { count: number, next: Map<string, number> }>} */
  const nodes = new Map();
  seen.forEach((name, index) => {
    const node = nodes.get(name) ?? { count: 0, next: new Map() };
    nodes.set(name, node);
    node.count++;
    const after = seen[index + 1];
    if (after !== undefined) node.next.set(after, (node.next.get(after) ?? 0) + 1);
  });
  const last = seen.at(-1);
  const before = seen.at(-2);
  return [...nodes]
    .map(([name, { count, next }]) => ({
      name,
      count,
      isLast: name === last,
      next: [...next]
        .map(([after, times]) => ({
          name: after,
          count: times,
          isLast: name === before && after === last,
        }))
        .sort((left, right) => right.count - left.count),
    }))
    .sort((left, right) => right.count - left.count);
}
