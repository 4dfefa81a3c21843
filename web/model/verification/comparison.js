/** Comparing two timelines: what the daemon says of all of them, and the lines themselves. */

import { RequestError } from "../../wire/requests.js";
import { align, alignByEvents, withoutEdges } from "./alignment.js";
import { chainOf } from "../sources/ancestry.js";
import { areComputing, comparedEnds, throughOf } from "./compared-ends.js";
import { EqualMoments } from "./equal-moments.js";
import { columnPaths, PathColumns } from "./path-columns.js";
import { UnlikeStates } from "./unlike-states.js";

/** @import { Json } from "../../base/json-types.d.ts" */
/** @import { Entry } from "../../wire/entry.js" */
/** @import { Message, TimelineSummary } from "../../wire/to-inspector.js" */
/** @import { Aligned, AlignedRow } from "./alignment.js" */
/** @import { Source } from "../sources/source.js" */

/** Entries that are fetched at once, and at first from each side. */
const WINDOW = 1_000;
export const FIRST_LOAD = 5_000;

/** Lines whose moments are compared before they are shown; those of further lines, when they are in view. */
const FIRST_CHECKED = 24;

/** Entries that are loaded before it, where it is far behind the place where the two part. */
const BEFORE = 200;

export class Comparison {
  #source;
  #summaries;
  #onChange;
  #abort = new AbortController();
  /** @readonly */
  a;
  /** @readonly */
  b;
  /** The entries before it are the same ones on both sides. */
  shared = 0;
  /** Whether the two have no common ancestor, so that they are aligned by their events. */
  isByEvents = false;
  /** @type {AlignedRow[]} */
  rows = [];
  /** Entries of a parent that are newer than what its branch was computed from; they have no lines. */
  newer = 0;
  /** Whether there is more than was loaded. */
  hasMore = false;
  isLoading = true;
  /** What the daemon says of all entries; nothing yet, or never. @type {Message<"compare"> | undefined} */
  verdict;
  /** The values at the paths that differ most; nothing before the verdict, and where none differs. @type {PathColumns | undefined} */
  columns;
  /** How the last moments differ, in a sentence; empty while and where it is not known. */
  end = "";
  /** Why the daemon says nothing. @type {string | undefined} */
  failure;
  /** The line that the reader looks at. */
  selected = -1;
  /** Whether the reader chose it. */
  #isChosen = false;
  /** The difference of the two moments of that line, and what was there on the left. @type {{ patch: Json, old: Json | undefined } | { message: string } | undefined} */
  difference;
  #limit = FIRST_LOAD;
  #moments;
  #states;
  /** Whether one of the two was being computed at the beginning. */
  #wasComputing;
  /** Where the lines begin on each side, when not where the two part. @type {{ a: number, b: number } | undefined} */
  #start;

  /**
   * @param {Source} source
   * @param {ReadonlyMap<string, TimelineSummary>} summaries
   * @param {string} a
   * @param {string} b
   * @param {() => void} onChange
   */
  constructor(source, summaries, a, b, onChange) {
    this.#source = source;
    this.#summaries = summaries;
    this.#onChange = onChange;
    this.a = a;
    this.b = b;
    const { signal } = this.#abort;
    this.#moments = new EqualMoments(source, { a, b }, signal);
    this.#states = new UnlikeStates(source, { a, b }, { onChange, signal });
    this.#wasComputing = areComputing(summaries, this);
  }

  /** Whether one of the two was being computed when they were compared, and is complete now. @param {ReadonlyMap<string, TimelineSummary>} summaries */
  isOutdated(summaries) {
    return this.#wasComputing && !areComputing(summaries, this);
  }

  /** The line that the reader chose, if it is the same one in a new comparison. */
  get chosen() {
    return this.#isChosen && this.#start === undefined ? this.selected : undefined;
  }

