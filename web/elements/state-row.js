/** One row of the state's tree. */

import { formatNumbered } from "../base/format.js";
import { pathText, readPointer } from "../base/pointer.js";
import { shorten, visible, visibleKey } from "../base/text.js";
import { fullText } from "../model/state/value-looks.js";
import { h, icon, setAttribute, setIcon, setText, show } from "./dom.js";
import { Sparkline } from "./sparkline.js";
import { showWhoSet, valueButtons } from "./value-acts.js";

/** @import { Span } from "../model/timeline/scale.js" */
/** @import { SparkLine } from "../model/timeline/spark-line.js" */
/** @import { TreeRow } from "../model/state/tree.js" */

/** Longer texts are cut in their row; the raw line has all of it. */
const MAXIMUM_TEXT = 2_000;
const MAXIMUM_OLD = 120;

/** Characters of the value before that stay: fewer have no room for an ellipsis. */
const MINIMUM_OLD = 3;

const MAXIMUM_SPOKEN = 200;

/** A sign for each mark, because color alone is not enough. */
const SIGNS = { "": "", changed: "~", added: "+", removed: "−", inside: "" };

/** And in words, for those who hear it. */
const SPOKEN = { "": "", changed: "changed, ", added: "added, ", removed: "removed, ", inside: "" };

/**
 * How a row stands among the others.
 *
 * @typedef {{ isActive: boolean, isPinned: boolean, isFound: boolean }} RowState `isFound` says that a
 *   search found it: rows then stand below one another, with their whole paths
 */

/**
 * Shows one value after the other. What it shows already is not written again: from moment to moment
 * most rows stay.
 */
export class StateRow {
  #sign = h("span", { class: "sign" });
  #twist = h("span", { class: "twist", "aria-hidden": "true" }, icon("right"));
  #key = h("span", { class: "tree-key" });
  #old = h("span", { class: "old" });
  #arrow = h("span", { class: "muted arrow" }, "→");
  #value = h("span", { class: "tree-value" });
  /** How much changed inside of a folded row. */
  #hidden = h("span", { class: "changes-inside" });
  #spark = new Sparkline();
  #acts;
  #isMac;
  #isSetHere = false;
  /** @readonly */
  element;
  /** @type {TreeRow | undefined} */
  #item;
  #y = -1;
  /** @type {RowState} */
  #state = { isActive: false, isPinned: false, isFound: false };

