/** The timeline's stretch in view: zooming, panning, marks, and how finely to count. */

/** The fewest microseconds or seqs that a view shows. */
const LEAST_SPAN = 10;

/** The most buckets that a daemon counts into. */
const MAXIMUM_BUCKETS = 16_384;

/** A stretch in view, by seq or by microseconds; `end` is the place behind the last. @typedef {{ start: number, end: number }} Span */

/**
 * What there is to see. After its end, `room` is the share of a view that stays free, so that the last
 * value has a width.
 *
 * @typedef {Span & { room?: number }} Bounds
 */

/** The size of the view that shows all. @param {Bounds} bounds */
function wholeSize({ start, end, room = 0 }) {
  return Math.max(end - start, LEAST_SPAN) / (1 - room);
}

/**
 * The span that shows all, with the room after the end.
 *
 * @param {Bounds} bounds
 * @returns {Span}
 */
export function wholeSpan(bounds) {
  return { start: bounds.start, end: bounds.start + wholeSize(bounds) };
}

/**
 * The span, longer where it shows the last entry, but has less room after it than this share.
 *
 * @param {Span} span
 * @param {number} last when the last entry was
 * @param {number} share
 * @returns {Span}
 */
export function withRoom({ start, end }, last, share) {
  if (end < last) return { start, end };
  return { start, end: Math.max(end, (last - start * share) / (1 - share)) };
}

/**
 * The span inside the bounds and their room, no smaller than it may be, keeping its size where it can.
 *
 * @param {Span} span
 * @param {Bounds} bounds
 * @returns {Span}
 */
export function clampSpan({ start, end }, bounds) {
  const whole = wholeSize(bounds);
  const size = Math.min(Math.max(end - start, LEAST_SPAN), whole);
  const last = bounds.start + whole * (1 - (bounds.room ?? 0)) + size * (bounds.room ?? 0);
  const first = Math.min(Math.max(start, bounds.start), last - size);
  return { start: first, end: first + size };
}

/** A wait before the first event that is longer than this share of the whole is not shown at first. */
const LONGEST_WAIT = 0.5;

/** The least time that is shown because of a wait, in microseconds, if this is a small share of the whole. */
const LEAST_REST = 1_000;
const LEAST_SHARE = 0.05;

/**
 * The span that is shown first: all, unless a long wait before the first event would leave the events
 * a few pixels.
 *
 * @param {Bounds} bounds
 * @param {number | undefined} firstEvent when it was
 * @returns {Span}
 */
export function firstSpan(bounds, firstEvent) {
  const wait = (firstEvent ?? bounds.start) - bounds.start;
  const whole = bounds.end - bounds.start;
  if (wait <= whole * LONGEST_WAIT) return wholeSpan(bounds);
  const rest = Math.max(whole - wait, Math.min(LEAST_REST, whole * LEAST_SHARE));
  const { room = 0 } = bounds;
  const size = rest * 1.05 / (1 - room);
  const end = bounds.end + size * room;
  return clampSpan({ start: end - size, end }, bounds);
}

/**
 * Zooms so that the place at `share` of the width stays there.
 *
 * @param {Span} span
 * @param {number} factor below 1 to see less and finer
 * @param {number} share 0 to 1
 * @param {Bounds} bounds
 * @returns {Span}
 */
export function zoomSpan(span, factor, share, bounds) {
  const size = span.end - span.start;
  const next = Math.min(Math.max(size * factor, LEAST_SPAN), wholeSize(bounds));
  const fixed = span.start + size * share;
  return clampSpan({ start: fixed - next * share, end: fixed + next * (1 - share) }, bounds);
}

/**
 * @param {Span} span
 * @param {number} by
 * @param {Bounds} bounds
 * @returns {Span}
 */
export function panSpan(span, by, bounds) {
  return clampSpan({ start: span.start + by, end: span.end + by }, bounds);
}

/**
 * The span moved as little as need be for a place to stand well inside it.
 *
 * @param {Span} span
 * @param {number} place
 * @param {Bounds} bounds
 * @returns {Span}
 */
export function revealInSpan(span, place, bounds) {
  const size = span.end - span.start;
  const margin = size / 12;
  if (place >= span.start + margin && place <= span.end - margin) return span;
  if (place < span.start - size || place > span.end + size) {
    return clampSpan({ start: place - size / 2, end: place + size / 2 }, bounds);
  }
  const start = place < span.start + margin ? place - margin : place + margin - size;
  return clampSpan({ start, end: start + size }, bounds);
}

/**
 * @param {Span} span
 * @param {number} place
 * @param {number} width
 * @returns {number}
 */
export function toPixel(span, place, width) {
  return (place - span.start) / (span.end - span.start) * width;
}

/**
 * @param {Span} span
 * @param {number} pixel
 * @param {number} width
 * @returns {number}
 */
export function toPlace(span, pixel, width) {
  return span.start + pixel / Math.max(width, 1) * (span.end - span.start);
}

/**
 * The place where a pixel ends: what begins inside a pixel is drawn in all of it, so a press on the
 * pixel's left edge means that, too, and not what was before.
 *
 * @param {Span} span
 * @param {number} pixel
 * @param {number} width
 */
export function toPlaceDrawn(span, pixel, width) {
  return toPlace(span, Math.min(Math.floor(pixel) + 0.999, width), width);
}

/**
 * The distance of two marks that reads well (1, 2 or 5 times a power of ten; seconds by sixties)
 * when each wants `least` pixels.
 *
 * @param {Span} span
 * @param {number} width
 * @param {number} least
 * @returns {number}
 */
export function markStep(span, width, least) {
  const rough = (span.end - span.start) / Math.max(1, width / least);
  const minute = 60_000_000;
  if (rough > minute / 2) {
    const day = 1_440;
    const minutes = [1, 2, 5, 10, 15, 30, 60, 120, 360, 720].find((step) => step * minute >= rough);
    return (minutes ?? Math.ceil(rough / (day * minute)) * day) * minute;
  }
  const power = 10 ** Math.floor(Math.log10(Math.max(rough, 1)));
  return power * ([1, 2, 5, 10].find((times) => times * power >= rough) ?? 10);
}

/**
 * What to ask the daemon for: a stretch that holds the span, cut at whole buckets so that panning
 * asks for the same buckets again, and that reaches beyond both sides.
 *
 * @param {Span} span
 * @param {number} pixels
 * @param {Span} bounds
 * @returns {{ from: number, to: number, buckets: number, size: number }}
 */
export function levelFor(span, pixels, bounds) {
  const wanted = (span.end - span.start) / Math.max(pixels, 1);
  // Powers of two: few sizes, and each is twice as coarse as the one before.
  const size = Math.max(1, 2 ** Math.floor(Math.log2(Math.max(wanted, 1))));
  const margin = (span.end - span.start) / 2;
  const tile = size * 256;
  const from = Math.max(alignedDown(bounds.start, size), alignedDown(span.start - margin, tile));
  const until = Math.min(
    alignedDown(bounds.end - 1, size) + size,
    alignedDown(span.end + margin, tile) + tile,
  );
  const buckets = Math.min(MAXIMUM_BUCKETS, Math.max(1, Math.round((until - from) / size)));
  return { from, to: from + buckets * size - 1, buckets, size };
}

/**
 * @param {number} place
 * @param {number} step
 */
function alignedDown(place, step) {
  return Math.max(0, Math.floor(place / step) * step);
}
