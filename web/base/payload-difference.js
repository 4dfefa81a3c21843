/** What two events of one name have in common, and what not, on one line each. */

import { brief, eventPayload } from "./event-name.js";
import { isNumber, isObject, writeJson } from "./json.js";
import { shorten, visible } from "./text.js";

/** @import { Json } from "./json-types.d.ts" */

/**
 * The fields of an event that differ from those of another one, and the other fields.
 *
 * @param {Json | undefined} event
 * @param {Json | undefined} other
 * @param {number} [most] characters
 * @returns {{ changed: string, rest: string } | undefined} nothing for events without fields
 */
export function payloadDifference(event, other, most = 60) {
  const [fields, others] = [fieldsOf(event), fieldsOf(other)];
  if (!fields || !others) return undefined;
  /** @type {string[]} */
  const changed = [];
  /** @type {string[]} */
  const rest = [];
  for (const [key, value] of Object.entries(fields)) {
    const was = Object.hasOwn(others, key) ? others[key] : undefined;
    if (isSame(value, was)) rest.push(fieldText(key, value, most));
    else changed.push(innermost(key, value, was, most));
  }
  return {
    changed: shorten(visible(changed.join(", ")), most),
    rest: shorten(visible(rest.join(", ")), most),
  };
}

/**
 * The fields of a payload; those of its structure, if it is only that.
 *
 * @param {Json | undefined} event
 */
function fieldsOf(event) {
  const payload = eventPayload(event);
  if (!isRecord(payload)) return undefined;
  const only = Object.keys(payload).length === 1 ? payload._0 : undefined;
  return isRecord(only) ? only : payload;
}

/** @param {Json | undefined} value @returns {value is { [key: string]: Json }} */
function isRecord(value) {
  return isObject(value) && !isNumber(value);
}

/** @param {string} key @param {Json} value @param {number} most */
function fieldText(key, value, most) {
  return /^_\d+$/.test(key) || key === "id" ? brief(value, most) : `${key}: ${brief(value, most)}`;
}

/**
 * The innermost field of a changed one that holds all of the change.
 *
 * @param {string} key
 * @param {Json} value
 * @param {Json | undefined} was
 * @param {number} most
 */
function innermost(key, value, was, most) {
  let [name, inner, before] = [key, value, was];
  while (isRecord(inner) && isRecord(before)) {
    const [here, there] = [inner, before];
    const keys = [...new Set([...Object.keys(here), ...Object.keys(there)])];
    const [only, second] = keys.filter((one) => !isSame(here[one], there[one]));
    const next = only === undefined ? undefined : here[only];
    if (only === undefined || second !== undefined || next === undefined) break;
    [name, inner, before] = [`${name}.${only}`, next, there[only]];
  }
  return fieldText(name, inner, most);
}

/** @param {Json | undefined} left @param {Json | undefined} right */
function isSame(left, right) {
  if (left === undefined || right === undefined) return left === right;
  return writeJson(left) === writeJson(right);
}
