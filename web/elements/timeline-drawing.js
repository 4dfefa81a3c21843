/** Draws the timeline: a function of counts and a canvas. */

import { formatMoment } from "../base/format.js";
import { markStep, toPixel } from "../model/scale.js";
import { Kept } from "./timeline-palette.js";

/** @import { Color } from "../base/color.js" */
/** @import { Counted } from "../model/counted.js" */
/** @import { Span } from "../model/scale.js" */
/** @import { Palette, Troubles } from "./timeline-palette.js" */

export const MINIMAP_HEIGHT = 34;

/** How much of a lane's colour its least and its fullest columns have. */
const SHADES = [0.45, 0.55, 0.65, 0.74, 0.82, 0.9, 1];

/** The axis, and the curves of branches below it. */
const FOOT_HEIGHT = 26;

/**
 * @typedef {object} Picture
 * @property {number} width
 * @property {number} lanes how many of them are drawn
 * @property {Span} span
 * @property {Span} bounds
 * @property {Counted | undefined} whole
 * @property {Counted | undefined} fine
 * @property {{ t: number, text: string } | undefined} cursor
 * @property {Span | undefined} stretch
 * @property {number[]} marks
 * @property {{ t: number, name: string }[]} branches
 */

/**
 * The height of a lane: fewer ones have more room.
 *
 * @param {number} count
 */
export function laneHeight(count) {
  if (count <= 4) return 22;
  return count <= 6 ? 18 : 15;
}

/** @param {Span} span */
export function describeTimes({ start, end }) {
  return `${formatMoment(start)} to ${formatMoment(end)}`;
}

/** @type {WeakMap<HTMLCanvasElement, Kept>} */
const keptOf = new WeakMap();

/**
 * @param {HTMLCanvasElement} canvas
 * @param {Picture} picture
 */
export function drawTimeline(canvas, picture) {
  const { width, lanes, whole } = picture;
  const rows = Math.max(lanes, 1);
  const lane = laneHeight(lanes);
  const height = MINIMAP_HEIGHT + rows * lane + FOOT_HEIGHT;
  const scale = Math.min(globalThis.devicePixelRatio || 1, 2);
  const [pixelWidth, pixelHeight] = [Math.round(width * scale), Math.round(height * scale)];
  if (canvas.width !== pixelWidth || canvas.height !== pixelHeight) {
    canvas.width = pixelWidth;
    canvas.height = pixelHeight;
    canvas.style.height = `${height}px`;
  }
  const context = canvas.getContext("2d");
  if (!context) return;
  const kept = keptOf.get(canvas) ?? new Kept();
  keptOf.set(canvas, kept);
  const palette = kept.palette(canvas);
  context.setTransform(1, 0, 0, 1, 0, 0);
  const { span, bounds, fine } = picture;
  const made = [pixelWidth, pixelHeight, whole, fine, span.start, span.end, bounds.end, lane];
  // While only the cursor moves the counts are the same.
  if (!kept.isMadeOf(made) || !kept.image) {
    const strip = Math.round(MINIMAP_HEIGHT * scale);
    kept.image = countsImage(context, picture, palette, lane * scale, strip, scale);
    kept.troubles = troublesOf(picture);
  }
  context.putImageData(kept.image, 0, 0);
  context.setTransform(scale, 0, 0, scale, 0, 0);
  const bottom = MINIMAP_HEIGHT + rows * lane;
  drawBrush(context, picture, palette);
  drawStretch(context, picture, palette, bottom);
  drawTroubles(context, kept.troubles, palette, bottom);
  drawAxis(context, picture, palette, bottom);
  drawBranches(context, picture, palette, bottom);
  drawMarks(context, picture, palette, bottom);
  drawCursor(context, picture, palette, bottom);
}

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
function countsImage(
  context,
  { span, bounds, whole, fine, lanes: drawn },
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
    const columns = sumColumns(whole.overview.entries, whole, bounds, width);
    const most = columns.reduce((high, count) => Math.max(high, count), 1);
    const ink = pack(palette.color("--line-2"));
    columns.forEach((count, x) => {
      if (count === 0) return;
      const tall = Math.max(2 * scale, Math.round(Math.sqrt(count / most) * (strip - 8 * scale)));
      for (let y = strip - tall - 2; y < strip - 2; y++) pixels[y * width + x] = ink;
    });
  }
  const counted = fine ?? whole;
  const lanes = counted?.overview.byLane.slice(0, drawn) ?? [];
  const byLane = counted ? lanes.map((counts) => sumColumns(counts, counted, span, width)) : [];
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
      packMixed(ground, palette.color(`--lane-${index % 11 + 1}`), share)
    );
    const columns = byLane[index] ?? new Uint32Array();
    const inset = Math.round(lane / 4);
    paintColumns(pixels, columns, most, width, top + inset, end - inset, shades, scale);
  });
  const line = pack(palette.color("--line"));
  pixels.fill(line, (strip - 1) * width, strip * width);
  return image;
}

