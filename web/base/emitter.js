/** Notifies listeners of changes. */

/**
 * @template Value
 */
export class Emitter {
  /** @type {Set<(value: Value) => void>} */
  #listeners = new Set();

  /**
   * @param {(value: Value) => void} listener
   * @returns {() => void} ends it
   */
  listen(listener) {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** @param {Value} value */
  emit(value) {
    for (const listener of [...this.#listeners]) listener(value);
  }
}
