/** Questions about a value of the state, as a menu. */

import { pathText, readPointer } from "../base/pointer.js";
import { visible } from "../base/text.js";
import { goToSameValue, questionsAbout } from "../model/state/value-questions.js";
import { h, setText } from "./dom.js";
import { openMenu, prepareMenu } from "./menu.js";

/** @import { Json } from "../base/json-types.d.ts" */
/** @import { Inspector } from "../model/inspector/inspector.js" */
/** @import { Question } from "../model/state/value-questions.js" */

export class ValueMenu {
  #title = h("div", { class: "menu-title", "aria-hidden": "true" });
  /** @readonly */
  element = h("div", {
    class: "menu",
    role: "menu",
    popover: "auto",
    "aria-label": "Questions about the value",
  }, this.#title);
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
   * @param {Inspector} inspector
   * @param {string} pointer into the moment
   * @param {Json | undefined} value
   * @param {boolean} isSetHere whether the entry at the cursor set it
   * @param {Json | undefined} before the value before this entry, where it is known
   * @param {{ x: number, y: number }} place
   */
  open(inspector, pointer, value, isSetHere, before, { x, y }) {
    this.#subject = { inspector, pointer, value };
    this.#questions = questionsAbout(pointer, value, isSetHere, before);
    setText(this.#title, visible(pathText((readPointer(pointer) ?? []).slice(1))));
    this.element.replaceChildren(
      this.#title,
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
    openMenu(this.element, x, y);
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
