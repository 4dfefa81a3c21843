/** Zstandard's entropy coding (RFC 8878, 4): bits that are read backward, FSE, and Huffman tables. */

/** Why bytes are not a Zstandard frame, or none that this decoder reads. */
export class ZstdError extends Error {
  name = "ZstdError";
}

/** Symbols of an FSE table: enough for each use in the format. */
const MAXIMUM_SYMBOLS = 256;

/** The longest Huffman code. */
const MAXIMUM_CODE_BITS = 11;

/** @param {number} value a positive integer */
export function log2(value) {
  return 31 - Math.clz32(value);
}

/**
 * Up to 24 bits from a place; those after the end are 0.
 *
 * @param {Uint8Array} bytes
 * @param {number} start a byte
 * @param {number} bit counted from that byte
 * @param {number} count
 */
function bitsAt(bytes, start, bit, count) {
  const at = start + (bit >>> 3);
  const word = (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16) |
    ((bytes[at + 3] ?? 0) << 24);
  return (word >>> (bit & 7)) & ((1 << count) - 1);
}

/** Bits that are read from the end of a range of bytes to its start. */
export class BackwardBits {
  #bytes;
  #start;
  /** How many are left; negative once more were read than there are, which are then 0. */
  left;

  /**
   * @param {Uint8Array} bytes
   * @param {number} start
   * @param {number} end
   */
  constructor(bytes, start, end) {
    const last = end > start ? bytes[end - 1] ?? 0 : 0;
    if (last === 0) throw new ZstdError("A stream of bits has no end mark.");
    this.#bytes = bytes;
    this.#start = start;
    this.left = (end - 1 - start) * 8 + log2(last);
  }

  /**
   * @param {number} count at most 32
   * @returns {number}
   */
  read(count) {
    if (count > 24) return this.read(count - 16) * 65_536 + this.read(16);
    this.left -= count;
    return this.#from(this.left, count);
  }

  /** The next bits, which stay. @param {number} count at most 24 */
  peek(count) {
    return this.#from(this.left - count, count);
  }

