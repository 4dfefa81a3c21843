/** The states of a machine and the ways between them: declared by its chart, or seen in its entries. */

import { isObject, member } from "../../base/json.js";

/** @import { Json } from "../../base/json-types.d.ts" */
/** @import { Chart } from "../../wire/chart.js" */

/**
 * @typedef {object} StateNode
 * @property {string} id
 * @property {string} name
 * @property {string | undefined} parent
 * @property {string[]} messages those that it handles without leading to another state
 */

/** One message on an edge; `last` is the entry that took it last. @typedef {{ name: string, count: number, last: number | undefined }} EdgeName */

/** All that leads from one state to another. @typedef {{ id: string, from: string, to: string, names: EdgeName[] }} StateEdge */

/** @typedef {{ nodes: StateNode[], edges: StateEdge[] }} StateGraph */

/** An edge that an entry took. @typedef {{ seq: number, from: string, to: string, name: string }} Traversal */

/** An entry as the graph sees it. @typedef {{ seq: number, name: string, at: string[], handler?: string[] | undefined }} Step */

/** @param {readonly string[]} path */
export function stateId(path) {
  return JSON.stringify(path);
}

/**
 * The path of a chart's recorded state.
 *
 * @param {Json | undefined} state
 * @returns {string[]}
 */
export function activePath(state) {
  return pathIn(member(state, "path")) ?? [];
}

/**
 * @param {Json | undefined} json
 * @returns {string[] | undefined}
 */
export function pathIn(json) {
  return Array.isArray(json) && json.every((name) => typeof name === "string")
    ? json.map(String)
    : undefined;
}

/**
 * What happened to which state; the last one counts.
 *
 * @param {Json | undefined} outputs
 * @returns {Map<string, "entered" | "exited">}
 */
export function visitsIn(outputs) {
  /** @type {Map<string, "entered" | "exited">} */
  const visits = new Map();
  const json = member(outputs, "visits");
  for (const visit of Array.isArray(json) ? json : []) {
    for (const kind of /** @type {const} */ (["entered", "exited"])) {
      const state = member(visit, kind);
      if (typeof state === "string") visits.set(state, kind);
    }
  }
  return visits;
}

/**
 * The edges of a chart: declared ones, and those that the recorder saw.
 *
 * @param {Chart} chart
 */
function edgesOf(chart) {
  const paths = new Map(chart.states.map(({ name, path }) => [name, path]));
  return [...chart.declared ?? [], ...chart.observed ?? []].flatMap(({ from, to, trigger }) => {
    const target = paths.get(to);
    return target ? [{ from, to: target, name: trigger.name }] : [];
  });
}

/**
 * The edges that entries took. The handler says which state's closure ran; of its edges the one that
 * leads to where the machine is now was taken. Where the handler was not recorded, it is the innermost
 * active state with such an edge. A change that no edge declares is one of its own.
 *
 * @param {Chart} chart
 * @param {readonly Step[]} steps in order
 * @returns {Traversal[]}
 */
export function chartTraversals(chart, steps) {
  const edges = edgesOf(chart);
  return steps.flatMap(({ seq, name, at, handler }, index) => {
    const before = steps[index - 1]?.at;
    if (!before || before.length === 0 || at.length === 0) return [];
    const isMoved = stateId(before) !== stateId(at);
    const taken = edges
      .filter(({ name: declared, from, to }) =>
        declared === name &&
        (handler ? stateId(from) === stateId(handler) : isPrefix(from, before)) &&
        (isMoved ? isPrefix(to, at) : stateId(to) === stateId(from))
      )
      .sort((left, right) =>
        right.from.length - left.from.length || right.to.length - left.to.length
      )[0];
    if (!taken && !isMoved) return [];
    const from = taken?.from ?? handler ?? before;
    return [{ seq, name, from: stateId(from), to: stateId(taken?.to ?? at) }];
  });
}

/**
 * The changes from case to case of a value.
 *
 * @param {readonly Step[]} steps in order
 * @returns {Traversal[]}
 */
export function caseTraversals(steps) {
  const known = steps.filter(({ at }) => at.length > 0);
  return known.flatMap(({ seq, name, at }, index) => {
    const before = known[index - 1];
    if (!before || stateId(before.at) === stateId(at)) return [];
    return [{ seq, name, from: stateId(before.at), to: stateId(at) }];
  });
}

/**
 * The graph of a chart, with how often each edge was taken.
 *
 * @param {Chart} chart
 * @param {readonly Traversal[]} traversals
 * @returns {StateGraph}
 */
