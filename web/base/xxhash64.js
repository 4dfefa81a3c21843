/** XXH64, with which Zstandard checks what it unpacked. */

// 64-bit numbers are pairs of 32-bit halves: BigInt takes seconds for ten megabytes.

/** @typedef {readonly [high: number, low: number]} Wide */

/** @type {Wide} */
const PRIME_1 = [0x9e3779b1, 0x85ebca87];
/** @type {Wide} */
const PRIME_2 = [0xc2b2ae3d, 0x27d4eb4f];
/** @type {Wide} */
const PRIME_3 = [0x165667b1, 0x9e3779f9];
/** @type {Wide} */
const PRIME_4 = [0x85ebca77, 0xc2b2ae63];
/** @type {Wide} */
const PRIME_5 = [0x27d4eb2f, 0x165667c5];

const STRIPE = 32;

/**
 * The upper half of the product of two numbers of 32 bits.
 *
 * @param {number} left
 * @param {number} right
 */
function multiplyHigh(left, right) {
  const left0 = left & 0xffff;
  const left1 = left >>> 16;
  const right0 = right & 0xffff;
  const right1 = right >>> 16;
  // Each sum is less than 2³², so its lower 32 bits are all of it.
  const middle = (Math.imul(left1, right0) + (Math.imul(left0, right0) >>> 16)) | 0;
  const other = (Math.imul(left0, right1) + (middle & 0xffff)) | 0;
  return (Math.imul(left1, right1) + (middle >>> 16) + (other >>> 16)) | 0;
}

/** A number of 64 bits that changes. */
class Word {
  /**
   * @param {number} [high]
   * @param {number} [low]
   */
  constructor(high = 0, low = 0) {
    this.high = high | 0;
    this.low = low | 0;
  }

  /**
   * @param {number} high
   * @param {number} low
   */
  add(high, low) {
    const sum = (this.low >>> 0) + (low >>> 0);
    this.high = (this.high + high + (sum > 0xffffffff ? 1 : 0)) | 0;
    this.low = sum | 0;
    return this;
  }

  /** @param {Wide} by */
  multiply([high, low]) {
    this.high = (multiplyHigh(this.low, low) + Math.imul(this.high, low) +
      Math.imul(this.low, high)) | 0;
    this.low = Math.imul(this.low, low);
    return this;
  }

  /** @param {number} count 1 to 31 */
  rotate(count) {
    const { high, low } = this;
    this.high = (high << count) | (low >>> (32 - count));
    this.low = (low << count) | (high >>> (32 - count));
    return this;
  }

  /** @param {Word} other */
  xor(other) {
    this.high ^= other.high;
    this.low ^= other.low;
    return this;
  }

  /** Mixes with its own bits, shifted down. @param {number} count */
  mixDown(count) {
    const { high, low } = this;
    if (count >= 32) {
      this.low ^= high >>> (count - 32);
    } else {
      this.low ^= (low >>> count) | (high << (32 - count));
      this.high ^= high >>> count;
    }
    return this;
  }
}

/** Used again for each round, which would otherwise make millions of objects. */
const input = new Word();

/**
 * @param {Word} lane
 * @param {DataView} view
 * @param {number} at
 */
function round(lane, view, at) {
  input.high = view.getInt32(at + 4, true);
  input.low = view.getInt32(at, true);
  input.multiply(PRIME_2);
  return lane.add(input.high, input.low).rotate(31).multiply(PRIME_1);
}

/**
 * Rounds of one lane over all stripes. Lane after lane, with numbers in place of objects, is several
 * times as fast as stripe after stripe.
 *
 * @param {Word} lane
 * @param {DataView} view
 * @param {number} start of the lane in the first stripe
 * @param {number} end of the last stripe
 */
function rounds(lane, view, start, end) {
  const [high1, low1] = PRIME_1;
  const [high2, low2] = PRIME_2;
  let { high, low } = lane;
  for (let at = start; at < end; at += STRIPE) {
    const word = view.getInt32(at, true);
    const upper = (Math.imul(view.getInt32(at + 4, true), low2) + Math.imul(word, high2) +
      multiplyHigh(word, low2)) | 0;
    const lower = Math.imul(word, low2);
    const sum = (low + lower) | 0;
    const carried = (high + upper + (sum >>> 0 < lower >>> 0 ? 1 : 0)) | 0;
    const turned = (sum << 31) | (carried >>> 1);
    high = (carried << 31) | (sum >>> 1);
    high = (Math.imul(high, low1) + Math.imul(turned, high1) + multiplyHigh(turned, low1)) | 0;
    low = Math.imul(turned, low1);
  }
  lane.high = high;
  lane.low = low;
}

/**
 * @param {Word} hash
 * @param {Word} mixed
 */
function mix(hash, mixed) {
  hash.xor(mixed).multiply(PRIME_1);
  return hash.add(...PRIME_4);
}

/**
 * The lower 32 bits of the hash, with seed 0.
 *
 * @param {Uint8Array} bytes
 * @returns {number}
 */
export function xxhash64Low(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const { length } = bytes;
  let at = 0;
  let hash = new Word(...PRIME_5);
  if (length >= STRIPE) {
    const lanes = [
      new Word(...PRIME_1).add(...PRIME_2),
      new Word(...PRIME_2),
      new Word(),
      new Word(~PRIME_1[0], ~PRIME_1[1]).add(0, 1),
    ];
    at = length - length % STRIPE;
    lanes.forEach((lane, place) => rounds(lane, view, place * 8, at));
    hash = new Word();
    lanes.forEach(({ high, low }, place) => {
      const turned = new Word(high, low).rotate([1, 7, 12, 18][place] ?? 1);
      hash.add(turned.high, turned.low);
    });
    for (const { high, low } of lanes) {
      mix(hash, new Word(high, low).multiply(PRIME_2).rotate(31).multiply(PRIME_1));
    }
  }
  hash.add(Math.floor(length / 2 ** 32), length);
  return finish(hash, view, at);
}

/**
 * @param {Word} hash
 * @param {DataView} view
 * @param {number} start of the bytes after the last stripe
 */
function finish(hash, view, start) {
  const end = view.byteLength;
  let at = start;
  for (; at + 8 <= end; at += 8) {
    hash.xor(round(new Word(), view, at)).rotate(27).multiply(PRIME_1).add(...PRIME_4);
  }
  if (at + 4 <= end) {
    hash.xor(new Word(0, view.getInt32(at, true)).multiply(PRIME_1));
    hash.rotate(23).multiply(PRIME_2).add(...PRIME_3);
    at += 4;
  }
  for (; at < end; at++) {
    hash.xor(new Word(0, view.getUint8(at)).multiply(PRIME_5)).rotate(11).multiply(PRIME_1);
  }
  hash.mixDown(33).multiply(PRIME_2).mixDown(29).multiply(PRIME_3).mixDown(32);
  return hash.low >>> 0;
}
