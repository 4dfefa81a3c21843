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
    const a0 = this.low & 0xffff;
    const a1 = this.low >>> 16;
    const b0 = low & 0xffff;
    const b1 = low >>> 16;
    const middle = a1 * b0 + ((a0 * b0) >>> 16);
    const other = a0 * b1 + (middle & 0xffff);
    const carried = a1 * b1 + Math.floor(middle / 65_536) + Math.floor(other / 65_536);
    this.high = (carried + Math.imul(this.high, low) + Math.imul(this.low, high)) | 0;
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
    for (; at + STRIPE <= length; at += STRIPE) {
      let place = at;
      for (const lane of lanes) {
        round(lane, view, place);
        place += 8;
      }
    }
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
