/** The names of branches below the lanes. */

import assert from "node:assert/strict";
import { branchSigns, spreadNames } from "../../web/elements/timeline-branches.js";
import { cursorMoment, footHeight } from "../../web/elements/timeline-drawing.js";
import { Random } from "./random.js";

const widthOf = (/** @type {string} */ name) => name.length * 6;

Deno.test("counts branches whose names would overlap", () => {
  const branches = [
    { x: 400, name: "far" },
    { x: 2, name: "2 changed" },
    { x: 0, name: "start" },
    { x: 10, name: "without 44" },
  ];
  assert.deepEqual(spreadNames(branches, widthOf, 600), [
    { xs: [0, 2, 10], left: 28, name: "3 branches" },
    { xs: [400], left: 418, name: "far" },
  ]);
});

Deno.test("a name of a branch near the right edge is to the left of its line", () => {
  assert.deepEqual(spreadNames([{ x: 590, name: "late" }], widthOf, 600), [
    { xs: [590], left: 548, name: "late" },
  ]);
  // There, it may be in the way of the one before.
  const near = [{ x: 500, name: "early" }, { x: 590, name: "late" }];
  assert.deepEqual(spreadNames(near, widthOf, 600).map(({ xs }) => xs), [[500, 590]]);
});

Deno.test("no name overlaps another one or leaves the timeline", () => {
  for (let seed = 0; seed < 300; seed++) {
    const random = new Random(seed);
    const width = 300 + random.below(1_000);
    const branches = Array.from({ length: random.below(12) }, () => ({
      x: random.below(width + 1),
      name: "n".repeat(1 + random.below(20)),
    }));
    const groups = spreadNames(branches, widthOf, width);
    const xs = branches.map(({ x }) => x).sort((left, right) => left - right);
    assert.deepEqual(groups.flatMap((group) => group.xs), xs, `${seed}`);
    let end = -1;
    for (const { left, name } of groups) {
      assert.ok(left > end, `${seed}`);
      end = left + widthOf(name);
      assert.ok(end <= width, `${seed}`);
    }
  }
});

Deno.test("a branch begins at the entry that it changes, starts from, or is appended to", () => {
  /** @type {[start: number, edits: any[], seq: number][]} */
  const cases = [
    [30, [{ drop: 30 }], 30],
    [0, [{ start: { seq: 12 } }, { drop: 20 }], 12],
    [0, [{ start: { n: 3 } }], 0],
    [60, [{ append: "x" }], 59],
  ];
  for (const [start, edits, seq] of cases) {
    const branch = { header: { parent: { timeline: "main", start, edits, name: "b" } } };
    const inspector = /** @type {any} */ ({
      data: { id: "main", last: 59 },
      summaries: new Map([["b", branch]]),
    });
    assert.deepEqual(branchSigns(inspector, (at) => at * 10), [{ t: seq * 10, name: "b" }]);
    assert.deepEqual(branchSigns(inspector, () => undefined), [], "not known yet");
  }
});

Deno.test("has room for names only where there can be branches", () => {
  assert.ok(footHeight(true) > footHeight(false));
});

Deno.test("shows the cursor's moment as exactly as the axis its marks", () => {
  /** @type {[number, number, string][]} the moment, the end of the span, the text */
  const cases = [
    [118, 120, "118 µs"],
    [12_345, 20_000, "0.012 s"],
    [12_345, 2_000_000, "0.01 s"],
    [14_020_000, 60_000_000, "14.02 s"],
    [0, 20_000, "0.000 s"],
  ];
  for (const [t, end, text] of cases) {
    assert.equal(cursorMoment(t, { start: 0, end }, 1_000), text);
  }
});
