import assert from "node:assert/strict";
import { Comparison, FIRST_LOAD } from "../../../../web/model/verification/comparison.js";
import { columnPaths } from "../../../../web/model/verification/path-columns.js";
import { idOf, settle } from "../../daemons.js";

const [MAIN = "", BRANCH = ""] = ["a", "b"].map(idOf);

/**
 * A recording and a branch that leaves out its second and third entry, long ones; they differ at one
 * entry of the recording.
 *
 * @param {number} at
 * @param {{ slow?: boolean, newer?: number, computing?: boolean }} [how] whether the daemon's verdict comes
 *   after the lines, how many entries the recording has that it had not when the branch was made, and
 *   whether the branch is being computed
 */
async function open(at, { slow = false, newer = 0, computing = false } = {}) {
  const count = 20_000;
  /** @type {Record<string, any[]>} */
  const lines = { [MAIN]: [], [BRANCH]: [] };
  for (let seq = 0; seq < count; seq++) {
    const entry = { seq, t: seq, event: "step", patch: [{ op: "add", path: "/n", value: seq }] };
    lines[MAIN]?.push(entry);
    if (seq === 2 || seq === 3) continue;
    const patch = seq === at ? [] : entry.patch;
    const here = seq > 3 ? { ...entry, seq: seq - 2, was: seq, patch } : entry;
    lines[BRANCH]?.push(here);
  }
  for (let seq = count; seq < count + newer; seq++) {
    lines[MAIN]?.push({ seq, t: seq, event: "step", patch: [] });
  }
  const parent = { timeline: MAIN, through: count - 1, start: 2, edits: [{ drop: [2, 3] }] };
  const summaries = new Map([MAIN, BRANCH].map((timeline) => [
    timeline,
    /** @type {any} */ ({
      header: { timeline, ...(timeline === BRANCH ? { parent } : {}) },
      last: (lines[timeline]?.length ?? 0) - 1,
      ...(computing && timeline === BRANCH ? { computing: 100 } : {}),
    }),
  ]));
  /** @type {any[]} */
  const asked = [];
  const source = /** @type {any} */ ({
    ask: async (/** @type {any} */ request) => {
      asked.push(request);
      const { type, timeline, from, count } = request;
      if (type === "compare") {
        if (slow) await settle();
        const b = { timeline: BRANCH, seq: at - 2 };
        const a = { timeline: MAIN, seq: at };
        return { type, equal: 1, differing: 1, a, b, ...(newer > 0 ? { alone: 2 + newer } : {}) };
      }
      const isEnd = request.a?.timeline === MAIN && request.a.seq === 19_999 &&
        request.b.seq === 19_997;
      const isDifferent = isEnd || request.a?.seq === at;
      const patch = isDifferent ? [{ op: "add", path: "/state/n", value: 4 }] : [];
      if (type === "diff") return { type, patch };
      if (type === "state") return { type, value: {} };
      const entries = lines[timeline]?.slice(from, from + count) ?? [];
      const next = from + count < (lines[timeline]?.length ?? 0) ? from + count : undefined;
      return { type, entries, next };
    },
  });
  const comparison = new Comparison(source, summaries, MAIN, BRANCH, () => {});
  await comparison.start();
  await settle();
  await settle();
  return { comparison, asked, source, summaries };
}

/** @param {Comparison} comparison */
const chosen = ({ rows, selected }) => {
  const { a, b, is } = rows[selected] ?? {};
  return [a?.seq, b?.seq, is];
};

Deno.test("shows the first difference wherever it is, by the daemon's word", async () => {
  for (const slow of [false, true]) {
    const { comparison, asked } = await open(15_000, { slow });
    assert.deepEqual(chosen(comparison), [15_000, 14_998, "differs"]);
    assert.equal(comparison.rows[comparison.firstDifference]?.a?.seq, 15_000);
    assert.ok(comparison.rows.length <= FIRST_LOAD);
    // The lines before it are there.
    assert.deepEqual(comparison.rows[0]?.is, "same");
    assert.ok((comparison.rows[0]?.a?.seq ?? 0) < 15_000);
    assert.ok(asked.length < 40, `${asked.length}`);
    assert.equal(comparison.skipped, comparison.rows[0]?.a?.seq);
    // And what is before can be shown again, without being led away.
    await comparison.fromStart();
    await settle();
    assert.deepEqual([comparison.rows[0]?.a?.seq, comparison.skipped], [2, undefined]);
    await comparison.selectFirst();
    await settle();
    assert.deepEqual(chosen(comparison), [15_000, 14_998, "differs"]);
  }
});

