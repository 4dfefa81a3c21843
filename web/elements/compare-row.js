/** One line of a comparison: an entry of each side, or of one. */

import { brief, payloadText } from "../base/event-name.js";
import { formatCount } from "../base/format.js";
import { writeJson } from "../base/json.js";
import { payloadDifference } from "../base/payload-difference.js";
import { visible } from "../base/text.js";
import { nameOf } from "../model/sources/source-list.js";
import { titleOf } from "./entry-text.js";
import { h, keep, setAttribute, setText } from "./dom.js";

/** @import { Entry } from "../wire/entry.js" */
/** @import { AlignedRow } from "../model/verification/alignment.js" */
/** @import { TimelineSummary } from "../wire/to-inspector.js" */
/** @import { ValuePair } from "../model/verification/path-columns.js" */

/** What a line is, for readers who do not see its color. */
const WORDS = {
  same: "the same",
  differs: "differs",
  "only-a": "only on the left",
  "only-b": "only on the right",
  moved: "in another place on the other side",
};

/** The same, where an earlier difference remains. */
const UNLIKE = "the same event and changes, but the states differ";

/** When a recording began. */
const started = new Intl.DateTimeFormat(undefined, {
  month: "short",
  day: "numeric",
  hour: "numeric",
  minute: "2-digit",
  second: "2-digit",
});

/**
 * The name of a recording in the lists of both sides.
 *
 * @param {TimelineSummary} summary
 * @param {boolean} areMany whether there are others, with the same name
 */
export function recordingName(summary, areMany) {
  const name = `main — ${nameOf(summary)}`;
  return areMany ? `${name}, ${started.format(new Date(summary.header.started))}` : name;
}

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
      h("b", { class: "changed-fields" }),
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
    h("span", { class: "compare-values", role: "presentation" }),
  );
  return row;
}

/**
 * Shows two entries that stand side by side.
 *
 * @param {HTMLElement} element
 * @param {AlignedRow} row
 * @param {{ name: string, pair: ValuePair }[]} values at the paths that differ most
 */
export function showCompareRow(element, row, values) {
  const sign = { same: "", differs: "~", "only-a": "−", "only-b": "+", moved: "↕" }[row.is];
  const hasUnlikeStates = row.is === "same" && row.areUnlike === true;
  const words = hasUnlikeStates ? UNLIKE : WORDS[row.is];
  const [mark, word] = element.querySelectorAll(".sign > *");
  if (mark) setText(mark, hasUnlikeStates ? "≠" : sign);
  const isFirst = element.classList.contains("first-difference");
  if (word) setText(word, isFirst ? `${words}, the first difference` : words);
  setAttribute(
    element.firstElementChild ?? element,
    "title",
    isFirst ? "The first difference" : words === WORDS.same ? undefined : words,
  );
  for (const side of /** @type {const} */ (["a", "b"])) {
    const entry = row[side];
    const cell = element.querySelector(`.compare-cell.${side}`);
    const [seq, label, changed, payload] = cell?.children ?? [];
    const fields = changedFields(entry, row[side === "a" ? "b" : "a"]);
    if (seq) setText(seq, entry ? formatCount(entry.seq) : "");
    if (label) setText(label, entry ? titleOf(entry) : "");
    if (changed) setText(changed, fields?.changed ?? "");
    if (payload) setText(payload, entry ? detailOf(entry, fields?.rest) : "");
    cell?.classList.toggle("none", !entry);
  }
  // One event is read once: the values say what came of it.
  const isOneEvent = row.a !== undefined && row.b !== undefined && isSameEvent(row.a, row.b) &&
    row.a.error === row.b.error;
  element.querySelector(".compare-cell.b")?.classList.toggle("repeated", isOneEvent);
  const list = element.querySelector(".compare-values");
  if (list) {
    keep(
      list,
      values,
      ({ name }) => name,
      () => valueCell(),
      (cell, { name, pair }) => showValues(cell, name, pair, row),
    );
  }
}

/** What a line is about, wherever it is in the list. @param {AlignedRow | undefined} row */
export function lineOf(row) {
  return `${row?.a?.seq} ${row?.b?.seq}`;
}

/** The cell of an element of the grid. @param {Element} target */
export function cellOf(target) {
  const row = target.closest("[data-place]");
  if (!(row instanceof HTMLElement)) return undefined;
  const cell = target.closest("[data-side]");
  const side = cell instanceof HTMLElement ? cell.dataset.side : undefined;
  const known = /** @type {const} */ (["a", "b"]).find((one) => one === side);
  return { place: Number(row.dataset.place), side: known };
}

/**
 * The cells above the lines.
 *
 * @param {string[]} names of the paths
 */
export function compareHead(names) {
  return [
    h("span", {}),
    h("span", { class: "compare-cell" }, "left"),
    h("span", { class: "compare-cell" }, "right"),
    h(
      "span",
      { class: "compare-values" },
      ...names.map((name) => h("span", { class: "compare-value", title: name }, name)),
    ),
  ];
}

function valueCell() {
  return h(
    "span",
    { class: "compare-value", role: "gridcell" },
    h("span", { class: "old" }),
    h("span", { class: "muted", "aria-hidden": "true" }, "→"),
    h("span", { class: "new" }),
  );
}

/**
 * Shows a value of the left and of the right: once where both are equal, and alone in a line that only
 * one side has.
 *
 * @param {HTMLElement} cell
 * @param {string} name of the path
 * @param {ValuePair} pair
 * @param {AlignedRow} row
 */
function showValues(cell, name, { a, b, isEqual }, row) {
  const isPair = row.a !== undefined && row.b !== undefined;
  const [left, right] = [a, b].map((value) => value === undefined ? "" : visible(brief(value)));
  const [old, arrow, fresh] = cell.children;
  if (old) setText(old, isEqual ? "" : left ?? "");
  if (arrow) setText(arrow, isEqual || !isPair || (a === undefined && b === undefined) ? "" : "→");
  if (fresh) setText(fresh, right ?? "");
  cell.classList.toggle("equal", isEqual);
  const words = isEqual
    ? `${right} on both sides`
    : isPair
    ? `${left || "–"} → ${right || "–"}`
    : left || right || "–";
  setAttribute(cell, "title", `${name}: ${words}`);
  setAttribute(cell, "aria-label", `${name}: ${words}`);
}

/**
 * What differs between two events of the same name; nothing where they are equal or of other names.
 *
 * @param {Entry | undefined} entry
 * @param {Entry | undefined} other
 */
function changedFields(entry, other) {
  if (!entry || !other || titleOf(entry) !== titleOf(other) || isSameEvent(entry, other)) return;
  return payloadDifference(entry.event, other.event);
}

/** @param {Entry} left @param {Entry} right */
function isSameEvent(left, right) {
  return writeJson(left.event ?? null) === writeJson(right.event ?? null);
}

/** @param {Entry} entry @param {string} [payload] */
function detailOf(entry, payload = payloadText(entry.event, 60)) {
  return entry.error === undefined ? payload : `${payload} ${visible(entry.error)}`.trim();
}
