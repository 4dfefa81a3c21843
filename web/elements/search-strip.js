/** How far a search has come, with a way to end it, and the way to go on with an ended one. */

import { formatCount } from "../base/format.js";
import { h, setAttribute, setText, show } from "./dom.js";

/** @import { TimelineData } from "../model/timeline/timeline-data.js" */

/** Searches that are quicker than this are not worth a word, in milliseconds. */
const SHOWN_AFTER = 300;

export class SearchStrip {
  #title = h("span", { class: "search-title" });
  #bar = h("progress", { max: 1 });
  #count = h("span", { class: "muted number" });
  #button = h("button", { type: "button", class: "plain" });
  /** @readonly */
  element = h(
    "div",
    { class: "search-strip", role: "group", "aria-label": "Search", hidden: true },
    this.#title,
    this.#bar,
    this.#count,
    this.#button,
  );
  /** @type {TimelineData | undefined} */
  #data;
  /** When the search began that is under way. */
  #began = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #later;

  constructor() {
    this.#button.addEventListener("click", () => {
      if (this.#data?.filtered?.isStopped) this.#data.goOnSearching();
      else this.#data?.stopSearching();
    });
  }

  /** @param {TimelineData | undefined} data whose searches are shown */
  show(data) {
    this.#data = data;
    const job = data?.searches.running.at(-1);
    if (job && this.#began === 0) this.#began = performance.now();
    if (!job) this.#began = 0;
    const wait = job ? SHOWN_AFTER - (performance.now() - this.#began) : 0;
    if (wait > 0) this.#later ??= setTimeout(() => this.#again(), wait);
    const isStopped = !job && data?.filtered?.isStopped === true;
    show(this.element, isStopped || (job !== undefined && wait <= 0));
    if (isStopped) {
      const reached = `stopped at ${formatCount(data.filtered?.next ?? 0)}`;
      return this.#set("Filter", reached, "Continue", undefined, false);
    }
    if (!job) return;
    const { done, of } = job.progress;
    const count = of === undefined ? "" : `${formatCount(done)} of ${formatCount(of)}`;
    this.#set(job.title, count, "Stop", job.share, true);
  }

  #again() {
    this.#later = undefined;
    this.show(this.#data);
  }

  /**
   * @param {string} title
   * @param {string} count
   * @param {string} act
   * @param {number | undefined} share
   * @param {boolean} isRunning
   */
  #set(title, count, act, share, isRunning) {
    setText(this.#title, title);
    show(this.#bar, isRunning);
    setAttribute(this.#bar, "value", share);
    setAttribute(this.#bar, "aria-label", title);
    setText(this.#count, count);
    if (this.#button.dataset.act === act) return;
    this.#button.dataset.act = act;
    this.#button.replaceChildren(...(isRunning ? [h("kbd", {}, "Esc")] : []), act);
  }
}
