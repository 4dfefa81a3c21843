/** How one value changes over time, joined from answers to `series`, and what a drawing says of it. */

import {
  compareNumbers,
  equalJson,
  isNumber,
  isObject,
  member,
  numberText,
} from "../../base/json.js";
import { cutBytes } from "../../base/event-name.js";
import { formatNumbered } from "../../base/format.js";
import { compareText, shorten, visible } from "../../base/text.js";
import { kindInSeries } from "../../wire/series.js";

/** @import { Json } from "../../base/json-types.d.ts" */
/** @import { PathSeries, Series } from "../../wire/series.js" */
/** @import { Span } from "./scale.js" */

/**
 * A bucket in which the value changed.
 *
 * @typedef {{ t: number, last: Json, least: Json, greatest: Json, changes: number }} SparkPoint
 */

/**
 * A value over a stretch of time; `end` is the time after its last bucket, `size` that of one bucket.
 *
 * @typedef {object} SparkLine
 * @property {number} start
 * @property {number} end
 * @property {number} size
 * @property {number} through the last entry that it contains; -1 without one
 * @property {SparkPoint[]} points
 * @property {boolean} isRedacted
 * @property {boolean} isPartial whether its last buckets may lack entries that are there already
 * @property {Span[]} unknown
 * @property {Span[]} sampled
 */

/**
 * Reads one path of an answer.
 *
 * @param {Series} answer
 * @param {PathSeries} series
 * @param {{ from: number, size: number, buckets: number }} level
 * @returns {SparkLine}
 */
export function lineOf({ unknown, sampled, through }, series, { from, size, buckets }) {
  const spans = (/** @type {[number, number][] | undefined} */ ranges) =>
    (ranges ?? []).map(([first, last]) => ({
      start: from + first * size,
      end: from + (last + 1) * size,
    }));
  return {
    start: from,
    end: from + buckets * size,
    size,
    through: through ?? -1,
    points: series.at.map((bucket, index) => ({
      t: from + bucket * size,
      last: series.last[index] ?? null,
      least: series.least[index] ?? null,
      greatest: series.greatest[index] ?? null,
      changes: series.changes[index] ?? 0,
    })),
    isRedacted: series.redacted ?? false,
    isPartial: false,
    unknown: spans(unknown),
    sampled: spans(sampled),
  };
}

/**
 * A line and a later one of the same buckets, which replaces what both contain.
 *
 * @param {SparkLine} line
 * @param {SparkLine} later
 * @returns {SparkLine}
 */
export function joined(line, later) {
  const before = (/** @type {Span[]} */ spans) =>
    spans.filter(({ start }) => start < later.start)
      .map(({ start, end }) => ({ start, end: Math.min(end, later.start) }));
  const points = line.points.filter(({ t }) => t < later.start);
  const held = points.at(-1);
  const [first, ...rest] = later.points;
  // The first point only repeats what holds already, unless something changed in its bucket.
  const isRepeated = first !== undefined && held !== undefined && first.changes === 0 &&
    equalJson(first.last, held.last);
  return {
    ...later,
    start: line.start,
    through: Math.max(line.through, later.through),
    points: [...points, ...(first && !isRepeated ? [first] : []), ...rest],
    isRedacted: line.isRedacted || later.isRedacted,
    unknown: [...before(line.unknown), ...later.unknown],
    sampled: [...before(line.sampled), ...later.sampled],
  };
}

/**
 * The points in a span, the first one moved to its start where an earlier one still holds.
 *
 * @param {SparkLine} line
 * @param {Span} span
 * @returns {SparkPoint[]}
 */
export function pointsIn(line, { start, end }) {
  /** @type {SparkPoint | undefined} */
  let held;
  /** @type {SparkPoint[]} */
  const inside = [];
  for (const point of line.points) {
    if (point.t + line.size <= start) held = point;
    else if (point.t < end) inside.push(point);
  }
  if (!held) return inside;
  const number = isNumber(held.last) ? held.last : null;
  return [{ t: start, last: held.last, least: number, greatest: number, changes: 0 }, ...inside];
}

/**
 * What a value is called in a band: the name of a case, or the value itself.
 *
 * @param {Json} last
 * @returns {string | undefined} nothing where there is no value
 */
export function bandName(last) {
  const kind = kindInSeries(last);
  if (kind === undefined) {
    return typeof last === "string"
      ? last
      : isNumber(last)
      ? numberText(last)
      : String(last ?? "nil");
  }
  if (kind === "absent" || kind === "unknown") return undefined;
  const name = isObject(last) ? member(last, "case") : undefined;
  return typeof name === "string" ? name : kind;
}

/**
 * Whether the values at a place are drawn: scalars, cases of enums with their payloads, and arrays by
 * their size.
 *
 * @param {Json | undefined} value
 */
