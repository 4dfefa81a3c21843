/** Questions about a value of the state or an output, as a menu. */

import { visible } from "../base/text.js";
import { fullText } from "../model/state/value-looks.js";
import { valueName } from "../model/state/value-name.js";
import { goToSameValue, questionsAbout } from "../model/state/value-questions.js";
import { h, setAttribute, setText } from "./dom.js";
import { openMenu, prepareMenu } from "./menu.js";

/** @import { Json } from "../base/json-types.d.ts" */
/** @import { Inspector } from "../model/inspector/inspector.js" */
/** @import { Question } from "../model/state/value-questions.js" */

/**
 * What is asked about.
 *
 * @typedef {object} AskedValue
 * @property {string} pointer into the moment
 * @property {Json | undefined} value
 * @property {boolean} isSetHere whether the entry at the cursor set it
 * @property {Json | undefined} before the value before this entry, where it is known
 */

/** Characters of a value above the questions, which are to stay in view. */
const MAXIMUM_VALUE = 600;

export class ValueMenu {
  #title = h("div", { class: "menu-title", "aria-hidden": "true" });
  /** The whole value, and the one before it: a row may have no room for them. */
  #values = h("div", { class: "menu-values", "aria-hidden": "true" });
  /** @readonly */
  element = h("div", {
    class: "menu",
    role: "menu",
    popover: "auto",
    "aria-label": "Questions about the value",
  });
  #back;
  /** @type {Question[]} */
  #questions = [];
  /** @type {{ inspector: Inspector, pointer: string, value: Json | undefined } | undefined} */
  #subject;

  /** @param {() => void} back puts the focus where it was */
  constructor(back) {
    this.#back = back;
    this.element.addEventListener("click", (event) => {
      const item = event.target instanceof Element ? event.target.closest("button") : null;
      if (item) this.#choose(Number(item.dataset.question));
    });
    prepareMenu(this.element, () => this.#close());
  }

  /**
   * Opens at the pointer, or else below the row of the value.
   *
   * @param {Inspector} inspector
   * @param {AskedValue} asked
   * @param {Element} row
   * @param {{ x: number, y: number }} [place]
   */
  open(inspector, { pointer, value, isSetHere, before }, row, place) {
    // The questions are about this value, not about the next one.
    inspector.stopFollowing();
    this.#subject = { inspector, pointer, value };
    this.#questions = questionsAbout(pointer, value, isSetHere, before);
    setText(this.#title, visible(valueName(pointer)));
    this.#showValues(value, isSetHere ? before : undefined);
    this.element.replaceChildren(
      this.#title,
      this.#values,
      ...this.#questions.map((question, index) =>
        h(
          "button",
          {
            type: "button",
            role: "menuitem",
            tabindex: -1,
            "data-question": String(index),
            "aria-disabled": "isAnswered" in question ? "true" : undefined,
          },
          question.title,
        )
      ),
    );
    const { left, bottom } = row.getBoundingClientRect();
    openMenu(this.element, place?.x ?? left + 40, place?.y ?? bottom);
  }

  /** @param {Json | undefined} value @param {Json | undefined} before */
  #showValues(value, before) {
    const lines = [
      ...before === undefined ? [] : [`was ${visible(fullText(before, MAXIMUM_VALUE))}`],
      ...value === undefined ? [] : [`is ${visible(fullText(value, MAXIMUM_VALUE))}`],
    ];
    this.#values.replaceChildren(...lines.map((line) => h("div", {}, line)));
    setAttribute(this.element, "aria-description", lines.join(", ") || undefined);
  }

  /** @param {number} index */
  #choose(index) {
    const question = this.#questions[index];
    this.#close();
    if (!question || !this.#subject) return;
    const { inspector, pointer, value } = this.#subject;
    if ("filter" in question) {
      inspector.setPin(pointer);
      inspector.setFilter(question.filter);
      // The answer to "when" is an entry.
      void inspector.travel.goToFirstMatch();
    } else if (question.act === "who") {
      void inspector.travel.whoSet(pointer);
    } else {
      void goToSameValue(inspector, pointer, value);
    }
  }

  #close() {
    this.element.hidePopover();
    this.#back();
  }
}
