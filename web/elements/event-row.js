/** One row of the events' list. */

import { formatCount, formatDelta, formatDuration, formatMoment } from "../base/format.js";
import { pathText, readPointer } from "../base/pointer.js";
import { shortenMiddle, visible } from "../base/text.js";
import { changedNothing, changedOutputs } from "../wire/entry.js";
import { isMarked } from "../model/timeline/marked.js";
import { h, icon, setAttribute, setText, show } from "./dom.js";
import { indentOf, payloadOf, titleOf } from "./entry-text.js";
import { briefChipText, chipText, needsBriefChip } from "./output-chip.js";

/** @import { Inspector } from "../model/inspector/inspector.js" */
/** @import { KnownGap, RowItem } from "../model/timeline/row-map.js" */
/** @import { Entry } from "../wire/entry.js" */

/** Longer names are shortened in the middle: long names often differ only at their end. */
const NAME = 24;

/** Characters of a long name that always remain. */
const MINIMUM_NAME = 8;

/** Characters of the path of a leaf. */
const LEAF = 32;

/** Longer texts may be cut in their row, so they have a tooltip. */
const TOOLTIP = 20;

/**
 * What a row of the list is about.
 *
 * @param {RowItem | undefined} item
 * @param {number} place
 * @returns {string}
 */
export function keyOf(item, place) {
  if (!item) return `row ${place}`;
  return item.is === "entry" ? `entry ${item.seq}` : `gap ${item.gap.seq}`;
}

/**
 * Shows one entry or gap after the other. What it shows already is not written again: a list that is
 * scrolled or scrubbed through updates its rows in every frame.
 */
