/** The pieces of a predicate, one after the other. */

import { Lexer } from "./lexer.js";

/** @import { Token } from "./lexer.js" */
/** @import { Comparison } from "./parser.js" */

/** How deep parentheses, calls and `!` may be nested. */
const MAXIMUM_DEPTH = 64;

/** @type {readonly Comparison[]} */
const COMPARISONS = ["==", "!=", "<", "<=", ">", ">="];

export class TokenReader {
  /** @readonly */
  lexer;
  /** @type {Token} */
  token;
  /** How many parentheses, calls and `!` are open. */
  #depth = 0;

  /** @param {string} text */
  constructor(text) {
    this.lexer = new Lexer(text);
    this.token = this.lexer.next();
  }

  /** The piece that has not been used, as the compiler cannot know that it has changed. */
  get next() {
    return this.token;
  }

  advance() {
    this.token = this.lexer.next();
  }

  /** @param {string} word */
  isWord(word) {
    return this.token.is === "word" && this.token.text === word;
  }

  /** @param {string} sign */
  isSign(sign) {
    return this.token.is === "sign" && this.token.text === sign;
  }

  /**
   * @param {string} sign
   * @param {string} message
   */
  expect(sign, message) {
    if (!this.isSign(sign)) throw this.error(message);
    this.advance();
  }

  /** @param {string} message */
  error(message) {
    return this.lexer.error(message, this.token.start);
  }

  /**
   * The operator that stands next, when one does.
   *
   * @returns {Comparison | "contains" | "includes" | "matches" | undefined}
   */
  get operator() {
    const token = this.token;
    if (token.is === "sign") return COMPARISONS.find((one) => one === token.text);
    if (token.is !== "word") return undefined;
    const { text } = token;
    return text === "contains" || text === "includes" || text === "matches" ? text : undefined;
  }

  /**
   * Reads what is inside a parenthesis or after a `!`.
   *
   * @template Inner
   * @param {() => Inner} read
   * @returns {Inner}
   */
  nested(read) {
    if (this.#depth >= MAXIMUM_DEPTH) {
      throw this.error(`conditions are nested more than ${MAXIMUM_DEPTH} levels deep`);
    }
    this.#depth++;
    const inner = read();
    this.#depth--;
    return inner;
  }
}
