/** Unpacks gzip with the browser's own decoder, as far as the page can hold the result. */

import { MAXIMUM_UNPACKED } from "./unpacking.js";

/** Why gzip data cannot be unpacked; the message is for the reader. */
export class GzipError extends Error {
  name = "GzipError";

  /**
   * @param {string} message
   * @param {{ isDamaged?: boolean }} [what]
   */
  constructor(message, { isDamaged = false } = {}) {
    super(message);
    /** @readonly */
    this.isDamaged = isDamaged;
  }
}

/**
 * What is needed of a `Blob`.
 *
 * @typedef {{ stream(): ReadableStream<Uint8Array>,
 *   slice(start: number, end: number): { arrayBuffer(): Promise<ArrayBuffer> } }} Packed
 */

/**
 * A file without its gzip compression, if it has one: its first bytes decide, not its name. Some
 * servers declare `.gz` files as an encoding, and then the browser has unpacked them already.
 *
 * @template {Packed} File
 * @param {File} file
 * @param {{ maximum?: number, signal?: AbortSignal }} [options] `maximum` bytes of the result
 * @returns {Promise<File | Blob>} the same file if it is not compressed
 * @throws {GzipError}
 */
export async function ungzipped(file, { maximum = MAXIMUM_UNPACKED, signal } = {}) {
  const [first, second] = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  if (first !== 0x1f || second !== 0x8b) return file;
  const decoder = /** @type {ReadableWritablePair<Uint8Array<ArrayBuffer>, Uint8Array>} */ (
    new DecompressionStream("gzip")
  );
  const stream = file.stream().pipeThrough(decoder).getReader();
  /** @type {Uint8Array<ArrayBuffer>[]} */
  const parts = [];
  let length = 0;
  try {
    for (;;) {
      signal?.throwIfAborted();
      const { done, value } = await next(stream);
      if (done) return new Blob(parts);
      length += value.length;
      if (length > maximum) throw new GzipError("It unpacks to more than the page can hold.");
      parts.push(value);
    }
  } finally {
    // After an error of the stream, there is nothing left to cancel.
    await stream.cancel().catch(() => {});
  }
}

/**
 * @template Part
 * @param {ReadableStreamDefaultReader<Part>} stream
 */
async function next(stream) {
  try {
    return await stream.read();
  } catch (error) {
    // Decoders reject with a TypeError; a file that cannot be read any more, with another error.
    if (!(error instanceof TypeError)) throw error;
    throw new GzipError("It is damaged or cut off.", { isDamaged: true });
  }
}
