/** Time travel on the page: its elements, its windows and its commands. */

import { TimeTravel } from "./model/time-travel.js";
import { BranchesView } from "./elements/branches.js";
import { BranchStripView } from "./elements/branch-strip.js";
import { CompareView } from "./elements/compare.js";
import { EntryMenuView } from "./elements/entry-menu.js";
import { EventEditorView } from "./elements/event-editor.js";
import { ExportView } from "./elements/export.js";
import { HostsView } from "./elements/hosts.js";
import { JobsView } from "./elements/jobs.js";
import { LiveStripView } from "./elements/live-strip.js";
import { ProveView } from "./elements/prove.js";
import { SessionsView } from "./elements/sessions.js";
import { h } from "./elements/dom.js";
import { saveFile } from "./downloads.js";

/** @import { Context, View } from "./elements/view.js" */
/** @import { Windows } from "./elements/window.js" */
/** @import { Inspector } from "./model/inspector.js" */

/** The elements that this adds to the page's. */
export const TRAVEL_VIEWS = [
  BranchesView,
  BranchStripView,
  CompareView,
  EntryMenuView,
  EventEditorView,
  ExportView,
  HostsView,
  JobsView,
  LiveStripView,
  ProveView,
  SessionsView,
];

const TRAIL_KEY = "inspector.trail";

/**
 * @param {Inspector} inspector
 */
export function makeTimeTravel(inspector) {
  return new TimeTravel(inspector, {
    now: () => Date.now(),
    later: (call, milliseconds) => void setTimeout(call, milliseconds),
    // A tab's own: two tabs on one timeline undo each their own edits.
    kept: sessionStorage.getItem(TRAIL_KEY),
    keep: (trail) => sessionStorage.setItem(TRAIL_KEY, trail),
  });
}

/** The windows and strips of the page: known to all its elements before they are made. */
export class TravelElements {
  #live = new LiveStripView();
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
    entryMenu: (seq, x, y) => this.#window(EntryMenuView).open(seq, x, y),
  };

  /**
   * The elements, ready to be shown.
   *
   * @param {Context} context
   * @returns {{ strips: HTMLElement, jobs: View }} what stands above the timeline, and above all
   */
  put(context) {
    this.#context = context;
    for (const view of [this.#live, this.#branch, this.#jobs]) view.context = context;
    return { strips: h("div", { class: "strips" }, this.#live, this.#branch), jobs: this.#jobs };
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
 * The commands that change the past, drive the live app and prove things.
 *
 * @param {Context} context
 * @param {() => void} showEvent shows the event's pane, where it is not in view
 * @returns {Record<string, () => unknown>}
 */
export function travelActions({ inspector, timeTravel, windows }, showEvent) {
  const { forking, rewriting, driving, control } = timeTravel;
  const compareWith = (/** @type {string | undefined} */ other) => {
    const id = inspector.data?.id;
    if (id !== undefined && other !== undefined) windows.compare(other, id);
    else {inspector.notify(
        "info",
        "This timeline is no branch: there is nothing to compare it with.",
      );}
  };
  const menuAtCursor = () => {
    const row = document.querySelector(".row.on");
    const { left = 40, bottom = 200 } = row?.getBoundingClientRect() ?? {};
    if (inspector.data) windows.entryMenu(inspector.cursor, left + 40, bottom);
  };
  const edit = async (/** @type {import("./model/event-draft.js").DraftMode} */ mode) => {
    await rewriting.edit(mode);
    if (rewriting.draft) showEvent();
  };
  return {
    "undo": () => forking.undo(),
    "redo": () => forking.redo(),
    "skip": () => rewriting.skip(),
    "skip-caused": () => rewriting.skipCaused(),
    "sweep": () => rewriting.sweep(),
    "undo-to-here": () => rewriting.undoToHere(),
    "start-here": () => rewriting.startHere(),
    "repeat": () => rewriting.repeat(),
    "redispatch": () => rewriting.redispatch(),
    "move-earlier": () => rewriting.move(-1),
    "move-later": () => rewriting.move(1),
    "edit": () => edit("replace"),
    "insert-before": () => edit("before"),
    "insert-after": () => edit("after"),
    "fork": () => rewriting.applyDraft(),
    "compute": () => rewriting.compute(),
    "recompute": async () => {
      const id = inspector.data?.id;
      const made = id === undefined ? undefined : await forking.recompute(id);
      if (id !== undefined && made !== undefined) windows.compare(id, made);
    },
    "branches": () => windows.branches(),
    "compare-parent": () =>
      compareWith(
        inspector.summary?.header.parent?.timeline ??
          [...inspector.summaries.values()].find(({ header }) =>
            header.parent?.timeline === inspector.data?.id
          )?.header.timeline,
      ),
    "hosts": () => windows.hosts(),
    "sessions": () => windows.sessions(),
    "hold": () => hold(),
    "hold-refuse": () => driving.hold("refuse"),
    "take-over": () => driving.hold("queue", { take: true }),
    "live-resume": () => driving.resume(),
    "live-step": () => driving.step(),
    "live-restore": () => driving.restore(),
    "live-send": () => driving.sendLive(),
    "pause-recording": () => driving.capture(true),
    "go-on-recording": () => driving.capture(false),
    "export": () => windows.exporting(),
    "verify": () => windows.prove("verify"),
    "minimise": () => windows.prove("minimise"),
    "entry-menu": menuAtCursor,
  };

  /** Holds, or lets go: one key for both. */
  function hold() {
    const timeline = driving.summary?.header.timeline;
    if (control.heldOf(timeline)) return driving.resume();
    const told = timeline === undefined ? undefined : control.toldOf(timeline);
    if (told?.held && !told.yours) {
      return inspector.notify(
        "warning",
        `${told.holder ?? "Another inspector"} holds the machine. To hold it here, take it over.`,
      );
    }
    return driving.hold("queue");
  }
}
