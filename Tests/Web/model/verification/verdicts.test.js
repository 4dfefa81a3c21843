import assert from "node:assert/strict";
import { compareVerdict } from "../../../../web/model/verification/verdicts.js";

Deno.test("says of the first difference which entry it is on each side", () => {
  /** @param {number | undefined} left @param {number | undefined} right */
  const title = (left, right) =>
    compareVerdict({
      type: "compare",
      equal: 9,
      differing: 1,
      ...(left === undefined ? {} : { a: { timeline: "a", seq: left } }),
      ...(right === undefined ? {} : { b: { timeline: "b", seq: right } }),
    }).title;
  const start = "9 entries equal, first difference at";
  assert.equal(title(9, 9), `${start} 9`);
  assert.equal(title(10, 8), `${start} 10 on the left, 8 on the right`);
  assert.equal(title(9, undefined), `${start} 9 on the left`);
  assert.equal(title(undefined, 1_009), `${start} 1,009 on the right`);
});
