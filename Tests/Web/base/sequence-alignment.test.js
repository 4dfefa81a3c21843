import assert from "node:assert/strict";
import { alignSequences } from "../../../web/base/sequence-alignment.js";
import { Random } from "../random.js";

/** @import { Match } from "../../../web/base/sequence-alignment.js" */

/**
 * The length of a longest common subsequence, by the textbook's table.
 *
 * @param {string[]} left
 * @param {string[]} right
 */
function commonLength(left, right) {
  const row = new Array(right.length + 1).fill(0);
  for (const element of left) {
    let diagonal = 0;
    for (const [index, other] of right.entries()) {
      const above = row[index + 1];
      row[index + 1] = element === other ? diagonal + 1 : Math.max(above, row[index]);
      diagonal = above;
    }
  }
  return row[right.length];
}

/**
 * @param {Match[]} matches
 * @param {string[]} left
 * @param {string[]} right
 */
function check(matches, left, right) {
  for (const [index, match] of matches.entries()) {
    assert.equal(left[match.left], right[match.right]);
    const before = matches[index - 1] ?? { left: -1, right: -1 };
    assert.ok(before.left < match.left && before.right < match.right);
  }
}

Deno.test("a longest common subsequence is found where few elements differ", () => {
  const random = new Random(0x5eed_0004);
  const sequence = () => Array.from({ length: random.below(14) }, () => String(random.below(5)));
  for (let round = 0; round < 2_000; round++) {
    const [left, right] = [sequence(), sequence()];
    const matches = alignSequences(left, right);
    assert.equal(matches.length, commonLength(left, right), `round ${round}: ${left} ${right}`);
    check(matches, left, right);
  }
});

Deno.test("elements that occur once are aligned when many differ", () => {
  const left = Array.from({ length: 1_000 }, (_, index) => String(index));
  const right = left.map((element, index) => index % 2 === 0 ? element : `other ${index}`);
  const matches = alignSequences(left, right);
  assert.equal(matches.length, 500);
  check(matches, left, right);
});
