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

  /** @type {ProgressLine[]} */
  #lines = [];
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
    while (this.#lines.length < jobs.length + branches.length) {
      const line = new ProgressLine();
      this.#lines.push(line);
      this.append(line.element);
    }
    this.#lines.forEach((line, place) => {
      const job = jobs[place];
      const branch = branches[place - jobs.length];
      show(line.element, job !== undefined || branch !== undefined);
      if (job) line.setJob(job);
      else if (branch) {
        line.set(
          `Computing “${visible(nameOf(branch))}”`,
          computedShare(branch),
          `to ${formatCount(branch.computing ?? 0)}`,
          forking.canCancel(branch.header.timeline)
            ? () => void forking.cancel(branch.header.timeline)
            : undefined,
        );
      }
    });
    show(this, jobs.length + branches.length > 0);
  }
}
