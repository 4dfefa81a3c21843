import assert from "node:assert/strict";
import { firstSpan } from "../../../../web/model/timeline/scale.js";

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