Deno.test("loads nothing again for a difference that is among the first lines", async () => {
  const { comparison, asked } = await open(40);
  assert.deepEqual(chosen(comparison), [40, 38, "differs"]);
  assert.equal(comparison.skipped, undefined);
  assert.equal(asked.filter(({ type }) => type === "entries").length, 10);
  // Where the loading ends nothing seems to stand alone.
  assert.equal(comparison.rows.at(-1)?.is, "same");
  assert.deepEqual(comparison.rows.filter(({ is }) => is !== "same").map(({ a }) => a?.seq), [
    2,
    3,
    40,
  ]);
});

Deno.test("aligns recordings without a common ancestor by their events", async () => {
  const step = (/** @type {number} */ by) => ({ step: { by } });
  const events = {
    [MAIN]: [undefined, step(1), step(2), step(3), step(4), "end"],
    // An extra event, another payload, and the same event with another effect.
    [BRANCH]: [undefined, "ready", step(1), step(2), step(9), step(4), "end"],
  };
  /** @param {string} timeline */
  const entriesOf = (timeline) =>
    (events[timeline] ?? []).map((event, seq) => ({
      seq,
      t: seq,
      ...(event === undefined ? {} : { event }),
      patch: timeline === BRANCH && seq === 6 ? [{ op: "remove", path: "/n" }] : [],
    }));
  const source = /** @type {any} */ ({
    ask: (/** @type {any} */ { type, timeline }) => {
      if (type === "compare") {
        const [a, b] = [{ timeline: MAIN, seq: 5 }, { timeline: BRANCH, seq: 6 }];
        return Promise.resolve({ type, equal: 4, differing: 1, a, b, alone: 3 });
      }
      if (type === "entries") return Promise.resolve({ type, entries: entriesOf(timeline) });
      return Promise.resolve({ type, patch: [{ op: "remove", path: "/state/n" }], value: {} });
    },
  });
  const summaries = new Map([MAIN, BRANCH].map((timeline) => [
    timeline,
    /** @type {any} */ ({ header: { timeline }, last: 5 }),
  ]));
  const comparison = new Comparison(source, summaries, MAIN, BRANCH, () => {});
  await comparison.start();
  await settle();
  assert.equal(comparison.isByEvents, true);
  assert.deepEqual(
    comparison.rows.map(({ a, b, is }) => `${a?.seq ?? "-"} ${b?.seq ?? "-"} ${is}`),
    [
      "0 0 same",
      "- 1 only-b",
      "1 2 same",
      "2 3 same",
      "3 - only-a",
      "- 4 only-b",
      "4 5 same",
      "5 6 differs",
    ],
  );
  assert.deepEqual(chosen(comparison), [5, 6, "differs"]);
});

/**
 * A recording and a branch without its second entry, whose further patches all differ; only the moments of
 * the given entries of the recording do.
 *
 * @param {number} count
 * @param {number[]} unlike
 */
