/** The moment at the cursor and the one before it: what the state, diff and outputs show. */

import { difference } from "../base/difference.js";
import { PatchError, readPatch } from "../base/patch.js";

/** @import { Operation } from "../base/patch.js" */
/** @import { Entry } from "../wire/entry.js" */
/** @import { KnownMoment } from "./states.js" */
/** @import { TimelineData } from "./timeline-data.js" */

export class CursorMoment {
  /** Where the cursor is. */
  seq = -1;
  /** The latest moment that came; while scrubbing it may be that of a seq just before. @type {KnownMoment | undefined} */
  shown;
  /** The moment before the one that is shown. @type {KnownMoment | undefined} */
  before;
  #onChange;
  /** @type {TimelineData | undefined} */
  #data;

  /** @param {() => void} onChange */
  constructor(onChange) {
    this.#onChange = onChange;
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
    data.entries.want([seq, Math.max(data.first, seq - 1)]);
    const entry = data.entries.get(seq);
    // A patch belongs to the entry just before; the row before may be any, when the list is filtered.
    const held = data.states.get(seq) ?? (entry && data.states.derive(seq - 1, entry));
    if (held) this.#arrived(held);
    else void this.#fetch(seq);
  }

  /** Tries again what failed. */
  retry() {
    if (this.#data && (this.isLoading || this.shown?.is === "failed")) void this.#fetch(this.seq);
  }

  /** Has a host compute the moment, which was not captured. */
  async compute() {
    if (!this.#data) return;
    const moment = await this.#data.states.fetch(this.seq, "cursor", { compute: true });
    if (moment?.seq === this.seq) this.#arrived(moment);
  }

  /** @param {number} seq */
  async #fetch(seq) {
    const data = this.#data;
    const moment = await data?.states.fetch(seq, "cursor");
    // A moment that the cursor has left meanwhile is still newer than what is shown.
    if (moment && this.#data === data) this.#arrived(moment);
  }

  /** @param {KnownMoment} moment */
  #arrived(moment) {
    if (this.isLoading || moment.seq === this.seq) {
      this.shown = moment;
      this.before = undefined;
      if (moment.seq === this.seq) void this.#fetchBefore(moment.seq);
    }
    this.#onChange();
  }

  /** @param {number} seq */
  async #fetchBefore(seq) {
    const data = this.#data;
    if (!data || seq <= data.first) return;
    const previous = data.entries.get(seq)?.gap ? undefined : seq - 1;
    if (previous === undefined) return;
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
    if (patch) {
      try {
        return readPatch(patch);
      } catch (error) {
        if (!(error instanceof PatchError)) throw error;
      }
    }
    return before?.is === "known" ? difference(before[side], shown[side]) : undefined;
  }
}
