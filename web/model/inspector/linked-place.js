/** What the reader learns about a link that does not lead to where it says. */

import { formatCount } from "../../base/format.js";
import { shorten, visible } from "../../base/text.js";
import { linkedSeq } from "./location.js";

/** @import { TimelineSummary } from "../../wire/to-inspector.js" */
/** @import { Inspector } from "./inspector.js" */
/** @import { Location } from "./location.js" */

/** Characters of a text in place of a number that are shown; a link may contain anything. */
const MAXIMUM_NAME = 40;

export const WAS_DELETED = "The timeline that you were viewing was deleted.";

/**
 * Reports an entry that does not exist, and which one is shown in its place.
 *
 * @param {Inspector} inspector which is at the nearest entry
 * @param {Location} link
 */
export function reportMissingEntry(inspector, link) {
  const { data, cursor } = inspector;
  const seq = linkedSeq(link);
  const { wrongSeq } = link;
  if (!data || seq === undefined || wrongSeq === undefined && data.nearest(seq) === seq) return;
  const name = wrongSeq === undefined
    ? formatCount(seq)
    : `“${visible(shorten(wrongSeq, MAXIMUM_NAME))}”`;
  inspector.notify(
    "warning",
    data.last < 0
      ? `Entry ${name} does not exist: this timeline has no entries yet.`
      : `Entry ${name} does not exist. You are at ${
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
