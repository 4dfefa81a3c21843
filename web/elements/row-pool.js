/** The rows of a long list that are drawn: each element keeps its row, wherever the row moves. */

/**
 * The places of the list are counted from a multiple of this, so that the elements stay where they are
 * while the list is scrolled, and yet are never far from the top of the layer that holds them.
 */
const STRETCH = 256;

/**
 * Where the layer of rows is, and from which row they are counted.
 *
 * @param {{ first: number, top: number }} window the first row that is drawn, and its place
 * @param {number} rowHeight
 * @returns {{ base: number, top: number }}
 */
export function layerOf({ first, top }, rowHeight) {
  const base = Math.floor(first / STRETCH) * STRETCH;
  return { base, top: top - (first - base) * rowHeight };
}

/**
 * Gives rows to elements. An element that is scrolled into view by reference, as assistive technology
 * and scripts do before a click, must not have become another row by the time of the click.
 *
 * @template Row
 */
export class RowPool {
  #make;
  /** @type {{ row: Row, key: unknown }[]} */
  #slots = [];

  /** @param {(index: number) => Row} make */
  constructor(make) {
    this.#make = make;
  }

  /**
   * Elements that are not used keep their keys, so that a row that comes back finds its own.
   *
   * @param {readonly number[]} places the rows of the list to draw, each once
   * @param {(place: number) => unknown} keyOf what a row is about, also when a filter moves it
   * @returns {{ drawn: { row: Row, place: number }[], unused: Row[] }} in the order of the places
   */
  assign(places, keyOf = (place) => place) {
    const keys = places.map(keyOf);
    const wanted = new Set(keys);
    const held = new Map(this.#slots.map((slot) => [slot.key, slot]));
    const free = this.#slots.filter(({ key }) => !wanted.has(key));
    const drawn = places.map((place, index) => {
      const key = keys[index];
      const slot = held.get(key) ?? free.shift() ?? this.#add();
      // A second row with the same key gets an element of its own.
      held.delete(key);
      slot.key = key;
      return { row: slot.row, place };
    });
    return { drawn, unused: free.map(({ row }) => row) };
  }

  #add() {
    /** @type {{ row: Row, key: unknown }} */
    const slot = { row: this.#make(this.#slots.length), key: undefined };
    this.#slots.push(slot);
    return slot;
  }
}
