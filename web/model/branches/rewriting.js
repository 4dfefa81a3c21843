/** What a reader does to the past: each an edit script on the timeline in view. */

import { formatCount } from "../../base/format.js";
import { readPart } from "../../wire/answers.js";
import { entry as readEntry } from "../../wire/entry.js";
import { readSchema } from "../../wire/header.js";
import { sweepOf } from "./branches.js";
import { fetchClosure } from "../timeline/causes.js";
import { dropsOf } from "./edits.js";
import { EventDraft, isCutEvent } from "./event-draft.js";
import { newEvent } from "./form.js";
import { whyNotBefore } from "./moving.js";

/** @import { Json } from "../../base/json-types.d.ts" */
/** @import { Entry } from "../../wire/entry.js" */
/** @import { Edit } from "./edits.js" */
/** @import { DraftMode } from "./event-draft.js" */
/** @import { Forking } from "./forking.js" */
/** @import { Inspector } from "../inspector/inspector.js" */
/** @import { Job, Jobs } from "../timeline/jobs.js" */

/**
 * Why nothing else is skipped. Not every recorder knows causes: an effect's answer may follow
 * without one.
 *
 * @param {number} roots how many entries are skipped
 */
function noCausedEntries(roots) {
  const [which, only] = roots === 1 ? ["this one", "it"] : ["one of these", "these"];
  return `No entry names ${which} as its cause, so only ${only} ${
    roots === 1 ? "is" : "are"
  } skipped. If an effect sent events later, select and skip those, too.`;
}

export class Rewriting {
  #inspector;
  #forking;
  #jobs;
  /** The event that is being written. @type {EventDraft | undefined} */
  draft;
  /** The one whose branch is being made. @type {EventDraft | undefined} */
  #applied;

  /**
   * @param {Inspector} inspector
   * @param {Forking} forking
   * @param {Jobs} jobs
   */
  constructor(inspector, forking, jobs) {
    this.#inspector = inspector;
    this.#forking = forking;
    this.#jobs = jobs;
  }

