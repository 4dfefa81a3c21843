/** The filter of a timeline that grows. */

import assert from "node:assert/strict";
import { FilteredRows } from "../../../../web/model/timeline/row-map.js";
import { holding, inspect, openDaemon, settle } from "../../daemons.js";
import { TIMELINE } from "../../files.js";

/** A live timeline of ten entries, of which two do not tell whether a filter holds. */
async function openLive() {
  const id = TIMELINE;
  const daemon = await openDaemon([{ id, count: 10, rest: { live: true } }], {
    entries: ({ from, filter }) => ({
      type: "entries",
      entries: filter && from === 0
        ? [4, 5, 6, 7, 9].map((seq) => ({ seq, t: seq, event: "step" }))
        : [],
      ...(filter && from <= 8 ? { unknown: [[2, 2], [8, 8]] } : {}),
    }),
  });
  const held = holding(daemon.source, "entries");
  const { inspector } = await inspect(held.source);
  const grow = (/** @type {number} */ last) =>
    daemon.news.emit({ type: "live", timeline: id, last, t: last, entries: [] });
  return { inspector, source: daemon, held, grow };
}

Deno.test("filters new entries while following, each once", async () => {
  const { inspector, source, held, grow } = await openLive();
  inspector.setFilter("state.n > 3");
  await settle();
  assert.deepEqual([inspector.data?.filtered?.unknownCount, inspector.data?.rows.count], [2, 5]);
  grow(10);
  // What comes while the search is under way is searched after it, without another event.
  held.hold();
  void inspector.data?.extendFilter();
  grow(11);
  await held.letGo();
  await settle();
  assert.equal(inspector.data?.filtered?.isComplete, true);
  const searched = source.of("entries").filter(({ filter }) => filter === "state.n > 3");
  assert.deepEqual(searched.map(({ from }) => from), [0, 10, 11]);
  assert.equal(inspector.data?.filtered?.unknownCount, 2);
});

Deno.test("continues where a filter's search ended, and counts unknown entries once", () => {
  const rows = new FilteredRows();
  rows.extend([3], undefined, [[1, 2], [5, 9]], 9);
  rows.goOn(9);
  assert.ok(rows.isComplete);
  rows.goOn(12);
  assert.equal(rows.next, 10);
  // It had searched up to 11 when only 10 were reported: the last one is searched again.
  rows.extend([11], undefined, [[10, 10]], 10);
  assert.equal(rows.scannedTo, 12);
  rows.next = 8;
  rows.extend([], undefined, [[8, 10], [12, 12]], 12);
  assert.deepEqual([rows.seqs, rows.unknownCount, rows.scannedTo], [[3, 11], 9, 13]);
});

Deno.test("the search for the next match runs while the list is being filtered", async () => {
  const daemon = await openDaemon([{ id: TIMELINE, count: 900 }]);
  const held = holding(daemon.source, "entries");
  const { inspector } = await inspect(held.source, { seq: 0, timeline: TIMELINE });
  held.hold();
  inspector.setFilter("state.n > 5");
  const finding = inspector.travel.stepMatch(1);
  await finding;
  assert.deepEqual([inspector.cursor, inspector.data?.isFiltering], [5, true]);
  await held.letGo();
  await settle();
  assert.deepEqual([inspector.data?.filtered?.isStopped, inspector.data?.rows.count], [false, 895]);
});

Deno.test("counts all matches of a filter, up to a limit", async () => {
  for (const [count, expected, isComplete] of [[1_300, 1_300, true], [5_800, 5_000, false]]) {
    const { source, of } = await openDaemon([{ id: TIMELINE, count: Number(count) }]);
    const { inspector } = await inspect(source, { seq: 0, timeline: TIMELINE });
    inspector.setFilter("seq >= 0");
    for (let turn = 0; turn < 20; turn++) await settle();
    const { filtered, rows } = inspector.data ?? {};
    assert.deepEqual([rows?.count, filtered?.isComplete], [expected, isComplete]);
    const searched = of("entries").filter(({ filter }) => filter === "seq >= 0");
    assert.equal(searched.length, Math.ceil(Number(expected) / 500));
  }
});

Deno.test("asking for the next match again does not wait for both", async () => {
  const daemon = await openDaemon([{ id: TIMELINE, count: 900 }]);
  const held = holding(daemon.source, "find");
  const { inspector } = await inspect(held.source, { seq: 0, timeline: TIMELINE });
  inspector.setFilter("state.n > 5");
  await settle();
  held.hold();
  const both = [inspector.travel.stepMatch(1), inspector.travel.stepMatch(1)];
  const signals = held.signals.map((signal) => signal?.aborted);
  assert.deepEqual(signals, [true, false]);
  await held.letGo();
  await Promise.all(both);
});
