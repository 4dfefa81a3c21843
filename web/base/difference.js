/** What differs between two values, as a patch. */

import { equalJson, isNumber, isObject, member, numberText } from "./json.js";
import { writePointer } from "./pointer.js";
import { compareText } from "./text.js";
import { fingerprint } from "./fingerprint.js";

/** @import { Json, JsonObject } from "./json-types.d.ts" */
/** @import { Operation } from "./patch.js" */

/**
 * The patch that turns one value into the other.
 *
 * What both share is not looked at. Elements of arrays are matched by their common beginning and
 * end, then by the member `id`, else by equality; one that moved is removed and added.
 *
 * @param {Json} old
 * @param {Json} now
 * @returns {Operation[]}
 */
export function difference(old, now) {
  const walk = new Walk();
  walk.visit(old, now, []);
  return walk.operations;
}

/** Beyond so many pairs the middles of two arrays are compared place by place. */
const MAXIMUM_PAIRS = 1_000_000;

class Walk {
  /** @type {Operation[]} */
  operations = [];

  /**
   * @param {Json} old
   * @param {Json} now
   * @param {string[]} path
   */
  visit(old, now, path) {
    if (old === now && old !== 0) return;
    if (Array.isArray(old) && Array.isArray(now)) this.#visitElements(old, now, path);
    else if (isObject(old) && isObject(now)) this.#visitMembers(old, now, path);
    else if (!equalJson(old, now)) this.#note("replace", path, now);
  }

  /**
   * @param {"add" | "replace"} op
   * @param {string[]} tokens
   * @param {Json} value
   */
  #note(op, tokens, value) {
    this.operations.push({ op, path: writePointer(tokens), tokens, value });
  }

  /** @param {string[]} tokens */
  #noteRemoved(tokens) {
    this.operations.push({ op: "remove", path: writePointer(tokens), tokens });
  }

  /**
   * @param {JsonObject} old
   * @param {JsonObject} now
   * @param {string[]} path
   */
  #visitMembers(old, now, path) {
    for (const key of Object.keys(old).sort(compareText)) {
      const other = member(now, key);
      if (other === undefined) this.#noteRemoved([...path, key]);
      else if (old[key] !== undefined) this.visit(old[key], other, [...path, key]);
    }
    for (const key of Object.keys(now).sort(compareText)) {
      if (!Object.hasOwn(old, key)) this.#note("add", [...path, key], now[key] ?? null);
    }
  }

  /**
   * @param {Json[]} old
   * @param {Json[]} now
   * @param {string[]} path
   */
  #visitElements(old, now, path) {
    const shorter = Math.min(old.length, now.length);
    let first = 0;
    while (first < shorter && equalJson(old[first], now[first])) first++;
    let last = 0;
    while (
      last < shorter - first &&
      equalJson(old[old.length - 1 - last], now[now.length - 1 - last])
    ) last++;
    const olds = old.slice(first, old.length - last);
    const nows = now.slice(first, now.length - last);
    let place = first;
    let [oldAt, nowAt] = [0, 0];
    for (
      const [oldEnd, nowEnd, isMatch] of [...matches(olds, nows), [olds.length, nows.length, false]]
    ) {
      const end = /** @type {number} */ (oldEnd);
      const until = /** @type {number} */ (nowEnd);
      while (oldAt < end && nowAt < until) {
        this.visit(olds[oldAt++] ?? null, nows[nowAt++] ?? null, [...path, String(place++)]);
      }
      for (; oldAt < end; oldAt++) this.#noteRemoved([...path, String(place)]);
      for (; nowAt < until; nowAt++) {
        this.#note("add", [...path, String(place++)], nows[nowAt] ?? null);
      }
      if (isMatch) {
        this.visit(olds[oldAt++] ?? null, nows[nowAt++] ?? null, [...path, String(place++)]);
      }
    }
  }
}

/**
 * The places of elements that stand for one another, ascending: the longest common subsequence.
 *
 * @param {Json[]} olds
 * @param {Json[]} nows
 * @returns {[number, number, true][]}
 */
function matches(olds, nows) {
  if (olds.length * nows.length > MAXIMUM_PAIRS || olds.length === 0 || nows.length === 0) {
    return [];
  }
  const [left, right] = [olds.map(keyOf), nows.map(keyOf)];
  const width = right.length + 1;
  const lengths = new Uint32Array((left.length + 1) * width);
  const at = (/** @type {number} */ row, /** @type {number} */ column) =>
    lengths[row * width + column] ?? 0;
  for (let row = left.length - 1; row >= 0; row--) {
    for (let column = right.length - 1; column >= 0; column--) {
      lengths[row * width + column] = left[row] === right[column]
        ? at(row + 1, column + 1) + 1
        : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  /** @type {[number, number, true][]} */
  const found = [];
  for (let row = 0, column = 0; row < left.length && column < right.length;) {
    if (left[row] === right[column]) found.push([row++, column++, true]);
    else if (at(row + 1, column) >= at(row, column + 1)) row++;
    else column++;
  }
  return found;
}

/**
 * What makes an element the same one, though it may have changed.
 *
 * @param {Json} element
 * @returns {string}
 */
function keyOf(element) {
  const id = member(element, "id");
  if (typeof id === "string") return "s" + id;
  return isNumber(id) ? "n" + numberText(id) : "f" + fingerprint(element);
}