  /**
   * @param {number} bit
   * @param {number} count
   */
  #from(bit, count) {
    if (bit >= 0) return bitsAt(this.#bytes, this.#start, bit, count);
    const there = count + bit;
    return there > 0 ? bitsAt(this.#bytes, this.#start, 0, there) << -bit : 0;
  }
}

/**
 * For each state: the symbol, and how the next state is read.
 *
 * @typedef {{ log: number, symbols: Uint8Array, bits: Uint8Array, bases: Uint16Array }} FseTable
 */

/**
 * Reads the description of an FSE table (4.1.1).
 *
 * @param {Uint8Array} bytes
 * @param {number} start
 * @param {number} end
 * @param {number} maximumLog
 * @returns {{ table: FseTable, end: number }}
 */
export function readFseTable(bytes, start, end, maximumLog) {
  let bit = 0;
  const log = bitsAt(bytes, start, 0, 4) + 5;
  bit += 4;
  if (log > maximumLog) throw new ZstdError("A table is larger than the format allows.");
  let left = 1 << log;
  /** @type {number[]} */
  const shares = [];
  while (left > 0 && shares.length < MAXIMUM_SYMBOLS) {
    const count = log2(left + 1) + 1;
    const low = (1 << (count - 1)) - 1;
    const threshold = (1 << count) - 2 - left;
    let value = bitsAt(bytes, start, bit, count);
    if ((value & low) < threshold) {
      value &= low;
      bit += count - 1;
    } else {
      if (value > low) value -= threshold;
      bit += count;
    }
    const share = value - 1;
    left -= Math.abs(share);
    shares.push(share);
    if (share !== 0) continue;
    let zeros = 3;
    while (zeros === 3 && shares.length < MAXIMUM_SYMBOLS) {
      zeros = bitsAt(bytes, start, bit, 2);
      bit += 2;
      for (let i = 0; i < zeros; i++) shares.push(0);
    }
  }
  const after = start + ((bit + 7) >>> 3);
  if (left !== 0 || after > end) throw new ZstdError("A table's description is damaged.");
  return { table: buildFseTable(shares, log), end: after };
}

/**
 * @param {readonly number[]} shares by symbol; -1 is a share less than one
 * @param {number} log
 * @returns {FseTable}
 */
export function buildFseTable(shares, log) {
  const size = 1 << log;
  const symbols = new Uint8Array(size);
  const bits = new Uint8Array(size);
  const bases = new Uint16Array(size);
  const next = shares.map((share) => Math.abs(share));
  let high = size;
  shares.forEach((share, symbol) => {
    if (share === -1) symbols[--high] = symbol;
  });
  const step = (size >> 1) + (size >> 3) + 3;
  let place = 0;
  shares.forEach((share, symbol) => {
    for (let i = 0; i < share; i++) {
      symbols[place] = symbol;
      do place = (place + step) & (size - 1); while (place >= high);
    }
  });
  for (let state = 0; state < size; state++) {
    const symbol = symbols[state] ?? 0;
    const value = next[symbol] ?? 1;
    next[symbol] = value + 1;
    const count = log - log2(value);
    bits[state] = count;
    bases[state] = (value << count) - size;
  }
  return { log, symbols, bits, bases };
}

/**
 * A table in which every state has the same symbol.
 *
 * @param {number} symbol
 * @returns {FseTable}
 */
export function singleSymbolTable(symbol) {
  return {
    log: 0,
    symbols: new Uint8Array([symbol]),
    bits: new Uint8Array(1),
    bases: new Uint16Array(1),
  };
}

/** @typedef {{ log: number, symbols: Uint8Array, bits: Uint8Array }} HuffmanTable */

/**
 * Reads the description of a Huffman table (4.2.1).
 *
 * @param {Uint8Array} bytes
 * @param {number} start
 * @param {number} end
 * @returns {{ table: HuffmanTable, end: number }}
 */
export function readHuffmanTable(bytes, start, end) {
  const head = bytes[start] ?? 0;
  const first = start + 1;
  if (head >= 128) {
    const count = head - 127;
    const after = first + ((count + 1) >> 1);
    if (after > end) throw new ZstdError("A table's description is cut off.");
    const weights = Array.from({ length: count }, (_, symbol) => {
      const pair = bytes[first + (symbol >> 1)] ?? 0;
      return symbol % 2 === 0 ? pair >> 4 : pair & 15;
    });
    return { table: buildHuffmanTable(weights), end: after };
  }
  const after = first + head;
  if (after > end) throw new ZstdError("A table's description is cut off.");
  const fse = readFseTable(bytes, first, after, 6);
  const weights = readWeights(fse.table, new BackwardBits(bytes, fse.end, after));
  return { table: buildHuffmanTable(weights), end: after };
}

/**
 * Weights by two states in turns, until the bits end.
 *
 * @param {FseTable} table
 * @param {BackwardBits} stream
 */
function readWeights({ log, symbols, bits, bases }, stream) {
  /** @type {number[]} */
  const weights = [];
  let [state, other] = [stream.read(log), stream.read(log)];
  if (stream.left < 0) throw new ZstdError("A table's description is cut off.");
  while (weights.length < MAXIMUM_SYMBOLS) {
    weights.push(symbols[state] ?? 0);
    const next = (bases[state] ?? 0) + stream.read(bits[state] ?? 0);
    [state, other] = [other, next];
    if (stream.left < 0) {
      weights.push(symbols[state] ?? 0);
      break;
    }
  }
  return weights;
}

/**
 * @param {number[]} weights of all symbols but the last, which follows from them
 * @returns {HuffmanTable}
 */
function buildHuffmanTable(weights) {
  let sum = 0;
  for (const weight of weights) {
    if (weight > MAXIMUM_CODE_BITS) throw new ZstdError("A Huffman code is too long.");
    if (weight > 0) sum += 1 << (weight - 1);
  }
  const log = sum > 0 ? log2(sum) + 1 : 0;
  const rest = (1 << log) - sum;
  const isPower = (rest & (rest - 1)) === 0;
  if (sum === 0 || log > MAXIMUM_CODE_BITS || !isPower || weights.length >= MAXIMUM_SYMBOLS) {
    throw new ZstdError("A Huffman table is damaged.");
  }
  const all = [...weights, log2(rest) + 1];
  const symbols = new Uint8Array(1 << log);
  const bits = new Uint8Array(1 << log);
  let place = 0;
  for (let weight = 1; weight <= log; weight++) {
    all.forEach((own, symbol) => {
      if (own !== weight) return;
      const end = place + (1 << (weight - 1));
      symbols.fill(symbol, place, end);
      bits.fill(log + 1 - weight, place, end);
      place = end;
    });
  }
  return { log, symbols, bits };
}
