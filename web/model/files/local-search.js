/** Searches in a file, from entry to entry. */

import { equalJson, member } from "../../base/json.js";
import { lookUp, readPointer, writePointer } from "../../base/pointer.js";
import { entry as readEntry } from "../../wire/entry.js";
import { cutLine } from "./cutting.js";
import { evaluate, leafOf } from "../predicate/evaluate.js";
import { needsValues } from "../predicate/paths.js";
import { parsePredicate } from "../predicate/parser.js";
import { touches } from "../predicate/values.js";

/** @import { Json, JsonObject } from "../../base/json-types.d.ts" */
/** @import { Request } from "../../wire/from-inspector.js" */
/** @import { Replies } from "../../wire/requests.js" */
/** @import { EntryIndex } from "../../wire/timeline-file.js" */
/** @import { Moment, Moments } from "./moments.js" */
/** @import { Subject } from "../predicate/evaluate.js" */
/** @import { Expression } from "../predicate/parser.js" */
/** @import { AskOptions } from "../sources/source.js" */

/** As in the protocol: a window of entries, and the longest list of anything else. */
const MAXIMUM_ENTRIES = 1_000;

/** @typedef {[number, number][]} Stretches */
/** Where `anywhere` found something. @typedef {{ seq: number, path: string }} FoundLeaf */

/** One entry on the way of a search. @typedef {{ place: number, line: JsonObject, before: Moment, after: Moment }} Step */

export class LocalSearch {
  #index;
  #moments;

  /**
   * @param {EntryIndex} index
   * @param {Moments} moments
   */
  constructor(index, moments) {
    this.#index = index;
    this.#moments = moments;
  }

