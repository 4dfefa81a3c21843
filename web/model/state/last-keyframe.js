/** How far back the full state was stored last, from which the one at the cursor is computed. */

import { RequestError } from "../../wire/requests.js";

/** @import { Source } from "../sources/source.js" */

/** How long the cursor rests before it is asked for, in milliseconds. */
const REST = 300;

export class LastKeyframe {
  /** What was asked about last. @type {readonly unknown[]} */
  #key = [];
  /** Whether that failed. */
  #hasFailed = false;
  /** The connection by which it was asked. @type {unknown} */
  #askedBy;
  /** @type {number | undefined} */
  #seq;
  #asking = new AbortController();
  #later;
  #onChange;

  /**
   * @param {(call: () => void, milliseconds: number) => () => void} later answers how to call it off
   * @param {() => void} onChange
   */
  constructor(later, onChange) {
    this.#later = later;
    this.#onChange = onChange;
  }

  /**
   * How many entries before the cursor it is.
   *
   * @param {Source} source
   * @param {string} timeline
   * @param {number} cursor
   * @param {unknown} [connection] what failed by one may be had by another
   * @returns {number | undefined} nothing as long as it is not known; then `onChange` is called
   */
  distance(source, timeline, cursor, connection) {
    const key = [source, timeline, cursor];
    const isSame = key.every((part, index) => part === this.#key[index]);
    if (!isSame || this.#hasFailed && connection !== this.#askedBy) {
      this.#key = key;
      this.#hasFailed = false;
      this.#askedBy = connection;
      this.#seq = undefined;
      this.#asking.abort();
      const { signal } = this.#asking = new AbortController();
      const callOff = this.#later(() => void this.#ask(source, timeline, cursor, signal), REST);
      signal.addEventListener("abort", callOff, { once: true });
    }
    return this.#seq === undefined ? undefined : cursor - this.#seq;
  }

  /**
   * @param {Source} source
   * @param {string} timeline
   * @param {number} from
   * @param {AbortSignal} signal
   */
  async #ask(source, timeline, from, signal) {
    try {
      const { seqs: [seq] } = await source.ask(
        { type: "find", timeline, predicate: "keyframe", from, direction: "backward" },
        { signal },
      );
      // The reader may have gone on meanwhile.
      if (signal.aborted) return;
      this.#seq = seq;
      this.#onChange();
    } catch (error) {
      // It is a remark: where it cannot be had it is left out.
      if (!(error instanceof RequestError)) throw error;
      if (signal.aborted) return;
      this.#hasFailed = true;
      // The connection may be another one by now.
      this.#onChange();
    }
  }
}
