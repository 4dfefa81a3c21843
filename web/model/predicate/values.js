/** What values mean to a predicate, and which of them are not at hand. */

import { compareNumbers, equalJson, isNumber, isObject, kindOf, member } from "../../base/json.js";
import { beginsWith, indexOfToken } from "../../base/pointer.js";
import { compareText } from "../../base/text.js";

/** @import { Json } from "../../base/json-types.d.ts" */
/** @import { Answer } from "./evaluate.js" */
/** @import { Step } from "./parser.js" */

/** The value that a path leads to, and the tokens of stand-ins inside it. @typedef {{ value: Json | undefined, hidden: string[][] }} Found */

/**
 * Whether an operation at one path can change the value at the other: one leads to the other, or
 * elements came or went before the index in an array on the way.
 *
 * @param {string[]} changed
 * @param {string[]} path
 * @param {boolean} isReplace
 */
export function touches(changed, path, isReplace) {
  if (beginsWith(changed, path) || beginsWith(path, changed)) return true;
  const last = changed.at(-1);
  if (isReplace || last === undefined || path.length < changed.length) return false;
  if (!beginsWith(path, changed.slice(0, -1))) return false;
  const place = indexOfToken(last);
  if (place === undefined && last !== "-") return false;
  const token = path[changed.length - 1] ?? "";
  // An array's `count` changes with every insertion and removal.
  if (token === "count") return true;
  const index = indexOfToken(token);
  return index !== undefined && (place === undefined || place < index);
}

/**
 * What one step leads to.
 *
 * @param {Json} value
 * @param {Step} step
 * @returns {Json | undefined}
 */
export function follow(value, step) {
  if (step === true) return undefined;
  if (typeof step === "number") {
    return Array.isArray(value) ? value[step] : member(value, String(step));
  }
  if (step === "count") {
    if (Array.isArray(value)) return value.length;
    if (typeof value === "string") return [...value].length;
  }
  return member(value, step);
}

/**
 * @param {Found} left
 * @param {Found} right
 * @returns {Answer}
 */
export function equal(left, right) {
  // Stand-ins are of their value's type, so types that differ are known to.
  if (kindOf(left.value) !== kindOf(right.value)) return false;
  if (left.hidden.length > 0 || right.hidden.length > 0) return "unknown";
  return meansSame(left.value ?? null, right.value ?? null);
}

/**
 * As `equalJson`, but zero and minus zero are one.
 *
 * @param {Json} left
 * @param {Json} right
 * @returns {boolean}
 */
export function meansSame(left, right) {
  if (typeof left === "number" && typeof right === "number") return left === right;
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length &&
      left.every((element, index) => meansSame(element, right[index] ?? null));
  }
  if (isObject(left) && isObject(right)) {
    const keys = Object.keys(left);
    return keys.length === Object.keys(right).length && keys.every((key) => {
      const [one, other] = [member(left, key), member(right, key)];
      return one !== undefined && other !== undefined && meansSame(one, other);
    });
  }
  return equalJson(left, right);
}

/**
 * Only numbers and strings have an order; strings by code points.
 *
 * @param {Json | undefined} left
 * @param {Json | undefined} right
 */
export function orderOf(left, right) {
  if (isNumber(left) && isNumber(right)) return compareNumbers(left, right);
  return typeof left === "string" && typeof right === "string"
    ? compareText(left, right)
    : undefined;
}

/**
 * The value with `null` at the end of the path, where it leads somewhere.
 *
 * @param {Json} value
 * @param {string[]} tokens
 * @returns {Json}
 */
export function maskedAt(value, tokens) {
  const [token, ...rest] = tokens;
  if (token === undefined) return null;
  if (Array.isArray(value)) {
    const index = indexOfToken(token);
    const inside = index === undefined ? undefined : value[index];
    return index === undefined || inside === undefined
      ? value
      : value.with(index, maskedAt(inside, rest));
  }
  const inside = member(value, token);
  return inside === undefined || !isObject(value)
    ? value
    : { ...value, [token]: maskedAt(inside, rest) };
}

/**
 * Whether the value was cut from what is at hand.
 *
 * @param {Json} value
 */
export function isCut(value) {
  return isObject(value) && typeof value.$cut === "number" && Object.keys(value).length === 1;
}

/**
 * The tokens of cut values inside a value.
 *
 * @param {Json} value
 * @returns {string[][]}
 */
export function cutsIn(value) {
  if (value === null || typeof value !== "object" || isNumber(value)) return [];
  return Object.entries(value).flatMap(([key, inside]) => {
    if (isCut(inside)) return [[key]];
    return cutsIn(inside).map((tokens) => [key, ...tokens]);
  });
}
