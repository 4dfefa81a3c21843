/** A filter that is a plain word, for readers who do not know the predicate language. */

import { parsePredicate } from "./predicate/parser.js";
import { PredicateError } from "./predicate/lexer.js";

/**
 * The predicate that a filter stands for: itself, or for a plain word, one that finds the word in
 * the names of events, whatever its letter case.
 *
 * @param {string} text
 */
export function predicateOf(text) {
  const word = text.trim();
  if (!/^[\p{L}\p{N}_-]+$/u.test(word)) return text;
  try {
    parsePredicate(word);
    return text;
  } catch (error) {
    if (!(error instanceof PredicateError)) throw error;
    return `name matches /${word}/i`;
  }
}
