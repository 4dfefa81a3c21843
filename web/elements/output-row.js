/** One row of the outputs. */

import { brief } from "../base/event-name.js";
import { visible } from "../base/text.js";
import { fullText } from "../model/state/value-looks.js";
import { h, setAttribute, setText, show } from "./dom.js";
import { Sparkline } from "./sparkline.js";
import { showWhoSet, valueButtons } from "./value-acts.js";

/** @import { Span } from "../model/timeline/scale.js" */
/** @import { SparkLine } from "../model/timeline/spark-line.js" */
/** @import { OutputRow } from "../model/state/output-rows.js" */

export class OutputRowView {
  #chip = h("span", { class: "chip" });
  #name = h("span", { class: "output-name" });
  #was = h("span", { class: "muted was" });
  #arrow = h("span", { class: "muted arrow", "aria-hidden": "true" }, "→");
  #is = h("span", { class: "is" });
  #spark = new Sparkline();
  #acts;
  #isMac;
  #isSetHere = false;
  /** @readonly */
  element;

  /**
   * @param {string} id
   * @param {boolean} isMac whether keys are shown as on a Mac
   */
  constructor(id, isMac) {
    this.#isMac = isMac;
    this.#acts = valueButtons(isMac);
    this.element = h(
      "div",
      { role: "treeitem", "aria-level": 1, class: "output-row", id },
      this.#chip,
      this.#name,
      this.#was,
      this.#arrow,
      this.#is,
      h(
        "span",
        { class: "row-end" },
        h("span", { class: "row-acts" }, ...this.#acts),
        this.#spark.element,
      ),
    );
  }

  /**
   * @param {OutputRow} row
   * @param {{ isActive: boolean, isPinned: boolean }} state
   */
  show(row, { isActive, isPinned }) {
    const { element } = this;
    setText(this.#chip, row.fires ? "fires" : row.kind);
    this.#chip.classList.toggle("fires", row.fires);
    showText(this.#name, visible(row.name), 6);
    const hasOld = row.isChanged && row.old !== undefined;
    show(this.#was, hasOld);
    show(this.#arrow, hasOld);
    if (hasOld) {
      showText(this.#was, visible(brief(row.old ?? null)), 3);
      setAttribute(this.#was, "title", visible(fullText(row.old ?? null)));
    }
    showText(this.#is, row.value === undefined ? "nil" : visible(brief(row.value, 160)), 4);
    setAttribute(
      this.#is,
      "title",
      row.value === undefined ? "nil" : visible(fullText(row.value)),
    );
    setAttribute(element, "data-changed", row.isChanged || undefined);
    setAttribute(element, "aria-selected", String(isActive));
    element.classList.toggle("active", isActive);
    element.classList.toggle("pinned", isPinned);
    const [who] = this.#acts;
    if (!who || this.#isSetHere === row.isChanged) return;
    this.#isSetHere = row.isChanged;
    showWhoSet(who, row.isChanged, this.#isMac);
  }

  /**
   * Shows how the output changes over time.
   *
   * @param {SparkLine | undefined} line
   * @param {Span} span
   * @param {SparkLine} [parent] the same output of the timeline from which a branch starts
   */
  showLine(line, span, parent) {
    this.#spark.show(line, span, parent);
    setAttribute(this.element, "aria-description", this.#spark.text || undefined);
  }
}

/**
 * Shows a text that is cut to a few characters, and not further.
 *
 * @param {HTMLElement} element
 * @param {string} text
 * @param {number} least
 */
function showText(element, text, least) {
  setText(element, text);
  element.style.setProperty("--least", String(Math.min(least, text.length)));
}
