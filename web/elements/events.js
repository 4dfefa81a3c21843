/** The entries as a grid: a pool of rows, moved over a list of any length. */

import { formatCount, formatDelta, formatDuration, formatMoment } from "../base/format.js";
import { RowSpace } from "../base/rows.js";
import { visible } from "../base/text.js";
import { changedOutputs } from "../wire/entry.js";
import { h, icon, setAttribute, setText, show } from "./dom.js";
import { indentOf, payloadOf, titleOf } from "./entry-text.js";
import { rowActs } from "./row-acts.js";
import { SearchStrip } from "./search-strip.js";
import { View } from "./view.js";

/** @import { Entry } from "../wire/entry.js" */
/** @import { RowItem } from "../model/row-map.js" */

const ROW_HEIGHT = 26;

/** @typedef {{ row: HTMLElement, seq: HTMLElement, time: HTMLElement, name: HTMLElement, payload: HTMLElement, chips: HTMLElement, gap: HTMLElement, gapText: HTMLElement, mark: HTMLElement, y: number }} Row */

export class EventsView extends View {
  static define(name = "tt-events") {
    customElements.define(name, EventsView);
  }

  #count = h("span", { class: "muted count" });
  /** Holds the rows, each at its own place: when the list moves, this alone is moved. */
  #rows = h("div", { class: "rows", role: "presentation" });
  #sizer = h("div", { class: "sizer", role: "presentation" }, this.#rows);
  #grid = h(
    "div",
    { class: "grid", role: "grid", tabindex: 0, "aria-label": "Events" },
    this.#sizer,
  );
  #empty = h("div", { class: "pane-note", hidden: true });
  #strip = new SearchStrip();
  #delta = h("button", { class: "toggle", type: "button", text: "" }, "Δt");
  #outputs = h("button", { class: "toggle", type: "button" }, "outputs");
  /** @type {Row[]} */
  #pool = [];
  #space = new RowSpace(0, ROW_HEIGHT, 0);
  /** The place in the whole list at the top of the view. */
  #offset = 0;
  #shownCursor = -1;
  #shownRows = "";
  #shownHeight = 0;
  #viewHeight = 0;
  #scrollTop = 0;
  /** The height of the sizer, and the top of its rows. */
  #height = -1;
  #top = NaN;
  /** Where to scroll to as soon as the list has its new height. @type {number | undefined} */
  #waitingScroll;

  build() {
    this.setAttribute("role", "region");
    this.setAttribute("aria-label", "Events");
    setAttribute(this.#delta, "title", "Show the time since the entry before");
    setAttribute(this.#outputs, "title", "Show the outputs that changed");
    this.append(
      h(
        "header",
        { class: "pane-head" },
        h("h2", {}, "Events"),
        this.#count,
        h("span", { class: "grow" }),
        this.#delta,
        this.#outputs,
      ),
      this.#empty,
      this.#grid,
      this.#strip.element,
    );
    const { settings: all } = this.context;
    this.#delta.onclick = () => all.set({ showsDelta: !all.values.showsDelta });
    this.#outputs.onclick = () => all.set({ showsOutputs: !all.values.showsOutputs });
    this.#grid.addEventListener("scroll", () => this.#scrolled(), { passive: true });
    this.#grid.addEventListener("scrollend", () => this.#scrolled(), { passive: true });
    this.#grid.addEventListener("wheel", (event) => this.#wheeled(event), { passive: false });
    this.#grid.addEventListener("keydown", (event) => this.#pressed(event));
    this.#sizer.addEventListener("click", (event) => this.#clicked(event));
    // Shift selects entries, not their text.
    this.#sizer.addEventListener("mousedown", (event) => event.shiftKey && event.preventDefault());
    this.#sizer.addEventListener("contextmenu", (event) => {
      const row = event.target instanceof Element ? event.target.closest("[data-seq]") : null;
      if (row instanceof HTMLElement) this.#openMenu(event, Number(row.dataset.seq));
    });
    // Asking the element itself would lay the page out in the middle of a frame.
    new ResizeObserver(() => {
      this.#viewHeight = this.#grid.clientHeight;
      this.invalidate();
    }).observe(this.#grid);
    // A list that grew can be scrolled further only when it was laid out.
    new ResizeObserver(() => {
      if (this.#waitingScroll !== undefined) this.#grid.scrollTop = this.#waitingScroll;
      this.#waitingScroll = undefined;
    }).observe(this.#sizer);
  }

  /** Puts the focus on the grid. */
  focus() {
    this.#grid.focus();
  }

  /** A mapped list is scrolled by rows: a notch must not jump over hundreds. @param {WheelEvent} event */
  #wheeled(event) {
    if (this.#space.fullHeight === this.#space.height || event.ctrlKey) return;
    event.preventDefault();
    const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? ROW_HEIGHT : 1;
    this.#moveTo(this.#offset + event.deltaY * unit);
  }

  /** @param {number} offset */
  #moveTo(offset) {
    const most = Math.max(0, this.#space.fullHeight - this.#space.viewHeight);
    this.#offset = Math.min(Math.max(offset, 0), most);
    this.#scrollTo(this.#space.scrollTopAt(this.#offset));
    this.invalidate();
  }

  /** @param {number} scrollTop */
  #scrollTo(scrollTop) {
    if (Math.abs(this.#scrollTop - scrollTop) < 1) return;
    this.#scrollTop = scrollTop;
    if (this.#space.height !== this.#height) this.#waitingScroll = scrollTop;
    else this.#grid.scrollTop = scrollTop;
  }

  #scrolled() {
    const expected = this.#space.scrollTopAt(this.#offset);
    this.#scrollTop = this.#grid.scrollTop;
    // Where many rows share a pixel only a real move of the bar says something new.
    if (Math.abs(this.#scrollTop - expected) < 1) return;
    this.#offset = this.#space.offsetAt(this.#scrollTop);
    this.invalidate();
  }

  /** @param {KeyboardEvent} event */
  #pressed(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const page = Math.max(1, this.#space.page - 1);
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page }[event.key];
    if (steps === undefined) return;
    event.preventDefault();
    this.inspector.step(steps, { extend: event.shiftKey });
  }

  /** @param {MouseEvent} event */
  #clicked(event) {
    const row = event.target instanceof Element ? event.target.closest("[data-seq]") : null;
    if (!(row instanceof HTMLElement)) return;
    const seq = Number(row.dataset.seq);
    const action = event.target instanceof Element ? event.target.closest("[data-act]") : null;
    if (action instanceof HTMLElement) {
      if (action.dataset.act === "entry-menu") return this.#openMenu(event, seq);
      this.inspector.goTo(seq, { isJump: true });
      this.context.run(action.dataset.act ?? "");
      return;
    }
    this.inspector.goTo(seq, {
      isJump: Math.abs(seq - this.inspector.cursor) > 1,
      extend: event.shiftKey,
    });
  }

  /**
   * @param {MouseEvent} event
   * @param {number} seq
   */
  #openMenu(event, seq) {
    event.preventDefault();
    this.context.windows.entryMenu(seq, event.clientX, event.clientY);
  }

  prepare() {
    this.#space = new RowSpace(
      this.inspector.data?.rows.count ?? 0,
      ROW_HEIGHT,
      this.#viewHeight,
    );
    this.#reveal();
  }

  render() {
    const { data } = this.inspector;
    const { showsDelta, showsOutputs } = this.context.settings.values;
    setAttribute(this.#delta, "aria-pressed", String(showsDelta));
    setAttribute(this.#outputs, "aria-pressed", String(showsOutputs));
    this.classList.toggle("no-outputs", !showsOutputs);
    const rows = data?.rows;
    const count = rows?.count ?? 0;
    setText(this.#count, data ? this.#countText(count) : "");
    setAttribute(
      this.#grid,
      "aria-rowcount",
      data?.filtered && !data.filtered.isComplete ? -1 : count,
    );
    if (this.#height !== this.#space.height) {
      this.#height = this.#space.height;
      this.#sizer.style.height = `${this.#height}px`;
    }
    this.#renderEmpty(count);
    this.#strip.show(data);
    const { first, end, top } = this.#space.window(this.#offset);
    if (this.#top !== top) {
      this.#top = top;
      this.#rows.style.transform = `translateY(${top}px)`;
    }
    /** @type {number[]} */
    const wanted = [];
    const cursorRow = rows && count > 0 ? rows.rowOf(this.inspector.cursor) : -1;
    // The cursor's row is always there, so that it can be spoken of; outside it stands out of sight.
    const places = Array.from({ length: end - first }, (_, index) => first + index);
    if (cursorRow >= 0 && (cursorRow < first || cursorRow >= end)) places.push(cursorRow);
    while (this.#pool.length < places.length) this.#pool.push(this.#makeRow());
    this.#pool.forEach((row, index) => {
      const place = places[index];
      const item = place === undefined ? undefined : rows?.at(place);
      show(row.row, item !== undefined);
      if (!item || place === undefined) return;
      const y = place >= first && place < end
        ? (place - first) * ROW_HEIGHT
        : -4 * ROW_HEIGHT - top;
      if (row.y !== y) {
        row.y = y;
        row.row.style.top = `${y}px`;
      }
      setAttribute(row.row, "aria-rowindex", place + 1);
      this.#renderRow(row, item, showsDelta);
      wanted.push(item.is === "entry" ? item.seq : item.gap.seq);
    });
    data?.entries.want(wanted);
    if (data?.filtered && !data.filtered.isComplete && end >= count - 20) void data.extendFilter();
    const cursor = String(this.inspector.cursor);
    const active = this.#pool.find(({ row }) =>
      !row.hidden && row.ariaSelected === "true" && row.dataset.seq === cursor
    );
    setAttribute(this.#grid, "aria-activedescendant", active?.row.id);
  }

  /** Keeps the cursor in view when it or the list has changed. */
  #reveal() {
    const { data, cursor } = this.inspector;
    const most = Math.max(0, this.#space.fullHeight - this.#space.viewHeight);
    this.#offset = Math.min(this.#offset, most);
    const shownRows = data
      ? `${data.id} ${data.filter} ${data.filtered?.count ?? data.gaps.length}`
      : "";
    const place = (data?.rows.rowOf(cursor) ?? 0) * ROW_HEIGHT;
    // A view that becomes lower must not lose the cursor that stood at its foot.
    const wasInView = place >= this.#offset &&
      place + ROW_HEIGHT <= this.#offset + this.#shownHeight;
    const isResized = this.#shownHeight !== this.#space.viewHeight && wasInView;
    const wasAway = this.#shownHeight === 0;
    this.#shownHeight = this.#space.viewHeight;
    // A view that was away has lost where it was scrolled to.
    if (wasAway) this.#shownCursor = -1;
    const isSame = this.#shownCursor === cursor && this.#shownRows === shownRows && !isResized;
    if (!data || data.rows.count === 0 || this.#space.viewHeight === 0 || isSame) return;
    const isNear = this.#shownCursor >= 0 &&
      Math.abs(place - this.#offset) < 3 * this.#space.viewHeight;
    const row = data.rows.rowOf(cursor);
    const offset = isNear
      ? this.#space.revealing(row, this.#offset, 2)
      : this.#space.centering(row);
    this.#shownCursor = cursor;
    this.#shownRows = shownRows;
    this.#offset = offset;
    this.#scrollTo(this.#space.scrollTopAt(offset));
  }

  /** @param {number} count */
  #countText(count) {
    const { data } = this.inspector;
    if (!data?.filtered) return formatCount(data?.summary.entries ?? 0);
    const { isComplete, unknownCount } = data.filtered;
    const unknown = unknownCount > 0 ? `, ${formatCount(unknownCount)} unknown` : "";
    return `${formatCount(count)}${isComplete ? "" : "+"} of ${
      formatCount(data.summary.entries)
    }${unknown}`;
  }

  /** @param {number} count */
  #renderEmpty(count) {
    const { data } = this.inspector;
    const isEmpty = data !== undefined && count === 0;
    show(this.#empty, isEmpty);
    if (!isEmpty) return;
    const text = data.isFiltering
      ? "Searching…"
      : data.filtered?.isStopped
      ? "The search was stopped; nothing had matched so far."
      : data.filtered
      ? "No entry matches the filter. Change it, or press Esc in the filter to show all."
      : "This timeline has no entries yet. They appear here as soon as the app sends an event.";
    setText(this.#empty, text);
  }

  /** @returns {Row} */
  #makeRow() {
    const seq = h("span", { class: "seq", role: "rowheader" });
    const time = h("span", { class: "time", role: "gridcell" });
    const label = h("span", { class: "label" });
    const payload = h("span", { class: "payload" });
    const mark = icon("mark", "mark");
    const name = h("span", { class: "name", role: "gridcell" }, mark, label, " ", payload);
    const chips = h("span", { class: "chips", role: "gridcell" });
    const acts = h("span", { class: "acts", role: "gridcell" }, ...rowActs());
    const gapText = h("span");
    const gap = h("span", { class: "gap-cell", role: "gridcell" }, icon("warning"), gapText);
    const row = h(
      "div",
      { class: "row", role: "row", id: `entry-row-${this.#pool.length}` },
      seq,
      time,
      name,
      chips,
      acts,
      gap,
    );
    this.#rows.append(row);
    return {
      y: 0,
      row,
      seq,
      time,
      name: label,
      payload,
      chips,
      gap,
      gapText,
      mark: /** @type {HTMLElement} */ (/** @type {unknown} */ (mark)),
    };
  }

  /**
   * @param {Row} row
   * @param {RowItem} item
   * @param {boolean} showsDelta
   */
  #renderRow(row, item, showsDelta) {
    const isGap = item.is === "gap";
    row.row.classList.toggle("gap", isGap);
    const seq = isGap ? item.gap.seq : item.seq;
    setAttribute(row.row, "data-seq", seq);
    const { inspector } = this;
    const { from, to } = inspector.stretch;
    const isSelected = !isGap && seq >= from && seq <= to;
    setAttribute(row.row, "aria-selected", isGap ? undefined : String(isSelected));
    row.row.classList.toggle("on", !isGap && seq === inspector.cursor);
    row.row.classList.toggle("in-stretch", isSelected && from !== to);
    row.row.classList.toggle("later", seq > inspector.cursor && !inspector.isFollowing);
    if (isGap) {
      const { lost, why } = item.gap;
      const what = lost === 1
        ? "1 event could not be kept"
        : `${formatCount(lost)} events could not be kept`;
      setText(row.gapText, `${what}: ${visible(why)}`);
      row.row.classList.remove("error", "thinned");
      return;
    }
    const entry = inspector.data?.entries.get(seq);
    row.row.classList.toggle("loading", !entry);
    row.row.classList.toggle("error", entry?.error !== undefined);
    setText(row.seq, formatCount(seq));
    setText(row.time, entry ? this.#timeText(entry, showsDelta) : "");
    setText(row.name, entry ? titleOf(entry) : "…");
    const indent = entry ? indentOf(entry, (seq) => inspector.data?.entries.get(seq)) : 0;
    row.name.style.paddingInlineStart = `${indent * 14}px`;
    row.name.classList.toggle("caused", indent > 0);
    setText(row.payload, entry ? payloadOf(entry) : "");
    const mark = inspector.summary?.marks?.find((one) => one.seq === seq);
    row.mark.classList.toggle("off", !mark);
    this.#renderChips(row.chips, entry);
  }

  /**
   * @param {HTMLElement} chips
   * @param {Entry | undefined} entry
   */
  #renderChips(chips, entry) {
    const outputs = entry ? changedOutputs(entry) : [];
    const shown = outputs.slice(0, 1);
    const key = outputs.map(({ name, fires }) => name + fires).join() + (entry?.error ?? "");
    if (chips.dataset.key === key) return;
    chips.dataset.key = key;
    chips.replaceChildren(
      ...shown.map(({ name, fires }) =>
        h("span", { class: fires ? "chip output fires" : "chip output" }, visible(name))
      ),
      ...(outputs.length > 1 ? [h("span", { class: "chip more" }, `+${outputs.length - 1}`)] : []),
    );
    setAttribute(
      chips,
      "title",
      outputs.length > 0
        ? `changed: ${outputs.map(({ name }) => visible(name)).join(", ")}`
        : undefined,
    );
  }

  /**
   * @param {Entry} entry
   * @param {boolean} showsDelta
   */
  #timeText(entry, showsDelta) {
    if (!showsDelta) return formatMoment(entry.t, 1_000);
    const before = this.inspector.data?.entries.get(entry.seq - 1);
    if (!before) return entry.seq === 0 ? "0" : formatDuration(entry.t);
    return formatDelta(entry.t - before.t);
  }
}
