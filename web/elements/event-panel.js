/** The event of the entry, and what can be done from here. */

import { brief, eventName, eventPayload } from "../base/event-name.js";
import { isObject, writeJson } from "../base/json.js";
import { formatCount, formatDuration, formatNumbered } from "../base/format.js";
import { shorten, visible } from "../base/text.js";
import { causeElsewhere, causeIn } from "../wire/entry.js";
import { formOf } from "../model/form.js";
import { readSchema } from "../wire/header.js";
import { lookUp } from "../base/pointer.js";
import { titleOf } from "./entry-text.js";
import { describe } from "./toolbar.js";
import { h, icon, setText, show } from "./dom.js";
import { View } from "./view.js";

/** @import { Entry } from "../wire/entry.js" */

export class EventPanelView extends View {
  static define(name = "tt-event") {
    customElements.define(name, EventPanelView);
  }

  #name = h("span", { class: "chip" });
  #fields = h("div", { class: "fields" });
  #facts = h("dl", { class: "facts" });
  #note = h("p", { class: "note" });
  #acts = h("div", { class: "acts" });
  /** @type {HTMLButtonElement[]} */
  #buttons = [];
  /** @type {unknown} */
  #shown;

  build() {
    this.setAttribute("role", "region");
    this.setAttribute("aria-label", "Event");
    const button = (
      /** @type {string} */ id,
      /** @type {string} */ text,
      /** @type {string} */ name = "",
    ) => {
      const made = h("button", { type: "button", class: "line" }, name !== "" && icon(name), text);
      describe(made, id, this.context.isMac, text);
      made.addEventListener("click", () => this.context.run(id));
      this.#acts.append(made);
      return made;
    };
    this.#buttons = [
      button("undo", "Undo", "undo"),
      button("skip", "Skip"),
      button("edit", "Edit…"),
    ];
    button("mark", "Mark", "mark");
    button("export", "Export…", "download");
    this.append(
      h("h3", {}, "Event", h("span", { class: "grow" }), this.#name),
      this.#fields,
      this.#facts,
      h("h3", {}, "From here"),
      this.#acts,
      this.#note,
    );
  }

  render() {
    const { inspector } = this;
    const { data } = inspector;
    const entry = data?.entries.get(inspector.cursor);
    show(this, data !== undefined);
    setText(this.#note, this.#changeNote());
    const canChange = this.#canChange();
    for (const button of this.#buttons) button.disabled = !canChange;
    if (entry === this.#shown) return;
    this.#shown = entry;
    setText(this.#name, entry ? titleOf(entry) : "…");
    this.#fields.replaceChildren(...(entry ? this.#fieldsOf(entry) : []));
    this.#facts.replaceChildren(
      ...(entry
        ? factsOf(entry).flatMap(([term, text]) => [h("dt", {}, term), h("dd", {}, text)])
        : []),
    );
  }

  #canChange() {
    const { source, hosts } = this.inspector;
    return source?.kind === "daemon" && source.capabilities.has("change") &&
      hosts.some(({ problem }) => problem === undefined);
  }

  /** Why the past cannot be changed here, or what changing does. */
  #changeNote() {
    const { source, hosts } = this.inspector;
    if (source?.kind === "file") {
      return "This is a file. To undo, skip or edit, import it into a daemon that has a host.";
    }
    if (source && !source.capabilities.has("change")) {
      return "This session may look, but not change. Ask for a link by debugd open.";
    }
    if (hosts.every(({ problem }) => problem !== undefined)) {
      return "Undo, skip and edit need a host that runs the reducer: call ReducerHost.runIfAsked first in the app's main, and run the app.";
    }
    return `Each makes a branch that is computed on host ${
      visible(hosts[0]?.name ?? "")
    }. The recording stays as it is.`;
  }

  /** @param {Entry} entry */
  #fieldsOf(entry) {
    const { event } = entry;
    if (event === undefined) return [];
    const schema = readSchema(this.inspector.summary?.header.schema);
    const fields = formOf(schema, event).filter(({ input }) => input !== "group").slice(0, 24);
    if (fields.length > 0) {
      return fields.map(({ tokens, label, depth }) => {
        const value = lookUp(event, tokens);
        const row = h(
          "div",
          { class: "field" },
          h("span", { class: "field-name" }, visible(label)),
          h(
            "span",
            { class: "field-value" },
            value === undefined ? "nil" : visible(
              shorten(typeof value === "string" ? JSON.stringify(value) : brief(value, 200), 400),
            ),
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
    return [
      h(
        "pre",
        { class: "field-json" },
        visible(shorten(writeJson(payload, 2), 4_000)).replaceAll("\\n", "\n"),
      ),
    ];
  }
}

/**
 * What else the line says.
 *
 * @param {Entry} entry
 * @returns {[string, string][]}
 */
function factsOf(entry) {
  /** @type {[string, string][]} */
  const facts = [];
  const add = (/** @type {string} */ term, /** @type {string | undefined} */ text) =>
    text !== undefined && facts.push([term, visible(text)]);
  add("error", entry.error);
  add("from", entry.origin);
  add("at", entry.at);
  if (entry.ns !== undefined) {
    add(
      "reducer",
      entry.ns < 1_000 ? `${entry.ns} ns` : formatDuration(Math.round(entry.ns / 1_000)),
    );
  }
  const cause = causeIn(entry);
  const elsewhere = causeElsewhere(entry);
  if (cause !== undefined) add("cause", formatCount(cause));
  if (elsewhere) add("cause", `${formatCount(elsewhere.seq)} of another timeline`);
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
