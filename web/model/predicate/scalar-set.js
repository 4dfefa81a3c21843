/** Sets of Unicode scalars: some ranges, or all others. */

const LAST_SCALAR = 0x10ffff;

export class ScalarSet {
  /**
   * @param {readonly (readonly [number, number])[]} ranges
   * @param {boolean} [isNegated]
   */
  constructor(ranges, isNegated = false) {
    this.ranges = ranges;
    this.isNegated = isNegated;
  }

  /**
   * The set of one scalar.
   *
   * @param {number} scalar
   */
  static of(scalar) {
    return new ScalarSet([[scalar, scalar]]);
  }

  /** @returns {ScalarSet} */
  get inverted() {
    return new ScalarSet(this.ranges, !this.isNegated);
  }

  /**
   * @param {number} scalar
   * @returns {boolean}
   */
  has(scalar) {
    return this.#inRanges(scalar) !== this.isNegated;
  }

  /**
   * Whether the scalar, its lower-case or its upper-case form is in the set; of a negated set,
   * whether none of them is in what it leaves out.
   *
   * @param {number} scalar
   * @returns {boolean}
   */
  hasIgnoringCase(scalar) {
    const text = String.fromCodePoint(scalar);
    const forms = [scalar, single(text.toLowerCase(), scalar), single(text.toUpperCase(), scalar)];
    return forms.some((form) => this.#inRanges(form)) !== this.isNegated;
  }

  /** @param {number} scalar */
  #inRanges(scalar) {
    return this.ranges.some(([first, last]) => first <= scalar && scalar <= last);
  }

  /**
   * The ranges that it stands for, negation resolved.
   *
   * @returns {[number, number][]}
   */
  get positiveRanges() {
    /** @type {[number, number][]} */
    const sorted = this.ranges.map(([first, last]) => [first, last]);
    if (!this.isNegated) return sorted;
    sorted.sort(([left], [right]) => left - right);
    /** @type {[number, number][]} */
    const result = [];
    let next = 0;
    for (const [first, last] of sorted) {
      if (first > next) result.push([next, first - 1]);
      next = Math.max(next, last + 1);
    }
    if (next <= LAST_SCALAR) result.push([next, LAST_SCALAR]);
    return result;
  }
}

/**
 * The scalar of a text of one; else the other one.
 *
 * @param {string} text
 * @param {number} other
 */
function single(text, other) {
  const [first, more] = text;
  return first !== undefined && more === undefined ? first.codePointAt(0) ?? other : other;
}

const digits = new ScalarSet([[0x30, 0x39]]);
const words = new ScalarSet([[0x30, 0x39], [0x41, 0x5a], [0x5f, 0x5f], [0x61, 0x7a]]);
const spaces = new ScalarSet([[0x09, 0x0d], [0x20, 0x20]]);

/** The sets that patterns have names for. */
export const SETS = {
  words,
  notNewline: new ScalarSet([[0x0a, 0x0a]], true),
  /** By the letter after the backslash. */
  escapes: new Map([
    ["d", digits],
    ["D", digits.inverted],
    ["w", words],
    ["W", words.inverted],
    ["s", spaces],
    ["S", spaces.inverted],
  ]),
};
