/** A filter that is a plain word, for readers who do not know the predicate language. */

import { isObject } from "../base/json.js";
import { parsePredicate } from "./predicate/parser.js";
import { PredicateError } from "./predicate/lexer.js";

/** @import { Json } from "../base/json-types.d.ts" */

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

/**
 * Why a filter is wrong, naming the values of the moment at the cursor that the reader may mean.
 *
 * @param {string} message the parser's own
 * @param {string} filter
 * @param {{ state: Json, outputs: Json } | undefined} moment
 */
export function explain(message, filter, moment) {
  const word = /^no value is called '([^']+)'/.exec(message)?.[1];
  if (word === undefined || !moment) return message;
  const needle = word.toLowerCase();
  const paths = /** @type {const} */ (["outputs", "state"]).flatMap((root) => {
    const value = moment[root];
    const names = isObject(value) ? Object.keys(value) : [];
    return names.filter((name) => name.toLowerCase().startsWith(needle))
      .filter((name) => /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(name))
      .slice(0, 2)
      .map((name) => `${root}.${name}`);
  });
  if (paths.length === 0) return message;
  const only = filter.trim();
  const rest = only.startsWith(word) ? only.slice(word.length) : "";
  const offers = paths.map((path) => `'${path}${rest}'`).join(" or ");
  return `no value is called '${word}'; did you mean ${offers}?`;
}
