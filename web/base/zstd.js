/**
 * Unpacks Zstandard (RFC 8878): browsers have no decoder for it, and `.timeline.zst` files use it.
 *
 * It reads whole files in memory, without dictionaries.
 */

import { MAXIMUM_UNPACKED } from "./unpacking.js";
import { xxhash64Low } from "./xxhash64.js";
import { readLiterals } from "./zstd-literals.js";
import { SequenceReader } from "./zstd-sequences.js";
import { ZstdError } from "./zstd-bits.js";

/** @import { HuffmanTable } from "./zstd-bits.js" */

const FRAME = 0xfd2fb528;
const SKIPPABLE = 0x184d2a50;
const MAXIMUM_BLOCK = 128 * 1024;

/**
 * Whether bytes begin as a Zstandard frame does.
 *
 * @param {Uint8Array} bytes
 */
export function isZstd(bytes) {
  return bytes.length >= 4 && readNumber(bytes, 0, 4) === FRAME;
}

/**
 * @param {Uint8Array} bytes whole frames
 * @param {number} [maximum] of the result
 * @returns {Uint8Array<ArrayBuffer>}
 * @throws {ZstdError}
 */
export function unpackZstd(bytes, maximum = MAXIMUM_UNPACKED) {
  const output = new Output(maximum);
  let at = 0;
  while (at < bytes.length) {
    if (at + 4 > bytes.length) throw new ZstdError("It is cut off.");
    const magic = readNumber(bytes, at, 4);
    if (magic === FRAME) {
      at = readFrame(bytes, at + 4, output);
    } else if ((magic & ~15) >>> 0 === SKIPPABLE) {
      at += 8 + readNumber(bytes, at + 4, 4);
      if (at > bytes.length) throw new ZstdError("It is cut off.");
    } else {
      throw new ZstdError("It is not a Zstandard frame.");
    }
  }
  return output.bytes.subarray(0, output.length);
}

/**
 * Little endian.
 *
 * @param {Uint8Array} bytes
 * @param {number} at
 * @param {number} count at most 8; the result is inexact above 2⁵³
 */
function readNumber(bytes, at, count) {
  let value = 0;
  for (let i = count - 1; i >= 0; i--) value = value * 256 + (bytes[at + i] ?? 0);
  return value;
}

/** The unpacked bytes so far. */
class Output {
  length = 0;
  bytes = new Uint8Array(64 * 1024);
  #maximum;

  /** @param {number} maximum */
  constructor(maximum) {
    this.#maximum = maximum;
  }

