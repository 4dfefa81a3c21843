/** All that the page holds of the timeline it shows: what is in view, and a bounded cache. */

import { RequestError } from "../../wire/requests.js";
import { EntryPages, PAGE } from "./entry-pages.js";
import { Gaps } from "./gaps.js";
import { PredicateError } from "../predicate/lexer.js";
import { parsePredicate } from "../predicate/parser.js";
import { Jobs } from "./jobs.js";
import { Overviews } from "./overviews.js";
import { payloadTexts } from "../predicate/payload-texts.js";
import { predicateOf } from "../predicate/plain-filter.js";
import { FilteredRows, RowMap } from "./row-map.js";
import { Sparklines } from "./sparklines.js";
import { States } from "./states.js";

/** @import { Job } from "./jobs.js" */
/** @import { Message, TimelineSummary } from "../../wire/to-inspector.js" */
/** @import { Span } from "./scale.js" */
/** @import { Source } from "../sources/source.js" */

/** Matches of a filter that are fetched at once. */
const FILTER_PAGE = 500;

/** Matches that are counted and drawn without being scrolled to. */
const COUNTED_MATCHES = 5_000;

/** How long the same counts of a growing timeline are not requested again, in milliseconds. */
const GROWING_PAUSE = 200;

/** @typedef {{ message: string, column: number | undefined }} FilterError */

export class TimelineData {
  /** @readonly */
  id;
  entries;
  states;
  /** How values change, for drawing. @readonly */
  sparks;
  /** The searches that are under way: of the filter, and for its next match. @readonly */
  searches = new Jobs(() => this.#onChange());
  #source;
  #onChange;
  #summary;
  #gaps;
  /** The first entry that news left out, after which gaps were not looked for. @type {number | undefined} */
  #leftOut;
  /** The last summary of the source, which counted the entries. */
  #counted;
  #rows = new RowMap(0, -1, []);
  #filter = "";
  /** What the filter stands for. */
  predicate = "";
  /** @type {FilteredRows | undefined} */
  #filtered;
  /** @type {FilterError | undefined} */
  #filterError;
  #isFiltering = false;
  /** Whether the entries that a plain word takes its paths from are requested, or here. */
  #isSampled = false;
  /** Whether the filter waits for the connection to be back. */
  #isAway = false;
  #overviews;

  /**
   * @param {Source} source
   * @param {TimelineSummary} summary
   * @param {() => void} onChange
   */
  constructor(source, summary, onChange) {
    this.id = summary.header.timeline;
    this.#source = source;
    this.#summary = this.#counted = summary;
    this.#onChange = onChange;
    this.entries = new EntryPages(source, this.id, onChange, (entries) => {
      const before = this.gaps.length;
      for (const entry of entries) this.#gaps.note(entry);
      if (this.gaps.length !== before) this.#mapRows();
    });
    this.states = new States(source, this.id);
    this.#gaps = new Gaps(source, this.id);
    this.#overviews = new Overviews(source, this, onChange);
    this.sparks = new Sparklines(source, this);
    this.#mapRows();
    void this.#findGaps();
  }

  get summary() {
    return this.#summary;
  }

  get first() {
    return this.#summary.first ?? 0;
  }

  /** The last seq; -1 when there is none. */
  get last() {
    return this.#summary.last ?? -1;
  }

  /** How many entries were lost, as far as it is known. */
  get lostCount() {
    return this.#gaps.lostCount;
  }

  get gaps() {
    return this.#gaps.list;
  }

  /** The rows of the list: all, or those that the filter lets through. */
  get rows() {
    return this.#filtered ?? this.#rows;
  }

  /**
   * The entry itself, or the nearest one when there is none of that number.
   *
   * @param {number} seq
   * @returns {number}
   */
  nearest(seq) {
    return this.#rows.nearest(Math.max(Math.min(seq, this.last), this.first, 0));
  }

  get filter() {
    return this.#filter;
  }

  get filterError() {
    return this.#filterError;
  }

  /** What the filter stands for, short enough to read: a plain word is looked for in names alone. */
  get shortPredicate() {
    return predicateOf(this.#filter);
  }

  /** The rows of the filter, when there is one. */
  get filtered() {
    return this.#filtered;
  }

  get isFiltering() {
    return this.#isFiltering;
  }

  /** Whether the filter goes on when the daemon is back. */
  get isAway() {
    return this.#isAway;
  }

  /**
   * Takes what is true of the timeline now.
   *
   * @param {TimelineSummary} summary
   */
  update(summary) {
    const next = this.last + 1;
    this.#summary = this.#counted = summary;
    this.#mapRows();
    const lacksSome = this.#summary.entries < this.last - this.first + 1;
    if (lacksSome && this.last >= next) this.#lookLater(next);
    this.#filtered?.goOn(this.last);
    this.#onChange();
  }

  /**
   * The timeline has grown.
   *
   * @param {Message<"live">} live
   */
  grow({ last, t, durable, entries }) {
    const next = this.last + 1;
    this.#summary = {
      ...this.#summary,
      first: this.#summary.first ?? 0,
      last,
      duration: t,
      ...(durable === undefined ? {} : { durable }),
    };
    this.entries.add(entries);
    this.#mapRows();
    const [{ seq, gap } = { seq: last + 1, gap: undefined }] = entries;
    if (seq - (gap?.lost ?? 0) > next) this.#lookLater(next);
    this.#filtered?.goOn(this.last);
    this.#onChange();
  }

  /**
   * Filters the list; an empty text shows all.
   *
   * @param {string} text
   * @param {boolean} [isTyped] whether the reader asks for it: then the same word is searched for in
   * the payloads that were loaded meanwhile, too
   */
  setFilter(text, isTyped = false) {
    if (text !== this.#filter) this.#search(text, predicateOf(text, payloadTexts(this)));
    else if (isTyped) this.#searchAgain();
    if (this.predicate !== text) void this.#sample();
  }

  /**
   * Loads the entries that the timeline begins with: without them, what a plain word finds would
   * depend on where the reader has been.
   */
  async #sample() {
    if (this.#isSampled) return;
    this.#isSampled = true;
    try {
      const { entries } = await this.#source.ask({
        type: "entries",
        timeline: this.id,
        from: this.first,
        count: PAGE,
      });
      this.entries.add(entries);
      this.#searchAgain();
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      this.#isSampled = false;
    }
  }

