/** Edit scripts, which say how a branch differs from its parent: written, read, and described. */

import { eventName } from "../../base/event-name.js";
import { formatCount } from "../../base/format.js";
import { isObject, member } from "../../base/json.js";
import { shorten } from "../../base/text.js";

/** @import { Json } from "../../base/json-types.d.ts" */

/**
 * One edit. Every seq is the parent's.
 *
 * @typedef {{ is: "drop", first: number, last: number }
 *   | { is: "replace", seq: number, event: Json }
 *   | { is: "insert", before: number, event: Json }
 *   | { is: "move", seq: number, before: number }
 *   | { is: "append", event: Json }
 *   | { is: "cut", seq: number }
 *   | { is: "start", seq: number }
 *   | { is: "begin", state: Json }} Edit
 */

/** Numbers that a description names; it only counts the rest. */
const MAXIMUM_NAMED_PARTS = 3;

/** Numbers of kept events that a description names. */
const MAXIMUM_KEPT = 8;

/** Longer names do not fit a list. */
const MAXIMUM_NAME = 60;

/** Characters of an event's name in the name of a branch. */
const MAXIMUM_EVENT_NAME = 24;

/** Stands for an event's name while a name is compared with a script. */
const ANY_NAME = "\u0001";

/**
 * The script as `fork` takes it.
 *
 * @param {readonly Edit[]} edits
 * @returns {Json[]}
 */
export function writeEdits(edits) {
  return edits.map(writeEdit);
}

/**
 * @param {Edit} edit
 * @returns {Json}
 */
function writeEdit(edit) {
  switch (edit.is) {
    case "drop":
      return { drop: edit.first === edit.last ? edit.first : [edit.first, edit.last] };
    case "replace":
      return { replace: edit.seq, event: edit.event };
    case "insert":
      return { insert: edit.event, before: edit.before };
    case "move":
      return { move: edit.seq, before: edit.before };
    case "append":
      return { append: edit.event };
    case "cut":
      return { cut: edit.seq };
    case "start":
      return { start: { seq: edit.seq } };
    case "begin":
      return member(edit.state, "seq") === undefined
        ? { start: edit.state }
        : { start: edit.state, literal: true };
  }
}

/**
 * The edits of a header. What this page does not know is left out.
 *
 * @param {Json | undefined} json
 * @returns {Edit[]}
 */
export function readEdits(json) {
  return Array.isArray(json) ? json.flatMap((one) => readEdit(one) ?? []) : [];
}

/**
 * @param {Json} json
 * @returns {Edit | undefined}
 */
function readEdit(json) {
  if (!isObject(json)) return undefined;
  const number = (/** @type {string} */ key) => {
    const value = member(json, key);
    return typeof value === "number" ? value : undefined;
  };
  const { drop, event, insert, append, start } = json;
  const [replace, before, move, cut] = ["replace", "before", "move", "cut"].map(number);
  if (typeof drop === "number") return { is: "drop", first: drop, last: drop };
  if (Array.isArray(drop)) {
    const [first, last] = drop;
    return typeof first === "number" && typeof last === "number"
      ? { is: "drop", first, last }
      : undefined;
  }
  if (replace !== undefined && event !== undefined) return { is: "replace", seq: replace, event };
  if (insert !== undefined && before !== undefined) return { is: "insert", before, event: insert };
  if (move !== undefined && before !== undefined) return { is: "move", seq: move, before };
  if (append !== undefined) return { is: "append", event: append };
  if (cut !== undefined) return { is: "cut", seq: cut };
  if (start === undefined) return undefined;
  const seq = member(start, "seq");
  return typeof seq === "number" && json.literal !== true
    ? { is: "start", seq }
    : { is: "begin", state: start };
}

/**
 * The drops that leave out some entries: neighbours as one.
 *
 * @param {Iterable<number>} seqs
 * @returns {Edit[]}
 */
export function dropsOf(seqs) {
  /** @type {{ is: "drop", first: number, last: number }[]} */
  const drops = [];
  for (const seq of [...new Set(seqs)].sort((left, right) => left - right)) {
    const last = drops.at(-1);
    if (last?.last === seq - 1) last.last = seq;
    else drops.push({ is: "drop", first: seq, last: seq });
  }
  return drops;
}

/**
 * A script in words, such as “without 12, 40 changed”; with the names of the events where they are
 * known: “without paid 12”.
 *
 * @param {readonly Edit[]} edits
 * @param {(seq: number) => string | undefined} [nameAt] the name of an event of the parent
 * @returns {string}
 */
