/** One line of a comparison: an entry of each side, or of one. */

import { payloadText } from "../base/event-name.js";
import { formatCount } from "../base/format.js";
import { visible } from "../base/text.js";
import { titleOf } from "./entry-text.js";
import { h, setAttribute, setText } from "./dom.js";

/** @import { Entry } from "../wire/entry.js" */
/** @import { AlignedRow } from "../model/alignment.js" */

/** What a line is, for those who do not see its colour. */
const WORDS = {
  same: "the same",
  differs: "differs",
  "only-a": "only on the left",
  "only-b": "only on the right",
  moved: "elsewhere on the other side",
};

/**
 * A line without anything in it.
 *
 * @param {number} place of it in the pool
 */
export function compareRow(place) {
  const cell = (/** @type {"a" | "b"} */ side) =>
    h(
      "span",
      { class: `compare-cell ${side}`, role: "gridcell", "data-side": side },
      h("span", { class: "seq" }),
      h("span", { class: "label" }),
      h("span", { class: "payload" }),
    );
  const row = h(
    "div",
    { class: "compare-row", role: "row", id: `compare-row-${place}` },
    h(
      "span",
      { class: "sign", role: "rowheader" },
      h("span", { "aria-hidden": "true" }),
      h(
        "span",
        { class: "sr-only" },
      ),
    ),
    cell("a"),
    cell("b"),
  );
  return row;
}

/**
 * Shows two entries that stand side by side.
 *
 * @param {HTMLElement} element
 * @param {AlignedRow} row
 */
export function showCompareRow(element, row) {
  const sign = { same: "", differs: "~", "only-a": "−", "only-b": "+", moved: "↕" }[row.is];
  const [mark, word] = element.querySelectorAll(".sign > *");
  if (mark) setText(mark, sign);
  const isFirst = element.classList.contains("first-difference");
  if (word) setText(word, isFirst ? `${WORDS[row.is]}, the first difference` : WORDS[row.is]);
  setAttribute(
    element.firstElementChild ?? element,
    "title",
    isFirst ? "The first difference" : row.is === "same" ? undefined : WORDS[row.is],
  );
  for (const side of /** @type {const} */ (["a", "b"])) {
    const entry = row[side];
    const cell = element.querySelector(`.compare-cell.${side}`);
    const [seq, label, payload] = cell?.children ?? [];
    if (seq) setText(seq, entry ? formatCount(entry.seq) : "");
    if (label) setText(label, entry ? titleOf(entry) : "");
    if (payload) setText(payload, entry ? detailOf(entry) : "");
    cell?.classList.toggle("none", !entry);
  }
}

/** @param {Entry} entry */
function detailOf(entry) {
  const payload = payloadText(entry.event, 60);
  return entry.error === undefined ? payload : `${payload} ${visible(entry.error)}`.trim();
}
