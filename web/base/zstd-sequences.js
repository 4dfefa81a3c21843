/** The sequences of a Zstandard block (RFC 8878, 3.1.1.3.2): how literals and repeats alternate. */

import {
  BackwardBits,
  buildFseTable,
  readFseTable,
  singleSymbolTable,
  ZstdError,
} from "./zstd-bits.js";

/** @import { FseTable } from "./zstd-bits.js" */

/**
 * The values of codes: the first of each, and how many bits are added to it.
 *
 * @param {number} plain how many codes are values themselves
 * @param {number} first the value of code 0
 * @param {readonly number[]} extra bits of the other codes
 */
function codes(plain, first, extra) {
  const bits = [...Array(plain).fill(0), ...extra];
  let value = first;
  const bases = bits.map((count) => {
    const base = value;
    value += 2 ** count;
    return base;
  });
  return { bases, bits };
}

const LITERAL_CODES = codes(16, 0, [
  1,
  1,
  1,
  1,
  2,
  2,
  3,
  3,
  4,
  6,
  7,
  8,
  9,
  10,
  11,
  12,
  13,
  14,
  15,
  16,
]);
const MATCH_CODES = codes(32, 3, [
  1,
  1,
  1,
  1,
  2,
  2,
  3,
  3,
  4,
  4,
  5,
  7,
  8,
  9,
  10,
  11,
  12,
  13,
  14,
  15,
  16,
]);

/** Offsets with more bits reach further than any window that a page can hold. */
const MAXIMUM_OFFSET_CODE = 31;

const LESS = -1;
const PREDEFINED = {
  literals: buildFseTable(
    [
      4,
      3,
      ...Array(11).fill(2),
      1,
      1,
      1,
      ...Array(9).fill(2),
      3,
      2,
      1,
      1,
      1,
      1,
      1,
      LESS,
      LESS,
      LESS,
      LESS,
    ],
    6,
  ),
  offsets: buildFseTable(
    [...Array(6).fill(1), 2, 2, 2, ...Array(15).fill(1), ...Array(5).fill(LESS)],
    5,
  ),
  matches: buildFseTable(
    [1, 4, 3, ...Array(6).fill(2), ...Array(37).fill(1), ...Array(7).fill(LESS)],
    6,
  ),
};

/** Reads sequence after sequence, of one block after another. */
export class SequenceReader {
  /** @type {{ literals?: FseTable, offsets?: FseTable, matches?: FseTable }} */
  #tables = {};
  #recent = [1, 4, 8];
  /** @type {BackwardBits | undefined} */
  #stream;
  #literal = new State(PREDEFINED.literals);
  #offset = new State(PREDEFINED.offsets);
  #match = new State(PREDEFINED.matches);
  #next = { literal: 0, match: 0, offset: 0 };

