/** The moment at the cursor and the one before it: what the state, diff and outputs show. */

import { difference } from "../../base/difference.js";
import { formatCount, formatNumbered } from "../../base/format.js";
import { isObject } from "../../base/json.js";
import { PatchError, readPatch } from "../../base/patch.js";

/** @import { Operation } from "../../base/patch.js" */
/** @import { Entry } from "../../wire/entry.js" */
/** @import { KnownMoment } from "../timeline/states.js" */
/** @typedef {Extract<KnownMoment, { is: "known" }>} Moment */
/** @typedef {{ before: Moment, shown: Moment, patch: Operation[] }} Comparison */
/** @import { TimelineData } from "../timeline/timeline-data.js" */

/**
 * Moments that may be asked for at the same time. Two keep the way to the daemon full; a newer wish
 * replaces the one that waits, so that none is asked for in vain, and yet every answer is shown.
 */
const MAXIMUM_REQUESTED = 2;

/** How long the cursor rests before the moment before it is asked for, in milliseconds. */
const REST = 60;

export class CursorMoment {
  /** Where the cursor is. */
  seq = -1;
  /** The latest moment that came; while scrubbing it may be that of a seq just before. @type {KnownMoment | undefined} */
  shown;
  /** The moment before the one that is shown. @type {KnownMoment | undefined} */
  before;
  /** The last comparison of each side: a state may be large, and is drawn often. */
  #compared = /** @type {Record<string, Comparison | undefined>} */ ({});
  #onChange;
  #later;
  /** @type {TimelineData | undefined} */
  #data;
  #asked = 0;
  /** The seq that is asked for as soon as an answer has come. @type {number | undefined} */
  #next;
  /** Counts what was asked for, so that no answer takes the place of a later one. */
  #order = 0;
  #shownOrder = 0;

  /**
   * @param {() => void} onChange
   * @param {(call: () => void, milliseconds: number) => void} [later]
   */
  constructor(onChange, later = (call, milliseconds) => void setTimeout(call, milliseconds)) {
    this.#onChange = onChange;
    this.#later = later;
  }

  /** Whether what is shown is not yet the cursor's. */
  get isLoading() {
    return this.shown?.seq !== this.seq;
  }

  /** @returns {Entry | undefined} */
  get entry() {
    return this.#data?.entries.get(this.seq);
  }

  /**
   * Goes to an entry.
   *
   * @param {TimelineData} data
   * @param {number} seq
   */
  show(data, seq) {
    const isSame = this.#data === data && this.seq === seq && !this.isLoading;
    if (this.#data !== data) this.shown = this.before = undefined;
    this.#data = data;
    this.seq = seq;
    if (isSame || data.last < 0) return;
    this.#wantEntries(data);
    const entry = data.entries.get(seq);
    // A patch belongs to the entry just before; the row before may be any, when the list is filtered.
    const held = data.states.get(seq) ?? (entry && data.states.derive(seq - 1, entry));
    if (held) {
      this.#next = undefined;
      this.#arrived(held, ++this.#order);
    } else void this.#fetch(seq);
  }

  /** @param {TimelineData} data */
  #wantEntries(data) {
    data.entries.want([this.seq, Math.max(data.first, this.seq - 1)]);
  }

