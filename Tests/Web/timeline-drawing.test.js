/** The names of branches below the lanes. */

import assert from "node:assert/strict";
import { cursorMoment, footHeight, spreadNames } from "../../web/elements/timeline-drawing.js";

const widthOf = (/** @type {string} */ name) => name.length * 6;

Deno.test("counts branches whose names would overlap", () => {
  const branches = [
    { x: 400, name: "far" },
    { x: 2, name: "2 changed" },
    { x: 0, name: "start" },
    { x: 10, name: "without 44" },
  ];
  assert.deepEqual(spreadNames(branches, widthOf), [
    { x: 0, name: "3 branches" },
    { x: 400, name: "far" },
  ]);
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
