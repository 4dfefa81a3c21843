/** The event of the entry, and what can be done from here. */

import { brief, eventName, eventPayload } from "../base/event-name.js";
import { isObject, writeJson } from "../base/json.js";
import { formatCount, formatDuration, formatNumbered } from "../base/format.js";
import { shorten, visible } from "../base/text.js";
import { causeElsewhere, causeIn } from "../wire/entry.js";
import { formOf } from "../model/form.js";
import { hostName, hostOf, placeText } from "../model/hosts.js";
import { readSchema } from "../wire/header.js";
import { lookUp } from "../base/pointer.js";
import { nameOf } from "../model/source-list.js";
import { titleOf } from "./entry-text.js";
import { describe } from "./toolbar.js";
import { h, icon, setAttribute, setText, show } from "./dom.js";
import { EventEditorView } from "./event-editor.js";
import { View } from "./view.js";

/** @import { Entry } from "../wire/entry.js" */
/** @import { FormField } from "../model/form.js" */

/** What is offered for the entry at the cursor: command, words, icon. */
const ACTS = /** @type {const} */ ([
  ["edit", "Edit", "edit"],
  ["skip", "Skip", "skip"],
  ["repeat", "Repeat", "repeat"],
  ["insert-after", "Insert…", "add"],
  ["undo", "Undo", "undo"],
  ["mark", "Mark", "mark"],
  ["minimise", "Minimize…", "cut"],
  ["export", "Export…", "download"],
  ["entry-menu", "More", "more"],
]);

/** Those of them that need a host. */
const CHANGING = new Set(["edit", "skip", "repeat", "insert-after", "minimise"]);

export class EventPanelView extends View {
  static define(name = "tt-event") {
    customElements.define(name, EventPanelView);
  }

  #name = h("span", { class: "chip" });
  #fields = h("div", { class: "fields" });
  #facts = h("dl", { class: "facts" });
  #note = h("p", { class: "note" });
  #shownPart = h("div", { class: "event-shown" });
  #editor = new EventEditorView();
  #acts = h("div", { class: "acts" });
  /** The buttons that change something, by their command. @type {Map<string, HTMLButtonElement>} */
  #buttons = new Map();
  /** The entry and its cause's timeline. @type {{ entry?: Entry | undefined, origin?: string | undefined }} */
  #shown = {};
  /** The draft that was shown last. @type {unknown} */
  #draft;

