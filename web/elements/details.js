/** State, difference, stored line, chart and watched values, as tabs; in narrow windows all panes. */

import { formatCount } from "../base/format.js";
import { MOMENT_TABS, TABS } from "../model/inspector/location.js";
import { h, icon, setAttribute, setText, show } from "./dom.js";
import { View } from "./view.js";
import { DiffView } from "./diff.js";
import { RawView } from "./raw.js";
import { ChartView } from "./chart.js";
import { WatchView } from "./watch.js";
import { StateTreeView } from "./state-tree.js";
import { describe } from "./toolbar.js";

/** @import { Tab } from "../model/inspector/location.js" */
/** @import { KnownMoment } from "../model/timeline/states.js" */
/** @import { ValueAct } from "./value-acts.js" */

/** @type {Record<Tab, string>} */
const TITLES = {
  machines: "Machines",
  events: "Events",
  state: "State",
  diff: "Diff",
  raw: "Raw",
  chart: "Chart",
  watch: "Watch",
  event: "Event",
};

/**
 * A pane that is a tab while the window is narrow.
 *
 * @typedef {object} Guest
 * @property {Tab} tab
 * @property {HTMLElement} element
 * @property {MediaQueryList} isNarrow
 * @property {Comment} place where it stands otherwise
 */

export class DetailsView extends View {
  static define(name = "tt-details") {
    customElements.define(name, DetailsView);
  }

