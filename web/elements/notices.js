/** What the page has to say beside what it shows. */

import { visible } from "../base/text.js";
import { nameOf } from "../model/sources/source-list.js";
import { h, icon, keep } from "./dom.js";
import { View } from "./view.js";

/** @import { Notice } from "../model/inspector/notices.js" */

/** How long a notice that only informs stays, in milliseconds; warnings stay until they are read. */
const INFO_STAYS = 5_000;

export class NoticesView extends View {
  static define(name = "tt-notices") {
    customElements.define(name, NoticesView);
  }

  build() {
    this.setAttribute("role", "log");
    this.setAttribute("aria-label", "Notices");
    this.setAttribute("aria-live", "polite");
  }

  render() {
    keep(
      this,
      this.inspector.notices.list,
      ({ id }) => String(id),
      (notice) => this.#make(notice),
      () => {},
    );
  }

  /**
   * The machine, or the branch, that a notice is about, if it is not in view.
   *
   * @param {Notice} notice
   */
  #place({ timeline }) {
    const { data, summaries } = this.inspector;
    const summary = timeline === data?.id ? undefined : summaries.get(timeline ?? "");
    return summary ? `${visible(nameOf(summary))}: ` : "";
  }

  /** @param {Notice} notice */
  #make(notice) {
    const { id, level, text, action } = notice;
    const close = h(
      "button",
      { type: "button", class: "icon-button", "aria-label": "Dismiss" },
      icon("close"),
    );
    close.addEventListener("click", () => this.inspector.notices.dismiss(id));
    const act = h("button", { type: "button", class: "line" }, visible(action?.label ?? ""));
    if (action) act.addEventListener("click", action.run);
    else if (level === "info") setTimeout(() => this.inspector.notices.dismiss(id), INFO_STAYS);
    return h(
      "div",
      { class: `notice ${level}` },
      icon(level === "info" ? "info" : "warning"),
      h("span", { class: "notice-text" }, `${this.#place(notice)}${visible(text)}`),
      action && act,
      close,
    );
  }
}
