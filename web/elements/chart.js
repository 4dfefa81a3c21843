/** The states of a machine as a diagram; of other machines, which event followed which. */

import { Newest } from "../base/newest.js";
import { eventName } from "../base/event-name.js";
import { formatCount, formatNumbered } from "../base/format.js";
import { pathText, readPointer } from "../base/pointer.js";
import { shorten, shortenMiddle, visible } from "../base/text.js";
import { observeNames, valuesInOrder } from "../model/chart/observed.js";
import { observeCases, observeChart } from "../model/chart/state-steps.js";
import {
  activePath,
  caseGraph,
  chartGraph,
  chartTraversals,
  stateId,
  visitsIn,
} from "../model/chart/state-graph.js";
import { readChart } from "../wire/chart.js";
import { h, setText, show } from "./dom.js";
import { StateDiagram } from "./state-diagram.js";
import { View } from "./view.js";

/** @import { Chart } from "../wire/chart.js" */
/** @import { Entry } from "../wire/entry.js" */
/** @import { Cases, Steps } from "../model/chart/state-steps.js" */
/** @import { Observed } from "../model/chart/observed.js" */

/** Entries before the cursor that the graph is made from. */
const WINDOW = 1_000;

/** Values that are listed, the most frequent ones: a counter has another one at every entry. */
const MAXIMUM_VALUES = 50;

/** Characters of an event's name. */
const MAXIMUM_NAME = 200;

/** Characters of the name of an event that came next. */
const NEXT_NAME = 24;

export class ChartView extends View {
  static define(name = "tt-chart") {
    customElements.define(name, ChartView);
  }

