/** Bytes as text, and streams of bytes as lines. */

/**
 * @param {string} base64
 * @returns {Uint8Array<ArrayBuffer> | undefined} nothing when it is no base64
 */
export function decodeBase64(base64) {
  try {
    const binary = atob(base64);
    // A call for each unit takes several times as long.
    const bytes = new Uint8Array(binary.length);
    for (let at = 0; at < binary.length; at++) bytes[at] = binary.charCodeAt(at);
    return bytes;
  } catch {
    return undefined;
  }
}

/**
 * @param {Uint8Array} bytes
 * @returns {string}
 */
export function encodeBase64(bytes) {
  let binary = "";
  // More arguments at once overflow the stack in some engines.
  const most = 8_192;
  for (let start = 0; start < bytes.length; start += most) {
    binary += String.fromCharCode(...bytes.subarray(start, start + most));
  }
  return btoa(binary);
}

const LINE_FEED = 0x0a;

/** A line longer than this ends the reading: a file with one is not a timeline. */
export const MAXIMUM_LINE_BYTES = 64 * 1_024 * 1_024;

/** Cuts a stream of bytes into lines, wherever the stream was cut into chunks. */
export class LineSplitter {
  /** @type {Uint8Array[]} */
  #pieces = [];
  #waiting = 0;

  /** The bytes of the last line so far, which had no line feed yet. */
  get waitingBytes() {
    return this.#waiting;
  }

  /**
   * The lines that a chunk completes, without their line feeds.
   *
   * @param {Uint8Array} chunk
   * @returns {Uint8Array[]}
   * @throws {RangeError} when a line is longer than a line may be
   */
  push(chunk) {
    /** @type {Uint8Array[]} */
    const lines = [];
    let start = 0;
    for (;;) {
      const end = chunk.indexOf(LINE_FEED, start);
      if (end < 0) break;
      lines.push(this.#take(chunk.subarray(start, end)));
      start = end + 1;
    }
    if (start < chunk.length) {
      this.#pieces.push(chunk.slice(start));
      this.#waiting += chunk.length - start;
    }
    if (this.#waiting > MAXIMUM_LINE_BYTES) throw new RangeError("a line is longer than 64 MiB");
    return lines;
  }

  /** What remains at the end: a line without a line feed, or nothing. */
  rest() {
    return this.#take(new Uint8Array());
  }

  /** @param {Uint8Array} end */
  #take(end) {
    if (this.#waiting === 0) return end;
    const line = new Uint8Array(this.#waiting + end.length);
    let at = 0;
    for (const piece of [...this.#pieces, end]) {
      line.set(piece, at);
      at += piece.length;
    }
    this.#pieces = [];
    this.#waiting = 0;
    return line;
  }
}
