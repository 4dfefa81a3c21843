/** A statechart with its active path lit; of other machines, which event followed which. */

import { Newest } from "../base/newest.js";
import { eventName } from "../base/event-name.js";
import { formatCount, formatNumbered } from "../base/format.js";
import { pathText, readPointer } from "../base/pointer.js";
import { visible } from "../base/text.js";
import { observeNames, valuesInOrder } from "../model/observed.js";
import { activePath, chartRows } from "../model/statechart.js";
import { readChart } from "../wire/chart.js";
import { h, setText, show } from "./dom.js";
import { View } from "./view.js";

/** @import { Chart } from "../wire/chart.js" */
/** @import { Observed } from "../model/observed.js" */

/** Entries before the cursor that the graph is made from. */
const WINDOW = 1_000;

/** Values that are listed, the most frequent ones: a counter has another one at every entry. */
const MOST_VALUES = 50;

export class ChartView extends View {
  static define(name = "tt-chart") {
    customElements.define(name, ChartView);
  }

  #title = h("div", { class: "tree-title" });
  #table = h("div", {
    class: "observed",
    role: "list",
    tabindex: 0,
    "aria-label": "Events and what followed them",
  });
  #valuesTitle = h("div", { class: "tree-title", hidden: true });
  #values = h("div", {
    class: "observed values",
    role: "list",
    tabindex: 0,
    hidden: true,
    "aria-label": "Values of what is pinned, and what followed them",
  });
  #note = h("p", { class: "pane-note", hidden: true });
  #key = "";
  /** What failed, and by which connection: by another one it may be had. @type {{ key: string, connection: unknown } | undefined} */
  #failed;
  #asked = new Newest();

  build() {
    this.append(this.#title, this.#table, this.#note, this.#valuesTitle, this.#values);
  }

  render() {
    const { data, cursor, source, connection } = this.inspector;
    if (this.inspector.location.tab !== "chart" || !data || !source || data.last < 0) return;
    const chart = readChart(data.summary.header.chart);
    const path = this.inspector.pin?.path;
    for (const part of [this.#valuesTitle, this.#values]) show(part, !chart && path !== undefined);
    if (chart) return this.#drawChart(chart);
    const key = `${data.id} ${cursor} ${path ?? ""}`;
    const canRetry = this.#failed?.key === key && this.#failed.connection !== connection;
    if (key === this.#key && !canRetry) return;
    this.#key = key;
    this.#failed = undefined;
    this.#asked.do(() => this.#load(key, data.id, cursor, path));
  }

  /**
   * What comes is shown also when the cursor has gone on meanwhile: it is newer than what is shown,
   * and where an app is followed the cursor never rests.
   *
   * @param {string} key
   * @param {string} timeline
   * @param {number} cursor
   * @param {string | undefined} path whose values are observed, too
   */
  async #load(key, timeline, cursor, path) {
    const { connection } = this.inspector;
    try {
      const reply = await this.inspector.source?.ask({
        type: "entries",
        timeline,
        from: cursor,
        count: WINDOW,
        direction: "backward",
      });
      if (!reply || !this.#isWanted(timeline)) return;
      const names = reply.entries.map((entry) => eventName(entry.event) ?? "").reverse();
      this.#draw(names);
      if (path !== undefined) await this.#loadValues(timeline, cursor, path);
    } catch (error) {
      // Another entry is asked for already.
      if (key !== this.#key) return;
      this.#failed = { key, connection };
      // The connection may be another one by now.
      this.invalidate();
      show(this.#note, true);
      setText(this.#note, error instanceof Error ? error.message : "It could not be loaded.");
    }
  }

  /** Whether what is observed of a timeline is still to be shown. @param {string} timeline */
  #isWanted(timeline) {
    const { data } = this.inspector;
    return data?.id === timeline && !readChart(data.summary.header.chart);
  }

  /**
   * @param {string} timeline
   * @param {number} cursor
   * @param {string} path
   */
  async #loadValues(timeline, cursor, path) {
    const from = Math.max(this.inspector.data?.first ?? 0, cursor - WINDOW + 1);
    const reply = await this.inspector.source?.ask({
      type: "column",
      timeline,
      paths: [path],
      from,
      count: cursor - from + 1,
    });
    if (!reply || !this.#isWanted(timeline) || this.inspector.pin?.path !== path) return;
    const values = valuesInOrder(reply.columns[0] ?? [], reply.from, reply.unknown);
    const name = visible(pathText((readPointer(path) ?? []).slice(1)));
    const changes = formatNumbered(Math.max(0, values.length - 1), "change");
    const observed = observeNames(values);
    const isCut = observed.length > MOST_VALUES;
    setText(
      this.#valuesTitle,
      `${name}: ${changes} from ${formatCount(from)} to ${formatCount(cursor)}${
        isCut ? `; the ${MOST_VALUES} most frequent of ${formatCount(observed.length)} values` : ""
      }`,
    );
    this.#values.replaceChildren(...rowsOf(observed.slice(0, MOST_VALUES)));
  }

  /**
   * A statechart's tree; what is active is lit, and what the last message did is told.
   *
   * @param {Chart} chart
   */
  #drawChart(chart) {
    const { shown, entry } = this.inspector.moment;
    if (shown?.is !== "known") return;
    const active = activePath(shown.state);
    const message = eventName(entry?.event);
    const rows = chartRows(chart, active, shown.outputs, message);
    const key = JSON.stringify(rows);
    if (key === this.#key) return;
    this.#key = key;
    show(this.#note, false);
    setText(
      this.#title,
      `${visible(active.at(-1) ?? "not started")} after ${formatCount(shown.seq)}`,
    );
    this.#table.replaceChildren(...rows.map((row) => {
      const visit = row.visit === "" ? false : h("span", { class: "chip lit" }, row.visit);
      const messages = row.messages.map(({ name, to, isLast }) =>
        h(
          "span",
          { class: isLast ? "chip lit" : "chip" },
          visible(name),
          to.length > 0 && ` → ${visible(to.join(", "))}`,
        )
      );
      const element = h(
        "div",
        {
          role: "listitem",
          class: `chart-row${row.isActive ? " active" : ""}${row.isCurrent ? " on" : ""}`,
          "aria-current": row.isCurrent ? "true" : undefined,
        },
        h("span", { class: "chart-dot", "aria-hidden": "true" }),
        h("span", { class: "chart-name" }, visible(row.name)),
        row.isActive && h("span", { class: "sr-only" }, "active"),
        visit,
        h("span", { class: "observed-next" }, ...messages),
      );
      element.style.setProperty("--depth", String(row.depth));
      return element;
    }));
  }

  /** @param {string[]} names */
  #draw(names) {
    const observed = observeNames(names);
    setText(
      this.#title,
      `events in the last ${formatCount(names.length)} entries, and what came after each`,
    );
    show(this.#note, observed.length === 0);
    setText(this.#note, "No event has been seen yet.");
    this.#table.replaceChildren(...rowsOf(observed));
  }
}

/** @param {Observed[]} observed */
function rowsOf(observed) {
  const most = Math.max(1, ...observed.map(({ count }) => count));
  return observed.map(({ name, count, next, isLast }) => {
    const meter = h("span", { class: "meter", "aria-hidden": "true" }, h("span", {}));
    if (meter.firstElementChild instanceof HTMLElement) {
      meter.firstElementChild.style.width = `${count / most * 100}%`;
    }
    return h(
      "div",
      { role: "listitem", class: isLast ? "observed-row on" : "observed-row" },
      h("span", { class: "observed-name" }, visible(name)),
      meter,
      h("span", { class: "muted number" }, formatCount(count)),
      h(
        "span",
        { class: "observed-next" },
        ...next.slice(0, 4).map((one) =>
          h(
            "span",
            { class: one.isLast ? "chip lit" : "chip" },
            `→ ${visible(one.name)} `,
            h("b", {}, formatCount(one.count)),
          )
        ),
      ),
    );
  });
}
