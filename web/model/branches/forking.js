/** Making branches and going there; undo and redo walk the branches that the reader made. */

import { visible } from "../../base/text.js";
import { rootOf } from "../sources/ancestry.js";
import { Arrangement } from "./arrangement.js";
import { nameAgain, touched, usualName } from "./branch-names.js";
import { branchWith, freshName } from "./branches.js";
import { readEdits, wordsOf, writeEdits } from "./edits.js";
import { whyNoFork, whyNoRun, whyNoSuchBranch } from "./hosts.js";
import { makeReady } from "../timeline/ready.js";
import { insertsAt, whyNoInsert, whyNotInserted } from "../files/what-if.js";
import { isAway } from "../sources/source.js";
import { nameOf } from "../sources/source-list.js";
import { UndoHistory } from "./undo-history.js";

/** @import { Json } from "../../base/json-types.d.ts" */
/** @import { Edit } from "./edits.js" */
/** @import { Inspector } from "../inspector/inspector.js" */
/** @import { Jobs } from "../timeline/jobs.js" */
/** @import { Place } from "./undo-history.js" */
/** @import { TimelineSummary } from "../../wire/to-inspector.js" */

/** How long a branch may take to answer before the page goes there, in milliseconds. */
const PATIENCE = 100;

/** An edit that is repeated leads to the branch that it made. */
const WAS_MADE = "This edit was made before. You are on its branch.";

/** The same where the reducer may have changed since. */
const MADE_BEFORE = `${WAS_MADE} To run it again on the current reducer, choose Compute again.`;

export class Forking {
  #inspector;
  #couldBranch = false;
  #later;
  #jobs;
  #keep;
  /** @readonly */
  history;
  /** The requests that made branches: by these their computing is cancelled. @type {Map<string, number | string>} */
  #requests = new Map();
  /** Where the reader is to stand once the branch has got that far. @type {(Place & { at: number }) | undefined} */
  #landing;

  /**
   * @param {Inspector} inspector
   * @param {Jobs} jobs
   * @param {{ kept: string | null, keep: (history: string) => void,
   *   later: (call: () => void, milliseconds: number) => void }} world with the undo history of this tab
   */
  constructor(inspector, jobs, { kept, keep, later }) {
    this.#later = later;
    this.#inspector = inspector;
    this.#jobs = jobs;
    this.#keep = keep;
    this.history = UndoHistory.read(kept);
  }

