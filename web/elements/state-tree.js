/** The state as a virtual tree: what the entry changed is marked and opened. */

import { range, RowSpace } from "../base/rows.js";
import { formatCount } from "../base/format.js";
import { lookUp, readPointer } from "../base/pointer.js";
import { visible } from "../base/text.js";
import {
  flattenTree,
  pathsToChanges,
  searchNote,
  searchTree,
  smallContainers,
} from "../model/state/tree.js";
import { stateName, wholeText } from "../model/state/whole-state.js";
import { Beat } from "./beat.js";
import { h, setAttribute, setText, show } from "./dom.js";
import { onPress } from "./press.js";
import { layerOf, RowPool } from "./row-pool.js";
import { linesOf } from "./state-lines.js";
import { StateRow, valueOf } from "./state-row.js";
import { actOnValue } from "./value-acts.js";
import { ValueLines } from "./value-lines.js";
import { ValueMenu } from "./value-menu.js";
import { View } from "./view.js";

/** @import { Json } from "../base/json-types.d.ts" */
/** @import { TreeRow } from "../model/state/tree.js" */
/** @import { ValueAct } from "./value-acts.js" */

const ROW_HEIGHT = 22;

/** The width with sparklines, in pixels. */
const MINIMUM_WIDTH = 340;

export class StateTreeView extends View {
  static define(name = "tt-state-tree") {
    customElements.define(name, StateTreeView);
  }

