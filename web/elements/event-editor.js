/** Writing an event: as a form or as JSON, both of one value, and what is done with it. */

import { formatCount, formatNumbered } from "../base/format.js";
import { JsonError, parseJson, writeJson } from "../base/json.js";
import { lookUp, pathText } from "../base/pointer.js";
import { visible } from "../base/text.js";
import { keyText } from "../model/commands.js";
import { problemText } from "../model/event-check.js";
import { leastCase, readInput } from "../model/form.js";
import { hostOf, placeText } from "../model/hosts.js";
import { h, icon, setAttribute, setText, show } from "./dom.js";
import { View } from "./view.js";

/** @import { Json } from "../base/json-types.d.ts" */
/** @import { EventDraft } from "../model/event-draft.js" */
/** @import { FormField } from "../model/form.js" */

export class EventEditorView extends View {
  static define(name = "tt-event-editor") {
    customElements.define(name, EventEditorView);
  }

  #title = h("h3");
  #form = h("button", { type: "button", class: "toggle" }, "Form");
  #json = h("button", { type: "button", class: "toggle" }, "JSON");
  #case = h("select", { "aria-label": "Event" });
  #caseLine = h(
    "label",
    { class: "field" },
    h("span", { class: "field-name" }, "event"),
    this.#case,
  );
  #fields = h("div", { class: "fields" });
  #text = h("textarea", {
    class: "editor-json",
    "aria-label": "Event as JSON",
    spellcheck: "false",
    rows: 10,
  });
  #problems = h("ul", { class: "problems", "aria-live": "polite" });
  #note = h("p", { class: "note" });
  #fork = h("button", { type: "button", class: "main" });
  #send = h("button", { type: "button", class: "line" }, icon("send"), "Send to the live app");
  #revert = h("button", { type: "button" }, "Revert");
  #leave = h("button", { type: "button" }, "Leave");
  #sendNote = h("p", { class: "note" });
  /** @type {EventDraft | undefined} */
  #draft;
  #showsJson = false;
  /** The fields that are drawn, by their shape. */
  #drawn = "";

  build() {
    const { rewriting } = this.timeTravel;
    this.setAttribute("role", "region");
    this.setAttribute("aria-label", "Event editor");
    for (
      const [button, shows] of /** @type {const} */ ([[this.#form, false], [this.#json, true]])
    ) {
      button.addEventListener("click", () => {
        this.#showsJson = shows;
        this.invalidate();
      });
    }
    this.#case.addEventListener("change", () =>
      this.#change((draft) => {
        draft.chooseCase(this.#case.value);
      }));
    this.#text.addEventListener("input", () =>
      this.#change((draft) => {
        draft.setText(this.#text.value);
      }));
    this.#fork.addEventListener("click", () => this.context.run("fork"));
    this.#send.addEventListener("click", () => this.context.run("live-send"));
    this.#revert.addEventListener("click", () =>
      this.#change((draft) => {
        draft.revert();
        this.#drawn = "";
      }));
    this.#leave.addEventListener("click", () => rewriting.leaveDraft());
    this.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && !event.defaultPrevented) {
        event.stopPropagation();
        rewriting.leaveDraft();
        this.context.run("focus-events");
      }
    });
    this.append(
      h(
        "header",
        { class: "editor-head" },
        this.#title,
        h("span", { class: "grow" }),
        h(
          "span",
          { class: "toggles", role: "group", "aria-label": "View" },
          this.#form,
          this.#json,
        ),
      ),
      this.#caseLine,
      this.#fields,
      this.#text,
      this.#problems,
      this.#note,
      h("div", { class: "acts" }, this.#fork, this.#send, this.#revert, this.#leave),
      this.#sendNote,
    );
  }

  /** Puts the focus into the first field. */
  focusFirst() {
    this.render();
    const first = this.querySelector("input, textarea:not([hidden]), select");
    if (first instanceof HTMLElement) first.focus();
  }

  /** @param {(draft: EventDraft) => void} change */
  #change(change) {
    if (this.#draft) change(this.#draft);
    this.inspector.changed.emit();
  }

  render() {
    const { draft } = this.timeTravel.rewriting;
    show(this, draft !== undefined);
    if (this.#draft !== draft) {
      this.#draft = draft;
      this.#drawn = "";
    }
    if (!draft) return;
    const at = formatCount(draft.seq);
    setText(
      this.#title,
      {
        replace: `Edit event ${at}`,
        before: `New event before ${at}`,
        after: `New event after ${at}`,
      }[
        draft.mode
      ],
    );
    const { fields } = draft;
    const problems = draft.problems;
    const { isBroken } = draft;
    const showsJson = this.#showsJson || isBroken;
    setAttribute(this.#form, "aria-pressed", String(!showsJson));
    setAttribute(this.#json, "aria-pressed", String(showsJson));
    this.#form.disabled = isBroken;
    this.#renderCase(draft);
    show(this.#fields, !showsJson);
    show(this.#text, showsJson);
    if (document.activeElement !== this.#text && this.#text.value !== draft.text) {
      this.#text.value = draft.text;
    }
    if (!showsJson) this.#renderFields(draft, fields);
    this.#problems.replaceChildren(
      ...problems.map((problem) => h("li", {}, visible(problemText(problem)))),
    );
    show(this.#problems, problems.length > 0);
    this.#renderActs(draft, problems.length === 0);
  }

  /** @param {EventDraft} draft */
  #renderCase(draft) {
    const { cases } = draft;
    show(this.#caseLine, cases.length > 0);
    const key = cases.join();
    if (this.#case.dataset.cases !== key) {
      this.#case.dataset.cases = key;
      this.#case.replaceChildren(
        h("option", { value: "", disabled: true, hidden: true }, "another"),
        ...cases.map((name) => h("option", { value: name }, visible(name))),
      );
    }
    this.#case.value = draft.case ?? "";
  }

  /**
   * @param {EventDraft} draft
   * @param {FormField[]} fields
   */
  #renderFields(draft, fields) {
    const key = JSON.stringify(fields.map(({ tokens, input, isOptional, choices }) => [
      tokens,
      input,
      isOptional && lookUp(draft.value, tokens) === undefined,
      choices.length,
    ]));
    if (this.#drawn !== key) {
      const focused = document.activeElement instanceof HTMLElement
        ? document.activeElement.dataset.tokens
        : undefined;
      this.#drawn = key;
      this.#fields.replaceChildren(
        ...(fields.length > 0
          ? fields.map((field) => this.#fieldRow(draft, field))
          : [h("p", { class: "note" }, "It carries nothing.")]),
      );
      if (focused !== undefined) {
        const again = [...this.#fields.querySelectorAll("[data-tokens]")].find((one) =>
          one instanceof HTMLElement && one.dataset.tokens === focused
        );
        if (again instanceof HTMLElement) again.focus();
      }
    }
    for (const field of fields) this.#update(draft, field);
  }

  /** @param {FormField} field */
  #inputOf({ tokens }) {
    const key = JSON.stringify(tokens);
    const found = [...this.#fields.querySelectorAll("[data-tokens]")].find((one) =>
      one instanceof HTMLElement && one.dataset.tokens === key
    );
    return found instanceof HTMLInputElement || found instanceof HTMLSelectElement ||
        found instanceof HTMLTextAreaElement
      ? found
      : undefined;
  }

  /**
   * @param {EventDraft} draft
   * @param {FormField} field
   */
  #update(draft, field) {
    const input = this.#inputOf(field);
    if (!input) return;
    const wrong = draft.wrongAt(field.tokens);
    setAttribute(input, "aria-invalid", wrong === undefined ? undefined : "true");
    if (document.activeElement === input || wrong !== undefined) return;
    const text = shownText(field, lookUp(draft.value, field.tokens));
    if (input.value !== text) input.value = text;
  }

  /**
   * @param {EventDraft} draft
   * @param {FormField} field
   */
  #fieldRow(draft, field) {
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
      h("span", { class: "field-name", title: visible(name) }, visible(label)),
      h(
        "span",
        { class: "field-edit" },
        isAbsent
          ? h("span", { class: "muted field-nil" }, "nil")
          : this.#control(draft, field, name),
        isStandIn && h("span", { class: "chip" }, "redacted"),
        isAbsent &&
          tool(`Set ${name}`, "add", () => this.#change((now) => now.add(field))),
        canRemove &&
          tool(`Remove ${name}`, "close", () => this.#change((now) => now.remove(tokens))),
      ),
    );
    row.style.setProperty("--depth", String(Math.min(depth, 5)));
    return row;
  }

  /**
   * @param {EventDraft} draft
   * @param {FormField} field
   * @param {string} name
   * @returns {Node}
   */
  #control(draft, field, name) {
    const { tokens, input, choices, type } = field;
    const value = lookUp(draft.value, tokens);
    const marks = { "aria-label": name, "data-tokens": JSON.stringify(tokens) };
    const set = (/** @type {Json} */ now) => this.#change((one) => one.setValue(tokens, now));
    switch (input) {
      case "group":
        return h("span", { class: "muted" }, "");
      case "list": {
        const count = Array.isArray(value) ? value.length : 0;
        const add = h("button", { type: "button", class: "line small" }, icon("add"), "Add");
        add.addEventListener("click", () => this.#change((one) => one.add(field)));
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
        add.addEventListener("click", () => this.#change((one) => one.add(field, key.value)));
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
        return this.#textControl(field, marks, set, value);
    }
  }

  /**
   * @param {FormField} field
   * @param {{ [name: string]: string }} marks
   * @param {(value: Json) => void} set
   * @param {Json | undefined} value
   */
  #textControl(field, marks, set, value) {
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
      if ("error" in read) this.#change((draft) => draft.setWrong(field.tokens, read.error));
      else set(read.value);
    });
    return made;
  }

  /**
   * @param {EventDraft} draft
   * @param {boolean} isFine
   */
  #renderActs(draft, isFine) {
    const { inspector, timeTravel } = this;
    const { forking, driving } = timeTravel;
    const key = keyText("Mod+Enter", this.context.isMac);
    const text = draft.mode === "replace"
      ? "Replace this event in a fork"
      : "Fork here with this event";
    if (this.#fork.dataset.text !== text) {
      this.#fork.dataset.text = text;
      this.#fork.replaceChildren(icon("branch"), text, h("kbd", {}, key));
    }
    const whyNot = forking.whyNot;
    this.#fork.disabled = !isFine || !draft.isChanged || whyNot !== undefined;
    const host = hostOf(inspector.summary, inspector.hosts);
    const last = inspector.data?.last ?? 0;
    const count = Math.max(0, last - draft.seq + (draft.mode === "after" ? 0 : 1));
    const recomputed = formatNumbered(count, "entry", "entries");
    const does = draft.mode === "replace"
      ? `Replaces event ${formatCount(draft.seq)} and recomputes ${recomputed}`
      : `Puts in a new event and recomputes ${recomputed}`;
    setText(
      this.#note,
      whyNot ??
        `${does} on ${visible(host?.name ?? "")}, ${
          host ? placeText(host) : ""
        }. The recording stays as it is.`,
    );
    this.#note.classList.toggle("warn", whyNot !== undefined);
    const whyNotLive = driving.whyNot;
    show(this.#send, driving.summary !== undefined);
    this.#send.disabled = !isFine || whyNotLive !== undefined || draft.whyNotLive !== undefined;
    const hint = driving.summary ? draft.whyNotLive ?? whyNotLive ?? "" : "";
    setText(this.#sendNote, hint === "" ? "" : `To the live app: ${hint}`);
    show(this.#sendNote, hint !== "");
    this.#revert.disabled = draft.mode !== "replace" ? false : !draft.isChanged;
  }
}

/**
 * @param {FormField} field
 * @param {Json | undefined} value
 */
function shownText(field, value) {
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
