/** A cache that forgets what was not used for the longest time. */

/**
 * Holds values up to a cost; the caller decides what a value costs.
 *
 * @template Key, Value
 */
export class Cache {
  /** In the order of use, the latest last. @type {Map<Key, { value: Value, cost: number }>} */
  #values = new Map();
  #cost = 0;
  #most;

  /** @param {number} most the greatest sum of costs */
  constructor(most) {
    this.#most = most;
  }

  /** How many values it holds. */
  get size() {
    return this.#values.size;
  }

  /** The sum of their costs. */
  get cost() {
    return this.#cost;
  }

  /**
   * The value, which from now on counts as used last.
   *
   * @param {Key} key
   * @returns {Value | undefined}
   */
  get(key) {
    const held = this.#values.get(key);
    if (!held) return undefined;
    this.#values.delete(key);
    this.#values.set(key, held);
    return held.value;
  }

  /**
   * The value, without counting as use.
   *
   * @param {Key} key
   * @returns {Value | undefined}
   */
  peek(key) {
    return this.#values.get(key)?.value;
  }

  /**
   * Holds a value; others go until there is room. One that alone costs too much is not held.
   *
   * @param {Key} key
   * @param {Value} value
   * @param {number} [cost]
   */
  set(key, value, cost = 1) {
    this.delete(key);
    if (cost > this.#most) return;
    this.#values.set(key, { value, cost });
    this.#cost += cost;
    for (const oldest of this.#values.keys()) {
      if (this.#cost <= this.#most) break;
      this.delete(oldest);
    }
  }

  /** @param {Key} key */
  delete(key) {
    const held = this.#values.get(key);
    if (!held) return;
    this.#values.delete(key);
    this.#cost -= held.cost;
  }

  clear() {
    this.#values.clear();
    this.#cost = 0;
  }

  /** The keys, the one not used for the longest time first. */
  keys() {
    return this.#values.keys();
  }
}
