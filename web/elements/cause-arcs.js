/** Arcs next to the rows of the events, from each cause to its effects. */

import { causeArcs } from "../model/timeline/cause-arcs.js";
import { causeIn } from "../wire/entry.js";
import { setAttribute } from "./dom.js";

/** @import { Arc } from "../model/timeline/cause-arcs.js" */
/** @import { Inspector } from "../model/inspector/inspector.js" */

const SVG = "http://www.w3.org/2000/svg";

/** Where arcs begin and end, and how far the longest ones reach to the left of that. */
const EDGE = 16;
const MAXIMUM_WIDTH = 12;

export class CauseArcs {
  #pale = document.createElementNS(SVG, "path");
  #lit = document.createElementNS(SVG, "path");
  /** @readonly */
  element = document.createElementNS(SVG, "svg");
  #rowHeight;

  /** @param {number} rowHeight */
  constructor(rowHeight) {
    this.#rowHeight = rowHeight;
    this.element.setAttribute("class", "cause-arcs");
    this.element.setAttribute("aria-hidden", "true");
    this.#lit.setAttribute("class", "lit");
    this.element.append(this.#pale, this.#lit);
  }

  /**
   * @param {Inspector} inspector
   * @param {readonly number[]} seqs the entries that have rows
   * @param {number} first the row at the top of the layer
   */
  show({ data, cursor }, seqs, first) {
    if (!data) return;
    const { rows, entries } = data;
    const arcs = causeArcs(seqs, {
      causeOf: (seq) => {
        const entry = entries.get(seq);
        return entry && causeIn(entry);
      },
      rowOf: (seq) => rows.rowOf(seq),
      has: (seq) => {
        const item = rows.at(rows.rowOf(seq));
        return item?.is === "entry" && item.seq === seq;
      },
    }, cursor);
    const draw = (/** @type {boolean} */ isLit) =>
      arcs.filter((arc) => arc.isLit === isLit).map((arc) => this.#path(arc, first)).join("");
    setAttribute(this.#pale, "d", draw(false));
    setAttribute(this.#lit, "d", draw(true));
  }

  /**
   * @param {Arc} arc
   * @param {number} first
   */
  #path({ from, to }, first) {
    const middle = (/** @type {number} */ row) => (row - first + 0.5) * this.#rowHeight;
    // Ends of arcs that meet in a row stay apart.
    const [top, bottom] = [middle(from) + 3, middle(to) - 3];
    const left = EDGE - Math.min(MAXIMUM_WIDTH, 5 + 2 * (to - from));
    const bend = Math.min(EDGE - left, (bottom - top) / 2);
    return `M${EDGE} ${top}Q${left} ${top} ${left} ${top + bend}V${bottom - bend}` +
      `Q${left} ${bottom} ${EDGE} ${bottom}m-3.5-2.5l3.5 2.5l-3.5 2.5`;
  }
}
