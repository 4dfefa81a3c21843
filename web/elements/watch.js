/** Watched values beside the entries around the cursor. */

import { brief } from "../base/event-name.js";
import { formatCount, formatNumbered } from "../base/format.js";
import { pathText, readPointer } from "../base/pointer.js";
import { visible } from "../base/text.js";
import { titleOf } from "./entry-text.js";
import { h, icon, setText, show } from "./dom.js";
import { View } from "./view.js";

/** Entries above and below the cursor that the table shows. */
const AROUND = 14;

export class WatchView extends View {
  static define(name = "tt-watch") {
    customElements.define(name, WatchView);
  }

  #table = h("table", { class: "watch-table" });
  #scroll = h("div", {
    class: "watch-scroll",
    tabindex: 0,
    role: "group",
    "aria-label": "Watched values",
  }, this.#table);
  #note = h(
    "p",
    { class: "pane-note" },
    "Nothing is watched yet. In the state, press the eye beside a value: it then stands here beside every entry.",
  );

  #failure = h("p", { class: "pane-note", role: "status", hidden: true });

  build() {
    this.append(this.#note, this.#failure, this.#scroll);
  }

  render() {
    const { watch, data, cursor } = this.inspector;
    if (this.inspector.location.tab !== "watch" || !watch || !data) return;
    const { paths } = watch;
    show(this.#note, paths.length === 0);
    show(this.#scroll, paths.length > 0);
    show(this.#failure, paths.length > 0 && watch.message !== "");
    setText(
      this.#failure,
      `The watched values were not loaded: ${
        visible(watch.message)
      } To try again, go to another entry.`,
    );
    if (paths.length === 0) return;
    const head = h(
      "tr",
      {},
      h("th", { scope: "col" }, "entry"),
      h("th", { scope: "col" }, "event"),
      ...paths.map((path) => {
        const name = visible(pathText((readPointer(path) ?? []).slice(1)));
        const remove = h("button", {
          type: "button",
          class: "icon-button",
          "aria-label": `Do not watch ${name}`,
          title: "Do not watch it any more",
        }, icon("close"));
        remove.addEventListener("click", () => watch.toggle(path, cursor));
        return h("th", { scope: "col" }, h("span", { class: "watch-head" }, name, remove));
      }),
    );
    /** @type {HTMLElement[]} */
    const rows = [];
    const end = Math.min(data.last, cursor + AROUND);
    for (let seq = Math.max(data.first, cursor - AROUND); seq <= end; seq++) {
      const gap = data.gaps.find((one) => seq < one.seq && seq >= one.seq - one.lost);
      if (gap) {
        rows.push(gapRow(gap.lost, paths.length));
        seq = gap.seq - 1;
        continue;
      }
      rows.push(this.#row(seq));
    }
    this.#table.replaceChildren(h("thead", {}, head), h("tbody", {}, ...rows));
  }

  /** @param {number} seq */
  #row(seq) {
    const { watch, data, cursor } = this.inspector;
    const entry = data?.entries.get(seq);
    const cells = (watch?.paths ?? []).map((_, column) => {
      if (watch?.isUnknown(column, seq)) return unknownCell();
      const value = watch?.value(column, seq);
      return h(
        "td",
        { class: watch?.isChange(column, seq) ? "changed" : undefined },
        value === undefined ? "" : visible(brief(value)),
      );
    });
    const row = h(
      "tr",
      {
        class: seq === cursor ? "on" : undefined,
        "aria-current": seq === cursor ? "true" : undefined,
      },
      h("th", { scope: "row" }, formatCount(seq)),
      h("td", { class: "muted" }, entry ? titleOf(entry) : ""),
      ...cells,
    );
    row.addEventListener("click", () => this.inspector.goTo(seq));
    return row;
  }
}

/** A value that nobody knows, which is not the same as none. */
function unknownCell() {
  return h(
    "td",
    { class: "unknown", title: "not captured" },
    h("span", { "aria-hidden": "true" }, "—"),
    h("span", { class: "sr-only" }, "not captured"),
  );
}

/**
 * Entries that were lost have no values.
 *
 * @param {number} lost
 * @param {number} columns
 */
function gapRow(lost, columns) {
  const words = `${formatNumbered(lost, "entry", "entries")} lost`;
  return h("tr", { class: "gap" }, h("td", { colspan: columns + 2 }, words));
}
