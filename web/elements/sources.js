/** Apps, machines, timelines and branches, live ones first: a pool of rows over a list of any length. */

import { formatAgo, formatCount } from "../base/format.js";
import { range, RowSpace } from "../base/rows.js";
import { visible } from "../base/text.js";
import { listSources } from "../model/sources/source-list.js";
import { isAway } from "../model/sources/source.js";
import { SteadySources } from "../model/sources/steady-sources.js";
import { h, icon, passFocus, setAttribute, setIcon, setText, show } from "./dom.js";
import { showName } from "./name-ends.js";
import { PointerHold } from "./pointer-hold.js";
import { onPress } from "./press.js";
import { RowPool } from "./row-pool.js";
import { KINDS, setKind } from "./source-kinds.js";
import { View } from "./view.js";

/** @import { SourceRow } from "../model/sources/source-list.js" */

const ROW_HEIGHT = 28;

/** @typedef {{ row: HTMLElement, twist: SVGSVGElement, icon: SVGSVGElement, dot: HTMLElement, name: HTMLElement, detail: HTMLElement }} Row */

export class SourcesView extends View {
  static define(name = "tt-sources") {
    customElements.define(name, SourcesView);
  }

  #sizer = h("div", { class: "sizer", role: "presentation" });
  #list = h(
    "div",
    { class: "source-list", role: "tree", tabindex: 0, "aria-label": "Apps and machines" },
    this.#sizer,
  );
  #search = h("input", {
    type: "search",
    class: "source-search",
    "aria-label": "Search machines",
    placeholder: "Search",
    title: "Search machines",
  });
  #empty = h("p", { class: "pane-note", hidden: true });
  #hold = new PointerHold(this.#list, keyOf, () => this.invalidate());
  #steady = new SteadySources();
  /** The rows that the reader folded or unfolded. @type {Set<string>} */
  #toggled = new Set();
  /** The source that was shown last. @type {unknown} */
  #source;
  /** The row that the keys act on. */
  #active = "";
  /** Whether the pointer chose the active row, so that the reader is not moving through the list by keys. */
  #isPointed = false;
  /** The timeline that was shown last: when it is another one, its row comes into view. */
  #shown = "";
  /** What the rows were made from: of a thousand timelines only what is new makes new ones. @type {unknown[]} */
  #made = [];
  /** The list's height and place, as they were measured last. */
  #viewHeight = 0;
  #scrollTop = 0;
  /** @type {SourceRow[]} */
  #rows = [];
  /** @type {RowPool<Row>} */
  #pool = new RowPool((index) => this.#makeRow(index));

  /** Closes the file, so that the daemon's timelines are shown again. */
  #close = h("button", {
    type: "button",
    class: "icon-button",
    title: "Close the file",
    "aria-label": "Close the file",
  }, icon("close"));

  #import = h("button", {
    type: "button",
    class: "icon-button",
    title: "Import the file into the daemon",
    "aria-label": "Import the file into the daemon",
  }, icon("drop"));

  build() {
    this.setAttribute("role", "navigation");
    this.setAttribute("aria-label", "Machines");
    const open = h("button", {
      type: "button",
      class: "icon-button",
      title: "Open a timeline file",
      "aria-label": "Open a timeline file",
    }, icon("add"));
    open.addEventListener("click", () => this.context.run("open-file"));
    this.#close.addEventListener("click", () => this.context.run("close-file"));
    this.#import.addEventListener("click", () => this.context.run("import"));
    this.append(
      h(
        "header",
        { class: "pane-head" },
        h("h2", {}, "Machines"),
        h("span", { class: "grow" }),
        this.#import,
        this.#close,
        open,
      ),
      h("label", { class: "search-line" }, icon("search"), this.#search),
      this.#list,
      this.#empty,
    );
    this.#search.addEventListener("input", () => this.invalidate());
    onPress(this.#list, keyOf, (key, { detail }) => {
      this.#isPointed = detail > 0;
      this.#choose(key);
    });
    this.#list.addEventListener("keydown", (event) => this.#pressed(event));
    this.#list.addEventListener("scroll", () => {
      this.#scrollTop = this.#list.scrollTop;
      this.invalidate();
    }, { passive: true });
    // What is measured is remembered: to ask in the middle of a frame costs a layout.
    new ResizeObserver(() => {
      const before = this.#viewHeight;
      this.#viewHeight = this.#list.clientHeight;
      this.#scrollTop = this.#list.scrollTop;
      this.resized(before);
    }).observe(this.#list);
  }

  /** Opens a timeline, or folds an app's. @param {string} key */
  #choose(key) {
    const row = this.#rows.find(({ id }) => id === key);
    // A row that was held may be of a timeline that is deleted by now.
    if (row?.is === "timeline" && !this.inspector.summaries.has(key)) return this.#hold.release();
    this.#active = key;
    if (row && row.is !== "timeline") {
      if (!this.#toggled.delete(key)) this.#toggled.add(key);
    } else {
      this.inspector.open(key);
    }
    this.invalidate();
  }

  /** @param {KeyboardEvent} event */
  #pressed(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    // After a click, these travel through the recording and play it, as elsewhere on the page.
    if (this.#isPointed && ["Home", "End", " "].includes(event.key)) return;
    const here = this.#rows.findIndex(({ id }) => id === this.#active);
    const row = this.#rows[here];
    const page = Math.max(1, Math.floor(this.#viewHeight / ROW_HEIGHT) - 1);
    const step = {
      ArrowDown: 1,
      ArrowUp: -1,
      PageDown: page,
      PageUp: -page,
      Home: -Infinity,
      End: Infinity,
    }[event.key];
    if (step !== undefined) {
      const next = Math.min(Math.max(here + step, 0), this.#rows.length - 1);
      this.#active = this.#rows[next]?.id ?? "";
      this.#reveal(next);
    } else if (event.key === "Enter" || event.key === " ") {
      this.#choose(this.#active);
    } else if (
      (event.key === "ArrowLeft" || event.key === "ArrowRight") && row && row.is !== "timeline"
    ) {
      if (row.isOpen === (event.key === "ArrowLeft")) this.#choose(row.id);
    } else {
      return;
    }
    this.#isPointed = false;
    event.preventDefault();
    event.stopPropagation();
    this.invalidate();
  }

  /** @param {number} place */
  #reveal(place) {
    const space = new RowSpace(this.#rows.length, ROW_HEIGHT, this.#viewHeight);
    const scrollTop = space.scrollTopAt(
      space.revealing(place, space.offsetAt(this.#scrollTop), 1),
    );
    if (Math.abs(scrollTop - this.#scrollTop) < 1) return;
    this.#list.scrollTop = this.#scrollTop = scrollTop;
  }

  render() {
    const { inspector } = this;
    if (this.#source !== inspector.source) {
      this.#source = inspector.source;
      this.#steady.forget();
      // A search in the timelines of a daemon would hide those of a file.
      this.#search.value = "";
    }
    this.#makeList();
    const rows = this.#rows;
    show(this.#empty, rows.length === 0 && inspector.hasList);
    show(this.#list, rows.length > 0);
    show(this.#import, inspector.source?.kind === "file" && inspector.connection.is !== "idle");
    passFocus(
      this.#close,
      () => show(this.#close, inspector.source?.kind === "file"),
      () => (rows.length > 0 ? this.#list : this.#search).focus(),
    );
    setText(
      this.#empty,
      inspector.summaries.size === 0 ? "No recordings yet" : "No matches",
    );
    const shown = inspector.data?.id ?? "";
    if (!rows.some(({ id }) => id === this.#active)) this.#active = shown || rows[0]?.id || "";
    const space = new RowSpace(rows.length, ROW_HEIGHT, this.#viewHeight);
    const height = `${space.height}px`;
    if (this.#sizer.style.height !== height) this.#sizer.style.height = height;
    if (this.#shown !== shown && space.viewHeight > 0) {
      // The list may learn of a new branch after the page went there.
      const place = rows.findIndex(({ id }) => id === shown);
      if (place >= 0) {
        this.#shown = shown;
        this.#reveal(place);
      }
    }
    this.#renderRows(space);
  }

  #makeList() {
    const now = new Date();
    const { inspector } = this;
    const { summaries, shown } = this.#steady.of({
      summaries: [...inspector.summaries.values()],
      shown: inspector.data?.id,
    }, this.#hold.isHeld);
    const made = [
      this.#search.value,
      [...this.#toggled].join(),
      shown,
      // What was "just now" is a minute old a minute later.
      Math.floor(now.getTime() / 60_000),
      ...summaries,
    ];
    const isSame = made.length === this.#made.length &&
      made.every((part, index) => part === this.#made[index]);
    if (isSame) return;
    this.#made = made;
    this.#rows = listSources(summaries, {
      search: this.#search.value,
      toggled: this.#toggled,
      ...(shown === undefined ? {} : { shown }),
      describe: (started) => formatAgo(started, now),
    });
  }

  /** @param {RowSpace} space */
  #renderRows(space) {
    const { first, end, top } = space.window(space.offsetAt(this.#scrollTop));
    const places = range(first, end);
    // The active row is always there, so that it can be spoken of; outside it stands out of sight.
    const active = this.#rows.findIndex(({ id }) => id === this.#active);
    if (active >= 0 && (active < first || active >= end)) places.push(active);
    const { drawn, unused } = this.#pool.assign(places, (place) => this.#rows[place]?.id);
    for (const { row } of unused) {
      show(row, false);
      row.removeAttribute("data-key");
    }
    /** @type {string | undefined} */
    let activeId;
    for (const { row, place } of drawn) {
      const item = this.#rows[place];
      show(row.row, item !== undefined);
      if (!item) continue;
      const y = place >= first && place < end
        ? top + (place - first) * ROW_HEIGHT
        : -4 * ROW_HEIGHT;
      row.row.style.transform = `translateY(${y}px)`;
      this.#update(row, item);
      if (item.id === this.#active) activeId = row.row.id;
    }
    setAttribute(this.#list, "aria-activedescendant", activeId);
  }

  /**
   * @param {number} index
   * @returns {Row}
   */
  #makeRow(index) {
    const row = {
      twist: icon("down", "twist"),
      icon: icon("states", "kind"),
      dot: h("span", { class: "dot" }),
      name: h("span"),
      detail: h("span", { class: "muted" }),
    };
    const element = h(
      "div",
      { role: "treeitem", id: `source-row-${index}` },
      row.twist,
      row.icon,
      row.name,
      row.dot,
      row.detail,
    );
    this.#sizer.append(element);
    return { row: element, ...row };
  }

  /**
   * @param {Row} row
   * @param {Extract<SourceRow, { is: "group" }>} item
   */
  #updateGroup({ row: element, ...row }, { id, name, count, isOpen, position, siblings }) {
    const isActive = id === this.#active;
    setAttribute(element, "class", `source machine group${isActive ? " active" : ""}`);
    setAttribute(element, "data-key", id);
    setAttribute(element, "aria-level", 2);
    setAttribute(element, "aria-posinset", position);
    setAttribute(element, "aria-setsize", siblings);
    setAttribute(element, "aria-selected", "false");
    setAttribute(element, "aria-expanded", String(isOpen));
    setAttribute(element, "title", `${visible(name)}: ${count} finished machines`);
    setAttribute(element, "aria-label", `${visible(name)}, ${count} finished machines`);
    element.style.setProperty("--depth", "0");
    showName(row.name, name);
    setAttribute(row.name, "class", "machine-name");
    setIcon(element, isOpen ? "down" : "right");
    setText(row.detail, `×${formatCount(count)}`);
    setAttribute(row.detail, "class", "muted entries");
    show(row.dot, false);
  }

  /** A machine goes on while its row is held. @param {Extract<SourceRow, { is: "timeline" }>} item */
  #now({ id, summary }) {
    return this.inspector.summaries.get(id) ?? summary;
  }

  /**
   * @param {Row} row
   * @param {SourceRow} item
   */
  #update(row, item) {
    const { row: element } = row;
    const isApp = item.is === "app";
    if (item.is === "group") return this.#updateGroup(row, item);
    const isActive = item.id === this.#active;
    const isOn = this.inspector.data?.id === item.id;
    const isBranch = !isApp && item.isBranch;
    setAttribute(
      element,
      "class",
      `source ${isApp ? "app" : "machine"}${isBranch ? " branch" : ""}${isOn ? " on" : ""}${
        isActive ? " active" : ""
      }`,
    );
    setAttribute(element, "data-key", item.id);
    setAttribute(element, "aria-level", isApp ? 1 : item.depth + 2);
    setAttribute(element, "aria-posinset", item.position);
    setAttribute(element, "aria-setsize", item.siblings);
    setAttribute(element, "aria-selected", String(isOn));
    setAttribute(element, "aria-expanded", isApp ? String(item.isOpen) : undefined);
    showName(row.name, item.name);
    setAttribute(row.name, "class", isApp ? "app-name" : "machine-name");
    // Whether it still runs is unknown while the daemon is away.
    const isLive = !isAway(this.inspector) && (isApp ? item.isLive : this.#now(item).live ?? false);
    setAttribute(row.dot, "class", `dot${isApp ? isLive ? "" : " off" : " small"}`);
    show(row.dot, isApp || isLive);
    if (isApp) {
      setIcon(element, item.isOpen ? "down" : "right");
      setText(row.detail, item.detail);
      setAttribute(row.detail, "class", "muted detail");
      setAttribute(element, "title", `${visible(item.name)}, ${item.detail}`);
      setAttribute(
        element,
        "aria-label",
        `${visible(item.name)}, ${isLive ? "live, " : ""}${item.detail}`,
      );
      return;
    }
    const summary = this.#now(item);
    element.style.setProperty("--depth", String(item.depth));
    setKind(row.icon, isBranch ? "branch" : item.kind);
    const { type } = summary.header.machine;
    const kind = isBranch ? "a branch" : KINDS[item.kind] ?? "a machine";
    setAttribute(element, "title", `${visible(item.name)} — ${visible(type)}, ${kind}`);
    const computing = summary.computing === undefined ? "" : "…";
    setText(row.detail, formatCount(summary.entries) + computing);
    setAttribute(row.detail, "class", "muted entries");
    setAttribute(
      element,
      "aria-label",
      `${visible(item.name)}, ${isBranch ? "branch, " : ""}${isLive ? "live, " : ""}${
        formatCount(summary.entries)
      } entries`,
    );
  }
}

/** What an element of the list stands for. @param {Element} target */
function keyOf(target) {
  const row = target.closest("[data-key]");
  return row instanceof HTMLElement ? row.dataset.key : undefined;
}