  /** Leaves out the entry at the cursor, or the selected stretch. */
  skip() {
    const { from, to } = this.#inspector.stretch;
    const first = Math.max(from, 1);
    if (to < 1) return this.#tell("The first entry has no event to skip. Go to another entry.");
    return this.#forking.fork([{ is: "drop", first, last: to }], {
      land: (arrangement) => arrangement.seqOf(to),
    });
  }

  /** Leaves out the entry, or the stretch, with all that it caused. */
  async skipCaused() {
    const { source, data, stretch: { from, to } } = this.#inspector;
    if (!source || !data || this.#forking.whyNot !== undefined) return this.skip();
    const roots = Array.from({ length: to - from + 1 }, (_, index) => from + index)
      .filter((seq) => seq > 0);
    if (roots.length === 0) return this.skip();
    const { job, result } = this.#jobs.start(
      `Looking for what ${formatCount(from)} caused`,
      (options) => fetchClosure(source, data.id, roots, data.last, options),
    );
    const found = await result;
    if (!found) return this.#reportFailed(job, data.id);
    if (!this.#isStillAt(data)) return;
    const caused = found.size - roots.length;
    const made = await this.#forking.fork(dropsOf(found), {
      land: (arrangement) => arrangement.seqOf(to),
    });
    // About the branch, so only once it is in view.
    if (made !== undefined && caused === 0) this.#tell(noCausedEntries(roots.length));
    return made;
  }

  /** Leaves out at once what the branches that led here left out one after another. */
  sweep() {
    const { data, summaries, cursor } = this.#inspector;
    const plan = sweepOf(data?.id, summaries);
    if (!plan) return this.#tell("No entries were skipped on the way to this branch.");
    if (plan.steps === 1) {
      return this.#tell("This branch already leaves out everything that was skipped.");
    }
    return this.#forking.fork(plan.edits, { ...plan, land: () => cursor });
  }

  /** Ends the branch with the entry at the cursor. */
  undoToHere() {
    const { data, cursor } = this.#inspector;
    if (data && cursor >= data.last) return this.#tell("This is the last entry.");
    return this.#forking.fork([{ is: "cut", seq: cursor }]);
  }

  /** Begins a branch with the state at the cursor. */
  startHere() {
    const { cursor } = this.#inspector;
    if (cursor === 0) return this.#tell("This is already the first entry.");
    return this.#forking.fork([{ is: "start", seq: cursor }]);
  }

  /** The same event once more, right behind itself. */
  async repeat() {
    const { cursor } = this.#inspector;
    const event = await this.#eventHere();
    if (event === undefined) return;
    await this.#forking.fork([{ is: "insert", before: cursor + 1, event }], {
      land: (arrangement) => arrangement.seqOfEdit(0) ?? cursor,
    });
  }

  /** The same event once more, at the end. */
  async redispatch() {
    const event = await this.#eventHere();
    if (event !== undefined) await this.append(event);
  }

  /** @param {Json} event */
  append(event) {
    return this.#forking.fork([{ is: "append", event }], {
      land: (arrangement) => arrangement.seqOfEdit(0) ?? arrangement.last,
    });
  }

  /**
   * Moves the entry past its neighbour.
   *
   * @param {1 | -1} direction
   */
  move(direction) {
    const { data, cursor } = this.#inspector;
    if (!data || cursor < 1) return this.#tell("The first entry cannot be moved.");
    const before = direction < 0 ? cursor - 1 : cursor + 2;
    if (before < 1) return this.#tell("This is already the first event.");
    if (before > data.last + 1) return this.#tell("This is already the last event.");
    return this.moveBefore(before);
  }

  /**
   * The entry at the cursor, for which it is asked where to move it; nothing, and a word why, when
   * it cannot be moved.
   */
  entryToMove() {
    const { data, cursor: seq } = this.#inspector;
    if (!data) return this.#tell("No timeline is open.");
    // Somewhere it can stand, if it can be moved at all.
    const why = this.#forking.whyNot ?? whyNotBefore(seq === 1 ? 3 : 1, { seq, last: data.last });
    return why === undefined ? { timeline: data.id, seq } : this.#tell(why);
  }

  /**
   * Moves an entry, by default the one at the cursor.
   *
   * @param {number} before the last one plus one is the end
   * @param {{ timeline: string, seq: number }} [entry] as it was when the reader was asked
   */
  moveBefore(before, entry) {
    const { data, cursor } = this.#inspector;
    if (!data) return this.#tell("No timeline is open.");
    if (entry && entry.timeline !== data.id) {
      return this.#tell(
        "You opened another timeline, so the event was not moved.",
      );
    }
    const seq = entry?.seq ?? cursor;
    const why = whyNotBefore(before, { seq, last: data.last });
    if (why !== undefined) return this.#tell(why);
    return this.#forking.fork([{ is: "move", seq, before }], {
      land: (arrangement) => arrangement.seqOf(seq),
    });
  }

  /**
   * Opens the event editor: for the event at the cursor, or for a new one next to it.
   *
   * @param {DraftMode} mode
   */
  async edit(mode) {
    const { data, cursor, summary } = this.#inspector;
    if (!data) return;
    const schema = readSchema(summary?.header.schema);
    let held;
    try {
      held = await this.wholeEntry(cursor);
    } catch (error) {
      return this.#inspector.report(error);
    }
    if (mode === "replace" && held?.event === undefined) {
      return this.#tell("This entry has no event to edit.");
    }
    if (mode === "before" && cursor === 0) {
      return this.#tell("You cannot insert an event before the first entry.");
    }
    const [first] = schema?.cases ?? [];
    const [offered] = mode === "replace"
      ? []
      : this.#forking.insertsAt(mode === "before" ? cursor : cursor + 1);
    const event = offered?.event ?? held?.event ??
      (first && schema ? newEvent(first, schema) : {});
    if (!this.#isStillAt(data)) return;
    this.draft = new EventDraft({
      timeline: data.id,
      seq: cursor,
      mode,
      event,
      schema,
      ...(held?.redacted && !offered ? { redacted: held.redacted } : {}),
    });
    this.#inspector.changed.emit();
  }

  /** Leaves the event that is being written. */
  leaveDraft() {
    this.draft = undefined;
    this.#inspector.changed.emit();
  }

  /** Another timeline is in view: what was written for the one before must not be applied here. */
  noticed() {
    const { draft } = this;
    if (!draft || draft === this.#applied || draft.timeline === this.#inspector.data?.id) return;
    this.leaveDraft();
    this.#tell("The event editor was closed, because its event belongs to another timeline.");
  }

  /** Makes the branch with the event that is being written. */
  async applyDraft() {
    const { draft } = this;
    if (!draft) return this.#tell("Edit an event first.");
    if (draft.problems.length > 0) return this.#tell("Fix the errors in the event first.");
    if (!draft.isChanged) return this.#tell("You have not changed the event.");
    const { seq, mode, before, value: event } = draft;
    const why = before === undefined ? undefined : this.#forking.whyNoInsert(before, event);
    if (why !== undefined) return this.#tell(why);
    /** @type {Edit} */
    const edit = before === undefined
      ? { is: "replace", seq, event }
      : { is: "insert", before, event };
    this.#applied = draft;
    const made = await this.#forking.fork([edit], {
      land: (arrangement) =>
        mode === "replace" ? arrangement.seqOf(seq) : arrangement.seqOfEdit(0) ?? seq,
    });
    this.#applied = undefined;
    if (made !== undefined && this.draft === draft) this.leaveDraft();
    else this.noticed();
  }

  /**
   * Whether the reader still looks at the timeline for which something was looked up.
   *
   * @param {Inspector["data"]} data
   */
  #isStillAt(data) {
    return this.#inspector.data === data;
  }

  /** The event at the cursor, whole. */
  async #eventHere() {
    const { data, cursor } = this.#inspector;
    try {
      const held = await this.wholeEntry(cursor);
      if (!this.#isStillAt(data)) return undefined;
      if (held?.event === undefined) this.#tell("This entry has no event.");
      return held?.event;
    } catch (error) {
      this.#inspector.report(error);
      return undefined;
    }
  }

  /**
   * An entry with its event as it was stored: lists carry long values cut.
   *
   * @param {number} seq
   * @returns {Promise<Entry | undefined>}
   */
  async wholeEntry(seq) {
    const { source, data } = this.#inspector;
    if (!source || !data) return undefined;
    const held = data.entries.get(seq);
    if (held && !isCutEvent(held)) return held;
    const { entry } = await source.ask({ type: "raw", timeline: data.id, seq });
    return readPart(() => readEntry(entry, "entry"));
  }

  /** Has a host compute the selected stretch, or the moment at the cursor. */
  async compute() {
    const { source, data, stretch } = this.#inspector;
    const why = this.#forking.whyNot;
    if (!source || !data || why !== undefined) return this.#tell(why ?? "");
    const { from, to } = stretch;
    if (from === to) return this.#inspector.moment.compute();
    const { job, result } = this.#jobs.start(
      `Computing ${formatCount(from)} to ${formatCount(to)}`,
      (options) => source.ask({ type: "compute", timeline: data.id, from, to }, options),
    );
    if (await result) {
      data.retry();
      this.#inspector.moment.retry();
    } else this.#reportFailed(job, data.id);
  }

  /**
   * @param {Job} job
   * @param {string} timeline the one it was for, which may not be in view any more
   */
  #reportFailed(job, timeline) {
    if (job.is === "failed") this.#inspector.report(job.error, { timeline });
    return undefined;
  }

  /**
   * @param {string} text
   * @returns {undefined}
   */
  #tell(text) {
    if (text !== "") this.#inspector.notify("info", text);
    return undefined;
  }
}
