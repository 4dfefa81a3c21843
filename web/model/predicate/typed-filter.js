/** A text of a reader, as a filter. */

import { PredicateError } from "./lexer.js";
import { parsePredicate } from "./parser.js";
import { corrected, predicateOf } from "./plain-filter.js";

/** @import { Json } from "../../base/json-types.d.ts" */

/**
 * The filter for a text: a condition or a word is one already, also with short names of values; other
 * texts are looked for in all values.
 *
 * @param {string} typed
 * @param {{ state: Json, outputs: Json }} [moment] at the cursor
 * @returns {string | undefined} nothing without a text
 */
export function typedFilter(typed, moment) {
  const text = typed.trim();
  if (text === "") return undefined;
  const error = errorOf(predicateOf(text));
  if (!error) return text;
  const better = corrected(error, text, moment);
  if (better !== undefined && !errorOf(better)) return better;
  return `anywhere matches /${text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&")}/i`;
}

/** @param {string} predicate @returns {PredicateError | undefined} */
function errorOf(predicate) {
  try {
    parsePredicate(predicate);
    return undefined;
  } catch (error) {
    if (error instanceof PredicateError) return error;
    throw error;
  }
}
