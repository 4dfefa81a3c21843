/** Counts by time: they find the entry at a time, and the time of an entry. */

/** @import { Overview } from "../../wire/overview.js" */

/**
 * A stretch of time whose entries are counted. Between the edges of buckets entries are taken to be
 * spread evenly; at the edges the answers are exact.
 */
export class Counted {
  /** The seq behind the last one before each bucket; one more than there are buckets. */
  #edges;
  /** How many entries each lane has, as far as it was asked. @type {Map<string, number>} */
  #inLanes = new Map();

  /**
   * @param {Overview} overview by time
   * @param {number} base the first seq that is not before the stretch
   */
  constructor(overview, base) {
    /** @readonly */
    this.overview = overview;
    this.base = base;
    this.#edges = new Float64Array(overview.buckets + 1);
    let seq = base;
    for (let bucket = 0; bucket < overview.buckets; bucket++) {
      this.#edges[bucket] = seq;
      seq += (overview.entries[bucket] ?? 0) + (overview.lost[bucket] ?? 0);
    }
    this.#edges[overview.buckets] = seq;
  }

  /**
   * How many entries a lane has.
   *
   * @param {string} lane
   * @returns {number}
   */
  inLane(lane) {
    const known = this.#inLanes.get(lane);
    if (known !== undefined) return known;
    const sum = this.countsOf(lane)?.reduce((all, count) => all + count, 0) ?? 0;
    this.#inLanes.set(lane, sum);
    return sum;
  }

  /**
   * The counts of a lane by its name: counts of another time may have it in another place.
   *
   * @param {string} lane
   * @returns {Uint32Array | undefined}
   */
  countsOf(lane) {
    return this.overview.byLane[this.overview.lanes.indexOf(lane)];
  }

  /** How many microseconds a bucket holds. */
  get bucketSize() {
    return (this.overview.to - this.overview.from + 1) / this.overview.buckets;
  }

  /**
   * The bucket of a time, which may be beyond the ends.
   *
   * @param {number} t
   */
  bucketAt(t) {
    return Math.floor((t - this.overview.from) / this.bucketSize);
  }

  /**
   * The last entry at that time or before it, as near as the buckets tell.
   *
   * @param {number} t
   * @returns {number}
   */
  seqAt(t) {
    const place = (t - this.overview.from) / this.bucketSize;
    const bucket = Math.min(Math.max(Math.floor(place), 0), this.overview.buckets - 1);
    const first = this.#edges[bucket] ?? 0;
    const count = (this.#edges[bucket + 1] ?? first) - first;
    const share = Math.min(Math.max(place - bucket, 0), 1);
    // An empty bucket belongs to the last entry before it.
    return Math.max(
      this.base,
      count === 0 ? first - 1 : first + Math.min(Math.floor(share * count), count - 1),
    );
  }

  /**
   * When an entry was, as near as the buckets tell.
   *
   * @param {number} seq
   * @returns {number}
   */
  timeOf(seq) {
    let [low, high] = [0, this.overview.buckets];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#edges[middle + 1] ?? Infinity) <= seq) low = middle + 1;
      else high = middle;
    }
    const first = this.#edges[low] ?? 0;
    const count = Math.max(1, (this.#edges[low + 1] ?? first) - first);
    const share = Math.min(Math.max((seq - first) / count, 0), 1);
    return this.overview.from + (low + share) * this.bucketSize;
  }
}