  #graphTitle = h("div", { class: "graph-title", hidden: true });
  #diagram = new StateDiagram((seq) => this.inspector.goTo(seq, { isJump: true }));
  #title = h("div", { class: "tree-title" });
  #table = h("div", {
    class: "observed",
    role: "list",
    tabindex: 0,
    "aria-label": "Events, and the next event of each",
  });
  #valuesTitle = h("div", { class: "tree-title", hidden: true });
  #values = h("div", {
    class: "observed values",
    role: "list",
    tabindex: 0,
    hidden: true,
    "aria-label": "The values of the pinned path, and the next value of each",
  });
  #note = h("p", { class: "pane-note", hidden: true });
  #key = "";
  /** @type {string | undefined} */
  #timeline;
  /** What failed, and by which connection: by another one it may be had. @type {{ key: string, connection: unknown } | undefined} */
  #failed;
  #asked = new Newest();
  /** The entries that the counts are from. @type {{ timeline: string, seen: Steps } | undefined} */
  #steps;

  build() {
    this.#diagram.element.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      // Esc would leave the event editor, too.
      event.preventDefault();
      this.context.run("focus-events");
    });
    this.append(
      this.#graphTitle,
      this.#diagram.element,
      this.#title,
      this.#table,
      this.#note,
      this.#valuesTitle,
      this.#values,
    );
  }

  render() {
    const { data, cursor, source, connection } = this.inspector;
    if (this.inspector.location.tab !== "chart") return;
    if (data?.id !== this.#timeline) {
      this.#timeline = data?.id;
      this.#key = "";
      this.#clear();
    }
    if (!data || !source || data.last < 0) return;
    const chart = readChart(data.summary.header.chart);
    const path = this.inspector.pin?.path;
    if (path === undefined) this.#hideValues();
    if (chart) this.#drawChart(chart);
    const { shown } = this.inspector.moment;
    const key = `${data.id} ${cursor} ${path ?? ""} ${!chart && shown?.is === "known"}`;
    const canRetry = this.#failed?.key === key && this.#failed.connection !== connection;
    if (key === this.#key && !canRetry) return;
    this.#key = key;
    this.#failed = undefined;
    this.#asked.do(() => this.#load(key, data.id, cursor, path));
  }

  /** Hides what was drawn: it is of another timeline, or of another entry than the one that failed. */
  #clear() {
    const drawn = [this.#graphTitle, this.#diagram.element, this.#title, this.#table, this.#note];
    for (const part of drawn) show(part, false);
    this.#hideValues();
  }

  #hideValues() {
    for (const part of [this.#valuesTitle, this.#values]) show(part, false);
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
    let isDrawn = false;
    try {
      const reply = await this.inspector.source?.ask({
        type: "entries",
        timeline,
        from: cursor,
        count: WINDOW,
        direction: "backward",
      });
      if (!reply || !this.#isWanted(timeline)) return;
      const entries = reply.entries.toReversed();
      if (await this.#loadStates(timeline, entries, path)) return;
      this.#draw(entries.map((entry) => eventName(entry.event) ?? ""));
      isDrawn = true;
      if (path !== undefined) await this.#loadValues(timeline, cursor, path);
    } catch (error) {
      // Another entry is asked for already.
      if (key !== this.#key) return;
      this.#failed = { key, connection };
      if (isDrawn) this.#hideValues();
      else this.#clear();
      show(this.#note, true);
      setText(this.#note, error instanceof Error ? error.message : "The line could not be loaded.");
      // A statechart needs no answer, and the connection may be another one by now.
      this.render();
    }
  }

  /** Whether what is observed of a timeline is still to be shown. @param {string} timeline */
  #isWanted(timeline) {
    return this.inspector.data?.id === timeline;
  }

  /**
   * Which states the entries led through: of a chart, or of a value that has cases.
   *
   * @param {string} timeline
   * @param {readonly Entry[]} entries
   * @param {string | undefined} pinned
   * @returns {Promise<boolean>} whether that is all there is to show
   */
  async #loadStates(timeline, entries, pinned) {
    const { source, data, moment: { shown } } = this.inspector;
    const chart = readChart(data?.summary.header.chart);
    if (!source) return false;
    if (chart) {
      const seen = await observeChart(source, timeline, entries);
      if (!this.#isWanted(timeline)) return true;
      show(this.#note, false);
      this.#steps = { timeline, seen };
      this.#drawChart(chart);
      return true;
    }
    const state = shown?.is === "known" ? shown.state : undefined;
    const cases = await observeCases(source, timeline, entries, state, pinned);
    if (this.#isWanted(timeline)) this.#drawCases(cases);
    return false;
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
    const isCut = observed.length > MAXIMUM_VALUES;
    setText(
      this.#valuesTitle,
      `${name}: ${changes} from ${formatCount(from)} to ${formatCount(cursor)}${
        isCut
          ? `; the ${MAXIMUM_VALUES} most frequent of ${formatCount(observed.length)} values`
          : ""
      }`,
    );
    this.#values.replaceChildren(...rowsOf(observed.slice(0, MAXIMUM_VALUES)));
    for (const part of [this.#valuesTitle, this.#values]) show(part, true);
  }

  /**
   * A statechart: its active path is lit, and the edges that entries took are counted.
   *
   * @param {Chart} chart
   */
  #drawChart(chart) {
    const { shown, entry } = this.inspector.moment;
    if (shown?.is !== "known") return;
    const { data } = this.inspector;
    const seen = this.#steps?.timeline === data?.id ? this.#steps?.seen : undefined;
    const active = activePath(shown.state);
    const graph = chartGraph(chart, seen ? chartTraversals(chart, seen.steps) : []);
    this.#showGraph(
      `${visible(active.at(-1) ?? "not started")} after ${formatCount(shown.seq)}`,
      seen,
    );
    this.#diagram.show(graph, {
      active: active.map((_, index) => stateId(active.slice(0, index + 1))),
      seq: entry?.seq,
      visits: visitsIn(shown.outputs),
    }, "Statechart");
  }

  /** @param {Cases | undefined} cases of a value of the state; nothing when none has cases */
  #drawCases(cases) {
    show(this.#graphTitle, cases !== undefined);
    show(this.#diagram.element, cases !== undefined);
    if (!cases) return;
    const { steps, path } = cases;
    const last = steps.at(-1);
    const name = visible(pathText((readPointer(path) ?? []).slice(1)) || "the state");
    this.#showGraph(`${name} is ${visible(last?.at[0] ?? "unknown")}; inferred`, cases);
    this.#diagram.show(caseGraph(steps), {
      active: last && last.at.length > 0 ? [stateId(last.at)] : [],
      seq: last?.seq,
      visits: new Map(),
    }, `State diagram of ${name}, inferred from the entries`);
  }

  /**
   * @param {string} title
   * @param {Steps | undefined} seen what the counts are from
   */
  #showGraph(title, seen) {
    show(this.#graphTitle, true);
    show(this.#diagram.element, true);
    const [first, last] = [seen?.steps.at(0)?.seq, seen?.steps.at(-1)?.seq];
    const counted = first === undefined || last === undefined
      ? ""
      : ` · counts from entry ${formatCount(first)} to ${formatCount(last)}`;
    setText(this.#graphTitle, `${title}${counted}`);
  }

  /** @param {string[]} names */
  #draw(names) {
    const observed = observeNames(names);
    setText(
      this.#title,
      `events in the last ${formatCount(names.length)} entries, and what came after each`,
    );
    show(this.#note, observed.length === 0);
    setText(this.#note, "No events yet.");
    this.#table.replaceChildren(...rowsOf(observed));
    for (const part of [this.#title, this.#table]) show(part, true);
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
      h("span", { class: "observed-name" }, visible(shorten(name, MAXIMUM_NAME))),
      meter,
      h("span", { class: "muted number" }, formatCount(count)),
      h(
        "span",
        { class: "observed-next" },
        ...next.slice(0, 4).map((one) =>
          h(
            "span",
            {
              class: one.isLast ? "chip lit" : "chip",
              title: one.name.length > NEXT_NAME
                ? visible(shorten(one.name, MAXIMUM_NAME))
                : undefined,
            },
            `→ ${visible(shortenMiddle(one.name, NEXT_NAME))} `,
            h("b", {}, formatCount(one.count)),
          )
        ),
      ),
    );
  });
}