export function wordsOf(edits, nameAt = () => undefined) {
  /** @type {string[]} */
  const words = [];
  const entry = (/** @type {number} */ seq) => {
    const name = nameAt(seq);
    return name === undefined
      ? formatCount(seq)
      : `${shorten(name, MAXIMUM_EVENT_NAME)} ${formatCount(seq)}`;
  };
  const stretch = (/** @type {{ first: number, last: number }} */ { first, last }) =>
    first === last ? entry(first) : `${formatCount(first)} to ${formatCount(last)}`;
  const dropped = edits.flatMap((edit) => edit.is === "drop" ? [stretch(edit)] : []);
  const changed = edits.flatMap((edit) => edit.is === "replace" ? [entry(edit.seq)] : []);
  for (const edit of edits) {
    switch (edit.is) {
      case "start":
        words.push(`from ${formatCount(edit.seq)} on`);
        break;
      case "begin":
        words.push("from another state");
        break;
      case "cut":
        words.push(`up to ${formatCount(edit.seq)}`);
        break;
    }
  }
  if (dropped.length > 0) words.push(`without ${listed(dropped)}`);
  if (changed.length > 0) words.push(`${listed(changed)} changed`);
  for (const edit of edits) {
    switch (edit.is) {
      case "insert":
        words.push(`${nameIn(edit.event)} before ${formatCount(edit.before)}`);
        break;
      case "move":
        words.push(`${entry(edit.seq)} moved before ${formatCount(edit.before)}`);
        break;
      case "append":
        words.push(`${nameIn(edit.event)} at the end`);
        break;
    }
  }
  return words.length > 0 ? words.join(", ") : "computed again";
}

/**
 * A minimized branch in words, such as “3 of 44 events kept (7, 16, 44), 1 simplified”.
 *
 * What an exploration found keeps no events; it appends others.
 *
 * @param {readonly Edit[]} edits
 * @param {number} through the parent's last entry that takes part
 * @returns {string}
 */
export function minimizedWords(edits, through) {
  if (edits.some(({ is }) => is === "append")) return wordsOf(edits);
  const first = edits.reduce((low, edit) => edit.is === "start" ? edit.seq : low, 0);
  const last = edits.reduce((high, edit) => edit.is === "cut" ? edit.seq : high, through);
  const drops = edits.flatMap((edit) => edit.is === "drop" ? [edit] : [])
    .sort((left, right) => left.first - right.first);
  const { count, seqs } = keptBetween(first, last, drops);
  const changed = edits.filter(({ is }) => is === "replace").length;
  const numbers = count > 0 && count <= MAXIMUM_KEPT
    ? ` (${seqs.map(formatCount).join(", ")})`
    : "";
  const simplified = changed === 0 ? "" : `, ${formatCount(changed)} simplified`;
  return `${formatCount(count)} of ${
    formatCount(Math.max(0, last - first))
  } events kept${numbers}${simplified}`;
}

/**
 * How many entries are left, and the first few of them: a header can name any number of entries.
 *
 * @param {number} first the entry before the first one that counts
 * @param {number} last
 * @param {readonly { first: number, last: number }[]} drops in order
 * @returns {{ count: number, seqs: number[] }}
 */
function keptBetween(first, last, drops) {
  let count = 0;
  let before = first;
  /** @type {number[]} */
  const seqs = [];
  for (const drop of [...drops, { first: last + 1, last }]) {
    const end = Math.min(drop.first - 1, last);
    count += Math.max(0, end - before);
    for (let seq = before + 1; seq <= end && seqs.length <= MAXIMUM_KEPT; seq++) seqs.push(seq);
    before = Math.max(before, drop.last);
  }
  return { count, seqs };
}

/**
 * The default name of a branch.
 *
 * @param {readonly Edit[]} edits
 * @param {(seq: number) => string | undefined} [nameAt] the name of an event of the parent
 */
export function defaultName(edits, nameAt) {
  return shorten(wordsOf(edits, nameAt), MAXIMUM_NAME);
}

/**
 * What a branch does: its name, if that is its script in words with the names of events, which only
 * the parent's entries have; else the script in words.
 *
 * @param {readonly Edit[]} edits
 * @param {string | undefined} name
 */
export function wordsWithNames(edits, name) {
  const words = wordsOf(edits, () => ANY_NAME);
  const pattern = words.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")
    .replaceAll(`${ANY_NAME} `, `(?:.{1,${MAXIMUM_EVENT_NAME}} )?`);
  // A second branch of that name has a number.
  const found = name !== undefined && name.length <= 2 * MAXIMUM_NAME
    ? new RegExp(`^(${pattern})(?: \\(\\d+\\))?$`, "su").exec(name)
    : null;
  return found?.[1] ?? wordsOf(edits);
}

/** @param {string[]} parts */
function listed(parts) {
  if (parts.length > MAXIMUM_NAMED_PARTS) {
    return `${parts.slice(0, MAXIMUM_NAMED_PARTS - 1).join(", ")} and ${
      formatCount(parts.length - MAXIMUM_NAMED_PARTS + 1)
    } more`;
  }
  return parts.length < 2
    ? parts.join("")
    : `${parts.slice(0, -1).join(", ")} and ${parts.at(-1) ?? ""}`;
}

/** @param {Json} event */
function nameIn(event) {
  return eventName(event) ?? "an event";
}
