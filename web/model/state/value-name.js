/** What the page calls a value of a moment. */

import { pathText, readPointer } from "../../base/pointer.js";

/**
 * The path of a value as the page shows it: without `state`, since most values are in the state.
 *
 * @param {string} pointer into the moment
 * @returns {string} empty for the whole state
 */
export function valueName(pointer) {
  const tokens = readPointer(pointer) ?? [];
  return pathText(tokens[0] === "state" ? tokens.slice(1) : tokens);
}
