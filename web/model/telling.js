/** Has a source tell what becomes of the timeline in view, and of no other. */

/** @import { TimelineSummary } from "../wire/to-inspector.js" */
/** @import { Source } from "./source.js" */
/** @import { TimelineData } from "./timeline-data.js" */

export class Telling {
  #onCaughtUp;
  #report;
  /** @type {{ source: Source, timeline: string } | undefined} */
  #told;

  /**
   * @param {(data: TimelineData, summary: TimelineSummary) => void} onCaughtUp
   * @param {(error: unknown) => void} report
   */
  constructor(onCaughtUp, report) {
    this.#onCaughtUp = onCaughtUp;
    this.#report = report;
  }

  /**
   * Begins with a timeline, also with the same one when the connection is back.
   *
   * @param {Source} source
   * @param {TimelineData} data
   */
  begin(source, data) {
    const before = this.#told;
    const timeline = data.id;
    this.#told = { source, timeline };
    if (before && before.source === source && before.timeline !== timeline) {
      source.ask({ type: "watch", timeline: before.timeline, stop: true }).catch(() => {});
    }
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
