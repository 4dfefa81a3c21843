/** A sparkline: how one value changes over the stretch of time that the timeline shows. */

import { describeLine } from "../model/timeline/spark-line.js";
import { sparkOutlines } from "./spark-shape.js";
import { h, setAttribute, show } from "./dom.js";

/** @import { Span } from "../model/timeline/scale.js" */
/** @import { SparkLine } from "../model/timeline/spark-line.js" */

const SVG = "http://www.w3.org/2000/svg";

/** In units of its own; the style sheet decides how wide it is. */
export const SPARK_WIDTH = 96;
const SPARK_HEIGHT = 18;

export class Sparkline {
  /** @readonly */
  element = h("span", { class: "spark-row", "aria-hidden": "true", hidden: true });
  /** In words. */
  text = "";
  #svg = document.createElementNS(SVG, "svg");
  /** @type {SVGPathElement[]} */
  #paths = [];
  /** What it shows. @type {unknown[]} */
  #shown = [];

  constructor() {
    this.#svg.setAttribute("viewBox", `0 0 ${SPARK_WIDTH} ${SPARK_HEIGHT}`);
    this.#svg.setAttribute("preserveAspectRatio", "none");
    this.element.append(this.#svg);
  }

  /**
   * @param {SparkLine | undefined} line
   * @param {Span} span
   * @param {SparkLine} [parent] the same value of the timeline from which a branch starts
   */
  show(line, span, parent) {
    const made = [line, parent, span.start, span.end];
    if (made.every((part, index) => part === this.#shown[index]) && this.#shown.length > 0) return;
    this.#shown = made;
    show(this.element, line !== undefined);
    this.text = line ? describeLine(line, span) : "";
    if (!line) return;
    setAttribute(this.element, "title", this.text);
    const size = { width: SPARK_WIDTH, height: SPARK_HEIGHT };
    const outlines = sparkOutlines(line, span, size, parent);
    outlines.forEach(({ name, d }, index) => {
      let path = this.#paths[index];
      if (!path) {
        path = document.createElementNS(SVG, "path");
        this.#paths.push(path);
        this.#svg.append(path);
      }
      setAttribute(path, "class", name);
      setAttribute(path, "d", d);
    });
    this.#paths.forEach((path, index) => {
      if (index >= outlines.length) setAttribute(path, "d", "");
    });
  }
}
