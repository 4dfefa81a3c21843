/** The named outputs, with what they were: each can be asked about, pinned, and watched. */

import { isObject } from "../base/json.js";
import { writePointer } from "../base/pointer.js";
import { changedText, outputRows } from "../model/state/output-rows.js";
import { isScalar } from "../model/state/value-questions.js";
import { Beat } from "./beat.js";
import { h, keep, setAttribute, setText, show } from "./dom.js";
import { OutputRowView } from "./output-row.js";
import { onPress } from "./press.js";
import { actOnValue } from "./value-acts.js";
import { ValueLines } from "./value-lines.js";
import { ValueMenu } from "./value-menu.js";
import { View } from "./view.js";

/** @import { OutputRow } from "../model/state/output-rows.js" */
/** @import { ValueAct } from "./value-acts.js" */

/** As in the style sheet. */
const ROW_HEIGHT = 24;

/** Above the first row, as in the style sheet. */
const PADDING = 4;

/** The width with sparklines, in pixels. */
const MINIMUM_WIDTH = 300;

export class OutputsView extends View {
  static define(name = "tt-outputs") {
    customElements.define(name, OutputsView);
  }

  #count = h("span", { class: "muted" });
  #list = h("div", { class: "output-list", role: "tree", tabindex: 0, "aria-label": "Outputs" });
  #empty = h("p", { class: "pane-note", hidden: true });
  #beat = new Beat(this.#list);
  #menu = new ValueMenu(() => this.#list.focus());
  #lines = new ValueLines(this.#list, ROW_HEIGHT, () => this.invalidate());
  /** @type {Map<string, OutputRowView>} */
  #views = new Map();
  /** How many rows were made: each has an identifier of its own. */
  #made = 0;
  /** @type {OutputRow[]} */
  #rows = [];
  /** The name of the output that is chosen. @type {string | undefined} */
  #active;
  #width = 0;

  build() {
    this.setAttribute("role", "region");
    this.setAttribute("aria-label", "Outputs");
    this.append(
      h("header", { class: "pane-head" }, h("h2", {}, "Outputs"), this.#count),
      this.#list,
      this.#empty,
      this.#menu.element,
    );
    this.#list.addEventListener("keydown", (event) => this.#pressed(event));
    this.#list.addEventListener("contextmenu", (event) => this.#menuWanted(event));
    onPress(this.#list, meant, ({ name, act }) => {
      this.#active = name;
      if (act !== undefined) void actOnValue(act, pointerOf(name), this.inspector);
      this.invalidate();
    });
    // Asking the element itself would lay the page out in the middle of a frame.
    new ResizeObserver(([entry]) => {
      const before = this.#width;
      this.#width = entry?.contentRect.width ?? 0;
      this.#list.classList.toggle("narrow", this.#width < MINIMUM_WIDTH);
      this.resized(before);
    }).observe(this.#list);
  }

  /** Whether a key is meant for the chosen output. */
  get hasFocus() {
    return document.activeElement === this.#list;
  }

  /** Chooses the output under the pointer; says whether there is one. */
  choosePointed() {
    const row = this.#list.querySelector("[data-key]:hover");
    if (row instanceof HTMLElement) this.select(row.dataset.key ?? "");
    return row !== null;
  }

  /** Does something with the output that is chosen. @param {ValueAct} act */
  async act(act) {
    if (this.#active === undefined) return;
    if (act === "ask") return this.#ask();
    await actOnValue(act, pointerOf(this.#active), this.inspector);
  }

  /** Selects an output. @param {string} name */
  select(name) {
    this.#active = name;
    this.render();
    this.#list.focus({ preventScroll: true });
    this.#views.get(name)?.element.scrollIntoView({ block: "nearest" });
  }

  /** @param {KeyboardEvent} event */
  #pressed(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    const at = this.#rows.findIndex(({ name }) => name === this.#active);
    const next = this.#rows[Math.min(Math.max(at + step, 0), this.#rows.length - 1)];
    if (next) this.select(next.name);
    event.preventDefault();
    event.stopPropagation();
  }

  /** @param {MouseEvent} event also of the key for menus */
  #menuWanted(event) {
    const name = event.target instanceof Element ? meant(event.target)?.name : undefined;
    if (name !== undefined) this.#active = name;
    else if (!this.hasFocus) return;
    event.preventDefault();
    this.#ask(name === undefined ? undefined : { x: event.clientX, y: event.clientY });
  }

  /** Opens the questions about the chosen output. @param {{ x: number, y: number }} [place] */
  #ask(place) {
    const row = this.#rows.find(({ name }) => name === this.#active);
    if (!row) return;
    const { value, old, isChanged } = row;
    const asked = { pointer: pointerOf(row.name), value, isSetHere: isChanged, before: old };
    this.#menu.open(
      this.inspector,
      asked,
      this.#views.get(row.name)?.element ?? this.#list,
      place,
    );
    this.invalidate();
  }

