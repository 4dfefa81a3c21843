/** Cuts a predicate's text into words, literals and signs. */

import { readNumber } from "../../base/json.js";

/** @import { ExactNumber } from "../../base/json.js" */

/** Why a text is not a predicate; the column counts scalars from 1. */
export class PredicateError extends Error {
  /**
   * @param {string} message
   * @param {number} column
   */
  constructor(message, column) {
    super(message);
    this.name = "PredicateError";
    /** @readonly */
    this.column = column;
  }
}

/**
 * One piece of the text. `places` says at which scalar of the text each scalar of a string begins.
 *
 * @typedef {{ start: number } & ({ is: "word" | "sign", text: string }
 *   | { is: "number", value: number | ExactNumber }
 *   | { is: "string" | "pattern", text: string, places: number[] }
 *   | { is: "end" })} Token
 */

/** The bytes that a number may take, as in the protocol's messages. */
const MAXIMUM_NUMBER_LENGTH = 256;

const SIGNS = ["<", ">", "!", "(", ")", "[", "]", ".", ","];
const LONG_SIGNS = ["==", "!=", "<=", ">=", "&&", "||"];

/**
 * Whether a name may begin with it: a letter, `_`, `$`, or anything beyond ASCII that can be seen
 * and is not one of the common punctuation marks.
 *
 * @param {string} scalar
 * @returns {boolean}
 */
export function beginsName(scalar) {
  const value = scalar.codePointAt(0) ?? 0;
  if (value < 0x80) return /^[A-Za-z_$]$/.test(scalar);
  return value > 0xa0 && !(value >= 0x2000 && value <= 0x206f) && value !== 0x3000 &&
    value !== 0xfeff;
}

/**
 * Whether it may stand inside a name.
 *
 * @param {string} scalar
 * @returns {boolean}
 */
export function continuesName(scalar) {
  return beginsName(scalar) || /^[0-9]$/.test(scalar);
}

export class Lexer {
  #scalars;
  #index = 0;
  /** Whether the last piece can end a value, after which `-` and `/` could only calculate. */
  #endsValue = false;

  /** @param {string} text */
  constructor(text) {
    this.#scalars = [...text];
  }

  /**
   * An error at a scalar of the text.
   *
   * @param {string} message
   * @param {number} place
   */
  error(message, place) {
    return new PredicateError(message, place + 1);
  }

