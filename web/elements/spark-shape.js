/** The outlines of a sparkline: a pure function of its points. */

import { isNumber } from "../base/json.js";
import { shorten } from "../base/text.js";
import {
  bandColors,
  bandName,
  bandNames,
  lookOf,
  numberIn,
  pointsIn,
  rangeOf,
} from "../model/timeline/spark-line.js";

/** @import { Json } from "../base/json-types.d.ts" */
/** @import { Span } from "../model/timeline/scale.js" */
/** @import { SparkLine, SparkPoint } from "../model/timeline/spark-line.js" */

/** An outline with the class that colors it. @typedef {{ name: string, d: string }} Outline */

/** @typedef {{ width: number, height: number }} Size */

/** A stretch in which one value holds, in pixels. @typedef {{ from: number, to: number, point: SparkPoint }} Piece */

/**
 * @param {SparkLine | undefined} line
 * @param {Span} span
 * @param {Size} size
 * @param {SparkLine} [parent] the same value of the timeline from which a branch starts
 * @returns {Outline[]} the first ones are below the others
 */
export function sparkOutlines(line, span, size, parent) {
  if (!line || line.isRedacted) return [];
  const points = pointsIn(line, span);
  const pieces = piecesOf(points, span, size.width);
  const others = parent && !parent.isRedacted ? pointsIn(parent, span) : [];
  const otherPieces = piecesOf(others, span, size.width);
  switch (lookOf(points)) {
    case "numbers": {
      const both = [...points, ...others];
      return [
        ...numberOutlines(otherPieces, both, size).map(({ d }) => ({ name: "spark-parent", d })),
        ...numberOutlines(pieces, both, size),
      ];
    }
    case "bands": {
      const both = [...points, ...others];
      const { width, height } = size;
      const strip = { width, top: height - 3, bottom: height };
      const bands = bandOutlines(pieces, both, { width, top: 3, bottom: height - 4 });
      if (others.length === 0) return bands;
      return [
        ...bands,
        ...bandOutlines(otherPieces, both, strip).map(({ name, d }) => ({
          name: `${name} spark-below`,
          d,
        })),
      ];
    }
    case "ticks":
      return tickOutlines(pieces, size);
    default:
      return [];
  }
}

/**
 * @param {readonly SparkPoint[]} points
 * @param {Span} span
 * @param {number} width
 * @returns {Piece[]}
 */
export function piecesOf(points, span, width) {
  const x = (/** @type {number} */ t) =>
    Math.min(Math.max((t - span.start) / (span.end - span.start) * width, 0), width);
  return points.map((point, index) => {
    const next = points[index + 1];
    return { from: x(point.t), to: next ? x(next.t) : width, point };
  });
}

/** @param {number} place */
function short(place) {
  return String(Math.round(place * 10) / 10);
}

/** @param {Json} value */
function toNumber(value) {
  return isNumber(value) ? Number(value) : NaN;
}

/**
 * @param {Piece[]} pieces
 * @param {readonly SparkPoint[]} points
 * @param {Size} size
 * @returns {Outline[]}
 */
function numberOutlines(pieces, points, { height }) {
  const range = rangeOf(points);
  const [least, greatest] = [toNumber(range.least), toNumber(range.greatest)];
  const [top, bottom] = [2, height - 2];
  const y = (/** @type {number} */ number) =>
    short(
      greatest > least
        ? bottom - (number - least) / (greatest - least) * (bottom - top)
        : (top + bottom) / 2,
    );
  let d = "";
  let isDown = false;
  for (const { from, to, point } of pieces) {
    const value = toNumber(numberIn(point.last));
    const [low, high] = [toNumber(point.least), toNumber(point.greatest)];
    if (isDown && low < high) d += `H${short(from)}V${y(low)}V${y(high)}`;
    if (Number.isFinite(value)) {
      d += isDown ? `H${short(from)}V${y(value)}` : `M${short(from)} ${y(value)}`;
      d += `H${short(to)}`;
    }
    isDown = Number.isFinite(value);
  }
  return d === "" ? [] : [{ name: greatest > least ? "spark-curve" : "spark-flat", d }];
}

/**
 * @param {Piece[]} pieces
 * @param {readonly SparkPoint[]} points
 * @param {{ width: number, top: number, bottom: number }} box
 * @returns {Outline[]}
 */
function bandOutlines(pieces, points, { width, top, bottom }) {
  const names = bandNames(points);
  if (names.length === 1 && points.every(({ changes }) => changes === 0)) {
    const [first] = pieces;
    return [{
      name: "spark-flat",
      d: `M${short(first?.from ?? 0)} ${(top + bottom) / 2}H${width}`,
    }];
  }
  const isBoolean = names.every((name) => name === "true" || name === "false");
  const colors = bandColors(names);
  /** @type {Map<string, string>} */
  const outlines = new Map();
  for (const { from, to, point } of pieces) {
    const name = bandName(point.last);
    if (name === undefined) continue;
    const isLow = isBoolean && name === "false";
    const key = isBoolean ? isLow ? "spark-false" : "spark-true" : `spark-band-${colors.get(name)}`;
    const box = `M${short(from)} ${isLow ? bottom - 1 : top}H${
      short(Math.max(to, from + 1))
    }V${bottom}H${short(from)}Z`;
    outlines.set(key, (outlines.get(key) ?? "") + box);
  }
  return [...outlines].map(([name, d]) => ({ name, d }));
}

/**
 * Where a value with many different ones changes.
 *
 * @param {Piece[]} pieces
 * @param {Size} size
 * @returns {Outline[]}
 */
function tickOutlines(pieces, { width, height }) {
  let d = "";
  for (const { from, point } of pieces) {
    if (point.changes > 0) d += `M${short(from)} 4V${height - 4}`;
  }
  return [
    { name: "spark-flat", d: `M0 ${height / 2}H${width}` },
    ...(d === "" ? [] : [{ name: "spark-ticks", d }]),
  ];
}

/** The width of a letter of a label, and what stays free next to it, in pixels. */
const LETTER = 6.6;
const MARGIN = 5;

/**
 * The names of bands that have room for them. Neighbors of one value are one band.
 *
 * @param {readonly Piece[]} pieces in pixels
 * @returns {{ x: number, text: string }[]}
 */
export function bandLabels(pieces) {
  /** @type {{ from: number, to: number, name: string | undefined }[]} */
  const bands = [];
  for (const { from, to, point } of pieces) {
    const name = bandName(point.last);
    const last = bands.at(-1);
    if (last && last.name === name) last.to = to;
    else bands.push({ from, to, name });
  }
  return bands.flatMap(({ from, to, name }) => {
    const letters = Math.floor((to - from - 2 * MARGIN) / LETTER);
    if (name === undefined || letters < 3) return [];
    return [{ x: Math.round(from + MARGIN), text: shorten(name, letters) }];
  });
}
