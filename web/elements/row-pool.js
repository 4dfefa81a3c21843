/** The rows of a long list that are drawn: each element keeps its row for as long as that is drawn. */

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
  /** @type {{ row: Row, place: number | undefined }[]} */
  #slots = [];

  /** @param {(index: number) => Row} make */
  constructor(make) {
    this.#make = make;
  }

  /**
   * @param {readonly number[]} places the rows of the list to draw, each once
   * @returns {{ drawn: { row: Row, place: number }[], unused: Row[] }} in the order of the places
   */
  assign(places) {
    const wanted = new Set(places);
    const held = new Map(this.#slots.map((slot) => [slot.place, slot]));
    const free = this.#slots.filter(({ place }) => place === undefined || !wanted.has(place));
    const drawn = places.map((place) => {
      const slot = held.get(place) ?? free.shift() ?? this.#add();
      slot.place = place;
      return { row: slot.row, place };
    });
    for (const slot of free) slot.place = undefined;
    return { drawn, unused: free.map(({ row }) => row) };
  }

  #add() {
    /** @type {{ row: Row, place: number | undefined }} */
    const slot = { row: this.#make(this.#slots.length), place: undefined };
    this.#slots.push(slot);
    return slot;
  }
}
