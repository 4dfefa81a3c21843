/** Lists that lost elements, in the tree of the state. */

import assert from "node:assert/strict";
import { readPatch } from "../../../../web/base/patch.js";
import { flattenTree } from "../../../../web/model/state/tree.js";

Deno.test("a list that lost elements says how many it had, since no row can show them", () => {
  const before = { list: [{ id: 1 }, { id: 2 }, { id: 3 }], rest: [1] };
  const removed = readPatch([{ op: "remove", path: "/list/2" }]);
  const after = { list: [{ id: 1 }, { id: 2 }], rest: [1] };
  const rows = flattenTree({ value: after, before, patch: removed, open: new Set(["/list"]) });
  assert.deepEqual(rows.map(({ key, old, text, mark }) => [key, old, text, mark]), [
    ["list", "3 items", "2 items", "changed"],
    ["0", undefined, "id 1", ""],
    ["1", undefined, "id 2", ""],
    ["rest", undefined, "[1]", ""],
  ]);
});
