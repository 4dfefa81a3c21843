/** Ways through a recording: along causes, changes and matches, and the marks on the way. */

import { formatCount } from "../../base/format.js";
import { eventName } from "../../base/event-name.js";
import { causeElsewhere, causeIn } from "../../wire/entry.js";
import { partnerOf, WHY_ALONE } from "../branches/branches.js";
import { recordingsOfRun } from "../live/run-list.js";
import { isAway, viewEnded } from "../sources/source.js";
import { filterWithout } from "../timeline/muting.js";
import { entriesText, unknownBetween, whyUnknown } from "./unknown.js";

/** @import { Inspector } from "./inspector.js" */
/** @import { Job } from "../timeline/jobs.js" */
/** @import { TimelineData } from "../timeline/timeline-data.js" */

export class Travel {
  #inspector;
  /** The search for a match that was begun last. @type {Job | undefined} */
  #finding;

  /** @param {Inspector} inspector */
  constructor(inspector) {
    this.#inspector = inspector;
  }

  /**
   * Goes to the entry that last set a value.
   *
   * @param {string} path
   */
  async whoSet(path) {
    const { source, data, cursor } = this.#inspector;
    if (!source || !data) return;
    try {
      const request = { timeline: data.id, path, before: cursor + 1, limit: 1 };
      const { changes: [change], unknown } = await source.ask({ type: "changes", ...request });
      if (change && !this.#arrive(change.seq, data, cursor)) return;
      if (change?.seq === cursor) this.#inspector.notify("info", "This entry set the value.");
      const hidden = unknownBetween(unknown, (change?.seq ?? -1) + 1, cursor);
      if (hidden.length > 0) {
        const where = entriesText(hidden);
        this.#inspector.notify(
          "warning",
          (change
            ? `The value may also have been set in ${where}: `
            : `No entry is known to have set this value, but it may have been set in ${where}: `) +
            whyUnknown(hidden, this.#inspector),
        );
      } else if (!change) {
        this.#inspector.notify(
          "info",
          "This value has not changed since the start of the recording.",
        );
      }
    } catch (error) {
      this.#inspector.report(error);
    }
  }

