/** Finds a leaf of a moment: a string, a number, a Boolean, or `null`. */

import { isNumber, isObject, kindOf } from "../../base/json.js";
import { isCut, meansSame, orderOf } from "./values.js";

/** @import { Json } from "../../base/json-types.d.ts" */
/** @import { LeafTest } from "./parser.js" */

export class LeafSearch {
  #test;
  /** The tokens that lead to the leaf. @type {string[] | undefined} */
  path;
  /** Whether the search met a value that is not known and may pass. */
  mayBeHidden = false;

  /** @param {LeafTest} test */
  constructor(test) {
    this.#test = test;
  }

  /**
   * Whether a value has a leaf that passes.
   *
   * @param {Json} value
   * @param {string[]} path the tokens that lead to the value
   * @param {string[][]} hidden the tokens that lead to stand-ins
   * @returns {boolean}
   */
  find(value, path, hidden) {
    const here = hidden.filter((tokens) => tokens[path.length - 1] === path.at(-1));
    if (isCut(value) || here.some((tokens) => tokens.length === path.length)) {
      if (mayPass(this.#test, value)) this.mayBeHidden = true;
      return false;
    }
    if (value === null || typeof value !== "object" || isNumber(value)) {
      if (!passes(this.#test, value)) return false;
      this.path = path;
      return true;
    }
    return Object.entries(value).some(([key, inside]) => this.find(inside, [...path, key], here));
  }
}

/**
 * @param {LeafTest} test
 * @param {Json} leaf
 */
function passes(test, leaf) {
  if (test.is === "contains") return typeof leaf === "string" && leaf.includes(test.text);
  if (test.is === "matches") return typeof leaf === "string" && test.pattern.matches(leaf);
  if (test.is === "==") {
    return kindOf(leaf) === kindOf(test.literal) && meansSame(leaf, test.literal);
  }
  const order = orderOf(leaf, test.literal);
  if (order === undefined) return false;
  if (test.is === "<") return order < 0;
  if (test.is === "<=") return order <= 0;
  return test.is === ">" ? order > 0 : order >= 0;
}

/**
 * Whether a value may pass that has a stand-in in its place; a stand-in has the type of its value.
 *
 * @param {LeafTest} test
 * @param {Json} standIn
 */
function mayPass(test, standIn) {
  if (Array.isArray(standIn) || isObject(standIn)) return true;
  const kind = "literal" in test ? kindOf(test.literal) : "string";
  return kindOf(standIn) === kind;
}
