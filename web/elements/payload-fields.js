/** The values of an event's payload: each can be edited, copied, and filtered by. */

import { brief, eventName, eventPayload } from "../base/event-name.js";
import { isObject, writeJson } from "../base/json.js";
import { lookUp } from "../base/pointer.js";
import { shorten, visible, visibleKey } from "../base/text.js";
import { formOf } from "../model/branches/form.js";
import { readSchema } from "../wire/header.js";
import { h } from "./dom.js";
import { FieldMenu } from "./field-menu.js";

/** @import { Json } from "../base/json-types.d.ts" */
/** @import { Entry } from "../wire/entry.js" */
/** @import { FormField } from "../model/branches/form.js" */
/** @import { ValueAct } from "./value-acts.js" */
/** @import { Context } from "./view.js" */

/** Fields beyond these are seen in the stored line. */
const MAXIMUM_FIELDS = 24;

export class PayloadFields {
  /** @readonly */
  element = h("div", { class: "fields" });
  /** @readonly */
  menu;
  #context;
  #edit;
  /** @type {Json | undefined} */
  #event;
  #canEdit = false;
  /** The field whose menu was opened last, by its path. @type {string | undefined} */
  #asked;

  /**
   * @param {() => Context} context
   * @param {(tokens: string[]) => void} edit opens the editor at a value
   */
  constructor(context, edit) {
    this.#context = context;
    this.#edit = edit;
    this.menu = new FieldMenu(context, edit, () => this.#refocus());
    this.element.addEventListener("click", ({ target }) => {
      if (getSelection()?.isCollapsed && !this.#editFrom(target)) this.#ask(target);
    });
    this.element.addEventListener("keydown", (event) => {
      if (event.key !== "Enter") return;
      if (this.#editFrom(event.target) || this.#ask(event.target)) event.preventDefault();
    });
    this.element.addEventListener("contextmenu", (event) => {
      const { target, button, clientX: x, clientY: y } = event;
      // The key for menus has no place.
      if (this.#ask(target, button === 2 ? { x, y } : undefined)) event.preventDefault();
    });
  }

  /**
   * @param {Entry | undefined} entry
   * @param {boolean} canEdit
   */
  show(entry, canEdit) {
    this.#event = entry?.event;
    this.#canEdit = canEdit;
    this.element.replaceChildren(...this.#rows());
  }

  /** The value that has the focus. @returns {HTMLElement | undefined} */
  get focused() {
    const { activeElement } = document;
    const isField = activeElement instanceof HTMLElement && this.element.contains(activeElement);
    return isField && activeElement.matches("[data-field]") ? activeElement : undefined;
  }

  /** Does something with the value that has the focus. @param {ValueAct} act */
  async act(act) {
    const field = this.focused;
    if (!field) return;
    if (act === "ask") this.#ask(field);
    else if (act === "copy") await this.menu.copyPath(tokensOf(field));
    else {this.#context().inspector.notify(
        "info",
        "Only values of the state and outputs have this.",
      );}
  }

  /** Opens the editor at the field that was pressed. @param {EventTarget | null} target */
  #editFrom(target) {
    const field = target instanceof Element ? target.closest("[data-field]") : null;
    if (!(field instanceof HTMLElement) || !this.#canEdit) return false;
    this.#edit(tokensOf(field));
    return true;
  }

  /**
   * Opens the menu of a value.
   *
   * @param {EventTarget | null} target in its row
   * @param {{ x: number, y: number }} [place] below it by default
   * @returns {boolean} whether there is one
   */
  #ask(target, place) {
    const row = target instanceof Element ? target.closest(".field") : null;
    const field = row?.querySelector("[data-field]");
    if (!(field instanceof HTMLElement)) return false;
    const tokens = tokensOf(field);
    const { left, bottom } = field.getBoundingClientRect();
    this.#asked = field.dataset.field;
    // The next event would replace the one that is asked about.
    this.#context().inspector.stopFollowing();
    const value = lookUp(this.#event, tokens);
    this.menu.open({ tokens, value }, place ?? { x: left, y: bottom });
    return true;
  }

  /** Focuses the value whose menu was opened, which may have been drawn again meanwhile. */
  #refocus() {
    for (const field of this.element.querySelectorAll("[data-field]")) {
      if (field instanceof HTMLElement && field.dataset.field === this.#asked) field.focus();
    }
  }

  /** @returns {HTMLElement[]} */
  #rows() {
    const event = this.#event;
    if (event === undefined) return [];
    const schema = readSchema(this.#context().inspector.summary?.header.schema);
    const fields = readableFields(formOf(schema, event)).slice(0, MAXIMUM_FIELDS);
    if (fields.length > 0) return fields.map((field) => this.#row(field, event));
    const payload = eventPayload(event);
    if (payload === undefined || (isObject(payload) && Object.keys(payload).length === 0)) {
      return [h("p", { class: "note" }, eventName(event) === undefined ? "" : "No payload")];
    }
    const text = visible(shorten(writeJson(payload, 2), 4_000)).replaceAll("\\n", "\n");
    return [h("pre", { class: "field-json", ...scrolling(text, "Payload") }, text)];
  }

  /**
   * @param {FormField} field
   * @param {Json} event
   */
  #row({ tokens, label, depth }, event) {
    const value = lookUp(event, tokens);
    const text = value === undefined ? "nil" : visible(
      shorten(typeof value === "string" ? JSON.stringify(value) : brief(value, 200), 400),
    );
    const name = visibleKey(label);
    const canEdit = this.#canEdit;
    const look = {
      class: canEdit ? "field-value" : "field-value plain",
      role: "button",
      tabindex: 0,
      "data-field": JSON.stringify(tokens),
      "aria-haspopup": canEdit ? undefined : "menu",
      "aria-label": `${canEdit ? "Edit " : ""}${name}: ${text}`,
    };
    const row = h(
      "div",
      { class: "field" },
      h("span", { class: "field-name", title: name }, name),
      h("span", look, text),
    );
    row.style.setProperty("--depth", String(depth));
    return row;
  }
}

/** The path of the value that a field shows. @param {HTMLElement} field @returns {string[]} */
function tokensOf(field) {
  return JSON.parse(field.dataset.field ?? "[]");
}

/** A text that is shorter than this, in characters, needs no scrolling. */
const SHORT = 60;

/**
 * What lets a text that may have to be scrolled be scrolled by keys, too.
 *
 * @param {string} text
 * @param {string} label
 */
function scrolling(text, label) {
  const isShort = text.length < SHORT && !text.includes("\n");
  return isShort ? {} : { tabindex: 0, role: "group", "aria-label": label };
}

/**
 * The fields to be read: lists, maps and cases as a whole, structures by what they hold.
 *
 * @param {FormField[]} fields
 */
function readableFields(fields) {
  const whole = fields.filter(({ input }) => ["list", "map", "case"].includes(input));
  const isInside = (/** @type {string[]} */ tokens) =>
    whole.some((head) =>
      head.tokens.length < tokens.length && head.tokens.every((token, at) => token === tokens[at])
    );
  return fields.filter(({ input, tokens }) => input !== "group" && !isInside(tokens));
}
