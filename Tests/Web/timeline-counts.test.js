/** The counts of a timeline as pixels: the strip of the whole, and the lanes. */

import assert from "node:assert/strict";
import { countsImage, troublesOf } from "../../web/elements/timeline-counts.js";
import { Counted } from "../../web/model/timeline/counted.js";

/** @import { Color } from "../../web/base/color.js" */

/** @type {Record<string, Color>} */
const COLORS = {
  "--bg": [0, 0, 0],
  "--bg-1": [0, 0, 0],
  "--line": [9, 9, 9],
  "--line-2": [200, 200, 200],
  "--lane-1": [0, 100, 0],
};

const WIDTH = 30;
const LANE = 16;
const STRIP = 48;

/**
 * The pixels of three buckets, ten columns each, or of fewer and wider ones.
 *
 * @param {number[]} counts
 * @param {number} [bucketSize]
 * @param {boolean} [isNarrow]
 */
function imageOf(counts, bucketSize = 1, isNarrow = false) {
  const overview = {
    from: 0,
    to: counts.length * bucketSize - 1,
    buckets: counts.length,
    entries: Uint32Array.from(counts),
    lost: new Uint32Array(counts.length),
    lanes: ["event"],
    byLane: [Uint32Array.from(counts)],
  };
  const counted = new Counted(/** @type {any} */ (overview), 0);
  const span = { start: 0, end: counts.length * bucketSize };
  const context = {
    canvas: { width: WIDTH, height: STRIP + LANE },
    createImageData: (/** @type {number} */ width, /** @type {number} */ height) => ({
      data: new Uint8ClampedArray(width * height * 4),
    }),
  };
  const { data } = countsImage(
    /** @type {any} */ (context),
    /** @type {any} */ ({
      span,
      bounds: span,
      whole: counted,
      lanes: [{ name: "event", color: 1 }],
      isNarrow,
    }),
    /** @type {any} */ ({ color: (/** @type {string} */ name) => COLORS[name] }),
    LANE,
    STRIP,
    1,
  );
  return (/** @type {number} */ x, /** @type {number} */ y) => [
    ...data.slice((y * WIDTH + x) * 4, (y * WIDTH + x) * 4 + 3),
  ];
}

/** @param {ReturnType<typeof imageOf>} pixel @param {number} x */
const heightAt = (pixel, x) =>
  Array.from({ length: STRIP - 1 }, (_, y) => pixel(x, y)).filter(([red]) => red === 200).length;

Deno.test("a burst leaves the columns of the whole readable: they are as tall as the root", () => {
  const pixel = imageOf([4, 25, 100]);
  // A column of proportional height would be 2, 10, and 40 pixels tall.
  assert.deepEqual([0, 10, 20].map((x) => heightAt(pixel, x)), [8, 20, 40]);
});

Deno.test("a bucket with entries is seen next to any burst, and one without is empty", () => {
  const pixel = imageOf([1, 0, 1_000_000]);
  assert.deepEqual([0, 10, 20].map((x) => heightAt(pixel, x)), [2, 0, 40]);
});

Deno.test("a burst leaves the shades of a lane apart: they follow the root, too", () => {
  const pixel = imageOf([1, 25, 100]);
  const shades = [0, 10, 20].map((x) => pixel(x, STRIP + LANE / 2)[1]);
  // The second, fourth, and last of seven shades. By proportion it would be the first and third.
  assert.deepEqual(shades, [55, 74, 100]);
  assert.deepEqual(pixel(5, STRIP + LANE / 2), [0, 0, 0]);
});

Deno.test("entries of a coarse bucket do not look like a burst while finer ones are loaded", () => {
  // One bucket for all of the view: the entries are somewhere in it.
  const pixel = imageOf([300], 1_000);
  const heights = Array.from({ length: WIDTH }, (_, x) => heightAt(pixel, x));
  assert.deepEqual(new Set(heights), new Set([40]));
  const lane = Array.from({ length: WIDTH }, (_, x) => pixel(x, STRIP + LANE / 2)[1]);
  assert.deepEqual(new Set(lane), new Set([100]));
});

Deno.test("the last entries are drawn at the right edge, as wide as others", () => {
  const last = (/** @type {number} */ bucket) => {
    const counts = Array.from({ length: WIDTH }, (_, index) => index === bucket ? 1 : 0);
    const pixel = imageOf(counts);
    return Array.from({ length: WIDTH }, (_, x) => x).filter((x) =>
      pixel(x, STRIP + LANE / 2)[1] === 100
    );
  };
  assert.deepEqual(last(29), [27, 28, 29]);
  assert.deepEqual(last(28), [27, 28, 29]);
  assert.deepEqual(last(20), [20, 21, 22]);
});

Deno.test("in a narrow window, entries are drawn below the name of their lane", () => {
  const [wide, narrow] = [false, true].map((isNarrow) => imageOf([1, 1, 1], 1, isNarrow));
  const drawn = (/** @type {typeof wide} */ pixel) =>
    Array.from({ length: LANE }, (_, y) => y).filter((y) => pixel?.(0, STRIP + y)[1] === 100);
  assert.deepEqual(drawn(wide), [4, 5, 6, 7, 8, 9, 10, 11]);
  assert.deepEqual(drawn(narrow), [13]);
});

Deno.test("the sign of an error at an edge is not cut off", () => {
  const errorsAt = (/** @type {number} */ bucket) => {
    const errors = Uint32Array.from({ length: WIDTH }, (_, index) => index === bucket ? 1 : 0);
    const counted = { bucketSize: 1, overview: { from: 0, buckets: WIDTH, errors, lost: errors } };
    const span = { start: 0, end: WIDTH };
    const picture = { span, whole: counted, width: WIDTH };
    return troublesOf(/** @type {any} */ (picture)).errors;
  };
  assert.deepEqual([0, 12, 29].map(errorsAt), [[5], [12], [25]]);
});
