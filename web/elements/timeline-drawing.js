/** Draws the timeline: a function of counts and a canvas. */

import { formatMoment } from "../base/format.js";
import { markStep, toPixel } from "../model/timeline/scale.js";
import { drawBranches } from "./timeline-branches.js";
import { countsImage, troublesOf } from "./timeline-counts.js";
import { Kept } from "./timeline-palette.js";

/** @import { Counted } from "../model/timeline/counted.js" */
/** @import { ColoredLane } from "../model/timeline/lane-colors.js" */
/** @import { Span } from "../model/timeline/scale.js" */
/** @import { Palette, Troubles } from "./timeline-palette.js" */

export const MINIMAP_HEIGHT = 34;

/** The axis; and with branches, a line for their names below it. */
const AXIS_HEIGHT = 26;
const BRANCHES_HEIGHT = 14;

/** The least room of a mark of the axis, in pixels. */
const MARK_SPACE = 110;

/** The cursor's moment is at least this exact, in microseconds. */
const MAXIMUM_STEP = 10_000;

/** Where the label of the cursor ends. */
export const LABEL_BOTTOM = 20;

/** Where the label of the cursor is, and the cursor itself, in pixels. @typedef {{ left: number, right: number, cursor: number }} Label */

/**
 * @typedef {object} Picture
 * @property {number} width
 * @property {readonly ColoredLane[]} lanes from top to bottom
 * @property {Span} span
 * @property {Span} bounds
 * @property {Counted | undefined} whole
 * @property {Counted | undefined} fine
 * @property {{ t: number, text: string } | undefined} cursor
 * @property {Span | undefined} stretch
 * @property {number[]} marks
 * @property {{ t: number, name: string }[]} branches
 * @property {boolean} isBranching
 * @property {boolean} isNarrow whether the names of lanes are above what is drawn in them
 * @property {readonly number[]} matches the times of the entries that match the filter, ascending
 * @property {readonly Span[]} shades while the filter matches, ascending
 */

/**
 * The height of a lane: fewer ones have more room.
 *
 * @param {number} count
 * @param {boolean} [isNarrow] whether their names are above what is drawn, not next to it
 */
export function laneHeight(count, isNarrow = false) {
  if (isNarrow) return count <= 6 ? 24 : 20;
  if (count <= 4) return 22;
  return count <= 6 ? 18 : 15;
}

/**
 * The height of what is below the lanes.
 *
 * @param {boolean} isBranching whether there is room for names of branches
 */
export function footHeight(isBranching) {
  return isBranching ? AXIS_HEIGHT + BRANCHES_HEIGHT : AXIS_HEIGHT;
}

/** @param {Span} span */
export function describeTimes({ start, end }) {
  return `${formatMoment(start)} to ${formatMoment(end)}`;
}

/**
 * The cursor's moment, as exact as the marks of the axis.
 *
 * @param {number} t
 * @param {Span} span
 * @param {number} width
 */
export function cursorMoment(t, span, width) {
  return formatMoment(t, Math.min(MAXIMUM_STEP, markStep(span, width, MARK_SPACE)));
}

/** @type {WeakMap<HTMLCanvasElement, Kept>} */
const keptOf = new WeakMap();

/**
 * Draws what has changed: while only the cursor moves, the cursor alone.
 *
 * @param {{ ground: HTMLCanvasElement, cursor: HTMLCanvasElement }} canvases one above the other
 * @param {Picture} picture
 * @returns {Label | undefined} the cursor's, where it is in view
 */
export function drawTimeline(canvases, picture) {
  const { width, lanes } = picture;
  const rows = Math.max(lanes.length, 1);
  const lane = laneHeight(lanes.length, picture.isNarrow);
  const height = MINIMAP_HEIGHT + rows * lane + footHeight(picture.isBranching);
  const scale = Math.min(globalThis.devicePixelRatio || 1, 2);
  for (const canvas of [canvases.ground, canvases.cursor]) size(canvas, width, height, scale);
  const [ground, cursor] = [canvases.ground.getContext("2d"), canvases.cursor.getContext("2d")];
  if (!ground || !cursor) return undefined;
  const kept = keptOf.get(canvases.ground) ?? new Kept();
  keptOf.set(canvases.ground, kept);
  const palette = kept.palette(canvases.ground);
  const bottom = MINIMAP_HEIGHT + rows * lane;
  drawGround(ground, picture, kept, palette, scale, bottom);
  cursor.setTransform(scale, 0, 0, scale, 0, 0);
  cursor.clearRect(0, 0, width, height);
  return drawCursor(cursor, picture, palette, bottom);
}

/**
 * @param {HTMLCanvasElement} canvas
 * @param {number} width
 * @param {number} height
 * @param {number} scale
 */
function size(canvas, width, height, scale) {
  const [pixelWidth, pixelHeight] = [Math.round(width * scale), Math.round(height * scale)];
  if (canvas.width === pixelWidth && canvas.height === pixelHeight) return;
  canvas.width = pixelWidth;
  canvas.height = pixelHeight;
  canvas.style.height = `${height}px`;
}

