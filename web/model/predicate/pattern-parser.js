/** Reads a pattern by recursive descent. */

import { ScalarSet, SETS } from "./scalar-set.js";

/** The instructions that a pattern may take; with them the time for one scalar is bounded. */
export const MAXIMUM_INSTRUCTIONS = 2_000;

/** How deep groups may be nested. */
const MAXIMUM_DEPTH = 64;

/** The most repetitions that can be asked for by number. */
const MAXIMUM_COUNT = 1_000;

/** @typedef {"start" | "end" | "boundary" | "noBoundary"} Place */

/**
 * A pattern as it was read; `most` is `undefined` for any number of times.
 *
 * @typedef {{ is: "empty" } | { is: "one", set: ScalarSet } | { is: "place", place: Place }
 *   | { is: "sequence" | "choice", parts: PatternTree[] }
 *   | { is: "repeated", part: PatternTree, least: number, most: number | undefined }} PatternTree
 */

/** Why a text is not a pattern; `offset` counts scalars from 0. */
export class PatternError extends Error {
  /**
   * @param {string} message
   * @param {number} offset
   */
  constructor(message, offset) {
    super(message);
    this.name = "PatternError";
    /** @readonly */
    this.offset = offset;
  }
}

/**
 * How many instructions a tree takes.
 *
 * @param {PatternTree} tree
 * @returns {number}
 */
export function sizeOf(tree) {
  switch (tree.is) {
    case "empty":
      return 0;
    case "one":
    case "place":
      return 1;
    case "sequence":
      return tree.parts.reduce((sum, part) => sum + sizeOf(part), 0);
    case "choice":
      return tree.parts.reduce((sum, part) => sum + sizeOf(part), 2 * (tree.parts.length - 1));
    case "repeated":
      return tree.most === undefined
        ? sizeOf(tree.part) * Math.max(tree.least, 1) + 2
        : sizeOf(tree.part) * tree.most + tree.most - tree.least;
  }
}

/** @typedef {{ one: number } | { many: ScalarSet } | { place: Place }} Escape */

export class PatternParser {
  ignoresCase = false;
  #scalars;
  #index = 0;
  #depth = 0;

  /** @param {string} source */
  constructor(source) {
    this.#scalars = [...source];
  }

  /** @returns {PatternTree} */
  pattern() {
    if (this.#scalars.slice(0, 4).join("") === "(?i)") {
      this.ignoresCase = true;
      this.#index = 4;
    }
    const tree = this.#choice();
    if (this.#index < this.#scalars.length) throw this.#error("this parenthesis was never opened");
    this.#check(tree, 0);
    return tree;
  }

  /** @param {number} [ahead] */
  #peek(ahead = 0) {
    return this.#scalars[this.#index + ahead];
  }

