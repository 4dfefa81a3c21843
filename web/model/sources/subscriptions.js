/** Subscribes to the source in view: to its list of timelines, and to news of the one in view. */

/** @import { TimelineSummary } from "../../wire/to-inspector.js" */
/** @import { Source } from "./source.js" */
/** @import { TimelineData } from "../timeline/timeline-data.js" */

export class Subscriptions {
  #onCaughtUp;
  #report;
  /** The timeline in view. @type {{ source: Source, timeline: string } | undefined} */
  #watched;
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
   * Subscribes to the list of a source, or subscribes again after a reconnect, and cancels the
   * subscription to the source before it.
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

  /** A source that is closed or disconnected has no subscriptions, so its answer does not matter. */
  #stop() {
    if (!this.#watched) return;
    const { source, timeline } = this.#watched;
    this.#watched = undefined;
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
    if (this.#watched?.timeline !== timeline) this.#stop();
    this.#watched = { source, timeline };
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
