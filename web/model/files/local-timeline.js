/**
 * Answers for one file what a daemon answers, so that a timeline can be looked at without one.
 */

import { Emitter } from "../../base/emitter.js";
import { difference } from "../../base/difference.js";
import { lookUp, readPointer } from "../../base/pointer.js";
import { RequestError } from "../../wire/requests.js";
import { countOverview } from "./counting.js";
import { fit } from "./fitting.js";
import { exportStretch } from "./local-export.js";
import { localGrowth } from "./local-growth.js";
import { localSeries } from "./local-series.js";
import { LocalSearch } from "./local-search.js";
import { Moments } from "./moments.js";
import { PredicateError } from "../predicate/lexer.js";

/** @import { JsonObject } from "../../base/json-types.d.ts" */
/** @import { Header } from "../../wire/header.js" */
/** @import { AskType, Replies } from "../../wire/requests.js" */
/** @import { FromInspector, Request } from "../../wire/from-inspector.js" */
/** @import { News } from "../../wire/connection-state.js" */
/** @import { Capability, TimelineSummary } from "../../wire/to-inspector.js" */
/** @import { Lines } from "./moments.js" */
/** @import { AskOptions, Source } from "../sources/source.js" */

/** @implements {Source} */
export class LocalTimeline {
  /** @readonly @type {"file"} */
  kind = "file";
  /** @readonly @type {ReadonlySet<Capability>} */
  capabilities = new Set(/** @type {const} */ (["look"]));
  /** @readonly @type {Emitter<News>} */
  news = new Emitter();
  #header;
  #lines;
  #moments;
  #search;
  #bytes;
  #ended;
  /** @type {Map<number, string>} */
  #marks = new Map();
  /** The name that a reader gave. @type {string | undefined} */
  name;

  /**
   * @param {Header} header
   * @param {Lines} lines
   * @param {number} bytes
   * @param {TimelineSummary["ended"]} [ended] why a branch has fewer entries than events
   */
  constructor(header, lines, bytes, ended) {
    this.#ended = ended;
    this.#header = header;
    this.#lines = lines;
    this.#moments = new Moments(lines);
    this.#search = new LocalSearch(lines.index, this.#moments);
    this.#bytes = bytes;
  }

  /** The lines, which branches share. */
  get lines() {
    return this.#lines;
  }