async function openRewritten(count, unlike) {
  const entriesOf = (/** @type {string} */ timeline) =>
    Array.from(
      { length: count },
      (_, seq) => ({ seq, t: seq, event: "type", patch: [`${timeline}`] }),
    )
      .filter(({ seq }) => timeline === MAIN || seq !== 1)
      .map((entry) =>
        timeline === MAIN || entry.seq === 0
          ? { ...entry, patch: entry.seq === 0 ? [] : entry.patch }
          : { ...entry, seq: entry.seq - 1, was: entry.seq }
      );
  /** @type {number[]} */
  const checked = [];
  const source = /** @type {any} */ ({
    ask: (/** @type {any} */ { type, timeline, from, a }) => {
      if (type === "compare") return Promise.resolve({ type, equal: 1, differing: 1, alone: 1 });
      if (type === "entries") {
        return Promise.resolve({ type, entries: entriesOf(timeline).slice(from) });
      }
      if (type === "diff") checked.push(a.seq);
      const patch = unlike.includes(a?.seq) ? [{ op: "remove", path: "/state/n" }] : [];
      return Promise.resolve({ type, patch, value: {} });
    },
  });
  const parent = { timeline: MAIN, through: count - 1, start: 1, edits: [{ drop: 1 }] };
  const summaries = new Map([MAIN, BRANCH].map((timeline) => [
    timeline,
    /** @type {any} */ ({
      header: { timeline, ...(timeline === BRANCH ? { parent } : {}) },
      last: timeline === MAIN ? count - 1 : count - 2,
    }),
  ]));
  let changes = 0;
  const comparison = new Comparison(source, summaries, MAIN, BRANCH, () => changes++);
  await comparison.start();
  await settle();
  return { comparison, checked, changes: () => changes };
}

Deno.test("a line whose patches differ is the same where its moments are equal", async () => {
  const { comparison } = await openRewritten(5, [3]);
  assert.deepEqual(comparison.rows.map(({ a, is }) => `${a?.seq} ${is}`), [
    "1 only-a",
    "2 same",
    "3 differs",
    "4 same",
  ]);
  assert.equal(comparison.differingRows, 2);
});

Deno.test("compares the moments of many lines when they are in view, or next", async () => {
  const { comparison, checked, changes } = await openRewritten(200, [150]);
  assert.ok(new Set(checked).size < 40, `${checked}`);
  const row = comparison.rows.find(({ a }) => a?.seq === 100);
  assert.equal(row?.is, "differs");
  const before = changes();
  if (row) comparison.decide(row);
  await settle();
  assert.deepEqual([row?.is, changes()], ["same", before + 1]);
  await comparison.select(0);
  assert.equal(comparison.rows[await comparison.nextDifference(1) ?? -1]?.a?.seq, 150);
  await comparison.select(150);
  const asked = checked.length;
  assert.equal(await comparison.nextDifference(1), undefined);
  assert.equal(new Set(checked.slice(asked)).size, checked.length - asked);
});

Deno.test("does not move away from a line that the user selected", async () => {
  const { comparison } = await open(15_000);
  await comparison.fromStart();
  await comparison.select(7);
  await comparison.loadMore();
  assert.equal(comparison.selected, 7);
});

Deno.test("entries that came after the branch was made are not differences", async () => {
  const { comparison } = await open(19_990, { newer: 3 });
  assert.equal(comparison.hasMore, false);
  assert.equal(comparison.rows.at(-1)?.a?.seq, 19_999);
  assert.equal(comparison.newer, 3);
  await comparison.fromStart();
  await settle();
  while (comparison.hasMore) await comparison.loadMore();
  assert.deepEqual([comparison.newer, comparison.alone], [3, 2]);
});

Deno.test("says how the last moments differ, of what the branch was made from", async () => {
  const { comparison } = await open(15_000, { newer: 3 });
  await settle();
  assert.equal(comparison.end, "At the end: n nothing → 4.");
});

Deno.test("is outdated once a branch is complete that was being computed", async () => {
  const { comparison, source, summaries } = await open(15_000, { computing: true });
  assert.equal(comparison.end, "");
  assert.equal(comparison.isOutdated(summaries), false);
  delete summaries.get(BRANCH).computing;
  assert.equal(comparison.isOutdated(summaries), true);
  const again = new Comparison(source, summaries, MAIN, BRANCH, () => {});
  await again.start();
  assert.equal(again.end, "At the end: n nothing → 4.");
  assert.equal(again.isOutdated(summaries), false);
});

Deno.test("columns are for values, not for the whole state", () => {
  assert.deepEqual(columnPaths(["/outputs", "/state/total", "/state"]), ["/state/total"]);
  assert.deepEqual(columnPaths(["/state"]), ["/state"]);
  assert.deepEqual(columnPaths([]), []);
});
