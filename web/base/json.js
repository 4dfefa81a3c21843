/**
 * JSON as the page holds it: what `JSON.parse` gives, but numbers that a double cannot hold stay
 * exact, and the names of members are never taken for those of JavaScript's own.
 */

import { hasDelicateNumber } from "./delicate-numbers.js";
import { compareDecimals, readDecimal, spellDecimal } from "./decimal.js";

/** A number that no double holds, by its canonical text. */
export class ExactNumber {
  /** @param {string} text a number in the canonical spelling */
  constructor(text) {
    /** @readonly */
    this.text = text;
  }

  /** @returns {string} */
  toString() {
    return this.text;
  }
}

/** @import { Json, JsonObject } from "./json-types.d.ts" */
/** @typedef {"null" | "boolean" | "number" | "string" | "array" | "object"} Kind */

/** Why a text is not JSON, and at which of its UTF-16 units. */
export class JsonError extends Error {
  /**
   * @param {string} message
   * @param {number} offset
   */
  constructor(message, offset) {
    super(message);
    this.name = "JsonError";
    /** @readonly */
    this.offset = offset;
  }
}

/**
 * Reads a text.
 *
 * @param {string} text
 * @returns {Json}
 * @throws {JsonError} when it is not JSON
 */
export function parseJson(text) {
  // Most texts have no such number, and the browser's own reader is several times faster.
  if (hasDelicateNumber(text)) return new Reader(text).whole();
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new JsonError(error instanceof Error ? error.message : String(error), 0);
  }
}

/**
 * The number that a text writes: a double when that is exactly it.
 *
 * @param {string} text
 * @returns {number | ExactNumber | undefined}
 */
export function readNumber(text) {
  const decimal = readDecimal(text);
  if (!decimal) return undefined;
  const spelled = spellDecimal(decimal);
  const double = Number(text);
  return Number.isFinite(double) && numberText(double) === spelled
    ? double
    : new ExactNumber(spelled);
}

/**
 * A number in the canonical spelling: ECMAScript's, but `-0` for minus zero.
 *
 * @param {number | ExactNumber} number
 * @returns {string}
 */
export function numberText(number) {
  if (typeof number !== "number") return number.text;
  return Object.is(number, -0) ? "-0" : String(number);
}

/**
 * As for sorting: by exact value, zero and minus zero alike.
 *
 * @param {number | ExactNumber} left
 * @param {number | ExactNumber} right
 * @returns {number}
 */
export function compareNumbers(left, right) {
  if (typeof left === "number" && typeof right === "number") return left - right;
  const decimals = [left, right].map((number) => readDecimal(numberText(number)));
  const [first, second] = decimals;
  return first && second ? compareDecimals(first, second) : 0;
}

/**
 * @param {Json | undefined} value
 * @returns {value is JsonObject}
 */
export function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value) &&
    !(value instanceof ExactNumber);
}

/**
 * @param {Json | undefined} value
 * @returns {value is number | ExactNumber}
 */
export function isNumber(value) {
  return typeof value === "number" || value instanceof ExactNumber;
}

/**
 * What kind of value it is; a missing one is null.
 *
 * @param {Json | undefined} value
 * @returns {Kind}
 */
export function kindOf(value) {
  if (value === null || value === undefined) return "null";
  if (Array.isArray(value)) return "array";
  if (isNumber(value)) return "number";
  if (typeof value === "boolean") return "boolean";
  return typeof value === "string" ? "string" : "object";
}

/**
 * The member with that name, when it is an object that has one of its own.
 *
 * @param {Json | undefined} value
 * @param {string} key
 * @returns {Json | undefined}
 */