  /** Tries again what failed. */
  retry() {
    if (!this.#data) return;
    // The list asks for its entry only where the list is shown.
    this.#wantEntries(this.#data);
    if (this.isLoading || this.shown?.is === "failed") void this.#fetch(this.seq);
    else if (this.before?.is === "failed") void this.#fetchBefore(this.seq);
  }

  /** Has a host compute the moment, which was not captured. */
  async compute() {
    if (!this.#data) return;
    const moment = await this.#data.states.fetch(this.seq, "cursor", { compute: true });
    if (moment?.seq === this.seq) this.#arrived(moment, ++this.#order);
  }

  /** @param {number} seq */
  async #fetch(seq) {
    const data = this.#data;
    if (!data) return;
    if (this.#asked >= MAXIMUM_REQUESTED) {
      this.#next = seq;
      return;
    }
    this.#next = undefined;
    const order = ++this.#order;
    this.#asked++;
    const moment = await data.states.fetch(seq).finally(() => this.#asked--);
    // A moment that the cursor has left meanwhile is still newer than what is shown.
    if (moment && this.#data === data) this.#arrived(moment, order);
    if (this.#next !== undefined) void this.#fetch(this.#next);
  }

  /**
   * @param {KnownMoment} moment
   * @param {number} order
   */
  #arrived(moment, order) {
    if (order < this.#shownOrder) return;
    this.#shownOrder = order;
    this.shown = moment;
    this.before = undefined;
    if (moment.seq === this.seq) {
      const before = this.#previous();
      const held = before === undefined ? undefined : this.#data?.states.get(before);
      if (held) this.before = held;
      else this.#later(() => this.shown === moment && void this.#fetchBefore(moment.seq), REST);
    }
    this.#onChange();
  }

  /** The entry before the cursor's, when it is known which one that is. */
  #previous() {
    const { seq } = this;
    const data = this.#data;
    return !data || seq <= data.first || data.entries.get(seq)?.gap ? undefined : seq - 1;
  }

  /** @param {number} seq */
  async #fetchBefore(seq) {
    const data = this.#data;
    const previous = this.#previous();
    if (!data || this.seq !== seq || previous === undefined) return;
    const before = await data.states.fetch(previous, "before");
    if (this.#data !== data || this.shown?.seq !== seq || !before) return;
    this.before = before;
    this.#onChange();
  }

  /**
   * What the entry that is shown changed in state or outputs, as far as it is known: by its patch,
   * else by comparing.
   *
   * @param {"state" | "outputs"} side
   * @returns {Operation[] | undefined}
   */
  changes(side) {
    const { shown, before } = this;
    if (shown?.is !== "known") return undefined;
    const entry = this.#data?.entries.get(shown.seq);
    const patch = side === "state"
      ? entry?.patch
      : entry?.outputs ?? (entry?.patch ? [] : undefined);
    const compared = () => before?.is === "known" ? this.#compare(side, before, shown) : undefined;
    if (!patch) return compared();
    try {
      const operations = readPatch(patch);
      // A whole object or array in another's place says nothing about which values changed in it.
      return operations.some(replacesContainer) ? compared() ?? operations : operations;
    } catch (error) {
      if (!(error instanceof PatchError)) throw error;
      return compared();
    }
  }

  /**
   * @param {"state" | "outputs"} side
   * @param {Moment} before
   * @param {Moment} shown
   */
  #compare(side, before, shown) {
    const last = this.#compared[side];
    if (last?.before === before && last.shown === shown) return last.patch;
    const patch = difference(before[side], shown[side]);
    this.#compared[side] = { before, shown, patch };
    return patch;
  }

  /** Whether what was just before the entry that is shown cannot be known: lost, or not captured. */
  get isBeforeUnknown() {
    const { shown, before } = this;
    if (shown?.is !== "known" || shown.seq === 0) return false;
    return before?.is === "failed" || this.#data?.entries.get(shown.seq)?.gap !== undefined;
  }

  /**
   * Why it is not known what the entry that is shown changed, for when `changes` does not tell it.
   *
   * @returns {string} nothing when the moment itself is unknown too, which another element shows
   */
  whyNoChanges() {
    const { shown, before } = this;
    if (shown?.is === "failed") return "";
    if (!shown) return "Loading…";
    if (shown.seq === 0) return "This is the first entry, so there is nothing to compare it with.";
    const unknown = `What ${formatCount(shown.seq)} changed is not known:`;
    const gap = this.#data?.entries.get(shown.seq)?.gap;
    if (gap) {
      const were = gap.lost === 1 ? "was" : "were";
      return `${unknown} ${
        formatNumbered(gap.lost, "entry", "entries")
      } just before it ${were} lost.`;
    }
    if (before?.is !== "failed") return "Loading…";
    if (before.code !== "thinned") return `${unknown} ${before.message}`;
    return `${unknown} the state before it was not captured. A host that runs ` +
      "the reducer can compute it. " +
      `To have it computed, go to ${formatCount(before.seq)}, and then come back.`;
  }
}

/** @param {Operation} operation */
function replacesContainer(operation) {
  if (operation.op === "remove") return false;
  if (operation.op === "add" && operation.path !== "") return false;
  return isObject(operation.value) || Array.isArray(operation.value);
}
