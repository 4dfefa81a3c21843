/** Whether two predicates are the same, however they were typed. */

import { PredicateError } from "./lexer.js";
import { parsePredicate } from "./parser.js";
import { printPredicate } from "./printer.js";

/**
 * @param {string} left
 * @param {string} right
 */
export function isSamePredicate(left, right) {
  return left === right || canonical(left) === canonical(right);
}

/** @param {string} text of a newer build, perhaps, which this page cannot parse */
function canonical(text) {
  try {
    return printPredicate(parsePredicate(text));
  } catch (error) {
    if (!(error instanceof PredicateError)) throw error;
    return text;
  }
}