  /** Begins: asks the daemon, and loads the lines. */
  async start() {
    await Promise.all([this.#judge(), this.#compareEnds(), this.load()]);
  }

  stop() {
    this.#abort.abort();
  }

  async #judge() {
    try {
      this.verdict = await this.#source.ask(
        { type: "compare", timeline: this.a, with: this.b },
        { signal: this.#abort.signal },
      );
      this.#compareValues(columnPaths((this.verdict.paths ?? []).map(({ path }) => path)));
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      if (error.code === "cancelled") return;
      this.failure = error.message;
    }
    this.#offerFirst();
    this.#onChange();
  }

  async #compareEnds() {
    const { a, b } = this;
    this.end = await comparedEnds(this.#source, this.#summaries, { a, b }, this.#abort.signal);
    this.#onChange();
  }

  /** @param {readonly string[]} paths */
  #compareValues(paths) {
    const { a, b } = this;
    if (paths.length === 0) return;
    this.columns = new PathColumns(this.#source, { a, b }, paths, {
      onChange: this.#onChange,
      signal: this.#abort.signal,
    });
  }

  /** Loads what is to be seen at first, or as much again. */
  async loadMore() {
    this.#limit *= 2;
    await this.load();
  }

  async load() {
    this.isLoading = true;
    this.#onChange();
    try {
      const chains = [this.a, this.b].map((id) => chainOf(id, this.#summaries));
      const [left = [], right = []] = chains;
      const common = left.find((id) => right.includes(id));
      this.isByEvents = common === undefined;
      this.shared = common === undefined
        ? 0
        : Math.min(this.#sharedOf(left, common), this.#sharedOf(right, common));
      const start = this.#start;
      const [one, other] = await Promise.all([
        this.#side(left, common, start?.a ?? this.shared),
        this.#side(right, common, start?.b ?? this.shared),
      ]);
      // Another place was asked for meanwhile.
      if (start !== this.#start) return;
      this.hasMore = one.hasMore || other.hasMore;
      const aligned = (this.isByEvents ? alignByEvents : align)(one.entries, other.entries);
      this.#setRows(withoutEdges(aligned, {
        first: start !== undefined,
        last: this.hasMore,
      }));
      await this.#moments.check(
        this.rows.filter((row) => this.#moments.isUndecided(row)).slice(0, FIRST_CHECKED),
      );
      if (start !== this.#start) return;
      this.isLoading = false;
      this.#offerFirst();
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      if (error.code === "cancelled") return;
      this.failure = error.message;
    } finally {
      this.isLoading = false;
      this.#onChange();
    }
  }

  /** @param {AlignedRow[]} rows */
  #setRows(rows) {
    const through = throughOf(this.#summaries, this.a, this.b);
    const back = throughOf(this.#summaries, this.b, this.a);
    this.rows = rows.filter(({ a, b, is }) =>
      !(is === "only-a" && (a?.seq ?? 0) > through) && !(is === "only-b" && (b?.seq ?? 0) > back)
    );
    this.newer = rows.length - this.rows.length;
  }

  /** How many entries are on one side only, as far as it is known. */
  get alone() {
    const seen = this.rows.filter(({ is }) => is === "only-a" || is === "only-b").length;
    const reported = this.verdict?.alone ?? seen;
    // A parent that is live has grown since the daemon counted.
    if (this.newer === 0) return reported;
    return this.hasMore || this.#start ? Math.max(seen, reported - this.newer) : seen;
  }

  /**
   * The first entry that a timeline does not share with an ancestor.
   *
   * @param {string[]} chain
   * @param {string} common
   */
  #sharedOf(chain, common) {
    const starts = chain.slice(0, chain.indexOf(common)).map((id) =>
      this.#summaries.get(id)?.header.parent?.start ?? 0
    );
    return Math.min(Infinity, ...starts) === Infinity
      ? (this.#summaries.get(common)?.last ?? -1) + 1
      : Math.min(...starts);
  }

  /**
   * @param {string[]} chain
   * @param {string | undefined} common
   * @param {number} from
   */
  async #side(chain, common, from) {
    const [id = ""] = chain;
    const { entries, hasMore } = await this.#entries(id, from);
    /** @type {Aligned[]} */
    let aligned = entries.map((entry) => ({ entry, origin: entry.seq }));
    const above = common === undefined ? [] : chain.slice(0, chain.indexOf(common));
    for (const [level, timeline] of above.entries()) {
      const start = this.#summaries.get(timeline)?.header.parent?.start ?? 0;
      const least = aligned.reduce((least, { origin }) => Math.min(least, origin ?? least), from);
      const held = level === 0 ? entries : (await this.#entries(timeline, least)).entries;
      const bySeq = new Map(held.map((entry) => [entry.seq, entry]));
      aligned = aligned.map(({ entry, origin }) => ({
        entry,
        origin: origin === undefined || origin < start ? origin : bySeq.get(origin)?.was,
      }));
    }
    return { entries: aligned, hasMore };
  }

  /**
   * @param {string} timeline
   * @param {number} from
   */
  async #entries(timeline, from) {
    /** @type {Entry[]} */
    const entries = [];
    /** @type {number | undefined} */
    let next = from;
    while (next !== undefined && entries.length < this.#limit) {
      /** @type {import("../../wire/requests.js").Replies["entries"]} */
      const reply = await this.#source.ask({
        type: "entries",
        timeline,
        from: next,
        count: WINDOW,
      }, { signal: this.#abort.signal });
      entries.push(...reply.entries);
      next = reply.next;
    }
    return { entries, hasMore: next !== undefined };
  }

  /** The line where the two part: as the daemon says, else the first that is not the same. */
  get firstDifference() {
    const reported = this.#reportedRow;
    return reported >= 0 ? reported : this.rows.findIndex(({ is }) => is !== "same");
  }

  /** The line that the daemon names; -1 when it names none, or it is not among the lines. */
  get #reportedRow() {
    const { a, b } = this.verdict ?? {};
    return this.rows.findIndex((one) =>
      (a !== undefined && one.a?.seq === a.seq) || (b !== undefined && one.b?.seq === b.seq)
    );
  }

  /** The number of the first line on the left, when the lines before it were not loaded. */
  get skipped() {
    return this.#start && this.rows.find(({ a }) => a)?.a?.seq;
  }

  /** How many of the lines at hand are not the same. */
  get differingRows() {
    return this.rows.reduce((sum, { is }) => sum + (is === "same" ? 0 : 1), 0);
  }

  /** Selects the first difference until the reader chooses a line. */
  #offerFirst() {
    if (this.#isChosen || this.isLoading) return;
    const isAwaited = this.verdict === undefined && this.failure === undefined;
    if (!isAwaited) void this.selectFirst();
    else if (this.firstDifference >= 0) void this.#look(this.firstDifference);
  }

  /** Looks at the first difference; loads the lines around it when they are not there. */
  async selectFirst() {
    const { a, b } = this.verdict ?? {};
    const [left, right] = [a?.seq ?? b?.seq, b?.seq ?? a?.seq];
    if (left !== undefined && right !== undefined && this.#reportedRow < 0) {
      const begin = (/** @type {number} */ seq) => Math.max(this.shared, seq - BEFORE);
      const start = { a: begin(left), b: begin(right) };
      // It was looked for there: the lines do not have it.
      if (start.a === this.#start?.a && start.b === this.#start.b) return;
      return await this.#loadFrom(start);
    }
    const first = this.firstDifference;
    if (first >= 0) await this.#look(first);
  }

  /** Loads the lines from where the two part. */
  async fromStart() {
    await this.#loadFrom(undefined);
  }

  /** @param {{ a: number, b: number } | undefined} start */
  async #loadFrom(start) {
    this.#start = start;
    this.#isChosen = start === undefined;
    this.selected = start === undefined ? 0 : -1;
    this.difference = undefined;
    await this.load();
    if (start === undefined) await this.#look(0);
  }

  /**
   * The nearest line that is not the same, in a direction.
   *
   * @param {1 | -1} direction
   * @returns {Promise<number | undefined>}
   */
  async nextDifference(direction) {
    for (let at = this.selected + direction; this.rows[at]; at += direction) {
      const row = this.rows[at];
      if (row && !await this.#moments.isSame(row)) return at;
    }
    return undefined;
  }

  /** Compares the moments of a line in view, if only they show that something differs. @param {AlignedRow} row */
  decide(row) {
    if (row.is === "same") return this.#states.look(row, this);
    if (!this.#moments.isUndecided(row)) return;
    void this.#moments.check([row]).then((hasEqual) => hasEqual && this.#onChange());
  }

  /**
   * Looks at a line: at what differs between its two moments.
   *
   * @param {number} place
   */
  async select(place) {
    this.#isChosen = true;
    await this.#look(place);
  }

  /** @param {number} place */
  async #look(place) {
    this.selected = Math.max(0, Math.min(place, this.rows.length - 1));
    this.difference = undefined;
    this.#onChange();
    const pair = this.momentsAt(this.selected);
    if (!pair) return;
    const key = this.selected;
    try {
      const { signal } = this.#abort;
      const [{ patch }, before] = await Promise.all([
        this.#source.ask({ type: "diff", ...pair }, { signal }),
        // The old values are optional: the difference is readable without them.
        this.#source.ask({ type: "state", ...pair.a, depth: 8 }, { signal }).catch(() => undefined),
      ]);
      if (this.selected === key) this.difference = { patch, old: before?.value };
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      if (this.selected === key) this.difference = { message: error.message };
    }
    this.#onChange();
  }

  /**
   * The two moments of a line. Where one side has no entry, it is the moment that it is in then.
   *
   * @param {number} place
   */
  momentsAt(place) {
    const [a, b] = /** @type {const} */ (["a", "b"]).map((side) => {
      for (let row = place; row >= 0; row--) {
        const seq = this.rows[row]?.[side]?.seq;
        if (seq !== undefined) return seq;
      }
      const first = this.#start?.[side] ?? this.shared;
      return first > 0 ? first - 1 : undefined;
    });
    if (a === undefined || b === undefined) return undefined;
    return { a: { timeline: this.a, seq: a }, b: { timeline: this.b, seq: b } };
  }
}