  /**
   * Goes over the matching entries in one direction until `take` has enough.
   *
   * @param {Expression | undefined} expression
   * @param {number} from a seq
   * @param {"forward" | "backward" | undefined} direction
   * @param {AskOptions} options
   * @param {(seq: number, line: JsonObject) => boolean} take answers whether more is wanted
   * @returns {Promise<{ next: number | undefined, unknown: Stretches, leaves: FoundLeaf[] }>}
   */
  async #matching(expression, from, direction, options, take) {
    const index = this.#index;
    const unknown = new StretchList();
    /** @type {FoundLeaf[]} */
    const leaves = [];
    const wantsValues = expression !== undefined && needsValues(expression);
    /** @type {number | undefined} */
    let next;
    const visit = (
      /** @type {Step} */ step,
    ) => {
      const seq = index.seqs[step.place] ?? 0;
      const before = step.place === 0 && seq === 0 ? "none" : step.before;
      /** @type {Subject} */
      const subject = wantsValues
        ? { entry: step.line, before, after: step.after }
        : { entry: step.line };
      const answer = expression ? evaluate(expression, subject) : true;
      if (answer === "unknown") unknown.add(seq);
      if (answer !== true) return true;
      const leaf = expression && leafOf(expression, subject);
      if (leaf) leaves.push({ seq, path: writePointer(leaf) });
      if (take(seq, step.line)) return true;
      next = seq;
      return false;
    };
    const { signal, onProgress } = options;
    if (direction === "backward") {
      const start = index.placeOf(from + 1) - 1;
      // A chunk is walked forwards, for the patches' sake, and then looked at from its end.
      for (let end = start + 1; end > 0 && next === undefined; end -= CHUNK) {
        /** @type {Step[]} */
        const steps = [];
        await this.#moments.walk(
          Math.max(0, end - CHUNK),
          end,
          wantsValues,
          (step) => void steps.push(step),
          { signal },
        );
        onProgress?.({ type: "progress", done: start + 1 - end, of: start + 1 });
        for (const step of steps.reverse()) if (!visit(step)) break;
      }
      return {
        next: next === undefined ? undefined : this.#neighbour(next, -1),
        unknown: unknown.list,
        leaves,
      };
    }
    const first = index.placeOf(from);
    await this.#moments.walk(first, index.count, wantsValues, visit, {
      signal,
      onBatch: (place) =>
        onProgress?.({ type: "progress", done: place - first, of: index.count - first }),
    });
    return {
      next: next === undefined ? undefined : this.#neighbour(next, 1),
      unknown: unknown.list,
      leaves,
    };
  }

  /**
   * The seq beside another one.
   *
   * @param {number} seq
   * @param {1 | -1} step
   */
  #neighbour(seq, step) {
    const place = this.#index.placeOf(seq) + step;
    return place < 0 || place >= this.#index.count ? undefined : this.#index.seqs[place];
  }

  /**
   * @param {Request<"entries">} request
   * @param {AskOptions} options
   * @returns {Promise<Replies["entries"]>}
   */
  async entries({ timeline, from, count, direction, filter }, options) {
    const expression = filter ? parsePredicate(filter) : undefined;
    const most = Math.min(count, MAXIMUM_ENTRIES);
    /** @type {JsonObject[]} */
    const found = [];
    const { next, unknown, leaves } = await this.#matching(
      expression,
      from,
      direction,
      options,
      (_, line) => found.push(line) < most,
    );
    const entries = found.map((line) => readEntry(cutLine(line), ""));
    return {
      type: "entries",
      timeline,
      entries,
      ...(next === undefined ? {} : { next }),
      ...(unknown.length > 0 ? { unknown } : {}),
      ...(leaves.length > 0 ? { leaves } : {}),
    };
  }

  /**
   * @param {Request<"find">} request
   * @param {AskOptions} options
   * @returns {Promise<Replies["find"]>}
   */
  async find({ predicate, from, direction, limit = 1 }, options) {
    /** @type {number[]} */
    const seqs = [];
    const { next, unknown, leaves } = await this.#matching(
      parsePredicate(predicate),
      from,
      direction,
      options,
      (seq) => seqs.push(seq) < Math.min(limit, MAXIMUM_ENTRIES),
    );
    const unknownCount = unknown.reduce((sum, [first, last]) => sum + last - first + 1, 0);
    return {
      type: "find",
      seqs,
      ...(next === undefined ? {} : { next }),
      ...(unknown.length > 0 ? { unknown } : {}),
      unknownCount,
      ...(leaves.length > 0 ? { leaves } : {}),
    };
  }

  /**
   * @param {Request<"changes">} request
   * @param {AskOptions} options
   * @returns {Promise<Replies["changes"]>}
   */
  async changes({ path, before, after, limit }, options) {
    const tokens = readPointer(path) ?? [];
    const [side, ...inside] = tokens;
    const key = side === "outputs" ? "outputs" : "state";
    const index = this.#index;
    const unknown = new StretchList();
    const [first, end] = before === undefined
      ? [index.placeOf((after ?? -1) + 1), index.count]
      : [0, index.placeOf(before)];
    /** @type {Replies["changes"]["changes"]} */
    let found = [];
    let more = false;
    const walk = (
      /** @type {number} */ from,
      /** @type {number} */ to,
      /** @type {number} */ most,
    ) =>
      this.#moments.walk(from, to, true, (step) => {
        const seq = index.seqs[step.place] ?? 0;
        if (isUntouched(step.line, key, inside)) return true;
        if (seq === 0) return true;
        if (step.before === "unknown" || step.after === "unknown") {
          unknown.add(seq);
          return true;
        }
        const [old, now] = [step.before, step.after].map((values) => lookUp(values[key], inside));
        if (equalJson(old, now)) return true;
        if (found.length >= most) {
          more = true;
          return false;
        }
        found.push({
          seq,
          ...(old === undefined ? {} : { old }),
          ...(now === undefined ? {} : { new: now }),
        });
        return true;
      }, options);
    if (before === undefined) {
      await walk(first, end, limit);
    } else {
      for (let last = end; last > first && !more; last -= CHUNK) {
        const later = found;
        found = [];
        await walk(Math.max(first, last - CHUNK), last, Infinity);
        found = [...later, ...found.reverse()];
        more = found.length > limit;
        if (found.length >= limit) break;
      }
      found = found.slice(0, limit);
    }
    return {
      type: "changes",
      changes: found,
      ...(unknown.list.length > 0 ? { unknown: unknown.list } : {}),
      ...(more ? { more } : {}),
    };
  }

  /**
   * @param {Request<"column">} request
   * @param {AskOptions} options
   * @returns {Promise<Replies["column"]>}
   */
  async column({ paths, from, count }, options) {
    const all = paths.map((path) => readPointer(path) ?? []);
    /** @type {Json[][]} */
    const columns = paths.map(() => []);
    const unknown = new StretchList();
    const first = this.#index.placeOf(from);
    const end = this.#index.placeOf(from + Math.min(count, MAXIMUM_ENTRIES));
    await this.#moments.walk(first, end, true, ({ place, line, after }) => {
      const seq = this.#index.seqs[place] ?? 0;
      // Seqs that were lost have their places in the columns, too.
      for (let lost = from + (columns[0]?.length ?? 0); lost < seq; lost++) unknown.add(lost);
      for (const column of columns) while (column.length < seq - from) column.push(null);
      if (after === "unknown") unknown.add(seq);
      all.forEach((tokens, index) => {
        const [side, ...inside] = tokens;
        const value = side === "event"
          ? lookUp(member(line, "event"), inside)
          : after === "unknown"
          ? undefined
          : lookUp({ state: after.state, outputs: after.outputs }, tokens);
        columns[index]?.push(value ?? null);
      });
    }, options);
    return {
      type: "column",
      from,
      columns,
      ...(unknown.list.length > 0 ? { unknown: unknown.list } : {}),
    };
  }
}

/** How many entries are walked at once when a search goes backwards. */
const CHUNK = 512;

/**
 * Whether the line's own patch says that nothing at the path changed.
 *
 * @param {JsonObject} line
 * @param {"state" | "outputs"} key
 * @param {string[]} tokens
 */
function isUntouched(line, key, tokens) {
  const patch = member(line, key === "state" ? "patch" : "outputs");
  if (patch === undefined) return key === "outputs" && Object.hasOwn(line, "patch");
  return Array.isArray(patch) && !patch.some((operation) => {
    const path = member(operation, "path");
    const pointer = typeof path === "string" ? readPointer(path) : undefined;
    return !pointer || touches(pointer, tokens, member(operation, "op") === "replace");
  });
}

/** Seqs as stretches, in whichever direction they come. */
class StretchList {
  /** @type {Stretches} */
  list = [];

  /** @param {number} seq */
  add(seq) {
    const last = this.list.at(-1);
    if (last && last[1] === seq - 1) last[1] = seq;
    else if (last && last[0] === seq + 1) last[0] = seq;
    else this.list.push([seq, seq]);
  }
}
