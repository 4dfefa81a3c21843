/** A statechart as rows: its tree, the active path, and what the last message did. */

import { member } from "../base/json.js";

/** @import { Json } from "../base/json-types.d.ts" */
/** @import { Chart } from "../wire/chart.js" */

/**
 * @typedef {object} ChartRow
 * @property {string} id its path as a text
 * @property {string} name
 * @property {number} depth
 * @property {boolean} isActive whether it is on the active path
 * @property {boolean} isCurrent whether it is the innermost active state
 * @property {"" | "entered" | "exited"} visit what the last message did to it
 * @property {{ name: string, to: string[], isLast: boolean }[]} messages with the states they lead
 *   to; `isLast` says that the last message was handled here
 */

/**
 * The path of a chart's recorded state.
 *
 * @param {Json | undefined} state
 * @returns {string[]}
 */
export function activePath(state) {
  const path = member(state, "path");
  return Array.isArray(path) && path.every((name) => typeof name === "string")
    ? path.map(String)
    : [];
}

/**
 * The rows of a chart, depth first.
 *
 * @param {Chart} chart
 * @param {readonly string[]} active
 * @param {Json | undefined} outputs what the last message did: `visits` and `handler`
 * @param {string | undefined} message the last message's name
 * @returns {ChartRow[]}
 */
export function chartRows(chart, active, outputs, message) {
  const visits = readVisits(member(outputs, "visits"));
  const handler = member(outputs, "handler");
  const handlerId = Array.isArray(handler) ? JSON.stringify(handler) : undefined;
  /** @type {Map<string, Map<string, Set<string>>>} */
  const targets = new Map();
  for (const { from, to, trigger } of [...chart.declared ?? [], ...chart.observed ?? []]) {
    const id = JSON.stringify(from);
    const byName = targets.get(id) ?? new Map();
    targets.set(id, byName);
    byName.set(trigger.name, (byName.get(trigger.name) ?? new Set()).add(to));
  }
  return depthFirst(chart).map(({ name, path, messages }) => {
    const id = JSON.stringify(path);
    const depth = path.length - 1;
    const isActive = path.length <= active.length &&
      path.every((part, index) => part === active[index]);
    const byName = targets.get(id);
    const names = new Set([...(messages ?? []).map((one) => one.name), ...byName?.keys() ?? []]);
    return {
      id,
      name,
      depth,
      isActive,
      isCurrent: isActive && path.length === active.length,
      visit: visits.get(name) ?? "",
      messages: [...names].map((one) => ({
        name: one,
        to: [...byName?.get(one) ?? []],
        isLast: one === message && id === handlerId,
      })),
    };
  });
}

/** @param {Chart} chart */
function depthFirst(chart) {
  const order = new Map(chart.states.map(({ path }, place) => [JSON.stringify(path), place]));
  const keyOf = (/** @type {string[]} */ path) =>
    path.map((_, depth) => order.get(JSON.stringify(path.slice(0, depth + 1))) ?? 0);
  return chart.states
    .map((state) => ({ state, key: keyOf(state.path) }))
    .sort((left, right) => comparePaths(left.key, right.key))
    .map(({ state }) => state);
}

/**
 * @param {number[]} left
 * @param {number[]} right
 */
function comparePaths(left, right) {
  for (let depth = 0; depth < Math.min(left.length, right.length); depth++) {
    const difference = (left[depth] ?? 0) - (right[depth] ?? 0);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

/**
 * What happened to which state; the last one counts.
 *
 * @param {Json | undefined} json
 * @returns {Map<string, "entered" | "exited">}
 */
function readVisits(json) {
  /** @type {Map<string, "entered" | "exited">} */
  const visits = new Map();
  for (const visit of Array.isArray(json) ? json : []) {
    for (const kind of /** @type {const} */ (["entered", "exited"])) {
      const state = member(visit, kind);
      if (typeof state === "string") visits.set(state, kind);
    }
  }
  return visits;
}
