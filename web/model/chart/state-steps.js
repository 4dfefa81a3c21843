/** Through which states some entries led: asked for when the chart is shown. */

import { eventName } from "../../base/event-name.js";
import { areCases, caseOf, casePaths, pathIn } from "./state-graph.js";

/** @import { Json } from "../../base/json-types.d.ts" */
/** @import { Entry } from "../../wire/entry.js" */
/** @import { Source } from "../sources/source.js" */
/** @import { Step } from "./state-graph.js" */

/** @typedef {{ steps: Step[] }} Steps */
/** The cases of the value at a path. @typedef {Steps & { path: string }} Cases */

/**
 * The active paths of a chart.
 *
 * @param {Source} source
 * @param {string} timeline
 * @param {readonly Entry[]} entries in order
 * @returns {Promise<Steps>}
 */
export async function observeChart(source, timeline, entries) {
  const [path, handler] = await columnsOf(source, timeline, entries, [
    "/state/path",
    "/outputs/handler",
  ]);
  return {
    steps: entries.map(({ seq, event }) => ({
      seq,
      name: eventName(event) ?? "",
      at: pathIn(path?.(seq)) ?? [],
      handler: pathIn(handler?.(seq)),
    })),
  };
}

/**
 * The cases of a value: of the one that the reader pinned, else of the first one that has cases.
 *
 * @param {Source} source
 * @param {string} timeline
 * @param {readonly Entry[]} entries in order
 * @param {Json | undefined} state at the cursor
 * @param {string | undefined} pinned
 * @returns {Promise<Cases | undefined>}
 */
export async function observeCases(source, timeline, entries, state, pinned) {
  const paths = casePaths(state, pinned);
  const columns = await columnsOf(source, timeline, entries, paths);
  for (const [index, path] of paths.entries()) {
    const cases = entries.map(({ seq }) => caseOf(columns[index]?.(seq)));
    if (!areCases(cases)) continue;
    const steps = entries.map(({ seq, event }, at) => {
      const held = cases[at];
      return { seq, name: eventName(event) ?? "", at: held === undefined ? [] : [held] };
    });
    return { path, steps };
  }
  return undefined;
}

/**
 * The values at some paths after each entry.
 *
 * @param {Source} source
 * @param {string} timeline
 * @param {readonly Entry[]} entries
 * @param {string[]} paths
 * @returns {Promise<((seq: number) => Json | undefined)[]>} nothing where it is unknown
 */
async function columnsOf(source, timeline, entries, paths) {
  const [first, last] = [entries.at(0)?.seq, entries.at(-1)?.seq];
  if (first === undefined || last === undefined || paths.length === 0) return [];
  const { from, columns, unknown = [] } = await source.ask({
    type: "column",
    timeline,
    paths,
    from: first,
    count: last - first + 1,
  });
  return columns.map((values) => (seq) =>
    unknown.some(([start, end]) => seq >= start && seq <= end) ? undefined : values[seq - from]
  );
}
