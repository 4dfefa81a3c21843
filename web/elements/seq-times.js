/** When some entries were, computed again only when something is different: they are drawn in every frame. */

export class SeqTimes {
  /** @type {readonly unknown[]} */
  #made = [];
  /** @type {number[]} */
  #times = [];

  /**
   * @template Item
   * @param {readonly Item[]} items the same array as long as they are the same
   * @param {readonly unknown[]} scale what the times depend on, besides them
   * @param {(item: Item) => number | undefined} timeOf
   * @returns {number[]} the same array as long as nothing is different
   */
  of(items, scale, timeOf) {
    const made = [items, items.length, ...scale];
    if (made.length !== this.#made.length || made.some((part, at) => part !== this.#made[at])) {
      this.#made = made;
      this.#times = items.flatMap((item) => timeOf(item) ?? []);
    }
    return this.#times;
  }
}
