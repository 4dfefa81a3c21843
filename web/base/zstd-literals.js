/** The literals of a Zstandard block (RFC 8878, 3.1.1.3.1). */

import { BackwardBits, readHuffmanTable, ZstdError } from "./zstd-bits.js";

/** @import { HuffmanTable } from "./zstd-bits.js" */

const MAXIMUM_LITERALS = 128 * 1024;

/**
 * @typedef {object} Literals
 * @property {Uint8Array} bytes
 * @property {HuffmanTable | undefined} huffman for a later block that repeats it
 * @property {number} end where the section ends
 */

/**
 * @param {Uint8Array} bytes
 * @param {number} start
 * @param {number} end
 * @param {HuffmanTable | undefined} huffman the last table
 * @returns {Literals}
 */
export function readLiterals(bytes, start, end, huffman) {
  const head = bytes[start] ?? 0;
  const kind = head & 3;
  const form = (head >> 2) & 3;
  if (start >= end) throw new ZstdError("A block is cut off.");
  return kind < 2
    ? readPlain(bytes, start, end, { isRepeated: kind === 1, form, huffman })
    : readCoded(bytes, start, end, { isTreeless: kind === 3, form, huffman });
}

/**
 * @param {Uint8Array} bytes
 * @param {number} start
 * @param {number} end
 * @param {{ isRepeated: boolean, form: number, huffman: HuffmanTable | undefined }} how
 * @returns {Literals}
 */
function readPlain(bytes, start, end, { isRepeated, form, huffman }) {
  const [first = 0, second = 0, third = 0] = bytes.subarray(start, start + 3);
  const headBytes = form === 1 ? 2 : form === 3 ? 3 : 1;
  const size = headBytes === 1
    ? first >> 3
    : (first >> 4) | (second << 4) | (headBytes === 3 ? third << 12 : 0);
  const at = start + headBytes;
  const after = at + (isRepeated ? 1 : size);
  if (after > end || size > MAXIMUM_LITERALS) throw new ZstdError("A block is cut off.");
  const literals = isRepeated
    ? new Uint8Array(size).fill(bytes[at] ?? 0)
    : bytes.subarray(at, after);
  return { bytes: literals, huffman, end: after };
}

/**
 * @param {Uint8Array} bytes
 * @param {number} start
 * @param {number} end
 * @param {{ isTreeless: boolean, form: number, huffman: HuffmanTable | undefined }} how
 * @returns {Literals}
 */
function readCoded(bytes, start, end, { isTreeless, form, huffman }) {
  const headBytes = form < 2 ? 3 : form + 2;
  const sizeBits = form < 2 ? 10 : form === 2 ? 14 : 18;
  let head = 0;
  for (let i = headBytes - 1; i >= 0; i--) head = head * 256 + (bytes[start + i] ?? 0);
  const sizes = Math.floor(head / 16);
  const size = sizes % 2 ** sizeBits;
  const coded = Math.floor(sizes / 2 ** sizeBits);
  let at = start + headBytes;
  const after = at + coded;
  if (after > end || size > MAXIMUM_LITERALS) throw new ZstdError("A block is cut off.");
  let table = huffman;
  if (!isTreeless) {
    const read = readHuffmanTable(bytes, at, after);
    table = read.table;
    at = read.end;
  }
  if (!table) throw new ZstdError("A block repeats a table, and is the first.");
  const literals = new Uint8Array(size);
  if (form === 0) {
    decodeStream(table, bytes, at, after, literals);
  } else {
    decodeFour(table, bytes, at, after, literals);
  }
  return { bytes: literals, huffman: table, end: after };
}

/**
 * Four streams, whose lengths come first.
 *
 * @param {HuffmanTable} table
 * @param {Uint8Array} bytes
 * @param {number} start
 * @param {number} end
 * @param {Uint8Array} literals
 */
function decodeFour(table, bytes, start, end, literals) {
  const quarter = (literals.length + 3) >> 2;
  let at = start + 6;
  for (let stream = 0; stream < 4; stream++) {
    const low = bytes[start + stream * 2] ?? 0;
    const length = low | ((bytes[start + stream * 2 + 1] ?? 0) << 8);
    const after = stream < 3 ? at + length : end;
    if (after > end || at > after || quarter * 3 > literals.length) {
      throw new ZstdError("A block is cut off.");
    }
    const part = literals.subarray(
      quarter * stream,
      stream < 3 ? quarter * (stream + 1) : literals.length,
    );
    decodeStream(table, bytes, at, after, part);
    at = after;
  }
}

/**
 * @param {HuffmanTable} table
 * @param {Uint8Array} bytes
 * @param {number} start
 * @param {number} end
 * @param {Uint8Array} literals filled
 */
function decodeStream({ log, symbols, bits }, bytes, start, end, literals) {
  const stream = new BackwardBits(bytes, start, end);
  for (let i = 0; i < literals.length; i++) {
    const code = stream.peek(log);
    literals[i] = symbols[code] ?? 0;
    stream.left -= bits[code] ?? 0;
  }
  if (stream.left !== 0) throw new ZstdError("A block's literals are damaged.");
}
