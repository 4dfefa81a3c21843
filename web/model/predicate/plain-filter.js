/** A filter that is a plain word, for readers who do not know the predicate language. */

import { eventName } from "../../base/event-name.js";
import { isObject } from "../../base/json.js";
import { lookUp } from "../../base/pointer.js";
import { pathsOf as operandPaths } from "./paths.js";
import { parsePredicate } from "./parser.js";
import { PredicateError } from "./lexer.js";

/** @import { Json } from "../../base/json-types.d.ts" */
/** @import { Expression, Path } from "./parser.js" */

/**
 * What a filter may be, with the name of the first event that there is.
 *
 * @param {(Json | undefined)[]} events
 */
export function filterExample(...events) {
  const event = events.find((one) => one !== undefined);
  const name = event === undefined ? "" : eventName(event) ?? "";
  const shown = /^[\p{L}\p{N}_.-]{1,30}$/u.test(name) ? name : "tapped";
  return `${shown}, or event == "${shown}"`;
}

/** The most bytes of a predicate. */
const MAXIMUM_BYTES = 4_096;

/**
 * The predicate that a filter stands for: itself, or a plain word, one that finds the word in
 * the names of events and in the texts of their payloads, whatever its letter case. Numbers after it
 * are looked for anywhere in the same entry.
 *
 * @param {string} text
 * @param {readonly string[]} [payloads] the paths of texts in payloads, see `payloadTexts`
 */
export function predicateOf(text, payloads = []) {
  const words = text.trim().split(/\s+/);
  const [first = "", ...numbers] = words;
  if (!isPlainWord(first) || !numbers.every(isNumeral)) return text;
  if (words.length === 1 && isNumeral(first)) return anywherePredicate(first);
  try {
    parsePredicate(words.join(" "));
    return text;
  } catch (error) {
    if (!(error instanceof PredicateError)) throw error;
    const most = Math.floor(MAXIMUM_BYTES / words.length) - JOINT_BYTES;
    const parts = words.map((word) =>
      isNumeral(word) ? anywherePredicate(word) : textPredicate(word, payloads, most)
    );
    return parts.length === 1 ? parts.join() : parts.map((part) => `(${part})`).join(" && ");
  }
}

/** The bytes of parentheses and of the operator between two parts. */
const JOINT_BYTES = 6;

/**
 * The predicate that finds a word in the names and the texts of events.
 *
 * @param {string} word
 * @param {readonly string[]} payloads
 * @param {number} most bytes
 */
function textPredicate(word, payloads, most) {
  let predicate = `name matches /${word}/i`;
  for (const path of payloads) {
    const longer = `${predicate} || ${path} matches /${word}/i`;
    if (new TextEncoder().encode(longer).length > most) break;
    predicate = longer;
  }
  return predicate;
}

/** @param {string} word */
function isNumeral(word) {
  return /^\d+$/.test(word);
}

/**
 * Whether a filter is a word that is looked for in the names and payloads of events.
 *
 * @param {string} filter
 */
export function isPlainWord(filter) {
  return /^[\p{L}\p{N}_-]+$/u.test(filter.trim());
}

/**
 * The predicate that finds a word in all values of events, states, and outputs.
 *
 * @param {string} word
 */
export function anywherePredicate(word) {
  const isNumber = isNumeral(word);
  const inTexts = isNumber ? `anywhere contains "${word}"` : `anywhere matches /${word}/i`;
  return isNumber ? `anywhere == ${word.replace(/^0+(?=\d)/, "")} || ${inTexts}` : inTexts;
}

/**
 * What is said of a word that nothing in a state is called.
 *
 * @param {Json} state
 * @param {string} word
 */
function unknownIn(state, word) {
  if (!isObject(state)) return `no value is called '${word}'; the whole state is called 'state'`;
  const names = Object.keys(state);
  if (names.includes(word) || names.length === 0) return undefined;
  const some = names.slice(0, 4).join(", ");
  return `no value is called '${word}'; the state has ${some}${names.length > 4 ? ", …" : ""}`;
}

/**
 * The first path of a predicate that leads nowhere in the state or outputs of a moment, as a text.
 *
 * @param {string} predicate
 * @param {{ state: Json, outputs: Json }} moment
 * @returns {string | undefined}
 */
export function missingPath(predicate, moment) {
  const path = missingPathOf(predicate, moment);
  return path && [path.root, ...path.steps].join(".");
}

/**
 * The first path of a predicate that leads nowhere in the state or outputs of a moment.
 *
 * @param {string} predicate
 * @param {{ state: Json, outputs: Json }} moment
 * @returns {Path | undefined}
 */
