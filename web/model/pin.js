/** The value that the reader follows: when it changed before the cursor and after it. */

import { RequestError } from "../wire/requests.js";

/** @import { Json } from "../base/json-types.d.ts" */
/** @import { Source } from "./source.js" */

/** One change. @typedef {{ seq: number, old?: Json, new?: Json }} Change */

/** Changes on each side of the cursor that are known at once. */
const MOST_CHANGES = 100;

export class Pin {
  /** Ascending, around the cursor. @type {Change[]} */
  changes = [];
  /** Whether there are more before the first and after the last that are known. */
  hasEarlier = false;
  hasLater = false;
  /** How many entries nobody knows of. */
  unknownCount = 0;
  isLoading = false;
  message = "";
  #source;
  #timeline;
  #onChange;
  #asked = 0;

  /**
   * @param {Source} source
   * @param {string} timeline
   * @param {string} path
   * @param {() => void} onChange
   */
  constructor(source, timeline, path, onChange) {
    this.#source = source;
    this.#timeline = timeline;
    /** @readonly */
    this.path = path;
    this.#onChange = onChange;
  }

  /**
   * The last change at the entry or before it: who set this.
   *
   * @param {number} seq
   * @returns {Change | undefined}
   */
  setBy(seq) {
    return this.changes.findLast((change) => change.seq <= seq);
  }

  /**
   * @param {number} seq
   * @returns {Change | undefined}
   */
  before(seq) {
    return this.changes.findLast((change) => change.seq < seq);
  }

  /**
   * @param {number} seq
   * @returns {Change | undefined}
   */
  after(seq) {
    return this.changes.find((change) => change.seq > seq);
  }

  /**
   * Whether what is known tells the neighbours of the cursor.
   *
   * @param {number} seq
   */
  covers(seq) {
    const [first] = this.changes;
    const last = this.changes.at(-1);
    if (this.#asked === 0) return false;
    const isEarlyKnown = !this.hasEarlier || (first !== undefined && first.seq <= seq);
    const isLateKnown = !this.hasLater || (last !== undefined && last.seq > seq);
    return isEarlyKnown && isLateKnown;
  }

  /**
   * Fetches the changes around an entry.
   *
   * @param {number} seq
   */
  async load(seq) {
    const asked = ++this.#asked;
    this.isLoading = true;
    this.#onChange();
    const request = {
      type: /** @type {const} */ ("changes"),
      timeline: this.#timeline,
      path: this.path,
      limit: MOST_CHANGES,
    };
    try {
      const [earlier, later] = await Promise.all([
        this.#source.ask({ ...request, before: seq + 1 }),
        this.#source.ask({ ...request, after: seq }),
      ]);
      if (asked !== this.#asked) return;
      this.changes = [...earlier.changes.reverse(), ...later.changes];
      this.hasEarlier = earlier.more ?? false;
      this.hasLater = later.more ?? false;
      this.unknownCount = [...earlier.unknown ?? [], ...later.unknown ?? []]
        .reduce((sum, [first, last]) => sum + last - first + 1, 0);
      this.message = "";
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      if (asked !== this.#asked) return;
      this.message = error.message;
    }
    this.isLoading = false;
    this.#onChange();
  }

  /** The timeline has grown: there may be later changes. */
  grew() {
    this.hasLater = true;
  }
}
