/** What led to an entry, in words. */

import { formatCount, formatNumbered } from "../../base/format.js";
import { writeJson } from "../../base/json.js";

/** @import { Json } from "../../base/json-types.d.ts" */
/** @import { Message } from "../../wire/to-inspector.js" */

/** @typedef {Message<"explain">} Explanation */
/** @typedef {Explanation["entries"][number]} ExplainedEntry */
/** @typedef {"recorded" | "inferred"} Label */

/**
 * A line of an explanation.
 *
 * @typedef {object} Line
 * @property {string} text
 * @property {Label} [label] how this is known
 * @property {number} [seq] the entry of the open timeline that it is about
 */

/** @typedef {{ title: string, lines: Line[] }} Section */

/** @param {Explanation} found */
export function explanationTitle({ entries, predicate, since }) {
  const [entry] = entries;
  if (!entry) return "";
  const what = `Entry ${entryTitle(entry)}`;
  if (predicate === undefined) return what;
  const when = since === undefined
    ? ""
    : since === entry.seq
    ? ", and not before it"
    : `, since entry ${formatCount(since)}`;
  return `${what}: ${predicate}${when}`;
}

/**
 * The parts of an explanation that have something to say.
 *
 * @param {Explanation} found
 * @returns {Section[]}
 */
export function explanationSections(found) {
  const { fewest } = found;
  const sections = [
    { title: "Values", lines: valueLines(found) },
    { title: "Causes", lines: linkLines(found) },
    {
      title: fewest === undefined
        ? ""
        : `${formatNumbered(fewest.entries.length, "event is", "events are")} enough${
          fewest.minimal ? ", and each is needed" : " (maybe not the fewest events)"
        }`,
      lines: (fewest?.entries ?? []).map((entry) => ({
        text: entryLine(entry),
        label: fewest?.label,
        seq: entry.seq,
      })),
    },
    { title: "Compared with a healthy recording", lines: differenceLines(found.healthy) },
    { title: "Missing", lines: (found.missing ?? []).map((text) => ({ text })) },
  ];
  return sections.filter(({ lines }) => lines.length > 0);
}

/**
 * @param {Explanation} found
 * @returns {Line[]}
 */
function valueLines({ values, entries }) {
  return values.map(({ path, value, before, seq, label }) => {
    const setter = entries.find((entry) => entry.seq === seq && entry.timeline === undefined);
    const who = seq === undefined
      ? "as at the start"
      : `set by ${setter ? entryTitle(setter) : formatCount(seq)}`;
    const was = before === undefined || isSame(before, value) ? "" : ` (before: ${json(before)})`;
    return { text: `${path} is ${json(value)}${was}, ${who}`, label, seq };
  });
}

/**
 * @param {Json | undefined} left
 * @param {Json | undefined} right
 */
function isSame(left, right) {
  return json(left) === json(right);
}

/**
 * @param {Explanation} found
 * @returns {Line[]}
 */
function linkLines({ links, entries }) {
  return links.flatMap(({ from, to, reason, path, label }) => {
    const [source, target] = [entries[from], entries[to]];
    if (!source || !target) return [];
    const did = {
      cause: "sent the event of",
      value: `set ${path ?? ""}, which was read at`,
      earlier: `set ${path ?? ""} before`,
    }[reason];
    const place = source.at === undefined ? "" : `, at ${source.at}`;
    return [{
      text: `${entryTitle(source)} ${did} ${entryTitle(target)}${place}`,
      label,
      seq: source.timeline === undefined ? source.seq : undefined,
    }];
  });
}

/**
 * @param {Explanation["healthy"]} healthy
 * @returns {Line[]}
 */
function differenceLines(healthy) {
  if (healthy === undefined) return [];
  const { timeline, entry, other, label } = healthy;
  const id = timeline.slice(0, 8);
  if (entry === undefined) {
    return [{ text: `${id} has the same events, so they do not explain it`, label }];
  }
  const line = { label, seq: entry.seq };
  return other === undefined ? [{ ...line, text: `${id} does not have ${entryLine(entry)}` }] : [
    { ...line, text: `${entryLine(entry)} is different in ${id}` },
    { text: `There: ${entryLine(other)}` },
  ];
}

/** @param {ExplainedEntry} entry */
function entryLine(entry) {
  return entry.event === undefined
    ? entryTitle(entry)
    : `${entryTitle(entry)} ${writeJson(entry.event)}`;
}

/** @param {ExplainedEntry} entry */
function entryTitle({ seq, timeline, name }) {
  const place = timeline === undefined
    ? formatCount(seq)
    : `${timeline.slice(0, 8)}:${formatCount(seq)}`;
  return name === undefined ? place : `${place} ${name}`;
}

/** @param {Json | undefined} value */
function json(value) {
  return value === undefined ? "…" : writeJson(value);
}
