/** The values at the paths that differ most, for the lines of a comparison that are in view. */

import { equalJson } from "../../base/json.js";
import { RequestError } from "../../wire/requests.js";

/** @import { Json } from "../../base/json-types.d.ts" */
/** @import { Source } from "../sources/source.js" */
/** @import { AlignedRow } from "./alignment.js" */

/** Entries whose values are fetched at once. */
export const PAGE = 256;

/** Pages that are kept of each side. */
const MAXIMUM_PAGES = 32;

/** Columns fit next to the entries up to this number. */
export const MAXIMUM_COLUMNS = 3;

/** A value on one side: nothing where it is unknown, not fetched yet, or has no entry. */
/** @typedef {{ a: Json | undefined, b: Json | undefined, isEqual: boolean }} ValuePair */

/** @typedef {"a" | "b"} Side */

export class PathColumns {
  #source;
  #timelines;
  #onChange;
  #signal;
  /** Values by side and page; nothing while they are fetched, or when they cannot be. @type {Map<string, (Json | undefined)[][] | undefined>} */
  #pages = new Map();
  /** @readonly @type {readonly string[]} */
  paths;

  /**
   * @param {Source} source
   * @param {Record<Side, string>} timelines
   * @param {readonly string[]} paths the most frequent ones first
   * @param {{ onChange: () => void, signal: AbortSignal }} how
   */
  constructor(source, timelines, paths, { onChange, signal }) {
    this.#source = source;
    this.#timelines = timelines;
    this.paths = paths.slice(0, MAXIMUM_COLUMNS);
    this.#onChange = onChange;
    this.#signal = signal;
  }

  /**
   * The two values of a line at each path. What was not fetched yet is asked for.
   *
   * @param {AlignedRow} row
   * @returns {ValuePair[]}
   */
  values(row) {
    return this.paths.map((_, column) => {
      const a = row.a && this.#value("a", column, row.a.seq);
      const b = row.b && this.#value("b", column, row.b.seq);
      return { a, b, isEqual: a !== undefined && b !== undefined && equalJson(a, b) };
    });
  }

  /**
   * Whether the values of both sides are there. What was not fetched yet is asked for.
   *
   * @param {AlignedRow} row
   */
  isLoaded(row) {
    this.values(row);
    const isThere = (/** @type {Side} */ side) => {
      const entry = row[side];
      return !entry || this.#pages.get(`${side}${Math.floor(entry.seq / PAGE)}`) !== undefined;
    };
    return isThere("a") && isThere("b");
  }

  /**
   * @param {Side} side
   * @param {number} column
   * @param {number} seq
   */
  #value(side, column, seq) {
    const page = Math.floor(seq / PAGE);
    const key = `${side}${page}`;
    if (!this.#pages.has(key)) void this.#load(side, page, key);
    return this.#pages.get(key)?.[column]?.[seq - page * PAGE];
  }

  /**
   * @param {Side} side
   * @param {number} page
   * @param {string} key
   */
  async #load(side, page, key) {
    this.#pages.set(key, undefined);
    for (const old of this.#pages.keys()) {
      if (this.#pages.size <= 2 * MAXIMUM_PAGES) break;
      this.#pages.delete(old);
    }
    try {
      const { from, columns, unknown = [] } = await this.#source.ask({
        type: "column",
        timeline: this.#timelines[side],
        paths: [...this.paths],
        from: page * PAGE,
        count: PAGE,
      }, { signal: this.#signal });
      const isKnown = (/** @type {number} */ seq) =>
        !unknown.some(([first, last]) => seq >= first && seq <= last);
      this.#pages.set(
        key,
        columns.map((values) => {
          /** @type {(Json | undefined)[]} */
          const held = [];
          values.forEach((value, index) => {
            const seq = from + index;
            if (seq >= page * PAGE && isKnown(seq)) held[seq - page * PAGE] = value;
          });
          return held;
        }),
      );
    } catch (error) {
      // The lines are readable without their values; the line in view shows its difference.
      if (!(error instanceof RequestError)) throw error;
      return;
    }
    this.#onChange();
  }
}

/**
 * The paths that make columns: the whole state or all outputs do not fit one, so they have one only
 * where nothing else differs.
 *
 * @param {readonly string[]} paths
 */
export function columnPaths(paths) {
  const parts = paths.filter((path) => path.indexOf("/", 1) > 0);
  return parts.length > 0 ? parts : paths;
}
