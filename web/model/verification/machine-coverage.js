/** Which events occurred in which states of a machine, and what they did. */

import { eventName } from "../../base/event-name.js";
import { isNumber, isObject, member, numberText } from "../../base/json.js";
import { changedNothing, isThinned } from "../../wire/entry.js";
import { pathIn } from "../chart/state-graph.js";

/** @import { Json } from "../../base/json-types.d.ts" */
/** @import { Entry } from "../../wire/entry.js" */
/** @import { AskOptions, Source } from "../sources/source.js" */

/** Names of states, and of events, that are counted: both can be data. */
const MAXIMUM_NAMES = 256;

/** Bytes of a text that names a state. */
const MAXIMUM_BYTES = 64;

/** Entries that are read at once. */
const WINDOW = 1_000;

/**
 * What the events of a name did in a state; `first` is where the first one is.
 *
 * @typedef {{ events: number, effects: number, failures: number,
 *   first: { timeline: string, seq: number } }} Count
 */

/** A recording that is counted. @typedef {{ timeline: string, first: number, last: number }} Recording */

export class MachineCoverage {
  /** The names of the states, in the order in which they were seen. @type {string[]} */
  states = [];
  /** The names of the events, in the order in which they were seen. @type {string[]} */
  events = [];
  /** How many events were counted. */
  total = 0;
  /** How many events occurred in states without a name, or whose effect is unknown. */
  unnamed = 0;
  /** Whether there were more names than are counted. */
  isCut = false;
  /** By the state, then by the event. @type {Map<string, Map<string, Count>>} */
  #counts = new Map();

  /**
   * @param {string} state the name of the state before the event
   * @param {string} event
   * @returns {Count | undefined}
   */
  count(state, event) {
    return this.#counts.get(state)?.get(event);
  }

  /**
   * Adds an event.
   *
   * @param {Entry} entry
   * @param {string} timeline
   * @param {string | undefined} state the name of the state before it
   */
  add(entry, timeline, state) {
    if (entry.event === undefined) return;
    const event = eventName(entry.event);
    if (state === undefined || event === undefined || isThinned(entry)) {
      this.unnamed++;
      return;
    }
    if (!addName(state, this.states) || !addName(event, this.events)) {
      this.isCut = true;
      return;
    }
    const row = this.#counts.get(state) ?? new Map();
    this.#counts.set(state, row);
    /** @type {Count} */
    const count = row.get(event) ??
      { events: 0, effects: 0, failures: 0, first: { timeline, seq: entry.seq } };
    row.set(event, count);
    this.total++;
    count.events++;
    if (entry.error !== undefined) count.failures++;
    else if (!changedNothing(entry)) count.effects++;
  }

  /** The events that no state handled. */
  get unhandled() {
    return this.events.filter((event) =>
      this.states.every((state) => {
        const count = this.count(state, event);
        return count === undefined || isUnhandled(count);
      })
    );
  }
}

/** Whether nothing came of any of them: neither an effect nor an error. @param {Count} count */
export function isUnhandled({ effects, failures }) {
  return effects === 0 && failures === 0;
}

/**
 * @param {string} name
 * @param {string[]} names
 */
function addName(name, names) {
  if (names.includes(name)) return true;
  if (names.length >= MAXIMUM_NAMES) return false;
  names.push(name);
  return true;
}

/**
 * The name of a state: the path of a chart, the case of an enum, or a scalar.
 *
 * @param {Json | undefined} value
 * @returns {string | undefined}
 */
export function stateName(value) {
  if (value === undefined) return undefined;
  const path = pathIn(member(value, "path")) ?? pathIn(value);
  if (path !== undefined) return path.length > 0 ? path.join("/") : undefined;
  if (typeof value === "string") {
    return new TextEncoder().encode(value).length <= MAXIMUM_BYTES ? value : undefined;
  }
  if (value === null || typeof value === "boolean") return String(value);
  if (isNumber(value)) return numberText(value);
  if (!isObject(value)) return undefined;
  const [only, ...more] = Object.keys(value);
  return only !== undefined && more.length === 0 && isObject(value[only]) ? only : undefined;
}

