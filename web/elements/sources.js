/** Apps, machines, timelines and branches, live ones first: a pool of rows over a list of any length. */

import { formatAgo, formatCount } from "../base/format.js";
import { RowSpace } from "../base/rows.js";
import { visible } from "../base/text.js";
import { listSources } from "../model/source-list.js";
import { h, icon, passFocus, setAttribute, setIcon, setText, show } from "./dom.js";
import { onPress } from "./press.js";
import { View } from "./view.js";

/** @import { SourceRow } from "../model/source-list.js" */

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
    "aria-label": "Search the timelines",
    placeholder: "Search",
    title: "Search the timelines",
  });
  #empty = h("p", { class: "pane-note", hidden: true });
  /** @type {Set<string>} */
  #closed = new Set();
  /** The row that the keys act on. */
  #active = "";
  /** The timeline that was shown last: when it is another one, its row comes into view. */
  #shown = "";
  /** What the rows were made from: of a thousand timelines only what is new makes new ones. @type {unknown[]} */
  #made = [];
  /** The list's height and place, as they were measured last. */
  #viewHeight = 0;
  #scrollTop = 0;
  /** @type {SourceRow[]} */
  #rows = [];
  /** @type {Row[]} */
  #pool = [];

  /** Leaves the file that stands in place of the daemon's timelines. */
  #close = h("button", {
    type: "button",
    class: "icon-button",
    title: "Close the file",
    "aria-label": "Close the file",
  }, icon("close"));

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
    this.append(
      h(
        "header",
        { class: "pane-head" },
        h("h2", {}, "Machines"),
        h("span", { class: "grow" }),
        this.#close,
        open,
      ),
      h("label", { class: "search-line" }, icon("search"), this.#search),
      this.#list,
      this.#empty,
    );
    this.#search.addEventListener("input", () => this.invalidate());
    onPress(this.#list, keyOf, (key) => this.#choose(key));
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
    this.#active = key;
    if (row?.is === "app") {
      if (!this.#closed.delete(key)) this.#closed.add(key);
    } else {
      this.inspector.open(key);
    }
    this.invalidate();
  }

  /** @param {KeyboardEvent} event */
  #pressed(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
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
    } else if ((event.key === "ArrowLeft" || event.key === "ArrowRight") && row?.is === "app") {
      if (event.key === "ArrowLeft") this.#closed.add(row.id);
      else this.#closed.delete(row.id);
    } else {
      return;
    }
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
    this.#makeList();
    const rows = this.#rows;
    show(this.#empty, rows.length === 0 && inspector.hasList);
    show(this.#list, rows.length > 0);
    passFocus(
      this.#close,
      () => show(this.#close, inspector.source?.kind === "file"),
      () => (rows.length > 0 ? this.#list : this.#search).focus(),
    );
    setText(
      this.#empty,
      inspector.summaries.size === 0 ? "No recording yet." : "Nothing is called that.",
    );
    const shown = inspector.data?.id ?? "";
    if (!rows.some(({ id }) => id === this.#active)) this.#active = shown || rows[0]?.id || "";
    const space = new RowSpace(rows.length, ROW_HEIGHT, this.#viewHeight);
    const height = `${space.height}px`;
    if (this.#sizer.style.height !== height) this.#sizer.style.height = height;
    if (this.#shown !== shown && space.viewHeight > 0) {
      this.#shown = shown;
      const place = rows.findIndex(({ id }) => id === shown);
      if (place >= 0) this.#reveal(place);
    }
    this.#renderRows(space);
  }

  #makeList() {
    const now = new Date();
    const made = [
      this.#search.value,
      [...this.#closed].join(),
      // What was "just now" is a minute old a minute later.
      Math.floor(now.getTime() / 60_000),
      ...this.inspector.summaries.values(),
    ];
    const isSame = made.length === this.#made.length &&
      made.every((part, index) => part === this.#made[index]);
    if (isSame) return;
    this.#made = made;
    this.#rows = listSources(this.inspector.summaries.values(), {
      search: this.#search.value,
      closed: this.#closed,
      describe: (started) => formatAgo(started, now),
    });
  }

  /** @param {RowSpace} space */
  #renderRows(space) {
    const { first, end, top } = space.window(space.offsetAt(this.#scrollTop));
    const places = Array.from({ length: end - first }, (_, index) => first + index);
    // The active row is always there, so that it can be spoken of; outside it stands out of sight.
    const active = this.#rows.findIndex(({ id }) => id === this.#active);
    if (active >= 0 && (active < first || active >= end)) places.push(active);
    while (this.#pool.length < places.length) this.#pool.push(this.#makeRow());
    this.#pool.forEach((row, index) => {
      const place = places[index];
      const item = place === undefined ? undefined : this.#rows[place];
      show(row.row, item !== undefined);
      if (!item || place === undefined) return row.row.removeAttribute("data-key");
      const y = place >= first && place < end
        ? top + (place - first) * ROW_HEIGHT
        : -4 * ROW_HEIGHT;
      row.row.style.transform = `translateY(${y}px)`;
      this.#update(row, item);
    });
    const element = this.#pool.find(({ row }) => row.dataset.key === this.#active)?.row;
    setAttribute(this.#list, "aria-activedescendant", element?.id);
  }

  /** @returns {Row} */
  #makeRow() {
    const row = {
      twist: icon("down", "twist"),
      icon: icon("states", "kind"),
      dot: h("span", { class: "dot" }),
      name: h("span"),
      detail: h("span", { class: "muted" }),
    };
    const element = h(
      "div",
      { role: "treeitem", id: `source-row-${this.#pool.length}` },
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
   * @param {SourceRow} item
   */
  #update(row, item) {
    const { row: element } = row;
    const isApp = item.is === "app";
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
    setText(row.name, visible(item.name));
    setAttribute(row.name, "class", isApp ? "app-name" : "machine-name");
    const isLive = isApp ? item.isLive : item.summary.live ?? false;
    setAttribute(row.dot, "class", `dot${isApp ? isLive ? "" : " off" : " small"}`);
    show(row.dot, isApp || isLive);
    if (isApp) {
      setIcon(element, item.isOpen ? "down" : "right");
      setText(row.detail, item.detail);
      setAttribute(row.detail, "class", "muted detail");
      setAttribute(element, "title", visible(item.name));
      setAttribute(
        element,
        "aria-label",
        `${visible(item.name)}, ${isLive ? "live, " : ""}${item.detail}`,
      );
      return;
    }
    const { summary } = item;
    element.style.setProperty("--depth", String(item.depth));
    setKind(row.icon, isBranch ? "branch" : item.kind);
    const { type } = summary.header.machine;
    setAttribute(element, "title", `${visible(item.name)} — ${visible(type)}`);
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

/**
 * @param {SVGSVGElement} made
 * @param {string} name
 */
function setKind(made, name) {
  if (made.dataset.kind === name) return;
  made.dataset.kind = name;
  made.replaceChildren(...icon(name).childNodes);
}

/** What an element of the list stands for. @param {Element} target */
function keyOf(target) {
  const row = target.closest("[data-key]");
  return row instanceof HTMLElement ? row.dataset.key : undefined;
}
