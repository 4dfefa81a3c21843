/** The events of the chosen line of a comparison in full: the line itself cuts them. */

import { payloadText } from "../base/event-name.js";
import { formatCount } from "../base/format.js";
import { writeJson } from "../base/json.js";
import { visible } from "../base/text.js";
import { titleOf } from "./entry-text.js";
import { h, show } from "./dom.js";

/** @import { Entry } from "../wire/entry.js" */
/** @import { AlignedRow } from "../model/verification/alignment.js" */

/** Characters of a payload: a screen full. */
const PAYLOAD = 1_000;

export class CompareEvents {
  /** @readonly */
  element = h("dl", { class: "compare-events" });
  /** @type {AlignedRow | undefined} */
  #shown;

  /** @param {AlignedRow | undefined} row */
  show(row) {
    if (row === this.#shown) return;
    this.#shown = row;
    const lines = row ? linesOf(row) : [];
    show(this.element, lines.length > 0);
    this.element.replaceChildren(
      ...lines.flatMap(({ side, text }) => [h("dt", {}, side), h("dd", {}, text)]),
    );
  }
}

/** @param {AlignedRow} row */
function linesOf({ a, b }) {
  const [left, right] = [a && textOf(a), b && textOf(b)];
  if (a && b && left === right && writeJson(a.event ?? null) === writeJson(b.event ?? null)) {
    return [{ side: `${formatCount(a.seq)} and ${formatCount(b.seq)}`, text: left ?? "" }];
  }
  return [
    ...(a && left !== undefined ? [{ side: `left ${formatCount(a.seq)}`, text: left }] : []),
    ...(b && right !== undefined ? [{ side: `right ${formatCount(b.seq)}`, text: right }] : []),
  ];
}

/** @param {Entry} entry */
function textOf(entry) {
  const error = entry.error === undefined ? "" : ` · ${visible(entry.error)}`;
  return `${titleOf(entry)} ${payloadText(entry.event, PAYLOAD)}`.trim() + error;
}
