import assert from "node:assert/strict";
import { endWords } from "../../../web/base/end-difference.js";
import { readFixture } from "../fixtures.js";

/** @import { Json } from "../../../web/base/json-types.d.ts" */

Deno.test("says how two moments differ in the words of debugd", async () => {
  /** @type {{ before: Json, patch: Json, words: string }[]} */
  const cases = JSON.parse(await readFixture("end-differences.json"));
  assert.ok(cases.length >= 12);
  for (const { before, patch, words } of cases) {
    const text = endWords(patch, before);
    assert.equal(text === "" ? "Ends in the same state." : `At the end: ${text}.`, words);
  }
});

Deno.test("names numbers first, then other values", () => {
  const before = {
    state: { totalCents: -2802, items: ["a"], name: "x" },
    outputs: { total: -2802 },
  };
  /** @type {Json[]} */
  const patch = [
    { op: "replace", path: "/state/name", value: "y" },
    { op: "replace", path: "/state/totalCents", value: -2604 },
    { op: "remove", path: "/state/items/0" },
  ];
  assert.equal(
    endWords(patch, before),
    "totalCents -2802 → -2604, items 1 item → 0, name x → y",
  );
});
