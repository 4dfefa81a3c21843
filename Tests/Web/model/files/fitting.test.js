import assert from "node:assert/strict";
import { moreCount } from "../../../../web/base/event-name.js";
import { equalJson, writeJson } from "../../../../web/base/json.js";
import { weigh } from "../../../../web/base/weigh.js";
import { fit } from "../../../../web/model/files/fitting.js";
import { flattenTree } from "../../../../web/model/state/tree.js";
import { isTruncated } from "../../../../web/model/state/value-looks.js";
import { Random } from "../../random.js";

/** @import { Json } from "../../../../web/base/json-types.d.ts" */

Deno.test("keeps what fits, and cuts deeper levels with their sizes", () => {
  const value = { a: { b: { c: [1, 2] } }, d: [], e: {} };
  assert.equal(fit(value, {}), value);
  assert.ok(equalJson(fit(value, { depth: 2, bytes: 1_000 }), { a: { $cut: 17 }, d: [], e: {} }));
});

Deno.test("keeps small parts whole next to one that is too large", () => {
  const value = { n: 1, list: ["a", "b"], blob: "x".repeat(100_000) };
  const cut = fit(value, { depth: 7, bytes: 2_000 });
  assert.ok(equalJson(cut, { n: 1, list: ["a", "b"], blob: { $cut: 100_002 } }));
});

Deno.test("gives a long list's first elements, and says how many follow", () => {
  const value = { rows: Array.from({ length: 50_000 }, (_, id) => ({ id, name: `row ${id}` })) };
  const cut = /** @type {{ rows: Json[] }} */ (/** @type {unknown} */ (
    fit(value, { depth: 7, bytes: 64_000 })
  ));
  assert.ok(writeJson(/** @type {never} */ (cut)).length < 80_000);
  assert.ok(isTruncated(cut.rows));
  assert.equal(cut.rows.length - 1 + (moreCount(cut.rows.at(-1)) ?? 0), 50_000);
  assert.ok(equalJson(cut.rows[3], { id: 3, name: "row 3" }));
  const rows = flattenTree({ value: /** @type {never} */ (cut), open: new Set(["/rows"]) });
  assert.equal(rows[0]?.text, "50,000 items");
  assert.ok(rows.at(-1)?.isMore && rows.at(-1)?.canOpen);
});

Deno.test("stays near the size that was asked for, whatever the value", () => {
  for (let seed = 0; seed < 60; seed++) {
    const random = new Random(seed);
    const value = Array.from({ length: 300 }, () => random.value(5));
    for (const bytes of [500, 5_000, 50_000]) {
      const size = writeJson(fit(value, { depth: 7, bytes })).length;
      assert.ok(size <= bytes * 2 + 500, `seed ${seed}: ${size} for ${bytes}`);
    }
  }
});

Deno.test("estimates the size of values from their contents", () => {
  assert.equal(weigh(null), 0);
  assert.ok(weigh("x".repeat(1_000)) >= 1_000);
  assert.ok(weigh([[1], [2]]) > weigh([[1]]));
});
