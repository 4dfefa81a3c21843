/** A folded row of the state counts what changed inside of it. */

import assert from "node:assert/strict";
import { readPatch } from "../../../../web/base/patch.js";
import { flattenTree, searchTree } from "../../../../web/model/state/tree.js";

const before = { cart: { items: [{ id: 1, n: 1 }, { id: 2, n: 1 }], note: "" }, rest: [1] };
const value = { cart: { items: [{ id: 1, n: 2 }, { id: 2, n: 3 }], note: "gift" }, rest: [1] };
const patch = readPatch([
  { op: "replace", path: "/cart/items/0/n", value: 2 },
  { op: "replace", path: "/cart/items/1/n", value: 3 },
  { op: "replace", path: "/cart/note", value: "gift" },
]);

/** @param {string[]} open */
const rowsWith = (...open) =>
  flattenTree({ value, before, patch, open: new Set(open) })
    .map(({ path, mark, changesInside }) => [path, mark, changesInside]);

Deno.test("counts the changes at every depth", () => {
  assert.deepEqual(rowsWith(), [["/cart", "inside", 3], ["/rest", "", 0]]);
  assert.deepEqual(rowsWith("/cart"), [
    ["/cart", "inside", 3],
    ["/cart/items", "inside", 2],
    ["/cart/note", "changed", 0],
    ["/rest", "", 0],
  ]);
});

Deno.test("counts nothing inside of what is marked itself", () => {
  const added = readPatch([{ op: "add", path: "/cart", value: value.cart }]);
  const rows = flattenTree({ value, before: { rest: [1] }, patch: added, open: new Set() });
  assert.deepEqual(rows.map(({ mark, changesInside }) => [mark, changesInside]), [
    ["added", 0],
    ["", 0],
  ]);
});

Deno.test("a search counts them, too, because it may leave them out", () => {
  const { rows } = searchTree({ value, before, patch }, "items");
  assert.deepEqual(rows.map(({ path, changesInside }) => [path, changesInside]), [
    ["/cart/items", 2],
  ]);
});
