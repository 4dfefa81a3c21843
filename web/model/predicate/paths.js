/** The paths that a predicate reads, and what they begin at. */

import { readPointer } from "../../base/pointer.js";

/** @import { Expression, Operand, Path, Root } from "./parser.js" */

/**
 * Whether the predicate needs more than the entry's line.
 *
 * @param {Expression} expression
 * @returns {boolean}
 */
export function needsValues(expression) {
  switch (expression.is) {
    case "value":
      return operandNeeds(expression.operand);
    case "matches":
      return operandNeeds(expression.left);
    case "compare":
    case "contains":
    case "includes":
      return operandNeeds(expression.left) || operandNeeds(expression.right);
    case "anywhere":
    case "changed":
      return true;
    case "not":
      return needsValues(expression.inner);
    case "all":
    case "any":
      return expression.parts.some(needsValues);
  }
}

/**
 * The paths that a value is read from.
 *
 * @param {Operand} operand
 * @returns {Path[]}
 */
export function pathsOf(operand) {
  switch (operand.is) {
    case "path":
      return [operand.path];
    case "literal":
      return [];
    case "sum":
      return operand.paths;
  }
}

/** @param {Operand} operand */
function operandNeeds(operand) {
  return pathsOf(operand).some((path) => sideOf(path.root) !== undefined);
}

/** @param {Root} root @returns {"before" | "after" | undefined} */
export function sideOf(root) {
  if (root === "state" || root === "outputs") return "after";
  return root === "before.state" || root === "before.outputs" ? "before" : undefined;
}

/**
 * The path as a pointer into its side of a moment.
 *
 * @param {Path} path
 * @returns {string[]}
 */
export function tokensOf({ root, steps }) {
  const first = root === "name" ? "event" : root.replace("before.", "");
  return [first, ...steps.map((step) => (step === true ? "*" : String(step)))];
}

/**
 * The tokens of those pointers that are valid.
 *
 * @param {string[]} pointers
 */
export function readAll(pointers) {
  return pointers.flatMap((pointer) => {
    const tokens = readPointer(pointer);
    return tokens ? [tokens] : [];
  });
}
