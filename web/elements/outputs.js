/** The named outputs: changed ones first, with what they were. */

import { brief } from "../base/event-name.js";
import { isObject } from "../base/json.js";
import { visible } from "../base/text.js";
import { changedText, outputRows } from "../model/state/output-rows.js";
import { Beat } from "./beat.js";
import { h, keep, setAttribute, setText, show } from "./dom.js";
import { View } from "./view.js";

/** @import { OutputRow } from "../model/state/output-rows.js" */

export class OutputsView extends View {
  static define(name = "tt-outputs") {
    customElements.define(name, OutputsView);
  }

  #count = h("span", { class: "muted" });
  #list = h("div", { class: "output-list", role: "list", tabindex: 0, "aria-label": "Outputs" });
  #empty = h("p", { class: "pane-note", hidden: true });
  #beat = new Beat(this.#list);

  build() {
    this.setAttribute("role", "region");
    this.setAttribute("aria-label", "Outputs");
    this.append(
      h("header", { class: "pane-head" }, h("h2", {}, "Outputs"), this.#count),
      this.#list,
      this.#empty,
    );
  }

  render() {
    const { inspector } = this;
    const { shown, before } = inspector.moment;
    const values = shown?.is === "known" && isObject(shown.outputs) ? shown.outputs : {};
    const old = before?.is === "known" && isObject(before.outputs) ? before.outputs : undefined;
    const kinds = inspector.summary?.header.outputs;
    const changes = inspector.moment.changes("outputs");
    const rows = shown?.is !== "known" ? [] : outputRows(values, old, changes, kinds);
    const isKnown = changes !== undefined;
    const isUnknown = !isKnown && inspector.moment.isBeforeUnknown;
    setText(this.#count, changedText(rows, { isKnown, isUnknown }));
    setAttribute(this.#count, "title", isUnknown ? inspector.moment.whyNoChanges() : undefined);
    show(this.#empty, rows.length === 0 && shown !== undefined);
    setText(
      this.#empty,
      shown?.is !== "failed"
        ? "This machine has no named outputs."
        : shown.code === "thinned"
        ? "Outputs not recorded for this entry"
        : "Outputs not loaded for this entry",
    );
    keep(
      this.#list,
      rows,
      ({ name }) => name,
      () => this.#make(),
      (element, row) => this.#update(element, row),
    );
    this.#beat.show(shown?.seq);
  }

  #make() {
    return h(
      "div",
      { role: "listitem", class: "output-row" },
      h("span", { class: "chip" }),
      h("span", { class: "output-name" }),
      h("span", { class: "muted was" }),
      h("span", { class: "muted arrow", "aria-hidden": "true" }, "→"),
      h("span", { class: "is" }),
    );
  }

  /**
   * @param {HTMLElement} element
   * @param {OutputRow} row
   */
  #update(element, row) {
    const [chip, name, was, arrow, is] = element.children;
    if (!chip || !name || !(was instanceof HTMLElement) || !(arrow instanceof HTMLElement) || !is) {
      return;
    }
    setText(chip, row.fires ? "fires" : row.kind);
    chip.classList.toggle("fires", row.fires);
    setText(name, visible(row.name));
    const hasOld = row.isChanged && row.old !== undefined;
    show(was, hasOld);
    show(arrow, hasOld);
    if (hasOld) setText(was, visible(brief(row.old ?? null)));
    setText(is, row.value === undefined ? "nil" : visible(brief(row.value, 160)));
    setAttribute(is, "title", is.textContent);
    setAttribute(element, "data-changed", row.isChanged || undefined);
  }
}
