/** The lines of a timeline's values: asked for together, kept by how far the view is zoomed in. */

import { Cache } from "../../base/cache.js";
import { Emitter } from "../../base/emitter.js";
import { readPointer } from "../../base/pointer.js";
import { RequestError } from "../../wire/requests.js";
import { joined, lineOf } from "./spark-line.js";

/** @import { Counted } from "./counted.js" */
/** @import { EntryPages } from "./entry-pages.js" */
/** @import { TimelineSummary } from "../../wire/to-inspector.js" */
/** @import { Span } from "./scale.js" */
/** @import { Source } from "../sources/source.js" */
/** @import { SparkLine } from "./spark-line.js" */

/** Limits of one request, as the protocol has them. */
const MAXIMUM_PATHS = 64;
const MAXIMUM_POINTS = 32_768;
const MAXIMUM_BUCKETS = 2_048;

/** Longer paths may stand for too many keys of the daemon's index. */
const MAXIMUM_TOKENS = 24;

/** Points that are kept, of all levels together: some megabytes. */
const KEPT_POINTS = 40_000;

/** The shortest time between two requests, in milliseconds: rows change while the reader scrubs. */
const PAUSE = 150;

/** Which buckets are asked for. @typedef {{ from: number, size: number, buckets: number }} Level */

/**
 * The buckets for a span: powers of two and whole tiles, so that panning asks for the same ones.
 *
 * @param {Span} span
 * @param {number} pixels
 * @param {Span} bounds
 * @returns {Level}
 */
export function seriesLevel(span, pixels, bounds) {
  const wanted = (span.end - span.start) / Math.max(pixels, 1);
  const size = Math.max(1, 2 ** Math.floor(Math.log2(Math.max(wanted, 1))));
  const tile = size * 32;
  const from = Math.max(0, Math.floor(Math.max(span.start, bounds.start) / tile) * tile);
  const until = Math.min(
    Math.floor((bounds.end - 1) / size) * size + size,
    Math.ceil(span.end / tile) * tile,
  );
  const buckets = Math.min(MAXIMUM_BUCKETS, Math.max(1, Math.round((until - from) / size)));
  return { from, size, buckets };
}

export class Sparklines {
  /** There are new lines, or the view shows another stretch. @readonly @type {Emitter<void>} */
  changed = new Emitter();
  #source;
  #data;
  /** @type {Cache<string, SparkLine>} */
  #lines = new Cache(KEPT_POINTS);
  /** The line of a path that was used last, of whatever level. @type {Map<string, SparkLine>} */
  #latest = new Map();
  /** The paths that a drawing lacks, with the level. @type {Map<string, Level>} */
  #wishes = new Map();
  #isAsking = false;
  #isScheduled = false;
  /** Paths in one request; fewer after a refusal. */
  #most = MAXIMUM_PATHS;
  /** @type {Set<string>} */
  #refused = new Set();
  #isSupported = true;
  /** @type {Span | undefined} */
  #view;
  /** @type {Counted | undefined} */
  #counts;

  /**
   * @param {Source} source
   * @param {{ id: string, summary: TimelineSummary, last: number, entries: Pick<EntryPages, "get"> }} data
   * what is known of the timeline, which changes as it grows
   */
  constructor(source, data) {
    this.#source = source;
    this.#data = data;
  }

  get #bounds() {
    return { start: 0, end: this.#data.summary.duration + 1 };
  }

  /** The stretch of time that the timeline shows. @returns {Span} */
  get view() {
    return this.#view ?? this.#bounds;
  }

  /**
   * The timeline shows a stretch.
   *
   * @param {Span} span
   * @param {Counted | undefined} counts what it is drawn from
   */
  look(span, counts) {
    const old = this.view;
    this.#view = { ...span };
    this.#counts = counts;
    if (old.start !== span.start || old.end !== span.end) this.changed.emit();
  }

