/** A value as the rows of a tree: only what is expanded, with what changed marked. */

import { cutBytes, moreCount } from "../../base/event-name.js";
import { isObject } from "../../base/json.js";
import { formatCount, formatNumbered } from "../../base/format.js";
import { childPointer, indexOfToken, lookUp } from "../../base/pointer.js";
import { compareText } from "../../base/text.js";
import { changedLooks, isLongList, isTruncated, look } from "./value-looks.js";

/** @import { Json, JsonObject } from "../../base/json-types.d.ts" */
/** @import { Operation } from "../../base/patch.js" */

/** @typedef {"" | "changed" | "added" | "removed" | "inside"} Mark */

/**
 * @typedef {object} TreeRow
 * @property {string} path the pointer from the tree's root
 * @property {number} depth
 * @property {string} key
 * @property {"string" | "number" | "word" | "container" | "cut" | "redacted"} look
 * @property {string} text the value in a few words
 * @property {boolean} canOpen
 * @property {boolean} isOpen
 * @property {boolean} isMore whether it stands for what follows behind it in its container
 * @property {Mark} mark `inside` says that something below changed
 * @property {number} changesInside how many changes are below a row with the mark `inside`
 * @property {string | undefined} old the value before, where it is known and was another one
 * @property {Json} value
 * @property {Json | undefined} before the whole value that `old` is the text of
 * @property {number} position among its siblings, from 1
 * @property {number} siblings
 */

/** What a patch changed, as a tree by tokens. */
class ChangeNode {
  /** @type {Mark} */
  mark = "";
  /** How many operations are below it. */
  inside = 0;
  /** @type {Map<string, ChangeNode>} */
  children = new Map();
}

/**
 * What a patch changed.
 *
 * @param {readonly Operation[]} patch
 * @returns {ChangeNode}
 */
export function changesOf(patch) {
  const root = new ChangeNode();
  for (const { op, tokens } of patch) {
    let node = root;
    for (const token of tokens) {
      if (node.mark === "") node.mark = "inside";
      node.inside++;
      let child = node.children.get(token);
      if (!child) node.children.set(token, child = new ChangeNode());
      node = child;
    }
    // An element that goes leaves its place to the next one: not that one is gone.
    const isElement = indexOfToken(tokens.at(-1) ?? "") !== undefined;
    if (op === "add") node.mark = "added";
    else if (op === "replace") node.mark = node.mark === "added" ? "added" : "changed";
    else if (!isElement) node.mark = "removed";
    else if (node.mark === "") node.mark = "inside";
  }
  return root;
}

/**
 * The pointers that must be open for every change to be seen; no more than `most`, the first ones.
 *
 * @param {readonly Operation[]} patch
 * @param {number} [most]
 * @returns {Set<string>}
 */
export function pathsToChanges(patch, most = 200) {
  /** @type {Set<string>} */
  const paths = new Set();
  for (const { tokens } of patch) {
    let path = "";
    for (const token of tokens.slice(0, -1)) {
      path = childPointer(path, token);
      if (paths.size < most) paths.add(path);
    }
  }
  return paths;
}

/** A small state is shown open: as far as it stays on one screen. */
const OPEN_CHILDREN = 6;
const OPEN_ROWS = 24;

/**
 * The pointers of small containers right below the root, which open by themselves.
 *
 * @param {Json} value
 * @returns {string[]}
 */
export function smallContainers(value) {
  let rows = childKeys(value).length;
  return childKeys(value).flatMap((key) => {
    const container = childOf(value, key);
    const inside = childKeys(container).length;
    // What is shown whole on its own line gains nothing by being open.
    if (look(container).text.startsWith("[")) return [];
    if (inside === 0 || inside > OPEN_CHILDREN || rows + inside > OPEN_ROWS) return [];
    rows += inside;
    return [childPointer("", key)];
  });
}

/**
 * @typedef {object} TreeInput
 * @property {Json} value
 * @property {Json} [before] the value before, for `old`
 * @property {readonly Operation[]} [patch] what changed
 * @property {Pick<ReadonlySet<string>, "has">} open pointers of the containers that are expanded
 * @property {ReadonlySet<string>} [redacted] pointers of stand-ins
 * @property {(path: string) => Json | undefined} [fetched] what was fetched where the value was cut
 */

