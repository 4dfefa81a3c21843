/** A 64-bit hash of a value, the same as the recorder's and the daemon's. */

import { isNumber, numberText } from "./json.js";
import { compareText } from "./text.js";

/** @import { Json } from "./json-types.d.ts" */

/**
 * FNV-1a over the UTF-8 of the value's text with sorted keys and no white space, as 16 hexadecimal
 * digits. No protection against forgery.
 *
 * @param {Json} value
 * @returns {string}
 */
export function fingerprint(value) {
  const hash = new Hash();
  hash.feed(value);
  return hash.digits;
}

/**
 * The text that is hashed: keys sorted by code points, numbers in the one spelling, nothing
 * escaped that need not be.
 *
 * @param {Json} value
 * @returns {string}
 */
export function canonicalText(value) {
  if (isNumber(value)) return numberText(value);
  if (value === null || typeof value === "boolean") return String(value);
  if (typeof value === "string") return quoted(value);
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(",")}]`;
  const members = Object.keys(value).sort(compareText).map((key) =>
    `${quoted(key)}:${canonicalText(value[key] ?? null)}`
  );
  return `{${members.join(",")}}`;
}

/** @param {string} text */
function quoted(text) {
  // JSON.stringify escapes the same, and halves of pairs besides, which no text has.
  return JSON.stringify(text);
}

const encoder = new TextEncoder();

class Hash {
  // 0xCBF29CE484222325 in two halves.
  #high = 0xcbf29ce4;
  #low = 0x84222325;

  get digits() {
    return [this.#high, this.#low].map((half) => half.toString(16).padStart(8, "0")).join("");
  }

  /** @param {Json} value */
  feed(value) {
    for (const byte of encoder.encode(canonicalText(value))) {
      const low = (this.#low ^ byte) >>> 0;
      // Times 0x100000001B3, that is h * 0x1B3 + (h << 40); a product with 0x1B3 is exact.
      const product = low * 0x1b3;
      this.#low = product >>> 0;
      const carry = Math.floor(product / 0x1_0000_0000);
      this.#high = (this.#high * 0x1b3 + carry + ((low << 8) >>> 0)) >>> 0;
    }
  }
}
