/** Watched values beside the entries around the cursor. */

import { brief } from "../base/event-name.js";
import { formatCount, formatNumbered } from "../base/format.js";
import { visible } from "../base/text.js";
import { valueName } from "../model/state/value-name.js";
import { titleOf } from "./entry-text.js";
import { h, icon, keep, setAttribute, setText, show } from "./dom.js";
import { View } from "./view.js";

/** A row of the table: an entry, or those that were lost. @typedef {{ seq: number, lost: number }} Row */

/** Entries above and below the cursor that the table shows. */
const AROUND = 14;

export class WatchView extends View {
  static define(name = "tt-watch") {
    customElements.define(name, WatchView);
  }

  #head = h("tr");
  #body = h("tbody");
  #table = h("table", { class: "watch-table" }, h("thead", {}, this.#head), this.#body);
  #scroll = h("div", {
    class: "watch-scroll",
    tabindex: 0,
    role: "group",
    "aria-label": "Watched values",
  }, this.#table);
  #note = h(
    "p",
    { class: "pane-note", tabindex: -1 },
    "You are not watching any values. In the State tab, click the eye next to a value to show it here for every entry.",
  );

  /** The column whose button had the focus when it was taken away. @type {number | undefined} */
  #removed;
  #failure = h("p", { class: "pane-note", role: "status", hidden: true });

  build() {
    this.append(this.#note, this.#failure, this.#scroll);
  }

  render() {
    const { watch, data } = this.inspector;
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
    keep(
      this.#head,
      ["entry", "event", ...paths],
      String,
      (name) => name.startsWith("/") ? this.#column(name) : h("th", { scope: "col" }, name),
      () => {},
    );
    this.#moveFocus();
    if (paths.length === 0) return;
    keep(
      this.#body,
      this.#rows(),
      ({ seq, lost }) => lost > 0 ? `lost ${seq}` : String(seq),
      ({ seq, lost }) => {
        const row = h("tr", { class: lost > 0 ? "gap" : "" });
        if (lost === 0) row.addEventListener("click", () => this.inspector.goTo(seq));
        return row;
      },
      (row, { seq, lost }) => lost > 0 ? showLost(row, lost, paths) : this.#showEntry(row, seq),
    );
  }

  /** @returns {Row[]} */
  #rows() {
    const { data, cursor } = this.inspector;
    if (!data) return [];
    /** @type {Row[]} */
    const rows = [];
    const end = Math.min(data.last, cursor + AROUND);
    for (let seq = Math.max(data.first, cursor - AROUND); seq <= end; seq++) {
      const gap = data.gaps.find((one) => seq < one.seq && seq >= one.seq - one.lost);
      rows.push({ seq, lost: gap?.lost ?? 0 });
      if (gap) seq = gap.seq - 1;
    }
    return rows;
  }

  /** The head of a column, with the button that takes it away. @param {string} path */
  #column(path) {
    const name = visible(valueName(path));
    const remove = h("button", {
      type: "button",
      class: "icon-button",
      "aria-label": `Stop watching ${name}`,
      title: "Stop watching",
    }, icon("close"));
    remove.addEventListener("click", () => {
      const { watch, cursor } = this.inspector;
      if (document.activeElement === remove) this.#removed = watch?.paths.indexOf(path);
      watch?.toggle(path, cursor);
    });
    return h("th", { scope: "col" }, h("span", { class: "watch-head" }, name, remove));
  }

  /** Where a column was taken away by its button, the next one has the focus. */
  #moveFocus() {
    if (this.#removed === undefined) return;
    const buttons = [...this.#head.querySelectorAll("button")];
    const next = buttons[this.#removed] ?? buttons.at(-1) ?? this.#note;
    this.#removed = undefined;
    next.focus();
  }

  /**
   * @param {HTMLElement} row
   * @param {number} seq
   */
  #showEntry(row, seq) {
    const { watch, data, cursor } = this.inspector;
    const entry = data?.entries.get(seq);
    const paths = watch?.paths ?? [];
    setAttribute(row, "class", seq === cursor ? "on" : undefined);
    setAttribute(row, "aria-current", seq === cursor ? "true" : undefined);
    keep(
      row,
      ["entry", "event", ...paths],
      String,
      (name) => name === "entry" ? h("th", { scope: "row" }) : h("td"),
      (cell, name) => {
        if (name === "entry") return setText(cell, formatCount(seq));
        if (name === "event") {
          setAttribute(cell, "class", "muted");
          return setText(cell, entry ? titleOf(entry) : "");
        }
        const column = paths.indexOf(name);
        if (watch?.isUnknown(column, seq)) return showUnknown(cell);
        const value = watch?.value(column, seq);
        setAttribute(cell, "class", watch?.isChange(column, seq) ? "changed" : undefined);
        setAttribute(cell, "title", undefined);
        setText(cell, value === undefined ? "" : visible(brief(value)));
      },
    );
  }
}

/** Marks a value as unknown, which differs from absent. @param {HTMLElement} cell */
function showUnknown(cell) {
  if (cell.className === "unknown") return;
  setAttribute(cell, "class", "unknown");
  setAttribute(cell, "title", "not captured");
  cell.replaceChildren(
    h("span", { "aria-hidden": "true" }, "—"),
    h("span", { class: "sr-only" }, "not captured"),
  );
}

/**
 * Entries that were lost have no values.
 *
 * @param {HTMLElement} row
 * @param {number} lost
 * @param {readonly string[]} paths
 */
function showLost(row, lost, paths) {
  const cell = row.firstElementChild ?? row.appendChild(h("td"));
  setAttribute(cell, "colspan", paths.length + 2);
  setText(cell, `${formatNumbered(lost, "entry", "entries")} lost`);
}