export function missingPathOf(predicate, moment) {
  return pathsOf(parsePredicate(predicate)).find(({ root, steps }) => {
    if (root !== "state" && root !== "outputs") return false;
    // An array's count is not one of its members.
    const each = steps.indexOf(true);
    const named = each >= 0 ? steps.slice(0, each) : steps;
    const tokens = (named.at(-1) === "count" ? named.slice(0, -1) : named).map(String);
    return lookUp(moment[root], tokens) === undefined;
  });
}

/**
 * @param {Expression} expression
 * @returns {Path[]}
 */
function pathsOf(expression) {
  switch (expression.is) {
    case "value":
      return operandPaths(expression.operand);
    case "compare":
    case "contains":
    case "includes":
      return [...operandPaths(expression.left), ...operandPaths(expression.right)];
    case "matches":
      return operandPaths(expression.left);
    case "anywhere":
      return [];
    case "changed":
      return [expression.path];
    case "not":
      return pathsOf(expression.inner);
    default:
      return expression.parts.flatMap(pathsOf);
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
  const [, last] = /(\S+)\s*$/.exec(filter) ?? [];
  if (message === "a value is missing at the end" && last !== undefined) {
    return `Incomplete: a value is missing after ${last}`;
  }
  const word = /^no value is called '([^']+)'/.exec(message)?.[1];
  if (word === undefined || !moment) return message;
  const paths = pathsLike(word, moment);
  if (paths.length === 0) {
    // The parser offers the path that most states have; this one may not have it.
    const isGuess = message.includes(`did you mean 'state.${word}'`);
    return isGuess ? unknownIn(moment.state, word) ?? message : message;
  }
  const only = filter.trim();
  const rest = only.startsWith(word) ? only.slice(word.length) : "";
  const offers = paths.map((path) => `'${path}${rest}'`).join(" or ");
  return `no value is called '${word}'; did you mean ${offers}?`;
}

/**
 * The paths of a moment that a word may be short for.
 *
 * @param {string} word
 * @param {{ state: Json, outputs: Json }} moment
 */
function pathsLike(word, moment) {
  const needle = word.toLowerCase();
  return /** @type {const} */ (["outputs", "state"]).flatMap((root) => {
    const value = moment[root];
    const names = isObject(value) ? Object.keys(value) : [];
    return names.filter((name) => name.toLowerCase().startsWith(needle))
      .filter((name) => /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(name))
      .slice(0, 2)
      .map((name) => `${root}.${name}`);
  });
}

/**
 * The filter with the paths that its unknown words must mean; nothing if the first of them may mean
 * several.
 *
 * @param {{ message: string, column?: number | undefined }} error the parser's own
 * @param {string} filter
 * @param {{ state: Json, outputs: Json } | undefined} moment
 * @returns {string | undefined}
 */
export function corrected(error, filter, moment) {
  const better = correctedOnce(error, filter, moment);
  if (better === undefined) return undefined;
  try {
    parsePredicate(better);
    return better;
  } catch (next) {
    if (!(next instanceof PredicateError)) throw next;
    return corrected(next, better, moment) ?? better;
  }
}

/**
 * Why a predicate is wrong; if all that is wrong are short names, with the whole predicate.
 *
 * @param {string} predicate
 * @param {{ state: Json, outputs: Json } | undefined} moment
 * @returns {string | undefined} nothing if it is right
 */
export function explainPredicate(predicate, moment) {
  try {
    parsePredicate(predicate);
    return undefined;
  } catch (error) {
    if (!(error instanceof PredicateError)) throw error;
    const whole = corrected(error, predicate, moment);
    const word = /^no value is called '([^']+)'/.exec(error.message)?.[1];
    return whole === undefined
      ? explain(error.message, predicate, moment)
      : `no value is called '${word}'; did you mean '${whole}'?`;
  }
}

/**
 * @param {{ message: string, column?: number | undefined }} error
 * @param {string} filter
 * @param {{ state: Json, outputs: Json } | undefined} moment
 * @returns {string | undefined}
 */
function correctedOnce({ message, column }, filter, moment) {
  const word = /^no value is called '([^']+)'/.exec(message)?.[1];
  if (word === undefined || column === undefined || !moment) return undefined;
  const [path, ...others] = pathsLike(word, moment);
  const start = column - 1;
  if (path === undefined || others.length > 0 || !filter.startsWith(word, start)) return undefined;
  return filter.slice(0, start) + path + filter.slice(start + word.length);
}
