/** One field of an event that is being written. */

import { formatNumbered } from "../base/format.js";
import { JsonError, parseJson, writeJson } from "../base/json.js";
import { lookUp, pathText } from "../base/pointer.js";
import { visible, visibleKey } from "../base/text.js";
import { leastCase, readInput } from "../model/branches/form.js";
import { h, icon, setAttribute } from "./dom.js";

/** @import { Json } from "../base/json-types.d.ts" */
/** @import { EventDraft } from "../model/branches/event-draft.js" */
/** @import { FormField } from "../model/branches/form.js" */

/** @typedef {(change: (draft: EventDraft) => void) => void} Change */

/**
 * A field as a line: its name, what changes it, and what takes it out.
 *
 * @param {EventDraft} draft
 * @param {FormField} field
 * @param {Change} change performs a change and has it shown
 */
export function fieldRow(draft, field, change) {
  const { tokens, label, depth, isOptional, inside, input } = field;
  const isAbsent = isOptional && (lookUp(draft.value, tokens) ?? null) === null;
  const name = pathText(tokens.slice(1)) || label;
  const isStandIn = draft.standIns.some((one) => JSON.stringify(one) === JSON.stringify(tokens));
  const tool = (
    /** @type {string} */ text,
    /** @type {string} */ iconName,
    /** @type {() => void} */ act,
  ) => {
    const made = h("button", {
      type: "button",
      class: "icon-button",
      title: text,
      "aria-label": text,
    }, icon(iconName));
    made.addEventListener("click", act);
    return made;
  };
  const canRemove = inside !== undefined || (isOptional && !isAbsent);
  const row = h(
    "div",
    { class: `field input-${input}` },
    h("span", { class: "field-name", title: visible(name) }, visibleKey(label)),
    h(
      "span",
      { class: "field-edit" },
      isAbsent
        ? h("span", { class: "muted field-nil" }, "nil")
        : control(draft, field, name, change),
      isStandIn && h("span", { class: "chip" }, "redacted"),
      isAbsent &&
        tool(`Set ${name}`, "add", () => change((now) => now.add(field))),
      canRemove &&
        tool(`Remove ${name}`, "close", () => change((now) => now.remove(tokens))),
    ),
  );
  row.style.setProperty("--depth", String(Math.min(depth, 5)));
  return row;
}

/**
 * @param {EventDraft} draft
 * @param {FormField} field
 * @param {string} name
 * @param {Change} change
 * @returns {Node}
 */
function control(draft, field, name, change) {
  const { tokens, input, choices, type } = field;
  const value = lookUp(draft.value, tokens);
  const marks = { "aria-label": name, "data-tokens": JSON.stringify(tokens) };
  const set = (/** @type {Json} */ now) => change((one) => one.setValue(tokens, now));
  switch (input) {
    case "group":
      return h("span", { class: "muted" }, "");
    case "list": {
      const count = Array.isArray(value) ? value.length : 0;
      const add = h("button", { type: "button", class: "line small" }, icon("add"), "Add");
      add.addEventListener("click", () => change((one) => one.add(field)));
      setAttribute(add, "aria-label", `Add to ${name}`);
      return h("span", { class: "field-list" }, formatNumbered(count, "item"), add);
    }
    case "map": {
      const key = h("input", {
        type: "text",
        placeholder: "key",
        "aria-label": `Key to add to ${name}`,
      });
      const add = h("button", { type: "button", class: "line small" }, icon("add"), "Add");
      setAttribute(add, "aria-label", `Add to ${name}`);
      add.addEventListener("click", () => change((one) => one.add(field, key.value)));
      return h("span", { class: "field-list" }, key, add);
    }
    case "bool":
    case "choice":
    case "case": {
      const all = input === "bool" ? ["true", "false"] : choices;
      const held = shownText(field, value);
      const select = h(
        "select",
        marks,
        ...(all.includes(held) ? all : [held, ...all]).map((one) =>
          h("option", { value: one }, visible(one))
        ),
      );
      select.value = held;
      select.addEventListener("change", () => {
        if (input === "case") set(leastCase(type, select.value, draft.schema));
        else set(input === "bool" ? select.value === "true" : select.value);
      });
      return select;
    }
    default:
      return textControl(field, marks, set, value, change);
  }
}

/**
 * @param {FormField} field
 * @param {{ [name: string]: string }} marks
 * @param {(value: Json) => void} set
 * @param {Json | undefined} value
 * @param {Change} change
 */
function textControl(field, marks, set, value, change) {
  const shown = shownText(field, value);
  const isLong = field.input === "json" || (field.input === "text" && /\n/.test(shown));
  const made = isLong
    ? h("textarea", {
      ...marks,
      rows: Math.min(8, shown.split("\n").length),
      spellcheck: "false",
    })
    : h("input", {
      ...marks,
      type: "text",
      spellcheck: "false",
      autocomplete: "off",
      ...(field.input === "text" ? {} : { inputmode: "decimal" }),
    });
  made.value = shown;
  made.addEventListener("input", () => {
    const read = field.input === "json" ? readJson(made.value) : readInput(field, made.value);
    if ("error" in read) change((draft) => draft.setWrong(field.tokens, read.error));
    else set(read.value);
  });
  return made;
}

/**
 * The text in the input of a field.
 *
 * @param {FormField} field
 * @param {Json | undefined} value
 * @returns {string}
 */
export function shownText(field, value) {
  if (field.input === "json") return value === undefined ? "" : writeJson(value, 2);
  if (field.input === "case") {
    return typeof value === "object" && value !== null ? Object.keys(value)[0] ?? "" : "";
  }
  if (typeof value === "string") return value;
  return value === undefined ? "" : writeJson(value);
}

/**
 * @param {string} text
 * @returns {{ value: Json } | { error: string }}
 */
function readJson(text) {
  try {
    return { value: parseJson(text) };
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    return { error: "This is not JSON." };
  }
}