export function isDrawn(value) {
  return value !== undefined &&
    (!isObject(value) || Object.keys(value).length === 1 && cutBytes(value) === undefined);
}

/**
 * The number that a curve shows: of an array its size.
 *
 * @param {Json} last
 * @returns {Json} nothing where there is none
 */
export function numberIn(last) {
  if (isNumber(last)) return last;
  const count = kindInSeries(last) === "array" && isObject(last) ? member(last, "count") : null;
  return isNumber(count) ? count : null;
}

/** Values that get a color of their own; with more, only their changes are drawn. */
const MAXIMUM_BANDS = 10;

/**
 * How a line is drawn: as a curve of numbers, as bands of a few values, or as ticks where it changes.
 *
 * @param {readonly SparkPoint[]} points
 * @returns {"nothing" | "numbers" | "bands" | "ticks"}
 */
export function lookOf(points) {
  const known = points.filter(({ last }) => bandName(last) !== undefined);
  if (known.length === 0) return "nothing";
  if (known.every(({ last }) => last === null || numberIn(last) !== null)) {
    return known.some(({ last }) => last !== null) ? "numbers" : "bands";
  }
  return bandNames(known).length <= MAXIMUM_BANDS ? "bands" : "ticks";
}

/**
 * The names of all bands, sorted.
 *
 * @param {readonly SparkPoint[]} points
 */
export function bandNames(points) {
  const names = new Set(points.map(({ last }) => bandName(last)));
  return [...names].filter((name) => name !== undefined).sort(compareText);
}

/**
 * The colors of bands, 1 to 10. A name keeps its color where it can, whatever else is in view.
 *
 * @param {readonly string[]} names sorted
 * @returns {Map<string, number>}
 */
export function bandColors(names) {
  /** @type {Map<string, number>} */
  const colors = new Map();
  const taken = new Set();
  for (const name of names) {
    let hash = 7;
    for (const char of name) hash = (hash * 31 + (char.codePointAt(0) ?? 0)) % 1_000_003;
    let color = hash % 10;
    for (let tries = 0; tries < 10 && taken.has(color); tries++) color = (color + 1) % 10;
    taken.add(color);
    colors.set(name, color + 1);
  }
  return colors;
}

/**
 * The least and the greatest number.
 *
 * @param {readonly SparkPoint[]} points
 */
export function rangeOf(points) {
  /** @type {{ least: Json, greatest: Json }} */
  const range = { least: null, greatest: null };
  for (const point of points) {
    const size = isNumber(point.last) ? null : numberIn(point.last);
    const [least, greatest] = [point.least ?? size, point.greatest ?? size];
    if (isNumber(least) && !(isNumber(range.least) && compareNumbers(range.least, least) <= 0)) {
      range.least = least;
    }
    const { greatest: old } = range;
    if (isNumber(greatest) && !(isNumber(old) && compareNumbers(old, greatest) >= 0)) {
      range.greatest = greatest;
    }
  }
  return range;
}

/** Names that a description lists. */
const MAXIMUM_NAMES = 5;

/**
 * A line in words.
 *
 * @param {SparkLine} line
 * @param {Span} span
 * @returns {string}
 */
export function describeLine(line, span) {
  if (line.isRedacted) return "redacted in this stretch";
  const points = pointsIn(line, span);
  const look = lookOf(points);
  if (look === "nothing") return "no value in this stretch";
  const changes = points.reduce((sum, point) => sum + point.changes, 0);
  const overlaps = (/** @type {Span} */ one) => one.start < span.end && one.end > span.start;
  const least = line.sampled.some(overlaps) ? "at least " : "";
  const notes = [
    look === "numbers" ? describeRange(points) : look === "bands" ? describeNames(points) : "",
    changes === 0 && least === "" ? "no changes" : least + formatNumbered(changes, "change"),
    line.unknown.some(overlaps) ? "unknown in parts" : "",
  ];
  return notes.filter((note) => note !== "").join(", ");
}

/** @param {SparkPoint[]} points */
function describeRange(points) {
  const { least, greatest } = rangeOf(points);
  if (!isNumber(least) || !isNumber(greatest)) return "";
  const items = points.some(({ last }) => kindInSeries(last) === "array") ? " items" : "";
  return compareNumbers(least, greatest) === 0
    ? `always ${numberText(least)}${items}`
    : `minimum ${numberText(least)}, maximum ${numberText(greatest)}${items}`;
}

/** @param {SparkPoint[]} points */
function describeNames(points) {
  const names = bandNames(points).map((name) => visible(shorten(name, 24)));
  if (names.length === 1) return `always ${names[0]}`;
  const rest = names.length - MAXIMUM_NAMES;
  const listed = names.slice(0, MAXIMUM_NAMES).join(", ");
  return `${names.length} values: ${listed}${rest > 0 ? ` and ${rest} more` : ""}`;
}
