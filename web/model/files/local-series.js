/** Answers `series` for a file, as a daemon does. */

import { lookUp, readPointer } from "../../base/pointer.js";
import { isObject, member } from "../../base/json.js";
import { SeriesTrack } from "./series-track.js";

/** @import { JsonObject } from "../../base/json-types.d.ts" */
/** @import { Request } from "../../wire/from-inspector.js" */
/** @import { Replies } from "../../wire/requests.js" */
/** @import { Lines, Moment, Moments } from "./moments.js" */
/** @import { AskOptions } from "../sources/source.js" */

/** Longer stretches are sampled: reading so many entries lasts about a fifth of a second. */
const MAXIMUM_READ = 4_000;

/**
 * @param {Lines} lines
 * @param {Moments} moments
 * @param {Request<"series">} request
 * @param {AskOptions} [options]
 * @param {number} [maximumRead] the entries that are read before a stretch is sampled
 * @returns {Promise<Replies["series"]>}
 */
export async function localSeries(lines, moments, request, options, maximumRead = MAXIMUM_READ) {
  return await new LocalSeries(lines, moments, request).answer(options, maximumRead);
}

class LocalSeries {
  #lines;
  #moments;
  #request;
  #paths;
  /** @type {Set<number>} */
  #unknown = new Set();
  /** @type {[number, number][]} */
  #sampled = [];

  /**
   * @param {Lines} lines
   * @param {Moments} moments
   * @param {Request<"series">} request
   */
  constructor(lines, moments, request) {
    this.#lines = lines;
    this.#moments = moments;
    this.#request = request;
    this.#paths = request.paths.map((path) => ({
      tokens: readPointer(path) ?? [],
      track: new SeriesTrack(),
      isRedacted: false,
    }));
  }

  /**
   * @param {AskOptions | undefined} options
   * @param {number} maximumRead
   * @returns {Promise<Replies["series"]>}
   */
  async answer(options, maximumRead) {
    const { index } = this.#lines;
    const { from, to, by } = this.#request;
    const [first, end] = by === "seq"
      ? [index.placeOf(from), index.placeOf(to + 1)]
      : [index.placeAt(from), index.placeAt(to + 1)];
    if (first > 0) await this.#begin(first - 1);
    if (end - first <= maximumRead) await this.#walk(first, end, options);
    else await this.#sample(first, end, options);
    const unknown = stretches(this.#unknown);
    return {
      type: "series",
      paths: this.#paths.map(({ track, isRedacted }) =>
        isRedacted ? { ...new SeriesTrack().series, redacted: true } : track.series
      ),
      ...(unknown.length > 0 ? { unknown } : {}),
      ...(this.#sampled.length > 0 ? { sampled: this.#sampled } : {}),
      ...(first < end ? { through: index.seqs[end - 1] ?? 0 } : {}),
    };
  }

  /** The values before the first entry. @param {number} place */
  async #begin(place) {
    const [line] = await this.#lines.read(place, place + 1);
    if (line) this.#noteHidden(line);
    this.#note(await this.#moments.at(place), 0, false);
  }

  /**
   * @param {number} first
   * @param {number} end
   * @param {AskOptions | undefined} options
   */
  async #walk(first, end, options) {
    await this.#moments.walk(first, end, true, ({ place, line, before, after }) => {
      const bucket = this.#bucketOf(place);
      const hasGap = member(line, "gap") !== undefined;
      if (hasGap || after === "unknown") this.#unknown.add(bucket);
      this.#noteHidden(line);
      this.#note(after, bucket, before !== "unknown");
    }, options ?? {});
  }

  /**
   * Reads the last entry of each bucket.
   *
   * @param {number} first
   * @param {number} end
   * @param {AskOptions | undefined} options
   */
  async #sample(first, end, options) {
    for (let place = first; place < end;) {
      options?.signal?.throwIfAborted();
      const bucket = this.#bucketOf(place);
      const next = Math.min(end, this.#lastPlaceOf(bucket) + 1);
      const [line] = await this.#lines.read(next - 1, next);
      const moment = await this.#moments.at(next - 1);
      if (line) this.#noteHidden(line);
      if (moment === "unknown") this.#unknown.add(bucket);
      this.#note(moment, bucket, true);
      if (next - place > 1) addBucket(this.#sampled, bucket);
      place = next;
    }
  }

  /** @param {number} place */
  #bucketOf(place) {
    const { index } = this.#lines;
    const { from, to, buckets, by } = this.#request;
    const x = (by === "seq" ? index.seqs[place] : index.times[place]) ?? 0;
    return Math.floor((x - from) * buckets / (to - from + 1));
  }

  /** @param {number} bucket */
  #lastPlaceOf(bucket) {
    const { index } = this.#lines;
    const { from, to, buckets, by } = this.#request;
    const next = from + Math.ceil((bucket + 1) * (to - from + 1) / buckets);
    return (by === "seq" ? index.placeOf(next) : index.placeAt(next)) - 1;
  }

  /**
   * @param {Moment} moment
   * @param {number} bucket
   * @param {boolean} follows
   */
  #note(moment, bucket, follows) {
    for (const { tokens, track } of this.#paths) {
      if (moment === "unknown") track.note(moment, bucket, follows);
      else {
        const value = lookUp({ state: moment.state, outputs: moment.outputs }, tokens);
        track.note({ value }, bucket, follows);
      }
    }
  }

  /** @param {JsonObject} line */
  #noteHidden(line) {
    const redacted = member(line, "redacted");
    if (!isObject(redacted)) return;
    const hidden = Object.keys(redacted).map((pointer) => readPointer(pointer) ?? []);
    for (const path of this.#paths) {
      path.isRedacted ||= hidden.some((tokens) =>
        tokens.length <= path.tokens.length &&
        tokens.every((token, index) => token === path.tokens[index])
      );
    }
  }
}

/** @param {[number, number][]} ranges @param {number} bucket not before those that are there */
function addBucket(ranges, bucket) {
  const last = ranges.at(-1);
  if (last && last[1] + 1 >= bucket) last[1] = Math.max(last[1], bucket);
  else ranges.push([bucket, bucket]);
}

/** @param {Set<number>} buckets rising */
function stretches(buckets) {
  /** @type {[number, number][]} */
  const ranges = [];
  for (const bucket of buckets) addBucket(ranges, bucket);
  return ranges;
}
