/** The canonical text of a predicate. Reading it gives the same predicate. */

import { isNumber, numberText } from "../../base/json.js";
import { beginsName, continuesName } from "./lexer.js";

/** @import { Expression, LeafTest, Literal, Operand, Path } from "./parser.js" */

/**
 * @param {Expression} expression
 * @returns {string}
 */
export function printPredicate(expression) {
  switch (expression.is) {
    case "value":
      return printOperand(expression.operand);
    case "compare":
      return `${printOperand(expression.left)} ${expression.comparison} ${
        printOperand(expression.right)
      }`;
    case "contains":
    case "includes":
      return `${printOperand(expression.left)} ${expression.is} ${printOperand(expression.right)}`;
    case "matches":
      return `${printOperand(expression.left)} matches ${quoted(expression.pattern.source)}`;
    case "anywhere":
      return `anywhere ${printTest(expression.test)}`;
    case "changed":
      return `changed(${printPath(expression.path)})`;
    case "not": {
      const isPlain = ["value", "changed", "not"].includes(expression.inner.is);
      const inner = printPredicate(expression.inner);
      return isPlain ? `!${inner}` : `!(${inner})`;
    }
    case "all":
      return expression.parts.map((part) => printPart(part, ["all", "any"])).join(" && ");
    case "any":
      return expression.parts.map((part) => printPart(part, ["any"])).join(" || ");
  }
}

/**
 * @param {Expression} part
 * @param {string[]} enclosed
 */
function printPart(part, enclosed) {
  return enclosed.includes(part.is) ? `(${printPredicate(part)})` : printPredicate(part);
}

/** @param {LeafTest} test */
function printTest(test) {
  if (test.is === "contains") return `contains ${quoted(test.text)}`;
  if (test.is === "matches") return `matches ${quoted(test.pattern.source)}`;
  return `${test.is} ${printLiteral(test.literal)}`;
}

/** @param {Operand} operand */
function printOperand(operand) {
  switch (operand.is) {
    case "path":
      return printPath(operand.path);
    case "literal":
      return printLiteral(operand.value);
    case "sum":
      return `sum(${operand.paths.map(printPath).join(", ")})`;
  }
}

/** @param {Literal} value */
function printLiteral(value) {
  if (isNumber(value)) return numberText(value);
  return typeof value === "string" ? quoted(value) : String(value);
}

/**
 * A path as predicates write it: `.name` where the key is a name, else `["any key"]`.
 *
 * @param {Path} path
 * @returns {string}
 */
export function printPath(path) {
  return path.steps.reduce((/** @type {string} */ text, step) => {
    if (typeof step === "number") return `${text}[${step}]`;
    if (step === true) return `${text}[*]`;
    const [first = "", ...rest] = step;
    const isName = beginsName(first) && rest.every(continuesName);
    return isName ? `${text}.${step}` : `${text}[${quoted(step)}]`;
  }, path.root);
}

/**
 * The string as JSON writes it, with only the escapes of its own that the language has short.
 *
 * @param {string} text
 */
function quoted(text) {
  return JSON.stringify(text).replace(
    /(?<!\\)((?:\\\\)*)\\([bf])/g,
    (_, slashes, letter) => `${slashes}\\u00${letter === "b" ? "08" : "0c"}`,
  );
}
