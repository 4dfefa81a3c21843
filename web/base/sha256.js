/**
 * SHA-256 (FIPS 180-4) for pages that were loaded over plain HTTP from another machine: browsers offer
 * `crypto.subtle` in secure contexts only.
 */

/** The bytes that are hashed at once. */
export const BLOCK = 64;

/** The constants of each round: fractions of the cube roots of the first 64 primes. */
const ROUNDS = fractions(64, Math.cbrt);

/** The first state: fractions of the square roots of the first 8 primes. */
const FIRST = fractions(8, Math.sqrt);

/**
 * @param {number} count
 * @param {(prime: number) => number} root
 */
function fractions(count, root) {
  const found = new Uint32Array(count);
  for (let number = 2, length = 0; length < count; number++) {
    let isPrime = true;
    for (let divisor = 2; divisor * divisor <= number; divisor++) {
      if (number % divisor === 0) isPrime = false;
    }
    if (isPrime) found[length++] = (root(number) % 1) * 2 ** 32;
  }
  return found;
}

/** @param {number} word @param {number} count */
const rotate = (word, count) => (word >>> count) | (word << (32 - count));

/**
 * @param {Uint8Array} message
 * @returns {Uint8Array<ArrayBuffer>} 32 bytes
 */
export function sha256(message) {
  const padded = new Uint8Array(Math.ceil((message.length + 9) / BLOCK) * BLOCK);
  padded.set(message);
  padded[message.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(message.length / 2 ** 29));
  view.setUint32(padded.length - 4, message.length << 3);
  const state = FIRST.slice();
  for (let start = 0; start < padded.length; start += BLOCK) compress(state, view, start);
  const hash = new DataView(new ArrayBuffer(32));
  state.forEach((word, index) => hash.setUint32(index * 4, word));
  return new Uint8Array(hash.buffer);
}

/**
 * @param {Uint32Array} state
 * @param {DataView} view
 * @param {number} start
 */
function compress(state, view, start) {
  const words = new Uint32Array(64);
  for (let index = 0; index < 16; index++) words[index] = view.getUint32(start + index * 4);
  for (let index = 16; index < 64; index++) {
    const [early = 0, late = 0] = [words[index - 15], words[index - 2]];
    const first = rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3);
    const second = rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10);
    words[index] = (words[index - 16] ?? 0) + first + (words[index - 7] ?? 0) + second;
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let index = 0; index < 64; index++) {
    const high = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const one = h + high + ((e & f) ^ (~e & g)) + (ROUNDS[index] ?? 0) + (words[index] ?? 0);
    const low = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    const two = low + ((a & b) ^ (a & c) ^ (b & c));
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((word, index) => {
    state[index] = (state[index] ?? 0) + word;
  });
}
