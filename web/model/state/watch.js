/** Watched values as columns beside the entries around the cursor. */

import { equalJson } from "../../base/json.js";
import { RequestError } from "../../wire/requests.js";

/** @import { Json } from "../../base/json-types.d.ts" */
/** @import { Source } from "../sources/source.js" */

/** Entries above and below the cursor that the table shows. */
const AROUND = 100;

/** Columns that fit beside one another. */
export const MAXIMUM_WATCHED = 8;

export class Watch {
  /** Pointers into a moment. @type {string[]} */
  paths = [];
  /** The first entry of the columns. */
  from = 0;
  /** For each path the values from `from` on, nothing where it is unknown. @type {(Json | undefined)[][]} */
  columns = [];
  isLoading = false;
  message = "";
  #source;
  #timeline;
  #onChange;
  #asked = 0;
  /** How often the timeline has grown. */
  #growth = 0;
  /** The entry that the last answer, or failure, was for, unless more may have come since. @type {number | undefined} */
  #answered;

  /**
   * @param {Source} source
   * @param {string} timeline
   * @param {() => void} onChange
   */
  constructor(source, timeline, onChange) {
    this.#source = source;
    this.#timeline = timeline;
    this.#onChange = onChange;
  }

  /**
   * Watches a value, or does not any more.
   *
   * @param {string} path
   * @param {number} cursor
   */
  toggle(path, cursor) {
    const place = this.paths.indexOf(path);
    if (place >= 0) this.paths = this.paths.filter((one) => one !== path);
    else if (this.paths.length < MAXIMUM_WATCHED) this.paths = [...this.paths, path];
    this.columns = [];
    this.#answered = undefined;
    void this.load(cursor);
  }

  /**
   * Whether the columns hold an entry and some of its neighbours. What was just asked for is not
   * asked for again, whatever the answer was.
   *
   * @param {number} seq
   * @param {number} last the timeline's last
   */
  covers(seq, last) {
    if (this.paths.length === 0 || this.#answered === seq) return true;
    const [column] = this.columns;
    if (!column || this.message !== "") return false;
    const end = this.from + column.length;
    const margin = AROUND / 4;
    return (this.from === 0 || seq >= this.from + margin) && (end > last || seq < end - margin) &&
      seq >= this.from && seq < end;
  }

  /**
   * The value of a column after an entry.
   *
   * @param {number} column
   * @param {number} seq
   * @returns {Json | undefined} nothing where it was not fetched, or is unknown
   */
  value(column, seq) {
    return this.columns[column]?.[seq - this.from];
  }

  /**
   * Whether the value of a column after an entry was fetched, but is unknown.
   *
   * @param {number} column
   * @param {number} seq
   */
  isUnknown(column, seq) {
    const values = this.columns[column] ?? [];
    const place = seq - this.from;
    return place >= 0 && place < values.length && values[place] === undefined;
  }

  /**
   * Whether a value is another one than the last that is known before it.
   *
   * @param {number} column
   * @param {number} seq
   */
  isChange(column, seq) {
    const values = this.columns[column] ?? [];
    const value = values[seq - this.from];
    if (value === undefined) return false;
    const old = values.slice(0, seq - this.from).findLast((one) => one !== undefined);
    return old !== undefined && !equalJson(value, old);
  }

  /**
   * Fetches the columns around an entry.
   *
   * @param {number} seq
   */
  async load(seq) {
    const asked = ++this.#asked;
    const { paths } = this;
    this.#answered = undefined;
    this.isLoading = paths.length > 0;
    this.#onChange();
    if (paths.length === 0) return;
    const from = Math.max(0, seq - AROUND);
    const grown = this.#growth;
    try {
      const reply = await this.#source.ask({
        type: "column",
        timeline: this.#timeline,
        paths,
        from,
        count: 2 * AROUND + 1,
      });
      if (asked !== this.#asked) return;
      this.from = reply.from;
      this.columns = reply.columns.map((column) =>
        withoutUnknown(column, reply.from, reply.unknown ?? [])
      );
      this.message = "";
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      if (asked !== this.#asked) return;
      this.message = error.message;
    }
    this.#answered = grown === this.#growth ? seq : undefined;
    this.isLoading = false;
    this.#onChange();
  }

  /** The connection is back: what failed may work now. */
  retry() {
    if (this.message !== "") this.#answered = undefined;
  }

  /** The timeline has grown: there may be more. */
  grew() {
    this.#growth++;
    this.#answered = undefined;
  }
}

/**
 * A column without the values of entries where they are unknown.
 *
 * @param {readonly Json[]} column
 * @param {number} from its first entry
 * @param {readonly [number, number][]} unknown
 * @returns {(Json | undefined)[]}
 */
function withoutUnknown(column, from, unknown) {
  /** @type {(Json | undefined)[]} */
  const values = [...column];
  for (const [first, last] of unknown) {
    const end = Math.min(last - from + 1, values.length);
    values.fill(undefined, Math.max(0, first - from), Math.max(0, end));
  }
  return values;
}
