/** Two timelines side by side, aligned, and what differs between two of their moments. */

import { formatCount, formatNumbered } from "../base/format.js";
import { PatchError, readPatch } from "../base/patch.js";
import { pathText, readPointer } from "../base/pointer.js";
import { range, RowSpace } from "../base/rows.js";
import { visible } from "../base/text.js";
import { Comparison } from "../model/verification/comparison.js";
import { nameOf } from "../model/sources/source-list.js";
import { compareFoot, compareVerdict } from "../model/verification/verdicts.js";
import { CompareEvents } from "./compare-events.js";
import {
  cellOf,
  compareHead,
  compareRow,
  lineOf,
  recordingName,
  showCompareRow,
} from "./compare-row.js";
import { linesOf } from "./diff.js";
import { h, setAttribute, setText, show } from "./dom.js";
import { onPress } from "./press.js";
import { RowPool } from "./row-pool.js";
import { actButton, labeled, WindowView } from "./window.js";

const ROW = 26;

/** Lines of a difference that are drawn. */
const MAXIMUM_LINES = 300;

export class CompareView extends WindowView {
  static define(name = "tt-compare") {
    customElements.define(name, CompareView);
  }

  #left = h("select");
  #right = h("select");
  #verdict = h("p", { class: "compare-verdict", role: "status" });
  /** The paths of the columns; each cell names its own. */
  #head = h("div", { class: "compare-row compare-head", "aria-hidden": "true", hidden: true });
  #sizer = h("div", { class: "sizer", role: "presentation" });
  #grid = h(
    "div",
    { class: "compare-grid", role: "grid", tabindex: 0, "aria-label": "Entries side by side" },
    this.#sizer,
  );
  #empty = h("p", { class: "pane-note" });
  #title = h("div", { class: "tree-title" });
  #diff = h("div", { class: "diff-list", role: "list", tabindex: 0, "aria-label": "Differences" });
  #diffNote = h("p", { class: "pane-note" });
  #more = actButton("Load more", () => void this.#comparison?.loadMore());
  #earlier = actButton("From the start", () => {
    this.#revealed = -1;
    void this.#comparison?.fromStart();
  });
  #shared = h("span", { class: "muted" });
  /** @type {Comparison | undefined} */
  #comparison;
  #space = new RowSpace(0, ROW, 0);
  /** @type {RowPool<HTMLElement>} */
  #pool = new RowPool((index) => {
    const row = compareRow(index);
    this.#sizer.append(row);
    return row;
  });
  #events = new CompareEvents();
  #revealed = -1;
  /** @type {unknown} */
  #drawnDifference;

  buildBody() {
    this.setTitle("Compare");
    this.dialog.classList.add("wide");
    for (const select of [this.#left, this.#right]) {
      select.addEventListener("change", () => this.open(this.#left.value, this.#right.value));
    }
    const swap = actButton("Swap", () => this.open(this.#right.value, this.#left.value));
    const previous = actButton("Previous", () => void this.#step(-1), { icon: "previous" });
    const next = actButton("Next difference", () => void this.#step(1), { icon: "next" });
    setAttribute(previous, "aria-label", "Previous difference");
    setAttribute(previous, "title", "Previous difference (p)");
    setAttribute(next, "title", "Next difference (n)");
    const first = actButton("First", () => void this.#comparison?.selectFirst(), {
      icon: "first",
      title: "The first difference (f)",
    });
    setAttribute(first, "aria-label", "First difference");
    this.body.append(
      h(
        "div",
        { class: "compare-bar" },
        labeled("Left", this.#left),
        labeled("Right", this.#right),
        swap,
        h("span", { class: "grow" }),
        first,
        previous,
        next,
      ),
      this.#verdict,
      h(
        "div",
        { class: "compare-panes" },
        h(
          "div",
          { class: "compare-left" },
          this.#head,
          this.#grid,
          this.#empty,
          h(
            "div",
            { class: "compare-foot" },
            this.#shared,
            h("span", { class: "grow" }),
            this.#earlier,
            this.#more,
          ),
        ),
        h(
          "div",
          { class: "compare-right" },
          this.#title,
          this.#events.element,
          this.#diff,
          this.#diffNote,
        ),
      ),
    );
    this.#grid.addEventListener("scroll", () => this.invalidate(), { passive: true });
    this.#grid.addEventListener("keydown", (event) => this.#moved(event));
    onPress(this.#sizer, cellOf, (cell, event) => this.#clicked(cell, event));
    new ResizeObserver(() => this.invalidate()).observe(this.#grid);
  }

  /**
   * @param {string} a
   * @param {string} b
   */
  open(a, b) {
    if (!this.inspector.source) return;
    this.#grid.scrollTop = 0;
    this.#offer(this.#left, a);
    this.#offer(this.#right, b);
    this.show();
    this.#grid.focus();
    void this.#compare(a, b);
  }

  /**
   * @param {string} a
   * @param {string} b
   * @param {number} [chosen] the line that the reader chose
   */
  async #compare(a, b, chosen) {
    const { source, summaries } = this.inspector;
    if (!source) return;
    this.#comparison?.stop();
    this.#revealed = -1;
    const comparison = new Comparison(source, summaries, a, b, () => this.invalidate());
    this.#comparison = comparison;
    await comparison.start();
    if (chosen !== undefined && this.#comparison === comparison) await comparison.select(chosen);
  }

  closed() {
    this.#comparison?.stop();
    this.#comparison = undefined;
  }

  /**
   * @param {HTMLSelectElement} select
   * @param {string} chosen
   */
  #offer(select, chosen) {
    const { summaries } = this.inspector;
    const machine = summaries.get(chosen)?.header.machine.name;
    const offered = [...summaries.values()].filter(({ header }) => header.machine.name === machine);
    const areMany = offered.filter(({ header }) => !header.parent).length > 1;
    select.replaceChildren(
      ...offered.map((summary) =>
        h(
          "option",
          { value: summary.header.timeline },
          visible(summary.header.parent ? nameOf(summary) : recordingName(summary, areMany)),
        )
      ),
    );
    select.value = chosen;
  }

  /** @param {1 | -1} direction */
  async #step(direction) {
    const comparison = this.#comparison;
    const place = await comparison?.nextDifference(direction);
    if (place !== undefined) await comparison?.select(place);
  }

  /** @param {KeyboardEvent} event */
  pressed(event) {
    if (event.target instanceof HTMLSelectElement || event.ctrlKey || event.metaKey) return;
    if (event.key === "n" || event.key === "p") void this.#step(event.key === "n" ? 1 : -1);
    if (event.key === "f") void this.#comparison?.selectFirst();
  }

  /** @param {KeyboardEvent} event */
  #moved(event) {
    const comparison = this.#comparison;
    if (!comparison) return;
    const page = Math.max(1, this.#space.page - 1);
    const step = {
      ArrowDown: 1,
      ArrowUp: -1,
      PageDown: page,
      PageUp: -page,
      Home: -Infinity,
      End: Infinity,
    }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      const most = comparison.rows.length - 1;
      void comparison.select(Math.max(0, Math.min(comparison.selected + step, most)));
    } else if (event.key === "Enter") this.#go("b");
  }

  /**
   * @param {{ place: number, side: "a" | "b" | undefined }} cell
   * @param {MouseEvent} event
   */
  #clicked({ place, side }, event) {
    void this.#comparison?.select(place);
    if (side && event.detail === 2) this.#go(side);
  }

  /**
   * Shows a moment of the line in the page.
   *
   * @param {"a" | "b"} side
   */
  #go(side) {
    const moments = this.#comparison?.momentsAt(this.#comparison.selected);
    if (!moments) return;
    this.close();
    this.inspector.open(moments[side].timeline, moments[side].seq);
  }

  renderBody() {
    const old = this.#comparison;
    if (old?.isOutdated(this.inspector.summaries)) void this.#compare(old.a, old.b, old.chosen);
    const comparison = this.#comparison;
    if (!comparison) return;
    this.#renderVerdict(comparison);
    const { rows } = comparison;
    show(this.#empty, rows.length === 0);
    setText(
      this.#empty,
      comparison.isLoading ? "Loading…" : comparison.failure ??
        "These timelines share all their entries. There is nothing to compare.",
    );
    show(this.#more, comparison.hasMore);
    show(this.#earlier, comparison.skipped !== undefined);
    setText(this.#shared, compareFoot(comparison));
    this.#space = new RowSpace(rows.length, ROW, this.#grid.clientHeight);
    setAttribute(this.#grid, "aria-rowcount", rows.length);
    const height = `${this.#space.height}px`;
    if (this.#sizer.style.height !== height) this.#sizer.style.height = height;
    if (this.#revealed !== comparison.selected && comparison.selected >= 0) {
      const isFirst = this.#revealed < 0;
      this.#revealed = comparison.selected;
      const offset = this.#space.offsetAt(this.#grid.scrollTop);
      this.#grid.scrollTop = this.#space.scrollTopAt(
        isFirst
          ? this.#space.centering(comparison.selected)
          : this.#space.revealing(comparison.selected, offset, 2),
      );
    }
    const { first, end, top } = this.#space.window(this.#space.offsetAt(this.#grid.scrollTop));
    const firstDifference = comparison.firstDifference;
    const { columns } = comparison;
    const names = (columns?.paths ?? []).map((path) =>
      visible(pathText((readPointer(path) ?? []).slice(1)) || path)
    );
    this.#renderHead(names);
    const pooled = this.#pool.assign(range(first, end), (place) => lineOf(rows[place]));
    for (const element of pooled.unused) {
      show(element, false);
      element.classList.remove("first-difference");
      for (const name of ["data-place", "aria-selected"]) element.removeAttribute(name);
    }
    /** @type {string | undefined} */
    let activeId;
    for (const { row: element, place } of pooled.drawn) {
      const row = rows[place];
      show(element, row !== undefined);
      if (!row) continue;
      element.style.transform = `translateY(${top + (place - first) * ROW}px)`;
      setAttribute(element, "data-place", place);
      setAttribute(element, "aria-rowindex", place + 1);
      const isSelected = place === comparison.selected;
      setAttribute(element, "aria-selected", String(isSelected));
      if (isSelected) activeId = element.id;
      comparison.decide(row);
      setAttribute(element, "data-is", row.is);
      element.classList.toggle("first-difference", place === firstDifference);
      const pairs = columns?.values(row) ?? [];
      showCompareRow(element, row, pairs.map((pair, at) => ({ name: names[at] ?? "", pair })));
    }
    setAttribute(this.#grid, "aria-activedescendant", activeId);
    this.#renderDifference(comparison);
  }

  /**
   * Names the columns.
   *
   * @param {string[]} names
   */
  #renderHead(names) {
    show(this.#head, names.length > 0);
    this.dialog.style.setProperty("--columns", String(names.length));
    this.dialog.classList.toggle("has-columns", names.length > 0);
    if (this.#head.dataset.names === JSON.stringify(names)) return;
    this.#head.dataset.names = JSON.stringify(names);
    this.#head.replaceChildren(...compareHead(names));
  }

  /** @param {Comparison} comparison */
  #renderVerdict(comparison) {
    const { verdict, failure } = comparison;
    const summary = verdict && compareVerdict({ ...verdict, alone: comparison.alone });
    setAttribute(this.#verdict, "data-tone", summary?.tone);
    const paths = (verdict?.paths ?? []).slice(0, 3).map(({ path, entries }) =>
      `${visible(pathText(readPointer(path) ?? []))} (${formatCount(entries)}×)`
    ).join(", ");
    const own = comparison.isLoading
      ? "Comparing…"
      : `${formatNumbered(comparison.differingRows, "line")} of ${
        formatCount(comparison.rows.length)
      } ${comparison.differingRows === 1 ? "is" : "are"} not the same.`;
    setText(
      this.#verdict,
      summary
        ? `${summary.title}. ${summary.text}${paths && ` Most often: ${paths}.`} ${comparison.end}`
          .trim()
        : failure === undefined
        ? own
        : `${own} ${visible(failure)}`,
    );
  }

  /** @param {Comparison} comparison */
  #renderDifference(comparison) {
    const moments = comparison.selected < 0 ? undefined : comparison.momentsAt(comparison.selected);
    const key = comparison.difference ?? comparison.selected;
    const isLoading = comparison.selected >= 0 && !comparison.difference;
    setText(
      this.#title,
      moments
        ? `from ${formatCount(moments.a.seq)} on the left to ${
          formatCount(moments.b.seq)
        } on the right`
        : "",
    );
    this.#events.show(comparison.rows[comparison.selected]);
    if (this.#drawnDifference === key) return;
    this.#drawnDifference = key;
    const { difference } = comparison;
    /** @type {HTMLElement[]} */
    let lines = [];
    let note = isLoading ? "Loading…" : "Select a line to see how the two states differ.";
    if (difference && "message" in difference) note = visible(difference.message);
    else if (difference) {
      try {
        const patch = readPatch(difference.patch);
        lines = patch.slice(0, MAXIMUM_LINES).flatMap((operation) =>
          linesOf(operation, difference.old)
        );
        note = patch.length === 0
          ? "The two states and their outputs are equal here."
          : patch.length > MAXIMUM_LINES
          ? `and ${formatCount(patch.length - MAXIMUM_LINES)} more`
          : "";
      } catch (error) {
        if (!(error instanceof PatchError)) throw error;
        note = "The daemon's answer cannot be read.";
      }
    }
    const left = actButton("Go to the left entry", () => this.#go("a"), { icon: "right" });
    const right = actButton("Go to the right entry", () => this.#go("b"), { icon: "right" });
    this.#diff.replaceChildren(...lines);
    show(this.#diff, lines.length > 0);
    this.#diffNote.replaceChildren(
      note,
      ...(moments ? [h("span", { class: "acts" }, left, right)] : []),
    );
  }
}
