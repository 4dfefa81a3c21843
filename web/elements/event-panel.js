/** The event of the entry, and what can be done from here. */

import { formatCount, formatDuration, formatNumbered } from "../base/format.js";
import { visible } from "../base/text.js";
import { causeElsewhere, causeIn } from "../wire/entry.js";
import { keyText } from "../model/commands/keys.js";
import { commandOf } from "../model/commands/table.js";
import { nameOf } from "../model/sources/source-list.js";
import { isMarked } from "../model/timeline/marked.js";
import { titleOf } from "./entry-text.js";
import { describe } from "./toolbar.js";
import { disable } from "./disabling.js";
import { h, icon, setAttribute, setText, show } from "./dom.js";
import { CallSiteView } from "./call-site.js";
import { EventEditorView } from "./event-editor.js";
import { PayloadFields } from "./payload-fields.js";
import { View } from "./view.js";

/** @import { Entry } from "../wire/entry.js" */
/** @import { ValueAct } from "./value-acts.js" */

/** The frequent edits of the entry at the cursor: command, words, icon. */
const EDITS = /** @type {const} */ ([
  ["edit", "Edit", "edit"],
  ["skip", "Skip", "skip"],
  ["insert-after", "Insert…", "add"],
]);

/** What is done with the events up to it: command, words. */
const PROOFS = /** @type {const} */ ([
  ["minimise", "Minimize…"],
  ["export", "Export…"],
]);

export class EventPanelView extends View {
  static define(name = "tt-event") {
    customElements.define(name, EventPanelView);
  }