  build() {
    this.setAttribute("role", "region");
    this.setAttribute("aria-label", "Event");
    this.#editor.context = this.context;
    for (const [id, text, name] of ACTS) {
      const made = h("button", { type: "button", class: "line" }, icon(name), h("span", {}, text));
      describe(made, id, this.context.isMac, text);
      made.addEventListener("click", () => this.context.run(id));
      this.#acts.append(made);
      this.#buttons.set(id, made);
    }
    const more = this.#buttons.get("entry-menu");
    more?.addEventListener("click", () => {
      const { left, bottom } = more.getBoundingClientRect();
      this.context.windows.entryMenu(this.inspector.cursor, left, bottom);
    });
    if (more) setAttribute(more, "aria-haspopup", "menu");
    // A value that is pressed is to be changed.
    this.#fields.addEventListener("click", () => {
      if (getSelection()?.isCollapsed && !this.#buttons.get("edit")?.disabled) {
        this.context.run("edit");
      }
    });
    this.#shownPart.append(
      h("h3", {}, "Event", h("span", { class: "grow" }), this.#name),
      this.#fields,
      this.#facts,
    );
    this.append(this.#shownPart, this.#editor, h("h3", {}, "From here"), this.#acts, this.#note);
  }

  render() {
    const { inspector, timeTravel } = this;
    const { data } = inspector;
    const { draft } = timeTravel.rewriting;
    const entry = data?.entries.get(inspector.cursor);
    show(this, data !== undefined);
    show(this.#shownPart, draft === undefined);
    const whyNot = timeTravel.forking.whyNot;
    setText(this.#note, whyNot ?? this.#hostNote());
    for (const [id, button] of this.#buttons) {
      button.disabled = CHANGING.has(id) && whyNot !== undefined ||
        id === "undo" && (timeTravel.forking.trail.next.undo === undefined ||
            timeTravel.forking.whyNotWalk("undo") !== undefined);
    }
    const undo = this.#buttons.get("undo");
    const { undone } = timeTravel.forking;
    if (undo) describe(undo, "undo", this.context.isMac, undone ? `Undo: ${undone}` : "Undo");
    if (this.#draft !== draft) {
      this.#draft = draft;
      if (draft) this.#editor.focusFirst();
    }
    const origin = entry && this.#originOf(entry);
    if (entry === this.#shown.entry && origin === this.#shown.origin) return;
    this.#shown = { entry, origin };
    setText(this.#name, entry ? titleOf(entry) : "…");
    this.#fields.replaceChildren(...(entry ? this.#fieldsOf(entry) : []));
    this.#facts.replaceChildren(
      ...(entry
        ? factsOf(entry, this.#causeOf(entry, origin)).flatMap(([term, what]) => [
          h("dt", {}, term),
          h("dd", {}, what),
        ])
        : []),
    );
  }

  /**
   * What the timeline is called in which the entry's cause stands, when it is another one that is
   * here.
   *
   * @param {Entry} entry
   */
  #originOf(entry) {
    const cause = causeElsewhere(entry);
    const summary = cause && this.inspector.summaries.get(cause.timeline);
    return summary && nameOf(summary);
  }

  /**
   * The cause in another timeline: a way there when that one is here.
   *
   * @param {Entry} entry
   * @param {string | undefined} origin
   */
  #causeOf(entry, origin) {
    const cause = causeElsewhere(entry);
    if (!cause) return undefined;
    const seq = formatCount(cause.seq);
    if (origin === undefined) return `${seq} of another timeline, which is not here`;
    const go = h(
      "button",
      { type: "button", class: "link cause" },
      `${seq} of ${visible(origin)}`,
    );
    go.addEventListener("click", () => this.inspector.travel.goToCause());
    return go;
  }

  /** What making a branch does. */
  #hostNote() {
    const { summary, hosts } = this.inspector;
    const host = hostOf(summary, hosts);
    return host
      ? `Each makes a branch, computed on ${hostName(host)}, ${
        placeText(host)
      }. The recording stays as it is.`
      : "";
  }

  /** @param {Entry} entry */
  #fieldsOf(entry) {
    const { event } = entry;
    if (event === undefined) return [];
    const schema = readSchema(this.inspector.summary?.header.schema);
    const fields = toldOf(formOf(schema, event)).slice(0, 24);
    if (fields.length > 0) {
      return fields.map(({ tokens, label, depth }) => {
        const value = lookUp(event, tokens);
        const text = value === undefined ? "nil" : visible(
          shorten(typeof value === "string" ? JSON.stringify(value) : brief(value, 200), 400),
        );
        const row = h(
          "div",
          { class: "field" },
          h("span", { class: "field-name" }, visible(label)),
          h(
            "span",
            { class: "field-value", ...scrolling(text, visible(label)) },
            text,
          ),
        );
        row.style.setProperty("--depth", String(depth));
        return row;
      });
    }
    const payload = eventPayload(event);
    if (payload === undefined || (isObject(payload) && Object.keys(payload).length === 0)) {
      return [
        h("p", { class: "note" }, eventName(event) === undefined ? "" : "It carries nothing."),
      ];
    }
    const text = visible(shorten(writeJson(payload, 2), 4_000)).replaceAll("\\n", "\n");
    return [h("pre", { class: "field-json", ...scrolling(text, "What the event carries") }, text)];
  }
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
function toldOf(fields) {
  const whole = fields.filter(({ input }) => ["list", "map", "case"].includes(input));
  const isInside = (/** @type {string[]} */ tokens) =>
    whole.some((head) =>
      head.tokens.length < tokens.length && head.tokens.every((token, at) => token === tokens[at])
    );
  return fields.filter(({ input, tokens }) => input !== "group" && !isInside(tokens));
}

/**
 * What else the line says.
 *
 * @param {Entry} entry
 * @param {string | HTMLElement | undefined} elsewhere the cause in another timeline
 * @returns {[string, string | HTMLElement][]}
 */
function factsOf(entry, elsewhere) {
  /** @type {[string, string | HTMLElement][]} */
  const facts = [];
  const add = (/** @type {string} */ term, /** @type {string | undefined} */ text) =>
    text !== undefined && facts.push([term, visible(text)]);
  add("error", entry.error);
  add("from", entry.origin);
  // The file alone: folders make it too long for the pane.
  add("at", entry.at?.split("/").at(-1));
  if (entry.ns !== undefined) {
    add(
      "reducer",
      entry.ns < 1_000 ? `${entry.ns} ns` : formatDuration(Math.round(entry.ns / 1_000)),
    );
  }
  const cause = causeIn(entry);
  if (cause !== undefined) add("cause", formatCount(cause));
  if (elsewhere !== undefined) facts.push(["cause", elsewhere]);
  if (entry.was !== undefined) add("was", `${formatCount(entry.was)} of the parent`);
  if (entry.gap) {
    add(
      "lost",
      `${formatNumbered(entry.gap.lost, "entry", "entries")} before it: ${entry.gap.why}`,
    );
  }
  if (entry.redacted && entry.redacted.size > 0) {
    add("redacted", formatNumbered(entry.redacted.size, "value"));
  }
  if (entry.omitted !== undefined) add("omitted", `a state of ${formatCount(entry.omitted)} bytes`);
  return facts;
}
