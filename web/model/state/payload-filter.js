/** The filter that finds the events with one value of a payload. */

import { indexOfToken } from "../../base/pointer.js";
import { printPredicate } from "../predicate/printer.js";
import { isScalar, MAXIMUM_PREDICATE } from "./value-questions.js";

/** @import { Json } from "../../base/json-types.d.ts" */

/**
 * @param {readonly string[]} tokens the path of the value in the event
 * @param {Json | undefined} value
 * @returns {string | undefined} nothing for values that a predicate cannot name
 */
export function payloadFilter(tokens, value) {
  if (!isScalar(value)) return undefined;
  const filter = printPredicate({
    is: "compare",
    left: {
      is: "path",
      path: { root: "event", steps: tokens.map((token) => indexOfToken(token) ?? token) },
    },
    comparison: "==",
    right: { is: "literal", value },
  });
  return filter.length <= MAXIMUM_PREDICATE ? filter : undefined;
}
