/** Values made up from a seed, for tests that try many. */

/** @import { Json, JsonObject } from "../../web/base/json-types.d.ts" */

/** A generator (SplitMix32) that gives the same for the same seed. */
export class Random {
  #state;

  /** @param {number} seed */
  constructor(seed) {
    this.#state = seed >>> 0;
  }

  /**
   * A whole number from 0 to `count - 1`.
   *
   * @param {number} count
   * @returns {number}
   */
  below(count) {
    this.#state = (this.#state + 0x9e3779b9) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) % count;
  }

  /**
   * One of several.
   *
   * @template Value
   * @param {readonly [Value, ...Value[]]} values
   * @returns {Value}
   */
  pick(values) {
    return values[this.below(values.length)] ?? values[0];
  }

  /**
   * A JSON value.
   *
   * @param {number} [depth]
   * @returns {Json}
   */
  value(depth = 3) {
    const kind = depth > 0 ? this.below(8) : this.below(5);
    if (kind < 2) return this.below(4);
    if (kind === 2) return this.pick(["", "a", "b~/c", "__proto__"]);
    if (kind === 3) return this.pick([null, true, false]);
    if (kind === 4) return this.pick([0, -0, 0.5]);
    if (kind < 7) return Array.from({ length: this.below(5) }, () => this.value(depth - 1));
    /** @type {JsonObject} */
    const object = {};
    for (let left = this.below(4); left > 0; left--) {
      object[this.pick(["id", "a", "b/c", "d~", ""])] = this.value(depth - 1);
    }
    return object;
  }
}
