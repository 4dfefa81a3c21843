/** The graph of event names that was observed: what a machine without a chart can show. */

import { brief } from "../../base/event-name.js";
import { equalJson } from "../../base/json.js";

/** @import { Json } from "../../base/json-types.d.ts" */

/** @typedef {{ name: string, count: number, isLast: boolean, next: { name: string, count: number, isLast: boolean }[] }} Observed */

/**
 * Which names occurred and which one followed each, the most frequent first. The last step is marked.
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

/**
 * The values that a path had one after the other, in a few words each: what stays as it was is one.
 *
 * @param {readonly Json[]} column
 * @param {number} from the column's first entry
 * @param {readonly [number, number][]} [unknown] stretches of entries where the value is unknown
 * @returns {string[]}
 */
export function valuesInOrder(column, from, unknown = []) {
  /** @type {Json[]} */
  const values = [];
  column.forEach((value, index) => {
    const seq = from + index;
    if (unknown.some(([first, last]) => seq >= first && seq <= last)) return;
    const last = values.at(-1);
    if (last === undefined || !equalJson(last, value)) values.push(value);
  });
  // No name is an empty one, but a value may be.
  return values.map((value) => value === "" ? '""' : brief(value));
}
