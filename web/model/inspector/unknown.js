/** Entries for which a search has no answer: which ones, and what the reader can do. */

import { formatCount } from "../../base/format.js";
import { whyNoFork } from "../branches/hosts.js";
import { united } from "../timeline/stretches.js";

/** @import { Inspector } from "./inspector.js" */
/** @import { Stretch } from "../timeline/stretches.js" */

/** Stretches that are named; the rest is only counted. */
const MAXIMUM_NAMED = 4;

/**
 * What is unknown among some entries, in order.
 *
 * @param {readonly [number, number][] | undefined} unknown as an answer has it
 * @param {number} from
 * @param {number} to
 * @returns {Stretch[]}
 */
export function unknownBetween(unknown, from, to) {
  return united(
    (unknown ?? [])
      .map(([first, last]) => ({ first: Math.max(first, from), last: Math.min(last, to) }))
      .filter(({ first, last }) => first <= last),
  );
}

/**
 * Entries in words: `entry 25`, `the entries 20 to 29 and 40`.
 *
 * @param {readonly Stretch[]} stretches
 */
export function entriesText(stretches) {
  const parts = stretches.slice(0, MAXIMUM_NAMED).map(({ first, last }) =>
    first === last ? formatCount(first) : `${formatCount(first)} to ${formatCount(last)}`
  );
  const more = stretches.length - parts.length;
  if (more > 0) parts.push(`${formatCount(more)} more ${more === 1 ? "stretch" : "stretches"}`);
  const end = parts.pop() ?? "";
  if (parts.length > 0) return `the entries ${parts.join(", ")} and ${end}`;
  return stretches.every(({ first, last }) => first === last)
    ? `entry ${end}`
    : `the entries ${end}`;
}

/**
 * Why it is unknown, and what the reader can do about it.
 *
 * @param {readonly Stretch[]} stretches
 * @param {Pick<Inspector, "source" | "summary" | "hosts" | "data">} inspector
 */
export function whyUnknown(stretches, inspector) {
  const why = "some values there were not captured.";
  // What was lost cannot be computed either: its events are gone.
  const isLost = stretches.every(({ first, last }) =>
    inspector.data?.gaps.some(({ seq, lost }) => first >= seq - lost && last <= seq)
  );
  if (isLost) return `${why} The events before were lost, so it cannot be computed.`;
  if (whyNoFork(inspector) !== undefined) {
    return `${why} A host that runs the reducer can compute it.`;
  }
  return `${why} To see it, select those entries and choose “Compute the states that were not captured”: ` +
    "what a host computes is shown, but not searched.";
}
