/** State, difference, stored line, chart and watched values, as tabs. */

import { formatCount } from "../base/format.js";
import { TABS } from "../model/location.js";
import { h, icon, setAttribute, setText, show } from "./dom.js";
import { View } from "./view.js";
import { DiffView } from "./diff.js";
import { RawView } from "./raw.js";
import { ChartView } from "./chart.js";
import { WatchView } from "./watch.js";
import { StateTreeView } from "./state-tree.js";

/** @import { Tab } from "../model/location.js" */
/** @import { KnownMoment } from "../model/states.js" */

/** @type {Record<Tab, string>} */
const TITLES = { state: "State", diff: "Diff", raw: "Raw", chart: "Chart", watch: "Watch" };

export class DetailsView extends View {
  static define(name = "tt-details") {
    customElements.define(name, DetailsView);
  }

  /** @type {Map<Tab, HTMLButtonElement>} */
  #tabs = new Map();
  /** @type {Map<Tab, View>} */
  #panels = new Map();
  #note = h("div", { class: "pane-note moment-note", hidden: true });
  #noteText = h("p");
  #noteAction = h("button", { type: "button", class: "line" });
  #search = h("input", {
    type: "search",
    "aria-label": "Search in the state",
    title: "Search in the state",
  });
  #searchLine = h("label", { class: "search-line", hidden: true }, icon("search"));

  build() {
    this.setAttribute("role", "region");
    this.setAttribute("aria-label", "Moment");
    const bar = h("div", { class: "tabs", role: "tablist", "aria-label": "Views of the moment" });
    const panels = h("div", { class: "panels" });
    /** @type {Record<Tab, View>} */
    const views = {
      state: new StateTreeView(),
      diff: new DiffView(),
      raw: new RawView(),
      chart: new ChartView(),
      watch: new WatchView(),
    };
    for (const tab of TABS) {
      const button = h(
        "button",
        { type: "button", role: "tab", id: `tab-${tab}`, "aria-controls": `panel-${tab}` },
        TITLES[tab],
        tab === "watch" && h("span", { class: "chip", hidden: true }),
      );
      button.addEventListener("click", () => this.inspector.setTab(tab));
      this.#tabs.set(tab, button);
      bar.append(button);
      const view = views[tab];
      view.context = this.context;
      view.id = `panel-${tab}`;
      view.setAttribute("role", "tabpanel");
      view.setAttribute("aria-labelledby", `tab-${tab}`);
      this.#panels.set(tab, view);
      panels.append(view);
    }
    bar.addEventListener("keydown", (event) => this.#pressed(event));
    const find = h("button", {
      type: "button",
      class: "icon-button",
      title: "Search in the state",
      "aria-label": "Search in the state",
    }, icon("search"));
    find.addEventListener("click", () => this.#toggleSearch());
    this.#searchLine.append(this.#search);
    this.#search.addEventListener("input", () => {
      if (views.state instanceof StateTreeView) views.state.search = this.#search.value;
    });
    this.#search.addEventListener(
      "keydown",
      (event) => event.key === "Escape" && this.#toggleSearch(),
    );
    this.#note.append(this.#noteText, this.#noteAction);
    this.#noteAction.addEventListener("click", () => void this.inspector.moment.compute());
    this.append(
      h("div", { class: "pane-head tab-head" }, bar, h("span", { class: "grow" }), find),
      this.#searchLine,
      this.#note,
      panels,
    );
  }

  #toggleSearch() {
    show(this.#searchLine, this.#searchLine.hidden !== false);
    this.#search.value = "";
    this.#search.dispatchEvent(new Event("input"));
    if (!this.#searchLine.hidden) this.#search.focus();
  }

  /** @param {KeyboardEvent} event */
  #pressed(event) {
    const here = TABS.indexOf(this.inspector.location.tab);
    const step =
      { ArrowLeft: -1, ArrowRight: 1, Home: -here, End: TABS.length - 1 - here }[event.key];
    if (step === undefined || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    event.stopPropagation();
    const next = TABS[(here + step + TABS.length) % TABS.length] ?? "state";
    this.inspector.setTab(next);
    this.#tabs.get(next)?.focus();
  }

  render() {
    const { tab } = this.inspector.location;
    for (const [name, button] of this.#tabs) {
      const isOn = name === tab;
      setAttribute(button, "aria-selected", String(isOn));
      setAttribute(button, "tabindex", isOn ? 0 : -1);
      const panel = this.#panels.get(name);
      if (panel) show(panel, isOn);
    }
    const watched = this.inspector.watch?.paths.length ?? 0;
    const chip = this.#tabs.get("watch")?.querySelector(".chip");
    if (chip instanceof HTMLElement) {
      show(chip, watched > 0);
      setText(chip, String(watched));
    }
    this.#renderNote(tab);
  }

  /** @param {Tab} tab */
  #renderNote(tab) {
    const { shown, isLoading, seq } = this.inspector.moment;
    const hasNote = (tab === "state" || tab === "diff") && shown?.is === "failed";
    this.classList.toggle("stale", isLoading && !this.inspector.isFollowing);
    show(this.#note, hasNote);
    if (!hasNote) return;
    const { text, action } = explain(shown, seq);
    setText(this.#noteText, text);
    show(this.#noteAction, action !== undefined && this.inspector.hosts.length > 0);
    setText(this.#noteAction, action ?? "");
  }
}

/**
 * Why there is no state, and what to do.
 *
 * @param {Extract<KnownMoment, { is: "failed" }>} failure
 * @param {number} seq
 */
function explain(failure, seq) {
  if (failure.code === "thinned") {
    return {
      text: `The state after ${
        formatCount(seq)
      } was not captured: the app had no time for it. A host that runs the reducer can compute it.`,
      action: "Compute it now",
    };
  }
  if (failure.code === "no-host") {
    return {
      text:
        "No host can run this machine, so the state cannot be computed. To fix, call ReducerHost.runIfAsked first in the app's main, and run the app.",
      action: undefined,
    };
  }
  if (failure.code === "disconnected") {
    return {
      text: "The daemon is not connected; this state was not loaded before it went.",
      action: undefined,
    };
  }
  return { text: failure.message, action: undefined };
}
