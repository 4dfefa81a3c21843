/** Where entries of a timeline were lost. */

import { RequestError } from "../../wire/requests.js";

/** @import { Entry } from "../../wire/entry.js" */
/** @import { KnownGap } from "./row-map.js" */
/** @import { Source } from "../sources/source.js" */

/** Gaps beyond these are shown as empty stretches: a recording with more has other troubles. */
const MAXIMUM_GAPS = 5_000;

/** Entries that are read to find the gaps among them, and parts that longer stretches are cut into. */
const GAP_WINDOW = 500;
const GAP_BUCKETS = 4_096;

export class Gaps {
  /** @type {KnownGap[]} */
  list = [];
  #source;
  #timeline;

  /**
   * @param {Source} source
   * @param {string} timeline
   */
  constructor(source, timeline) {
    this.#source = source;
    this.#timeline = timeline;
  }

  /** How many entries were lost, as far as it is known. */
  get lostCount() {
    return this.list.reduce((sum, { lost }) => sum + lost, 0);
  }

  /** @param {Entry} entry */
  note({ seq, gap }) {
    if (!gap || this.list.some((known) => known.seq === seq)) return;
    this.list.push({ seq, ...gap });
  }

  /**
   * Looks for them, only where the counts say that there are some: ten million entries are not
   * searched for one gap.
   *
   * @param {number} first
   * @param {number} last
   * @returns {Promise<boolean>} whether all of them are known now
   */
  async find(first, last) {
    try {
      await this.#findIn(first, last);
      return true;
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      return false;
    }
  }

  /**
   * @param {number} from
   * @param {number} to
   */
  async #findIn(from, to) {
    const timeline = this.#timeline;
    if (to - from < GAP_WINDOW) {
      const request = { timeline, from, count: to - from + 1, filter: "gap" };
      const reply = await this.#source.ask({ type: "entries", ...request });
      reply.entries.filter(({ seq }) => seq <= to).forEach((entry) => this.note(entry));
      return;
    }
    const buckets = Math.min(GAP_BUCKETS, to - from + 1);
    const counts = await this.#source.ask({
      type: "overview",
      timeline,
      from,
      to,
      buckets,
      by: "seq",
    });
    const edge = (/** @type {number} */ bucket) =>
      from + Math.ceil(bucket * (to - from + 1) / buckets);
    for (let bucket = 0; bucket < buckets && this.list.length < MAXIMUM_GAPS; bucket++) {
      if (counts.lost[bucket]) await this.#findIn(edge(bucket), edge(bucket + 1) - 1);
    }
  }
}