export function chartGraph(chart, traversals) {
  const ids = new Set(chart.states.map(({ path }) => stateId(path)));
  const declared = edgesOf(chart).map(({ from, to, name }) => ({
    from: stateId(from),
    to: stateId(to),
    name,
  }));
  const edges = joined(declared, traversals).filter(({ from, to }) => ids.has(from) && ids.has(to));
  const leading = new Set(
    edges.flatMap(({ from, names }) => names.map(({ name }) => `${from} ${name}`)),
  );
  const nodes = chart.states
    .map(({ name, path, messages = [] }) => {
      const id = stateId(path);
      const parent = stateId(path.slice(0, -1));
      return {
        id,
        name,
        depth: path.length,
        parent: ids.has(parent) ? parent : undefined,
        messages: messages.map((one) => one.name).filter((one) => !leading.has(`${id} ${one}`)),
      };
    })
    // Every parent before its children.
    .sort((left, right) => left.depth - right.depth)
    .map(({ depth: _, ...node }) => node);
  return { nodes, edges };
}

/**
 * The graph of a value's cases, in the order in which they were first seen.
 *
 * @param {readonly Step[]} steps
 * @returns {StateGraph}
 */
export function caseGraph(steps) {
  const names = new Map(
    steps.filter(({ at }) => at.length > 0).map(({ at }) => [stateId(at), at[0] ?? ""]),
  );
  const nodes = [...names].map(([id, name]) => ({ id, name, parent: undefined, messages: [] }));
  return { nodes, edges: joined([], caseTraversals(steps)) };
}

/**
 * Edges by their ends, with all the names that lead there.
 *
 * @param {readonly { from: string, to: string, name: string }[]} declared
 * @param {readonly Traversal[]} traversals
 * @returns {StateEdge[]}
 */
function joined(declared, traversals) {
  /** @type {Map<string, StateEdge & { byName: Map<string, EdgeName> }>} */
  const edges = new Map();
  const named = (/** @type {{ from: string, to: string, name: string }} */ { from, to, name }) => {
    const id = `${from} ${to}`;
    /** @type {StateEdge & { byName: Map<string, EdgeName> }} */
    const edge = edges.get(id) ?? { id, from, to, names: [], byName: new Map() };
    edges.set(id, edge);
    /** @type {EdgeName} */
    const held = edge.byName.get(name) ?? { name, count: 0, last: undefined };
    if (!edge.byName.has(name)) edge.names.push(held);
    edge.byName.set(name, held);
    return held;
  };
  for (const edge of declared) named(edge);
  for (const traversal of traversals) {
    const held = named(traversal);
    held.count++;
    held.last = Math.max(held.last ?? 0, traversal.seq);
  }
  return [...edges.values()].map(({ byName: _, ...edge }) => edge);
}

/**
 * @param {readonly string[]} prefix
 * @param {readonly string[]} path
 */
function isPrefix(prefix, path) {
  return prefix.length <= path.length && prefix.every((name, index) => name === path[index]);
}

/** Values with more cases than this, such as names and texts, are not what a machine is in. */
const MAXIMUM_CASES = 24;

/** Values of a state that are looked at, to find one with cases. */
const MAXIMUM_CANDIDATES = 8;

/**
 * The case of a value: the key of an enum with values, or a text. What is true or false is a fact.
 *
 * @param {Json | undefined} value
 * @returns {string | undefined}
 */
export function caseOf(value) {
  if (typeof value === "string") return value.length <= 40 ? value : undefined;
  if (!isObject(value)) return undefined;
  const [only, ...more] = Object.keys(value);
  const isCase = only !== undefined && more.length === 0 && !only.startsWith("$") &&
    isObject(value[only]);
  return isCase ? only : undefined;
}

/**
 * Where a state may hold the case that the machine is in: itself, or one of its members.
 *
 * @param {Json | undefined} state
 * @param {string | undefined} pinned a path that the reader chose
 * @returns {string[]} pointers, the likeliest first
 */
export function casePaths(state, pinned) {
  if (caseOf(state) !== undefined) return ["/state"];
  const members = isObject(state) ? Object.entries(state) : [];
  const rank = (/** @type {Json} */ value) => typeof value === "object" ? 0 : 1;
  const paths = members
    .filter(([, value]) => caseOf(value) !== undefined)
    .sort(([, left], [, right]) => rank(left) - rank(right))
    .map(([key]) => `/state/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`);
  return [...new Set([...pinned === undefined ? [] : [pinned], ...paths])]
    .slice(0, MAXIMUM_CANDIDATES);
}

/**
 * Whether values look like the cases of a state: a few that come again, not texts that are all new.
 *
 * @param {readonly (string | undefined)[]} cases one for each entry
 */
export function areCases(cases) {
  const known = cases.filter((one) => one !== undefined);
  const distinct = new Set(known).size;
  return distinct >= 2 && distinct <= MAXIMUM_CASES && known.length >= 2 * distinct;
}