export function member(value, key) {
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/**
 * Gives an object a member, whatever its name: `__proto__` is a name like any other.
 *
 * @param {JsonObject} object
 * @param {string} key
 * @param {Json} value
 */
export function setMember(object, key, value) {
  if (key === "__proto__") {
    Object.defineProperty(object, key, {
      value,
      writable: true,
      enumerable: true,
      configurable: true,
    });
  } else {
    object[key] = value;
  }
}

/**
 * Whether both are the same value. Zero and minus zero differ; the order of members does not matter.
 *
 * @param {Json | undefined} left
 * @param {Json | undefined} right
 * @returns {boolean}
 */
export function equalJson(left, right) {
  if (left === right) return left !== 0 || Object.is(left, right);
  if (typeof left !== "object" || typeof right !== "object") return Object.is(left, right);
  if (left === null || right === null) return false;
  if (left instanceof ExactNumber || right instanceof ExactNumber) {
    return left instanceof ExactNumber && right instanceof ExactNumber && left.text === right.text;
  }
  if (Array.isArray(left) || Array.isArray(right)) {
    return Array.isArray(left) && Array.isArray(right) && left.length === right.length &&
      left.every((element, index) => equalJson(element, right[index]));
  }
  const keys = Object.keys(left);
  return keys.length === Object.keys(right).length &&
    keys.every((key) => Object.hasOwn(right, key) && equalJson(left[key], right[key]));
}

/**
 * The text of a value. With `indent` spread over lines.
 *
 * @param {Json} value
 * @param {number} [indent] spaces for each level
 * @returns {string}
 */
export function writeJson(value, indent = 0) {
  /** @type {string[]} */
  const out = [];
  write(value, indent > 0 ? "\n" : "", " ".repeat(indent), out);
  return out.join("");
}

/**
 * @param {Json} value
 * @param {string} newline the line feed and indentation at this level; empty for one line
 * @param {string} step
 * @param {string[]} out
 */
function write(value, newline, step, out) {
  if (isNumber(value)) {
    out.push(numberText(value));
  } else if (value === null || typeof value !== "object") {
    out.push(JSON.stringify(value));
  } else if (Array.isArray(value)) {
    writeParts("[", value, (element, inner) => write(element, inner, step, out), "]");
  } else {
    writeParts("{", Object.entries(value), ([key, inside], inner) => {
      out.push(JSON.stringify(key), newline ? ": " : ":");
      write(inside, inner, step, out);
    }, "}");
  }

  /**
   * @template Part
   * @param {string} open
   * @param {Part[]} parts
   * @param {(part: Part, newline: string) => void} one
   * @param {string} close
   */
  function writeParts(open, parts, one, close) {
    const inner = newline && newline + step;
    out.push(open);
    parts.forEach((part, index) => {
      out.push(index > 0 ? "," : "", inner);
      one(part, inner);
    });
    out.push(parts.length > 0 ? newline : "", close);
  }
}

/** How deep values may be nested: what the daemon allows, and some more. */
const MAXIMUM_DEPTH = 1_000;

/** Reads JSON by recursive descent and keeps every number exact. */
class Reader {
  #text;
  #at = 0;
  #depth = 0;

  /** @param {string} text */
  constructor(text) {
    this.#text = text;
  }

  /** @returns {Json} */
  whole() {
    const value = this.#value();
    this.#skipSpace();
    if (this.#at < this.#text.length) throw this.#error("more follows after the value");
    return value;
  }

  /** @param {string} message */
  #error(message) {
    return new JsonError(`${message} (at ${this.#at})`, this.#at);
  }

  #skipSpace() {
    while (" \t\n\r".includes(this.#text[this.#at] ?? "x")) this.#at++;
  }

  /** @returns {Json} */
  #value() {
    this.#skipSpace();
    const sign = this.#text[this.#at];
    switch (sign) {
      case "{":
        return this.#nested(() => this.#object());
      case "[":
        return this.#nested(() => this.#array());
      case '"':
        return this.#string();
      case "t":
        return this.#word("true", true);
      case "f":
        return this.#word("false", false);
      case "n":
        return this.#word("null", null);
      default:
        return this.#number();
    }
  }

  /**
   * @param {string} word
   * @param {Json} value
   */
  #word(word, value) {
    if (!this.#text.startsWith(word, this.#at)) throw this.#error("a value was expected");
    this.#at += word.length;
    return value;
  }

  /** @param {() => Json} read */
  #nested(read) {
    if (this.#depth >= MAXIMUM_DEPTH) throw this.#error("values are nested too deeply");
    this.#depth++;
    this.#at++;
    const value = read();
    this.#depth--;
    return value;
  }

  /**
   * Whether the sign stands next; then it is taken.
   *
   * @param {string} sign
   */
  #takes(sign) {
    this.#skipSpace();
    if (this.#text[this.#at] !== sign) return false;
    this.#at++;
    return true;
  }

  #object() {
    /** @type {JsonObject} */
    const object = {};
    if (this.#takes("}")) return object;
    do {
      this.#skipSpace();
      if (this.#text[this.#at] !== '"') throw this.#error("a key was expected");
      const key = this.#string();
      if (!this.#takes(":")) throw this.#error("':' was expected");
      setMember(object, key, this.#value());
    } while (this.#takes(","));
    if (!this.#takes("}")) throw this.#error("',' or '}' was expected");
    return object;
  }

  #array() {
    /** @type {Json[]} */
    const array = [];
    if (this.#takes("]")) return array;
    do array.push(this.#value()); while (this.#takes(","));
    if (!this.#takes("]")) throw this.#error("',' or ']' was expected");
    return array;
  }

  #string() {
    let end = this.#at;
    for (;;) {
      end = this.#text.indexOf('"', end + 1);
      if (end < 0) throw this.#error("the string that begins here has no end");
      let slashes = 0;
      while (this.#text[end - 1 - slashes] === "\\") slashes++;
      if (slashes % 2 === 0) break;
    }
    try {
      /** @type {string} */
      const string = JSON.parse(this.#text.slice(this.#at, end + 1));
      this.#at = end + 1;
      return string;
    } catch {
      throw this.#error("this is not a string as JSON writes it");
    }
  }

  #number() {
    let end = this.#at;
    while ("+-.0123456789eE".includes(this.#text[end] ?? "x")) end++;
    const number = readNumber(this.#text.slice(this.#at, end));
    if (number === undefined) throw this.#error("a value was expected");
    this.#at = end;
    return number;
  }
}
