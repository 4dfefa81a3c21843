/** The sparklines of a list's rows, and the cursor on all of them. */

import { withRoom } from "../model/timeline/scale.js";
import { parentLines } from "../model/timeline/parent-lines.js";
import { setAttribute } from "./dom.js";
import { SPARK_WIDTH } from "./sparkline.js";

/** @import { Inspector } from "../model/inspector/inspector.js" */
/** @import { TimelineData } from "../model/timeline/timeline-data.js" */
/** @import { Sparklines } from "../model/timeline/sparklines.js" */
/** @import { Span } from "../model/timeline/scale.js" */
/** @import { SparkLine } from "../model/timeline/spark-line.js" */

/** The share of a sparkline that the last value has at least. */
const ROOM = 0.06;

const SVG = "http://www.w3.org/2000/svg";

/**
 * What a row shows, and of which timeline.
 *
 * @typedef {{ timeline: string, pointer: string, key: string, hasLine: boolean }} Shown
 */

/**
 * A row that can show a line.
 *
 * @typedef {{ showLine: (line: SparkLine | undefined, span: Span, parent?: SparkLine) => void }} LineHolder
 */

/**
 * A row that is drawn: the pointer of its value into the moment, empty where that has no line.
 *
 * @typedef {{ row: LineHolder, pointer: string, y: number }} LineRow
 */

export class ValueLines {
  #rowHeight;
  #invalidate;
  /** One line over the sparklines of all rows: moving it changes nothing else. */
  #head = document.createElementNS(SVG, "svg");
  #cursor = document.createElementNS(SVG, "path");
  /** What the rows show: while the cursor moves, their lines stay. @type {WeakMap<LineHolder, Shown>} */
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
   * @param {number} rowHeight
   * @param {() => void} invalidate
   */
  constructor(layer, rowHeight, invalidate) {
    this.#rowHeight = rowHeight;
    this.#invalidate = invalidate;
    this.#head.setAttribute("class", "spark-head");
    this.#head.setAttribute("aria-hidden", "true");
    this.#cursor.setAttribute("class", "spark-now");
    this.#head.append(this.#cursor);
    layer.append(this.#head);
  }

  /**
   * @param {Inspector} inspector
   * @param {readonly LineRow[]} rows
   * @param {boolean} isSeen lines that are hidden or have no room ask for nothing
   */
  render(inspector, rows, isSeen) {
    const { data, cursor } = inspector;
    this.#listen(data?.sparks);
    if (!data) return;
    this.#forget(rows, data);
    if (!isSeen) return;
    const { sparks } = data;
    const view = viewOf(data);
    const key = `${data.id} ${view.start} ${view.end} ${data.last} ${this.#version}`;
    const parent = parentLines(inspector);
    let outline = "";
    for (const { row, pointer, y } of rows) {
      let shown = this.#shown.get(row);
      if (shown?.pointer !== pointer || shown.key !== key) {
        const line = pointer === "" ? undefined : sparks.line(pointer, SPARK_WIDTH);
        row.showLine(line, view, line && parent?.line(pointer, SPARK_WIDTH, view));
        shown = { timeline: data.id, pointer, key, hasLine: line !== undefined };
        this.#shown.set(row, shown);
      }
      if (shown.hasLine) outline += `M0 ${y + 2}v${this.#rowHeight - 4}`;
    }
    if (outline !== this.#outline) this.#cursor.setAttribute("d", this.#outline = outline);
    const t = sparks.timeOf(cursor);
    const share = t === undefined ? -1 : (t - view.start) / (view.end - view.start);
    const isInView = share >= 0 && share <= 1;
    setAttribute(this.#head, "hidden", isInView ? undefined : "");
    this.#head.style.transform = `translateX(${(share * SPARK_WIDTH).toFixed(1)}px)`;
  }

  /**
   * Removes the lines of another timeline: rows may come into view before they are rendered.
   *
   * @param {readonly LineRow[]} rows
   * @param {TimelineData} data
   */
  #forget(rows, data) {
    for (const { row } of rows) {
      const { timeline } = this.#shown.get(row) ?? data.summary.header;
      if (timeline === data.id) continue;
      row.showLine(undefined, data.sparks.view);
      this.#shown.delete(row);
    }
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
    const { start, end } = viewOf(data);
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

/**
 * The stretch that sparklines show: that of the timeline, where a pixel of a sparkline is many of it.
 *
 * @param {TimelineData} data
 */
function viewOf({ sparks, summary }) {
  return withRoom(sparks.view, summary.duration, ROOM);
}
