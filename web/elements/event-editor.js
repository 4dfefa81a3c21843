/** Writing an event: as a form or as JSON, both of one value, and what is done with it. */

import { formatCount, formatNumbered } from "../base/format.js";
import { lookUp } from "../base/pointer.js";
import { visible } from "../base/text.js";
import { keyText } from "../model/commands/keys.js";
import { problemText } from "../model/branches/event-check.js";
import { insertNote } from "../model/files/what-if.js";
import { hostName, hostOf, placeText } from "../model/branches/hosts.js";
import { disable } from "./disabling.js";
import { h, icon, setAttribute, setText, show } from "./dom.js";
import { fieldRow, shownText } from "./field-row.js";
import { View } from "./view.js";

/** @import { EventDraft } from "../model/branches/event-draft.js" */
/** @import { FormField } from "../model/branches/form.js" */

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
  #sendKey = h("kbd");
  #send = h(
    "button",
    { type: "button", class: "line" },
    icon("send"),
    "Send to the live machine",
    this.#sendKey,
  );
  #revert = h("button", { type: "button" }, "Revert");
  #leave = h("button", {
    type: "button",
    class: "icon-button",
    title: "Discard the changes (Esc)",
    "aria-label": "Discard the changes",
  }, icon("close"));
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
    this.#case.addEventListener("change", () => {
      this.#change((draft) => {
        draft.chooseCase(this.#case.value);
      });
      // Keys that follow before the next frame are meant for the new fields.
      this.render();
    });
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
        // The button is of no use any more, and would take the focus with it.
        this.focusField();
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
        this.#leave,
      ),
      this.#caseLine,
      this.#fields,
      this.#text,
      this.#problems,
      this.#note,
      h("div", { class: "acts" }, this.#fork, this.#send, this.#revert),
      this.#sendNote,
    );
  }

  /**
   * Puts the focus into a field, or into the first one.
   *
   * @param {string} [tokens] the field's path in the event, as JSON
   */
  focusField(tokens) {
    this.render();
    const isNew = this.#draft?.mode !== "replace";
    const first = isNew && !this.#caseLine.hidden
      ? this.#case
      : this.querySelector("[data-tokens], textarea:not([hidden])") ?? this.#form;
    const chosen = [...this.#fields.querySelectorAll("[data-tokens]")].find((one) =>
      one instanceof HTMLElement && one.dataset.tokens === tokens
    );
    const field = chosen ?? first;
    if (!(field instanceof HTMLElement)) return;
    field.focus();
    const isText = field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement;
    // As after Tab: what is typed replaces the value that was pressed.
    if (chosen && isText) field.select();
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
    disable(this.#form, isBroken ? "The text is not JSON. Fix it first." : undefined);
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
      const change = (/** @type {(draft: EventDraft) => void} */ act) => this.#change(act);
      const focused = document.activeElement instanceof HTMLElement
        ? document.activeElement.dataset.tokens
        : undefined;
      this.#drawn = key;
      this.#fields.replaceChildren(
        ...(fields.length > 0
          ? fields.map((field) => fieldRow(draft, field, change))
          : [h("p", { class: "note" }, "No payload")]),
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
   * @param {boolean} isFine
   */
  #renderActs(draft, isFine) {
    const { inspector, timeTravel } = this;
    const { forking, driving } = timeTravel;
    setText(this.#sendKey, keyText("Mod+Shift+Enter", this.context.isMac));
    const key = keyText("Mod+Enter", this.context.isMac);
    const text = draft.mode === "replace" ? "Replace in a new branch" : "Insert in a new branch";
    if (this.#fork.dataset.text !== text) {
      this.#fork.dataset.text = text;
      this.#fork.replaceChildren(icon("branch"), text, h("kbd", {}, key));
    }
    const whyNot = forking.whyNot;
    const whyNotFine = isFine ? undefined : "Fix the problems of the event first.";
    const whyNotChanged = draft.isChanged ? undefined : "The event is unchanged.";
    const { before } = draft;
    const whyNotHere = isFine && before !== undefined
      ? forking.whyNoInsert(before, draft.value)
      : undefined;
    disable(this.#fork, whyNot ?? whyNotFine ?? whyNotChanged ?? whyNotHere);
    const host = hostOf(inspector.summary, inspector.hosts);
    const last = inspector.data?.last ?? 0;
    const count = Math.max(0, last - draft.seq + (draft.mode === "after" ? 0 : 1));
    const recomputed = formatNumbered(count, "entry", "entries");
    const whatIf = inspector.source?.whatIf;
    const does = draft.mode === "replace"
      ? `Replaces event ${formatCount(draft.seq)} and recomputes ${recomputed}`
      : `Inserts the event and recomputes ${recomputed}`;
    const where = host ? ` on ${hostName(host)}, ${placeText(host)}` : "";
    setText(
      this.#note,
      whyNot ?? whyNotHere ??
        (whatIf && before !== undefined ? insertNote(whatIf, before) : undefined) ??
        (isFine && !draft.isChanged && draft.mode === "replace"
          ? `Change a value to recompute the following entries in a new branch${where}.`
          : `${does}${where}. The recording stays as it is.`),
    );
    this.#note.classList.toggle("warn", (whyNot ?? whyNotHere) !== undefined);
    const whyNotLive = driving.whyNot;
    show(this.#send, driving.summary !== undefined);
    disable(this.#send, whyNotLive ?? draft.whyNotLive ?? whyNotFine);
    const hint = driving.summary ? draft.whyNotLive ?? whyNotLive ?? "" : "";
    setText(this.#sendNote, hint);
    show(this.#sendNote, hint !== "");
    disable(this.#revert, draft.mode === "replace" ? whyNotChanged : undefined);
  }
}
