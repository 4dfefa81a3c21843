/** The edits for which a file has branches, in words. */

import { eventName } from "../../base/event-name.js";
import { formatCount, formatNumbered } from "../../base/format.js";
import { equalJson, member } from "../../base/json.js";
import { visible } from "../../base/text.js";

/** @import { Json } from "../../base/json-types.d.ts" */

/** An event, and the entries before which it is inserted. @typedef {{ event: Json, before: readonly number[] }} Insert */

/**
 * What an HTML file contains besides its recording.
 *
 * @typedef {object} WhatIf
 * @property {number} first the first entry that can be left out, moved, and repeated
 * @property {number} last
 * @property {number} count of branches
 * @property {boolean} hasFewest whether one has the fewest events for a failure
 * @property {readonly Insert[]} inserts
 */

/** Why a file with branches has none of another kind of edit. */
export const NO_SUCH_BRANCH =
  "This file has no branches for this kind of edit. To make one, export the .timeline (⇧E), and run it with your program: debugd view FILE --host EXE";

/**
 * What `debugd export` writes about inserted events.
 *
 * @param {Json} json
 * @returns {Insert[]}
 */
export function readInserts(json) {
  return (Array.isArray(json) ? json : []).flatMap((one) => {
    const [event, before] = [member(one, "event"), member(one, "before")];
    if (event === undefined || !Array.isArray(before)) return [];
    return [{ event, before: before.filter((seq) => typeof seq === "number") }];
  });
}

/**
 * What a file offers, and what to do for more.
 *
 * @param {WhatIf} whatIf
 */
export function whatIfWords({ first, last, inserts }) {
  const where = first === last
    ? `of entry ${formatCount(first)}`
    : `of the entries ${formatCount(first)} to ${formatCount(last)}`;
  const insert = inserts.length === 0
    ? "skip, move by one, and repeat"
    : `skip, move by one, repeat, and for the nearest also insert ${namesOf(inserts)} after them`;
  return `It has those ${where}: ${insert}. For other edits, export the .timeline (⇧E) and run it with your program: debugd view FILE --host EXE`;
}

/**
 * The events that a file has inserted before an entry.
 *
 * @param {WhatIf | undefined} whatIf
 * @param {number} before
 */
export function insertsAt(whatIf, before) {
  return (whatIf?.inserts ?? []).filter((insert) => insert.before.includes(before));
}

/**
 * Why a file has no event inserted before an entry; nothing when it has.
 *
 * @param {WhatIf} whatIf
 * @param {number} before
 */
export function whyNoInsert(whatIf, before) {
  if (insertsAt(whatIf, before).length > 0) return undefined;
  const all = whatIf.inserts.flatMap((insert) => insert.before);
  if (all.length === 0) return NO_SUCH_BRANCH;
  const [low, high] = [Math.min(...all) - 1, Math.max(...all) - 1];
  const where = low === high
    ? `entry ${formatCount(low)}`
    : `the entries ${formatCount(low)} to ${formatCount(high)}`;
  return `This file has branches with an inserted event only after ${where}. To insert one here, export the .timeline (⇧E), and run it with your program: debugd view FILE --host EXE`;
}

/**
 * Why a file does not have an event inserted before an entry; nothing when it does.
 *
 * @param {WhatIf} whatIf
 * @param {number} before
 * @param {Json} event
 */
export function whyNotInserted(whatIf, before, event) {
  const offered = insertsAt(whatIf, before);
  if (offered.some((insert) => equalJson(insert.event, event))) return undefined;
  return whyNoInsert(whatIf, before) ??
    `This file has no branch with this event here. It has ${namesOf(offered)}.`;
}

/**
 * What can be inserted before an entry on a page that is such a file.
 *
 * @param {WhatIf} whatIf
 * @param {number} before
 */
export function insertNote(whatIf, before) {
  return `This file has the results of inserting ${namesOf(insertsAt(whatIf, before))} here.`;
}

/** @param {readonly Insert[]} inserts */
function namesOf(inserts) {
  const names = inserts.map(({ event }) => visible(eventName(event) ?? ""));
  const [last = ""] = names.slice(-1);
  if (names.length < 2) return last;
  return `${names.slice(0, -1).join(", ")}${names.length > 2 ? "," : ""} or ${last}`;
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
