/** Time travel on the page: its elements and its windows. */

import { visible } from "../base/text.js";
import { TimeTravel } from "../model/inspector/time-travel.js";
import { BranchesView } from "../elements/branches.js";
import { BranchStripView } from "../elements/branch-strip.js";
import { CompareView } from "../elements/compare.js";
import { CoverageView } from "../elements/coverage.js";
import { EntryMenuView } from "../elements/entry-menu.js";
import { EventEditorView } from "../elements/event-editor.js";
import { ExplainView } from "../elements/explain.js";
import { ExploreView } from "../elements/explore.js";
import { ExportView } from "../elements/export.js";
import { GrowthView } from "../elements/growth.js";
import { HostsView } from "../elements/hosts.js";
import { InvariantsView } from "../elements/invariants.js";
import { JobsView } from "../elements/jobs.js";
import { LiveStripView } from "../elements/live-strip.js";
import { ProveView } from "../elements/prove.js";
import { RecordingStripView } from "../elements/recording-strip.js";
import { RunView } from "../elements/run.js";
import { SessionsView } from "../elements/sessions.js";
import { h } from "../elements/dom.js";
import { saveFile } from "./downloads.js";

/** @import { Context, View } from "../elements/view.js" */
/** @import { Windows } from "../elements/window.js" */
/** @import { Inspector } from "../model/inspector/inspector.js" */

/** The elements that this adds to the page's. */
export const TRAVEL_VIEWS = [
  BranchesView,
  BranchStripView,
  CompareView,
  CoverageView,
  EntryMenuView,
  EventEditorView,
  ExplainView,
  ExploreView,
  ExportView,
  GrowthView,
  HostsView,
  InvariantsView,
  JobsView,
  LiveStripView,
  ProveView,
  RecordingStripView,
  RunView,
  SessionsView,
];

const HISTORY_KEY = "inspector.trail";

/**
 * @param {Inspector} inspector
 */
export function makeTimeTravel(inspector) {
  return new TimeTravel(inspector, {
    now: () => Date.now(),
    later: (call, milliseconds) => void setTimeout(call, milliseconds),
    // A tab's own: two tabs on one timeline undo each their own edits.
    kept: sessionStorage.getItem(HISTORY_KEY),
    keep: (history) => sessionStorage.setItem(HISTORY_KEY, history),
  });
}

const PAUSED_KEY = "inspector.paused";

/**
 * A page that is closed or reloaded loses control, so its machines resume: the next page of the tab
 * says so.
 *
 * @param {Inspector} inspector
 * @param {TimeTravel} timeTravel
 */
export function reportResumedMachines(inspector, { control }) {
  const names = sessionStorage.getItem(PAUSED_KEY);
  sessionStorage.removeItem(PAUSED_KEY);
  if (names) inspector.notify("warning", `The page was reloaded, so ${names} resumed.`);
  globalThis.addEventListener("pagehide", () => {
    const paused = control.holding.map((id) =>
      visible(inspector.summaries.get(id)?.header.machine.name ?? "a machine")
    );
    if (paused.length > 0) sessionStorage.setItem(PAUSED_KEY, paused.join(", "));
  });
}

/** The windows and strips of the page: known to all its elements before they are made. */
export class TravelElements {
  #live = new LiveStripView();
  #recording = new RecordingStripView();
  #branch = new BranchStripView();
  #jobs = new JobsView();
  /** Those that were open, by their classes: most are not, in most visits. @type {Map<unknown, View>} */
  #windows = new Map();
  /** @type {Context | undefined} */
  #context;
  /** @readonly @type {Windows} */
  windows = {
    branches: () => this.#window(BranchesView).open(),
    compare: (a, b) => this.#window(CompareView).open(a, b),
    hosts: () => this.#window(HostsView).open(),
    sessions: () => this.#window(SessionsView).open(),
    exporting: (failure) => {
      const exporting = this.#window(ExportView);
      exporting.save = saveFile;
      exporting.open(failure);
    },
    prove: (what) => this.#window(ProveView).open(what),
    explain: () => this.#window(ExplainView).open(),
    explore: (condition) => this.#window(ExploreView).open(condition),
    invariants: () => this.#window(InvariantsView).open(),
    run: () => this.#window(RunView).open(),
    coverage: () => this.#window(CoverageView).open(),
    growth: () => this.#window(GrowthView).open(),
    entryMenu: (seq, x, y) => this.#window(EntryMenuView).open(seq, x, y),
  };

  /**
   * The elements, ready to be shown.
   *
   * @param {Context} context
   * @returns {{ strips: HTMLElement, jobs: View }} the elements above the timeline, and above everything
   */
  put(context) {
    this.#context = context;
    const strips = [this.#live, this.#recording, this.#branch];
    for (const view of [...strips, this.#jobs]) view.context = context;
    return { strips: h("div", { class: "strips" }, ...strips), jobs: this.#jobs };
  }

  /**
   * The window of a class; made when it is first opened.
   *
   * @template {View} Window
   * @param {new () => Window} Class
   * @returns {Window}
   */
  #window(Class) {
    const held = this.#windows.get(Class);
    if (held instanceof Class) return held;
    const made = new Class();
    if (this.#context) made.context = this.#context;
    this.#windows.set(Class, made);
    document.body.append(made);
    return made;
  }
}

/**
 * Opens the menu of the entry at the cursor, at its row.
 *
 * @param {Context} context
 */
export function showEntryMenu({ inspector, windows }) {
  const row = document.querySelector(".row.on");
  const { left = 40, bottom = 200 } = row?.getBoundingClientRect() ?? {};
  if (inspector.data) windows.entryMenu(inspector.cursor, left + 40, bottom);
}
