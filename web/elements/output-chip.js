/** The output that a row names next to its event, and the room that both share. */

import { brief } from "../base/event-name.js";
import { isNumber } from "../base/json.js";
import { shorten, visible } from "../base/text.js";

/** @import { Json } from "../base/json-types.d.ts" */
/** @typedef {{ name: string, value: Json | undefined }} Output */

/** The width of a character of a row, and what the list keeps free for outputs, in pixels. */
export const CHARACTER = 7.3;
export const CHIPS = 124;

/** Characters of an output that leave room for the event. */
const CHIP = 14;

/** Characters of the name of an output without a short value, where the payload needs the room. */
const BRIEF_NAME = 6;

/** Characters of a payload that an output does not cover. */
const PAYLOAD = 16;

/** Pixels of a character of an output, of its frame with the gap next to it, and of “+1”. */
const CHIP_CHARACTER = 6.6;
const FRAME = 24;
const MORE = 34;

/**
 * An output that changed: with its new value if that is short, because the name alone is the same in
 * most rows.
 *
 * @param {Output} output
 */
export function chipText({ name, value }) {
  const short = shortValue(value);
  const text = short === undefined ? name : `${name} ${short}`;
  return visible(text.length <= CHIP ? text : name);
}

/**
 * The same where the payload needs the room: the value alone, as the tooltip has the name. A Boolean
 * would say nothing without it.
 *
 * @param {Output} output
 */
export function briefChipText({ name, value }) {
  const short = typeof value === "boolean" ? undefined : shortValue(value);
  return visible(short !== undefined && short.length <= CHIP ? short : shorten(name, BRIEF_NAME));
}

/** @param {Json | undefined} value */
function shortValue(value) {
  const isPlain = value !== undefined && value !== null &&
    (typeof value !== "object" || isNumber(value));
  return isPlain ? brief(value, CHIP) : undefined;
}

/**
 * Whether an output has to be brief for the beginning of the payload to be readable.
 *
 * @param {{ title: string, payload: string }} event
 * @param {string} chip the whole text of the output
 * @param {boolean} hasMore whether “+1” follows
 * @param {number} room characters next to all that the list keeps free for outputs
 */
export function needsBriefChip({ title, payload }, chip, hasMore, room) {
  if (payload === "") return false;
  const width = Math.min(CHIPS, chip.length * CHIP_CHARACTER + FRAME + (hasMore ? MORE : 0));
  const spare = (CHIPS - width) / CHARACTER;
  return title.length + 1 + Math.min(payload.length, PAYLOAD) > room + spare;
}