/**
 * Counts the events of recordings.
 *
 * @param {Source} source
 * @param {readonly Recording[]} recordings
 * @param {string} path the value that names the state, as a pointer into the moment
 * @param {AskOptions} [options]
 * @returns {Promise<MachineCoverage>}
 * @throws {RequestError}
 */
export async function readCoverage(source, recordings, path, options = {}) {
  const coverage = new MachineCoverage();
  const of = recordings.reduce((sum, { first, last }) => sum + last - first + 1, 0);
  let done = 0;
  for (const recording of recordings) {
    await readRecording(source, recording, path, options, coverage, (entries) => {
      done += entries;
      options.onProgress?.({ type: "progress", done: Math.min(done, of), of });
    });
  }
  return coverage;
}

/**
 * @param {Source} source
 * @param {Recording} recording
 * @param {string} path
 * @param {AskOptions} options
 * @param {MachineCoverage} coverage
 * @param {(entries: number) => void} onRead
 */
async function readRecording(
  source,
  { timeline, first, last },
  path,
  { signal },
  coverage,
  onRead,
) {
  const how = signal ? { signal } : {};
  /** The name of the state before the entries that are read next. @type {string | undefined} */
  let before;
  for (let from = first; from <= last;) {
    const asked = Math.min(WINDOW, last - from + 1);
    const column = await source.ask(
      { type: "column", timeline, paths: [path], from, count: asked },
      how,
    );
    const names = namesOf(column, from);
    // An answer is limited in bytes, too.
    const count = Math.min(names.length, asked);
    if (count === 0) return;
    /** @type {number | undefined} */
    let next = from;
    while (next !== undefined && next < from + count) {
      /** @type {import("../../wire/requests.js").Replies["entries"]} */
      const reply = await source.ask(
        { type: "entries", timeline, from: next, count: from + count - next },
        how,
      );
      for (const entry of reply.entries) {
        const index = entry.seq - from;
        if (index >= count) break;
        coverage.add(entry, timeline, index > 0 ? names[index - 1] : before);
      }
      next = reply.next !== undefined && reply.next > next ? reply.next : undefined;
    }
    before = names[count - 1];
    let read = count;
    if (isUnknown(column, count)) {
      read = await distanceToNext(source, timeline, from + count, how) + count;
    }
    read = Math.min(read, last - from + 1);
    from += read;
    onRead(read);
  }
}

/**
 * The names of the states after some entries; nothing where a state is unknown.
 *
 * @param {import("../../wire/requests.js").Replies["column"]} column
 * @param {number} from
 * @returns {(string | undefined)[]}
 */
function namesOf({ columns, unknown = [] }, from) {
  return (columns[0] ?? []).map((value, index) => {
    const seq = from + index;
    const isUnknown = unknown.some(([start, end]) => seq >= start && seq <= end);
    return isUnknown ? undefined : stateName(value);
  });
}

/**
 * Whether none of the values is known: it may be the beginning of a long loss.
 *
 * @param {import("../../wire/requests.js").Replies["column"]} column
 * @param {number} count
 */
function isUnknown({ unknown = [] }, count) {
  return unknown.reduce((sum, [start, end]) => sum + end - start + 1, 0) >= count;
}

/**
 * How many entries are missing at a place. A recording can lack 2^50 in a row, which nothing may pass
 * one by one.
 *
 * @param {Parameters<typeof readCoverage>[0]} source
 * @param {string} timeline
 * @param {number} from
 * @param {{ signal?: AbortSignal }} how
 */
async function distanceToNext(source, timeline, from, how) {
  const { entries } = await source.ask({ type: "entries", timeline, from, count: 1 }, how);
  const seq = entries[0]?.seq;
  return seq === undefined ? Infinity : Math.max(0, seq - from);
}
