/** The branches that a reader made, in order: what undo and redo walk. Each tab has its own. */

import { isObject, JsonError, member, parseJson } from "../../base/json.js";

/** @import { Json } from "../../base/json-types.d.ts" */

/** @typedef {{ timeline: string, seq: number }} Place */
/** One edit: from where, and to which branch. @typedef {{ from: Place, to: Place }} Step */

/** Steps that are kept. */
const MAXIMUM_STEPS = 500;

export class UndoHistory {
  /** @type {Step[]} */
  #steps;
  /** How many of them are done; those behind were undone. */
  #done;

  /**
   * @param {Step[]} [steps]
   * @param {number} [done]
   */
  constructor(steps = [], done = steps.length) {
    this.#steps = steps;
    this.#done = done;
  }

  /**
   * A branch was made. What was undone cannot be redone any more.
   *
   * @param {Place} from
   * @param {Place} to
   */
  made(from, to) {
    this.#steps = [...this.#steps.slice(0, this.#done), { from, to }].slice(-MAXIMUM_STEPS);
    this.#done = this.#steps.length;
  }

  /**
   * Goes to where the reader was before the last edit.
   *
   * @param {Place} here where the reader is, to come back to
   * @returns {Place | undefined}
   */
  undo(here) {
    const step = this.#steps[this.#done - 1];
    if (!step) return undefined;
    this.#done--;
    if (here.timeline === step.to.timeline) step.to = here;
    // A reader who went back without undo is there already; the step is finished.
    if (here.timeline === step.from.timeline && this.#done > 0) return this.undo(here);
    return step.from;
  }

  /**
   * Goes to the branch that was undone last.
   *
   * @param {Place} here
   * @returns {Place | undefined}
   */
  redo(here) {
    const step = this.#steps[this.#done];
    if (!step) return undefined;
    this.#done++;
    if (here.timeline === step.from.timeline) step.from = here;
    return step.to;
  }

  /** The branch that undo leaves, and the one that redo goes to. */
  get next() {
    return {
      undo: this.#steps[this.#done - 1]?.to.timeline,
      redo: this.#steps[this.#done]?.to.timeline,
    };
  }

  /**
   * A timeline is gone, and every step that needs it.
   *
   * @param {string} timeline
   */
  forget(timeline) {
    const keeps = (/** @type {Step} */ { from, to }) =>
      from.timeline !== timeline && to.timeline !== timeline;
    this.#done = this.#steps.slice(0, this.#done).filter(keeps).length;
    this.#steps = this.#steps.filter(keeps);
  }

  /** The trail as text, for the tab to keep. */
  write() {
    return JSON.stringify({ steps: this.#steps, done: this.#done });
  }

  /**
   * A trail that was kept; an empty one when it cannot be read.
   *
   * @param {string | null} text
   * @returns {UndoHistory}
   */
  static read(text) {
    try {
      const json = parseJson(text ?? "null");
      const list = member(json, "steps");
      const steps = Array.isArray(list) ? list.flatMap((one) => readStep(one) ?? []) : [];
      const done = member(json, "done");
      return new UndoHistory(steps, Math.min(typeof done === "number" ? done : 0, steps.length));
    } catch (error) {
      if (error instanceof JsonError) return new UndoHistory();
      throw error;
    }
  }
}

/**
 * @param {Json} json
 * @returns {Step | undefined}
 */
function readStep(json) {
  const [from, to] = ["from", "to"].map((key) => readPlace(member(json, key)));
  return from && to ? { from, to } : undefined;
}

/**
 * @param {Json | undefined} json
 * @returns {Place | undefined}
 */
function readPlace(json) {
  if (!isObject(json)) return undefined;
  const { timeline, seq } = json;
  return typeof timeline === "string" && typeof seq === "number" ? { timeline, seq } : undefined;
}