  /**
   * The next or previous change of the pinned value.
   *
   * @param {1 | -1} direction
   */
  async stepChange(direction) {
    const { pin, data, cursor } = this.#inspector;
    if (!pin || !data) {
      return this.#inspector.notify(
        "info",
        "Pin a value first. Then n and p go to its changes.",
      );
    }
    // What is known may be of another place, or of before the timeline grew.
    if (pin.message !== "" || !pin.covers(cursor)) await pin.load(cursor);
    // A reader who moved on meanwhile, or unpinned the value, stays there.
    if (this.#inspector.pin !== pin || !this.#isStill(data, cursor)) return;
    if (pin.message !== "") {
      return this.#inspector.notify(
        "warning",
        `The changes of the pinned value were not loaded: ${pin.message}`,
      );
    }
    const change = direction > 0 ? pin.after(cursor) : pin.before(cursor);
    if (change) return this.#inspector.goTo(change.seq);
    const [first, last] = direction > 0 ? [cursor + 1, data.last] : [data.first, cursor - 1];
    const hidden = unknownBetween(pin.unknown, first, last);
    if (hidden.length > 0) {
      return this.#inspector.notify(
        "warning",
        `It is not known to change ${
          direction > 0 ? "any more" : "before this"
        }, but it may have ` +
          `changed in ${entriesText(hidden)}: ${whyUnknown(hidden, this.#inspector)}`,
      );
    }
    this.#inspector.notify(
      "info",
      direction > 0
        ? "The value does not change after this entry."
        : "The value does not change before this entry.",
    );
  }

  /** Goes to the first entry that matches the filter, unless there is no filter or it is wrong. */
  async goToFirstMatch() {
    const { data, location } = this.#inspector;
    if (!data || location.filter === "" || data.filterError) return;
    await this.#findMatch(1, data.first);
  }

  /**
   * The nearest entry for which the filter holds, in a direction.
   *
   * @param {1 | -1} direction
   */
  async stepMatch(direction) {
    await this.#findMatch(direction);
  }

  /**
   * @param {1 | -1} direction
   * @param {number} [start] the first entry that is searched; the cursor's neighbor when absent
   */
  async #findMatch(direction, start) {
    const { source, data, location, cursor } = this.#inspector;
    if (!source || !data || location.filter === "") {
      return this.#inspector.notify(
        "info",
        "Enter a filter first. Then . and , go to its matches.",
      );
    }
    const from = start ?? cursor + direction;
    if (from < 0 || from > data.last) return this.#noMore();
    // A new search replaces the one before. The search that filters the list continues.
    if (this.#finding?.is === "running") this.#finding.cancel();
    const { job, result } = data.searches.start(
      direction > 0 ? "Searching for the next match" : "Searching for the previous match",
      (options) =>
        source.ask({
          type: "find",
          timeline: data.id,
          predicate: data.predicate,
          from,
          direction: direction > 0 ? "forward" : "backward",
        }, options),
    );
    this.#finding = job;
    const reply = await result;
    if (job.error) return this.#inspector.report(job.error);
    if (!reply) return;
    const [seq] = reply.seqs;
    if (seq !== undefined && !this.#arrive(seq, data, cursor)) return;
    const hidden = direction > 0
      ? unknownBetween(reply.unknown, from, seq === undefined ? data.last : seq - 1)
      : unknownBetween(reply.unknown, seq === undefined ? data.first : seq + 1, from);
    if (hidden.length > 0) {
      const where = entriesText(hidden);
      const [first = "", ...rest] = where;
      this.#inspector.notify(
        "warning",
        (seq === undefined
          ? `Nothing more is known to match in this direction, but ${where} may: `
          : `${first.toUpperCase()}${rest.join("")} on the way may match, too: `) +
          whyUnknown(hidden, this.#inspector),
      );
    } else if (seq === undefined && start === undefined) this.#noMore();
  }

  #noMore() {
    this.#inspector.notify("info", "There are no more matches in this direction.");
  }

  /**
   * Goes to the result of a search, unless the reader moved on meanwhile.
   *
   * @param {number} seq
   * @param {TimelineData} data where it was looked for
   * @param {number} from where the reader was then
   * @returns {boolean} whether the reader is there now
   */
  #arrive(seq, data, from) {
    if (!this.#isStill(data, from)) return false;
    this.#inspector.goTo(seq, { isJump: true });
    return true;
  }

  /**
   * Whether the reader is where something was asked for, or goes along with what is live.
   *
   * @param {TimelineData} data
   * @param {number} from
   */
  #isStill(data, from) {
    const { cursor, isFollowing } = this.#inspector;
    return this.#inspector.data === data && (cursor === from || isFollowing);
  }

  /** Goes to the entry that caused this one, also if it is in another timeline. */
  goToCause() {
    const entry = this.#inspector.data?.entries.get(this.#inspector.cursor);
    const cause = entry && causeIn(entry);
    const elsewhere = entry && causeElsewhere(entry);
    if (cause !== undefined) this.#inspector.goTo(cause, { isJump: true });
    else if (elsewhere && this.#inspector.summaries.has(elsewhere.timeline)) {
      this.#inspector.open(elsewhere.timeline, elsewhere.seq);
    } else if (elsewhere) {
      this.#inspector.notify(
        "info",
        `Entry ${formatCount(elsewhere.seq)} of another timeline caused this one, and that ` +
          "timeline is not loaded. To follow the cause, import it into the daemon.",
      );
    } else this.#inspector.notify("info", "This entry names no entry as its cause.");
  }

  /** Goes to the first entry that this one caused. */
  async goToEffect() {
    const { source, data, cursor } = this.#inspector;
    if (!source || !data) return;
    try {
      const predicate = `cause == ${cursor}`;
      const { seqs: [seq] } = await source.ask({
        type: "find",
        timeline: data.id,
        predicate,
        from: cursor + 1,
      });
      if (seq !== undefined) this.#arrive(seq, data, cursor);
      else this.#inspector.notify("info", "No entry names this one as its cause.");
    } catch (error) {
      this.#inspector.report(error);
    }
  }

  /**
   * Marks the cursor's entry to compare others with, or takes the mark away.
   */
  async toggleMark() {
    const { source, data, cursor } = this.#inspector;
    if (!source || !data) return;
    const mark = (data.summary.marks ?? []).find(({ seq }) => seq === cursor);
    this.#inspector.marked = mark ? undefined : { timeline: data.id, seq: cursor };
    try {
      await source.ask({
        type: "mark",
        timeline: data.id,
        seq: cursor,
        ...(mark ? {} : { text: "mark" }),
      });
    } catch (error) {
      this.#inspector.report(error);
    }
    this.#inspector.changed.emit();
  }

  /** Why nothing can be asked of the source; nothing when it can. */
  get whyNotAsk() {
    if (!isAway(this.#inspector)) return undefined;
    return this.#inspector.source?.isTemporary ? viewEnded() : "The daemon is not connected.";
  }

  /** Why the event at the cursor cannot be muted; nothing when it can be. */
  get whyNotMute() {
    const { data } = this.#inspector;
    if (this.#nameHere === undefined) return "The event of this entry has no name.";
    return data && filterWithout(data.predicate, "") === undefined
      ? "The filter is not a predicate. Correct it first."
      : undefined;
  }

  /** Why there is no list of the machines of a run; nothing if there is one. */
  get whyNoRun() {
    const { summary, summaries } = this.#inspector;
    return recordingsOfRun(summary, summaries).length > 1
      ? undefined
      : "Only this machine was recorded in this run.";
  }

  /** The timeline to compare this one with; nothing if there is none. */
  get partner() {
    const { data, summaries } = this.#inspector;
    return data && partnerOf(data.id, summaries);
  }

  get whyNoPartner() {
    return this.#inspector.data ? WHY_ALONE : "Open a timeline first.";
  }

  /** Hides the entries with the event at the cursor, in addition to what the filter hides. */
  mute() {
    const { data } = this.#inspector;
    const name = this.#nameHere;
    const filter = data && name !== undefined ? filterWithout(data.predicate, name) : undefined;
    if (filter !== undefined) this.#inspector.setFilter(filter);
  }

  get #nameHere() {
    const { data, cursor } = this.#inspector;
    return eventName(data?.entries.get(cursor)?.event);
  }

  /**
   * Goes to the last entry at a time or before it.
   *
   * @param {number} t microseconds since the start
   */
  async goToTime(t) {
    const { source, data, cursor } = this.#inspector;
    if (!source || !data) return;
    try {
      const { seqs: [seq] } = await source.ask({
        type: "find",
        timeline: data.id,
        predicate: `t <= ${Math.max(0, Math.round(t))}`,
        from: data.last,
        direction: "backward",
      });
      this.#arrive(seq ?? data.first, data, cursor);
    } catch (error) {
      this.#inspector.report(error);
    }
  }

  /**
   * Names the timeline, or takes its name away.
   *
   * @param {string} name
   */
  async rename(name) {
    const { source, data } = this.#inspector;
    if (!source || !data) return;
    try {
      await source.ask({ type: "rename", timeline: data.id, name });
    } catch (error) {
      this.#inspector.report(error);
    }
  }

  /**
   * Deletes the timeline for good.
   *
   * @param {boolean} cascade whether its branches go, too
   */
  async delete(cascade) {
    const { source, data } = this.#inspector;
    if (!source || !data) return;
    try {
      await source.ask({ type: "delete", timeline: data.id, ...(cascade ? { cascade } : {}) });
    } catch (error) {
      this.#inspector.report(error);
    }
  }
}