  render() {
    const { inspector } = this;
    const { shown, before } = inspector.moment;
    const values = shown?.is === "known" && isObject(shown.outputs) ? shown.outputs : {};
    const old = before?.is === "known" && isObject(before.outputs) ? before.outputs : undefined;
    const kinds = inspector.summary?.header.outputs;
    const changes = inspector.moment.changes("outputs");
    const rows = shown?.is !== "known" ? [] : outputRows(values, old, changes, kinds);
    this.#rows = rows;
    const isKnown = changes !== undefined;
    const isUnknown = !isKnown && inspector.moment.isBeforeUnknown;
    setText(this.#count, changedText(rows, { isKnown, isUnknown }));
    setAttribute(this.#count, "title", isUnknown ? inspector.moment.whyNoChanges() : undefined);
    show(this.#empty, rows.length === 0 && shown !== undefined);
    setText(
      this.#empty,
      shown?.is !== "failed"
        ? "This machine has no named outputs."
        : shown.code === "thinned"
        ? "Outputs not recorded for this entry"
        : "Outputs not loaded for this entry",
    );
    this.#renderRows();
    this.#beat.show(shown?.seq);
  }

  #renderRows() {
    const rows = this.#rows;
    // While a moment is loading there are no rows; the choice stays for those that come.
    if (rows.length > 0 && !rows.some(({ name }) => name === this.#active)) {
      this.#active = rows[0]?.name;
    }
    const { pin } = this.inspector;
    this.#forget(rows);
    keep(
      this.#list,
      rows,
      ({ name }) => name,
      ({ name }) => this.#make(name),
      (_, row) =>
        this.#views.get(row.name)?.show(row, {
          isActive: row.name === this.#active,
          isPinned: pin?.path === pointerOf(row.name),
        }),
    );
    const active = this.#active === undefined ? undefined : this.#views.get(this.#active);
    setAttribute(this.#list, "aria-activedescendant", active?.element.id);
    const drawn = rows.flatMap(({ name, value }, index) => {
      const row = this.#views.get(name);
      // The size of a list leaves no room for the list.
      const pointer = isScalar(value) ? pointerOf(name) : "";
      return row ? [{ row, pointer, y: PADDING + index * ROW_HEIGHT }] : [];
    });
    this.#lines.render(this.inspector, drawn, this.#width >= MINIMUM_WIDTH);
  }

  /** Forgets the rows of outputs that are not there any more. @param {readonly OutputRow[]} rows */
  #forget(rows) {
    const names = new Set(rows.map(({ name }) => name));
    for (const name of this.#views.keys()) if (!names.has(name)) this.#views.delete(name);
  }

  /** @param {string} name */
  #make(name) {
    const view = new OutputRowView(`output-row-${this.#made++}`, this.context.isMac);
    this.#views.set(name, view);
    return view.element;
  }
}

/** @param {string} name */
function pointerOf(name) {
  return writePointer(["outputs", name]);
}

/**
 * The output that an element of the list shows, and what a click on it does.
 *
 * @param {Element} target
 */
function meant(target) {
  const row = target.closest("[data-key]");
  if (!(row instanceof HTMLElement)) return undefined;
  const button = target.closest("[data-act]");
  return {
    name: row.dataset.key ?? "",
    act: button instanceof HTMLElement ? button.dataset.act ?? "" : undefined,
  };
}
