/** Two timelines side by side: which entry of the one stands for which of the other. */

import { eventName } from "../../base/event-name.js";
import { canonicalText } from "../../base/fingerprint.js";
import { equalJson } from "../../base/json.js";
import { alignSequences } from "../../base/sequence-alignment.js";

/** @import { Json } from "../../base/json-types.d.ts" */
/** @import { Entry } from "../../wire/entry.js" */

/**
 * One side of a comparison: its entries behind what both share, and which entry of the common
 * ancestor each recomputes; nothing for new ones.
 *
 * @typedef {{ entry: Entry, origin: number | undefined }} Aligned
 */

/**
 * One line of a comparison. `moved` says that the entry is in another place on the other side. Where
 * both sides did the same, `areUnlike` says whether their states differ, once that is known.
 *
 * @typedef {{ a: Entry | undefined, b: Entry | undefined,
 *   is: "same" | "differs" | "only-a" | "only-b" | "moved", areUnlike?: boolean }} AlignedRow
 */

/**
 * Aligns two sides. Entries of one origin stand in one line, new ones beside new ones of the same
 * name; an entry without a counterpart gets a row of its own.
 *
 * @param {readonly Aligned[]} left
 * @param {readonly Aligned[]} right
 * @returns {AlignedRow[]}
 */
export function align(left, right) {
  const [inLeft, inRight] = [left, right].map(placesOf);
  /** @type {AlignedRow[]} */
  const rows = [];
  let i = 0;
  let j = 0;
  while (i < left.length || j < right.length) {
    const a = left[i];
    const b = right[j];
    const placeInRight = a?.origin === undefined ? undefined : inRight?.get(a.origin);
    const placeInLeft = b?.origin === undefined ? undefined : inLeft?.get(b.origin);
    const isPair = a && b &&
      (a.origin !== undefined
        ? a.origin === b.origin
        : b.origin === undefined && namesOf(a) === namesOf(b));
    if (a && b && isPair) {
      rows.push({ a: a.entry, b: b.entry, is: didTheSame(a.entry, b.entry) ? "same" : "differs" });
      i++;
      j++;
    } else if (a && placeInRight === undefined) {
      rows.push({ a: a.entry, b: undefined, is: "only-a" });
      i++;
    } else if (b && placeInLeft === undefined) {
      rows.push({ a: undefined, b: b.entry, is: "only-b" });
      j++;
    } else if (a && (!b || Math.abs((placeInRight ?? 0) - j) >= Math.abs((placeInLeft ?? 0) - i))) {
      // Of two that both have a counterpart elsewhere the one that went further is the one that moved.
      rows.push({ a: a.entry, b: undefined, is: "moved" });
      i++;
    } else {
      rows.push({ a: undefined, b: b?.entry, is: "moved" });
      j++;
    }
  }
  return rows;
}

/**
 * Aligns two recordings without a common ancestor by a longest common subsequence of their events, by
 * name and payload, as the daemon does; large payloads count by their size.
 *
 * @param {readonly Aligned[]} left
 * @param {readonly Aligned[]} right
 * @returns {AlignedRow[]}
 */
export function alignByEvents(left, right) {
  /** @type {AlignedRow[]} */
  const rows = [];
  let [i, j] = [0, 0];
  const matches = alignSequences(left.map(keyOf), right.map(keyOf));
  for (const match of [...matches, { left: left.length, right: right.length }]) {
    for (; i < match.left; i++) rows.push({ a: left[i]?.entry, b: undefined, is: "only-a" });
    for (; j < match.right; j++) rows.push({ a: undefined, b: right[j]?.entry, is: "only-b" });
    const [a, b] = [left[i]?.entry, right[j]?.entry];
    if (a && b) rows.push({ a, b, is: didTheSame(a, b) ? "same" : "differs" });
    i++;
    j++;
  }
  return rows;
}

/** What makes entries of independent recordings correspond. @param {Aligned} aligned */
function keyOf({ entry: { seq, event } }) {
  if (event !== undefined) return canonicalText(event);
  return seq === 0 ? "start" : "given";
}

/** @param {readonly Aligned[]} side */
function placesOf(side) {
  /** @type {Map<number, number>} */
  const places = new Map();
  side.forEach(({ origin }, place) => origin !== undefined && places.set(origin, place));
  return places;
}

/** @param {Aligned} aligned */
function namesOf({ entry }) {
  return eventName(entry.event ?? null) ?? "";
}

/**
 * Whether two entries have the same event, and the same error of the reducer.
 *
 * @param {Entry} a
 * @param {Entry} b
 * @returns {boolean}
 */
export function hasSameEvent(a, b) {
  return isSame(a.event, b.event) && a.error === b.error;
}

/**
 * Whether two entries have the same event, and changed the same.
 *
 * @param {Entry} a
 * @param {Entry} b
 * @returns {boolean}
 */
function didTheSame(a, b) {
  if (!hasSameEvent(a, b)) return false;
  // A moment that is unknown on one side does not count as a difference.
  if (a.patch === undefined || b.patch === undefined) return true;
  return isSame(a.patch, b.patch) && isSame(a.outputs ?? [], b.outputs ?? []);
}

/** @param {Json | undefined} one @param {Json | undefined} other */
function isSame(one, other) {
  return one === undefined || other === undefined ? one === other : equalJson(one, other);
}

/**
 * The lines without those at an edge of what was loaded whose counterpart may just not be there.
 *
 * @param {AlignedRow[]} rows
 * @param {{ first: boolean, last: boolean }} edges which of the two is one
 * @returns {AlignedRow[]}
 */
export function withoutEdges(rows, { first, last }) {
  const isPair = (/** @type {AlignedRow} */ { a, b }) => a !== undefined && b !== undefined;
  const end = rows.findLastIndex(isPair) + 1;
  if (end === 0) return rows;
  return rows.slice(first ? rows.findIndex(isPair) : 0, last ? end : rows.length);
}
