/** The entries of all machines of one run of a program, in one list by time and cause. */

import { causeElsewhere, causeIn } from "../../wire/entry.js";
import { RequestError } from "../../wire/requests.js";

/** @import { Entry } from "../../wire/entry.js" */
/** @import { TimelineSummary } from "../../wire/to-inspector.js" */
/** @import { Source } from "../sources/source.js" */

/** Machines beyond this get no lane. */
export const MAXIMUM_LANES = 16;

/** Entries of a machine that are fetched at once. */
const WINDOW = 200;

/** Entries beyond this are not loaded. */
const MAXIMUM_ENTRIES = 50_000;

/**
 * What was loaded of one machine. `begin` and `end` are where it continues; nothing at the ends of the
 * recording.
 *
 * @typedef {object} Lane
 * @property {TimelineSummary} summary
 * @property {number} started in microseconds since 1970
 * @property {Entry[]} entries
 * @property {number | undefined} begin
 * @property {number | undefined} end
 */

/** An entry in its lane. @typedef {{ lane: number, entry: Entry, time: number }} RunRow */

/**
 * The recordings of the run that a timeline is from, the longest first; of a branch, those of its
 * program's run.
 *
 * @param {TimelineSummary | undefined} summary
 * @param {ReadonlyMap<string, TimelineSummary>} summaries
 * @returns {TimelineSummary[]}
 */
export function recordingsOfRun(summary, summaries) {
  if (!summary) return [];
  const { app } = summary.header;
  // An imported file may name no process. Two such files are not of one run.
  if (app.pid === undefined && app.run === undefined) return [];
  return [...summaries.values()].filter(({ header }) =>
    header.parent === undefined && header.app.name === app.name && header.app.host === app.host &&
    header.app.pid === app.pid && header.app.run === app.run
  ).sort((left, right) => right.entries - left.entries);
}

/**
 * When a recording began, in microseconds since 1970.
 *
 * @param {string} text as RFC 3339 writes it
 */
export function microsecondsOf(text) {
  const [, fraction = ""] = /\.(\d+)/.exec(text) ?? [];
  const seconds = Date.parse(text.replace(/\.\d+/, ""));
  return seconds * 1_000 + Number(fraction.padEnd(6, "0").slice(0, 6));
}

export class RunList {
  #source;
  #onChange;
  #maximum;
  #abort = new AbortController();
  /** @type {Lane[]} */
  lanes;
  /** Machines of the run that have no lane. @readonly */
  hidden;
  /** @type {RunRow[]} */
  rows = [];
  isLoading = true;
  /** Why not all is shown. @type {string | undefined} */
  failure;

  /**
   * @param {Source} source
   * @param {readonly TimelineSummary[]} recordings
   * @param {() => void} onChange
   * @param {number} [maximum] of entries that are loaded
   */
  constructor(source, recordings, onChange, maximum = MAXIMUM_ENTRIES) {
    this.#maximum = maximum;
    this.#source = source;
    this.#onChange = onChange;
    this.hidden = Math.max(0, recordings.length - MAXIMUM_LANES);
    this.lanes = recordings.slice(0, MAXIMUM_LANES).map((summary) => {
      const started = microsecondsOf(summary.header.started);
      return { summary, started, entries: [], begin: undefined, end: undefined };
    }).sort((left, right) => left.started - right.started);
  }

  stop() {
    this.#abort.abort();
  }

