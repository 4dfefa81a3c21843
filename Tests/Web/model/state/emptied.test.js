import assert from "node:assert/strict";
import { difference } from "../../../../web/base/difference.js";
import { flattenTree, pathsToChanges } from "../../../../web/model/state/tree.js";

/** @import { Json } from "../../../../web/base/json-types.d.ts" */

/** @param {Json} before @param {Json} value */
function marks(before, value) {
  const patch = difference(before, value);
  return flattenTree({ value, before, patch, open: pathsToChanges(patch) }).map(
    ({ path, mark, text, old }) =>
      `${path} ${text} ${mark}${old === undefined ? "" : ` was ${old}`}`,
  );
}

Deno.test("shows the last key that an object lost", () => {
  assert.deepEqual(marks({ items: { a: 1 }, n: 1 }, { items: {}, n: 1 }), [
    "/items {} inside",
    "/items/a 1 removed",
    "/n 1 ",
  ]);
});

Deno.test("marks a list that lost its last element, which leaves no row", () => {
  assert.deepEqual(marks({ items: [7] }, { items: [] }), ["/items [] changed was [7]"]);
});
