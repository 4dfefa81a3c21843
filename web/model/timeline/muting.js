/** Muting an event: the filter that also hides every entry of that name. */

import { parsePredicate } from "../predicate/parser.js";
import { printPredicate } from "../predicate/printer.js";
import { PredicateError } from "../predicate/lexer.js";

/** @import { Expression } from "../predicate/parser.js" */

/**
 * The predicate that holds where another one does and the event has another name.
 *
 * @param {string} predicate empty for none
 * @param {string} name
 * @returns {string | undefined} nothing when the predicate is not one, so that nothing can be added
 */
export function filterWithout(predicate, name) {
  /** @type {Expression} */
  const isOther = {
    is: "compare",
    left: { is: "path", path: { root: "name", steps: [] } },
    comparison: "!=",
    right: { is: "literal", value: name },
  };
  try {
    if (predicate.trim() === "") return printPredicate(isOther);
    const given = parsePredicate(predicate);
    const parts = given.is === "all" ? given.parts : [given];
    const added = printPredicate(isOther);
    if (parts.some((part) => printPredicate(part) === added)) return predicate;
    return printPredicate({ is: "all", parts: [...parts, isOther] });
  } catch (error) {
    if (error instanceof PredicateError) return undefined;
    throw error;
  }
}
