/** Lines as lists show them: without the full states, and without long values. */

import { isObject, writeJson } from "../../base/json.js";

/** @import { Json, JsonObject } from "../../base/json-types.d.ts" */

/** Longer values are cut. */
const MAXIMUM_BYTES = 1_024;

/**
 * The line without full states, values of more than 1 KiB cut to `{"$cut":bytes}`.
 *
 * Of a keyframe without patch `"state":{"$cut":bytes}` stays: nothing else would tell it from an
 * entry whose state was not captured.
 *
 * @param {JsonObject} line
 * @returns {JsonObject}
 */
export function cutLine(line) {
  const { state, outputState: _, ...rest } = line;
  const cut = Object.fromEntries(
    Object.entries(rest).map((
      [key, value],
    ) => [key, key === "event" ? cutInside(value) : cutPatch(value)]),
  );
  return state === undefined || rest.patch !== undefined
    ? cut
    : { ...cut, state: { $cut: writeJson(state).length } };
}

/** @param {Json} value */
function cutPatch(value) {
  if (!Array.isArray(value)) return value;
  return value.map((operation) =>
    isObject(operation) && operation.value !== undefined
      ? { ...operation, value: cutValue(operation.value) }
      : operation
  );
}

/**
 * @param {Json} value
 * @returns {Json}
 */
function cutValue(value) {
  if (value === null || (typeof value !== "object" && typeof value !== "string")) return value;
  const bytes = writeJson(value).length;
  return bytes > MAXIMUM_BYTES ? { $cut: bytes } : value;
}

/**
 * Cuts as deep inside as it can, so that the event keeps its name and its small fields.
 *
 * @param {Json} value
 * @returns {Json}
 */
function cutInside(value) {
  if (!isObject(value)) return cutValue(value);
  if (writeJson(value).length <= MAXIMUM_BYTES) return value;
  return Object.fromEntries(
    Object.entries(value).map((
      [key, inside],
    ) => [key, isObject(inside) ? cutInside(inside) : cutValue(inside)]),
  );
}
