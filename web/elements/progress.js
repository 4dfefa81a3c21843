/** How far some work has come, and a way to end it. */

import { formatCount } from "../base/format.js";
import { visible } from "../base/text.js";
import { h, icon, setAttribute, setText, show } from "./dom.js";

/** @import { Job } from "../model/timeline/jobs.js" */

export class ProgressLine {
  #title = h("span", { class: "job-title" });
  #bar = h("progress", { max: 1 });
  #count = h("span", { class: "muted job-count" });
  #cancel = h(
    "button",
    { type: "button", class: "icon-button", title: "Cancel", "aria-label": "Cancel" },
    icon("close"),
  );
  /** @type {(() => void) | undefined} */
  #onCancel;
  /** @readonly */
  element = h("div", { class: "job" }, this.#title, this.#bar, this.#count, this.#cancel);

  constructor() {
    this.#cancel.addEventListener("click", () => this.#onCancel?.());
  }

  /**
   * @param {string} title
   * @param {number | undefined} share 0 to 1; nothing while it is unknown
   * @param {string} count
   * @param {(() => void) | undefined} onCancel
   */
  set(title, share, count, onCancel) {
    setText(this.#title, title);
    setAttribute(this.#bar, "value", share);
    setAttribute(this.#bar, "aria-label", title);
    setText(this.#count, count);
    this.#onCancel = onCancel;
    show(this.#cancel, onCancel !== undefined);
  }

  /** @param {Job} job */
  setJob(job) {
    const { done, of, message } = job.progress;
    const count = of === undefined
      ? done > 0 ? formatCount(done) : ""
      : `${formatCount(done)} of ${formatCount(of)}`;
    const title = message ? `${job.title}: ${visible(message)}` : job.title;
    this.set(title, job.share, count, () => job.cancel());
  }
}
