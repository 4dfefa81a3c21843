/** Has the source in view tell which timelines there are, and what becomes of the one in view. */

/** @import { TimelineSummary } from "../wire/to-inspector.js" */
/** @import { Source } from "./source.js" */
/** @import { TimelineData } from "./timeline-data.js" */

export class Telling {
  #onCaughtUp;
  #report;
  /** The timeline in view. @type {{ source: Source, timeline: string } | undefined} */
  #told;
  /** Whose list is in view. @type {Source | undefined} */
  #listed;

  /**
   * @param {(data: TimelineData, summary: TimelineSummary) => void} onCaughtUp
   * @param {(error: unknown) => void} report
   */
  constructor(onCaughtUp, report) {
    this.#onCaughtUp = onCaughtUp;
    this.#report = report;
  }

  /**
   * Has a source tell which timelines there are, also the same one when the connection is back. The
   * one before it tells nothing any more.
   *
   * @param {Source} source
   */
  async list(source) {
    const before = this.#listed;
    this.#listed = source;
    if (before && before !== source) {
      this.#stop();
      before.ask({ type: "watch", stop: true }).catch(() => {});
    }
    await source.ask({ type: "watch" });
  }

  /** What is not connected, or closed, tells nothing anyway. */
  #stop() {
    if (!this.#told) return;
    const { source, timeline } = this.#told;
    this.#told = undefined;
    source.ask({ type: "watch", timeline, stop: true }).catch(() => {});
  }

  /**
   * Begins with a timeline, also with the same one when the connection is back.
   *
   * @param {Source} source
   * @param {TimelineData} data
   */
  begin(source, data) {
    const timeline = data.id;
    if (this.#told?.timeline !== timeline) this.#stop();
    this.#told = { source, timeline };
    this.#begin(source, data).catch(this.#report);
  }

  /**
   * The news begin behind an entry. What came before it, and after what is known, is in none of
   * them.
   *
   * @param {Source} source
   * @param {TimelineData} data
   */
  async #begin(source, data) {
    const { seq = -1 } = await source.ask({ type: "watch", timeline: data.id });
    if (seq <= data.last) return;
    const app = data.summary.header.app.name;
    const { timelines } = await source.ask({ type: "timelines", app });
    const summary = timelines.find(({ header }) => header.timeline === data.id);
    if (summary && (summary.last ?? -1) > data.last) this.#onCaughtUp(data, summary);
  }
}
