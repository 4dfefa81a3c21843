/** A dialog above the page: a title, a body, and a button that closes it. */

import { h, icon, setAttribute, setText } from "./dom.js";
import { View } from "./view.js";

/**
 * The windows that others open, each at a certain thing.
 *
 * @typedef {object} Windows
 * @property {() => void} branches
 * @property {(a: string, b: string) => void} compare
 * @property {() => void} hosts
 * @property {() => void} sessions
 * @property {(failure?: string) => void} exporting
 * @property {(what: "verify" | "minimise") => void} prove
 * @property {() => void} explain
 * @property {(condition?: string) => void} explore with a condition to break
 * @property {() => void} invariants
 * @property {() => void} run
 * @property {() => void} coverage
 * @property {() => void} growth
 * @property {(seq: number, x: number, y: number) => void} entryMenu
 */

let lastId = 0;

export class WindowView extends View {
  /** @readonly */
  dialog = h("dialog", { class: "window" });
  /** What the window shows; the heir fills it. @readonly */
  body = h("div", { class: "window-body" });
  #title = h("h2", { id: `window-${++lastId}` });
  /** Buttons beside the title. @readonly */
  tools = h("span", { class: "window-tools" });

  /** @param {string} text */
  setTitle(text) {
    setText(this.#title, text);
  }

  build() {
    const close = h("button", {
      type: "button",
      class: "icon-button",
      title: "Close (Esc)",
      "aria-label": "Close",
    }, icon("close"));
    close.addEventListener("click", () => this.close());
    setAttribute(this.dialog, "aria-labelledby", this.#title.id);
    this.dialog.append(
      h("header", { class: "window-head" }, this.#title, this.tools, close),
      this.body,
    );
    this.append(this.dialog);
    // The page ignores its own keys while a dialog is open. Once it is closed they work again,
    // although it may have the focus until the next frame.
    this.dialog.addEventListener("keydown", (event) => {
      if (!this.isOpen) return;
      if (event.key !== "Escape") event.stopPropagation();
      this.pressed(event);
    });
    this.dialog.addEventListener("close", () => {
      // The event comes after the dialog has closed. A quick key may have opened it again by then.
      if (!this.dialog.open) this.closed();
    });
    this.dialog.addEventListener("pointerdown", (event) => {
      if (event.target === this.dialog) this.close();
    });
    this.buildBody();
  }

  get isOpen() {
    return this.dialog.open;
  }

  show() {
    if (!this.dialog.open) this.dialog.showModal();
    // A quick Tab would reach what the next frame hides, and the focus would be lost.
    this.render();
  }

  close() {
    this.dialog.close();
  }

  /** Draws what is true now, and scrolls to a part of it. @param {HTMLElement} part */
  reveal(part) {
    this.render();
    part.scrollIntoView({ block: "nearest" });
  }

  /** Fills the body; called once. */
  buildBody() {}

  /** It was closed, however. */
  closed() {}

  /**
   * A key was pressed in it.
   *
   * @param {KeyboardEvent} _event
   */
  pressed(_event) {}

  render() {
    if (this.isOpen) this.renderBody();
  }

  /** Shows what is true now, while it is open. */
  renderBody() {}
}

/**
 * A button with words, and perhaps an icon.
 *
 * @param {string} text
 * @param {() => void} act
 * @param {{ icon?: string, main?: boolean, title?: string }} [look]
 */
export function actButton(text, act, { icon: name, main = false, title } = {}) {
  const made = h(
    "button",
    { type: "button", class: main ? "main" : "line", ...(title ? { title } : {}) },
    name && icon(name),
    h("span", {}, text),
  );
  made.addEventListener("click", act);
  return made;
}

/**
 * A line with a label above or beside what it labels.
 *
 * @param {string} label
 * @param {...(Node | string)} inside
 */
export function labeled(label, ...inside) {
  return h("label", { class: "labeled" }, h("span", { class: "label-text" }, label), ...inside);
}