  /** Why nothing can be changed here; nothing when it can. */
  get whyNot() {
    return whyNoFork(this.#inspector);
  }

  /** Whether branches can be made here; while the daemon is away, whether they could be before. */
  get canBranch() {
    if (!isAway(this.#inspector)) this.#couldBranch = this.whyNot === undefined;
    return this.#couldBranch;
  }

  /** Why edits that no file has branches for cannot be made here. */
  get whyNotSuchEdit() {
    return whyNoSuchBranch(this.#inspector.source);
  }

  /** What a file has inserted before an entry. @param {number} before */
  insertsAt(before) {
    return insertsAt(this.#inspector.source?.whatIf, before);
  }

  /**
   * Why a file has no event, or not this one, inserted before an entry.
   *
   * @param {number} before
   * @param {Json} [event]
   */
  whyNoInsert(before, event) {
    const whatIf = this.#inspector.source?.whatIf;
    if (!whatIf) return undefined;
    return event === undefined
      ? whyNoInsert(whatIf, before)
      : whyNotInserted(whatIf, before, event);
  }

  /** Why the reducer cannot run for anything but the branches that are there. */
  get whyNotRun() {
    return whyNoRun(this.#inspector);
  }

  /** Something is new: the branch may have got to where the reader wants to stand. */
  noticed() {
    const { data, cursor } = this.#inspector;
    const landing = this.#landing;
    if (!landing || data?.id !== landing.timeline) return;
    // A reader who moved on meanwhile stays there.
    if (cursor !== landing.at || data.summary.computing === undefined && data.last < landing.seq) {
      this.#landing = undefined;
    } else if (data.last >= landing.seq) {
      this.#landing = undefined;
      this.#inspector.goTo(landing.seq);
    }
  }

  /**
   * A timeline is gone.
   *
   * @param {string} timeline
   */
  forget(timeline) {
    this.history.forget(timeline);
    this.#keep(this.history.write());
  }

  /**
   * Makes a branch and goes there.
   *
   * @param {readonly Edit[]} edits
   * @param {object} [how]
   * @param {(arrangement: Arrangement) => number} [how.land] where in the branch; where the cursor's
   *   entry stands when absent
   * @param {string} [how.name]
   * @param {string} [how.timeline] the parent; the timeline in view when absent
   * @param {number} [how.through] the parent's last entry that takes part
   * @param {string} [how.failure] the failure that the branch was minimized to
   * @returns {Promise<string | undefined>} the branch
   */
  async fork(edits, { land, name: given, timeline, through, failure } = {}) {
    const { source, data, cursor } = this.#inspector;
    const why = this.whyNot;
    if (!source || !data || why !== undefined) return this.#tell(why ?? "No timeline is open.");
    const parent = timeline ?? data.id;
    const end = through ?? Math.max(data.summary.durable ?? data.last, ...touched(edits));
    const from = { timeline: data.id, seq: cursor };
    const arrangement = new Arrangement(edits, end);
    const seq = land ? land(arrangement) : arrangement.seqOf(cursor);
    const { summaries } = this.#inspector;
    const made = given === undefined && branchWith(edits, { parent, through: end }, summaries);
    if (made) return await this.#openMade(from, { timeline: made, seq });
    const name = given ?? usualName(edits, { parent, data, cursor }, summaries);
    const subject = { timeline: data.id, cause: /** @type {const} */ ("fork") };
    this.#inspector.notices.retract(subject);
    const { job, result } = this.#jobs.start(
      `Making the branch “${visible(name)}”`,
      (options) =>
        source.ask({
          type: "fork",
          timeline: parent,
          through: end,
          edits: writeEdits(edits),
          name,
          ...(failure === undefined ? {} : { failure }),
        }, options),
    );
    const reply = await result;
    if (!reply) {
      const edit = job.error?.at === undefined ? undefined : edits[job.error.at];
      const place = edit && edits.length > 1 ? ` (${visible(wordsOf([edit]))})` : "";
      if (job.error && job.is === "failed") {
        this.#inspector.notify("error", `${job.error.message}${place}`, subject);
      }
      return undefined;
    }
    if (reply.re !== undefined) this.#requests.set(reply.timeline, reply.re);
    await this.#goTo(from, { timeline: reply.timeline, seq });
    return reply.timeline;
  }

  /**
   * Goes to the branch that an edit made before, and says so.
   *
   * @param {Place} from
   * @param {Place} place
   */
  async #openMade(from, place) {
    await this.#goTo(from, place);
    if (this.#inspector.data?.id === place.timeline) {
      this.#tell(this.whyNotRun === undefined ? MADE_BEFORE : WAS_MADE);
    }
    return place.timeline;
  }

  /**
   * Goes to the branch of an edit; undo leads back.
   *
   * @param {Place} from
   * @param {Place} place
   */
  async #goTo(from, place) {
    this.history.made(from, place);
    this.#keep(this.history.write());
    await this.#visit(place);
  }

  /**
   * Whether this page made a branch, and so can end its computing.
   *
   * @param {string} timeline
   */
  canCancel(timeline) {
    return this.#requests.has(timeline);
  }

  /**
   * Ends the computing of a branch; what there is of it stays.
   *
   * @param {string} timeline
   */
  async cancel(timeline) {
    const request = this.#requests.get(timeline);
    if (request === undefined) return;
    try {
      await this.#inspector.source?.ask({ type: "cancel", request });
    } catch (error) {
      this.#inspector.report(error);
    }
  }

  /**
   * Goes to a moment of a timeline that may still be growing towards it.
   *
   * @param {Place} place
   */
  async #show({ timeline, seq }) {
    await this.#know(timeline);
    const ready = makeReady(this.#inspector, timeline, seq);
    // What takes longer is shown as it comes.
    if (ready) await Promise.race([ready.fetched, this.#patience()]);
    const summary = this.#inspector.summaries.get(timeline);
    if (ready && summary) ready.data.update(summary);
    this.#inspector.open(timeline, seq, ready?.data);
    const { data, cursor } = this.#inspector;
    if (data?.id === timeline && data.last < seq) this.#landing = { timeline, seq, at: cursor };
  }

  /**
   * Goes to a moment, or reports why the daemon did not say where it is.
   *
   * @param {Place} place
   */
  async #visit(place) {
    try {
      await this.#show(place);
    } catch (error) {
      this.#inspector.report(error);
    }
  }

  #patience() {
    return new Promise((done) => this.#later(() => done(undefined), PATIENCE));
  }

  /**
   * Goes to the end of a branch that the daemon made for the reader; undo leads back.
   *
   * @param {string} timeline
   */
  async visit(timeline) {
    const { data, cursor } = this.#inspector;
    try {
      await this.#know(timeline);
      const seq = this.#inspector.summaries.get(timeline)?.last ?? 0;
      if (data) this.history.made({ timeline: data.id, seq: cursor }, { timeline, seq });
      this.#keep(this.history.write());
      await this.#show({ timeline, seq });
    } catch (error) {
      this.#inspector.report(error);
    }
  }

  /**
   * The answer with a branch may arrive before the news of it. Mostly the news comes at once; then
   * the page does not wait for the list, which it requests anyway.
   *
   * @param {string} timeline
   */
  async #know(timeline) {
    const { source, summaries, changed } = this.#inspector;
    if (summaries.has(timeline) || !source) return;
    /** @type {() => void} */
    let stopListening = () => {};
    /** @type {Promise<void>} */
    const announced = new Promise((resolve) => {
      stopListening = changed.listen(() => summaries.has(timeline) && resolve());
    });
    const listed = source.ask({ type: "timelines" }).then(({ timelines }) => {
      // News that came meanwhile is newer.
      for (const summary of timelines) {
        const id = summary.header.timeline;
        if (!summaries.has(id)) summaries.set(id, summary);
      }
    });
    await Promise.race([announced, listed]).finally(stopListening);
    listed.catch((error) => this.#inspector.report(error));
  }

  /** Goes back to where the reader was before the last edit. */
  undo() {
    return this.#walk("undo", "There is no edit to undo in this tab.");
  }

  /** Goes to the branch that was undone last. */
  redo() {
    return this.#walk("redo", "There is nothing to redo.");
  }

  /**
   * Why the last edit cannot be undone, or done again, from here: undo leads back to where the reader
   * was, and a reader of one machine does not want to end up at another.
   *
   * @param {"undo" | "redo"} way
   * @returns {string | undefined} nothing when it can, or when there is none
   */
  whyNotWalk(way) {
    const { data, summaries } = this.#inspector;
    const branch = this.history.next[way];
    const root = rootOf(branch, summaries);
    if (!data || root === undefined || rootOf(data.id, summaries) === root) return undefined;
    const machine = summaries.get(root)?.header.machine.name ?? "another machine";
    return `Your last edit was in ${visible(machine)}. To ${way} it, open ${visible(machine)}.`;
  }

  /** What undo takes back: the name of the branch that it leaves, and its machine. */
  get undone() {
    const { summaries } = this.#inspector;
    const branch = summaries.get(this.history.next.undo ?? "");
    if (!branch) return undefined;
    return `${visible(nameOf(branch))} in ${visible(branch.header.machine.name)}`;
  }

  /**
   * @param {"undo" | "redo"} way
   * @param {string} nothing
   */
  async #walk(way, nothing) {
    const { data, cursor } = this.#inspector;
    const why = this.whyNotWalk(way);
    if (why !== undefined) return this.#tell(why);
    const place = data && this.history[way]({ timeline: data.id, seq: cursor });
    if (!place) return this.#tell(nothing);
    this.#keep(this.history.write());
    await this.#visit(place);
  }

  /**
   * Computes a branch again, as its script says, and leaves the old one.
   *
   * @param {string} timeline
   * @returns {Promise<string | undefined>} the new one
   */
  async recompute(timeline) {
    const summary = this.#inspector.summaries.get(timeline);
    const parent = summary?.header.parent;
    if (!summary || !parent) return void this.#tell("Only a branch can be computed again.");
    const { cursor, data } = this.#inspector;
    return await this.fork(readEdits(parent.edits), {
      timeline: parent.timeline,
      through: parent.through,
      name: freshName(nameAgain(summary), parent.timeline, this.#inspector.summaries),
      failure: parent.failure,
      land: () => data?.id === timeline ? cursor : parent.start,
    });
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
