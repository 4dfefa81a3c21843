/** The pinned value and the watched ones, while the reader goes on. */

import assert from "node:assert/strict";
import { Pin } from "../../../../web/model/state/pin.js";
import { RequestError } from "../../../../web/wire/requests.js";
import { holding, idOf, inspect, openDaemon, settle } from "../../daemons.js";

const ID = idOf("a");

/** @param {Record<string, (request: any) => any>} [answers] */
async function open(answers) {
  const daemon = await openDaemon([{ id: ID, count: 1_000 }], answers);
  const changes = holding(daemon.source, "changes");
  const columns = holding(changes.source, "column");
  const page = await inspect(columns.source, { timeline: ID, seq: 500 });
  return { ...page, daemon, changes, columns };
}

Deno.test("a pin that loads while the cursor moves is loaded for its new place", async () => {
  const { inspector, changes } = await open();
  changes.hold();
  inspector.setPin("/state/n");
  inspector.goTo(700);
  inspector.goTo(900);
  assert.equal(changes.count, 2, "one question is under way, and the newest place waits");
  await changes.letGo();
  assert.deepEqual([inspector.pin?.covers(900), inspector.pin?.after(900)?.seq], [true, 901]);
});

Deno.test("the next change is that of the cursor, also while changes elsewhere are loaded", async () => {
  const { inspector, changes, notices } = await open();
  changes.hold();
  inspector.setPin("/state/n");
  inspector.goTo(900);
  const next = inspector.travel.stepChange(1);
  await changes.letGo();
  await next;
  assert.equal(inspector.cursor, 901);
  // A reader who moved on meanwhile stays there.
  inspector.goTo(50);
  changes.hold();
  const elsewhere = inspector.travel.stepChange(1);
  inspector.goTo(20);
  await changes.letGo();
  await elsewhere;
  assert.equal(inspector.cursor, 20);
  assert.deepEqual(notices(), []);
});

Deno.test("a pin of a timeline without durable entries asks for none before the first", async () => {
  const daemon = await openDaemon([{ id: ID, count: 3 }]);
  let durable = -1;
  const pin = new Pin(daemon.source, ID, "/state/n", () => {}, () => durable);
  for (durable of [-1, 0, 2]) {
    pin.grew();
    await pin.load(2);
  }
  const asked = daemon.of("changes").flatMap(({ after }) => after === undefined ? [] : [after]);
  assert.deepEqual(asked, [2, 2, 0]);
  assert.deepEqual([pin.message, pin.changes.length], ["", 2]);
});

Deno.test("says why changes were not loaded, and asks again", async () => {
  let isBroken = true;
  const { inspector, notices, daemon } = await open({
    changes: () => {
      if (isBroken) throw new RequestError("failed", "The store is closed.");
      return { type: "changes", changes: [{ seq: 510 }] };
    },
  });
  inspector.setPin("/state/n");
  await settle();
  assert.equal(daemon.of("changes").length, 2, "a failure is not asked for again by itself");
  await inspector.travel.stepChange(1);
  assert.deepEqual(notices(), [
    "The changes of the pinned value were not loaded: The store is closed.",
  ]);
  isBroken = false;
  await inspector.travel.stepChange(1);
  assert.equal(inspector.cursor, 510);
});

Deno.test("says where a pinned value may have changed, before that it does not", async () => {
  const { inspector, notices } = await open({
    changes: ({ before }) => ({
      type: "changes",
      changes: [],
      unknown: before === undefined ? [[600, 609]] : [[20, 29], [499, 500]],
    }),
  });
  inspector.setPin("/state/n");
  await inspector.travel.stepChange(1);
  assert.match(
    notices().at(-1) ?? "",
    /^It is not known to change any more, but it may have changed in the entries 600 to 609: some/,
  );
  await inspector.travel.stepChange(-1);
  assert.match(notices().at(-1) ?? "", /before this, .* in the entries 20 to 29 and 499: some/);
  assert.equal(inspector.pin?.unknownCount, 22);
});

Deno.test("requests the changes after those that a live timeline had", async () => {
  const { inspector, changes, daemon } = await open();
  inspector.goTo(999);
  changes.hold();
  inspector.setPin("/state/n");
  const before = daemon.of("changes").length;
  daemon.news.emit({ type: "live", timeline: ID, last: 1_000, t: 1_000_000, entries: [] });
  await changes.letGo();
  // Those that were held, and one for what came meanwhile; then it is quiet.
  assert.equal(daemon.of("changes").length - before, 3);
});