  /**
   * Loads what happened around a moment.
   *
   * @param {number} time in microseconds since 1970
   */
  async start(time) {
    await this.#load(this.lanes.map((lane) => async () => {
      const { first = 0, last = -1 } = lane.summary;
      const found = await this.#ask({
        type: "find",
        timeline: lane.summary.header.timeline,
        predicate: `t >= ${Math.max(0, Math.round(time - lane.started))}`,
        from: first,
      });
      const from = found.seqs[0] ?? last + 1;
      lane.end = from <= last ? from : undefined;
      lane.begin = from > first ? from - 1 : undefined;
      await this.#extend(lane, "end");
      await this.#extend(lane, "begin");
    }));
  }

  /** Whether more can be loaded before the rows. */
  get hasEarlier() {
    return this.lanes.some(({ begin }) => begin !== undefined);
  }

  /** Whether more can be loaded after the rows. */
  get hasLater() {
    return this.lanes.some(({ end }) => end !== undefined);
  }

  /** Loads what happened before the first row. */
  async loadEarlier() {
    const { from } = this.#bounds();
    await this.#load(
      this.lanes.filter((lane) => lane.begin !== undefined && timeOf(lane, lane.entries[0]) >= from)
        .map((lane) => () => this.#extend(lane, "begin")),
    );
  }

  /** Loads what happened after the last row. */
  async loadLater() {
    const { to } = this.#bounds();
    await this.#load(
      this.lanes.filter((lane) => lane.end !== undefined && timeOf(lane, lane.entries.at(-1)) <= to)
        .map((lane) => () => this.#extend(lane, "end")),
    );
  }

  /** @param {(() => Promise<void>)[]} jobs */
  async #load(jobs) {
    this.isLoading = true;
    this.#onChange();
    try {
      await Promise.all(jobs.map((job) => job()));
      this.rows = merged(this.lanes, this.#bounds());
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      if (error.code !== "cancelled") this.failure = error.message;
    }
    this.isLoading = false;
    this.#onChange();
  }

  /**
   * @param {Lane} lane
   * @param {"begin" | "end"} side
   */
  async #extend(lane, side) {
    const from = lane[side];
    if (from === undefined) return;
    if (this.lanes.reduce((sum, { entries }) => sum + entries.length, 0) >= this.#maximum) {
      this.failure = "No more entries fit this window. To see others, open it at another entry.";
      return;
    }
    const reply = await this.#ask({
      type: "entries",
      timeline: lane.summary.header.timeline,
      from,
      count: WINDOW,
      direction: side === "begin" ? "backward" : "forward",
    });
    lane[side] = reply.next;
    if (side === "end") lane.entries = [...lane.entries, ...reply.entries];
    else lane.entries = [...reply.entries.toReversed(), ...lane.entries];
  }

  /**
   * @template {"find" | "entries"} Type
   * @param {import("../../wire/from-inspector.js").Request<Type>} request
   */
  #ask(request) {
    return this.#source.ask(request, { signal: this.#abort.signal });
  }

  /** The stretch of time of which every lane has all entries. */
  #bounds() {
    let [from, to] = [-Infinity, Infinity];
    for (const lane of this.lanes) {
      if (lane.begin !== undefined) from = Math.max(from, timeOf(lane, lane.entries[0]));
      if (lane.end !== undefined) to = Math.min(to, timeOf(lane, lane.entries.at(-1)));
    }
    return { from, to };
  }
}

/**
 * @param {Lane} lane
 * @param {Entry | undefined} entry
 */
function timeOf(lane, entry) {
  return lane.started + (entry?.t ?? 0);
}

/**
 * The entries of all lanes by time. Clocks are not exact, so an effect waits for its cause; within a
 * lane, the order is that of the recording.
 *
 * @param {readonly Lane[]} lanes
 * @param {{ from: number, to: number }} bounds
 * @returns {RunRow[]}
 */
export function merged(lanes, { from, to }) {
  const queues = lanes.map((lane, number) =>
    lane.entries.map((entry) => ({ lane: number, entry, time: timeOf(lane, entry) }))
      .filter(({ time }) => time >= from && time <= to)
  );
  const waiting = queues.map((queue, lane) =>
    new Set(queue.map(({ entry }) => `${lanes[lane]?.summary.header.timeline}:${entry.seq}`))
  );
  const places = queues.map(() => 0);
  /** @type {RunRow[]} */
  const rows = [];
  for (;;) {
    const heads = queues.flatMap((queue, lane) => queue[places[lane] ?? 0] ?? []);
    if (heads.length === 0) return rows;
    const free = heads.filter((row) => !isWaiting(row, waiting));
    // Causes in a circle are a recorder's mistake; then time alone decides.
    const next = (free.length > 0 ? free : heads).reduce((first, row) =>
      row.time < first.time ? row : first
    );
    rows.push(next);
    places[next.lane] = (places[next.lane] ?? 0) + 1;
    const id = `${lanes[next.lane]?.summary.header.timeline}:${next.entry.seq}`;
    waiting[next.lane]?.delete(id);
  }
}

/**
 * @param {RunRow} row
 * @param {readonly Set<string>[]} waiting
 */
function isWaiting({ entry }, waiting) {
  const cause = causeElsewhere(entry);
  return cause !== undefined && waiting.some((ids) => ids.has(`${cause.timeline}:${cause.seq}`));
}

/**
 * The lane and the number of an entry's cause.
 *
 * @param {RunRow} row
 * @param {readonly Lane[]} lanes
 * @returns {{ lane: number, seq: number } | undefined}
 */
export function causeOf({ lane, entry }, lanes) {
  const own = causeIn(entry);
  if (own !== undefined) return { lane, seq: own };
  const cause = causeElsewhere(entry);
  const number = lanes.findIndex(({ summary }) => summary.header.timeline === cause?.timeline);
  return cause && number >= 0 ? { lane: number, seq: cause.seq } : undefined;
}