  /**
   * The next piece; at the end, always the end.
   *
   * @returns {Token}
   */
  next() {
    while (" \t\n\r".includes(this.#peek() ?? "x")) this.#index++;
    const start = this.#index;
    const scalar = this.#peek();
    if (scalar === undefined) return { is: "end", start };
    if (this.#endsValue && (scalar === "-" || scalar === "/")) {
      throw this.error(NO_CALCULATION, start);
    }
    const token = this.#token(scalar, start);
    this.#endsValue = canEndValue(token);
    return token;
  }

  /**
   * @param {string} scalar the one with which it begins
   * @param {number} start
   * @returns {Token}
   */
  #token(scalar, start) {
    if (scalar === '"' || scalar === "'") return { start, ...this.#string(scalar) };
    if (scalar === "/") return { start, ...this.#pattern() };
    if (/^[-0-9]$/.test(scalar)) return { is: "number", start, value: this.#number() };
    if (beginsName(scalar)) return { is: "word", start, text: this.#name() };
    return { is: "sign", start, text: this.#sign(scalar) };
  }

  /** @param {number} [ahead] */
  #peek(ahead = 0) {
    return this.#scalars[this.#index + ahead];
  }

  #name() {
    let name = "";
    for (let scalar = this.#peek(); scalar && continuesName(scalar); scalar = this.#peek()) {
      name += scalar;
      this.#index++;
    }
    return name;
  }

  /** @param {string} scalar */
  #sign(scalar) {
    const start = this.#index;
    const two = scalar + (this.#peek(1) ?? "");
    if (LONG_SIGNS.includes(two)) {
      this.#index += 2;
      if ((two === "==" || two === "!=") && this.#peek() === "=") {
        throw this.error(`write '${two}', not '${two}='`, start);
      }
      return two;
    }
    if (SIGNS.includes(scalar) || (scalar === "*" && this.#isAfterBracket())) {
      this.#index++;
      return scalar;
    }
    throw this.error(noMeaning(scalar), start);
  }

  /** Whether the scalar before this one, spaces aside, opens a bracket. */
  #isAfterBracket() {
    return this.#scalars.slice(0, this.#index).findLast((one) => !" \t\n\r".includes(one)) === "[";
  }

  #number() {
    const start = this.#index;
    let text = "";
    for (let scalar = this.#peek(); scalar !== undefined; scalar = this.#peek()) {
      const isSign = scalar === "-" || scalar === "+";
      const mayBeSign = text === "" || /[eE]$/.test(text);
      if (isSign ? !mayBeSign : scalar !== "." && !continuesName(scalar)) break;
      text += scalar;
      this.#index++;
    }
    if (text === "-" && this.#peek() !== undefined) throw this.error(NO_CALCULATION, start);
    const number = text.length <= MAXIMUM_NUMBER_LENGTH ? readNumber(text) : undefined;
    if (number === undefined) throw this.error("this is not a number as JSON writes it", start);
    return number;
  }

  /**
   * @param {string} quote
   * @returns {{ is: "string", text: string, places: number[] }}
   */
  #string(quote) {
    const start = this.#index++;
    let text = "";
    /** @type {number[]} */
    const places = [];
    for (let scalar = this.#peek(); scalar !== undefined; scalar = this.#peek()) {
      const place = this.#index++;
      if (scalar === quote) return { is: "string", text, places };
      if (scalar < " ") {
        throw this.error("a control character in a string is written as an escape", place);
      }
      text += scalar === "\\" ? this.#escape(place) : scalar;
      places.push(place);
    }
    throw this.error("the string that begins here has no end", start);
  }

  /**
   * What the escape at `place` stands for; its backslash has been read.
   *
   * @param {number} place
   */
  #escape(place) {
    const scalar = this.#peek();
    if (scalar === undefined) throw this.error("the text ends inside a string", place);
    this.#index++;
    const plain = "\"\\/'".includes(scalar) ? scalar : SHORT_ESCAPES[scalar];
    if (plain !== undefined) return plain;
    if (scalar !== "u") {
      throw this.error(
        "a string has no escape like this; in a pattern write two backslashes or /…/",
        place,
      );
    }
    let unit = this.#hexUnit();
    if (unit === undefined) throw this.error("four hexadecimal digits follow \\u", place);
    if (unit >= 0xd800 && unit <= 0xdbff && this.#peek() === "\\" && this.#peek(1) === "u") {
      this.#index += 2;
      const low = this.#hexUnit();
      if (low !== undefined && low >= 0xdc00 && low <= 0xdfff) {
        unit = 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
      }
    }
    if (unit >= 0xd800 && unit <= 0xdfff) {
      throw this.error("half of a surrogate pair is not a character", place);
    }
    return String.fromCodePoint(unit);
  }

  #hexUnit() {
    const digits = this.#scalars.slice(this.#index, this.#index + 4).join("");
    if (!/^[\da-fA-F]{4}$/.test(digits)) return undefined;
    this.#index += 4;
    return parseInt(digits, 16);
  }

  /**
   * A pattern up to the closing slash; `\/` is a slash, other escapes stay for the pattern.
   *
   * @returns {{ is: "pattern", text: string, places: number[] }}
   */
  #pattern() {
    const start = this.#index++;
    let text = "";
    /** @type {number[]} */
    const places = [];
    for (let scalar = this.#peek(); scalar !== undefined; scalar = this.#peek()) {
      if (scalar < " ") {
        throw this.error("a control character in a pattern is written as an escape", this.#index);
      }
      if (scalar === "/") {
        this.#index++;
        return this.#flagged(text, places, start);
      }
      const next = this.#peek(1);
      if (scalar === "\\" && next !== undefined && next >= " ") {
        if (next !== "/") {
          text += scalar;
          places.push(this.#index);
        }
        text += next;
        places.push(this.#index + (next === "/" ? 0 : 1));
        this.#index += 2;
      } else {
        text += scalar;
        places.push(this.#index++);
      }
    }
    throw this.error("the pattern that begins here has no end", start);
  }

  /**
   * @param {string} text
   * @param {number[]} places
   * @param {number} start
   * @returns {{ is: "pattern", text: string, places: number[] }}
   */
  #flagged(text, places, start) {
    if (!continuesName(this.#peek() ?? " ")) return { is: "pattern", text, places };
    const place = this.#index;
    if (this.#name() !== "i") throw this.error("a pattern's only flag is 'i'", place);
    return { is: "pattern", text: "(?i)" + text, places: [start, start, start, start, ...places] };
  }
}

/** @type {Record<string, string>} */
const SHORT_ESCAPES = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };

const NO_CALCULATION =
  "predicates do not calculate; declare an output with the result, and compare that";

/** @param {Token} token */
function canEndValue(token) {
  switch (token.is) {
    case "word":
      return !["contains", "includes", "matches"].includes(token.text);
    case "sign":
      return token.text === "]" || token.text === ")";
    case "end":
      return false;
    case "number":
    case "string":
    case "pattern":
      return true;
  }
}

/** @param {string} scalar */
function noMeaning(scalar) {
  switch (scalar) {
    case "+":
    case "*":
    case "%":
      return NO_CALCULATION;
    case "=":
      return "a comparison for equality is written '=='";
    case "&":
      return "'and' is written '&&'";
    case "|":
      return "'or' is written '||'";
    case "\u{2018}":
    case "\u{2019}":
    case "\u{201c}":
    case "\u{201d}":
      return "a string needs straight quotation marks, \" or '";
    case "{":
      return "objects cannot be compared as a whole; name a path inside";
  }
  const isVisible = scalar >= "!" && scalar <= "~";
  const number = (scalar.codePointAt(0) ?? 0).toString(16).toUpperCase();
  return `${isVisible ? `'${scalar}'` : `U+${number}`} has no meaning here`;
}
