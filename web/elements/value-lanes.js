/** Pinned and watched values as lanes below the timeline: how they change over the same time. */

import { brief } from "../base/event-name.js";
import { lookUp, readPointer } from "../base/pointer.js";
import { visible } from "../base/text.js";
import { valueName } from "../model/state/value-name.js";
import { parentLines } from "../model/timeline/parent-lines.js";
import { describeLine, pointsIn } from "../model/timeline/spark-line.js";
import { h, setAttribute, setText, show } from "./dom.js";
import { SteadyCount } from "./steady-count.js";
import { bandLabels, piecesOf, sparkOutlines } from "./spark-shape.js";
import { View } from "./view.js";

/** @import { Json } from "../base/json-types.d.ts" */
/** @import { Span } from "../model/timeline/scale.js" */
/** @import { SparkLine } from "../model/timeline/spark-line.js" */
/** @import { Sparklines } from "../model/timeline/sparklines.js" */

const SVG = "http://www.w3.org/2000/svg";

const HEIGHT = 30;

/** More lanes would leave too little room for the panes. */
const MAXIMUM_LANES = 4;

/** Drawings are finer than labels are long. */
const PIXELS_OF_BUCKET = 2;

export class ValueLanesView extends View {
  static define(name = "tt-value-lanes") {
    customElements.define(name, ValueLanesView);
  }

  #list = h("div", { class: "value-lane-list", role: "list" });
  #cursor = h("div", { class: "lane-cursor", "aria-hidden": "true" });
  #area = h("div", { class: "lane-area", "aria-hidden": "true" }, this.#cursor);
  /** @type {Lane[]} */
  #lanes = [];
  #width = 0;
  #isDown = false;
  #steady = new SteadyCount(() => this.invalidate());
  /** @type {Sparklines | undefined} */
  #sparks;
  /** @type {() => void} */
  #stopListening = () => {};

  build() {
    this.setAttribute("role", "region");
    this.setAttribute("aria-label", "Values over time");
    this.append(this.#list, this.#area);
    this.#steady.listen(".middle");
    this.#area.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      this.#isDown = true;
      this.#area.setPointerCapture(event.pointerId);
      this.#scrub(event);
    });
    this.#area.addEventListener("pointermove", (event) => this.#isDown && this.#scrub(event));
    for (const name of ["pointerup", "pointercancel"]) {
      this.#area.addEventListener(name, () => this.#isDown = false);
    }
    // Asking the element itself would lay the page out in the middle of a frame.
    new ResizeObserver(([entry]) => {
      const before = this.#width;
      this.#width = entry?.contentRect.width ?? 0;
      this.resized(before);
    }).observe(this.#area);
  }

  /** @param {PointerEvent} event */
  #scrub({ clientX }) {
    const { left, width } = this.#area.getBoundingClientRect();
    const sparks = this.inspector.data?.sparks;
    if (!sparks) return;
    const { start, end } = sparks.view;
    const share = Math.min(Math.max((clientX - left) / Math.max(width, 1), 0), 1);
    const seq = sparks.seqAt(start + share * (end - start));
    if (seq !== undefined) this.inspector.goTo(seq);
  }

  render() {
    const { inspector } = this;
    const { data, pin, watch, cursor } = inspector;
    const watched = (watch?.paths ?? []).filter((path) => !path.startsWith("/event"));
    const all = [...new Set([...pin ? [pin.path] : [], ...watched])].slice(0, MAXIMUM_LANES);
    const count = this.#steady.of(all.length, data?.id);
    const paths = all.slice(0, count);
    show(this, data !== undefined && count > 0);
    this.style.minHeight = count > paths.length ? `${count * HEIGHT + 1}px` : "";
    this.#listen(data?.sparks);
    if (!data || count === 0) return;
    const { sparks } = data;
    const { view } = sparks;
    while (this.#lanes.length < paths.length) this.#addLane();
    const { shown } = inspector.moment;
    /** @type {Json} */
    const values = shown?.is === "known" ? { state: shown.state, outputs: shown.outputs } : null;
    const pixels = Math.floor(this.#width / PIXELS_OF_BUCKET);
    const parent = parentLines(inspector);
    this.#lanes.forEach((lane, index) => {
      const path = paths[index];
      lane.toggle(path !== undefined);
      if (path === undefined) return;
      const value = lookUp(values, readPointer(path) ?? []);
      lane.name(path, value === undefined ? "" : brief(value, 40));
      if (pixels === 0) return;
      const line = sparks.line(path, pixels);
      lane.draw(line, view, this.#width, line && parent?.line(path, pixels, view));
    });
    const t = sparks.timeOf(cursor);
    const share = t === undefined ? -1 : (t - view.start) / (view.end - view.start);
    show(this.#cursor, share >= 0 && share <= 1);
    this.#cursor.style.transform = `translateX(${(share * this.#width).toFixed(1)}px)`;
  }

  #addLane() {
    const lane = new Lane();
    this.#lanes.push(lane);
    this.#list.append(lane.label);
    this.#cursor.before(lane.svg);
  }

  /** @param {Sparklines | undefined} sparks */
  #listen(sparks) {
    if (this.#sparks === sparks) return;
    this.#stopListening();
    this.#sparks = sparks;
    this.#stopListening = sparks?.changed.listen(() => this.invalidate()) ?? (() => {});
  }
}

/** One value: its name at the left, its drawing at the right. */
class Lane {
  #path = h("span", { class: "lane-name" });
  #value = h("span", { class: "muted lane-value" });
  /** @readonly */
  label = h("div", { class: "value-lane", role: "listitem" }, this.#path, this.#value);
  /** @readonly */
  svg = document.createElementNS(SVG, "svg");
  /** What is drawn. @type {unknown[]} */
  #drawn = [];

  constructor() {
    this.svg.setAttribute("class", "lane-drawing");
    this.svg.setAttribute("height", String(HEIGHT));
  }

  /** @param {boolean} isShown */
  toggle(isShown) {
    show(this.label, isShown);
    setAttribute(this.svg, "hidden", isShown ? undefined : "");
  }

  /** @param {string} path @param {string} value at the cursor */
  name(path, value) {
    const text = visible(valueName(path)) || "everything";
    setText(this.#path, text);
    setAttribute(this.#path, "title", text);
    setText(this.#value, visible(value));
  }

  /**
   * @param {SparkLine | undefined} line
   * @param {Span} span
   * @param {number} width
   * @param {SparkLine | undefined} parent
   */
  draw(line, span, width, parent) {
    const made = [line, parent, span.start, span.end, width];
    if (made.every((part, index) => part === this.#drawn[index]) && this.#drawn.length > 0) return;
    this.#drawn = made;
    setAttribute(this.label, "aria-description", line ? describeLine(line, span) : undefined);
    setAttribute(this.label, "title", line ? describeLine(line, span) : undefined);
    const outlines = sparkOutlines(line, span, { width, height: HEIGHT }, parent);
    const paths = outlines.map(({ name, d }) => {
      const path = document.createElementNS(SVG, "path");
      path.setAttribute("class", name);
      path.setAttribute("d", d);
      return path;
    });
    const pieces = line ? piecesOf(pointsIn(line, span), span, width) : [];
    const labels = outlines.some(({ name }) => name.startsWith("spark-band"))
      ? bandLabels(pieces).map(({ x, text }) => {
        const label = document.createElementNS(SVG, "text");
        label.setAttribute("x", String(x));
        label.setAttribute("y", String(HEIGHT / 2 + 4));
        label.textContent = visible(text);
        return label;
      })
      : [];
    this.svg.replaceChildren(...paths, ...labels);
  }
}
