/** A text about what is in view, which is loaded: for one thing at a time, and once. */

import { PatchError } from "../../base/patch.js";
import { RequestError } from "../../wire/requests.js";

export class KeyedText {
  /** Empty until it is loaded, and where it cannot be. */
  text = "";
  #onChange;
  #key = "";
  #abort = new AbortController();

  /** @param {() => void} onChange */
  constructor(onChange) {
    this.#onChange = onChange;
  }

  /**
   * Loads the text, unless it is that of the same thing. What was under way is canceled.
   *
   * @param {string} key what the text is about
   * @param {(signal: AbortSignal) => Promise<string>} load
   */
  update(key, load) {
    if (key === this.#key) return;
    this.clear();
    this.#key = key;
    void this.#load(load, this.#abort.signal);
  }

  /** There is nothing to say any more. */
  clear() {
    this.#key = this.text = "";
    this.#abort.abort();
    this.#abort = new AbortController();
  }

  /**
   * @param {(signal: AbortSignal) => Promise<string>} load
   * @param {AbortSignal} signal
   */
  async #load(load, signal) {
    try {
      const text = await load(signal);
      if (signal.aborted) return;
      this.text = text;
      if (text !== "") this.#onChange();
    } catch (error) {
      // A state that was not captured, a deleted parent, an older daemon: nothing is missed without
      // the text.
      if (!(error instanceof RequestError || error instanceof PatchError)) throw error;
    }
  }
}
