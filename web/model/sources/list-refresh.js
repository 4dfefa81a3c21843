/** Keeps the counts in the list of machines up to date. */

import { RequestError } from "../../wire/requests.js";

/** @import { TimelineSummary } from "../../wire/to-inspector.js" */
/** @import { Inspector } from "../inspector/inspector.js" */

/**
 * The daemon sends news of the growth of the timeline in view only; the others are polled. When a
 * timeline ends, it is asked for once more: the last poll may have been before its last entries, or
 * may have been answered after the news of its end.
 */
export class ListRefresh {
  #inspector;
  /** The timelines that were live at the last refresh. @type {Set<string>} */
  #live = new Set();

  /** @param {Inspector} inspector */
  constructor(inspector) {
    this.#inspector = inspector;
  }

  async refresh() {
    const { source, connection, data } = this.#inspector;
    if (source?.kind !== "daemon" || connection.is !== "open") return;
    const live = this.#liveNow();
    try {
      if ([...live].some((id) => id !== data?.id)) {
        const before = new Map(this.#inspector.summaries);
        const { timelines } = await source.ask({ type: "timelines", live: true });
        this.#receive(timelines, before);
      }
      const ended = [...this.#live].filter((id) => !live.has(id));
      this.#live = live;
      await this.#finish(ended);
    } catch (error) {
      // The next refresh asks again, and another element reports a lost connection.
      if (!(error instanceof RequestError)) throw error;
    }
  }

  #liveNow() {
    const { summaries } = this.#inspector;
    return new Set([...summaries.keys()].filter((id) => summaries.get(id)?.live));
  }

  /** Asks for the final counts. @param {string[]} ended */
  async #finish(ended) {
    const { source, summaries } = this.#inspector;
    const apps = new Set(ended.flatMap((id) => summaries.get(id)?.header.app.name ?? []));
    for (const app of apps) {
      const before = new Map(summaries);
      const reply = await source?.ask({ type: "timelines", app });
      const own = reply?.timelines.filter(({ header }) => ended.includes(header.timeline));
      this.#receive(own ?? [], before);
    }
  }

  /**
   * Keeps what news said while the answer was on its way.
   *
   * @param {TimelineSummary[]} timelines
   * @param {ReadonlyMap<string, TimelineSummary>} before what was known when they were asked for
   */
  #receive(timelines, before) {
    const { source, summaries, data, changed } = this.#inspector;
    for (const summary of timelines) {
      const id = summary.header.timeline;
      if (!summaries.has(id) || summaries.get(id) !== before.get(id)) continue;
      if (id !== data?.id) summaries.set(id, summary);
      // While it grows, the timeline in view is ahead of the poll.
      else if (!summary.live) source?.news.emit({ type: "timeline", timeline: summary });
    }
    changed.emit();
  }
}
