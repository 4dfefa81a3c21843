/** What a reader does to the live app that the timeline in view comes from. */

import { visible } from "../../base/text.js";
import { RequestError } from "../../wire/requests.js";
import { chainOf } from "../sources/ancestry.js";
import { isAway } from "../sources/source.js";

/** @import { TimelineSummary } from "../../wire/to-inspector.js" */
/** @import { LiveControl, Policy } from "./control.js" */
/** @import { Inspector } from "../inspector/inspector.js" */
/** @import { Rewriting } from "../branches/rewriting.js" */

export class Driving {
  #inspector;
  #rewriting;
  #control;

  /**
   * @param {Inspector} inspector
   * @param {Rewriting} rewriting
   * @param {LiveControl} control
   */
  constructor(inspector, rewriting, control) {
    this.#inspector = inspector;
    this.#rewriting = rewriting;
    this.#control = control;
  }

  /**
   * The timeline of the app that is driven: the one in view, or the one that a branch comes from.
   *
   * @returns {TimelineSummary | undefined}
   */
  get summary() {
    const { summary, summaries } = this.#inspector;
    const [live] = chainOf(summary?.header.timeline, summaries)
      .map((id) => summaries.get(id))
      .filter((one) => one?.live);
    return live;
  }

  /** Why no event can be sent to the live machine; nothing when it can. */
  get whyNot() {
    const why = this.whyNotHold;
    if (why !== undefined) return why;
    const timeline = this.summary?.header.timeline;
    return this.#control.heldOf(timeline)
      ? undefined
      : `To send this, pause ${visible(this.summary?.header.machine.name ?? "the machine")} first.`;
  }

  /** Why the live machine cannot be held; nothing when it can. */
  get whyNotHold() {
    const { summary } = this;
    if (!summary) return "No program is writing this timeline.";
    if (isAway(this.#inspector)) return "The daemon is not connected.";
    if (!this.#inspector.source?.capabilities.has("control")) {
      return "This session cannot control machines. To open one that can, run: debugd open";
    }
    const { name, kind } = summary.header.machine;
    if (kind === "reducer") {
      return `${visible(name)} can be inspected but not controlled: it is recorded with wrap.`;
    }
    if (!summary.controllable) {
      return "The program did not opt in to control. To fix, set allowsControl in its recorder's options, and start it again.";
    }
    return undefined;
  }

  /**
   * @param {Policy} policy
   * @param {{ take?: boolean }} [how]
   */
  hold(policy, how) {
    return this.#drive((timeline) => this.#control.hold(timeline, policy, how), false);
  }

  /** Lets the app go on. */
  resume() {
    return this.#drive((timeline) => this.#control.resume(timeline));
  }

  /**
   * Has the app record nothing for a while, or go on.
   *
   * @param {boolean} isPaused
   */
  async capture(isPaused) {
    await this.#drive((timeline) => this.#control.capture(timeline, isPaused), false);
  }

  /** Lets one waiting event through. */
  step() {
    return this.#drive((timeline) => this.#control.step(timeline));
  }

  /** Moves the app to the moment at the cursor. */
  restore() {
    const { data, cursor } = this.#inspector;
    return this.#drive((timeline) =>
      this.#control.restore(timeline, { timeline: data?.id ?? timeline, seq: cursor })
    );
  }

  /** Sends the event that is being written, or else the one at the cursor. */
  async sendLive() {
    const { draft } = this.#rewriting;
    if (draft && draft.problems.length > 0) {
      return this.#tell("Fix the errors in the event first.");
    }
    const why = this.whyNot;
    if (why !== undefined) return this.#tell(why);
    const { data, cursor } = this.#inspector;
    let held;
    try {
      held = draft ? undefined : await this.#rewriting.wholeEntry(cursor);
    } catch (error) {
      return this.#inspector.report(error);
    }
    // If the reader opened another timeline meanwhile, nothing is sent to its machine.
    if (this.#inspector.data !== data) return;
    const stands = [...held?.redacted?.keys() ?? []].some((path) => path.startsWith("/event"));
    const refusal = draft?.whyNotLive ??
      (stands
        ? "The event is redacted: the recording has only stand-ins. Edit it first."
        : undefined);
    if (refusal !== undefined) return this.#tell(refusal);
    const event = draft?.value ?? held?.event;
    if (event === undefined) return this.#tell("This entry has no event.");
    const isSent = await this.#drive((timeline) => this.#control.dispatch(timeline, event));
    // What was written has become an entry of the recording.
    if (isSent && draft && this.#rewriting.draft === draft) this.#rewriting.leaveDraft();
  }

  /**
   * Performs a command; returns whether the daemon did it.
   *
   * @param {(timeline: string) => Promise<unknown>} command
   * @param {boolean} [needsHold]
   */
  async #drive(command, needsHold = true) {
    const why = needsHold ? this.whyNot : this.whyNotHold;
    const timeline = this.summary?.header.timeline;
    if (timeline === undefined || why !== undefined) return this.#tell(why ?? "");
    const subject = { timeline: this.#inspector.data?.id, cause: /** @type {const} */ ("drive") };
    for (const one of [subject, { ...subject, timeline }]) this.#inspector.notices.retract(one);
    try {
      await command(timeline);
      return true;
    } catch (error) {
      if (error instanceof RequestError && error.code === "conflict") {
        this.#inspector.notify("warning", error.message, subject);
      } else this.#inspector.report(error, subject);
      return false;
    }
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
