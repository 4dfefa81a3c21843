/** The list of completions below a field, with its keys. */

import { visible } from "../base/text.js";
import { h, setAttribute, show } from "./dom.js";

/** @import { Completion } from "../model/predicate/completion.js" */

export class CompletionList {
  #field;
  #find;
  #changed;
  /** @type {Completion[]} */
  #completions = [];
  /** The chosen one; none until an arrow key chooses, so that Enter applies what was typed. */
  #active = -1;
  /** @readonly */
  element;

  /**
   * @param {HTMLInputElement} field
   * @param {string} id of the list in the page
   * @param {(isAsked: boolean) => Completion[]} find the completions at the caret
   * @param {() => void} changed a completion was put in
   */
  constructor(field, id, find, changed) {
    this.#field = field;
    this.#find = find;
    this.#changed = changed;
    this.element = h("div", {
      id,
      class: "completions",
      role: "listbox",
      "aria-label": "Completions",
      hidden: true,
    });
    setAttribute(field, "role", "combobox");
    setAttribute(field, "aria-autocomplete", "list");
    setAttribute(field, "aria-controls", id);
    setAttribute(field, "aria-expanded", "false");
    field.addEventListener("blur", () => this.close());
    // The field keeps the focus.
    this.element.addEventListener("pointerdown", (event) => event.preventDefault());
    this.element.addEventListener("click", ({ target }) => {
      const row = target instanceof Element ? target.closest("[role=option]") : null;
      if (row) this.#choose([...this.element.children].indexOf(row));
    });
  }

  /** The text of the field changed. @param {boolean} [isAsked] whether the reader asks for the list */
  update(isAsked = false) {
    this.#show(this.#find(isAsked));
  }

  close() {
    if (this.#completions.length > 0) this.#show([]);
  }

  /**
   * Does what a key means for the list.
   *
   * @param {KeyboardEvent} event
   * @returns {boolean} whether it means something
   */
  handle(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      if (this.#completions.length === 0) this.update(true);
      this.#step(step);
    } else if (event.key === "Enter" && this.#active >= 0) {
      this.#choose(this.#active);
    } else if (event.key === "Escape" && this.#active >= 0) {
      this.close();
    } else {
      return false;
    }
    event.preventDefault();
    return true;
  }

  /** One more place than there are completions is the field itself. @param {number} step */
  #step(step) {
    const places = this.#completions.length + 1;
    this.#active = (this.#active + 1 + step + places) % places - 1;
    this.#mark();
  }

  /** @param {Completion[]} completions */
  #show(completions) {
    this.#completions = completions;
    this.#active = -1;
    this.element.replaceChildren(...completions.map(({ text, detail }, place) =>
      h(
        "div",
        { role: "option", id: `${this.element.id}-${place}` },
        h("span", { class: "completion" }, visible(text)),
        h("span", { class: "muted" }, visible(detail)),
      )
    ));
    show(this.element, completions.length > 0);
    setAttribute(this.#field, "aria-expanded", String(completions.length > 0));
    this.#mark();
  }

  #mark() {
    [...this.element.children].forEach((row, place) => {
      setAttribute(row, "aria-selected", String(place === this.#active));
    });
    const active = this.element.children[this.#active];
    setAttribute(this.#field, "aria-activedescendant", active?.id);
  }

  /** Puts a completion in as the reader would: the browser's undo takes it out. @param {number} place */
  #choose(place) {
    const completion = this.#completions[place];
    if (!completion) return;
    const { from, to, text } = completion;
    this.#field.focus();
    this.#field.setSelectionRange(from, to);
    if (!document.execCommand("insertText", false, text)) {
      this.#field.setRangeText(text, from, to, "end");
    }
    this.close();
    this.#changed();
  }
}
