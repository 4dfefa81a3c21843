/** What an event is called, and its payload in a few words. */

import { formatNumbered } from "./format.js";
import { isNumber, isObject, member, numberText, writeJson } from "./json.js";
import { shorten, visible } from "./text.js";

/** @import { Json } from "./json-types.d.ts" */

/**
 * The event's name: the value of `type` when that is a string, else the only key of an object with
 * one key, else the event itself when it is a string. Its line alone does not tell any other.
 *
 * @param {Json | undefined} event
 * @returns {string | undefined}
 */
export function eventName(event) {
  if (typeof event === "string") return event;
  if (!isObject(event)) return undefined;
  const type = member(event, "type");
  if (typeof type === "string") return type;
  const keys = Object.keys(event);
  return keys.length === 1 ? keys[0] : undefined;
}

/**
 * Payload, beside its name.
 *
 * @param {Json | undefined} event
 * @returns {Json | undefined}
 */
export function eventPayload(event) {
  if (event === undefined || typeof event === "string") return undefined;
  if (!isObject(event)) return event;
  const type = member(event, "type");
  if (typeof type === "string") {
    const { type: _, ...rest } = event;
    return Object.keys(rest).length > 0 ? rest : undefined;
  }
  const keys = Object.keys(event);
  const [only] = keys;
  if (keys.length !== 1 || only === undefined) return event;
  const inside = event[only];
  return isObject(inside) && Object.keys(inside).length === 0 ? undefined : inside;
}

/**
 * The payload on one line: `bus-7, on: true`. Labels that Swift made up (`_0`) are left out, and so
 * is the label `id`. For a single structure, its members are shown.
 *
 * @param {Json | undefined} event
 * @param {number} [most] characters
 * @returns {string}
 */
export function payloadText(event, most = 120) {
  const payload = eventPayload(event);
  if (payload === undefined) return "";
  if (!isObject(payload)) return shorten(visible(brief(payload, most)), most);
  const only = Object.keys(payload).length === 1 ? payload._0 : undefined;
  const isStructure = isObject(only) && Object.keys(only).length > 1 &&
    cutBytes(only) === undefined;
  /** @type {string[]} */
  const parts = [];
  let length = 0;
  for (const [key, value] of Object.entries(isStructure ? only : payload)) {
    const text = isStructure ? inside(value, most) : brief(value, most);
    const part = /^_\d+$/.test(key) || key === "id" ? text : `${key}: ${text}`;
    parts.push(part);
    length += part.length + 2;
    if (length > most) break;
  }
  return shorten(visible(parts.join(", ")), most);
}

/**
 * A value in a few words.
 *
 * @param {Json} value
 * @param {number} [most] characters
 * @returns {string}
 */
export function brief(value, most = 80) {
  if (typeof value === "string") return value === "" ? '""' : shorten(value, most);
  if (value === null) return "nil";
  if (isNumber(value)) return numberText(value);
  if (typeof value === "boolean") return String(value);
  const bytes = cutBytes(value);
  if (bytes !== undefined) return "…";
  if (Array.isArray(value)) {
    const flat = value.length <= 8 && value.every((one) => one === null || typeof one !== "object");
    return flat ? shorten(writeJson(value), most) : formatNumbered(value.length, "item");
  }
  const keys = Object.keys(value);
  if (keys.length === 0) return "{}";
  const [only] = keys;
  if (keys.length === 1 && only !== undefined) {
    const held = value[only] ?? null;
    const isEmpty = isObject(held) && Object.keys(held).length === 0;
    return isEmpty ? only : shorten(`${only}: ${brief(held, most)}`, most);
  }
  /** @type {string[]} */
  const parts = [];
  let length = 0;
  for (const key of keys) {
    const part = `${key}: ${inside(value[key] ?? null, most)}`;
    parts.push(part);
    length += part.length + 2;
    if (length > most) break;
  }
  return shorten(`{${parts.join(", ")}}`, most);
}

/**
 * The text of a nested value in a short description: containers are only mentioned.
 *
 * @param {Json} value
 * @param {number} most
 */
function inside(value, most) {
  if (value === null || typeof value !== "object" || isNumber(value)) return brief(value, most);
  if (cutBytes(value) !== undefined) return "…";
  const isEmpty = Array.isArray(value) ? value.length === 0 : Object.keys(value).length === 0;
  if (Array.isArray(value)) return isEmpty ? "[]" : formatNumbered(value.length, "item");
  return isEmpty ? "{}" : "{…}";
}

/**
 * How many bytes were cut away where this value stands; `undefined` when it is a value itself.
 *
 * @param {Json | undefined} value
 * @returns {number | undefined}
 */
export function cutBytes(value) {
  const bytes = member(value, "$cut");
  return typeof bytes === "number" && isObject(value) && Object.keys(value).length === 1
    ? bytes
    : undefined;
}

/**
 * How many elements or members were cut away behind those that are there; `undefined` when the value
 * does not mark one.
 *
 * @param {Json | undefined} value
 * @returns {number | undefined}
 */
export function moreCount(value) {
  const [bytes, count] = [member(value, "$cut"), member(value, "$more")];
  return typeof bytes === "number" && typeof count === "number" && isObject(value) &&
      Object.keys(value).length === 2
    ? count
    : undefined;
}
