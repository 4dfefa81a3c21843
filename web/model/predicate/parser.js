/** Reads a predicate by recursive descent, one method a rule of the grammar. */

import { afterCondition, CALLS, unknownName } from "./hints.js";
import { PredicateError } from "./lexer.js";
import { Pattern } from "./pattern.js";
import { PatternError } from "./pattern-parser.js";
import { TokenReader } from "./token-reader.js";
import { LITERALS, ROOTS, WORDS } from "./words.js";

/** @import { ExactNumber } from "../../base/json.js" */

/** The longest text in UTF-8 bytes: a line that a person types, not a program. */
export const MAXIMUM_BYTES = 4_096;

/** @typedef {typeof ROOTS[number]} Root */
/** A member's name, an index, or each element of an array. @typedef {string | number | true} Step */
/** @typedef {{ root: Root, steps: Step[] }} Path */
/** @typedef {null | boolean | number | ExactNumber | string} Literal */
/**
 * @typedef {{ is: "path", path: Path } | { is: "literal", value: Literal }
 *   | { is: "sum", paths: Path[] }} Operand
 */
/** @typedef {"==" | "!=" | "<" | "<=" | ">" | ">="} Comparison */

/**
 * @typedef {{ is: "value", operand: Operand }
 *   | { is: "compare", left: Operand, comparison: Comparison, right: Operand }
 *   | { is: "contains" | "includes", left: Operand, right: Operand }
 *   | { is: "matches", left: Operand, pattern: Pattern }
 *   | { is: "anywhere", test: LeafTest }
 *   | { is: "changed", path: Path }
 *   | { is: "not", inner: Expression }
 *   | { is: "all" | "any", parts: Expression[] }} Expression
 */

/**
 * A condition on one leaf of a moment: a string, a number, a Boolean, or `null`.
 *
 * @typedef {{ is: Comparison, literal: Literal } | { is: "contains", text: string }
 *   | { is: "matches", pattern: Pattern }} LeafTest
 */

/** The conditions that need parentheses after `!`. */
const COMPARING = ["compare", "contains", "includes", "matches", "anywhere"];

/**
 * Reads a predicate.
 *
 * @param {string} text
 * @returns {Expression}
 * @throws {PredicateError} with the column of the error
 */
export function parsePredicate(text) {
  if (new TextEncoder().encode(text).length > MAXIMUM_BYTES) {
    throw new PredicateError(`a predicate has at most ${MAXIMUM_BYTES} bytes`, MAXIMUM_BYTES + 1);
  }
  return new Parser(text).predicate();
}

class Parser extends TokenReader {
  /** Whether the condition just read ended with its own parenthesis. */
  #lastWasClosed = false;

  /** @returns {Expression} */
  predicate() {
    if (this.token.is === "end") {
      throw this.error('a predicate was expected, such as event == "tapped"');
    }
    const expression = this.#any();
    const rest = this.next;
    if (rest.is === "end") return expression;
    if (this.isSign(")")) throw this.error("this parenthesis was never opened");
    if (rest.is === "word") throw this.error(afterCondition(rest.text));
    throw this.error("'&&' or '||' was expected between two conditions");
  }

  /** @returns {Expression} */
  #any() {
    const first = this.#all();
    const parts = [first];
    while (this.isSign("||")) {
      this.advance();
      parts.push(this.#all());
    }
    return parts.length === 1 ? first : { is: "any", parts };
  }

  /** @returns {Expression} */
  #all() {
    const first = this.#condition();
    const parts = [first];
    while (this.isSign("&&")) {
      this.advance();
      parts.push(this.#condition());
    }
    return parts.length === 1 ? first : { is: "all", parts };
  }

