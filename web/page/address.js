/** Where the reader is, as the browser's address says it: jumps are steps of its history. */

import { writeLocation } from "../model/inspector/location.js";

/** @import { Location } from "../model/inspector/location.js" */

/** How long the reader rests before the address follows: browsers limit how often it may change. */
const REST = 200;

/**
 * What is needed of the browser.
 *
 * @typedef {object} History
 * @property {() => string} hash that of the address, with its sign; empty without one
 * @property {(hash: string) => void} push makes a step
 * @property {(hash: string) => void} replace changes the step at which the browser is
 * @property {(call: () => void, milliseconds: number) => () => void} later answers how to call it off
 */

export class Address {
  #history;
  /** What the step is to become. @type {{ hash: string, callOff: () => void } | undefined} */
  #waiting;
  /** Whether the step at which the browser is stays, wherever the reader goes next. */
  #isKept = false;

  /** @param {History} history */
  constructor(history) {
    this.#history = history;
  }

  /**
   * The reader is elsewhere.
   *
   * @param {Location} location
   * @param {boolean} isNew whether Back is to lead to where the reader was
   */
  moved(location, isNew) {
    const hash = "#" + writeLocation(location);
    if (isNew || this.#isKept) {
      this.#isKept = false;
      // The step that is left says where the reader was, and is never changed again.
      this.#settle();
      if (hash !== this.#history.hash()) this.#history.push(hash);
      return;
    }
    this.#callOff();
    if (hash === this.#history.hash()) return;
    this.#waiting = { hash, callOff: this.#history.later(() => this.#settle(), REST) };
  }

  /** What is shown next is of another source: Back is to lead to where the reader is now. */
  keep() {
    this.#settle();
    this.#isKept = true;
  }

  /** The browser is at another step: what waits was meant for the one that it left. */
  left() {
    this.#isKept = false;
    this.#callOff();
  }

  #callOff() {
    this.#waiting?.callOff();
    this.#waiting = undefined;
  }

  #settle() {
    const hash = this.#waiting?.hash;
    this.#callOff();
    if (hash !== undefined) this.#history.replace(hash);
  }
}