  /** Makes room. @param {number} count */
  reserve(count) {
    const needed = this.length + count;
    if (needed > this.#maximum) {
      throw new ZstdError("It unpacks to more than the page can hold.");
    }
    if (needed <= this.bytes.length) return;
    const grown = new Uint8Array(Math.min(this.#maximum, Math.max(needed, this.bytes.length * 2)));
    grown.set(this.bytes.subarray(0, this.length));
    this.bytes = grown;
  }
}

/**
 * @param {Uint8Array} bytes
 * @param {number} start after the magic number
 * @param {Output} output
 * @returns {number} where the next frame begins
 */
function readFrame(bytes, start, output) {
  const head = bytes[start] ?? 0;
  const isSingle = (head & 32) !== 0;
  if ((head & 8) !== 0) throw new ZstdError("Its header uses a reserved bit.");
  if ((head & 3) !== 0) throw new ZstdError("It needs a dictionary.");
  const sizeBytes = [isSingle ? 1 : 0, 2, 4, 8][head >> 6] ?? 0;
  let at = start + 1 + (isSingle ? 0 : 1);
  const size = sizeBytes === 0
    ? undefined
    : readNumber(bytes, at, sizeBytes) + (sizeBytes === 2 ? 256 : 0);
  at += sizeBytes;
  const begin = output.length;
  const blocks = new BlockReader(bytes, output);
  let isLast = false;
  while (!isLast) {
    if (at + 3 > bytes.length) throw new ZstdError("It is cut off.");
    const block = readNumber(bytes, at, 3);
    isLast = (block & 1) === 1;
    at = blocks.read(at + 3, (block >> 1) & 3, block >> 3);
  }
  if (size !== undefined && output.length - begin !== size) {
    throw new ZstdError("Its length is not the one in its header.");
  }
  if ((head & 4) === 0) return at;
  if (at + 4 > bytes.length) throw new ZstdError("It is cut off.");
  if (xxhash64Low(output.bytes.subarray(begin, output.length)) !== readNumber(bytes, at, 4)) {
    throw new ZstdError("Its checksum is wrong.");
  }
  return at + 4;
}

/** Reads the blocks of a frame, which share tables and offsets. */
class BlockReader {
  #bytes;
  #output;
  #begin;
  #sequences = new SequenceReader();
  /** @type {HuffmanTable | undefined} */
  #huffman;

  /**
   * @param {Uint8Array} bytes
   * @param {Output} output
   */
  constructor(bytes, output) {
    this.#bytes = bytes;
    this.#output = output;
    this.#begin = output.length;
  }

  /**
   * @param {number} start
   * @param {number} kind
   * @param {number} size
   * @returns {number} where it ends
   */
  read(start, kind, size) {
    const bytes = this.#bytes;
    const output = this.#output;
    if (size > MAXIMUM_BLOCK) throw new ZstdError("A block is larger than the format allows.");
    const end = start + (kind === 1 ? 1 : size);
    if (end > bytes.length) throw new ZstdError("It is cut off.");
    output.reserve(size);
    if (kind === 0) {
      output.bytes.set(bytes.subarray(start, end), output.length);
      output.length += size;
    } else if (kind === 1) {
      output.bytes.fill(bytes[start] ?? 0, output.length, output.length + size);
      output.length += size;
    } else if (kind === 2) {
      this.#unpack(start, end);
    } else {
      throw new ZstdError("A block is of a reserved kind.");
    }
    return end;
  }

  /**
   * @param {number} start
   * @param {number} end
   */
  #unpack(start, end) {
    const literals = readLiterals(this.#bytes, start, end, this.#huffman);
    this.#huffman = literals.huffman;
    const sequences = this.#sequences.begin(this.#bytes, literals.end, end);
    let taken = 0;
    let length = 0;
    for (let i = 0; i < sequences; i++) {
      const { literal, match, offset } = this.#sequences.next();
      length += literal + match;
      if (taken + literal > literals.bytes.length || length > MAXIMUM_BLOCK) {
        throw new ZstdError("A block is damaged.");
      }
      this.#append(literals.bytes, taken, taken + literal);
      taken += literal;
      this.#repeat(offset, match);
      if (i + 1 < sequences) this.#sequences.advance();
    }
    this.#sequences.finish();
    this.#append(literals.bytes, taken, literals.bytes.length);
  }

  /**
   * @param {Uint8Array} from
   * @param {number} start
   * @param {number} end
   */
  #append(from, start, end) {
    const output = this.#output;
    output.reserve(end - start);
    const { bytes } = output;
    let at = output.length;
    for (let i = start; i < end; i++) bytes[at++] = from[i] ?? 0;
    output.length = at;
  }

  /**
   * @param {number} offset
   * @param {number} count
   */
  #repeat(offset, count) {
    const output = this.#output;
    if (offset <= 0 || offset > output.length - this.#begin) {
      throw new ZstdError("A block refers to bytes before the start.");
    }
    output.reserve(count);
    const { bytes, length } = output;
    if (offset >= count && count > 32) {
      bytes.copyWithin(length, length - offset, length - offset + count);
    } else {
      // What is copied may be what was just written.
      for (let at = length; at < length + count; at++) bytes[at] = bytes[at - offset] ?? 0;
    }
    output.length = length + count;
  }
}

export { ZstdError };
