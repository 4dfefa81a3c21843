/** What is counted, as pixels of the timeline: a strip of the whole and lanes of the stretch in view. */

/** @import { Color } from "../base/color.js" */
/** @import { Counted } from "../model/timeline/counted.js" */
/** @import { Span } from "../model/timeline/scale.js" */
/** @import { Picture } from "./timeline-drawing.js" */
/** @import { Palette, Troubles } from "./timeline-palette.js" */

/** The height of a name above what is drawn in its lane, as in the style sheet. */
const NAME_HEIGHT = 13;

/** How much of a lane's color its least and its fullest columns have. */
const SHADES = [0.45, 0.55, 0.65, 0.74, 0.82, 0.9, 1];

/**
 * The strip and the lanes as pixels: a bucket is a column, brighter where it holds more.
 *
 * @param {CanvasRenderingContext2D} context
 * @param {Picture} picture
 * @param {Palette} palette
 * @param {number} lane in device pixels
 * @param {number} strip
 * @param {number} scale
 * @returns {ImageData}
 */
export function countsImage(
  context,
  { span, bounds, whole, fine, lanes: drawn, isNarrow },
  palette,
  lane,
  strip,
  scale,
) {
  const { width, height } = context.canvas;
  const image = context.createImageData(width, height);
  const pixels = new Uint32Array(image.data.buffer);
  const back = pack(palette.color("--bg"));
  const shade = pack(palette.color("--bg-1"));
  pixels.fill(back);
  pixels.fill(shade, 0, width * strip);
  if (whole) {
    const columns = spreadColumns(whole.overview.entries, whole, bounds, width);
    const most = columns.reduce((high, count) => Math.max(high, count), 1);
    const ink = pack(palette.color("--line-2"));
    columns.forEach((count, x) => {
      if (count === 0) return;
      const tall = Math.max(2 * scale, Math.round(Math.sqrt(count / most) * (strip - 8 * scale)));
      for (let y = strip - tall - 2; y < strip - 2; y++) pixels[y * width + x] = ink;
    });
  }
  const counted = fine ?? whole;
  const empty = new Uint32Array();
  const byLane = counted
    ? drawn.map(({ name }) => spreadColumns(counted.countsOf(name) ?? empty, counted, span, width))
    : [];
  const most = byLane.reduce(
    (high, columns) => columns.reduce((one, count) => Math.max(one, count), high),
    1,
  );
  byLane.forEach((_, index) => {
    const top = strip + Math.round(index * lane);
    const end = strip + Math.round((index + 1) * lane);
    if (index % 2 === 1) pixels.fill(shade, top * width, end * width);
    const ground = index % 2 === 1 ? palette.color("--bg-1") : palette.color("--bg");
    const shades = SHADES.map((share) =>
      packMixed(ground, palette.color(`--lane-${drawn[index]?.color}`), share)
    );
    const columns = byLane[index] ?? new Float64Array();
    const inset = Math.round(isNarrow ? 2 * scale : lane / 4);
    const start = top + (isNarrow ? Math.round(NAME_HEIGHT * scale) : inset);
    paintColumns(pixels, columns, most, width, start, end - inset, shades, scale);
  });
  const line = pack(palette.color("--line"));
  pixels.fill(line, (strip - 1) * width, strip * width);
  return image;
}

/**
 * @param {Uint32Array} pixels
 * @param {Float64Array} columns
 * @param {number} most the greatest count in view
 * @param {number} width
 * @param {number} top
 * @param {number} end
 * @param {number[]} shades
 * @param {number} scale
 */
function paintColumns(pixels, columns, most, width, top, end, shades, scale) {
  // An entry alone must be seen: three pixels wide.
  const wide = Math.max(1, Math.round(3 * scale));
  let left = 0;
  let ink = 0;
  for (let x = 0; x < width; x++) {
    // The last entries are at the right edge, where there is no room to their right.
    const count = x === width - wide ? Math.max(...columns.subarray(x)) : columns[x] ?? 0;
    if (count > 0) {
      ink = shades[Math.round(Math.sqrt(count / most) * (shades.length - 1))] ?? 0;
      left = wide;
    }
    if (left === 0) continue;
    left--;
    for (let y = top; y < end; y++) pixels[y * width + x] = ink;
  }
}

/** Of the sign of an error, in pixels. */
const ERROR_RADIUS = 5;

/** Buckets that are wider than this, in pixels, are far coarser than the view: finer ones are on their way. */
const COARSE = 16;

/**
 * Counts by pixel columns, as they are drawn: the entries of a coarse bucket may be anywhere in it, and
 * a column at its start would look like a burst.
 *
 * @param {Uint32Array} counts
 * @param {Counted} counted
 * @param {Span} span
 * @param {number} width
 * @returns {Float64Array}
 */
function spreadColumns(counts, counted, span, width) {
  const columns = sumColumns(counts, counted, span, width);
  const wide = Math.floor(counted.bucketSize / (span.end - span.start) * width);
  if (counted.bucketSize === 1 || wide <= COARSE) return columns;
  const spread = new Float64Array(width);
  columns.forEach((count, x) => {
    if (count > 0) spread.fill(count / wide, x, Math.min(x + wide, width));
  });
  return spread;
}

/**
 * Counts by pixel columns of a span.
 *
 * @param {Uint32Array} counts
 * @param {Counted} counted
 * @param {Span} span
 * @param {number} width
 * @returns {Float64Array}
 */
function sumColumns(counts, counted, span, width) {
  const columns = new Float64Array(width);
  const { overview, bucketSize } = counted;
  const first = Math.max(0, Math.floor((span.start - overview.from) / bucketSize));
  const end = Math.min(overview.buckets, Math.ceil((span.end - overview.from) / bucketSize));
  const perBucket = bucketSize / (span.end - span.start) * width;
  const origin = (overview.from - span.start) / (span.end - span.start) * width;
  for (let bucket = first; bucket < end; bucket++) {
    const count = counts[bucket];
    if (!count) continue;
    const x = Math.floor(origin + bucket * perBucket);
    if (x >= 0 && x < width) columns[x] = (columns[x] ?? 0) + count;
  }
  return columns;
}

/** @param {Color} color */
function pack([red, green, blue]) {
  return (255 << 24 | blue << 16 | green << 8 | red) >>> 0;
}

/**
 * @param {Color} ground
 * @param {Color} ink
 * @param {number} share
 */
function packMixed(ground, ink, share) {
  const part = (/** @type {0 | 1 | 2} */ index) =>
    Math.round(ground[index] + (ink[index] - ground[index]) * share);
  return pack([part(0), part(1), part(2)]);
}

/**
 * Where entries were lost or failed.
 *
 * @param {Picture} picture
 * @returns {Troubles}
 */
export function troublesOf({ span, fine, whole, width }) {
  /** @type {Troubles} */
  const troubles = { lost: [], errors: [] };
  const counted = fine ?? whole;
  if (!counted) return troubles;
  const { lost, errors } = counted.overview;
  sumColumns(lost, counted, span, Math.round(width)).forEach((count, x) => {
    if (count > 0) troubles.lost.push(x);
  });
  sumColumns(errors, counted, span, Math.round(width)).forEach((count, x) => {
    // Errors that are close together share a sign; the list separates them.
    if (count === 0 || x - (troubles.errors.at(-1) ?? -10) < 6) return;
    // A sign at an edge is not cut off.
    troubles.errors.push(Math.max(0, Math.min(Math.max(x, ERROR_RADIUS), width - ERROR_RADIUS)));
  });
  return troubles;
}