export class EventRow {
  #seq = h("span", { class: "seq", role: "rowheader" });
  #time = h("span", { class: "time", role: "gridcell" });
  #label = h("span", { class: "label" });
  #payload = h("span", { class: "payload" });
  /** Where the filter found what it looks for anywhere. */
  #leaf = h("span", { class: "leaf", hidden: true });
  #mark = icon("mark", "mark");
  #name = h(
    "span",
    { class: "name", role: "gridcell" },
    this.#mark,
    this.#label,
    " ",
    this.#leaf,
    this.#payload,
  );
  #chips = h("span", { class: "chips", role: "gridcell" });
  #gapText = h("span");
  /** @readonly */
  element;
  #y = 0;
  #digits = 0;
  #indent = 0;
  #class = "row";
  #changed = "";
  /** @type {string | undefined} */
  #shownLeaf;
  /** What the texts were made of. @type {[Entry | undefined, Entry | undefined, boolean, number]} */
  #made = [undefined, undefined, false, 0];

  /** @param {string} id */
  constructor(id) {
    this.element = h(
      "div",
      { class: this.#class, role: "row", id },
      this.#seq,
      this.#time,
      this.#name,
      this.#chips,
      h("span", { class: "acts", role: "gridcell" }, menuButton()),
      h("span", { class: "gap-cell", role: "gridcell" }, icon("warning"), this.#gapText),
    );
  }

  /** @param {number} y from the top of all rows */
  moveTo(y) {
    if (this.#y === y) return;
    this.#y = y;
    this.element.style.top = `${y}px`;
  }

  /**
   * @param {RowItem} item
   * @param {Inspector} inspector
   * @param {boolean} showsDelta whether times are relative to the entry before
   * @param {number} room the number of characters of a name for which there is room
   */
  show(item, inspector, showsDelta, room) {
    const isGap = item.is === "gap";
    const seq = isGap ? item.gap.seq : item.seq;
    const entry = isGap ? undefined : inspector.data?.entries.get(seq);
    const { stretch: { from, to }, cursor } = inspector;
    const isSelected = !isGap && seq >= from && seq <= to;
    this.#setClass(
      (isGap ? "row gap" : entry ? "row" : "row loading") +
        (!isGap && seq === cursor ? " on" : "") +
        (isSelected && from !== to ? " in-stretch" : "") +
        (seq > cursor && !inspector.isFollowing ? " later" : "") +
        (entry?.error === undefined ? "" : " error"),
    );
    setAttribute(this.element, "data-seq", seq);
    setAttribute(this.element, "aria-selected", isGap ? undefined : String(isSelected));
    if (isGap) return this.#showGap(item.gap);
    this.#showSeq(seq);
    const find = (/** @type {number} */ other) => inspector.data?.entries.get(other);
    const indent = entry ? indentOf(entry, find) : 0;
    this.#setIndent(indent);
    this.#showLeaf(inspector.data?.filtered?.leafOf(seq));
    const rest = Math.max(MINIMUM_NAME, room - 2 * (indent + Math.sign(indent)));
    this.#showEntry(entry, showsDelta ? find(seq - 1) : undefined, showsDelta, rest);
    this.#mark.classList.toggle("off", !isMarked(inspector.summary, seq));
  }

  /** @param {string} name */
  #setClass(name) {
    if (this.#class === name) return;
    this.element.className = this.#class = name;
  }

  /** @param {number} seq */
  #showSeq(seq) {
    const digits = formatCount(seq);
    setText(this.#seq, digits);
    // The digits of the font are equally wide.
    if (this.#digits === digits.length) return;
    this.#digits = digits.length;
    this.#seq.style.width = `${digits.length}ch`;
  }

  /** @param {number} depth of causes that stand near above */
  #setIndent(depth) {
    if (this.#indent === depth) return;
    this.#indent = depth;
    this.#label.style.paddingInlineStart = depth === 0 ? "" : `${depth * 14}px`;
    this.#label.classList.toggle("caused", depth > 0);
  }

  /**
   * @param {Entry | undefined} entry
   * @param {Entry | undefined} before
   * @param {boolean} showsDelta
   * @param {number} room
   */
  #showEntry(entry, before, showsDelta, room) {
    const [madeEntry, madeBefore, madeDelta, madeRoom] = this.#made;
    const isSame = entry !== undefined && entry === madeEntry && before === madeBefore &&
      showsDelta === madeDelta && room === madeRoom;
    if (isSame) return;
    this.#made = [entry, before, showsDelta, room];
    setText(this.#time, entry ? timeText(entry, before, showsDelta) : "");
    const whole = entry ? titleOf(entry) : "…";
    const payload = entry ? payloadOf(entry) : "";
    const title = whole.length <= NAME ? whole : shortenMiddle(whole, room);
    setText(this.#label, title);
    setText(this.#payload, payload);
    const isLong = whole.length + payload.length > TOOLTIP;
    setAttribute(this.#name, "title", isLong ? `${whole} ${payload}`.slice(0, 500) : undefined);
    this.#showChips(entry, { title, payload }, room);
  }

  /** @param {KnownGap} gap */
  #showGap({ lost, why }) {
    const what = lost === 1
      ? "1 event could not be kept"
      : `${formatCount(lost)} events could not be kept`;
    setText(this.#gapText, `${what}: ${visible(why)}`);
  }

  /** @param {string | undefined} pointer */
  #showLeaf(pointer) {
    if (this.#shownLeaf === pointer) return;
    this.#shownLeaf = pointer;
    show(this.#leaf, pointer !== undefined);
    const path = pointer === undefined ? "" : visible(pathText(readPointer(pointer) ?? []));
    setText(this.#leaf, shortenMiddle(path, LEAF));
    setAttribute(this.#leaf, "title", pointer === undefined ? undefined : `Found in ${path}`);
  }

  /**
   * @param {Entry | undefined} entry
   * @param {{ title: string, payload: string }} event
   * @param {number} room
   */
  #showChips(entry, event, room) {
    const outputs = entry ? changedOutputs(entry) : [];
    const shown = outputs.slice(0, 1);
    const whole = shown.map(chipText).join();
    const isBrief = needsBriefChip(event, whole, outputs.length > 1, room);
    const text = isBrief ? shown.map(briefChipText).join() : whole;
    const isNothing = entry !== undefined && changedNothing(entry);
    const changed = text + isBrief + outputs.map(({ name, fires }) => name + fires).join() +
      (entry?.error ?? "") + (isNothing ? "=" : "");
    if (this.#changed === changed) return;
    this.#changed = changed;
    setAttribute(this.#chips, "class", isNothing ? "chips nothing" : "chips");
    this.#chips.replaceChildren(
      ...(isNothing ? [h("span", { class: "muted" }, "no change")] : []),
      ...shown.map((output) =>
        h("span", { class: output.fires ? "chip output fires" : "chip output" }, text)
      ),
      ...(outputs.length > 1 && !isBrief
        ? [h("span", { class: "chip more" }, `+${outputs.length - 1}`)]
        : []),
    );
    setAttribute(
      this.#chips,
      "title",
      outputs.length > 0
        ? `Changed outputs: ${outputs.map(chipText).join(", ")}`
        : isNothing
        ? "The event changed neither the state nor an output"
        : undefined,
    );
  }
}

/**
 * @param {Entry} entry
 * @param {Entry | undefined} before
 * @param {boolean} showsDelta
 */
function timeText(entry, before, showsDelta) {
  if (!showsDelta) return formatMoment(entry.t, 1_000);
  if (!before) return entry.seq === 0 ? "0" : formatDuration(entry.t);
  return formatDelta(entry.t - before.t);
}

/** All that a row has under the pointer: a click that was only to select changes nothing. */
function menuButton() {
  return h("button", {
    type: "button",
    tabindex: -1,
    "data-act": "entry-menu",
    "aria-haspopup": "menu",
    title: "More",
    "aria-label": "More",
  }, icon("more"));
}

/**
 * The entry that an element of the list shows, and whether it is the button of its menu.
 *
 * @param {Element} target
 */
export function rowMeant(target) {
  const row = target.closest("[data-seq]");
  if (!(row instanceof HTMLElement)) return undefined;
  return { seq: Number(row.dataset.seq), isMenu: target.closest("[data-act]") !== null };
}
