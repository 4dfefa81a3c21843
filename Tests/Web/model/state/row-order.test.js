/** The rows of a state have the same order in a recording and in its branches. */

import assert from "node:assert/strict";
import { applyPatch, readPatch } from "../../../../web/base/patch.js";
import { flattenTree } from "../../../../web/model/state/tree.js";

/** @import { Json } from "../../../../web/base/json-types.d.ts" */

/** @param {Json} value */
const keys = (value) => flattenTree({ value, open: new Set(["/cart"]) }).map(({ path }) => path);

Deno.test("a state that patches made has the order of a whole one", () => {
  const first = { cart: { zeta: 1 }, total: 0 };
  const patched = applyPatch(
    first,
    readPatch([
      { op: "add", path: "/alert", value: "full" },
      { op: "add", path: "/cart/apple", value: 2 },
    ]),
  );
  const whole = { alert: "full", cart: { apple: 2, zeta: 1 }, total: 0 };
  assert.deepEqual(Object.keys(/** @type {any} */ (patched)), ["cart", "total", "alert"]);
  assert.deepEqual(keys(patched), ["/alert", "/cart", "/cart/apple", "/cart/zeta", "/total"]);
  assert.deepEqual(keys(whole), keys(patched));
});

Deno.test("numbers come first, by their size, and the rest of a cut object last", () => {
  const value = { b: 1, "$more": { "$cut": 90, "$more": 3 }, "10": 1, "9": 1, "-1": 1, é: 1, Z: 1 };
  assert.deepEqual(keys(value), ["/9", "/10", "/-1", "/Z", "/b", "/é", "/$more"]);
});

Deno.test("a removed member stays in its place", () => {
  const rows = flattenTree({
    value: { a: 1, c: 3 },
    before: { a: 1, b: 2, c: 3 },
    patch: readPatch([{ op: "remove", path: "/b" }]),
    open: new Set(),
  });
  assert.deepEqual(
    rows.map(({ key, mark, position, siblings }) => [key, mark, position, siblings]),
    [["a", "", 1, 3], ["b", "removed", 2, 3], ["c", "", 3, 3]],
  );
});

Deno.test("very large objects keep the order of their text", () => {
  const large = Object.fromEntries(Array.from({ length: 10_001 }, (_, n) => [`k${10_001 - n}`, n]));
  assert.equal(keys(large)[0], "/k10001");
  delete large.k1;
  assert.equal(keys(Object.fromEntries(Object.entries(large)))[0], "/k10");
});
