/** Which entries are marked. */

import assert from "node:assert/strict";
import { isMarked } from "../../../../web/model/timeline/marked.js";

Deno.test("knows the marked entries, as each summary has them", () => {
  const summary = (/** @type {number[]} */ seqs) => /** @type {any} */ ({
    marks: seqs.map((seq) => ({ seq, text: "" })),
  });
  const [one, other] = [summary([1, 5]), summary([2])];
  assert.deepEqual([1, 2, 5].map((seq) => isMarked(one, seq)), [true, false, true]);
  assert.deepEqual([1, 2, 5].map((seq) => isMarked(other, seq)), [false, true, false]);
  assert.equal(isMarked(undefined, 1), false);
  assert.equal(isMarked(/** @type {any} */ ({}), 1), false);
});
