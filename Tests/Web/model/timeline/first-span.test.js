import assert from "node:assert/strict";
import { clampSpan, firstSpan, wholeSpan, withRoom } from "../../../../web/model/timeline/scale.js";

const HOUR = 3_600e6;

Deno.test("a long wait before the first event is not shown at first", () => {
  const bounds = { start: 0, end: HOUR };
  assert.deepEqual(firstSpan(bounds, undefined), bounds);
  assert.deepEqual(firstSpan(bounds, 0.4 * HOUR), bounds);
  // The first event of the last minute is in view, near the left edge.
  const late = firstSpan(bounds, HOUR - 60e6);
  assert.deepEqual(late, { start: HOUR - 63e6, end: HOUR });
});

Deno.test("events of a short recording have more than half of the width", () => {
  const { start, end } = firstSpan({ start: 0, end: 186 }, 128);
  assert.equal(end, 186);
  assert.ok(start > 120 && start <= 128, `${start}`);
});

Deno.test("a single late event is shown with some time around it", () => {
  const { start, end } = firstSpan({ start: 0, end: HOUR }, HOUR - 1);
  assert.ok(end - start >= 1_000);
});

Deno.test("room after the end is the same share of every view", () => {
  const bounds = { start: 0, end: 900, room: 0.1 };
  assert.deepEqual(wholeSpan(bounds), { start: 0, end: 1_000 });
  assert.deepEqual(firstSpan(bounds, undefined), { start: 0, end: 1_000 });
  assert.deepEqual(clampSpan({ start: -50, end: 5_000 }, bounds), { start: 0, end: 1_000 });
  // At the end, a view of 100 has 10 after it; elsewhere, it stays where it is.
  assert.deepEqual(clampSpan({ start: 880, end: 980 }, bounds), { start: 810, end: 910 });
  assert.deepEqual(clampSpan({ start: 300, end: 400 }, bounds), { start: 300, end: 400 });
  const { start, end } = firstSpan({ start: 0, end: HOUR, room: 0.1 }, HOUR - 60e6);
  assert.ok(start < HOUR - 60e6 && start > HOUR - 70e6, `${start}`);
  assert.ok(Math.abs((end - HOUR) / (end - start) - 0.1) < 1e-9, `${end}`);
});

Deno.test("a view of the last entry gets the room that it lacks", () => {
  assert.deepEqual(withRoom({ start: 0, end: 901 }, 900, 0.1), { start: 0, end: 1_000 });
  assert.deepEqual(withRoom({ start: 0, end: 1_200 }, 900, 0.1), { start: 0, end: 1_200 });
  assert.deepEqual(withRoom({ start: 0, end: 800 }, 900, 0.1), { start: 0, end: 800 });
  // A recording of one moment.
  assert.deepEqual(withRoom({ start: 0, end: 1 }, 0, 0.1), { start: 0, end: 1 });
});