/** A live timeline whose value changes at every fifth entry; its end is moved by the test. */
async function openGrowing() {
  let last = 999;
  /** @param {{ before?: number, after?: number, limit: number }} request */
  const changes = ({ before, after = -1, limit }) => {
    const all = [];
    for (let seq = 5; seq <= last; seq += 5) all.push({ seq, old: seq - 5, new: seq });
    const found = before === undefined
      ? all.filter(({ seq }) => seq > after)
      : all.filter(({ seq }) => seq < before).reverse();
    const more = found.length > limit ? { more: true } : {};
    return { type: "changes", changes: found.slice(0, limit), ...more };
  };
  const daemon = await openDaemon([{ id: ID, count: 1_000, rest: { live: true } }], { changes });
  const page = await inspect(daemon.source, { timeline: ID });
  page.inspector.setPin("/state/n");
  await settle();
  const grow = async (/** @type {number} */ to, durable = to) => {
    last = to;
    const live = { type: "live", timeline: ID, last, t: last * 1_000, durable, entries: [] };
    daemon.news.emit(live);
    await settle();
  };
  /** The timeline is complete. */
  const end = async () => {
    const [summary] = daemon.summaries;
    daemon.news.emit({ type: "timeline", timeline: { ...summary, last, live: false } });
    await settle();
  };
  let count = daemon.of("changes").length;
  /** What was asked for since this was asked before. */
  const asked = () => {
    const all = daemon.of("changes");
    const rest = all.slice(count);
    count = all.length;
    return rest;
  };
  return { ...page, grow, end, asked };
}

Deno.test("a pin of a followed timeline checks only new entries", async () => {
  const { inspector, grow, asked } = await openGrowing();
  for (let last = 1_000; last < 1_020; last++) await grow(last);
  const requests = asked();
  assert.deepEqual(requests.map(({ before }) => before), new Array(20).fill(undefined));
  assert.deepEqual(requests.map(({ after }) => after), requests.map((_, place) => 999 + place));
  assert.deepEqual(inspector.pin?.changes.slice(-5).map(({ seq }) => seq), [
    995,
    1_000,
    1_005,
    1_010,
    1_015,
  ]);
  assert.equal(inspector.pin?.setBy(inspector.cursor)?.seq, 1_015);
});

Deno.test("a pin checks entries that were not durable again, and has each change once", async () => {
  const { inspector, grow, asked } = await openGrowing();
  await grow(1_010, 1_001);
  await grow(1_012, 1_012);
  assert.deepEqual(asked().map(({ after }) => after), [999, 1_001]);
  const seqs = inspector.pin?.changes.map(({ seq }) => seq) ?? [];
  assert.deepEqual(seqs.slice(-4), [995, 1_000, 1_005, 1_010]);
  assert.equal(new Set(seqs).size, seqs.length);
});

Deno.test("a pin that fell far behind is loaded around the cursor, and stays within its limit", async () => {
  const { inspector, grow } = await openGrowing();
  await grow(3_000);
  assert.deepEqual([inspector.pin?.changes.length, inspector.pin?.hasEarlier], [100, true]);
  for (let last = 3_400; last <= 5_000; last += 400) await grow(last);
  const { changes = [], hasEarlier } = inspector.pin ?? {};
  assert.deepEqual([changes.length, changes[0]?.seq, changes.at(-1)?.seq, hasEarlier], [
    200,
    4_005,
    5_000,
    true,
  ]);
});

Deno.test("watched columns that load while the cursor moves follow it", async () => {
  const { inspector, columns } = await open();
  inspector.setTab("watch");
  columns.hold();
  inspector.watch?.toggle("/state/n", 500);
  inspector.goTo(900);
  assert.equal(columns.count, 1);
  await columns.letGo();
  assert.equal(inspector.watch?.value(0, 900), 1_200);
});

Deno.test("columns that were not loaded are asked for again at another entry", async () => {
  let isBroken = false;
  const { inspector, daemon } = await open({
    column: ({ from, count }) => {
      if (isBroken) throw new RequestError("failed", "no");
      return { type: "column", from, columns: [new Array(count).fill(7)] };
    },
  });
  inspector.setTab("watch");
  inspector.watch?.toggle("/state/n", 500);
  await settle();
  isBroken = true;
  inspector.goTo(900);
  await settle();
  assert.equal(inspector.watch?.message, "no");
  assert.equal(daemon.of("column").length, 2);
  isBroken = false;
  inspector.goTo(500);
  await settle();
  assert.deepEqual([inspector.watch?.message, inspector.watch?.value(0, 500)], ["", 7]);
});

Deno.test("the count of changes stays exact when the daemon is back and nothing has come", async () => {
  const daemon = await openDaemon([{ id: ID, count: 29 }]);
  const { inspector } = await inspect(daemon.source, { timeline: ID, seq: 10, pin: "/state/n" });
  await settle();
  const asked = daemon.of("changes").length;
  await inspector.attach(daemon.source);
  await settle();
  const { changes = [], hasLater } = inspector.pin ?? {};
  assert.deepEqual([changes.length, hasLater], [28, false]);
  assert.equal(daemon.of("changes").length, asked);
});

Deno.test("the changes of a branch are counted to its end when it is computed", async () => {
  const { inspector, grow, end } = await openGrowing();
  inspector.goTo(985);
  await grow(1_003);
  assert.equal(inspector.pin?.hasLater, true, "a reader of earlier entries is not kept up to date");
  await end();
  assert.deepEqual([inspector.pin?.hasLater, inspector.pin?.changes.at(-1)?.seq], [false, 1_000]);
});