  /** Holds the rows, each at its own place: when the tree scrolls, this alone is moved. */
  #layer = h("div", { class: "rows", role: "presentation" });
  /** Draws how the values of the rows change. */
  #lines = new ValueLines(this.#layer, ROW_HEIGHT, () => this.invalidate());
  #sizer = h("div", { class: "sizer", role: "presentation" }, this.#layer);
  #tree = h(
    "div",
    { class: "tree", role: "tree", tabindex: 0, "aria-label": "State" },
    this.#sizer,
  );
  #beat = new Beat(this.#tree);
  /** Whether its tab is the one that is shown. */
  isSeen = () => true;
  #menu = new ValueMenu(() => this.focus());
  #title = h("div", { class: "tree-title" });
  /** What a search found, where its rows alone do not say so. */
  #note = h("p", { class: "pane-note", role: "status", hidden: true });
  #said = "";
  /** @type {RowPool<StateRow>} */
  #pool = new RowPool((index) => this.#makeRow(index));
  /** What the reader opened or closed, above what opens by itself. @type {Map<string, boolean>} */
  #chosen = new Map();
  /** @type {TreeRow[]} */
  #rows = [];
  #active = "";
  /** Whether it had the focus when it was hidden. */
  #hadFocus = false;
  #search = "";
  /** What the rows were made of. @type {unknown[]} */
  #made = [];
  /** What is open because it changed. @type {{ data: unknown, paths: Set<string> }} */
  #opened = { data: undefined, paths: new Set() };
  #space = new RowSpace(0, ROW_HEIGHT, 0);
  #viewHeight = 0;
  #scrollTop = 0;
  /** The top of the layer. */
  #top = NaN;

  build() {
    this.append(this.#note, this.#title, this.#tree, this.#menu.element);
    this.#tree.addEventListener("contextmenu", (event) => this.#menuWanted(event));
    this.#tree.addEventListener("scroll", () => {
      this.#scrollTop = this.#tree.scrollTop;
      this.invalidate();
    }, { passive: true });
    this.#tree.addEventListener("keydown", (event) => this.#pressed(event));
    onPress(this.#sizer, valueOf, (what, event) => {
      if (!this.#lines.travel(event, this.inspector)) this.#clicked(what);
    });
    // Asking the element itself would lay the page out in the middle of a frame.
    new ResizeObserver(() => {
      const before = this.#viewHeight;
      this.#viewHeight = this.#tree.clientHeight;
      // Where there is little room, the values themselves get it.
      this.#tree.classList.toggle("narrow", this.#tree.clientWidth < MINIMUM_WIDTH);
      this.#scrollTop = this.#tree.scrollTop;
      this.resized(before);
    }).observe(this.#tree);
  }

  /** Shows only rows whose key or value has the text. @param {string} text */
  set search(text) {
    this.#search = text.trim().toLowerCase();
    this.invalidate();
  }

  /** @param {{ path: string, act: string | undefined, folds: boolean }} what */
  #clicked({ path, act, folds }) {
    this.#active = path;
    if (act !== undefined) void actOnValue(act, "/state" + path, this.inspector);
    else if (folds) this.#toggle(path);
    this.invalidate();
  }

  /** Whether a key is meant for the chosen value. */
  get hasFocus() {
    return document.activeElement === this.#tree;
  }

  /**
   * Does something with the value that is chosen. Without the focus, that is the one whose row shows
   * its buttons; where none does, the tree gets the focus, and the reader chooses.
   *
   * @param {ValueAct} act
   */
  async act(act) {
    const isChosen = this.hasFocus || this.#chooseShown();
    this.focus();
    if (isChosen && act === "ask") return this.#ask();
    if (isChosen) return await actOnValue(act, "/state" + this.#active, this.inspector);
    this.inspector.notify(
      "info",
      "First select a value of the state or an output with ↑ and ↓, or point at one.",
    );
  }

  /** Chooses the row that shows its buttons without the focus, if there is one. */
  #chooseShown() {
    const row = this.#tree.querySelector(".tree-row:hover") ??
      this.#tree.querySelector(".tree-row.active[data-mark='changed']");
    if (!(row instanceof HTMLElement)) return false;
    this.#active = row.dataset.path ?? "";
    return true;
  }

  /** Selects a value, opened up to it. @param {string} path */
  select(path) {
    for (let end = path.lastIndexOf("/"); end > 0; end = path.lastIndexOf("/", end - 1)) {
      this.#chosen.set(path.slice(0, end), true);
    }
    this.#active = path;
    this.render();
    this.focus();
  }

  /** @param {MouseEvent} event also of the key for menus */
  #menuWanted(event) {
    const row = event.target instanceof Element ? event.target.closest("[data-path]") : null;
    if (row instanceof HTMLElement) this.#active = row.dataset.path ?? "";
    else if (document.activeElement !== this.#tree) return;
    event.preventDefault();
    this.#ask(row ? { x: event.clientX, y: event.clientY } : undefined);
  }

  /** Opens the questions about the chosen value. @param {{ x: number, y: number }} [place] */
  #ask(place) {
    const { shown, before } = this.inspector.moment;
    if (shown?.is !== "known") return;
    const tokens = readPointer(this.#active) ?? [];
    this.#menu.open(
      this.inspector,
      {
        pointer: "/state" + this.#active,
        value: lookUp(shown.state, tokens),
        isSetHere: this.#rows.some(({ path, mark }) => path === this.#active && mark !== ""),
        before: before?.is === "known" ? lookUp(before.state, tokens) : undefined,
      },
      this.#tree.querySelector(".tree-row.active") ?? this.#tree,
      place,
    );
    this.invalidate();
  }

  /** Puts the focus on the tree, with what is chosen in view. */
  focus() {
    this.#tree.focus({ preventScroll: true });
    this.#reveal(this.#rows.findIndex(({ path }) => path === this.#active));
    this.invalidate();
  }

  /** @param {number} row */
  #reveal(row) {
    const offset = this.#space.offsetAt(this.#tree.scrollTop);
    this.#tree.scrollTop = this.#space.scrollTopAt(
      this.#space.revealing(Math.max(row, 0), offset, 1),
    );
  }

  /** @param {string} path */
  #toggle(path) {
    const row = this.#rows.find((one) => one.path === path);
    if (!row?.canOpen) return;
    if (!row.isMore) this.#chosen.set(path, !row.isOpen);
    const { shown } = this.inspector.moment;
    if (!row.isOpen && row.look === "cut" && shown?.is === "known") {
      const whole = row.isMore ? path.slice(0, path.lastIndexOf("/")) : path;
      void this.#load(shown.seq, "/state" + whole);
    }
  }

  /**
   * @param {number} seq
   * @param {string} pointer
   */
  async #load(seq, pointer) {
    try {
      const isHere = await this.inspector.data?.states.fetchPart(seq, pointer);
      if (isHere === false) {
        this.inspector.notify(
          "info",
          "The value is too large to show here. An export has all of it.",
        );
      }
    } catch (error) {
      this.inspector.report(error);
    }
    this.#made = [];
    this.invalidate();
  }

  /** @param {KeyboardEvent} event */
  #pressed(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    // A key that comes before the next frame moves through what the one before it folded.
    this.#makeRows();
    const at = Math.max(0, this.#rows.findIndex(({ path }) => path === this.#active));
    const row = this.#rows[at];
    const page = this.#space.page - 1;
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page }[event.key];
    if (step !== undefined) {
      const next = Math.min(Math.max(at + step, 0), this.#rows.length - 1);
      this.#active = this.#rows[next]?.path ?? "";
      this.#reveal(next);
    } else if (event.key === "Enter" && row) {
      if (row.canOpen) this.#toggle(row.path);
    } else if (
      (event.key === "ArrowRight" || event.key === "ArrowLeft") && row && row.canOpen &&
      row.isOpen === (event.key === "ArrowLeft")
    ) {
      // Otherwise the arrows travel through the recording.
      this.#toggle(row.path);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
    this.invalidate();
  }

  render() {
    const { inspector } = this;
    const { shown, before } = inspector.moment;
    const isKnown = shown?.is === "known";
    show(this.#title, isKnown);
    this.#showTree(isKnown);
    if (!isKnown) return show(this.#note, false);
    const type = visible(stateName(inspector.summary?.header.machine));
    const old = before?.is === "known" ? before.state : undefined;
    const title = `${type} after ${formatCount(shown.seq)}${shown.computed ? ", computed" : ""}`;
    setText(this.#title, title + visible(wholeText(shown.state, old)));
    this.#makeRows();
    show(this.#note, this.#said !== "");
    setText(this.#note, this.#said);
    const height = `${this.#space.height}px`;
    if (this.#sizer.style.height !== height) this.#sizer.style.height = height;
    if (!this.#rows.some(({ path }) => path === this.#active)) {
      this.#active = this.#rows[0]?.path ?? "";
    }
    const drawn = this.#renderRows();
    this.#beat.show(shown.seq);
    this.#lines.render(inspector, linesOf(drawn, shown.state), this.isSeen());
  }

  #renderRows() {
    const drawn = this.#space.window(this.#space.offsetAt(this.#scrollTop));
    const { base, top } = layerOf(drawn, ROW_HEIGHT);
    if (this.#top !== top) {
      this.#top = top;
      this.#layer.style.transform = `translateY(${top}px)`;
    }
    const places = range(drawn.first, drawn.end);
    const pooled = this.#pool.assign(places, (place) => this.#rows[place]?.path);
    for (const row of pooled.unused) row.hide();
    /** @type {string | undefined} */
    let activeId;
    const rows = pooled.drawn.flatMap(({ row, place }) => {
      const item = this.#rows[place];
      show(row.element, item !== undefined);
      if (!item) return [];
      const isActive = item.path === this.#active;
      const y = (place - base) * ROW_HEIGHT;
      row.moveTo(y);
      row.show(item, {
        isActive,
        isPinned: this.inspector.pin?.path === "/state" + item.path,
        isFound: this.#search !== "",
      });
      if (isActive) activeId = row.element.id;
      return [{ row, item, y }];
    });
    setAttribute(this.#tree, "aria-activedescendant", activeId);
    return rows;
  }

  /**
   * Shows or hides the tree. A tree that is hidden while a state is loading gets its focus back, so
   * that the next key goes on from there.
   *
   * @param {boolean} isShown
   */
  #showTree(isShown) {
    if (!isShown && document.activeElement === this.#tree) this.#hadFocus = true;
    show(this.#tree, isShown);
    if (!isShown) return;
    if (this.#hadFocus && document.activeElement === document.body) this.focus();
    this.#hadFocus = false;
  }

  /** Makes the rows of the moment that is shown now. */
  #makeRows() {
    const { shown, before } = this.inspector.moment;
    if (shown?.is !== "known") return;
    this.#flatten(shown.state, before?.is === "known" ? before.state : undefined, shown.seq);
    this.#space = new RowSpace(this.#rows.length, ROW_HEIGHT, this.#viewHeight);
  }

  /** @param {number} index */
  #makeRow(index) {
    const row = new StateRow(`state-row-${index}`, this.context.isMac);
    this.#layer.append(row.element);
    return row;
  }

  /**
   * @param {Json} state
   * @param {Json | undefined} before
   * @param {number} seq
   */
  #flatten(state, before, seq) {
    const { inspector } = this;
    const entry = inspector.data?.entries.get(seq);
    const chosen = [...this.#chosen].map(([path, isOpen]) => path + isOpen).join();
    const made = [
      state,
      before,
      seq,
      chosen,
      this.#search,
      entry,
      inspector.data,
    ];
    if (made.every((part, index) => part === this.#made[index]) && this.#made.length > 0) return;
    this.#made = made;
    const patch = inspector.moment.changes("state") ?? [];
    // Until the entry is loaded, its changes are unknown: open rows stay open.
    if (entry || before || this.#opened.data !== inspector.data) {
      this.#opened = { data: inspector.data, paths: pathsToChanges(patch) };
    }
    const open = new Set(this.#opened.paths);
    for (const path of smallContainers(state)) open.add(path);
    for (const [path, isOpen] of this.#chosen) {
      if (isOpen) open.add(path);
      else open.delete(path);
    }
    const redacted = new Set(
      [...entry?.redacted?.keys() ?? []]
        .filter((pointer) => pointer.startsWith("/state"))
        .map((pointer) => pointer.slice("/state".length)),
    );
    const fetched = (/** @type {string} */ path) =>
      inspector.data?.states.part(seq, "/state" + path);
    const input = {
      value: state,
      patch,
      redacted,
      fetched,
      ...(before === undefined ? {} : { before }),
    };
    this.#said = "";
    if (this.#search === "") {
      this.#rows = flattenTree({ ...input, open });
      return;
    }
    const found = searchTree(input, this.#search);
    this.#rows = found.rows;
    this.#said = searchNote(found);
  }
}
