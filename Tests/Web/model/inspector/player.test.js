import assert from "node:assert/strict";
import { isAtEnd, nextToPlay } from "../../../../web/model/inspector/player.js";
import { FilteredRows, RowMap } from "../../../../web/model/timeline/row-map.js";

/**
 * @param {FilteredRows} [filtered]
 * @param {number[]} [held] the entries at hand
 */
function timeline(filtered, held = []) {
  /** @type {unknown[]} */
  const asked = [];
  return {
    rows: filtered ?? new RowMap(0, 300, []),
    filtered,
    entries: {
      get: (/** @type {number} */ seq) => held.includes(seq) ? { seq, t: seq * 10 } : undefined,
      want: (/** @type {readonly number[]} */ seqs) => void asked.push(seqs),
    },
    extendFilter: () => void asked.push("more"),
    asked,
  };
}

Deno.test("requests the next entry to play, whether the list is visible or not", () => {
  const all = timeline(undefined, [127]);
  assert.equal(nextToPlay(all, 126)?.seq, 127);
  assert.equal(nextToPlay(all, 127), undefined);
  assert.deepEqual(all.asked, [[127, 128]]);
  assert.deepEqual([isAtEnd(all, 299), isAtEnd(all, 300)], [false, true]);
});

Deno.test("plays what the filter lets through, and ends with its last match", () => {
  const rows = new FilteredRows();
  rows.extend([3, 7], 8);
  const filtered = timeline(rows, [3, 7, 9]);
  assert.equal(nextToPlay(filtered, 0)?.seq, 3);
  assert.deepEqual([nextToPlay(filtered, 7), isAtEnd(filtered, 7)], [undefined, false]);
  assert.deepEqual(filtered.asked, ["more"]);
  rows.extend([9], undefined);
  assert.equal(nextToPlay(filtered, 7)?.seq, 9);
  for (const seq of [9, 200]) assert.ok(isAtEnd(filtered, seq));
  rows.next = 10;
  rows.isStopped = true;
  assert.ok(isAtEnd(filtered, 9));
});
