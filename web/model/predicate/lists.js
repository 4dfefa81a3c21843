/** What predicates read from several values: elements, sums, and inclusion. */

import { isNumber, isObject, numberText } from "../../base/json.js";
import { follow } from "./values.js";

/** @import { Json } from "../../base/json-types.d.ts" */
/** @import { Answer } from "./evaluate.js" */
/** @import { Step } from "./parser.js" */
/** @import { Found } from "./values.js" */

/**
 * What the steps after a `[*]` lead to from each element of an array; nothing for other values.
 *
 * @param {Json | undefined} list
 * @param {Step[]} steps
 * @returns {Json | undefined}
 */
export function elementsAt(list, steps) {
  if (!Array.isArray(list)) return undefined;
  return steps.reduce(
    (/** @type {Json[]} */ found, step) =>
      step === true
        ? found.flatMap((one) => (Array.isArray(one) ? one : []))
        : found.map((one) => follow(one, step) ?? null),
    list,
  );
}

/**
 * A sum after a number or a list of numbers; nothing when one is of another kind.
 *
 * @param {number} before
 * @param {Json | undefined} value
 */
export function added(before, value) {
  let sum = before;
  for (const part of Array.isArray(value) ? value : [value]) {
    if (!isNumber(part)) return undefined;
    sum += Number(numberText(part));
  }
  return sum;
}

/**
 * Whether each element of an array is in another one.
 *
 * @param {Found | undefined} whole
 * @param {Found | undefined} part
 * @returns {Answer}
 */
export function includesEach(whole, part) {
  if (!whole || !part) return "unknown";
  const known = whole.value;
  if (!Array.isArray(known) || !Array.isArray(part.value)) return false;
  if (whole.hidden.length > 0 || part.hidden.length > 0) return "unknown";
  // Both lists can have as many elements as a line has bytes.
  const keys = new Set(known.map(keyOf));
  return part.value.every((element) => keys.has(keyOf(element)));
}

/**
 * A text that is the same for values that mean the same, and for no others.
 *
 * @param {Json} value
 * @returns {string}
 */
function keyOf(value) {
  if (isNumber(value)) return value === 0 ? "0" : numberText(value);
  if (Array.isArray(value)) return `[${value.map(keyOf).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, one]) => `${JSON.stringify(key)}:${keyOf(one)}`);
  return `{${members.sort().join(",")}}`;
}
