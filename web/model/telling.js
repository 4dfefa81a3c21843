/** Has a source tell what becomes of the timeline in view, and of no other. */

/** @import { Source } from "./source.js" */

export class Telling {
  #report;
  /** @type {{ source: Source, timeline: string } | undefined} */
  #told;

  /** @param {(error: unknown) => void} report */
  constructor(report) {
    this.#report = report;
  }

  /**
   * Begins with a timeline, also with the same one when the connection is back.
   *
   * @param {Source} source
   * @param {string} timeline
   */
  begin(source, timeline) {
    const before = this.#told;
    this.#told = { source, timeline };
    if (before && before.source === source && before.timeline !== timeline) {
      source.ask({ type: "watch", timeline: before.timeline, stop: true }).catch(() => {});
    }
    source.ask({ type: "watch", timeline }).catch(this.#report);
  }
}
