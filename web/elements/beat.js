/** Makes what changed flash with every step of playback, also where the same row changes again. */

import { setAttribute } from "./dom.js";

export class Beat {
  #element;
  /** @type {number | undefined} */
  #seq;
  #isOdd = false;

  /** @param {Element} element around the rows that flash */
  constructor(element) {
    this.#element = element;
  }

  /**
   * Another entry is shown. An animation starts again only under another name, so there are two.
   *
   * @param {number | undefined} seq
   */
  show(seq) {
    if (this.#seq === seq) return;
    this.#seq = seq;
    this.#isOdd = !this.#isOdd;
    setAttribute(this.#element, "data-beat", this.#isOdd ? "odd" : "even");
  }
}