  /** @returns {Expression} */
  #condition() {
    if (this.isSign("!")) {
      const place = this.token.start;
      const inner = this.nested(() => {
        this.advance();
        return this.#condition();
      });
      const isComparison = COMPARING.includes(inner.is);
      if (isComparison && !this.#lastWasClosed) {
        throw this.lexer.error("put the comparison into parentheses: !(a == b)", place);
      }
      return { is: "not", inner };
    }
    if (this.isSign("(")) {
      const inner = this.nested(() => {
        this.advance();
        const inner = this.#any();
        this.expect(")", "this condition's parenthesis is not closed");
        return inner;
      });
      this.#lastWasClosed = true;
      if (this.operator) throw this.error("a comparison is between two values, not conditions");
      return inner;
    }
    if (this.token.is === "word" && CALLS.includes(this.token.text)) {
      return this.#call(this.token.text);
    }
    return this.#comparison();
  }

  /** @returns {Expression} */
  #comparison() {
    if (this.isWord("anywhere")) return this.#anywhere();
    const left = this.#operand();
    this.#lastWasClosed = false;
    const operator = this.operator;
    if (!operator) return { is: "value", operand: left };
    this.advance();
    /** @type {Expression} */
    const expression = operator === "contains" || operator === "includes"
      ? { is: operator, left, right: this.#operand() }
      : operator === "matches"
      ? { is: "matches", left, pattern: this.#pattern() }
      : { is: "compare", left, comparison: operator, right: this.#operand() };
    if (this.operator) throw this.error("comparisons do not chain; join two with '&&'");
    return expression;
  }

  /**
   * `changed(path)`, `contains(a, b)`, `includes(a, b)`, `matches(a, "…")`.
   *
   * @param {string} word
   * @returns {Expression}
   */
  #call(word) {
    const place = this.token.start;
    this.advance();
    if (!this.isSign("(")) {
      throw this.lexer.error(
        word === "changed"
          ? "'changed' is followed by a path in parentheses: changed(state.user)"
          : `'${word}' goes between two values: state.name ${word} "x"`,
        place,
      );
    }
    const expression = this.nested(() => {
      this.advance();
      const expression = this.#arguments(word);
      this.expect(")", `the parenthesis of '${word}' is not closed`);
      return expression;
    });
    this.#lastWasClosed = true;
    if (this.operator) throw this.error(`'${word}' is a condition and cannot be compared`);
    return expression;
  }

  /**
   * @param {string} word
   * @returns {Expression}
   */
  #arguments(word) {
    const place = this.token.start;
    const comma = `'${word}' takes two values with a comma between them`;
    if ((word === "contains" || word === "matches") && this.isWord("anywhere")) {
      this.advance();
      this.expect(",", comma);
      return { is: "anywhere", test: this.#leafTest(word === "contains" ? "contains" : "matches") };
    }
    const left = this.#operand();
    if (word === "changed") {
      if (left.is !== "path" || (left.path.root !== "state" && left.path.root !== "outputs")) {
        throw this.lexer.error("'changed' takes a path that begins with state or outputs", place);
      }
      if (left.path.steps.includes(true)) {
        throw this.lexer.error("'changed' takes a path without [*]; name the list", place);
      }
      return { is: "changed", path: left.path };
    }
    this.expect(",", comma);
    return word === "contains" || word === "includes"
      ? { is: word, left, right: this.#operand() }
      : { is: "matches", left, pattern: this.#pattern() };
  }

  #pattern() {
    const token = this.token;
    if (token.is !== "string" && token.is !== "pattern") {
      throw this.error("'matches' takes a pattern: a string, or /…/");
    }
    try {
      const pattern = new Pattern(token.text);
      this.advance();
      return pattern;
    } catch (error) {
      if (!(error instanceof PatternError)) throw error;
      // Past the last scalar stands the closing quotation mark.
      const end = (token.places.at(-1) ?? token.start) + 1;
      throw this.lexer.error(error.message, token.places[error.offset] ?? end);
    }
  }

  /**
   * `anywhere == 4711`, `anywhere contains "x"`, `anywhere matches /x/`.
   *
   * @returns {Expression}
   */
  #anywhere() {
    const place = this.token.start;
    this.advance();
    this.#lastWasClosed = false;
    if (this.isSign(".") || this.isSign("[")) {
      throw this.error("'anywhere' has no parts; it means every leaf of event, state, and outputs");
    }
    const operator = this.operator;
    if (!operator) {
      throw this.lexer.error("'anywhere' needs a comparison: anywhere contains \"x\"", place);
    }
    if (operator === "!=") throw this.error("'anywhere' has many values; write !(anywhere == x)");
    this.advance();
    const test = this.#leafTest(operator);
    if (this.operator) throw this.error("comparisons do not chain; join two with '&&'");
    return { is: "anywhere", test };
  }

  /**
   * @param {Comparison | "contains" | "includes" | "matches"} operator
   * @returns {LeafTest}
   */
  #leafTest(operator) {
    if (operator === "matches") return { is: operator, pattern: this.#pattern() };
    if (operator === "includes") {
      throw this.error("'anywhere' tests single values; 'includes' is between two lists");
    }
    const { token } = this;
    if (token.is === "word" && token.text !== "sum" && !WORDS.includes(token.text)) {
      throw this.error(`a text needs quotes: anywhere ${operator} "${token.text}"`);
    }
    const place = this.token.start;
    const operand = this.#operand();
    if (operand.is !== "literal") {
      throw this.lexer.error("'anywhere' can only be compared with a literal", place);
    }
    const { value } = operand;
    if (operator !== "contains") return { is: operator, literal: value };
    if (typeof value === "string") return { is: operator, text: value };
    throw this.lexer.error(
      "'contains' finds a text; other values are found by anywhere == x",
      place,
    );
  }

  /** @returns {Operand} */
  #operand() {
    const token = this.token;
    switch (token.is) {
      case "number":
        this.advance();
        return { is: "literal", value: token.value };
      case "string":
        this.advance();
        return { is: "literal", value: token.text };
      case "word": {
        const literal = LITERALS.get(token.text);
        if (token.text === "sum") return this.#sum();
        if (literal === undefined) return { is: "path", path: this.#path(token.text) };
        this.advance();
        return { is: "literal", value: literal };
      }
      case "pattern":
        throw this.error("a pattern can only follow 'matches'");
      case "sign":
        if (token.text === "(") {
          throw this.error("a value was expected; parentheses hold conditions");
        }
        if (token.text === "[") {
          throw this.error("arrays cannot be written; compare their elements");
        }
        throw this.error(`a value was expected, not '${token.text}'`);
      case "end":
        throw this.error("a value is missing at the end");
    }
  }

  /**
   * `sum(state.items[*].cents)`, `sum(state.paid, state.due)`.
   *
   * @returns {Operand}
   */
  #sum() {
    const place = this.token.start;
    this.advance();
    if (!this.isSign("(")) {
      throw this.lexer.error(
        "'sum' is followed by paths in parentheses: sum(state.items[*].cents)",
        place,
      );
    }
    /** @type {Path[]} */
    const paths = [];
    do {
      this.advance();
      const operand = this.#operand();
      if (operand.is !== "path") throw this.lexer.error("'sum' takes paths", place);
      paths.push(operand.path);
    } while (this.isSign(","));
    this.expect(")", "the parenthesis of 'sum' is not closed");
    return { is: "sum", paths };
  }

  /**
   * @param {string} word
   * @returns {Path}
   */
  #path(word) {
    const place = this.token.start;
    this.advance();
    if (word === "before") return this.#pathBefore(place);
    if (word === "anywhere") {
      throw this.lexer.error("'anywhere' can only be on the left of a comparison", place);
    }
    const root = ROOTS.find((one) => one === word);
    if (!root) throw this.lexer.error(unknownName(word, this.isSign("("), WORDS), place);
    return { root, steps: this.#steps() };
  }

  /**
   * @param {number} place
   * @returns {Path}
   */
  #pathBefore(place) {
    const message = "'before' is followed by .state or .outputs";
    if (!this.isSign(".")) throw this.lexer.error(message, place);
    this.advance();
    const word = this.token.is === "word" ? this.token.text : "";
    const root = ROOTS.find((one) => one === `before.${word}`);
    if (!root) throw this.error(message);
    this.advance();
    return { root, steps: this.#steps() };
  }

  #steps() {
    /** @type {Step[]} */
    const steps = [];
    for (;;) {
      if (this.isSign(".")) {
        this.advance();
        if (this.token.is !== "word") {
          throw this.error('a name follows the point; other keys are written [0] or ["any key"]');
        }
        steps.push(this.token.text);
        this.advance();
      } else if (this.isSign("[")) {
        this.advance();
        steps.push(this.#subscript());
        this.advance();
        this.expect("]", "a key or index ends with ']'");
      } else {
        return steps;
      }
    }
  }

  /** @returns {Step} */
  #subscript() {
    const token = this.token;
    if (token.is === "string") return token.text;
    if (this.isSign("*")) return true;
    if (token.is !== "number") {
      throw this.error("an index or a key in quotation marks was expected in the brackets");
    }
    const index = token.value;
    if (
      typeof index !== "number" || !Number.isSafeInteger(index) || index < 0 || Object.is(index, -0)
    ) {
      throw this.error("an index is a whole number from 0 on");
    }
    return index;
  }
}
