import assert from "node:assert/strict";
import {
  causeOf,
  merged,
  microsecondsOf,
  recordingsOfRun,
  RunList,
} from "../../../../web/model/live/run-list.js";
import { idOf, settle } from "../../daemons.js";
import { Random } from "../../random.js";

/** @import { Lane } from "../../../../web/model/live/run-list.js" */

/**
 * @param {string} letter
 * @param {Partial<Record<"pid" | "run" | "host" | "parent", any>>} [how]
 */
function summaryOf(letter, { pid = 7, parent, ...app } = {}) {
  return /** @type {any} */ ({
    header: {
      timeline: idOf(letter),
      app: { name: "Shop", ...(pid === null ? {} : { pid }), ...app },
      machine: { name: letter, type: "M" },
      started: "2026-05-01T08:00:00Z",
      ...(parent ? { parent } : {}),
    },
    entries: 3,
    duration: 0,
  });
}

/**
 * A lane with entries at the given times, and causes by their number.
 *
 * @param {string} letter
 * @param {number[]} times
 * @param {Record<number, number | string>} [causes]
 * @returns {Lane}
 */
function laneOf(letter, times, causes = {}) {
  const entries = times.map((t, seq) => /** @type {any} */ ({ seq, t, cause: causes[seq] }));
  return { summary: summaryOf(letter), started: 0, entries, begin: undefined, end: undefined };
}

/** @param {Lane[]} lanes */
const order = (lanes, bounds = { from: -Infinity, to: Infinity }) =>
  merged(lanes, bounds).map(({ lane, entry }) => `${"ab"[lane]}${entry.seq}`).join(" ");

Deno.test("a run is what one process recorded, without branches", () => {
  const all = [
    summaryOf("a"),
    summaryOf("b"),
    summaryOf("c", { pid: 8 }),
    summaryOf("d", { host: "other" }),
    summaryOf("e", { run: "2" }),
    summaryOf("f", { parent: { timeline: idOf("a") } }),
    // As imported files of the Redux DevTools: they name no process.
    summaryOf("1", { pid: null }),
    summaryOf("2", { pid: null }),
  ];
  const summaries = new Map(all.map((one) => [one.header.timeline, one]));
  const names = (/** @type {any} */ summary) =>
    recordingsOfRun(summary, summaries).map(({ header }) => header.machine.name);
  assert.deepEqual(names(all[0]), ["a", "b"]);
  assert.deepEqual(names(all[5]), ["a", "b"]);
  assert.deepEqual(names(undefined), []);
  assert.deepEqual(names(all[6]), []);
});

Deno.test("moments are compared by the microsecond", () => {
  assert.equal(microsecondsOf("1970-01-01T00:00:01Z"), 1_000_000);
  assert.equal(microsecondsOf("1970-01-01T00:00:01.25Z"), 1_250_000);
  assert.equal(microsecondsOf("1970-01-01T00:00:01.0000019+00:00"), 1_000_001);
  assert.equal(microsecondsOf("1970-01-01T01:00:00.5+01:00"), 500_000);
});

Deno.test("entries are merged by time, and an effect follows its cause", () => {
  assert.equal(order([laneOf("a", [0, 20]), laneOf("b", [10, 30])]), "a0 b0 a1 b1");
  // The effect has the earlier time, because the clocks of the two recordings began apart.
  const effect = { 1: `${idOf("b")}:1` };
  assert.equal(order([laneOf("a", [0, 20], effect), laneOf("b", [10, 30])]), "a0 b0 b1 a1");
  // A cause that was not loaded is not waited for, nor does a circle end the list.
  assert.equal(
    order([laneOf("a", [0, 20], { 1: `${idOf("b")}:9` }), laneOf("b", [10])]),
    "a0 b0 a1",
  );
  const circle = [
    laneOf("a", [1], { 0: `${idOf("b")}:0` }),
    laneOf("b", [2], { 0: `${idOf("a")}:0` }),
  ];
  assert.equal(order(circle), "a0 b0");
  assert.equal(order([laneOf("a", [0, 20]), laneOf("b", [10, 30])], { from: 10, to: 20 }), "b0 a1");
});

Deno.test("the cause of an entry is found in its own lane and in another one", () => {
  const lanes = [laneOf("a", [0, 1, 2], { 1: 0, 2: `${idOf("b")}:4` }), laneOf("b", [0])];
  const [, own, other] = lanes[0]?.entries ?? [];
  assert.ok(own && other);
  assert.deepEqual(causeOf({ lane: 0, entry: own, time: 0 }, lanes), { lane: 0, seq: 0 });
  assert.deepEqual(causeOf({ lane: 0, entry: other, time: 0 }, lanes), { lane: 1, seq: 4 });
});

Deno.test("loading in both directions shows every entry once, however dense a lane is", async () => {
  const random = new Random(11);
  /** @type {Record<string, any[]>} */
  const lines = {};
  const letters = ["a", "b", "c"];
  for (const [at, letter] of letters.entries()) {
    let t = 0;
    lines[idOf(letter)] = Array.from({ length: [2_000, 90, 700][at] ?? 0 }, (_, seq) => {
      t += random.below(at === 1 ? 4_000 : 200);
      return { seq, t };
    });
  }
  const source = /** @type {any} */ ({
    ask: (/** @type {any} */ { type, timeline, predicate, from, count, direction }) => {
      const all = lines[timeline] ?? [];
      if (type === "find") {
        const least = Number(predicate.split(" ").at(-1));
        const found = all.find(({ t }) => t >= least);
        return Promise.resolve({ type, seqs: found ? [found.seq] : [] });
      }
      const isBack = direction === "backward";
      const chosen = isBack ? all.slice(0, from + 1).reverse() : all.slice(from);
      const next = chosen[count]?.seq;
      const entries = chosen.slice(0, count);
      return Promise.resolve({ type, entries, ...(next === undefined ? {} : { next }) });
    },
  });
  const recordings = letters.map((letter) => ({
    ...summaryOf(letter),
    first: 0,
    last: (lines[idOf(letter)]?.length ?? 0) - 1,
  }));
  const started = microsecondsOf("2026-05-01T08:00:00Z");
  const short = new RunList(source, recordings, () => {}, 600);
  await short.start(started);
  for (let round = 0; round < 5; round++) await short.loadLater();
  assert.ok(short.failure?.endsWith("To see others, open it at another entry."));
  assert.ok(short.rows.length > 0 && short.rows.length <= 1_200);
  const list = new RunList(source, recordings, () => {});
  await list.start(started + 60_000);
  await settle();
  const seen = () => list.rows.map(({ lane, entry }) => `${lane} ${entry.seq}`);
  assert.ok(list.rows.length > 100 && list.rows.length < 700);
  assert.ok(list.rows.some(({ time }) => time >= started + 60_000));
  assert.ok(list.rows.some(({ time }) => time < started + 60_000));
  while (list.hasEarlier) await list.loadEarlier();
  while (list.hasLater) await list.loadLater();
  assert.equal(new Set(seen()).size, 2_790);
  assert.equal(list.rows.length, 2_790);
  for (const [place, row] of list.rows.entries()) {
    assert.ok(row.time >= (list.rows[place - 1]?.time ?? 0));
  }
});
