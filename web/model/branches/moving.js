/** Where an entry may be moved to. */

import { formatCount } from "../../base/format.js";

/**
 * Why an entry cannot be moved there; nothing when it can.
 *
 * @param {number | undefined} before the entry before which it is to stand, as far as one was named
 * @param {{ seq: number, last: number }} entry the one that is moved, and the timeline's last one
 * @returns {string | undefined}
 */
export function whyNotBefore(before, { seq, last }) {
  const range = `Type a number from 1 to ${formatCount(last)}, or ${formatCount(last + 1)} for ` +
    "the end.";
  if (seq < 1) return "The first entry has no event to move. Go to another entry.";
  if (last < 2) return "There is no other event to move this one past.";
  if (before === undefined) return `This is not an entry number. ${range}`;
  if (before < 1) return `The first entry stays first. ${range}`;
  if (before > last + 1) return `There is no entry ${formatCount(before)}. ${range}`;
  if (before === seq) return `Entry ${formatCount(seq)} cannot be moved before itself. ${range}`;
  if (before === seq + 1) {
    return before > last
      ? `Entry ${formatCount(seq)} is already the last entry. ${range}`
      : `Entry ${formatCount(seq)} is already before ${formatCount(before)}. ${range}`;
  }
  return undefined;
}
