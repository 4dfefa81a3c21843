/** The names of branches below the lanes. */

import assert from "node:assert/strict";
import { footHeight, spreadNames } from "../../web/elements/timeline-drawing.js";

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

Deno.test("has room for names only where there are branches", () => {
  assert.ok(footHeight(1) > footHeight(0));
});