/**
 * @param {Uint32Array} pixels
 * @param {Uint32Array} columns
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
    const count = columns[x] ?? 0;
    if (count > 0) {
      ink = shades[Math.round(Math.sqrt(count / most) * (shades.length - 1))] ?? 0;
      left = wide;
    }
    if (left === 0) continue;
    left--;
    for (let y = top; y < end; y++) pixels[y * width + x] = ink;
  }
}

/**
 * Counts by pixel columns of a span.
 *
 * @param {Uint32Array} counts
 * @param {Counted} counted
 * @param {Span} span
 * @param {number} width
 * @returns {Uint32Array}
 */
function sumColumns(counts, counted, span, width) {
  const columns = new Uint32Array(width);
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
 * @param {CanvasRenderingContext2D} context
 * @param {Picture} picture
 * @param {Palette} palette
 */
function drawBrush(context, { span, bounds, width }, palette) {
  const [start, end] = [toPixel(bounds, span.start, width), toPixel(bounds, span.end, width)];
  const isWhole = start <= 0.5 && end >= width - 0.5;
  context.fillStyle = palette.text("--accent");
  if (!isWhole) {
    context.globalAlpha = 0.12;
    context.fillRect(start, 0, Math.max(end - start, 1), MINIMAP_HEIGHT - 1);
    context.globalAlpha = 1;
  }
  context.fillRect(Math.max(start - 0.75, 0), 0, 1.5, MINIMAP_HEIGHT);
  context.fillRect(Math.min(end - 0.75, width - 1.5), 0, 1.5, MINIMAP_HEIGHT);
}

/**
 * The selected stretch.
 *
 * @param {CanvasRenderingContext2D} context
 * @param {Picture} picture
 * @param {Palette} palette
 * @param {number} bottom
 */
function drawStretch(context, { span, stretch, width }, palette, bottom) {
  if (!stretch) return;
  const [start, end] = [toPixel(span, stretch.start, width), toPixel(span, stretch.end, width)];
  context.fillStyle = palette.text("--accent");
  context.globalAlpha = 0.14;
  context.fillRect(start, MINIMAP_HEIGHT, Math.max(end - start, 2), bottom - MINIMAP_HEIGHT);
  context.globalAlpha = 1;
}

/**
 * Where entries were lost or failed.
 *
 * @param {Picture} picture
 * @returns {Troubles}
 */
function troublesOf({ span, fine, whole, width }) {
  /** @type {Troubles} */
  const troubles = { lost: [], errors: [] };
  const counted = fine ?? whole;
  if (!counted) return troubles;
  const { lost, errors } = counted.overview;
  sumColumns(lost, counted, span, Math.round(width)).forEach((count, x) => {
    if (count > 0) troubles.lost.push(x);
  });
  sumColumns(errors, counted, span, Math.round(width)).forEach((count, x) => {
    // Errors that stand close together are one sign; the list tells them apart.
    if (count > 0 && x - (troubles.errors.at(-1) ?? -10) >= 6) troubles.errors.push(x);
  });
  return troubles;
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Troubles} troubles
 * @param {Palette} palette
 * @param {number} bottom
 */
function drawTroubles(context, { lost, errors }, palette, bottom) {
  context.fillStyle = palette.text("--warn");
  for (const x of lost) {
    context.globalAlpha = 0.3;
    context.fillRect(x - 3, MINIMAP_HEIGHT, 7, bottom - MINIMAP_HEIGHT);
    context.globalAlpha = 1;
    context.fillRect(x - 3, MINIMAP_HEIGHT, 7, 2);
    context.fillRect(x - 3, bottom - 2, 7, 2);
  }
  for (const x of errors) {
    context.fillStyle = palette.text("--bg");
    context.beginPath();
    context.arc(x, MINIMAP_HEIGHT, 5, 0, 7);
    context.fill();
    context.fillStyle = palette.text("--err");
    context.beginPath();
    context.arc(x, MINIMAP_HEIGHT, 3.5, 0, 7);
    context.fill();
  }
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Picture} picture
 * @param {Palette} palette
 * @param {number} bottom
 */
function drawAxis(context, { span, width }, palette, bottom) {
  const step = markStep(span, width, 110);
  context.fillStyle = palette.text("--fg-3");
  context.font = '11px Inter, "Segoe UI", system-ui, "DejaVu Sans", sans-serif';
  context.textBaseline = "alphabetic";
  for (let t = Math.ceil(span.start / step) * step; t < span.end; t += step) {
    const x = toPixel(span, t, width);
    context.globalAlpha = 0.5;
    context.fillRect(x, bottom, 1, 4);
    context.globalAlpha = 1;
    context.textAlign = x < 20 ? "left" : x > width - 24 ? "right" : "center";
    context.fillText(formatMoment(t, step), x, bottom + 14);
  }
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Picture} picture
 * @param {Palette} palette
 * @param {number} bottom
 */
function drawBranches(context, { span, branches, width }, palette, bottom) {
  const ink = palette.text("--fork");
  context.strokeStyle = context.fillStyle = ink;
  context.lineWidth = 1.5;
  context.textAlign = "left";
  for (const { t, name } of branches) {
    const x = toPixel(span, t, width);
    if (x < -60 || x > width) continue;
    context.beginPath();
    context.moveTo(x, bottom - 4);
    context.bezierCurveTo(x, bottom + 20, x + 6, bottom + 20, x + 24, bottom + 20);
    context.stroke();
    const background = palette.text("--bg");
    const wide = context.measureText(name).width;
    context.fillStyle = background;
    context.fillRect(x + 25, bottom + 14, wide + 6, 12);
    context.fillStyle = ink;
    context.fillText(name, x + 28, bottom + 24);
  }
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Picture} picture
 * @param {Palette} palette
 * @param {number} bottom
 */
function drawMarks(context, { span, marks, width }, palette, bottom) {
  context.fillStyle = palette.text("--accent");
  for (const t of marks) {
    const x = toPixel(span, t, width);
    if (x < -6 || x > width + 6) continue;
    context.fillRect(x - 0.75, MINIMAP_HEIGHT, 1.5, bottom - MINIMAP_HEIGHT);
    context.beginPath();
    context.moveTo(x - 4, bottom - 9);
    context.lineTo(x + 4, bottom - 9);
    context.lineTo(x + 4, bottom);
    context.lineTo(x, bottom - 3);
    context.lineTo(x - 4, bottom);
    context.fill();
  }
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Picture} picture
 * @param {Palette} palette
 * @param {number} bottom
 */
function drawCursor(context, { span, bounds, cursor, width }, palette, bottom) {
  if (!cursor) return;
  context.fillStyle = palette.text("--cursor");
  const small = toPixel(bounds, cursor.t, width);
  context.fillRect(Math.min(Math.max(small - 0.75, 0), width - 1.5), 0, 1.5, MINIMAP_HEIGHT);
  const x = Math.min(Math.max(toPixel(span, cursor.t, width), 0.75), width - 0.75);
  if (cursor.t < span.start || cursor.t > span.end) return;
  context.fillRect(x - 0.75, MINIMAP_HEIGHT - 12, 1.5, bottom - MINIMAP_HEIGHT + 14);
  context.font = '600 11px Inter, "Segoe UI", system-ui, "DejaVu Sans", sans-serif';
  const wide = context.measureText(cursor.text).width + 14;
  const left = Math.min(Math.max(x - wide / 2, 0), width - wide);
  context.beginPath();
  context.roundRect(left, 1, wide, 19, 4);
  context.fill();
  context.fillStyle = palette.text("--on-cursor");
  context.textAlign = "left";
  context.textBaseline = "alphabetic";
  context.fillText(cursor.text, left + 7, 14.5);
}
