/** JSON pointers (RFC 6901): `/favorites/0/on`. */

import { isObject, member } from "./json.js";

/** @import { Json } from "./json-types.d.ts" */

/**
 * The tokens of a pointer, or `undefined` for any other text.
 *
 * @param {string} text
 * @returns {string[] | undefined}
 */
export function readPointer(text) {
  if (text === "") return [];
  if (!text.startsWith("/") || /~(?![01])/.test(text)) return undefined;
  return text.slice(1).split("/").map((token) => token.replace(/~1/g, "/").replace(/~0/g, "~"));
}

/**
 * @param {readonly string[]} tokens
 * @returns {string}
 */
export function writePointer(tokens) {
  return tokens.map((token) => "/" + token.replace(/~/g, "~0").replace(/\//g, "~1")).join("");
}

/**
 * The pointer with one more token.
 *
 * @param {string} pointer
 * @param {string} token
 * @returns {string}
 */
export function childPointer(pointer, token) {
  return `${pointer}/${token.replace(/~/g, "~0").replace(/\//g, "~1")}`;
}

/**
 * The index that a token is, as RFC 6901 writes one.
 *
 * @param {string} token
 * @returns {number | undefined}
 */
export function indexOfToken(token) {
  return /^(?:0|[1-9]\d{0,15})$/.test(token) ? Number(token) : undefined;
}

/**
 * What the tokens lead to; `undefined` when they lead nowhere.
 *
 * @param {Json | undefined} value
 * @param {readonly string[]} tokens
 * @returns {Json | undefined}
 */
export function lookUp(value, tokens) {
  let here = value;
  for (const token of tokens) {
    if (Array.isArray(here)) {
      const index = indexOfToken(token);
      here = index === undefined ? undefined : here[index];
    } else if (isObject(here)) {
      here = member(here, token);
    } else {
      return undefined;
    }
  }
  return here;
}

/**
 * Whether the first tokens of one are those of the other.
 *
 * @param {readonly string[]} tokens
 * @param {readonly string[]} prefix
 * @returns {boolean}
 */
export function beginsWith(tokens, prefix) {
  return prefix.length <= tokens.length && prefix.every((token, index) => token === tokens[index]);
}

/**
 * The pointer as people write a path: `favorites[0].on`, `["odd key"]`.
 *
 * @param {readonly string[]} tokens
 * @returns {string}
 */
export function pathText(tokens) {
  let text = "";
  for (const token of tokens) {
    if (indexOfToken(token) !== undefined) text += `[${token}]`;
    else if (/^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(token)) text += (text && ".") + token;
    else text += `[${JSON.stringify(token)}]`;
  }
  return text;
}