  get #index() {
    return this.#lines.index;
  }

  /** @returns {TimelineSummary} */
  get summary() {
    const { count, seqs, times } = this.#index;
    return {
      header: this.#header,
      ...(this.name === undefined ? {} : { name: this.name }),
      entries: count,
      ...(count > 0 ? { first: seqs[0], last: seqs[count - 1], durable: seqs[count - 1] } : {}),
      bytes: this.#bytes,
      ...(this.#ended === undefined ? {} : { ended: this.#ended }),
      duration: count > 0 ? times[count - 1] ?? 0 : 0,
      marks: [...this.#marks].map(([seq, text]) => ({ seq, text })),
    };
  }

  /**
   * @template {AskType} Type
   * @param {Request<Type>} request
   * @param {AskOptions} [options]
   * @returns {Promise<Replies[Type]>}
   */
  async ask(request, options = {}) {
    try {
      const reply = await this.#answer(
        /** @type {FromInspector} */ (/** @type {unknown} */ (request)),
        options,
      );
      return /** @type {Replies[Type]} */ (reply);
    } catch (error) {
      if (options.signal?.aborted) throw new RequestError("cancelled", "The request was canceled.");
      if (error instanceof PredicateError) {
        const message = `${error.message} (column ${error.column})`;
        throw new RequestError("wrong-value", message, { path: "predicate", at: error.column });
      }
      throw error;
    }
  }

  /**
   * @param {FromInspector} request
   * @param {AskOptions} options
   * @returns {Promise<Replies[AskType]>}
   */
  async #answer(request, options) {
    this.#checkOwn(request);
    switch (request.type) {
      case "timelines":
        return { type: "timelines", timelines: [this.summary] };
      case "watch":
        return { type: "done" };
      case "entries":
        return await this.#search.entries(request, options);
      case "state":
        return await this.#state(request);
      case "raw": {
        const [line] = await this.#read(request.seq);
        return { type: "raw", timeline: request.timeline, entry: line ?? null };
      }
      case "diff": {
        const [a, b] = [await this.#value(request.a.seq), await this.#value(request.b.seq)];
        const patch = difference(a, b).map(({ tokens: _, ...operation }) => operation);
        return { type: "diff", patch };
      }
      case "changes":
        return await this.#search.changes(request, options);
      case "find":
        return await this.#search.find(request, options);
      case "column":
        return await this.#search.column(request, options);
      case "series":
        return await localSeries(this.#lines, this.#moments, request, options);
      case "growth":
        return await localGrowth(this.#lines, this.#moments, request, options);
      case "overview":
        return countOverview(this.#index, this.#header.lanes, request);
      case "mark":
        return this.#mark(request);
      case "export":
        if (request.format !== "timeline") {
          throw new RequestError(
            "forbidden",
            "Only a daemon writes other formats. To get one, import this file into a daemon.",
          );
        }
        return await exportStretch(this.#lines, this.#moments, this.#header.machine.name, request);
      case "hosts":
        return { type: "hosts", hosts: [] };
      default:
        throw new RequestError(
          "forbidden",
          "This timeline was opened from a file. To change or run it, import it into a daemon.",
        );
    }
  }

  /**
   * A file holds one timeline: what is asked of another is not answered from this one.
   *
   * @param {FromInspector} request
   */
  #checkOwn(request) {
    const asked = request.type === "diff"
      ? [request.a.timeline, request.b.timeline]
      : "timeline" in request
      ? [request.timeline]
      : [];
    if (asked.every((id) => id === undefined || id === this.#header.timeline)) return;
    throw new RequestError("not-found", "That timeline is not in this file.");
  }

  /**
   * The place of an entry.
   *
   * @param {number} seq
   */
  #place(seq) {
    const { count, seqs } = this.#index;
    const place = this.#index.placeOf(seq);
    if (place >= count || seqs[place] !== seq) {
      const known = count === 0 ? "no entries" : `entries ${seqs[0]} to ${seqs[count - 1]}`;
      throw new RequestError("not-found", `There is no entry ${seq}: the file has ${known}.`);
    }
    return place;
  }

  /** @param {number} seq */
  #read(seq) {
    const place = this.#place(seq);
    return this.#lines.read(place, place + 1);
  }

  /**
   * The moment as one value, or the failure that it is not known.
   *
   * @param {number} seq
   * @returns {Promise<JsonObject>}
   */
  async #value(seq) {
    const moment = await this.#moments.at(this.#place(seq));
    if (moment === "unknown") {
      throw new RequestError("thinned", `The state after ${seq} was not captured.`);
    }
    return { state: moment.state, outputs: moment.outputs };
  }

  /**
   * @param {Request<"state">} request
   * @returns {Promise<Replies["state"]>}
   */
  async #state({ timeline, seq, path, depth, bytes }) {
    const whole = lookUp(await this.#value(seq), readPointer(path ?? "") ?? []);
    const value = whole === undefined ? undefined : fit(whole, { depth, bytes });
    return {
      type: "state",
      timeline,
      seq,
      ...(path === undefined ? {} : { path }),
      ...(value === undefined ? {} : { value }),
    };
  }

  /**
   * Marks live as long as the page: the file stays as it is.
   *
   * @param {Request<"mark">} request
   * @returns {Replies["mark"]}
   */
  #mark({ seq, text }) {
    this.#place(seq);
    if (text === undefined) this.#marks.delete(seq);
    else this.#marks.set(seq, text);
    this.news.emit({ type: "timeline", timeline: this.summary });
    return { type: "done" };
  }
}
