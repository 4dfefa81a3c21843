/** HMAC-SHA-256 (RFC 2104) under keys that cannot be read out again, where the browser has such. */

import { BLOCK, sha256 } from "./sha256.js";

/** A key; bytes where the browser has no `crypto.subtle`. @typedef {CryptoKey | Uint8Array} HmacKey */

const ALGORITHM = { name: "HMAC", hash: "SHA-256" };

/**
 * The key whose bytes are those of a text.
 *
 * @param {string} text
 * @param {SubtleCrypto | undefined} [subtle]
 * @returns {Promise<HmacKey>}
 */
export async function hmacKey(text, subtle = globalThis.crypto?.subtle) {
  const bytes = new TextEncoder().encode(text);
  return subtle ? await subtle.importKey("raw", bytes, ALGORITHM, false, ["sign"]) : bytes;
}

/**
 * @param {HmacKey} key
 * @param {string} text
 * @returns {Promise<string>} in lower-case hexadecimal digits
 */
export async function hmac(key, text) {
  const message = new TextEncoder().encode(text);
  const code = key instanceof Uint8Array
    ? hash(key, message)
    : new Uint8Array(await crypto.subtle.sign("HMAC", key, message));
  return hexadecimal(code);
}

/** @param {Uint8Array} bytes */
export function hexadecimal(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * @param {Uint8Array} key
 * @param {Uint8Array} message
 */
function hash(key, message) {
  const block = new Uint8Array(BLOCK);
  block.set(key.length > BLOCK ? sha256(key) : key);
  const inner = sha256(joined(block.map((byte) => byte ^ 0x36), message));
  return sha256(joined(block.map((byte) => byte ^ 0x5c), inner));
}

/**
 * @param {Uint8Array} first
 * @param {Uint8Array} second
 */
function joined(first, second) {
  const bytes = new Uint8Array(first.length + second.length);
  bytes.set(first);
  bytes.set(second, first.length);
  return bytes;
}