  /**
   * The line to draw a value with: the best that is known. Asks for a better one.
   *
   * @param {string} path a pointer into the moment
   * @param {number} pixels
   * @param {Span} [span]
   * @returns {SparkLine | undefined}
   */
  line(path, pixels, span = this.view) {
    if (this.#data.last < 0 || !this.#isSupported) return undefined;
    const level = seriesLevel(span, pixels, this.#bounds);
    const key = `${level.size} ${level.from} ${path}`;
    const line = this.#lines.get(key);
    const isComplete = line && line.end >= level.from + level.buckets * level.size &&
      (line.end < this.#bounds.end || line.through >= this.#durable);
    if (!isComplete) this.#wish(path, level);
    if (line) {
      this.#latest.set(path, line);
      return line;
    }
    return this.#latest.get(path);
  }

  /** The last entry that an answer can contain. */
  get #durable() {
    return this.#data.summary.durable ?? this.#data.last;
  }

  /** When an entry happened, as precisely as it is known. @param {number} seq @returns {number | undefined} */
  timeOf(seq) {
    return this.#data.entries.get(seq)?.t ?? this.#counts?.timeOf(seq);
  }

  /** The last entry at that time or before it. @param {number} t @returns {number | undefined} */
  seqAt(t) {
    return this.#counts?.seqAt(t);
  }

  /** The connection is back. */
  retry() {
    this.#refused.clear();
    this.changed.emit();
  }

  /** @param {string} path @param {Level} level */
  #wish(path, level) {
    if (this.#refused.has(path) || (readPointer(path)?.length ?? 99) > MAXIMUM_TOKENS) return;
    this.#wishes.set(path, level);
    if (this.#isAsking || this.#isScheduled) return;
    this.#isScheduled = true;
    // After the drawing that is under way: then all of its rows have said what they lack.
    queueMicrotask(() => void this.#ask());
  }

  /** Asks for all that is wished for at one level, in one request. */
  async #ask() {
    this.#isScheduled = false;
    const [first] = this.#wishes.values();
    if (!first) return;
    const { level, paths } = this.#next(first);
    const durable = this.#durable;
    // The daemon answers what is durable: of a branch that is computed, later buckets have no entries
    // yet.
    const isPartial = durable < this.#data.last;
    this.#isAsking = true;
    try {
      const answer = await this.#source.ask({
        type: "series",
        timeline: this.#data.id,
        paths,
        from: level.from,
        to: level.from + level.buckets * level.size - 1,
        buckets: level.buckets,
        by: "t",
      });
      answer.paths.forEach((series, index) => {
        const path = paths[index];
        if (path === undefined) return;
        const line = lineOf(answer, series, level);
        this.#keep(path, first, { ...line, isPartial, through: Math.max(line.through, durable) });
      });
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      this.#fail(error, paths);
    }
    // What was wished for meanwhile may be of rows that are gone: those that are drawn wish again.
    this.#wishes.clear();
    this.changed.emit();
    setTimeout(() => {
      this.#isAsking = false;
      this.changed.emit();
    }, PAUSE);
  }

  /**
   * What one request asks for: of lines that only have to grow, the buckets from their last one on.
   *
   * @param {Level} level
   */
  #next(level) {
    const wished = [...this.#wishes].filter(([, one]) =>
      one.from === level.from && one.size === level.size
    );
    const most = Math.min(this.#most, Math.floor(MAXIMUM_POINTS / level.buckets));
    const lines = wished.map(([path]) => {
      const line = this.#held(path, level);
      return { path, line: line?.isPartial ? undefined : line };
    });
    const isNew = lines.some(({ line }) => !line);
    const chosen = lines.filter(({ line }) => isNew === !line).slice(0, most);
    const paths = chosen.map(({ path }) => path);
    if (isNew) return { level, paths };
    const ends = chosen.map(({ line }) => (line?.end ?? level.from) - level.size);
    const from = Math.max(level.from, Math.min(...ends));
    const until = level.from + level.buckets * level.size;
    return {
      level: { from, size: level.size, buckets: Math.max(1, (until - from) / level.size) },
      paths,
    };
  }

  /** @param {string} path @param {Level} level */
  #held(path, { size, from }) {
    return this.#lines.peek(`${size} ${from} ${path}`);
  }

  /** @param {string} path @param {Level} level @param {SparkLine} line */
  #keep(path, level, line) {
    const held = this.#held(path, level);
    const whole = held && line.start > held.start ? joined(held, line) : line;
    this.#lines.set(`${level.size} ${level.from} ${path}`, whole, whole.points.length + 1);
    this.#latest.set(path, whole);
    // The lines of rows that were shown long ago.
    const [oldest] = this.#latest.keys();
    if (this.#latest.size > 512 && oldest !== undefined) this.#latest.delete(oldest);
  }

  /** @param {RequestError} error @param {string[]} paths */
  #fail({ code }, paths) {
    if (code === "unknown-type") this.#isSupported = false;
    if (code === "disconnected" || code === "superseded") return;
    // One path of many may be at fault.
    if (code === "wrong-value" && paths.length > 1) {
      this.#most = Math.max(1, Math.floor(paths.length / 2));
      return;
    }
    for (const path of paths) this.#refused.add(path);
  }
}
