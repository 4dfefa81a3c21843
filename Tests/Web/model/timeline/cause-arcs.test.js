import assert from "node:assert/strict";
import { causeArcs } from "../../../../web/model/timeline/cause-arcs.js";

/** @param {Record<number, number>} causes @param {readonly number[]} listed */
function list(causes, listed) {
  return {
    causeOf: (/** @type {number} */ seq) => causes[seq],
    rowOf: (/** @type {number} */ seq) => listed.filter((one) => one < seq).length,
    has: (/** @type {number} */ seq) => listed.includes(seq),
  };
}

Deno.test("arcs lead from the row of a cause to the row of its effect", () => {
  const all = [0, 1, 2, 3, 4, 5];
  assert.deepEqual(causeArcs(all, list({ 2: 1, 5: 2 }, all), 0), [
    { from: 1, to: 2, isLit: false },
    { from: 2, to: 5, isLit: false },
  ]);
});

Deno.test("what led to the cursor's entry is lit, and what that entry caused", () => {
  const all = [0, 1, 2, 3, 4, 5];
  const lit = (/** @type {number} */ cursor) =>
    causeArcs(all, list({ 2: 1, 3: 2, 4: 2, 5: 3 }, all), cursor)
      .filter(({ isLit }) => isLit).map(({ from, to }) => `${from}-${to}`);
  assert.deepEqual(lit(3), ["1-2", "2-3", "3-5"]);
  assert.deepEqual(lit(4), ["1-2", "2-4"]);
  assert.deepEqual(lit(0), []);
});

Deno.test("a filtered list has arcs only between entries that it shows", () => {
  const shown = [0, 4, 5];
  assert.deepEqual(causeArcs(shown, list({ 4: 2, 5: 0 }, shown), 5), [
    { from: 0, to: 2, isLit: true },
  ]);
});

Deno.test("wrong causes and causes far away have short arcs or none", () => {
  const many = Array.from({ length: 5_000 }, (_, seq) => seq);
  const { from, to } = causeArcs([4_000], list({ 4_000: 1 }, many), 0)[0] ?? { from: 0, to: 0 };
  assert.equal(to, 4_000);
  assert.ok(to - from <= 200);
  assert.deepEqual(causeArcs([3, 4], list({ 3: 3, 4: 9 }, many), 3), []);
  // A circle of causes, in a file that is wrong, ends.
  assert.equal(causeArcs([5, 6], list({ 5: 6, 6: 5 }, many), 6).length, 1);
});