  /**
   * Begins the section of a block.
   *
   * @param {Uint8Array} bytes
   * @param {number} start
   * @param {number} end
   * @returns {number} how many sequences there are
   */
  begin(bytes, start, end) {
    this.#stream = undefined;
    const [first = 0, second = 0, third = 0] = bytes.subarray(start, Math.min(end, start + 3));
    if (start >= end) throw new ZstdError("A block is cut off.");
    if (first === 0) {
      if (start + 1 !== end) throw new ZstdError("A block is damaged.");
      return 0;
    }
    const countBytes = first < 128 ? 1 : first < 255 ? 2 : 3;
    const count = countBytes === 1
      ? first
      : countBytes === 2
      ? ((first - 128) << 8) + second
      : second + (third << 8) + 0x7f00;
    let at = start + countBytes;
    const modes = bytes[at++] ?? 0;
    if (at > end || (modes & 3) !== 0) throw new ZstdError("A block is damaged.");
    const read = (
      /** @type {"literals" | "offsets" | "matches"} */ name,
      /** @type {number} */ mode,
      /** @type {number} */ log,
    ) => {
      const table = readTable(bytes, at, end, { mode, log, name, last: this.#tables[name] });
      this.#tables[name] = table.table;
      at = table.end;
      return new State(table.table);
    };
    this.#literal = read("literals", modes >> 6, 9);
    this.#offset = read("offsets", (modes >> 4) & 3, 8);
    this.#match = read("matches", (modes >> 2) & 3, 9);
    const stream = new BackwardBits(bytes, at, end);
    for (const state of [this.#literal, this.#offset, this.#match]) state.begin(stream);
    this.#stream = stream;
    return count;
  }

  /** The sequence at which the states are; the object is used again. */
  next() {
    const stream = this.#stream;
    const offsetCode = this.#offset.symbol;
    const matchCode = this.#match.symbol;
    const literalCode = this.#literal.symbol;
    if (!stream || offsetCode > MAXIMUM_OFFSET_CODE) throw new ZstdError("A block is damaged.");
    const value = 2 ** offsetCode + stream.read(offsetCode);
    const matchBits = MATCH_CODES.bits[matchCode];
    const literalBits = LITERAL_CODES.bits[literalCode];
    if (matchBits === undefined || literalBits === undefined) {
      throw new ZstdError("A block is damaged.");
    }
    const next = this.#next;
    next.match = (MATCH_CODES.bases[matchCode] ?? 0) + stream.read(matchBits);
    next.literal = (LITERAL_CODES.bases[literalCode] ?? 0) + stream.read(literalBits);
    next.offset = this.#offsetOf(value, next.literal === 0);
    if (stream.left < 0) throw new ZstdError("A block is cut off.");
    return next;
  }

  /** Goes on to the next sequence. */
  advance() {
    const stream = this.#stream;
    if (!stream) return;
    this.#literal.advance(stream);
    this.#match.advance(stream);
    this.#offset.advance(stream);
  }

  /** Ends the block. */
  finish() {
    if (this.#stream && this.#stream.left !== 0) throw new ZstdError("A block is damaged.");
  }

  /**
   * The offset that a value means: a new one, or a recent one.
   *
   * @param {number} value
   * @param {boolean} isWithoutLiterals the recent offsets then shift by one
   */
  #offsetOf(value, isWithoutLiterals) {
    const [first = 0, second = 0, third = 0] = this.#recent;
    if (value > 3) {
      this.#recent = [value - 3, first, second];
      return value - 3;
    }
    const place = value + (isWithoutLiterals ? 1 : 0);
    if (place === 1) return first;
    if (place === 2) {
      this.#recent = [second, first, third];
      return second;
    }
    const offset = place === 3 ? third : first - 1;
    this.#recent = [offset, first, second];
    return offset;
  }
}

/** A state of an FSE table. */
class State {
  #table;
  #state = 0;

  /** @param {FseTable} table */
  constructor(table) {
    this.#table = table;
  }

  get symbol() {
    return this.#table.symbols[this.#state] ?? 0;
  }

  /** @param {BackwardBits} stream */
  begin(stream) {
    this.#state = stream.read(this.#table.log);
  }

  /** @param {BackwardBits} stream */
  advance(stream) {
    const { bases, bits } = this.#table;
    this.#state = (bases[this.#state] ?? 0) + stream.read(bits[this.#state] ?? 0);
  }
}

/**
 * @param {Uint8Array} bytes
 * @param {number} start
 * @param {number} end
 * @param {{ mode: number, log: number, name: "literals" | "offsets" | "matches", last: FseTable | undefined }} how
 * @returns {{ table: FseTable, end: number }}
 */
function readTable(bytes, start, end, { mode, log, name, last }) {
  if (mode === 0) return { table: PREDEFINED[name], end: start };
  if (mode === 2) return readFseTable(bytes, start, end, log);
  if (mode === 1) {
    if (start >= end) throw new ZstdError("A block is cut off.");
    return { table: singleSymbolTable(bytes[start] ?? 0), end: start + 1 };
  }
  if (!last) throw new ZstdError("A block repeats a table, and is the first.");
  return { table: last, end: start };
}
