/** How two moments differ, in a few words. `EndDifference` of `debugd` says the same. */

import { brief } from "./event-name.js";
import { formatCount, formatNumbered } from "./format.js";
import { equalJson, isNumber, isObject, member } from "./json.js";
import { lookUp, pathText } from "./pointer.js";
import { readPatch } from "./patch.js";
import { visible } from "./text.js";

/** @import { Json } from "./json-types.d.ts" */
/** @import { Operation } from "./patch.js" */

/** Values that the words name. */
const MAXIMUM_NAMED = 3;

/**
 * A change: of a value, of the number of an array's elements, or of what is not known.
 *
 * @typedef {{ tokens: string[], is: "value", old: Json | undefined, value: Json | undefined }
 *   | { tokens: string[], is: "count", old: number, value: number }
 *   | { tokens: string[], is: "unknown" }} Change
 */

/**
 * The words, such as “requests 3 → 2, found 2 items → 1”; empty if nothing differs.
 *
 * @param {Json} patch from one moment to the other
 * @param {Json} before the first moment, as far as it is known
 * @returns {string}
 */
export function endWords(patch, before) {
  const changes = new Changes(before);
  for (const operation of readPatch(patch)) changes.add(operation);
  const ranked = changes.all.map((change) => ({ rank: rankOf(change), text: wordsFor(change) }))
    .sort((left, right) => left.rank - right.rank);
  // An output is often called like the value that it shows.
  const words = [...new Set(ranked.map(({ text }) => text))];
  const rest = words.length - MAXIMUM_NAMED;
  const more = rest > 0 ? [formatNumbered(rest, "more change")] : [];
  return [...words.slice(0, MAXIMUM_NAMED), ...more].join(", ");
}

/** The changes that operations make. */
class Changes {
  /** @type {Change[]} */
  all = [];
  #before;
  /** The counts of arrays, by their paths. @type {Map<string, Extract<Change, { is: "count" }>>} */
  #counts = new Map();

  /** @param {Json} before */
  constructor(before) {
    this.#before = before;
  }

  /** @param {Operation} operation */
  add(operation) {
    const { tokens } = operation;
    if (this.#isCounted(operation)) return;
    const old = lookUp(this.#before, tokens);
    if (operation.op === "remove") this.all.push({ tokens, is: "value", old, value: undefined });
    else if (operation.op === "add") {
      this.all.push({ tokens, is: "value", old: undefined, value: operation.value });
    } else if (old === undefined || (isObject(old) && member(old, "$cut") !== undefined)) {
      this.all.push({ tokens, is: "unknown" });
    } else this.#compare(old, operation.value, tokens);
  }

  /**
   * Counts an element that is added to an array or removed. Indices below it have shifted from then on.
   *
   * @param {Operation} operation
   */
  #isCounted({ op, tokens }) {
    const parent = tokens.slice(0, -1);
    for (let length = 0; length < parent.length; length++) {
      if (this.#counts.has(JSON.stringify(tokens.slice(0, length)))) return true;
    }
    const step = op === "add" ? 1 : op === "remove" ? -1 : 0;
    const key = JSON.stringify(parent);
    const known = this.#counts.get(key);
    if (known) {
      known.value += step;
      return true;
    }
    const array = lookUp(this.#before, parent);
    if (step === 0 || !Array.isArray(array)) return false;
    /** @type {Extract<Change, { is: "count" }>} */
    const change = { tokens: parent, is: "count", old: array.length, value: array.length + step };
    this.#counts.set(key, change);
    this.all.push(change);
    return true;
  }

  /**
   * @param {Json} old
   * @param {Json} value
   * @param {string[]} tokens
   */
  #compare(old, value, tokens) {
    if (isObject(old) && isObject(value)) {
      for (const [key, before] of Object.entries(old)) {
        const after = member(value, key);
        if (after !== undefined) this.#compare(before, after, [...tokens, key]);
        else this.all.push({ tokens: [...tokens, key], is: "value", old: before, value: after });
      }
      for (const [key, after] of Object.entries(value)) {
        if (member(old, key) !== undefined) continue;
        this.all.push({ tokens: [...tokens, key], is: "value", old: undefined, value: after });
      }
    } else if (Array.isArray(old) && Array.isArray(value)) {
      if (old.length === value.length) {
        old.forEach((one, index) =>
          this.#compare(one, value[index] ?? null, [...tokens, `${index}`])
        );
      } else this.all.push({ tokens, is: "count", old: old.length, value: value.length });
    } else if (!equalJson(old, value)) this.all.push({ tokens, is: "value", old, value });
  }
}

/**
 * How little a change says: a number says the most, a container the least.
 *
 * @param {Change} change
 */
function rankOf(change) {
  if (change.is === "unknown") return 4;
  const { old, value } = change;
  if (change.is === "count") return old === value ? 4 : 1;
  if (old !== undefined && value !== undefined) {
    if (isNumber(old) && isNumber(value)) return 0;
    return isScalar(old) && isScalar(value) ? 2 : 4;
  }
  return isScalar(old ?? value) ? 3 : 4;
}

/** @param {Change} change */
function wordsFor(change) {
  const { tokens } = change;
  const path = tokens.slice(1);
  const name = visible(path.length === 0 ? tokens[0] ?? "everything" : pathText(path));
  if (rankOf(change) === 4 || change.is === "unknown") return `${name} changed`;
  return change.is === "count"
    ? `${name} ${formatNumbered(change.old, "item")} → ${formatCount(change.value)}`
    : `${name} ${textOf(change.old)} → ${textOf(change.value)}`;
}

/** @param {Json | undefined} value */
function textOf(value) {
  return value === undefined ? "nothing" : visible(brief(value, 40));
}

/** @param {Json | undefined} value */
function isScalar(value) {
  return value !== undefined && (value === null || typeof value !== "object" || isNumber(value));
}
