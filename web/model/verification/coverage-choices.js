/** What coverage can be counted of: the recordings of a type, and the values that can name a state. */

import { formatCount, formatNumbered } from "../../base/format.js";
import { isNumber, isObject } from "../../base/json.js";
import { childPointer, pathText, readPointer } from "../../base/pointer.js";
import { readChart } from "../../wire/chart.js";
import { readSchema } from "../../wire/header.js";
import { caseOf, casePaths } from "../chart/state-graph.js";

/** @import { Json } from "../../base/json-types.d.ts" */
/** @import { Header } from "../../wire/header.js" */
/** @import { TimelineSummary } from "../../wire/to-inspector.js" */
/** @import { MachineCoverage, Recording } from "./machine-coverage.js" */

/** Values that are offered, and how deep they may be nested. */
const MAXIMUM_CHOICES = 100;
const DEEPEST = 4;

/**
 * The recordings to count: one, and the others of its type that are not branches.
 *
 * @param {TimelineSummary} summary
 * @param {ReadonlyMap<string, TimelineSummary>} summaries
 * @returns {Recording[]} the one first; without those that have no entries
 */
export function recordingsToCount(summary, summaries) {
  const { timeline, machine } = summary.header;
  const others = [...summaries.values()].filter(({ header }) =>
    header.timeline !== timeline && header.machine.type === machine.type &&
    header.parent === undefined
  );
  return [summary, ...others].flatMap(({ header, first, last }) =>
    first === undefined || last === undefined || last < first
      ? []
      : [{ timeline: header.timeline, first, last }]
  );
}

/**
 * The values that can name the state, the likeliest first.
 *
 * @param {Header} header
 * @param {{ state: Json, outputs: Json } | undefined} moment
 * @param {string | undefined} pinned a pointer into the moment
 * @returns {{ path: string, title: string }[]}
 */
export function stateChoices(header, moment, pinned) {
  const state = moment?.state;
  const paths = new Set(
    readChart(header.chart)
      ? ["/state/path"]
      : state !== undefined && (isScalar(state) || caseOf(state) !== undefined)
      ? ["/state"]
      : [],
  );
  for (const path of casePaths(state, pinned)) paths.add(path);
  for (const [root, value] of Object.entries({ state, outputs: moment?.outputs })) {
    for (const path of scalarPaths(value, `/${root}`, 0)) {
      if (paths.size < MAXIMUM_CHOICES) paths.add(path);
    }
  }
  return [...paths].map((path) => ({
    path,
    title: path === "/state/path" && header.chart !== undefined
      ? "the active state of the chart"
      : pathText(readPointer(path) ?? []),
  }));
}

/** @param {Json} value */
function isScalar(value) {
  return value === null || typeof value !== "object" || isNumber(value);
}

/**
 * @param {Json | undefined} value
 * @param {string} path
 * @param {number} depth
 * @returns {Iterable<string>}
 */
function* scalarPaths(value, path, depth) {
  if (value === undefined || depth > DEEPEST) return;
  if (depth > 0 && (isScalar(value) || caseOf(value) !== undefined)) yield path;
  if (!isObject(value)) return;
  for (const [key, member] of Object.entries(value)) {
    yield* scalarPaths(member, childPointer(path, key), depth + 1);
  }
}

/**
 * What the table does not show, in sentences.
 *
 * @param {MachineCoverage} coverage
 * @param {Header} header
 * @returns {{ title: string, names: string[] }[]}
 */
export function coverageLists(coverage, header) {
  const sent = new Set(coverage.events);
  const states = readChart(header.chart)?.states.map(({ path }) => path.join("/")) ?? [];
  // Events occur in the innermost states, and count for those around them.
  const isReached = (/** @type {string} */ name) =>
    coverage.states.some((state) => state === name || state.startsWith(`${name}/`));
  return [
    { title: "Nothing handled", names: coverage.unhandled },
    {
      title: "Never occurred",
      names: (readSchema(header.schema)?.cases ?? []).map(({ name }) => name)
        .filter((name) => !sent.has(name)),
    },
    { title: "No event occurred in", names: states.filter((name) => !isReached(name)) },
  ].filter(({ names }) => names.length > 0);
}

/**
 * @param {MachineCoverage} coverage
 * @param {number} recordings
 * @param {number} hidden events without a column
 */
export function coverageText({ states, events, total, unnamed, isCut }, recordings, hidden) {
  const parts = [
    `${formatNumbered(recordings, "recording")}: ${formatNumbered(total, "event")} of ${
      formatNumbered(events.length, "kind")
    } in ${formatNumbered(states.length, "state")}.`,
  ];
  if (unnamed > 0) {
    parts.push(
      unnamed === 1
        ? "1 event occurred in a state without a name, or was not captured."
        : `${formatCount(unnamed)} events occurred in states without a name, or were not captured.`,
    );
  }
  if (states.length === 0) parts.push("To count them, choose another value.");
  if (hidden > 0) parts.push(`The table has no columns for ${formatCount(hidden)} of the kinds.`);
  if (isCut) parts.push("Only the first 256 names of states and of events are counted.");
  return parts.join(" ");
}
