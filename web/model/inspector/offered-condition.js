/** The condition that the search for the fewest events begins with. */

import { shareView } from "../live/runs.js";

/** @import { Inspector } from "./inspector.js" */

/**
 * The filter in force, if it is not the one that was offered before: then what the reader has typed since
 * stays.
 *
 * @param {Pick<Inspector, "data" | "cursor" | "summaries">} inspector
 * @param {object} before
 * @param {string} before.typed the condition as it is
 * @param {string} before.timeline where it was offered
 * @param {string} before.filter the predicate of the filter at that time
 * @returns {string}
 */
export function offeredCondition({ data, cursor, summaries }, { typed, timeline, filter }) {
  if (!data) return typed;
  const isNewFilter = data.shortPredicate !== "" && data.shortPredicate !== filter;
  const isElsewhere = timeline !== "" && !shareView(timeline, data.id, summaries);
  if (typed !== "" && !isNewFilter && !isElsewhere) return typed;
  if (data.shortPredicate !== "") return data.shortPredicate;
  return data.entries.get(cursor)?.error === undefined ? "" : "error != null";
}
