/** What the page says where states were not captured or entries were lost. */

import assert from "node:assert/strict";
import { CursorMoment } from "../../../../web/model/state/cursor-moment.js";
import { Inspector } from "../../../../web/model/inspector/inspector.js";
import { entriesText, unknownBetween } from "../../../../web/model/inspector/unknown.js";
import { Watch } from "../../../../web/model/state/watch.js";
import { idOf, inspect, openDaemon, settle } from "../../daemons.js";
import { openLines, TIMELINE } from "../../files.js";

/** @import { JsonObject } from "../../../../web/base/json-types.d.ts" */

/** A counter of 60 entries: 20 to 29 were not captured, and 40 to 44 were lost. */
function thinnedLines() {
  /** @type {JsonObject[]} */
  const lines = [];
  for (let seq = 0; seq < 60; seq++) {
    if (seq >= 40 && seq < 45) continue;
    lines.push({
      seq,
      t: seq * 1_000,
      ...(seq > 0 ? { event: "step" } : {}),
      ...(seq === 0 || seq === 30 || seq === 45 ? { state: { n: seq, name: "x" } } : {}),
      ...(seq > 0 && seq !== 30 && seq !== 45 && (seq < 20 || seq > 29)
        ? { patch: [{ op: "replace", path: "/n", value: seq }] }
        : {}),
      ...(seq === 45 ? { gap: { lost: 5, why: "outbox full" } } : {}),
    });
  }
  return lines;
}

async function openThinned(lines = thinnedLines()) {
  const inspector = new Inspector();
  // The moment before is asked for once the reader rests, which here is at once.
  inspector.moment = new CursorMoment(
    () => inspector.changed.emit(),
    (call) => void setTimeout(call, 0),
  );
  await inspector.attach(await openLines(lines));
  await settle();
  const notices = () => inspector.notices.list.map(({ text }) => text);
  const go = async (/** @type {number} */ seq) => {
    inspector.goTo(seq);
    await settle();
  };
  return { inspector, notices, go };
}

Deno.test("says what changed inside a value that was replaced whole", async () => {
  const whole = (/** @type {string} */ path, /** @type {any} */ value) => [
    { op: "replace", path, value },
  ];
  const { inspector: { moment }, go } = await openThinned([
    { seq: 0, t: 0, state: { flips: 0, isHeads: false, of: { a: 1, b: 2 } } },
    {
      seq: 1,
      t: 1,
      event: "flip",
      patch: whole("", { flips: 1, isHeads: false, of: { a: 1, b: 2 } }),
    },
    { seq: 2, t: 2, event: "set", patch: whole("/of", { a: 1, b: 3 }) },
    { seq: 3, t: 3, event: "flip", patch: whole("/flips", 2) },
  ]);
  for (
    const [seq, path, value] of /** @type {[number, string, number][]} */ ([
      [1, "/flips", 1],
      [2, "/of/b", 3],
      [3, "/flips", 2],
    ])
  ) {
    await go(seq);
    await settle();
    assert.deepEqual(
      moment.changes("state")?.map((one) => [one.path, "value" in one && one.value]),
      [[path, value]],
      `entry ${seq}`,
    );
  }
});

Deno.test("says why it is not known what an entry changed, and never that nothing did", async () => {
  const { inspector: { moment }, go } = await openThinned();
  const says = async (/** @type {number} */ seq) => {
    await go(seq);
    assert.deepEqual([moment.seq, moment.changes("state")], [seq, undefined]);
    assert.equal(moment.changes("outputs"), undefined);
    assert.equal(moment.isBeforeUnknown, [30, 45].includes(seq));
    return moment.whyNoChanges();
  };
  assert.equal(await says(0), "This is the first entry, so there is nothing to compare it with.");
  assert.equal(await says(25), "");
  assert.equal(
    await says(30),
    "What 30 changed is not known: the state before it was not captured. A host that runs the " +
      "reducer can compute it. To have it computed, go to 29, and then come back.",
  );
  assert.equal(await says(45), "What 45 changed is not known: 5 entries just before it were lost.");
  await go(31);
  assert.deepEqual(moment.changes("state")?.map(({ path }) => path), ["/n"]);
  assert.equal(moment.isBeforeUnknown, false);
});

