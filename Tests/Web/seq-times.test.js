/** The times of entries that are drawn in every frame. */

import assert from "node:assert/strict";
import { SeqTimes } from "../../web/elements/seq-times.js";

Deno.test("computes the times of entries once, until they or the scale are different", () => {
  const times = new SeqTimes();
  const asked = { count: 0 };
  const timeOf = (/** @type {number} */ seq) => {
    asked.count++;
    return seq === 3 ? undefined : seq * 10;
  };
  const seqs = Array.from({ length: 10_000 }, (_, seq) => seq);
  const first = times.of(seqs, [1], timeOf);
  assert.deepEqual([first.length, first[3]], [9_999, 40]);
  for (let frame = 0; frame < 100; frame++) assert.equal(times.of(seqs, [1], timeOf), first);
  assert.equal(asked.count, 10_000);
  assert.notEqual(times.of(seqs, [2], timeOf), first);
  // Searches add matches to the same array.
  seqs.push(10_000);
  assert.equal(times.of(seqs, [2], timeOf).length, 10_000);
});