  /** @type {Map<Tab, HTMLButtonElement>} */
  #tabs = new Map();
  /** @type {Map<Tab, HTMLElement>} */
  #panels = new Map();
  /** @type {Guest[]} */
  #guests = [];
  #note = h("div", { class: "pane-note moment-note", hidden: true });
  #noteText = h("p");
  #noteAction = h("button", { type: "button", class: "line" });
  #search = h("input", {
    type: "search",
    "aria-label": "Search in the state",
    title: "Search in the state",
  });
  #searchLine = h("label", { class: "search-line", hidden: true }, icon("search"));
  #state = new StateTreeView();
  #diff = new DiffView();

  build() {
    this.setAttribute("role", "region");
    this.setAttribute("aria-label", "Moment");
    const bar = h("div", { class: "tabs", role: "tablist", "aria-label": "Views of the moment" });
    const panels = h("div", { class: "panels" });
    this.#state.isSeen = () => this.#tab === "state";
    const views = {
      state: this.#state,
      diff: this.#diff,
      raw: new RawView(),
      chart: new ChartView(),
      watch: new WatchView(),
    };
    for (const tab of TABS) {
      const own = MOMENT_TABS.find((name) => name === tab);
      const button = h(
        "button",
        {
          type: "button",
          role: "tab",
          id: `tab-${tab}`,
          "aria-controls": `panel-${tab}`,
          hidden: !own,
        },
        TITLES[tab],
        tab === "watch" && h("span", { class: "chip", hidden: true }),
      );
      button.addEventListener("click", () => this.inspector.setTab(tab));
      this.#tabs.set(tab, button);
      bar.append(button);
      const panel = own ? views[own] : h("div", { class: "guest" });
      if (own) views[own].context = this.context;
      panel.id = `panel-${tab}`;
      panel.setAttribute("role", "tabpanel");
      panel.setAttribute("aria-labelledby", `tab-${tab}`);
      this.#panels.set(tab, panel);
      panels.append(panel);
    }
    bar.addEventListener("keydown", (event) => this.#pressed(event));
    const find = h("button", { type: "button", class: "icon-button" }, icon("search"));
    describe(find, "find-in-state", this.context.isMac);
    find.addEventListener("click", () => this.#toggleSearch());
    this.#searchLine.append(this.#search);
    this.#search.addEventListener("input", () => {
      this.#state.search = this.#search.value;
    });
    this.#search.addEventListener("keydown", (event) => this.#searching(event));
    this.#note.append(this.#noteText, this.#noteAction);
    this.#noteAction.addEventListener("click", () => void this.inspector.moment.compute());
    this.append(
      h("div", { class: "pane-head tab-head" }, bar, h("span", { class: "grow" }), find),
      this.#searchLine,
      this.#note,
      panels,
    );
  }

  /**
   * Makes a pane a tab for as long as the window is narrow.
   *
   * @param {Tab} tab
   * @param {HTMLElement} element
   * @param {number} width in pixels, up to which the window is that
   */
  receive(tab, element, width) {
    const isNarrow = matchMedia(`(max-width: ${width}px)`);
    const place = document.createComment(tab);
    element.before(place);
    const guest = { tab, element, isNarrow, place };
    this.#guests.push(guest);
    isNarrow.addEventListener("change", () => this.#seat(guest));
    this.#seat(guest);
  }

  /** @param {Guest} guest */
  #seat({ tab, element, isNarrow, place }) {
    if (isNarrow.matches) this.#panels.get(tab)?.append(element);
    else place.after(element);
    const button = this.#tabs.get(tab);
    if (button) show(button, isNarrow.matches);
    this.invalidate();
    this.#state.invalidate();
  }

  /** Shows a pane, if it is a tab at present. @param {Tab} tab */
  reveal(tab) {
    if (this.#isOffered(tab)) this.inspector.setTab(tab);
  }

  /** Shows a view of the moment; if it is shown already, the keys act in it. @param {Tab} tab */
  showTab(tab) {
    if (this.#tab !== tab) return this.inspector.setTab(tab);
    const places = this.#panels.get(tab)?.querySelectorAll("[tabindex='0']") ?? [];
    for (const place of places) {
      const canFocus = place instanceof HTMLElement || place instanceof SVGElement;
      if (canFocus && place.checkVisibility()) return place.focus();
    }
  }

  /** @param {Tab} tab */
  #isOffered(tab) {
    return this.#tabs.get(tab)?.hidden === false;
  }

  /** The tab that is shown: a link may name one that only narrow windows have. */
  get #tab() {
    const { tab } = this.inspector.location;
    return this.#isOffered(tab) ? tab : "state";
  }

  #toggleSearch() {
    show(this.#searchLine, this.#searchLine.hidden !== false);
    this.#search.value = "";
    this.#search.dispatchEvent(new Event("input"));
    if (this.#searchLine.hidden) this.#state.focus();
    else this.#search.focus();
  }

  /** Shows the state, and searches it. */
  findInState() {
    this.inspector.setTab("state");
    this.render();
    if (this.#searchLine.hidden) return this.#toggleSearch();
    this.#search.select();
  }

  /** Shows a value of the state. @param {string} path a pointer into the state */
  showValue(path) {
    this.inspector.setTab("state");
    this.render();
    this.#state.select(path);
  }

  /** @param {KeyboardEvent} event in the field of the search */
  #searching(event) {
    if (event.key === "Escape") this.#toggleSearch();
    else if (event.key === "Enter" || event.key === "ArrowDown") this.#state.focus();
    else return;
    // Esc would leave the event editor, too.
    event.preventDefault();
  }

  /** Whether a key is meant for the value that is chosen in the state. */
  get hasFocus() {
    return this.#state.hasFocus;
  }

  /**
   * Does something with the value that is chosen in the state.
   *
   * @param {ValueAct} act
   */
  async act(act) {
    if (this.#tab !== "state") this.inspector.setTab("state");
    // What was hidden takes no focus before it is drawn.
    this.render();
    await this.#state.act(act);
  }

  /** @param {KeyboardEvent} event */
  #pressed(event) {
    const tabs = TABS.filter((tab) => this.#isOffered(tab));
    const here = tabs.indexOf(this.#tab);
    const step =
      { ArrowLeft: -1, ArrowRight: 1, Home: -here, End: tabs.length - 1 - here }[event.key];
    if (step === undefined || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    event.stopPropagation();
    const next = tabs[(here + step + tabs.length) % tabs.length] ?? "state";
    this.inspector.setTab(next);
    this.#tabs.get(next)?.focus();
  }

  render() {
    const tab = this.#tab;
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
    const { shown, seq } = this.inspector.moment;
    const isAwaited = tab === "state" && !shown && (this.inspector.data?.last ?? -1) >= 0;
    const isUnknown = shown?.is === "failed" &&
      (tab === "state" ||
        tab === "diff" && !(shown.code === "disconnected" && this.#diff.comparesTwo));
    const hasNote = isAwaited || isUnknown;
    show(this.#note, hasNote);
    this.#note.classList.toggle("later", isAwaited);
    if (!hasNote) return;
    const { text, action } = shown?.is === "failed"
      ? explain(shown, seq)
      : { text: "Loading the state…", action: undefined };
    const canCompute = action !== undefined && this.inspector.hosts.length > 0;
    const may = this.inspector.source?.capabilities.has("change") ?? false;
    setText(
      this.#noteText,
      canCompute && !may
        ? `${text} This session cannot compute it. To open one that can, run: debugd open`
        : text,
    );
    show(this.#noteAction, canCompute && may);
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
      } was not captured, because the recorder was short of time. A host that runs the reducer can compute it.`,
      action: "Compute it now",
    };
  }
  if (failure.code === "no-host") {
    return {
      text:
        "No host can run this machine, so the state cannot be computed. To fix, call ReducerHost.runIfAsked(…) first in the program's main, and run the program.",
      action: undefined,
    };
  }
  if (failure.code === "disconnected") {
    return {
      text: "The daemon is not connected, and this state was not loaded before.",
      action: undefined,
    };
  }
  return { text: failure.message, action: undefined };
}
