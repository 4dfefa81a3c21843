/** How values of the state look on one line. */

import { brief, cutBytes, moreCount } from "../../base/event-name.js";
import { isNumber, member, numberText, writeJson } from "../../base/json.js";
import { formatBytes, formatCount, formatNumbered } from "../../base/format.js";
import { shorten } from "../../base/text.js";

/** @import { Json } from "../../base/json-types.d.ts" */
/** @import { TreeRow } from "./tree.js" */

/** Elements that a line lists. */
const LISTED = 12;

/**
 * How a value looks on one line.
 *
 * @param {Json} value
 * @returns {Pick<TreeRow, "look" | "text">}
 */
export function look(value) {
  const bytes = cutBytes(value);
  if (bytes !== undefined) return { look: "cut", text: `${formatBytes(bytes)}, load` };
  const more = moreCount(value);
  if (more !== undefined) return { look: "cut", text: `${formatCount(more)} more, load` };
  if (typeof value === "string") return { look: "string", text: JSON.stringify(value) };
  if (isNumber(value)) return { look: "number", text: numberText(value) };
  if (value === null) return { look: "word", text: "nil" };
  if (typeof value === "boolean") return { look: "number", text: String(value) };
  const isEmpty = (Array.isArray(value) ? value : Object.keys(value)).length === 0;
  if (isEmpty) return { look: "container", text: Array.isArray(value) ? "[]" : "{}" };
  if (Array.isArray(value)) {
    const flat = value.length <= LISTED &&
      value.every((one) => one === null || typeof one !== "object");
    const text = flat ? writeJson(value) : "";
    return {
      look: "container",
      text: text !== "" && text.length <= 60 ? text : countText(countOf(value)),
    };
  }
  const id = member(value, "id");
  const name = typeof id === "string"
    ? id
    : isNumber(id)
    ? `id ${numberText(id)}`
    : brief(value, 60);
  return { look: "container", text: name };
}

/** Characters of a value that a title shows: more would cover the page. */
const MAXIMUM_FULL = 2_000;

/** Elements of a list whose text is made for that. */
const MAXIMUM_ELEMENTS = 1_000;

/**
 * A value with as much of it as a title or a menu can show, where a row cuts it.
 *
 * @param {Json} value
 * @param {number} [most] characters
 */
export function fullText(value, most = MAXIMUM_FULL) {
  if (typeof value === "string") return shorten(JSON.stringify(value), most);
  if (!isFlat(value)) return brief(value, most);
  return shorten(writeJson(value.slice(0, MAXIMUM_ELEMENTS)), most);
}

/** Characters of an array that fit next to the array that it was. */
const SHORT_ARRAY = 30;

/**
 * How a changed value looked before, and how it looks now. Of long arrays, only the elements that
 * differ are shown, after the last one before them: the change would be cut off with the rest.
 *
 * @param {Json} before
 * @param {Json} value
 */
export function changedLooks(before, value) {
  const looks = /** @type {const} */ ([look(before), look(value)]);
  if (!isFlat(before) || !isFlat(value)) return looks;
  const isWhole = ({ text = "" }) => text.startsWith("[") && text.length <= SHORT_ARRAY;
  if (looks.every(isWhole)) return looks;
  const least = Math.min(before.length, value.length);
  let start = 0;
  while (start < least && isSame(before[start], value[start])) start++;
  let rest = 0;
  while (rest < least - start && isSame(before.at(-1 - rest), value.at(-1 - rest))) rest++;
  const excerpt = (/** @type {Json[]} */ array) => {
    const first = Math.max(0, start - 1);
    const parts = array.slice(first, array.length - rest).map((one) => writeJson(one));
    const shown = [...first > 0 ? ["…"] : [], ...parts, ...rest > 0 ? ["…"] : []].join(", ");
    return { look: /** @type {const} */ ("container"), text: `[${shorten(shown, SHORT_ARRAY)}]` };
  };
  return /** @type {const} */ ([excerpt(before), excerpt(value)]);
}

/**
 * Whether two elements of flat arrays are equal.
 *
 * @param {Json | undefined} left
 * @param {Json | undefined} right
 */
function isSame(left, right) {
  return left === right ||
    isNumber(left) && isNumber(right) && numberText(left) === numberText(right);
}

/**
 * Whether a list of plain values is, or was, so long that a changed one may be out of view.
 *
 * @param {Json | undefined} before
 * @param {Json} value
 */
export function isLongList(before, value) {
  return before !== undefined && isFlat(before) && isFlat(value) &&
    Math.max(before.length, value.length) > LISTED;
}

/** @param {Json} value @returns {value is Json[]} */
function isFlat(value) {
  return Array.isArray(value) && !isTruncated(value) &&
    value.every((one) => one === null || typeof one !== "object" || isNumber(one));
}

/**
 * Whether only the first elements or members of a container are there.
 *
 * @param {Json} value
 * @returns {boolean}
 */
export function isTruncated(value) {
  const last = Array.isArray(value) ? value.at(-1) : member(value, "$more");
  return moreCount(last) !== undefined;
}

/**
 * How many elements an array has, with those that are not there.
 *
 * @param {Json[]} array
 */
function countOf(array) {
  const more = moreCount(array.at(-1));
  return more === undefined ? array.length : array.length - 1 + more;
}

/** @param {number} count */
function countText(count) {
  return formatNumbered(count, "item");
}