  /** Searches again where a plain word stands for more than it did. */
  #searchAgain() {
    const predicate = predicateOf(this.#filter, payloadTexts(this));
    if (predicate !== this.predicate) this.#search(this.#filter, predicate);
  }

  /** @param {string} text @param {string} predicate what it stands for */
  #search(text, predicate) {
    this.stopSearching();
    this.#filter = text;
    this.#filterError = this.#filtered = undefined;
    this.predicate = predicate;
    if (text.trim() !== "") {
      try {
        parsePredicate(this.predicate);
        this.#filtered = new FilteredRows();
        this.#filtered.next = this.first;
        void this.extendFilter();
      } catch (error) {
        if (!(error instanceof PredicateError)) throw error;
        this.#filterError = { message: error.message, column: error.column };
      }
    }
    this.#onChange();
  }

  /** Ends what is searched for; what was found stays. */
  stopSearching() {
    for (const job of this.searches.running) job.cancel();
  }

  /** Goes on with the search that the reader had ended. */
  goOnSearching() {
    if (this.#filtered) this.#filtered.isStopped = false;
    void this.extendFilter();
  }

  /** Looks for more matches behind the ones that are known. */
  async extendFilter() {
    const rows = this.#filtered;
    if (!rows || rows.next === undefined || rows.isStopped) return;
    if (this.#isFiltering || this.#isAway) return;
    this.#isFiltering = true;
    const { last } = this;
    const request = {
      type: /** @type {const} */ ("entries"),
      timeline: this.id,
      from: rows.next,
      count: FILTER_PAGE,
      filter: this.predicate,
    };
    const { job, result } = this.searches.start(
      "Filtering",
      (options) => this.#source.ask(request, options),
    );
    try {
      const reply = await result;
      if (this.#filtered === rows) this.#found(rows, reply, job, last);
    } finally {
      this.#isFiltering = false;
    }
    this.#onChange();
    // Another filter came meanwhile, or not all matches are counted.
    const isAnother = this.#filtered !== rows;
    if (this.#filtered && (isAnother || rows.count < COUNTED_MATCHES)) await this.extendFilter();
  }

  /**
   * @param {FilteredRows} rows
   * @param {Message<"entries"> | undefined} reply
   * @param {Job} job
   * @param {number} last the last entry when it was asked for
   */
  #found(rows, reply, { is, error }, last) {
    if (reply) {
      this.entries.add(reply.entries);
      const seqs = reply.entries.map(({ seq }) => seq);
      rows.extend(seqs, reply.next, reply.unknown, last, reply.leaves);
      // News already reported what came between the search and its answer.
      rows.goOn(this.last);
    } else if (is === "cancelled") {
      rows.isStopped = true;
    } else if (error?.code === "disconnected") {
      this.#isAway = true;
    } else if (error) {
      this.#filterError = { message: error.message, column: error.at };
      rows.next = undefined;
    }
  }

  /**
   * The counts to draw a stretch by time with: the finest that are at hand. Asks for better ones.
   *
   * @param {Span} span
   * @param {number} pixels
   */
  counted(span, pixels) {
    return this.#overviews.counted(span, pixels);
  }

  /** The connection is back: what failed may work now. */
  retry() {
    this.states.forgetFailures();
    this.sparks.retry();
    // Some may have been lost while nothing was heard.
    void this.#findGaps();
    this.#isAway = false;
    if (this.predicate !== this.#filter) void this.#sample();
    void this.extendFilter();
    this.#onChange();
  }

  #mapRows() {
    this.#rows = new RowMap(this.first, this.last, this.gaps);
    // What has come since the entries were counted are entries, but for those that were lost.
    const { entries: counted, last = -1 } = this.#counted;
    const since = this.gaps.filter(({ seq }) => seq > last && seq <= this.last);
    const lost = since.reduce((sum, gap) => sum + gap.lost, 0);
    const entries = counted + Math.max(0, this.last - last - lost);
    if (entries !== this.#summary.entries) this.#summary = { ...this.#summary, entries };
  }

  /** Where entries were lost; only a timeline that lacks some is asked. */
  async #findGaps() {
    const { first, last } = this;
    this.#leftOut = undefined;
    if (this.#summary.entries >= last - first + 1 && first === 0) return;
    await this.#findGapsIn(first, last);
  }

  /** News left some entries out: they are looked at together with those that follow soon. @param {number} from */
  #lookLater(from) {
    if (this.#leftOut === undefined) setTimeout(() => void this.#lookAtLeftOut(), GROWING_PAUSE);
    this.#leftOut ??= from;
  }

  async #lookAtLeftOut() {
    const from = this.#leftOut;
    this.#leftOut = undefined;
    if (from !== undefined) await this.#findGapsIn(from, this.last);
  }

  /** @param {number} from @param {number} to */
  async #findGapsIn(from, to) {
    const before = this.gaps.length;
    // Some may have been found before it failed.
    await this.#gaps.find(from, to);
    if (this.gaps.length === before) return;
    this.#mapRows();
    this.#onChange();
  }
}
