/** The counts of a timeline's entries by time, as fine as the view needs them. */

import { Cache } from "../../base/cache.js";
import { RequestError } from "../../wire/requests.js";
import { Counted } from "./counted.js";
import { levelFor } from "./scale.js";

/** @import { KnownGap } from "./row-map.js" */
/** @import { TimelineSummary } from "../../wire/to-inspector.js" */
/** @import { Span } from "./scale.js" */
/** @import { Source } from "../sources/source.js" */

/** Counts that are kept: the whole, and some levels around the view. */
const MAXIMUM_OVERVIEWS = 12;

/** How long the same counts of a growing timeline are not requested again, in milliseconds. */
const GROWING_PAUSE = 200;

export class Overviews {
  #source;
  #data;
  #onChange;
  /** @type {Cache<string, Counted>} */
  #held = new Cache(MAXIMUM_OVERVIEWS);
  /** The counts that are requested: while a timeline grows, one request at a time. @type {Set<string>} */
  #counting = new Set();
  /** Up to which entry counts of a branch are, that is computed behind it. @type {Map<string, number>} */
  #countedTo = new Map();

  /**
   * @param {Source} source
   * @param {{ id: string, summary: TimelineSummary, first: number, last: number, gaps: readonly KnownGap[] }} data
   * what is known of the timeline, which changes as it grows
   * @param {() => void} onChange
   */
  constructor(source, data, onChange) {
    this.#source = source;
    this.#data = data;
    this.#onChange = onChange;
  }

  /**
   * The counts to draw a stretch by time with: the finest that are at hand. Asks for better ones.
   *
   * @param {Span} span
   * @param {number} pixels
   * @returns {Counted | undefined}
   */
  counted(span, pixels) {
    const bounds = { start: 0, end: this.#data.summary.duration + 1 };
    const level = levelFor(span, pixels, bounds);
    const key = `${level.from} ${level.size}`;
    const held = this.#held.get(key);
    const isOutgrown = held && (
      held.overview.to < Math.min(span.end, bounds.end) - 1 ||
      (this.#countedTo.get(key) ?? Infinity) < (this.#data.summary.durable ?? this.#data.last)
    );
    if (held && !isOutgrown) return held;
    void this.#count(key, level, held !== undefined);
    return held ?? this.#coarser(span);
  }

  /**
   * The finest counts at hand that hold the whole stretch.
   *
   * @param {Span} span
   */
  #coarser(span) {
    /** @type {Counted | undefined} */
    let best;
    for (const key of this.#held.keys()) {
      const held = this.#held.peek(key);
      if (!held) continue;
      const { from, to } = held.overview;
      if (from > span.start || to < span.end - 1) continue;
      if (!best || held.bucketSize < best.bucketSize) best = held;
    }
    return best;
  }

  /**
   * @param {string} key
   * @param {ReturnType<typeof levelFor>} level
   * @param {boolean} isGrowing whether the same ones were counted before
   */
  async #count(key, { from, to, buckets }, isGrowing) {
    if (this.#counting.has(key)) return;
    this.#counting.add(key);
    const { computing, durable } = this.#data.summary;
    try {
      const request = {
        type: /** @type {const} */ ("overview"),
        timeline: this.#data.id,
        by: /** @type {const} */ ("t"),
      };
      const [overview, before] = await Promise.all([
        this.#source.ask({ ...request, from, to, buckets }),
        from > 0 ? this.#source.ask({ ...request, from: 0, to: from - 1, buckets: 1 }) : undefined,
      ]);
      // The count of entries before the stretch is the seq that it begins with.
      const skipped = before ? (before.entries[0] ?? 0) + (before.lost[0] ?? 0) : 0;
      this.#held.set(key, new Counted(overview, this.#firstCounted + skipped));
      // What is not durable yet can be looked at, and is not counted.
      if (computing === undefined) this.#countedTo.delete(key);
      else this.#countedTo.set(key, durable ?? -1);
      this.#onChange();
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
    } finally {
      // The picture of a timeline that grows need not be newer than an eye can tell.
      if (isGrowing) setTimeout(() => this.#counting.delete(key), GROWING_PAUSE);
      else this.#counting.delete(key);
    }
  }

  /** The seq that counting begins with; what was lost before the first entry is counted as lost. */
  get #firstCounted() {
    const gap = this.#data.gaps.find(({ seq }) => seq === this.#data.first);
    return gap ? this.#data.first - gap.lost : this.#data.first;
  }
}
