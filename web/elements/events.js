/** The entries as a grid: a pool of rows, moved over a list of any length. */

import { formatCount } from "../base/format.js";
import { range, RowSpace } from "../base/rows.js";
import { CauseArcs } from "./cause-arcs.js";
import { h, setAttribute, setText, show } from "./dom.js";
import { EmptyNote } from "./empty-note.js";
import { EventRow, keyOf, rowMeant } from "./event-row.js";
import { CHARACTER, CHIPS } from "./output-chip.js";
import { onPress } from "./press.js";
import { layerOf, RowPool } from "./row-pool.js";
import { SearchStrip } from "./search-strip.js";
import { View } from "./view.js";

/** @import { TimelineData } from "../model/timeline/timeline-data.js" */

const ROW_HEIGHT = 26;

/** What a row needs next to the name, the payload, and outputs, in pixels. */
const OTHER_COLUMNS = 152;

/**
 * How long a list rests before the rows beyond its edges are made, in milliseconds: while the cursor
 * moves it, each of its frames shows others, and the reader does not scroll.
 */
const REST = 150;

export class EventsView extends View {
  static define(name = "tt-events") {
    customElements.define(name, EventsView);
  }

  #count = h("span", { class: "muted count" });
  /** Holds the rows, each at its own place: when the list moves, this alone is moved. */
  #rows = h("div", { class: "rows", role: "presentation" });
  #arcs = new CauseArcs(ROW_HEIGHT);
  #sizer = h("div", { class: "sizer", role: "presentation" }, this.#rows);
  #grid = h(
    "div",
    { class: "grid", role: "grid", tabindex: 0, "aria-label": "Events" },
    this.#sizer,
  );
  #empty = new EmptyNote();
  #strip = new SearchStrip();
  #delta = h("button", { class: "toggle", type: "button", text: "" }, "Δt");
  #outputs = h("button", { class: "toggle outputs-toggle", type: "button" }, "outputs");
  /** @type {RowPool<EventRow>} */
  #pool = new RowPool((index) => {
    const row = new EventRow(`entry-row-${index}`);
    this.#rows.append(row.element);
    return row;
  });
  #space = new RowSpace(0, ROW_HEIGHT, 0);
  /** The place in the whole list at the top of the view. */
  #offset = 0;
  #shownCursor = -1;
  /** The list that was shown last, and the row that the cursor had in it. */
  #shownList = "";
  #shownRow = 0;
  /** What stood at the top of the view, and in which row. @type {{ seq: number, row: number }} */
  #upper = { seq: 0, row: 0 };
  #shownHeight = 0;
  #viewHeight = 0;
  #viewWidth = 0;
  #scrollTop = 0;
  /** The height of the sizer, and the top of its rows. */
  #height = -1;
  #top = NaN;
  /** Where to scroll to as soon as the list has its new height. @type {number | undefined} */
  #waitingScroll;
  /** When the cursor moved the list. */
  #movedAt = -Infinity;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #resting;

  build() {
    this.#rows.append(this.#arcs.element);
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
      this.#empty.element,
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
    onPress(this.#sizer, rowMeant, (what, event) => this.#clicked(what, event));
    // Shift selects entries, not their text.
    this.#sizer.addEventListener("mousedown", (event) => event.shiftKey && event.preventDefault());
    this.#sizer.addEventListener("contextmenu", (event) => {
      const row = event.target instanceof Element ? event.target.closest("[data-seq]") : null;
      if (row instanceof HTMLElement) this.#openMenu(event, Number(row.dataset.seq));
    });
    // Asking the element itself would lay the page out in the middle of a frame.
    new ResizeObserver(() => {
      const before = this.#viewHeight;
      this.#viewHeight = this.#grid.clientHeight;
      this.#viewWidth = this.#grid.clientWidth;
      this.resized(before);
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
    this.#lookedElsewhere();
  }

  /** The reader moved the list: stops following when the last entry is no longer in view. */
  #lookedElsewhere() {
    const { data, isFollowing } = this.inspector;
    if (!isFollowing || !data || this.#shownCursor < 0) return;
    // A list that became higher was moved by the browser, before its new height was reported; one that
    // became lower hides its last rows until they are revealed.
    const height = Math.max(this.#grid.clientHeight, this.#viewHeight);
    // Only what was drawn can be hidden: newer entries are revealed in the next frame.
    const place = data.rows.rowOf(this.#shownCursor) * ROW_HEIGHT;
    // The height is rounded to whole pixels.
    const isSeen = place >= this.#offset && place + ROW_HEIGHT <= this.#offset + height + 0.5;
    if (height > 0 && !isSeen) this.inspector.stopFollowing();
  }

  /** @param {number} offset */
  #moveTo(offset) {
    this.#movedAt = -Infinity;
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
    const before = this.#offset;
    this.#offset = this.#space.offsetAt(this.#scrollTop);
    this.#movedAt = -Infinity;
    // A list that became lower hides its end without being scrolled back.
    if (this.#offset < before) this.#lookedElsewhere();
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

  /**
   * @param {{ seq: number, isMenu: boolean }} what
   * @param {MouseEvent} event
   */
  #clicked({ seq, isMenu }, event) {
    if (isMenu) return this.#openMenu(event, seq);
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
    this.#empty.show(this.inspector, count);
    this.#strip.show(data);
    const drawn = this.#space.window(this.#offset, this.#spare());
    const { first, end } = drawn;
    const { base, top } = layerOf(drawn, ROW_HEIGHT);
    if (this.#top !== top) {
      this.#top = top;
      this.#rows.style.transform = `translateY(${top}px)`;
    }
    /** @type {number[]} */
    const wanted = [];
    const cursorRow = rows && count > 0 ? rows.rowOf(this.inspector.cursor) : -1;
    // Rows in view come first: they are requested first.
    const seen = this.#space.window(this.#offset, 0);
    const upper = rows?.at(seen.first);
    if (upper?.is === "entry") this.#upper = { seq: upper.seq, row: seen.first };
    else if (upper) this.#upper = { seq: upper.gap.seq, row: seen.first + 1 };
    const places = [
      ...range(seen.first, seen.end),
      ...range(first, seen.first),
      ...range(seen.end, end),
    ];
    // The cursor's row is always there, so that it can be spoken of; outside it stands out of sight.
    if (cursorRow >= 0 && (cursorRow < first || cursorRow >= end)) places.push(cursorRow);
    const free = this.#viewWidth - OTHER_COLUMNS - (showsOutputs ? CHIPS : 0);
    const room = Math.max(0, Math.floor(free / CHARACTER));
    /** @type {string | undefined} */
    let active;
    const pooled = this.#pool.assign(places, (place) => keyOf(rows?.at(place), place));
    for (const row of pooled.unused) show(row.element, false);
    for (const { row, place } of pooled.drawn) {
      const item = rows?.at(place);
      show(row.element, item !== undefined);
      if (!item) continue;
      const isSeen = place >= first && place < end;
      row.moveTo(isSeen ? (place - base) * ROW_HEIGHT : -4 * ROW_HEIGHT - top);
      setAttribute(row.element, "aria-rowindex", place + 1);
      row.show(item, this.inspector, showsDelta, room);
      if (item.is === "entry" && item.seq === this.inspector.cursor) active ??= row.element.id;
      wanted.push(item.is === "entry" ? item.seq : item.gap.seq);
    }
    this.#arcs.show(this.inspector, wanted, base);
    // Before it was laid out it would be the first ones.
    if (this.#viewHeight > 0) data?.entries.want(wanted);
    if (data?.filtered && !data.filtered.isComplete && end >= count - 20) void data.extendFilter();
    setAttribute(this.#grid, "aria-activedescendant", active);
  }

  /** Keeps the cursor in view when it or the list has changed. */
  #reveal() {
    const { data, cursor } = this.inspector;
    const most = Math.max(0, this.#space.fullHeight - this.#space.viewHeight);
    // A list that became shorter ends the view earlier; its contents are identified by the old offset.
    const wasAt = this.#offset;
    this.#offset = Math.min(wasAt, most);
    const row = data?.rows.rowOf(cursor) ?? 0;
    const list = data ? `${data.id} ${data.filter}` : "";
    const place = row * ROW_HEIGHT;
    const shownPlace = this.#shownRow * ROW_HEIGHT;
    // A view that becomes lower must not lose the cursor that stood at its foot.
    const wasInView = shownPlace >= wasAt &&
      shownPlace + ROW_HEIGHT <= wasAt + this.#shownHeight;
    const isResized = this.#shownHeight !== this.#space.viewHeight && wasInView;
    const wasAway = this.#shownHeight === 0;
    this.#shownHeight = this.#space.viewHeight;
    // A view that was away has lost where it was scrolled to; the browser reports no scrolling.
    if (wasAway) {
      this.#shownCursor = -1;
      this.#scrollTop = NaN;
    }
    if (!data || data.rows.count === 0 || this.#space.viewHeight === 0) return;
    const isSame = this.#shownCursor === cursor && this.#shownList === list && !isResized;
    if (isSame) {
      this.#keepUpper(data, wasAt);
      // What is found or lost elsewhere moves nothing where the reader looks elsewhere, too.
      const isPut = row === this.#shownRow || !wasInView;
      this.#shownRow = row;
      if (isPut) return;
    }
    const isNear = this.#shownCursor >= 0 &&
      Math.abs(place - this.#offset) < 3 * this.#space.viewHeight;
    const offset = isNear
      ? this.#space.revealing(row, this.#offset, 2)
      : this.#space.centering(row);
    this.#shownCursor = cursor;
    this.#shownList = list;
    this.#shownRow = row;
    if (this.#offset !== offset) this.#movedAt = performance.now();
    this.#offset = offset;
    this.#scrollTo(this.#space.scrollTopAt(offset));
  }

  /**
   * Rows above the view that turn out to be lost move nothing in it.
   *
   * @param {TimelineData} data
   * @param {number} offset where the view was
   */
  #keepUpper(data, offset) {
    const { seq, row } = this.#upper;
    const moved = data.rows.rowOf(seq) - row;
    if (moved === 0) return;
    this.#upper = { seq, row: row + moved };
    const most = Math.max(0, this.#space.fullHeight - this.#space.viewHeight);
    this.#offset = Math.min(Math.max(offset + moved * ROW_HEIGHT, 0), most);
    this.#scrollTo(this.#space.scrollTopAt(this.#offset));
  }

  /** The rows beyond each edge; none while the cursor moves the list. */
  #spare() {
    if (performance.now() - this.#movedAt >= REST) return undefined;
    this.#resting ??= setTimeout(() => {
      this.#resting = undefined;
      this.invalidate();
    }, REST);
    return 0;
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
}