  #name = h("span", { class: "chip" });
  #fields = new PayloadFields(() => this.context, (tokens) => this.#edit(tokens));
  #facts = h("dl", { class: "facts" });
  #callSite = new CallSiteView(() => this.inspector);
  #note = h("p", { class: "note" });
  #shownPart = h("div", { class: "event-shown" });
  #editor = new EventEditorView();
  #edits = h("div", { class: "acts edits" });
  #proofs = h("div", { class: "acts proofs" }, h("span", { class: "muted" }, "Test"));
  #mark = h(
    "button",
    { type: "button", class: "icon-button mark-button" },
    icon("mark"),
  );
  #more = h(
    "button",
    { type: "button", class: "icon-button", "aria-haspopup": "menu" },
    icon("more"),
  );
  /** The buttons of commands, by their command. @type {Map<string, HTMLButtonElement>} */
  #buttons = new Map();
  /**
   * The entry, its cause's timeline, and whether it can be edited.
   *
   * @type {{ entry?: Entry | undefined, origin?: string | undefined, canEdit?: boolean }}
   */
  #shown = {};
  /** The field to begin with when the editor opens, by its tokens. @type {string | undefined} */
  #chosen;
  /** The draft that was shown last. @type {unknown} */
  #draft;

  build() {
    this.setAttribute("role", "region");
    this.setAttribute("aria-label", "Event");
    this.#editor.context = this.context;
    for (const [id, text, name] of EDITS) {
      const key = commandOf(id)?.keys[0] ?? "";
      const made = h(
        "button",
        { type: "button", class: "line" },
        icon(name),
        h("span", {}, text),
        h("kbd", {}, keyText(key, this.context.isMac)),
      );
      this.#edits.append(this.#run(made, id, text));
    }
    for (const [id, text] of PROOFS) {
      const made = h("button", { type: "button", class: "link" }, text);
      this.#proofs.append(this.#run(made, id, text));
    }
    this.#run(this.#mark, "mark", "Mark");
    describe(this.#more, "entry-menu", this.context.isMac);
    this.#more.addEventListener("click", () => {
      const { left, bottom } = this.#more.getBoundingClientRect();
      this.context.windows.entryMenu(this.inspector.cursor, left, bottom);
    });
    // The next entry would replace what is pressed before the button is released.
    this.#shownPart.addEventListener("pointerdown", ({ target }) => {
      const isPressed = target instanceof Element && target.closest("[data-field], .cause");
      if (isPressed) this.inspector.stopFollowing();
    });
    this.#shownPart.append(
      h("h3", {}, "Event", this.#name, h("span", { class: "grow" }), this.#mark),
      this.#fields.element,
      this.#facts,
      this.#callSite.panel,
      this.#fields.menu.element,
    );
    this.append(
      h("div", { class: "event-content" }, this.#shownPart, this.#editor),
      // At the bottom, where no event of another size moves them.
      h(
        "div",
        { class: "event-actions" },
        h("h3", {}, "From here", h("span", { class: "grow" }), this.#more),
        this.#note,
        this.#edits,
        this.#proofs,
      ),
    );
  }

  /**
   * Makes a button run a command.
   *
   * @param {HTMLButtonElement} button
   * @param {string} id
   * @param {string} title
   */
  #run(button, id, title) {
    describe(button, id, this.context.isMac, title);
    button.addEventListener("click", () => this.context.run(id));
    this.#buttons.set(id, button);
    return button;
  }

  /** Whether a key is meant for a value of the event. */
  get hasFocus() {
    return this.#fields.focused !== undefined;
  }

  /** Does something with the value that has the focus. @param {ValueAct} act */
  async act(act) {
    await this.#fields.act(act);
  }

  /** Opens the editor at a value. @param {string[]} tokens */
  #edit(tokens) {
    this.#chosen = JSON.stringify(tokens);
    this.context.run("edit");
  }

  render() {
    const { inspector, timeTravel } = this;
    const { data } = inspector;
    const { draft } = timeTravel.rewriting;
    const entry = data?.entries.get(inspector.cursor);
    show(this, data !== undefined);
    show(this.#shownPart, draft === undefined);
    const whyNot = timeTravel.forking.whyNot;
    setText(this.#note, whyNot ?? "");
    show(this.#note, whyNot !== undefined);
    const hasMark = isMarked(inspector.summary, inspector.cursor);
    describe(this.#mark, "mark", this.context.isMac, hasMark ? "Remove mark" : "Mark");
    setAttribute(this.#mark, "aria-pressed", String(hasMark));
    for (const [id, button] of this.#buttons) {
      disable(button, commandOf(id)?.whyNot?.(this.context));
    }
    if (this.#draft !== draft) {
      this.#draft = draft;
      if (draft) {
        this.#editor.focusField(this.#chosen);
        this.#chosen = undefined;
      }
    }
    const origin = entry && this.#originOf(entry);
    const canEdit = commandOf("edit")?.whyNot?.(this.context) === undefined;
    const isSame = entry === this.#shown.entry && origin === this.#shown.origin &&
      canEdit === this.#shown.canEdit;
    if (isSame) return;
    this.#shown = { entry, origin, canEdit };
    setText(this.#name, entry ? titleOf(entry) : "…");
    this.#fields.show(entry, canEdit);
    const site = this.#callSite.of(entry);
    const isWrapped = this.inspector.summary?.header.machine.kind === "reducer";
    const callSite = site === undefined ? undefined : { site, isWrapped };
    this.#facts.replaceChildren(
      ...(entry
        ? factsOf(entry, this.#causeOf(entry, origin), callSite).flatMap(([term, what]) => [
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
    if (origin === undefined) return `${seq} of another timeline, which is not loaded`;
    const go = h(
      "button",
      { type: "button", class: "link cause" },
      `${seq} of ${visible(origin)}`,
    );
    go.addEventListener("click", () => this.inspector.travel.goToCause());
    return go;
  }
}

/**
 * What else the line says.
 *
 * @param {Entry} entry
 * @param {string | HTMLElement | undefined} elsewhere the cause in another timeline
 * @param {{ site: string | HTMLElement, isWrapped: boolean } | undefined} callSite that of a wrapped
 *   function is the same for all events
 * @returns {[string, string | HTMLElement][]}
 */
function factsOf(entry, elsewhere, callSite) {
  /** @type {[string, string | HTMLElement][]} */
  const facts = [];
  const add = (/** @type {string} */ term, /** @type {string | undefined} */ text) =>
    text !== undefined && facts.push([term, visible(text)]);
  add("error", entry.error);
  add("from", entry.origin);
  if (callSite) facts.push([callSite.isWrapped ? "wrapped at" : "at", callSite.site]);
  if (entry.ns !== undefined) {
    add(
      "reducer",
      entry.ns < 1_000 ? `${entry.ns} ns` : formatDuration(Math.round(entry.ns / 1_000)),
    );
  }
  const cause = causeIn(entry);
  if (cause !== undefined) add("cause", formatCount(cause));
  if (elsewhere !== undefined) facts.push(["cause", elsewhere]);
  if (entry.was !== undefined) add("originally", `entry ${formatCount(entry.was)}`);
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
