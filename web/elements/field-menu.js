/** What can be done with a value of the event's payload, as a menu. */

import { writeJson } from "../base/json.js";
import { pathText } from "../base/pointer.js";
import { shorten, visible } from "../base/text.js";
import { keyText } from "../model/commands/keys.js";
import { commandOf } from "../model/commands/table.js";
import { payloadFilter } from "../model/state/payload-filter.js";
import { copyText } from "./clipboard.js";
import { h, setText } from "./dom.js";
import { openMenu, prepareMenu } from "./menu.js";

/** @import { Json } from "../base/json-types.d.ts" */
/** @import { Context } from "./view.js" */

/** A value of the payload. @typedef {{ tokens: string[], value: Json | undefined }} FieldValue */

/** @typedef {{ title: string, key?: string, whyNot?: string | undefined, choose: () => void }} Item */

export class FieldMenu {
  #title = h("div", { class: "menu-title", "aria-hidden": "true" });
  /** @readonly */
  element = h("div", {
    class: "menu",
    role: "menu",
    popover: "auto",
    "aria-label": "Value of the event",
  }, this.#title);
  #context;
  #edit;
  #back;
  /** @type {Item[]} */
  #items = [];

  /**
   * @param {() => Context} context
   * @param {(tokens: string[]) => void} edit opens the editor at a value
   * @param {() => void} back puts the focus where it was
   */
  constructor(context, edit, back) {
    this.#context = context;
    this.#edit = edit;
    this.#back = back;
    this.element.addEventListener("click", (event) => {
      const item = event.target instanceof Element ? event.target.closest("button") : null;
      if (item) this.#choose(this.#items[Number(item.dataset.item)]);
    });
    prepareMenu(this.element, () => this.#close());
  }

  /**
   * @param {FieldValue} field
   * @param {{ x: number, y: number }} place
   */
  open(field, { x, y }) {
    this.#items = this.#itemsOf(field);
    const { isMac } = this.#context();
    setText(this.#title, visible(pathText(["event", ...field.tokens])));
    this.element.replaceChildren(
      this.#title,
      ...this.#items.map(({ title, key, whyNot }, index) =>
        h(
          "button",
          {
            type: "button",
            role: "menuitem",
            tabindex: -1,
            "data-item": index,
            "aria-disabled": whyNot === undefined ? undefined : "true",
            title: whyNot,
          },
          h("span", { class: "grow" }, title),
          key !== undefined && h("kbd", {}, keyText(key, isMac)),
        )
      ),
    );
    openMenu(this.element, x, y);
  }

  /** @param {FieldValue} field @returns {Item[]} */
  #itemsOf({ tokens, value }) {
    const context = this.#context();
    const filter = payloadFilter(tokens, value);
    const text = typeof value === "string" ? value : writeJson(value ?? null);
    return [
      {
        title: "Edit this value",
        key: "Enter",
        whyNot: commandOf("edit")?.whyNot?.(context),
        choose: () => this.#edit(tokens),
      },
      ...filter === undefined ? [] : [{
        title: "Filter by this value",
        choose: () => context.inspector.setFilter(filter),
      }],
      { title: "Copy the value", choose: () => void this.copy("value", text) },
      { title: "Copy the path", key: "y", choose: () => void this.copyPath(tokens) },
    ];
  }

  /** @param {readonly string[]} tokens */
  async copyPath(tokens) {
    await this.copy("path", pathText(["event", ...tokens]));
  }

  /**
   * @param {"value" | "path"} what
   * @param {string} text
   */
  async copy(what, text) {
    const { inspector } = this.#context();
    const shown = visible(shorten(text, 200));
    if (await copyText(text)) inspector.notify("info", `Copied the ${what}: ${shown}`);
    else {
      inspector.notify(
        "warning",
        `The browser does not allow copying. The ${what} is ${shown}`,
      );
    }
  }

  /** @param {Item | undefined} item */
  #choose(item) {
    this.#close();
    if (!item) return;
    if (item.whyNot === undefined) item.choose();
    else this.#context().inspector.notify("info", item.whyNot);
  }

  #close() {
    this.element.hidePopover();
    this.#back();
  }
}