  /**
   * @param {string} id
   * @param {boolean} isMac whether keys are shown as on a Mac
   */
  constructor(id, isMac) {
    this.#isMac = isMac;
    this.#acts = valueButtons(isMac);
    this.element = h(
      "div",
      { class: "tree-row", role: "treeitem", id },
      this.#sign,
      this.#twist,
      this.#key,
      this.#old,
      this.#arrow,
      this.#value,
      this.#hidden,
      h(
        "span",
        { class: "row-end" },
        h("span", { class: "row-acts" }, ...this.#acts),
        this.#spark.element,
      ),
    );
  }

  /** @param {number} y from the top of all rows */
  moveTo(y) {
    if (this.#y === y) return;
    this.#y = y;
    this.element.style.top = `${y}px`;
  }

  /**
   * @param {TreeRow} item
   * @param {RowState} state
   */
  show(item, state) {
    const isSame = this.#item !== undefined && isSameRow(this.#item, item) &&
      isSameState(this.#state, state);
    this.#item = item;
    this.#state = state;
    if (!isSame) this.#render(item, state);
  }

  /** Takes it out of view; what it showed is no longer found by its path. */
  hide() {
    show(this.element, false);
    if (!this.#item) return;
    this.#item = undefined;
    this.element.classList.remove("active");
    this.element.removeAttribute("data-path");
  }

  /**
   * Shows how the value changes over time.
   *
   * @param {SparkLine | undefined} line nothing for a value that has none
   * @param {Span} span
   * @param {SparkLine} [parent] the same value of the timeline from which a branch starts
   */
  showLine(line, span, parent) {
    this.#spark.show(line, span, parent);
    setAttribute(this.element, "aria-description", this.#spark.text || undefined);
  }

  /**
   * @param {TreeRow} item
   * @param {RowState} state
   */
  #render(item, { isActive, isPinned, isFound }) {
    const { element } = this;
    setAttribute(element, "data-path", item.path);
    setAttribute(element, "aria-level", item.depth + 1);
    setAttribute(element, "aria-posinset", item.position);
    setAttribute(element, "aria-setsize", item.siblings);
    setAttribute(element, "aria-expanded", item.canOpen ? String(item.isOpen) : undefined);
    setAttribute(element, "data-mark", item.mark || undefined);
    // Below an open row, the changes have marks of their own; a search may leave them out.
    const hidden = item.isOpen && !isFound || item.changesInside === 0
      ? ""
      : formatNumbered(item.changesInside, "change");
    setAttribute(element, "data-hides-changes", hidden === "" ? undefined : "");
    show(this.#hidden, hidden !== "");
    setText(this.#hidden, hidden);
    element.classList.toggle("active", isActive);
    setAttribute(element, "aria-selected", String(isActive));
    element.classList.toggle("pinned", isPinned);
    element.style.setProperty("--depth", String(isFound ? 0 : item.depth));
    setText(this.#sign, hidden === "" ? SIGNS[item.mark] : SIGNS.changed);
    this.#twist.classList.toggle("off", !item.canOpen);
    setIcon(this.#twist, item.isOpen ? "down" : "right");
    setText(
      this.#key,
      isFound ? visible(pathText(readPointer(item.path) ?? [])) : visibleKey(item.key),
    );
    setAttribute(this.#value, "data-look", item.look);
    // A value before needs the one after it, also where that is open.
    const isListed = item.isOpen && item.look !== "cut" && item.old === undefined;
    const text = isListed ? countOnly(item.text) : item.text;
    setText(this.#value, visible(shorten(text, MAXIMUM_TEXT)));
    const old = item.old === undefined ? undefined : visible(shorten(item.old, MAXIMUM_OLD));
    show(this.#old, old !== undefined);
    show(this.#arrow, old !== undefined);
    if (old !== undefined) {
      setText(this.#old, old);
      this.#old.style.setProperty("--least", String(Math.min(old.length, MINIMUM_OLD)));
    }
    this.#showTitles(item);
    this.#showWhoSet(item.mark !== "");
    setAttribute(
      element,
      "aria-label",
      `${visibleKey(item.key)}: ${SPOKEN[item.mark]}${old === undefined ? "" : `was ${old}, is `}${
        visible(shorten(text, MAXIMUM_SPOKEN))
      }${hidden === "" ? "" : `, ${hidden} inside`}`,
    );
  }

  /** The whole values, which a row may have no room for. @param {TreeRow} item */
  #showTitles({ look, value, before }) {
    const isWritten = look !== "cut" && look !== "redacted";
    const isLong = isWritten && (typeof value === "string" || before !== undefined);
    setAttribute(this.#value, "title", isLong ? visible(fullText(value)) : undefined);
    const old = isWritten && before !== undefined ? visible(fullText(before)) : undefined;
    setAttribute(this.#old, "title", old);
  }

  /** @param {boolean} isSetHere */
  #showWhoSet(isSetHere) {
    const [who] = this.#acts;
    if (!who || this.#isSetHere === isSetHere) return;
    this.#isSetHere = isSetHere;
    showWhoSet(who, isSetHere, this.#isMac);
  }
}

/**
 * @param {TreeRow} left
 * @param {TreeRow} right
 */
function isSameRow(left, right) {
  return left === right || left.path === right.path && left.text === right.text &&
      left.look === right.look && left.mark === right.mark && left.old === right.old &&
      left.changesInside === right.changesInside &&
      left.value === right.value && left.before === right.before &&
      left.key === right.key && left.depth === right.depth && left.canOpen === right.canOpen &&
      left.isOpen === right.isOpen && left.position === right.position &&
      left.siblings === right.siblings;
}

/**
 * @param {RowState} left
 * @param {RowState} right
 */
function isSameState(left, right) {
  return left.isActive === right.isActive && left.isPinned === right.isPinned &&
    left.isFound === right.isFound;
}

/**
 * What an open container says of itself.
 *
 * @param {string} text
 */
function countOnly(text) {
  return text.startsWith("[") || text.startsWith("{") ? "" : text;
}

/**
 * The value that an element of the tree shows, and what a click on it does.
 *
 * @param {Element} target
 */
export function valueOf(target) {
  const row = target.closest("[data-path]");
  if (!(row instanceof HTMLElement)) return undefined;
  const button = target.closest("[data-act]");
  return {
    path: row.dataset.path ?? "",
    act: button instanceof HTMLElement ? button.dataset.act ?? "" : undefined,
    folds: row.hasAttribute("aria-expanded") &&
      target.closest(".twist, .tree-key, .tree-value") !== null,
  };
}
