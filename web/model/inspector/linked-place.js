/** What the reader learns about a link that does not lead to where it says. */

import { formatCount } from "../../base/format.js";

/** @import { TimelineSummary } from "../../wire/to-inspector.js" */
/** @import { Inspector } from "./inspector.js" */

export const WAS_DELETED = "The timeline that you were viewing was deleted.";

/**
 * Reports an entry that does not exist, and which one is shown in its place.
 *
 * @param {Inspector} inspector which is at the nearest entry
 * @param {number} seq the entry that the link names
 */
export function reportMissingEntry(inspector, seq) {
  const { data, cursor } = inspector;
  if (!data || data.nearest(seq) === seq) return;
  inspector.notify(
    "warning",
    data.last < 0
      ? `Entry ${formatCount(seq)} does not exist: this timeline has no entries yet.`
      : `Entry ${formatCount(seq)} does not exist. You are at ${
        formatCount(cursor)
      }; this timeline has the entries ${formatCount(data.first)} to ${formatCount(data.last)}.`,
  );
}

/**
 * The timeline to show where no link names one: a live one, or the latest.
 *
 * @param {Iterable<TimelineSummary>} summaries
 * @returns {TimelineSummary | undefined}
 */
export function newestOf(summaries) {
  const list = [...summaries];
  const latest = (/** @type {TimelineSummary} */ { header }) => header.started;
  return list.find(({ live }) => live) ??
    list.toSorted((left, right) => latest(right).localeCompare(latest(left)))[0];
}
