/** Edit scripts, which say how a branch differs from its parent: written, read, and described. */

import { eventName, eventPayload, payloadText } from "../../base/event-name.js";
import { formatCount } from "../../base/format.js";
import { equalJson, isObject, member } from "../../base/json.js";
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

/** Characters of a value in the name of a branch; longer ones are left out. */
const MAXIMUM_VALUE = 20;

/** Stands for an event of the parent while a name is compared with a script. */
const ANY_EVENT = "\u0001";

/** Stands for a value that a name may contain. */
const ANY_VALUE = "\u0002";

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
 * @param {(edit: Edit) => string} [valueOf] what follows the name of an event that the script contains
 * @returns {string}
 */
export function wordsOf(edits, nameAt = () => undefined, valueOf = () => "") {
  /** @type {string[]} */
  const words = [];
  const entry = (/** @type {number} */ seq) => {
    const name = nameAt(seq);
    return name === undefined ? formatCount(seq) : `${name} ${formatCount(seq)}`;
  };
  const stretch = (/** @type {{ first: number, last: number }} */ { first, last }) =>
    first === last ? entry(first) : `${formatCount(first)} to ${formatCount(last)}`;
  const dropped = edits.flatMap((edit) => edit.is === "drop" ? [stretch(edit)] : []);
  const replaced = edits.filter((edit) => edit.is === "replace");
  const [only] = replaced;
  const changed = replaced.map(({ seq }) => entry(seq));
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
  if (only) words.push(`${listed(changed)} changed${changed.length === 1 ? valueOf(only) : ""}`);
  for (const edit of edits) {
    switch (edit.is) {
      case "insert":
        words.push(`${nameIn(edit.event)}${valueOf(edit)} before ${formatCount(edit.before)}`);
        break;
      case "move":
        words.push(`${entry(edit.seq)} moved before ${formatCount(edit.before)}`);
        break;
      case "append":
        words.push(`${nameIn(edit.event)}${valueOf(edit)} at the end`);
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
 * The default name of a branch: its script in words, with values where they are short, as two edits
 * of one event should have different names: “cityTyped 3 changed to Oslo”.
 *
 * @param {readonly Edit[]} edits
 * @param {(seq: number) => Json | undefined} [eventAt] an event of the parent
 * @param {boolean} [hidesValues] where recorded values are redacted, typed ones may be secrets, too
 */
export function defaultName(edits, eventAt = () => undefined, hidesValues = false) {
  if (hidesValues) return shorten(wordsOf(edits, (seq) => shortName(eventAt(seq))), MAXIMUM_NAME);
  // What an event is changed to says more than what it was.
  const replaced = new Set(edits.map((edit) => edit.is === "replace" ? edit.seq : undefined));
  const nameAt = (/** @type {number} */ seq) =>
    replaced.has(seq) ? shortName(eventAt(seq)) : eventLabel(eventAt(seq));
  return shorten(wordsOf(edits, nameAt, (edit) => valueText(edit, eventAt)), MAXIMUM_NAME);
}

/**
 * An event as names of branches show it, with a short payload: “cityTyped(Lis)”.
 *
 * @param {Json | undefined} event
 * @returns {string | undefined}
 */
export function eventLabel(event) {
  const name = shortName(event);
  return name === undefined ? undefined : `${name}${inParentheses(shortPayload(event))}`;
}

/** @param {Json | undefined} event */
function shortName(event) {
  const name = eventName(event);
  return name === undefined ? undefined : shorten(name, MAXIMUM_EVENT_NAME);
}

/**
 * What a name adds about the event of an edit.
 *
 * @param {Edit} edit
 * @param {(seq: number) => Json | undefined} eventAt
 */
function valueText(edit, eventAt) {
  if (edit.is === "insert" || edit.is === "append") return inParentheses(shortPayload(edit.event));
  if (edit.is !== "replace") return "";
  const before = eventAt(edit.seq);
  const isRenamed = before !== undefined && eventName(before) !== eventName(edit.event);
  const text = isRenamed || eventPayload(edit.event) === undefined
    ? eventLabel(edit.event)
    : shortPayload(changedPart(before, edit.event));
  return text === undefined ? "" : ` to ${text}`;
}

/**
 * The event with only those members of its payload, or of the structure in it, that changed.
 *
 * @param {Json | undefined} before
 * @param {Json} after
 * @returns {Json}
 */
function changedPart(before, after) {
  const [was, is] = [eventPayload(before), eventPayload(after)];
  if (!isObject(was) || !isObject(is)) return after;
  const [one, other] = [member(was, "_0"), member(is, "_0")];
  const isStructure = Object.keys(is).length === 1 && isObject(one) && isObject(other);
  const [from, to] = isStructure ? [one, other] : [was, is];
  const members = Object.entries(to).filter(([key, value]) => !equalJson(member(from, key), value));
  return members.length > 0 ? { [eventName(after) ?? ""]: Object.fromEntries(members) } : after;
}

/** @param {Json | undefined} event */
function shortPayload(event) {
  const text = payloadText(event, MAXIMUM_VALUE + 1);
  return text === "" || text.length > MAXIMUM_VALUE || text.includes("…") ? undefined : text;
}

/** @param {string | undefined} text */
function inParentheses(text) {
  return text === undefined ? "" : `(${text})`;
}

/**
 * What a branch does: its name, if that is its script in words with events, which only the parent's
 * entries have; else the script in words.
 *
 * @param {readonly Edit[]} edits
 * @param {string | undefined} name
 */
export function wordsWithNames(edits, name) {
  const words = wordsOf(edits, () => ANY_EVENT, () => ANY_VALUE);
  const most = MAXIMUM_EVENT_NAME + MAXIMUM_VALUE + 2;
  const pattern = words.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")
    .replaceAll(`${ANY_EVENT} `, `(?:.{1,${most}} )?`)
    .replaceAll(ANY_VALUE, `(?:\\(.{1,${MAXIMUM_VALUE}}\\)| to .{1,${most}}?)?`);
  // A second branch of that name has a number.
  const found = name !== undefined && name.length <= 2 * MAXIMUM_NAME
    ? new RegExp(`^(${pattern})(?: \\(\\d+\\))?$`, "su").exec(name)
    : null;
  return found?.[1] ?? wordsOf(edits, undefined, (edit) => valueText(edit, () => undefined));
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
