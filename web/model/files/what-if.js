/** The edits for which a file has branches, in words. */

import { formatCount, formatNumbered } from "../../base/format.js";

/**
 * What an HTML file contains besides its recording.
 *
 * @typedef {object} WhatIf
 * @property {number} first the first entry that can be left out, moved, and repeated
 * @property {number} last
 * @property {number} count of branches
 * @property {boolean} hasFewest whether one has the fewest events for a failure
 */

/**
 * What a file offers, and what to do for more.
 *
 * @param {WhatIf} whatIf
 */
export function whatIfWords({ first, last }) {
  const where = first === last
    ? `of entry ${formatCount(first)}`
    : `of the entries ${formatCount(first)} to ${formatCount(last)}`;
  return `It has those ${where}: skip, move by one, and repeat, and for the nearest also insert events without a payload after them. For other edits, export the .timeline (⇧E) and run it with your program: debugd view FILE --host EXE`;
}

/**
 * What an inserted event does on a page that is such a file.
 *
 * @param {WhatIf} whatIf
 */
export function insertNote({ first, last }) {
  return `This file has branches only for some events without a payload, inserted between entries ${
    formatCount(first)
  } and ${formatCount(last)}.`;
}

/**
 * What making a branch does on a page that is such a file.
 *
 * @param {WhatIf} whatIf
 */
export function whatIfNote(whatIf) {
  const edits = formatNumbered(whatIf.count - (whatIf.hasFewest ? 1 : 0), "edit");
  const fewest = whatIf.hasFewest ? ", and the fewest events for a failure" : "";
  return `This file has the results of ${edits}, as the reducer computed them${fewest}. ${
    whatIfWords(whatIf)
  }`;
}