/** Children of one container beyond this are shown by ranges' first ones; the rest can be asked for. */
export const MAXIMUM_CHILDREN = 100_000;

/**
 * The rows of a tree. The root itself has none.
 *
 * @param {TreeInput} input
 * @returns {TreeRow[]}
 */
export function flattenTree(input) {
  /** @type {TreeRow[]} */
  const rows = [];
  const value = isTruncated(input.value) ? input.fetched?.("") ?? input.value : input.value;
  new Flattening(input, rows).visit(value, input.before, changesOf(input.patch ?? []), "", 0);
  return rows;
}

/** How deep a search goes, and how many containers it looks into. */
const SEARCHED_DEPTH = 24;
const MAXIMUM_SEARCHED = 20_000;

/** Where that is not. */
const LEFT_OUT = `deeper than ${SEARCHED_DEPTH} levels, or behind ${
  formatCount(MAXIMUM_SEARCHED)
} others,`;

/**
 * The rows whose key or value has a text, wherever they are, also in what was fetched.
 *
 * @param {Omit<TreeInput, "open">} input
 * @param {string} text in small letters
 * @returns {{ rows: TreeRow[], notLoaded: number, leftOut: number }} the rows; how many parts no one
 *   looked into, for they are not loaded, or lie too deep or behind too many others
 */
export function searchTree(input, text) {
  let searched = 0;
  const has = (/** @type {string} */ path) =>
    path.split("/").length <= SEARCHED_DEPTH && ++searched <= MAXIMUM_SEARCHED;
  const all = flattenTree({ ...input, open: { has } });
  const closed = all.filter(({ canOpen, isOpen }) => canOpen && !isOpen);
  const notLoaded = closed.filter(({ look }) => look === "cut").length;
  return {
    rows: all.filter((row) =>
      row.key.toLowerCase().includes(text) ||
      !row.canOpen && row.text.toLowerCase().includes(text)
    ),
    notLoaded,
    leftOut: closed.length - notLoaded,
  };
}

/**
 * The note under a search.
 *
 * @param {{ rows: readonly unknown[], notLoaded: number, leftOut: number }} found
 * @returns {string} nothing where all was searched and something was found
 */
export function searchNote({ rows, notLoaded, leftOut }) {
  const parts = (
    /** @type {number} */ count,
    /** @type {string} */ one,
    /** @type {string} */ all,
  ) => count > 0 && `${formatNumbered(count, "part")} ${count === 1 ? one : all}`;
  return [
    rows.length === 0 && "No matches.",
    parts(
      notLoaded,
      "is not loaded and was not searched: load it in the tree, then search again.",
      "are not loaded and were not searched: load them in the tree, then search again.",
    ),
    parts(
      leftOut,
      `lies ${LEFT_OUT} and was not searched.`,
      `lie ${LEFT_OUT} and were not searched.`,
    ),
  ].filter((one) => one !== false).join(" ");
}

class Flattening {
  #input;
  #rows;

  /**
   * @param {TreeInput} input
   * @param {TreeRow[]} rows
   */
  constructor(input, rows) {
    this.#input = input;
    this.#rows = rows;
  }

  /**
   * @param {Json} value
   * @param {Json | undefined} before
   * @param {ChangeNode | undefined} changes
   * @param {string} path
   * @param {number} depth
   */
  visit(value, before, changes, path, depth) {
    const removed = new Set(removedKeys(value, before, changes));
    const present = childKeys(value);
    const keys = removed.size === 0 ? present : inOrder([...present, ...removed]);
    keys.forEach((key, index) => {
      const place = { position: index + 1, siblings: keys.length };
      const pointer = childPointer(path, key);
      if (removed.has(key)) {
        this.#removedRow(key, childOf(before, key), pointer, depth, place);
        return;
      }
      const change = changes?.mark === "added" ? changes : changes?.children.get(key);
      const old = lookUp(before, [key]);
      this.#row(key, childOf(value, key), old, change, pointer, depth, place);
    });
  }