Deno.test("says where else a value may have been set", async () => {
  const { inspector, notices, go } = await openThinned();
  await go(30);
  await inspector.travel.whoSet("/state/n");
  assert.equal(inspector.cursor, 19);
  assert.equal(
    notices().at(-1),
    "The value may also have been set in the entries 20 to 30: some values there were not " +
      "captured. A host that runs the reducer can compute it.",
  );
  await go(45);
  await inspector.travel.whoSet("/state/n");
  assert.equal(inspector.cursor, 39);
  assert.match(
    notices().at(-1) ?? "",
    /in entry 45: some values.* lost, so it cannot be computed\.$/,
  );
  await go(30);
  await inspector.travel.whoSet("/state/name");
  assert.equal(inspector.cursor, 30);
  assert.match(notices().at(-1) ?? "", /^No entry is known to have set .* entries 20 to 30: /);
  await go(19);
  await inspector.travel.whoSet("/state/name");
  assert.match(notices().at(-1) ?? "", /has not changed since the start/);
});

Deno.test("says which entries on the way to a match may match, too", async () => {
  const { inspector, notices, go } = await openThinned();
  await go(19);
  inspector.setFilter("state.n == 35");
  await inspector.travel.stepMatch(1);
  assert.equal(inspector.cursor, 35);
  assert.match(
    notices().at(-1) ?? "",
    /^The entries 20 to 29 on the way may match, too: some values/,
  );
  inspector.setFilter("state.n > 1000");
  await inspector.travel.stepMatch(-1);
  assert.equal(inspector.cursor, 35);
  assert.match(
    notices().at(-1) ?? "",
    /^Nothing more is known to match.* the entries 20 to 29 may: /,
  );
  await inspector.travel.stepMatch(1);
  assert.equal(notices().at(-1), "There are no more matches in this direction.");
});

Deno.test("offers to compute what was not captured, where a host can", async () => {
  const [id = ""] = ["a"].map(idOf);
  const { source } = await openDaemon([{ id }], {
    changes: () => ({ type: "changes", changes: [{ seq: 3 }], unknown: [[1, 2], [5, 6]] }),
  });
  const { inspector, notices } = await inspect(source, { timeline: id, seq: 9 });
  inspector.goTo(9);
  const looking = inspector.travel.whoSet("/state/n");
  inspector.goTo(12);
  await looking;
  assert.deepEqual(notices(), []);
  await inspector.travel.whoSet("/state/n");
  assert.match(
    notices()[0] ?? "",
    /in the entries 5 to 6: .*“Compute the states that were not captured”/,
  );
});

Deno.test("names the entries that are unknown", () => {
  const between = unknownBetween([[20, 29], [30, 30], [5, 9], [50, 60]], 8, 55);
  assert.equal(entriesText(between), "the entries 8 to 9, 20 to 30 and 50 to 55");
  assert.equal(entriesText([{ first: 1_000, last: 1_000 }]), "entry 1,000");
  assert.deepEqual(unknownBetween(undefined, 0, 9), []);
  const many = Array.from({ length: 6 }, (_, at) => ({ first: at * 10, last: at * 10 }));
  assert.equal(entriesText(many), "the entries 0, 10, 20, 30 and 2 more stretches");
});

Deno.test("distinguishes a watched value that was not captured from one that is absent", async () => {
  const watch = new Watch(await openLines(thinnedLines()), TIMELINE, () => {});
  watch.toggle("/state/name", 30);
  watch.toggle("/state/n", 30);
  await settle();
  const unknown = Array.from({ length: 60 }, (_, seq) => seq)
    .filter((seq) => watch.isUnknown(0, seq));
  assert.deepEqual(unknown, [20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 40, 41, 42, 43, 44]);
  assert.deepEqual([watch.value(0, 20), watch.value(0, 30)], [undefined, "x"]);
  assert.deepEqual([20, 30, 31].map((seq) => watch.isChange(0, seq)), [false, false, false]);
  assert.deepEqual([0, 19, 20, 30, 31, 45].map((seq) => watch.isChange(1, seq)), [
    false,
    true,
    false,
    true,
    true,
    true,
  ]);
  assert.equal(watch.isUnknown(0, 60), false);
});
