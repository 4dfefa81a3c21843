/**
 * Patterns that are matched in time linear to the text, whatever the pattern: all ways through the
 * program are followed at the same time (Thompson's simulation).
 */

import { PatternParser, sizeOf } from "./pattern-parser.js";
import { SETS } from "./scalar-set.js";

/** @import { PatternTree, Place } from "./pattern-parser.js" */
/** @import { ScalarSet } from "./scalar-set.js" */

/**
 * @typedef {{ is: "one", set: ScalarSet } | { is: "place", place: Place }
 *   | { is: "split", first: number, second: number } | { is: "jump", to: number }
 *   | { is: "match" }} Instruction
 */

export class Pattern {
  /** @type {Instruction[]} */
  #program = [];
  #ignoresCase;

  /**
   * @param {string} source
   * @throws {import("./pattern-parser.js").PatternError} when it is invalid
   */
  constructor(source) {
    const parser = new PatternParser(source);
    const tree = parser.pattern();
    /** @readonly */
    this.source = source;
    this.#ignoresCase = parser.ignoresCase;
    this.#emit(tree);
    this.#program.push({ is: "match" });
    /** Instructions visited by the last match: what a test holds against the bound. */
    this.steps = 0;
  }

  /** How many instructions it has. */
  get size() {
    return this.#program.length;
  }

  /**
   * Whether the text has a place that fits.
   *
   * @param {string} text
   * @returns {boolean}
   */
  matches(text) {
    this.steps = 0;
    const visited = new Int32Array(this.#program.length).fill(-1);
    /** @type {number | undefined} */
    let previous;
    let place = 0;
    /** @type {number[]} */
    let taken = [];
    for (const character of text) {
      const scalar = character.codePointAt(0) ?? 0;
      const waiting = this.#follow(taken, place++, previous, scalar, visited);
      if (!waiting) return true;
      taken = [];
      for (const at of waiting) {
        const instruction = this.#program[at];
        if (instruction?.is === "one" && this.#fits(instruction.set, scalar)) taken.push(at + 1);
      }
      previous = scalar;
    }
    return this.#follow(taken, place, previous, undefined, visited) === undefined;
  }

  /**
   * @param {ScalarSet} set
   * @param {number} scalar
   */
  #fits(set, scalar) {
    return this.#ignoresCase ? set.hasIgnoringCase(scalar) : set.has(scalar);
  }

  /**
   * Follows all that needs no scalar, from these instructions and from the program's start. Answers
   * the instructions that wait for the next scalar, or nothing when the pattern fits.
   *
   * @param {number[]} starts
   * @param {number} place
   * @param {number | undefined} previous
   * @param {number | undefined} next
   * @param {Int32Array} visited
   * @returns {number[] | undefined}
   */
  #follow(starts, place, previous, next, visited) {
    /** @type {number[]} */
    const waiting = [];
    const pending = [0, ...starts];
    for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
      if (visited[at] === place) continue;
      visited[at] = place;
      this.steps++;
      const instruction = this.#program[at];
      if (!instruction || instruction.is === "match") return undefined;
      if (instruction.is === "one") waiting.push(at);
      else if (instruction.is === "jump") pending.push(instruction.to);
      else if (instruction.is === "split") pending.push(instruction.second, instruction.first);
      else if (isThere(instruction.place, previous, next)) pending.push(at + 1);
    }
    return waiting;
  }

  /** @param {PatternTree} tree */
  #emit(tree) {
    if (tree.is === "one") this.#program.push({ is: "one", set: tree.set });
    else if (tree.is === "place") this.#program.push({ is: "place", place: tree.place });
    else if (tree.is === "sequence") tree.parts.forEach((part) => this.#emit(part));
    else if (tree.is === "choice") this.#emitChoice(tree.parts);
    else if (tree.is === "repeated") this.#emitRepeated(tree.part, tree.least, tree.most);
  }

  /**
   * For all but the last: a split to the part and to the next one, and a jump to the end.
   *
   * @param {PatternTree[]} parts
   */
  #emitChoice(parts) {
    /** @type {{ is: "jump", to: number }[]} */
    const jumps = [];
    parts.forEach((part, index) => {
      if (index === parts.length - 1) return this.#emit(part);
      const split = this.#split();
      this.#emit(part);
      /** @type {{ is: "jump", to: number }} */
      const jump = { is: "jump", to: 0 };
      jumps.push(jump);
      this.#program.push(jump);
      split.second = this.#program.length;
    });
    for (const jump of jumps) jump.to = this.#program.length;
  }

  /** A split whose first way is what follows it. */
  #split() {
    /** @type {{ is: "split", first: number, second: number }} */
    const split = { is: "split", first: this.#program.length + 1, second: 0 };
    this.#program.push(split);
    return split;
  }

  /**
   * @param {PatternTree} part
   * @param {number} least
   * @param {number | undefined} most
   */
  #emitRepeated(part, least, most) {
    // Nothing a thousand times is nothing; without this, groups of it would multiply the work.
    if (sizeOf(part) === 0) return;
    if (most !== undefined) {
      for (let count = 0; count < least; count++) this.#emit(part);
      const splits = [];
      for (let count = least; count < most; count++) {
        splits.push(this.#split());
        this.#emit(part);
      }
      for (const split of splits) split.second = this.#program.length;
      return;
    }
    for (let count = 1; count < least; count++) this.#emit(part);
    const skip = least === 0 ? this.#split() : undefined;
    const start = this.#program.length;
    this.#emit(part);
    const loop = this.#split();
    loop.second = this.#program.length;
    loop.first = start;
    if (skip) skip.second = this.#program.length;
  }
}

/**
 * @param {Place} place
 * @param {number | undefined} previous
 * @param {number | undefined} next
 */
function isThere(place, previous, next) {
  if (place === "start") return previous === undefined;
  if (place === "end") return next === undefined;
  const isBetween = isWord(previous) !== isWord(next);
  return place === "boundary" ? isBetween : !isBetween;
}

/** @param {number | undefined} scalar */
function isWord(scalar) {
  return scalar !== undefined && SETS.words.has(scalar);
}
