/** Collects how one value changes, bucket by bucket, as the daemon's answer to `series` lists it. */

import { compareNumbers, equalJson, isNumber, isObject } from "../../base/json.js";

/** @import { Json } from "../../base/json-types.d.ts" */
/** @import { PathSeries } from "../../wire/series.js" */

/** Longer strings are answered by their size, as by the daemon. */
const TEXT_BYTES = 128;

const encoder = new TextEncoder();

/** @param {string} text */
function utf8Length(text) {
  // No character needs more than three bytes for each unit of its length.
  return text.length * 3 <= TEXT_BYTES ? text.length : encoder.encode(text).length;
}

/** @type {Json} */
export const UNKNOWN = { is: "unknown" };

/**
 * As much of a value as a drawing shows.
 *
 * @param {Json | undefined} value
 * @returns {Json}
 */
export function reduceValue(value) {
  if (value === undefined) return { is: "absent" };
  if (typeof value === "string") {
    const bytes = utf8Length(value);
    return bytes > TEXT_BYTES ? { is: "string", bytes } : value;
  }
  if (Array.isArray(value)) return { is: "array", count: value.length };
  if (!isObject(value)) return value;
  const keys = Object.keys(value);
  const [name = ""] = keys;
  return keys.length === 1 && utf8Length(name) <= TEXT_BYTES
    ? { is: "object", case: name }
    : { is: "object" };
}

export class SeriesTrack {
  /** @type {PathSeries} */
  series = { at: [], last: [], least: [], greatest: [], changes: [] };
  /** The reduced value now; nothing before the first entry. @type {Json | undefined} */
  #value;
  /** The value that it stands for: two long strings may look alike. @type {Json | undefined} */
  #whole;

  /**
   * Notes the value at the end of an entry.
   *
   * @param {{ value: Json | undefined } | "unknown"} moment what the path leads to
   * @param {number} bucket
   * @param {boolean} follows whether the value noted last is the one before this entry
   */
  note(moment, bucket, follows) {
    const whole = moment === "unknown" ? undefined : moment.value;
    const next = moment === "unknown" ? UNKNOWN : reduceValue(whole);
    const before = this.#value;
    const isSame = before !== undefined && equalJson(before, next) &&
      (typeof whole !== "string" || equalJson(this.#whole, whole));
    this.#whole = whole;
    if (isSame) return;
    this.#value = next;
    const { at, last, least, greatest, changes } = this.series;
    if (before === undefined || at.at(-1) !== bucket) {
      const number = numberOrNull(before ?? next);
      at.push(bucket);
      last.push(next);
      least.push(number);
      greatest.push(number);
      changes.push(0);
    }
    const place = at.length - 1;
    last[place] = next;
    const isChange = before !== undefined && follows && before !== UNKNOWN && next !== UNKNOWN;
    if (isChange) changes[place] = (changes[place] ?? 0) + 1;
    if (!isNumber(next)) return;
    if (isBelow(next, least[place])) least[place] = next;
    if (isBelow(greatest[place], next)) greatest[place] = next;
  }
}

/** @param {Json} value @returns {Json} */
function numberOrNull(value) {
  return isNumber(value) ? value : null;
}

/** Whether one number is below another, or one of the two is missing. @param {Json | undefined} left @param {Json | undefined} right */
function isBelow(left, right) {
  return !isNumber(left ?? null) || !isNumber(right ?? null) ||
    compareNumbers(/** @type {number} */ (left), /** @type {number} */ (right)) < 0;
}
