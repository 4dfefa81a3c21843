/** What is under way: requests that take longer, and branches that are being computed. */

import { formatCount } from "../base/format.js";
import { visible } from "../base/text.js";
import { computedShare } from "../model/branches/branches.js";
import { nameOf } from "../model/sources/source-list.js";
import { show } from "./dom.js";
import { ProgressLine } from "./progress.js";
import { View } from "./view.js";

/** Shorter jobs are not shown: they would only flicker. In milliseconds. */
const PATIENCE = 250;

/** Lines that are shown at once. */
const MAXIMUM_LINES = 4;

export class JobsView extends View {
  static define(name = "tt-jobs") {
    customElements.define(name, JobsView);
  }

  /** A line stays with its job, so that no press on Cancel reaches another one. @type {Map<unknown, ProgressLine>} */
  #lines = new Map();
  /** When each was first seen. @type {Map<unknown, number>} */
  #since = new Map();

  build() {
    this.setAttribute("role", "region");
    this.setAttribute("aria-label", "Jobs");
  }

  render() {
    const { timeTravel, inspector } = this;
    const { now, forking } = timeTravel;
    const computing = [...inspector.summaries.values()].filter(({ computing }) =>
      computing !== undefined
    );
    const keys = [
      ...timeTravel.jobs.running,
      ...computing.map(({ header }) => header.timeline),
    ];
    for (const key of keys) {
      if (this.#since.has(key)) continue;
      this.#since.set(key, now);
      setTimeout(() => this.invalidate(), PATIENCE);
    }
    for (const key of [...this.#since.keys()]) {
      if (!keys.some((one) => one === key)) this.#since.delete(key);
    }
    const isDue = (/** @type {unknown} */ key) => now - (this.#since.get(key) ?? now) >= PATIENCE;
    const jobs = timeTravel.jobs.running.filter(isDue).slice(0, MAXIMUM_LINES);
    const branches = computing.filter(({ header }) => isDue(header.timeline))
      .slice(0, MAXIMUM_LINES - jobs.length);
    for (const job of jobs) this.#lineOf(job).setJob(job);
    for (const branch of branches) {
      const { timeline } = branch.header;
      this.#lineOf(timeline).set(
        `Computing “${visible(nameOf(branch))}”`,
        computedShare(branch),
        `to ${formatCount(branch.computing ?? 0)}`,
        forking.canCancel(timeline) ? () => void forking.cancel(timeline) : undefined,
      );
    }
    /** @type {Set<unknown>} */
    const shown = new Set([...jobs, ...branches.map(({ header }) => header.timeline)]);
    for (const [key, line] of this.#lines) {
      if (shown.has(key)) continue;
      line.element.remove();
      this.#lines.delete(key);
    }
    show(this, jobs.length + branches.length > 0);
  }

  /** @param {unknown} key */
  #lineOf(key) {
    const held = this.#lines.get(key);
    if (held) return held;
    const line = new ProgressLine();
    this.#lines.set(key, line);
    this.append(line.element);
    return line;
  }
}
