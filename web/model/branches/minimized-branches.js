/** The branch that a minimization made before, so that the same search does not make it twice. */

import { readEdits } from "./edits.js";

/** @import { TimelineSummary } from "../../wire/to-inspector.js" */

/**
 * What was searched: the fewest events of a timeline, up to an entry or all, that lead to a failure.
 *
 * @typedef {{ timeline: string, failure: string, through: number | undefined, laterStart: boolean, keepPayloads?: boolean }} MinimizedSearch
 */

/**
 * The newest branch with the result of a search, wherever it was asked for.
 *
 * @param {MinimizedSearch} search
 * @param {Iterable<TimelineSummary>} summaries
 * @param {(left: string, right: string) => boolean} isSameFailure
 * @returns {TimelineSummary | undefined}
 */
export function minimizedBefore(search, summaries, isSameFailure) {
  const { timeline, failure, through, laterStart, keepPayloads } = search;
  return [...summaries].filter(({ header: { parent } }) => {
    if (parent?.timeline !== timeline || parent.failure === undefined) return false;
    if (!isSameFailure(parent.failure, failure)) return false;
    const edits = readEdits(parent.edits);
    // Explorations send events of their own.
    if (edits.some(({ is }) => is === "append" || is === "insert")) return false;
    if (keepPayloads && edits.some(({ is }) => is === "replace")) return false;
    if (!laterStart && edits.some(({ is }) => is === "start")) return false;
    const cut = edits.find((edit) => edit.is === "cut");
    return (cut?.seq ?? parent.through) <= (through ?? Infinity);
  }).at(-1);
}
