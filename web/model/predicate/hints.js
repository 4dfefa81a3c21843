/** What to say of a word that has no meaning where it stands. */

import { nearestWord } from "./spelling.js";

/** The conditions that are written like calls. */
export const CALLS = ["changed", "contains", "includes", "matches"];

/**
 * @param {string} word
 * @param {boolean} isCall
 * @param {readonly string[]} values the words that values begin with
 */
export function unknownName(word, isCall, values) {
  if (!isCall && word.toLowerCase() === "not") return "'not' is written '!'";

  const near = nearestWord(word, isCall ? [...CALLS, "sum"] : values);
  const what = isCall ? "no condition" : "no value";
  if (near) return `${what} is called '${word}'; did you mean '${near}'?`;
  return isCall
    ? `no condition is called '${word}'; there are changed, contains, includes, and matches`
    : `no value is called '${word}'; did you mean 'state.${word}'?`;
}

/** @param {string} word */
export function afterCondition(word) {
  switch (word.toLowerCase()) {
    case "and":
      return "'and' is written '&&'";
    case "or":
      return "'or' is written '||'";
    case "not":
      return "'not' is written '!'";
    case "is":
    case "equals":
      return "a comparison for equality is written '=='";
  }
  const near = nearestWord(word, ["contains", "includes", "matches"]);
  return near
    ? `no comparison is called '${word}'; did you mean '${near}'?`
    : "'&&' or '||' was expected between two conditions";
}
