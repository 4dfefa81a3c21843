/** The value that the reader follows: when it changed before the cursor and after it. */

import { RequestError } from "../../wire/requests.js";
import { united } from "../timeline/stretches.js";

/** @import { Json } from "../../base/json-types.d.ts" */
/** @import { Source } from "../sources/source.js" */

/** One change. @typedef {{ seq: number, old?: Json, new?: Json }} Change */

/** Changes on each side of the cursor that are known at once. */
const MAXIMUM_CHANGES = 100;

/** Changes that are kept while a timeline is followed. */
const MAXIMUM_KEPT = 2 * MAXIMUM_CHANGES;

export class Pin {
  /** Ascending, around the cursor. @type {Change[]} */
  changes = [];
  /** Whether there are more before the first and after the last that are known. */
  hasEarlier = false;
  hasLater = false;
  /** Entries that may or may not have changed it. @type {[number, number][]} */
  unknown = [];
  /** Why the last answer did not come. */
  message = "";
  #source;
  #timeline;
  #onChange;
  #settledTo;
  /** What is under way. @type {{ seq: number, ending: Promise<void> } | undefined} */
  #loading;
  /** The entry that the last answer, or failure, was for, unless more may have come since. @type {number | undefined} */
  #answered;
  #hasAnswer = false;
  /** How often the timeline has grown, and what of that the last answer knew. */
  #growth = 0;
  #answeredGrowth = 0;
  /** Up to which entry all changes behind the first known one are known. */
  #knownTo = -1;

  /**
   * @param {Source} source
   * @param {string} timeline
   * @param {string} path
   * @param {() => void} onChange
   * @param {() => number} settledTo the last entry that an answer of now is sure to know of
   */
  constructor(source, timeline, path, onChange, settledTo) {
    this.#source = source;
    this.#timeline = timeline;
    this.#settledTo = settledTo;
    /** @readonly */
    this.path = path;
    this.#onChange = onChange;
  }

  get isLoading() {
    return this.#loading !== undefined;
  }

  /** How many entries are unknown. */
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
   * Whether the known changes include the neighbors of the cursor. What was just asked for is not asked
   * for again, whatever the answer was.
   *
   * @param {number} seq
   * @param {boolean} [isFinal] whether the timeline grows no further: then the count can be exact
   */
  covers(seq, isFinal = false) {
    if (this.#answered === seq) return true;
    if (!this.#hasAnswer || this.message !== "") return false;
    if (isFinal && this.#answeredGrowth !== this.#growth) return false;
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
    try {
      if (!(this.#isBehind(seq) && await this.#goOn(isNewest))) await this.#search(seq, isNewest);
      if (!isNewest()) return;
      this.hasLater ||= growth !== this.#growth;
      this.#answeredGrowth = growth;
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

  /** @param {{ before: number } | { after: number }} where */
  #ask(where) {
    return this.#source.ask({
      type: "changes",
      timeline: this.#timeline,
      path: this.path,
      limit: MAXIMUM_CHANGES,
      ...where,
    });
  }

  /**
   * Looks for all changes around an entry.
   *
   * @param {number} seq
   * @param {() => boolean} isNewest
   */
  async #search(seq, isNewest) {
    const settledTo = this.#settledTo();
    const [earlier, later] = await Promise.all([
      this.#ask({ before: seq + 1 }),
      this.#ask({ after: seq }),
    ]);
    if (!isNewest()) return;
    this.changes = [...earlier.changes.reverse(), ...later.changes];
    this.hasEarlier = earlier.more ?? false;
    this.hasLater = later.more ?? false;
    this.#knownTo = later.more ? this.changes.at(-1)?.seq ?? seq : settledTo;
    this.unknown = [...earlier.unknown ?? [], ...later.unknown ?? []];
  }

  /** Whether all that an entry lacks is after what is known. @param {number} seq */
  #isBehind(seq) {
    // Nothing is known of a timeline without durable entries, and no entry is before its first.
    if (!this.#hasAnswer || !this.hasLater || this.#knownTo < 0) return false;
    const [first] = this.changes;
    return !this.hasEarlier || first !== undefined && first.seq <= seq;
  }

  /**
   * Looks only behind what is known: a timeline that is followed is not searched from its start
   * after each event.
   *
   * @param {() => boolean} isNewest
   * @returns {Promise<boolean>} whether that was all; not where far more has come
   */
  async #goOn(isNewest) {
    const settledTo = this.#settledTo();
    const { changes, more, unknown = [] } = await this.#ask({ after: this.#knownTo });
    if (more) return false;
    if (!isNewest()) return true;
    const known = this.changes.at(-1)?.seq ?? -1;
    const all = [...this.changes, ...changes.filter(({ seq }) => seq > known)];
    this.changes = all.slice(-MAXIMUM_KEPT);
    this.hasEarlier ||= all.length > MAXIMUM_KEPT;
    this.hasLater = false;
    const stretches = [...this.unknown, ...unknown].map(([first, last]) => ({ first, last }));
    this.unknown = united(stretches).map(({ first, last }) => [first, last]);
    this.#knownTo = settledTo;
    return true;
  }

  /** The connection is back: what failed may work now. */
  retry() {
    if (this.message !== "") this.#answered = undefined;
  }

  /** The timeline has grown: there may be later changes. */
  grew() {
    this.#growth++;
    this.hasLater = true;
    this.#answered = undefined;
  }
}
