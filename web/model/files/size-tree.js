/** The bytes of a value as JSON, by its named parts, and which parts grow. */

import { isNumber, isObject, writeJson } from "../../base/json.js";
import { writePointer } from "../../base/pointer.js";
import { compareText } from "../../base/text.js";

/** @import { Json } from "../../base/json-types.d.ts" */

/** An object with more members is a collection: its keys are data. */
const MAXIMUM_MEMBERS = 128;

/** Deeper parts count for what contains them. */
const MAXIMUM_DEPTH = 16;

/** So many parts are measured; the others count for what contains them. */
const MAXIMUM_PARTS = 10_000;

/** An object with so many keys at the end that it did not have at the start is a collection. */
const NEW_KEYS_OF_COLLECTION = 8;

/** @typedef {{ bytes: number, elements: number | undefined, members: Map<string, SizeTree> }} SizeTree */

/** @typedef {{ path: string, bytes: number[], elements?: number[] }} GrowingPart */

const encoder = new TextEncoder();

/** @param {Json} value */
function byteCount(value) {
  return encoder.encode(writeJson(value)).length;
}

/**
 * @param {Json} value
 * @param {number} [depth]
 * @param {{ left: number }} [budget]
 * @returns {SizeTree}
 */
export function sizeTree(value, depth = MAXIMUM_DEPTH, budget = { left: MAXIMUM_PARTS }) {
  const members = new Map();
  const entries = isObject(value) && !isNumber(value) ? Object.entries(value) : undefined;
  const elements = Array.isArray(value) ? value.length : entries?.length;
  const isPart = entries !== undefined && entries.length <= MAXIMUM_MEMBERS && depth > 0 &&
    entries.length <= budget.left;
  if (!isPart) return { bytes: byteCount(value), elements, members };
  budget.left -= entries.length;
  // Braces, colons, and commas.
  let bytes = 1 + Math.max(2 * entries.length, 1);
  for (const [key, member] of entries) {
    const size = sizeTree(member, depth - 1, budget);
    members.set(key, size);
    bytes += byteCount(key) + size.bytes;
  }
  return { bytes, elements, members };
}

/**
 * The innermost parts that are larger at the end than at the start, the greatest growth first.
 *
 * @param {SizeTree[]} samples of the whole state, in order
 * @param {string[]} path of the state
 * @returns {GrowingPart[]}
 */
export function growingParts(samples, path) {
  /** @type {{ tokens: string[], part: GrowingPart, growth: number }[]} */
  const found = [];
  collect(samples, path);
  return found
    .sort((left, right) => right.growth - left.growth || compareTokens(left.tokens, right.tokens))
    .map(({ part }) => part);

  /**
   * @param {(SizeTree | undefined)[]} sizes absent where the part is
   * @param {string[]} tokens
   */
  function collect(sizes, tokens) {
    const keys = new Set(sizes.flatMap((size) => [...size?.members.keys() ?? []]));
    if (keys.size === 0 || isCollection(sizes)) return add(sizes, tokens);
    for (const key of keys) {
      collect(sizes.map((size) => size?.members.get(key)), [...tokens, key]);
    }
  }

  /**
   * @param {(SizeTree | undefined)[]} sizes
   * @param {string[]} tokens
   */
  function add(sizes, tokens) {
    const bytes = sizes.map((size) => size?.bytes ?? 0);
    const growth = (bytes.at(-1) ?? 0) - (bytes[0] ?? 0);
    if (growth <= 0) return;
    const counts = sizes.some((size) => size?.elements !== undefined)
      ? { elements: sizes.map((size) => size?.elements ?? 0) }
      : {};
    found.push({ tokens, growth, part: { path: writePointer(tokens), bytes, ...counts } });
  }
}

/** @param {(SizeTree | undefined)[]} sizes */
function isCollection(sizes) {
  const known = sizes.filter((size) => size !== undefined);
  const [first] = known;
  const last = known.at(-1);
  // A part that is measured by its members must be so in all samples.
  const hasOther = known.some(({ elements, members }) => (elements ?? 0) > 0 && members.size === 0);
  if (hasOther || !first || !last) return true;
  const added = [...last.members.keys()].filter((key) => !first.members.has(key));
  return added.length >= NEW_KEYS_OF_COLLECTION;
}

/**
 * @param {string[]} left
 * @param {string[]} right
 */
function compareTokens(left, right) {
  const shorter = Math.min(left.length, right.length);
  for (let index = 0; index < shorter; index++) {
    const order = compareText(left[index] ?? "", right[index] ?? "");
    if (order !== 0) return order;
  }
  return left.length - right.length;
}
