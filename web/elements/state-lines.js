/** The sparklines of the state's rows, and the cursor on all of them. */

import { lookUp, readPointer } from "../base/pointer.js";
import { parentLines } from "../model/timeline/parent-lines.js";
import { isDrawn } from "../model/timeline/spark-line.js";
import { setAttribute } from "./dom.js";
import { SPARK_WIDTH } from "./sparkline.js";

/** @import { Json } from "../base/json-types.d.ts" */
/** @import { Inspector } from "../model/inspector/inspector.js" */
/** @import { Sparklines } from "../model/timeline/sparklines.js" */
/** @import { TreeRow } from "../model/state/tree.js" */
/** @import { StateRow } from "./state-row.js" */

const SVG = "http://www.w3.org/2000/svg";
const ROW_HEIGHT = 22;

/** What a row shows; no path where it has no line. @typedef {{ path: string, key: string, hasLine: boolean }} Shown */

/** A row of the state that is drawn. @typedef {{ row: StateRow, item: TreeRow, y: number }} DrawnRow */

export class StateLines {
  #invalidate;
  /** One line over the sparklines of all rows: moving it changes nothing else. */
  #head = document.createElementNS(SVG, "svg");
  #cursor = document.createElementNS(SVG, "path");
  /** What the rows show: while the cursor moves, their lines stay. @type {WeakMap<StateRow, Shown>} */
  #shown = new WeakMap();
  /** Counts the news of the lines. */
  #version = 0;
  #outline = "";
  /** @type {Sparklines | undefined} */
  #sparks;
  /** @type {() => void} */
  #stopListening = () => {};

  /**
   * @param {HTMLElement} layer that holds the rows
   * @param {() => void} invalidate
   */
  constructor(layer, invalidate) {
    this.#invalidate = invalidate;
    this.#head.setAttribute("class", "spark-head");
    this.#head.setAttribute("aria-hidden", "true");
    this.#cursor.setAttribute("class", "spark-now");
    this.#head.append(this.#cursor);
    layer.append(this.#head);
  }

  /**
   * @param {Inspector} inspector
   * @param {readonly DrawnRow[]} rows
   * @param {Json} state
   */
  render(inspector, rows, state) {
    const { data, cursor, location } = inspector;
    this.#listen(data?.sparks);
    // A tab that is hidden asks for nothing.
    if (!data || location.tab !== "state") return;
    const { sparks } = data;
    const { view } = sparks;
    const key = `${data.id} ${view.start} ${view.end} ${data.last} ${this.#version}`;
    const parent = parentLines(inspector);
    let outline = "";
    for (const { row, item, y } of rows) {
      const isLine = item.look !== "cut" && item.look !== "redacted" && item.mark !== "removed" &&
        isDrawn(lookUp(state, readPointer(item.path) ?? []));
      const path = isLine ? "/state" + item.path : "";
      let shown = this.#shown.get(row);
      if (shown?.path !== path || shown.key !== key) {
        const line = isLine ? sparks.line(path, SPARK_WIDTH) : undefined;
        row.showLine(line, view, line && parent?.line(path, SPARK_WIDTH, view));
        shown = { path, key, hasLine: line !== undefined };
        this.#shown.set(row, shown);
      }
      if (shown.hasLine) outline += `M0 ${y + 2}v${ROW_HEIGHT - 4}`;
    }
    if (outline !== this.#outline) this.#cursor.setAttribute("d", this.#outline = outline);
    const t = sparks.timeOf(cursor);
    const share = t === undefined ? -1 : (t - view.start) / (view.end - view.start);
    const isInView = share >= 0 && share <= 1;
    setAttribute(this.#head, "hidden", isInView ? undefined : "");
    this.#head.style.transform = `translateX(${(share * SPARK_WIDTH).toFixed(1)}px)`;
  }

  /**
   * Goes to the moment under the pointer, if it is on a sparkline.
   *
   * @param {MouseEvent} event
   * @param {Inspector} inspector
   * @returns {boolean} whether it is
   */
  travel({ target, clientX }, inspector) {
    const spark = target instanceof Element ? target.closest(".spark-row") : null;
    const { data } = inspector;
    if (!spark || !data) return false;
    const { left, width } = spark.getBoundingClientRect();
    const { start, end } = data.sparks.view;
    const share = Math.min(Math.max((clientX - left) / Math.max(width, 1), 0), 1);
    const seq = data.sparks.seqAt(start + share * (end - start));
    if (seq !== undefined) inspector.goTo(seq, { isJump: true });
    return true;
  }

  /** @param {Sparklines | undefined} sparks */
  #listen(sparks) {
    if (this.#sparks === sparks) return;
    this.#stopListening();
    this.#sparks = sparks;
    this.#stopListening = sparks?.changed.listen(() => {
      this.#version++;
      this.#invalidate();
    }) ?? (() => {});
  }
}
