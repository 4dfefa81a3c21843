/** About how much memory a value takes: what caches count with. */

import { isNumber } from "./json.js";

/** @import { Json } from "./json-types.d.ts" */

/** An object or array itself, and the place of each of its parts. */
const CONTAINER = 48;
const PART = 12;

/** The head of a string; most have one byte a character. */
const STRING = 16;

/**
 * The bytes that a value occupies in memory, roughly. A part that two values share counts in both.
 *
 * @param {Json | undefined} value
 * @returns {number}
 */
export function weigh(value) {
  if (typeof value === "string") return STRING + value.length;
  if (value === null || typeof value !== "object") return 0;
  if (isNumber(value)) return STRING * 2;
  let sum = CONTAINER;
  if (Array.isArray(value)) {
    for (const part of value) sum += PART + weigh(part);
  } else {
    // Names are shared by all objects that have the same.
    for (const key in value) sum += PART + weigh(value[key]);
  }
  return sum;
}
