/** Cuts values to a depth and a size, as the daemon does. */

import { isNumber, isObject, setMember, writeJson } from "../../base/json.js";

/** @import { Json, JsonObject } from "../../base/json-types.d.ts" */

/** The bytes of a mark with some room: a share below it is a mark. */
const LEAST_SHARE = 64;

/** Children that are looked at whatever their size, so that the few large parts of a state show. */
const FEW_CHILDREN = 32;

/**
 * The value with arrays and objects deeper than `depth` levels cut, and to about so many bytes.
 *
 * @param {Json} value
 * @param {{ depth?: number | undefined, bytes?: number | undefined }} limits
 * @returns {Json}
 */
export function fit(value, { depth = Infinity, bytes = Infinity }) {
  const size = bytes === Infinity ? 0 : sizeOf(value);
  return size <= bytes ? cutBelow(value, depth) : fitted(value, size, bytes, depth);
}

/**
 * @param {Json} value
 * @param {number} depth
 * @returns {Json}
 */
function cutBelow(value, depth) {
  if (depth === Infinity || value === null || typeof value !== "object" || isNumber(value)) {
    return value;
  }
  const keys = Object.keys(value);
  if (keys.length === 0) return value;
  if (depth <= 1) return { $cut: sizeOf(value) };
  if (Array.isArray(value)) return value.map((inside) => cutBelow(inside, depth - 1));
  /** @type {JsonObject} */
  const cut = {};
  for (const key of keys) setMember(cut, key, cutBelow(value[key] ?? null, depth - 1));
  return cut;
}

/**
 * A value that is larger than its share.
 *
 * @param {Json} value
 * @param {number} size
 * @param {number} share
 * @param {number} depth
 * @returns {Json}
 */
function fitted(value, size, share, depth) {
  const isContainer = Array.isArray(value) || isObject(value);
  if (!isContainer && typeof value !== "string") return value;
  if (!isContainer || depth <= 1 || share < LEAST_SHARE) return { $cut: size };
  const members = Object.entries(value);
  const average = Math.max(LEAST_SHARE, size / members.length);
  const count = Math.min(
    members.length,
    Math.floor(Math.max(share / average, Math.min(FEW_CHILDREN, share / LEAST_SHARE))),
  );
  const few = members.slice(0, count);
  const sizes = few.map(([, inside]) => sizeOf(inside));
  const keys = Array.isArray(value) ? 0 : few.reduce((sum, [key]) => sum + key.length + 4, 0);
  const most = largestShare(sizes, share - keys);
  const parts = few.map(([key, inside], index) => {
    const own = sizes[index] ?? 0;
    const part = own <= most ? cutBelow(inside, depth - 1) : fitted(inside, own, most, depth - 1);
    return /** @type {const} */ ([key, part]);
  });
  const rest = members.length - count;
  const bytes = Math.max(0, size - sizes.reduce((sum, one) => sum + one, keys));
  const tail = rest > 0 ? [/** @type {const} */ (["$more", { $cut: bytes, $more: rest }])] : [];
  if (Array.isArray(value)) return [...parts, ...tail].map(([, part]) => part);
  /** @type {JsonObject} */
  const cut = {};
  for (const [key, part] of [...parts, ...tail]) setMember(cut, key, part);
  return cut;
}

/**
 * What each part may have at most when the small ones stay whole.
 *
 * @param {number[]} sizes
 * @param {number} share
 */
function largestShare(sizes, share) {
  let [left, parts] = [share, sizes.length];
  for (const size of sizes.toSorted((one, other) => one - other)) {
    if (size > left / parts) return left / parts;
    left -= size;
    parts--;
  }
  return Infinity;
}

/**
 * The bytes of the value's text, where all of it is ASCII.
 *
 * @param {Json} value
 * @returns {number}
 */
function sizeOf(value) {
  if (typeof value === "string") return value.length + 2;
  if (value === null || typeof value !== "object" || isNumber(value)) {
    return writeJson(value).length;
  }
  if (Array.isArray(value)) {
    const commas = 1 + Math.max(value.length, 1);
    return value.reduce((/** @type {number} */ sum, inside) => sum + sizeOf(inside), commas);
  }
  const keys = Object.keys(value);
  let sum = 1 + Math.max(2 * keys.length, 1);
  for (const key of keys) sum += key.length + 2 + sizeOf(value[key] ?? null);
  return sum;
}
