/** Apps, machines, timelines and branches, live ones first. */

import { formatAgo, formatCount } from "../base/format.js";
import { visible } from "../base/text.js";
import { listSources } from "../model/source-list.js";
import { h, icon, keep, setAttribute, setIcon, setText, show } from "./dom.js";
import { View } from "./view.js";

/** @import { SourceRow } from "../model/source-list.js" */

export class SourcesView extends View {
  static define(name = "tt-sources") {
    customElements.define(name, SourcesView);
  }

  #list = h("div", { class: "source-list", role: "tree", "aria-label": "Apps and machines" });
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
  /** The row that has the focus, or would have it. */
  #active = "";

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
    this.append(
      h(
        "header",
        { class: "pane-head" },
        h("h2", {}, "Machines"),
        h("span", { class: "grow" }),
        open,
      ),
      h("label", { class: "search-line" }, icon("search"), this.#search),
      this.#list,
      this.#empty,
    );
    this.#search.addEventListener("input", () => this.invalidate());
    this.#list.addEventListener("click", (event) => this.#choose(event.target));
    this.#list.addEventListener("keydown", (event) => this.#pressed(event));
  }

  /** @param {EventTarget | null} target */
  #choose(target) {
    const row = target instanceof Element ? target.closest("[data-key]") : null;
    if (!(row instanceof HTMLElement)) return;
    const key = row.dataset.key ?? "";
    this.#active = key;
    if (row.dataset.app !== undefined) {
      if (!this.#closed.delete(key)) this.#closed.add(key);
      this.invalidate();
    } else {
      this.inspector.open(key);
    }
  }

  /** @param {KeyboardEvent} event */
  #pressed(event) {
    const rows = [...this.#list.querySelectorAll("[data-key]")].filter((row) =>
      row instanceof HTMLElement
    );
    const here = rows.findIndex((row) => row.dataset.key === this.#active);
    const row = rows[here];
    const step = { ArrowDown: 1, ArrowUp: -1, Home: -Infinity, End: Infinity }[event.key];
    if (step !== undefined) {
      const next = rows[Math.min(Math.max(here + step, 0), rows.length - 1)];
      this.#active = next?.dataset.key ?? "";
      next?.focus();
    } else if (event.key === "Enter" || event.key === " ") {
      this.#choose(row ?? null);
    } else if (
      (event.key === "ArrowLeft" || event.key === "ArrowRight") && row?.dataset.app !== undefined
    ) {
      if (event.key === "ArrowLeft") this.#closed.add(this.#active);
      else this.#closed.delete(this.#active);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
    this.invalidate();
  }

  render() {
    const { inspector } = this;
    const now = new Date();
    const rows = listSources(inspector.summaries.values(), {
      search: this.#search.value,
      closed: this.#closed,
      describe: (started) => formatAgo(started, now),
    });
    show(this.#empty, rows.length === 0 && inspector.hasList);
    setText(
      this.#empty,
      inspector.summaries.size === 0 ? "No recording yet." : "Nothing is called that.",
    );
    if (!rows.some(({ id }) => id === this.#active)) {
      this.#active = inspector.data?.id ?? rows[0]?.id ?? "";
    }
    keep(
      this.#list,
      rows,
      ({ id }) => id,
      (row) => this.#make(row),
      (element, row) => this.#update(element, row),
    );
  }

  /** @param {SourceRow} row */
  #make(row) {
    if (row.is === "app") {
      return h(
        "div",
        { class: "app", role: "treeitem", "aria-level": 1, "data-app": true },
        icon("down", "twist"),
        h("span", { class: "dot" }),
        h("span", { class: "app-name" }),
        h("span", { class: "muted detail" }),
      );
    }
    return h(
      "div",
      { class: row.isBranch ? "machine branch" : "machine", role: "treeitem" },
      icon(row.isBranch ? "branch" : row.kind),
      h("span", { class: "machine-name" }),
      h("span", { class: "dot small" }),
      h("span", { class: "muted entries" }),
    );
  }

  /**
   * @param {HTMLElement} element
   * @param {SourceRow} row
   */
  #update(element, row) {
    setAttribute(element, "tabindex", row.id === this.#active ? 0 : -1);
    const find = (/** @type {string} */ selector) => element.querySelector(selector) ?? element;
    if (row.is === "app") {
      setAttribute(element, "aria-expanded", String(row.isOpen));
      find(".dot").classList.toggle("off", !row.isLive);
      setIcon(element, row.isOpen ? "down" : "right");
      setText(find(".app-name"), visible(row.name));
      setText(find(".detail"), row.detail);
      setAttribute(
        element,
        "aria-label",
        `${visible(row.name)}, ${row.isLive ? "live, " : ""}${row.detail}`,
      );
      return;
    }
    const { summary } = row;
    const isOn = this.inspector.data?.id === row.id;
    element.classList.toggle("on", isOn);
    element.style.setProperty("--depth", String(row.depth));
    setAttribute(element, "aria-selected", String(isOn));
    setAttribute(element, "aria-level", row.depth + 2);
    setText(find(".machine-name"), visible(row.name));
    setAttribute(
      element,
      "title",
      `${visible(row.name)} — ${visible(summary.header.machine.type)}`,
    );
    show(/** @type {HTMLElement} */ (find(".dot")), summary.live ?? false);
    const computing = summary.computing === undefined ? "" : "…";
    setText(find(".entries"), formatCount(summary.entries) + computing);
    setAttribute(
      element,
      "aria-label",
      `${visible(row.name)}, ${row.isBranch ? "branch, " : ""}${summary.live ? "live, " : ""}${
        formatCount(summary.entries)
      } entries`,
    );
  }
}