  /**
   * @param {string} key
   * @param {Json} old
   * @param {string} path
   * @param {number} depth
   * @param {{ position: number, siblings: number }} place
   */
  #removedRow(key, old, path, depth, place) {
    this.#rows.push({
      ...look(old),
      path,
      depth,
      key,
      canOpen: false,
      isOpen: false,
      isMore: false,
      mark: "removed",
      changesInside: 0,
      old: undefined,
      value: old,
      before: undefined,
      ...place,
    });
  }

  /**
   * @param {string} key
   * @param {Json} stored
   * @param {Json | undefined} before
   * @param {ChangeNode | undefined} changes
   * @param {string} path
   * @param {number} depth
   * @param {{ position: number, siblings: number }} place
   */
  #row(key, stored, before, changes, path, depth, place) {
    const isMore = moreCount(stored) !== undefined;
    const isCut = cutBytes(stored) !== undefined || isTruncated(stored);
    const value = isCut ? this.#input.fetched?.(path) ?? stored : stored;
    const isRedacted = this.#input.redacted?.has(path) ?? false;
    const inside = childKeys(value).length + removedKeys(value, before, changes).length;
    const canOpen = !isRedacted && (isMore || cutBytes(value) !== undefined || inside > 0);
    const isOpen = canOpen && !isMore && cutBytes(value) === undefined &&
      this.#input.open.has(path);
    // What lost elements has no rows inside that could show it.
    const hasLost = Array.isArray(value) && Array.isArray(before) && before.length > value.length;
    const isOnOneLine = hasLost || isLongList(before, value);
    const mark = changes?.mark === "inside" && (!canOpen || isOnOneLine)
      ? "changed"
      : changes?.mark ?? "";
    const [was, is] = mark === "changed" && before !== undefined
      ? changedLooks(before, value)
      : [undefined, look(value)];
    this.#rows.push({
      ...(isRedacted ? { look: "redacted", text: "redacted" } : is),
      path,
      depth,
      key: isMore ? "…" : key,
      canOpen,
      isOpen,
      isMore,
      mark,
      changesInside: mark === "inside" ? changes?.inside ?? 0 : 0,
      old: was?.text,
      value,
      before: was === undefined ? undefined : before,
      ...place,
    });
    if (isOpen) this.visit(value, before, changes, path, depth + 1);
  }
}

/**
 * @param {Json | undefined} value
 * @returns {string[]}
 */
function childKeys(value) {
  if (Array.isArray(value)) {
    return Array.from(
      { length: Math.min(value.length, MAXIMUM_CHILDREN) },
      (_, index) => String(index),
    );
  }
  if (!isObject(value) || cutBytes(value) !== undefined) return [];
  let keys = keysOf.get(value);
  if (!keys) keysOf.set(value, keys = inOrder(Object.keys(value).slice(0, MAXIMUM_CHILDREN)));
  return keys;
}

/** What stays from entry to entry is sorted once. @type {WeakMap<JsonObject, string[]>} */
const keysOf = new WeakMap();

/** The member that stands for those that were cut. */
const MORE = "$more";

/** Larger objects keep the order of their text: sorting them would hold up the playback. */
const MAXIMUM_SORTED = 10_000;

/**
 * Members by name, numbers first, and what stands for the rest at the end. The text of a state has
 * another order in a recording than in its branches: a member that a patch adds comes last there,
 * until the next whole state.
 *
 * @param {string[]} keys
 */
function inOrder(keys) {
  if (keys.length > MAXIMUM_SORTED) return keys;
  const isNumber = (/** @type {string} */ key) => indexOfToken(key) !== undefined;
  const numbers = keys.filter(isNumber).sort((left, right) => Number(left) - Number(right));
  const names = keys.filter((key) => !isNumber(key) && key !== MORE).sort(compareText);
  return [...numbers, ...names, ...keys.filter((key) => key === MORE)];
}

/**
 * @param {Json | undefined} value
 * @param {string} key
 * @returns {Json}
 */
function childOf(value, key) {
  return lookUp(value, [key]) ?? null;
}

/**
 * The known members that a patch removed.
 *
 * @param {Json} value
 * @param {Json | undefined} before
 * @param {ChangeNode | undefined} changes
 */
function removedKeys(value, before, changes) {
  if (!isObject(before) || !isObject(value) || !changes) return [];
  return [...changes.children].flatMap(([key, child]) =>
    child.mark === "removed" && Object.hasOwn(before, key) && !Object.hasOwn(value, key)
      ? [key]
      : []
  ).sort(compareText);
}
