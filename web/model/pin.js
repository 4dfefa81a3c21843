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
  /** Entries of which nobody knows whether they changed it. @type {[number, number][]} */
  unknown = [];
  /** Why the last answer did not come. */
  message = "";
  #source;
  #timeline;
  #onChange;
  /** What is under way. @type {{ seq: number, ending: Promise<void> } | undefined} */
  #loading;
  /** The entry that the last answer, or failure, was for, unless more may have come since. @type {number | undefined} */
  #answered;
  #hasAnswer = false;
  /** How often the timeline has grown. */
  #growth = 0;

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

  get isLoading() {
    return this.#loading !== undefined;
  }

  /** How many entries nobody knows of. */
  get unknownCount() {
    return this.unknown.reduce((sum, [first, last]) => sum + last - first + 1, 0);
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
   * Whether what is known tells the neighbours of the cursor. What was just asked for is not asked
   * for again, whatever the answer was.
   *
   * @param {number} seq
   */
  covers(seq) {
    if (this.#answered === seq) return true;
    if (!this.#hasAnswer || this.message !== "") return false;
    const [first] = this.changes;
    const last = this.changes.at(-1);
    const isEarlyKnown = !this.hasEarlier || (first !== undefined && first.seq <= seq);
    const isLateKnown = !this.hasLater || (last !== undefined && last.seq > seq);
    return isEarlyKnown && isLateKnown;
  }

  /**
   * Fetches the changes around an entry; ends when they have come.
   *
   * @param {number} seq
   * @returns {Promise<void>}
   */
  load(seq) {
    if (this.#loading?.seq === seq) return this.#loading.ending;
    const loading = { seq, ending: Promise.resolve() };
    this.#loading = loading;
    loading.ending = this.#load(seq, () => this.#loading === loading);
    this.#onChange();
    return loading.ending;
  }

  /**
   * @param {number} seq
   * @param {() => boolean} isNewest whether nothing else was asked for meanwhile
   */
  async #load(seq, isNewest) {
    const growth = this.#growth;
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
      if (!isNewest()) return;
      this.changes = [...earlier.changes.reverse(), ...later.changes];
      this.hasEarlier = earlier.more ?? false;
      this.hasLater = (later.more ?? false) || growth !== this.#growth;
      this.unknown = [...earlier.unknown ?? [], ...later.unknown ?? []];
      this.#hasAnswer = true;
      this.message = "";
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      if (!isNewest()) return;
      this.message = error.message;
    }
    this.#answered = growth === this.#growth ? seq : undefined;
    this.#loading = undefined;
    this.#onChange();
  }

  /** The timeline has grown: there may be later changes. */
  grew() {
    this.#growth++;
    this.hasLater = true;
    this.#answered = undefined;
  }
}
