/** The entries of all machines of a run in one list: a row for each, a column for each machine. */

import {
  formatCount,
  formatDelta,
  formatDuration,
  formatMoment,
  formatNumbered,
} from "../base/format.js";
import { range, RowSpace } from "../base/rows.js";
import { visible } from "../base/text.js";
import { causeOf, microsecondsOf, recordingsOfRun, RunList } from "../model/live/run-list.js";
import { h, setAttribute, setText, show } from "./dom.js";
import { payloadOf, titleOf } from "./entry-text.js";
import { onPress } from "./press.js";
import { RowPool } from "./row-pool.js";
import { actButton, WindowView } from "./window.js";

/** @import { RunRow } from "../model/live/run-list.js" */

const ROW = 26;

export class RunView extends WindowView {
  static define(name = "tt-run") {
    customElements.define(name, RunView);
  }

  #note = h("p", { class: "run-note", role: "status" });
  #head = h("div", { class: "run-row run-head", "aria-hidden": "true" });
  #sizer = h("div", { class: "sizer", role: "presentation" });
  #grid = h(
    "div",
    { class: "run-grid", role: "grid", tabindex: 0, "aria-label": "Entries of all machines" },
    this.#sizer,
  );
  #earlier = actButton("Load earlier", () => void this.#loadEarlier());
  #later = actButton("Load later", () => void this.#list?.loadLater());
  /** @type {RunList | undefined} */
  #list;
  #space = new RowSpace(0, ROW, 0);
  /** @type {RowPool<HTMLElement>} */
  #pool = new RowPool((index) => {
    const row = h("div", { class: "run-row", role: "row", id: `run-row-${index}` });
    this.#sizer.append(row);
    return row;
  });
  /** The row that the reader looks at. @type {RunRow | undefined} */
  #selected;
  #isRevealed = false;

  buildBody() {
    this.setTitle("Run");
    this.dialog.classList.add("wide");
    this.body.append(
      this.#note,
      h("div", { class: "run-pane" }, this.#head, this.#grid),
      h(
        "div",
        { class: "compare-foot" },
        this.#earlier,
        this.#later,
        h("span", { class: "grow" }),
        actButton("Go to the entry", () => this.#go()),
      ),
    );
    this.#grid.addEventListener("scroll", () => this.invalidate(), { passive: true });
    this.#grid.addEventListener("keydown", (event) => this.#moved(event));
    onPress(this.#sizer, placeOf, ({ place }, event) => {
      this.#select(place);
      if (event.detail === 2) this.#go();
    });
    new ResizeObserver(() => this.invalidate()).observe(this.#grid);
  }

  /** Opens it at the entry at the cursor. */
  open() {
    const { source, summary, summaries, cursor, data } = this.inspector;
    if (!source || !summary) return;
    this.setTitle(`Run of ${visible(summary.header.app.name)}`);
    this.#list?.stop();
    const list = new RunList(
      source,
      recordingsOfRun(summary, summaries),
      () => this.#changed(list),
    );
    this.#list = list;
    for (const row of this.#sizer.children) row.removeAttribute("data-drawn");
    this.#selected = undefined;
    this.#isRevealed = false;
    this.show();
    this.#grid.focus();
    const t = data?.entries.get(cursor)?.t ?? summary.duration;
    void list.start(microsecondsOf(summary.header.started) + t);
  }

  closed() {
    this.#list?.stop();
    this.#list = undefined;
  }

  /** @param {RunList} list */
  #changed(list) {
    if (this.#list !== list) return;
    const { summary, cursor } = this.inspector;
    const id = summary?.header.timeline;
    this.#selected ??=
      list.rows.find(({ lane, entry }) =>
        entry.seq === cursor && list.lanes[lane]?.summary.header.timeline === id
      ) ?? list.rows[0];
    this.invalidate();
  }

  /** Loads earlier entries, and keeps the selected one in view. */
  async #loadEarlier() {
    await this.#list?.loadEarlier();
    // What was in view is further down now.
    this.#isRevealed = false;
    this.invalidate();
  }

  /** @param {number} place */
  #select(place) {
    const row = this.#list?.rows[place];
    if (!row) return;
    this.#selected = row;
    this.#isRevealed = false;
    this.invalidate();
  }

  get #place() {
    return this.#selected ? this.#list?.rows.indexOf(this.#selected) ?? -1 : -1;
  }

  /** @param {KeyboardEvent} event */
  #moved(event) {
    const page = Math.max(1, this.#space.page - 1);
    const last = (this.#list?.rows.length ?? 0) - 1;
    const here = this.#place;
    const place = {
      ArrowDown: here + 1,
      ArrowUp: here - 1,
      PageDown: here + page,
      PageUp: here - page,
      Home: 0,
      End: last,
    }[event.key];
    if (event.key === "Enter") return this.#go();
    if (place === undefined) return;
    event.preventDefault();
    this.#select(Math.max(0, Math.min(place, last)));
  }

  /** Shows the selected entry in the page. */
  #go() {
    const row = this.#selected;
    const lane = row && this.#list?.lanes[row.lane];
    if (!row || !lane) return;
    this.close();
    this.inspector.open(lane.summary.header.timeline, row.entry.seq);
  }

  renderBody() {
    const list = this.#list;
    if (!list) return;
    const { rows, lanes } = list;
    setText(this.#note, summaryText(list));
    show(this.#earlier, list.hasEarlier);
    show(this.#later, list.hasLater);
    this.dialog.style.setProperty("--lanes", String(lanes.length));
    this.#renderHead(lanes.map(({ summary }) => visible(summary.header.machine.name)));
    this.#space = new RowSpace(rows.length, ROW, this.#grid.clientHeight);
    setAttribute(this.#grid, "aria-rowcount", rows.length);
    this.#sizer.style.height = `${this.#space.height}px`;
    this.#reveal();
    const { first, end, top } = this.#space.window(this.#space.offsetAt(this.#grid.scrollTop));
    const pooled = this.#pool.assign(range(first, end), (place) => keyOf(rows[place]));
    for (const element of pooled.unused) show(element, false);
    /** @type {string | undefined} */
    let active;
    for (const { row: element, place } of pooled.drawn) {
      const row = rows[place];
      show(element, row !== undefined);
      if (!row) continue;
      element.style.transform = `translateY(${top + (place - first) * ROW}px)`;
      setAttribute(element, "data-place", place);
      setAttribute(element, "aria-rowindex", place + 1);
      setAttribute(element, "aria-selected", String(row === this.#selected));
      if (row === this.#selected) active = element.id;
      this.#renderRow(element, row, rows[place - 1]);
    }
    setAttribute(this.#grid, "aria-activedescendant", active);
  }

  #reveal() {
    const place = this.#place;
    if (this.#isRevealed || place < 0 || this.#grid.clientHeight === 0) return;
    this.#isRevealed = true;
    const offset = this.#space.offsetAt(this.#grid.scrollTop);
    this.#grid.scrollTop = this.#space.scrollTopAt(this.#space.revealing(place, offset, 2));
  }

  /** @param {string[]} names */
  #renderHead(names) {
    const key = JSON.stringify(names);
    if (this.#head.dataset.names === key) return;
    this.#head.dataset.names = key;
    this.#head.replaceChildren(
      h("span", { class: "run-time" }, "time"),
      ...names.map((name) => h("span", { class: "run-cell", title: name }, name)),
    );
  }

  /**
   * @param {HTMLElement} element
   * @param {RunRow} row
   * @param {RunRow | undefined} before
   */
  #renderRow(element, row, before) {
    const list = this.#list;
    const key = `${keyOf(row)} ${before?.time}`;
    if (!list || element.dataset.drawn === key) return;
    element.dataset.drawn = key;
    const { entry, lane, time } = row;
    const started = Math.min(...list.lanes.map((one) => one.started));
    const cause = causeOf(row, list.lanes);
    const from = cause && cause.lane !== lane
      ? visible(list.lanes[cause.lane]?.summary.header.machine.name ?? "")
      : undefined;
    const name = visible(list.lanes[lane]?.summary.header.machine.name ?? "");
    const title = `${name} ${formatCount(entry.seq)}: ${titleOf(entry)} ${payloadOf(entry)}`;
    const cell = h(
      "span",
      { class: "run-cell has-entry", role: "gridcell", title: title.slice(0, 500) },
      h("span", { class: "sr-only" }, `${name}, `),
      h("span", { class: "seq" }, formatCount(entry.seq)),
      h("span", { class: entry.error === undefined ? "label" : "label error" }, titleOf(entry)),
      from !== undefined &&
        h("span", { class: "run-cause" }, `from ${from} ${formatCount(cause?.seq ?? 0)}`),
      h("span", { class: "payload" }, payloadOf(entry)),
    );
    element.replaceChildren(
      h(
        "span",
        { class: "run-time", role: "rowheader", title: formatMoment(time - started) },
        before ? sinceText(time - before.time) : formatMoment(time - started),
      ),
      ...list.lanes.map((_, number) =>
        number === lane ? cell : h("span", { class: "run-cell", "aria-hidden": "true" })
      ),
    );
  }
}

/** The time since the row before, which a cause may be ahead of. @param {number} microseconds */
function sinceText(microseconds) {
  return microseconds < 0 ? `−${formatDuration(-microseconds)}` : formatDelta(microseconds);
}

/** @param {RunList} list */
function summaryText({ isLoading, failure, rows, lanes, hidden }) {
  if (failure !== undefined) return visible(failure);
  if (isLoading) return "Loading…";
  const machines = formatNumbered(lanes.length, "machine");
  const rest = hidden === 0
    ? ""
    : ` ${formatNumbered(hidden, "more machine")} ${hidden === 1 ? "is" : "are"} not shown.`;
  return `${
    formatNumbered(rows.length, "entry", "entries")
  } of ${machines}, by time and cause.${rest}`;
}

/** @param {RunRow | undefined} row */
function keyOf(row) {
  return row ? `${row.lane} ${row.entry.seq}` : "";
}

/** @param {Element} target */
function placeOf(target) {
  const row = target.closest("[data-place]");
  return row instanceof HTMLElement ? { place: Number(row.dataset.place) } : undefined;
}