  /**
   * @param {string} message
   * @param {number} [place]
   */
  #error(message, place = this.#index) {
    return new PatternError(message, place);
  }

  /** @returns {PatternTree} */
  #choice() {
    const first = this.#sequence();
    const parts = [first];
    while (this.#peek() === "|") {
      this.#index++;
      parts.push(this.#sequence());
    }
    return parts.length === 1 ? first : { is: "choice", parts };
  }

  /** @returns {PatternTree} */
  #sequence() {
    /** @type {PatternTree[]} */
    const parts = [];
    for (;;) {
      const scalar = this.#peek();
      if (scalar === undefined || scalar === "|" || scalar === ")") break;
      const start = this.#index;
      parts.push(this.#repetition(this.#atom(scalar), start));
    }
    return parts.length === 0 ? { is: "empty" } : { is: "sequence", parts };
  }

  /**
   * @param {string} scalar
   * @returns {PatternTree}
   */
  #atom(scalar) {
    const start = this.#index++;
    switch (scalar) {
      case ".":
        return { is: "one", set: SETS.notNewline };
      case "^":
        return { is: "place", place: "start" };
      case "$":
        return { is: "place", place: "end" };
      case "[":
        return { is: "one", set: this.#class(start) };
      case "(":
        return this.#group(start);
      case "\\": {
        const escape = this.#escape(start);
        if ("place" in escape) return { is: "place", place: escape.place };
        return { is: "one", set: "many" in escape ? escape.many : ScalarSet.of(escape.one) };
      }
      case "*":
      case "+":
      case "?":
        throw this.#error(
          `there is nothing before '${scalar}' to repeat; a sign is written \\${scalar}`,
          start,
        );
      case "{":
        throw this.#error("there is nothing before '{' to repeat; a brace is written \\{", start);
      default:
        return { is: "one", set: ScalarSet.of(scalar.codePointAt(0) ?? 0) };
    }
  }

  /**
   * @param {number} start
   * @returns {PatternTree}
   */
  #group(start) {
    if (this.#peek() === "?") {
      if (this.#peek(1) !== ":") {
        throw this.#error(
          this.#peek(1) === "i"
            ? "(?i) must be at the start of the pattern and applies to all of it"
            : "lookaround and named groups cannot be matched in linear time; use (…)",
          start,
        );
      }
      this.#index += 2;
    }
    if (this.#depth >= MAXIMUM_DEPTH) {
      throw this.#error(`groups are nested more than ${MAXIMUM_DEPTH} levels deep`, start);
    }
    this.#depth++;
    const tree = this.#choice();
    this.#depth--;
    if (this.#peek() !== ")") throw this.#error("the group that begins here has no end", start);
    this.#index++;
    return tree;
  }

  /**
   * @param {PatternTree} atom
   * @param {number} start
   * @returns {PatternTree}
   */
  #repetition(atom, start) {
    const times = this.#quantifier();
    if (!times) return atom;
    if (atom.is === "place") throw this.#error("an anchor cannot be repeated", start);
    // Whether a match is greedy or not does not change that there is one.
    if (this.#peek() === "?") this.#index++;
    if ("*+?{".includes(this.#peek() ?? "x")) {
      throw this.#error("only one repetition may follow; put the first into a group");
    }
    /** @type {PatternTree} */
    const tree = { is: "repeated", part: atom, ...times };
    this.#check(tree, start);
    return tree;
  }

  /** @returns {{ least: number, most: number | undefined } | undefined} */
  #quantifier() {
    const start = this.#index;
    switch (this.#peek()) {
      case "*":
        this.#index++;
        return { least: 0, most: undefined };
      case "+":
        this.#index++;
        return { least: 1, most: undefined };
      case "?":
        this.#index++;
        return { least: 0, most: 1 };
      case "{":
        this.#index++;
        return this.#counts(start);
      default:
        return undefined;
    }
  }

  /** @param {number} start */
  #counts(start) {
    const least = this.#number();
    if (least === undefined) {
      throw this.#error(
        "a repetition is written {2}, {2,} or {2,5}; a brace is written \\{",
        start,
      );
    }
    /** @type {number | undefined} */
    let most = least;
    if (this.#peek() === ",") {
      this.#index++;
      most = this.#number();
    }
    if (this.#peek() !== "}") {
      throw this.#error("the repetition that begins here has no end", start);
    }
    this.#index++;
    if (Math.max(least, most ?? 0) > MAXIMUM_COUNT) {
      throw this.#error(`a repetition goes to ${MAXIMUM_COUNT} at most`, start);
    }
    if (most !== undefined && most < least) {
      throw this.#error("the first number is the smaller one", start);
    }
    return { least, most };
  }

  #number() {
    /** @type {number | undefined} */
    let value;
    for (let scalar = this.#peek(); scalar && /^[0-9]$/.test(scalar); scalar = this.#peek()) {
      // Beyond the maximum the exact value does not matter.
      value = Math.min((value ?? 0) * 10 + Number(scalar), MAXIMUM_COUNT + 1);
      this.#index++;
    }
    return value;
  }

  /**
   * @param {PatternTree} tree
   * @param {number} start
   */
  #check(tree, start) {
    if (sizeOf(tree) >= MAXIMUM_INSTRUCTIONS) {
      throw this.#error(`the pattern takes more than ${MAXIMUM_INSTRUCTIONS} instructions`, start);
    }
  }

  /**
   * What a backslash, which has been read, and what follows stand for.
   *
   * @param {number} start
   * @returns {Escape}
   */
  #escape(start) {
    const scalar = this.#peek();
    if (scalar === undefined) throw this.#error("a backslash ends the pattern", start);
    this.#index++;
    const many = SETS.escapes.get(scalar);
    if (many) return { many };
    switch (scalar) {
      case "b":
        return { place: "boundary" };
      case "B":
        return { place: "noBoundary" };
      case "n":
        return { one: 0x0a };
      case "r":
        return { one: 0x0d };
      case "t":
        return { one: 0x09 };
      case "f":
        return { one: 0x0c };
      case "v":
        return { one: 0x0b };
      case "u":
        return { one: this.#unicode(start) };
    }
    if (/^[1-9k]$/.test(scalar)) {
      throw this.#error("a reference to a group cannot be matched in linear time", start);
    }
    if (/^[0a-zA-Z]$/.test(scalar)) throw this.#error(`there is no escape \\${scalar}`, start);
    return { one: scalar.codePointAt(0) ?? 0 };
  }

  /**
   * `\u0041` or `\u{1F600}`.
   *
   * @param {number} start
   */
  #unicode(start) {
    const isBraced = this.#peek() === "{";
    if (isBraced) this.#index++;
    let digits = "";
    while (digits.length < (isBraced ? 6 : 4) && /^[\da-f]$/i.test(this.#peek() ?? "")) {
      digits += this.#peek();
      this.#index++;
    }
    const isComplete = isBraced ? digits !== "" && this.#peek() === "}" : digits.length === 4;
    if (isBraced && isComplete) this.#index++;
    const value = parseInt(digits, 16);
    if (!isComplete || value > 0x10ffff || (value >= 0xd800 && value <= 0xdfff)) {
      throw this.#error("a scalar is written \\u0041 or \\u{1F600}", start);
    }
    return value;
  }

  /**
   * @param {number} start
   * @returns {ScalarSet}
   */
  #class(start) {
    const isNegated = this.#peek() === "^";
    if (isNegated) this.#index++;
    /** @type {[number, number][]} */
    const ranges = [];
    for (let scalar = this.#peek(); scalar !== undefined; scalar = this.#peek()) {
      if (scalar === "]") {
        this.#index++;
        if (ranges.length === 0) throw this.#error("a class holds at least one character", start);
        return new ScalarSet(ranges, isNegated);
      }
      const place = this.#index;
      const first = this.#classMember(ranges);
      if (first === undefined) continue;
      if (this.#peek() !== "-" || this.#peek(1) === undefined || this.#peek(1) === "]") {
        ranges.push([first, first]);
        continue;
      }
      this.#index++;
      const last = this.#classMember(ranges);
      if (last === undefined || last < first) {
        throw this.#error("a range goes from a smaller to a larger character", place);
      }
      ranges.push([first, last]);
    }
    throw this.#error("the class that begins here has no end", start);
  }

  /**
   * One character of a class; nothing when it was an escape for many, which has been added.
   *
   * @param {[number, number][]} ranges
   * @returns {number | undefined}
   */
  #classMember(ranges) {
    const start = this.#index;
    const scalar = this.#peek();
    if (scalar === undefined) throw this.#error("the class has no end", start);
    this.#index++;
    if (scalar === "[") throw this.#error("a bracket in a class is written \\[", start);
    if (scalar !== "\\") return scalar.codePointAt(0);
    const escape = this.#escape(start);
    if ("one" in escape) return escape.one;
    if ("place" in escape) throw this.#error("an anchor cannot be in a class", start);
    ranges.push(...escape.many.positiveRanges);
    return undefined;
  }
}
