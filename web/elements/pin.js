/** The history of the pinned value: a line through time, and the ways to its changes. */

import { brief } from "../base/event-name.js";
import { isNumber } from "../base/json.js";
import { formatCount, formatNumbered } from "../base/format.js";
import { visible } from "../base/text.js";
import { valueName } from "../model/state/value-name.js";
import { h, icon, setAttribute, setText, show } from "./dom.js";
import { View } from "./view.js";

/** @import { Json } from "../base/json-types.d.ts" */
/** @import { Change } from "../model/state/pin.js" */

const SVG = "http://www.w3.org/2000/svg";
const WIDTH = 400;
const HEIGHT = 34;

export class PinView extends View {
  static define(name = "tt-pin") {
    customElements.define(name, PinView);
  }

  #path = h("code");
  #text = h("span", { class: "muted" });
  #line = document.createElementNS(SVG, "path");
  #cursor = document.createElementNS(SVG, "path");
  #svg = document.createElementNS(SVG, "svg");

  build() {
    this.setAttribute("role", "region");
    this.setAttribute("aria-label", "Pinned value");
    const button = (
      /** @type {string} */ id,
      /** @type {string} */ key,
      /** @type {string} */ text,
    ) => {
      const made = h(
        "button",
        { type: "button", class: "plain", "aria-label": text, title: `${text} change (${key})` },
        h("kbd", {}, key),
        h("span", { class: "word" }, text),
      );
      made.addEventListener("click", () => this.context.run(id));
      return made;
    };
    const close = h("button", {
      type: "button",
      class: "icon-button",
      "aria-label": "Unpin",
      title: "Unpin",
    }, icon("close"));
    close.addEventListener("click", () => this.inspector.setPin(undefined));
    this.#svg.setAttribute("viewBox", `0 0 ${WIDTH} ${HEIGHT}`);
    this.#svg.setAttribute("preserveAspectRatio", "none");
    this.#svg.setAttribute("class", "sparkline");
    this.#svg.setAttribute("aria-hidden", "true");
    this.#line.setAttribute("class", "spark");
    this.#cursor.setAttribute("class", "spark-cursor");
    this.#svg.append(this.#line, this.#cursor);
    this.append(
      h(
        "p",
        {},
        icon("clock"),
        this.#path,
        this.#text,
        h("span", { class: "grow" }),
        button("previous-change", "p", "previous"),
        button("next-change", "n", "next"),
        close,
      ),
      this.#svg,
    );
  }

  render() {
    const { pin, data, cursor } = this.inspector;
    show(this, pin !== undefined);
    if (!pin || !data) return;
    setText(this.#path, visible(valueName(pin.path)) || "everything");
    const more = pin.hasEarlier || pin.hasLater;
    const unknown = pin.unknownCount > 0 ? `, ${formatCount(pin.unknownCount)} unknown` : "";
    const changed = pin.changes.length === 0
      ? "has not changed"
      : `changed ${more ? "at least " : ""}${formatNumbered(pin.changes.length, "time")}`;
    setText(
      this.#text,
      pin.message || (pin.isLoading && pin.changes.length === 0 ? "searching…" : changed + unknown),
    );
    const [first] = pin.changes;
    const last = pin.changes.at(-1);
    const start = pin.hasEarlier ? first?.seq ?? 0 : data.first;
    const end = pin.hasLater ? last?.seq ?? data.last : data.last;
    setAttribute(this.#line, "d", sparkline(pin.changes, start, end));
    const x = end > start ? (cursor - start) / (end - start) * WIDTH : 0;
    setAttribute(this.#cursor, "d", `M${x.toFixed(1)} 1V${HEIGHT - 1}`);
    const set = pin.setBy(cursor);
    setAttribute(this.#svg, "data-value", set?.new === undefined ? "" : brief(set.new));
  }
}

/**
 * The values as steps: numbers by their size, all others by their order of appearance.
 *
 * @param {Change[]} changes
 * @param {number} start
 * @param {number} end
 */
function sparkline(changes, start, end) {
  const [first] = changes;
  const values = first
    ? [first.old ?? null, ...changes.map((change) => change.new ?? null)]
    : [null];
  const heights = heightsOf(values);
  const y = (/** @type {number} */ index) =>
    (HEIGHT - 8 - (heights[index] ?? 0) * (HEIGHT - 16)).toFixed(1);
  let path = `M0 ${y(0)}`;
  changes.forEach(({ seq }, index) => {
    const x = end > start ? (seq - start) / (end - start) * WIDTH : WIDTH;
    path += `H${x.toFixed(1)}V${y(index + 1)}`;
  });
  return `${path}H${WIDTH}`;
}

/**
 * @param {Json[]} values
 * @returns {number[]} from 0 to 1
 */
function heightsOf(values) {
  const numbers = values.map((value) =>
    isNumber(value) ? Number(value) : value === true ? 1 : value === false ? 0 : undefined
  );
  const known = numbers.filter((number) => number !== undefined);
  if (known.length >= values.length - 1 && known.length > 0) {
    const [least, most] = [Math.min(...known), Math.max(...known)];
    return numbers.map((number) =>
      number === undefined ? 0 : most > least ? (number - least) / (most - least) : 0.5
    );
  }
  /** @type {Map<string, number>} */
  const places = new Map();
  const order = values.map((value) => {
    const text = brief(value, 200);
    if (!places.has(text)) places.set(text, places.size);
    return places.get(text) ?? 0;
  });
  return order.map((place) => places.size > 1 ? place / (places.size - 1) : 0.5);
}