/**
 * All but the cursor.
 *
 * @param {CanvasRenderingContext2D} context
 * @param {Picture} picture
 * @param {Kept} kept
 * @param {Palette} palette
 * @param {number} scale
 * @param {number} bottom
 */
function drawGround(context, picture, kept, palette, scale, bottom) {
  const { span, bounds, whole, fine, lanes, stretch, marks, branches, matches } = picture;
  const { width, height } = context.canvas;
  const lane = laneHeight(lanes.length, picture.isNarrow);
  const counts = [width, height, whole, fine, span.start, span.end, bounds.end, lanes];
  const signs = [
    stretch?.start,
    stretch?.end,
    marks,
    matches,
    branches.map(({ t, name }) => `${t} ${name}`).join(),
  ];
  const isOld = kept.isMadeOf(counts);
  const hasOldSigns = kept.hasSigns(signs);
  if (isOld && hasOldSigns && kept.image) return;
  if (!isOld || !kept.image) {
    const strip = Math.round(MINIMAP_HEIGHT * scale);
    kept.image = countsImage(context, picture, palette, lane * scale, strip, scale);
    kept.troubles = troublesOf(picture);
  }
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.putImageData(kept.image, 0, 0);
  context.setTransform(scale, 0, 0, scale, 0, 0);
  drawBrush(context, picture, palette);
  drawShades(context, picture, palette, bottom);
  drawStretch(context, picture, palette, bottom);
  drawTroubles(context, kept.troubles, palette, bottom);
  drawAxis(context, picture, palette, bottom);
  drawBranches(context, picture, palette, bottom);
  drawMatches(context, picture, palette);
  drawMarks(context, picture, palette, bottom);
}

/**
 * A tick for each pixel with a match, in the overview and above the lanes.
 *
 * @param {CanvasRenderingContext2D} context
 * @param {Picture} picture
 * @param {Palette} palette
 */
function drawMatches(context, { span, bounds, matches, width }, palette) {
  context.fillStyle = palette.text("--accent");
  const draw = (/** @type {Span} */ range, /** @type {number} */ top) => {
    let last = -1;
    for (const t of matches) {
      const x = Math.round(toPixel(range, t, width));
      if (x === last || x < 0 || x > width) continue;
      last = x;
      context.fillRect(Math.min(x - 1, width - 2), top, 2, 5);
    }
  };
  draw(bounds, 0);
  draw(span, MINIMAP_HEIGHT);
}

/**
 * Shades the lanes while the filter matches.
 *
 * @param {CanvasRenderingContext2D} context
 * @param {Picture} picture
 * @param {Palette} palette
 * @param {number} bottom
 */
function drawShades(context, { span, shades, width }, palette, bottom) {
  context.fillStyle = palette.text("--accent");
  context.globalAlpha = 0.08;
  let drawn = 0;
  for (const { start, end } of shades) {
    // Pixels that are shaded once stay as pale as the others.
    const from = Math.max(drawn, Math.round(toPixel(span, start, width)));
    const to = Math.min(width, Math.max(from, Math.round(toPixel(span, end, width))));
    if (to <= from) continue;
    context.fillRect(from, MINIMAP_HEIGHT, to - from, bottom - MINIMAP_HEIGHT);
    drawn = to;
  }
  context.globalAlpha = 1;
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
  const step = markStep(span, width, MARK_SPACE);
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
function drawMarks(context, { span, marks, width }, palette, bottom) {
  context.fillStyle = palette.text("--accent");
  let last = -Infinity;
  for (const t of marks) {
    const x = toPixel(span, t, width);
    // Marks on the same pixel look like one.
    if (x < -6 || x > width + 6 || Math.abs(x - last) < 0.5) continue;
    last = x;
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
 * @returns {Label | undefined}
 */
function drawCursor(context, { span, bounds, cursor, width }, palette, bottom) {
  if (!cursor) return undefined;
  context.fillStyle = palette.text("--cursor");
  const small = toPixel(bounds, cursor.t, width);
  context.fillRect(Math.min(Math.max(small - 0.75, 0), width - 1.5), 0, 1.5, MINIMAP_HEIGHT);
  const x = Math.min(Math.max(toPixel(span, cursor.t, width), 0.75), width - 0.75);
  if (cursor.t < span.start || cursor.t > span.end) return undefined;
  context.fillRect(x - 0.75, MINIMAP_HEIGHT - 12, 1.5, bottom - MINIMAP_HEIGHT + 14);
  context.font = '600 11px Inter, "Segoe UI", system-ui, "DejaVu Sans", sans-serif';
  const wide = context.measureText(cursor.text).width + 14;
  const left = Math.min(Math.max(x - wide / 2, 0), width - wide);
  context.beginPath();
  context.roundRect(left, 1, wide, LABEL_BOTTOM - 1, 4);
  context.fill();
  context.fillStyle = palette.text("--on-cursor");
  context.textAlign = "left";
  context.textBaseline = "alphabetic";
  context.fillText(cursor.text, left + 7, 14.5);
  return { left, right: left + wide, cursor: x };
}
