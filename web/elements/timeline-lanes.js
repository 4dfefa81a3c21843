/** The lanes of the timeline: which names have one, in which order and color. */

import { formatCount } from "../base/format.js";
import { visible } from "../base/text.js";
import { OTHER_COLOR } from "../model/timeline/lane-colors.js";
import { readSchema } from "../wire/header.js";

import { h, setAttribute, setText } from "./dom.js";
import { showName } from "./name-ends.js";

/** @import { Counted } from "../model/timeline/counted.js" */
/** @import { ColoredLane, LaneColors } from "../model/timeline/lane-colors.js" */
/** @import { TimelineSummary } from "../wire/to-inspector.js" */

const OTHER = "other";

/** @type {ColoredLane[]} */
const NONE = [];

export class TimelineLanes {
  /** @readonly */
  element = h("div", { class: "lane-names", role: "list", "aria-label": "Lanes" });
  #colors;
  /** What the lanes were made from. @type {Counted | undefined} */
  #whole;
  #lanes = NONE;

  /** @param {LaneColors} colors */
  constructor(colors) {
    this.#colors = colors;
  }

  /**
   * @param {Counted | undefined} whole
   * @param {TimelineSummary["header"] | undefined} header
   * @returns {ColoredLane[]}
   */
  of(whole, header) {
    if (whole === this.#whole) return this.#lanes;
    this.#whole = whole;
    this.#lanes = whole && header ? this.#arranged(whole, header) : NONE;
    return this.#lanes;
  }

  /**
   * Shows the names, and how often each occurs.
   *
   * @param {readonly ColoredLane[]} lanes
   * @param {Counted | undefined} whole
   */
  show(lanes, whole) {
    while (this.element.children.length > lanes.length) this.element.lastElementChild?.remove();
    lanes.forEach(({ name, color }, index) => {
      let row = this.element.children[index];
      if (!row) {
        row = h(
          "div",
          { role: "listitem" },
          h("s", { "aria-hidden": "true" }),
          h("span", { class: "lane-name" }),
          h("span", { class: "muted" }),
        );
        this.element.append(row);
      }
      setAttribute(row, "class", `lane lane-${color}`);
      const label = row.children[1];
      if (label instanceof HTMLElement) showName(label, name);
      setText(row.children[2] ?? row, formatCount(whole?.inLane(name) ?? 0));
      setAttribute(row, "title", visible(name));
    });
  }

  /**
   * @param {Counted} whole
   * @param {TimelineSummary["header"]} header
   */
  #arranged(whole, header) {
    const { machine, app, lanes } = header;
    const schema = readSchema(header.schema);
    const declared = schema?.complete ? schema.cases.map((one) => one.name) : [];
    const all = lanesOf(whole);
    const names = all.at(-1) === OTHER ? all.slice(0, -1) : all;
    const rest = names.length < all.length ? [{ name: OTHER, color: OTHER_COLOR }] : [];
    // A header that names the lanes gives them an order.
    const ordered = lanes ? names : names.toSorted((left, right) => {
      const [one, other] = [left, right].map((name) => firstBucket(whole, name));
      return (one ?? 0) - (other ?? 0) || (left < right ? -1 : 1);
    });
    const arranged = this.#colors.arrange(`${app.name}\n${machine.type}`, ordered, declared);
    return [...arranged, ...rest];
  }
}

/** @param {Counted} whole @param {string} name */
function firstBucket(whole, name) {
  return whole.countsOf(name)?.findIndex((count) => count > 0) ?? -1;
}

/**
 * The names that are drawn. A recording's beginning has no event and so no lane; a lane of all the
 * others that holds nothing else would tell nothing.
 *
 * @param {Counted} whole
 */
function lanesOf(whole) {
  const { lanes } = whole.overview;
  const isBare = lanes.length > 1 && lanes.at(-1) === OTHER && whole.inLane(OTHER) <= 1;
  return isBare ? lanes.slice(0, -1) : lanes;
}
