import assert from "node:assert/strict";
import { decodeBase64 } from "../../../../web/base/bytes.js";
import { equalJson, parseJson, writeJson } from "../../../../web/base/json.js";
import { RequestError } from "../../../../web/wire/requests.js";
import { openTimelineFile } from "../../../../web/model/files/file-opening.js";
import { readFixture } from "../../fixtures.js";
import { counterLines, HEADER, openLines, TIMELINE } from "../../files.js";

const timeline = TIMELINE;

/** @param {number} seq the counter's value after it */
const countAfter = (seq) => seq + Math.floor(seq / 3);

Deno.test("returns the state after every entry, in any order of requests", async () => {
  const file = await openLines(counterLines(100));
  for (const seq of [55, 0, 99, 54, 10, 9, 56]) {
    const { value } = await file.ask({ type: "state", timeline, seq });
    const n = countAfter(seq);
    assert.ok(
      equalJson(value, { state: { n, log: [] }, outputs: { isEven: n % 2 === 0 } }),
      `${seq}: ${writeJson(value ?? null)}`,
    );
  }
  assert.equal(
    (await file.ask({ type: "state", timeline, seq: 7, path: "/state/n" })).value,
    countAfter(7),
  );
  assert.equal(
    (await file.ask({ type: "state", timeline, seq: 7, path: "/state/x" })).value,
    undefined,
  );
  await assert.rejects(file.ask({ type: "state", timeline, seq: 100 }), /no entry 100/);
});

Deno.test("opens the shared file of every shape, and knows what it does not know", async () => {
  const text = await readFixture("timelines/every-shape.timeline");
  const { timeline: file, tornBytes } = await openTimelineFile(
    new Blob([text + '{"seq":16,"t":']),
  );
  assert.equal(tornBytes, 14);
  assert.equal(file.summary.last, 15);
  const { timeline } = file.summary.header;
  const at = async (/** @type {number} */ seq) =>
    (await file.ask({ type: "state", timeline, seq, path: "/state/n" })).value;
  assert.deepEqual([
    await at(0),
    await at(1),
    await at(3),
    await at(5),
    await at(9),
    await at(11),
    await at(15),
  ], [0, 1, 5, 7, 8, 10, 12]);
  for (const seq of [4, 12, 13]) {
    await assert.rejects(
      at(seq),
      (error) => error instanceof RequestError && error.code === "thinned",
    );
  }
  const { changes, unknown } = await file.ask({
    type: "changes",
    timeline,
    path: "/state/n",
    after: 0,
    limit: 20,
  });
  assert.deepEqual(changes.map(({ seq }) => seq), [1, 2, 10, 11, 15]);
  assert.deepEqual(unknown, [[4, 5], [9, 9], [12, 14]]);
});

Deno.test("returns windows of entries without states, forward, backward, and filtered", async () => {
  const lines = counterLines(50);
  lines[5] = { ...lines[5], event: { load: { text: "x".repeat(2_000), n: 1 } } };
  const file = await openLines(lines);
  const forward = await file.ask({ type: "entries", timeline, from: 5, count: 3 });
  assert.deepEqual(forward.entries.map(({ seq }) => seq), [5, 6, 7]);
  assert.equal(forward.next, 8);
  assert.ok(equalJson(forward.entries[0]?.event, { load: { text: { $cut: 2_002 }, n: 1 } }));
  const backward = await file.ask({
    type: "entries",
    timeline,
    from: 2,
    count: 9,
    direction: "backward",
  });
  assert.deepEqual(backward.entries.map(({ seq }) => seq), [2, 1, 0]);
  assert.equal(backward.next, undefined);
  // Only of a keyframe without patch the size of the state is left, to tell it from what was not
  // captured.
  assert.ok(
    backward.entries.every((entry) =>
      entry.state === undefined ||
      entry.patch === undefined && Object.keys(entry.state ?? {}).join() === "$cut"
    ),
  );
  const filtered = await file.ask({
    type: "entries",
    timeline,
    from: 0,
    count: 3,
    filter: 'event == "add"',
  });
  assert.deepEqual(filtered.entries.map(({ seq }) => seq), [3, 6, 9]);
  assert.equal(filtered.next, 10);
  await assert.rejects(
    file.ask({ type: "entries", timeline, from: 0, count: 3, filter: "stat.n" }),
    (error) => error instanceof RequestError && error.at === 1,
  );
});

Deno.test("finds by state in both directions, over many chunks", async () => {
  const file = await openLines(counterLines(3_000));
  const find = async (
    /** @type {number} */ from,
    /** @type {"forward" | "backward"} */ direction,
    limit = 1,
  ) =>
    (await file.ask({
      type: "find",
      timeline,
      predicate: "state.n > 1000 && outputs.isEven && !before.outputs.isEven",
      from,
      direction,
      limit,
    })).seqs;
  const all = await find(0, "forward", 1_000);
  assert.ok(all.length > 500);
  assert.deepEqual(await find(2_999, "backward", 1_000), [...all].reverse().slice(0, 1_000));
  assert.deepEqual(await find(all[7] ?? 0, "forward"), [all[7]]);
  assert.deepEqual(await find((all[7] ?? 0) - 1, "backward"), [all[6]]);
});

Deno.test("finds a value anywhere, and says where it is", async () => {
  const file = await openLines(counterLines(600));
  const count = countAfter(300);
  const found = await file.ask({
    type: "find",
    timeline,
    predicate: `anywhere == ${count} && seq >= 300`,
    from: 0,
    limit: 1,
  });
  assert.deepEqual(found.seqs, [300]);
  assert.deepEqual(found.leaves, [{ seq: 300, path: "/state/n" }]);
  const listed = await file.ask({
    type: "entries",
    timeline,
    from: 0,
    count: 1,
    filter: "state.n >= 0 && anywhere == true",
  });
  assert.deepEqual(listed.leaves, [{ seq: listed.entries[0]?.seq, path: "/outputs/isEven" }]);
  const plain = await file.ask({ type: "find", timeline, predicate: "state.n > 3", from: 0 });
  assert.equal(plain.leaves, undefined);
});

Deno.test("finds the entries that changed a value, before and after one", async () => {
  const file = await openLines(counterLines(1_500));
  const changes = await file.ask({
    type: "changes",
    timeline,
    path: "/outputs/isEven",
    before: 1_400,
    limit: 2,
  });
  const steps = Array.from({ length: 1_400 }, (_, seq) => seq).filter((seq) =>
    seq > 0 && (countAfter(seq) - countAfter(seq - 1)) % 2 === 1
  );
  assert.deepEqual(changes.changes.map(({ seq }) => seq), steps.slice(-2).reverse());
  assert.equal(changes.more, true);
  const later = await file.ask({
    type: "changes",
    timeline,
    path: "/state/n",
    after: 1_497,
    limit: 5,
  });
  assert.deepEqual(later.changes, [
    { seq: 1_498, old: countAfter(1_497), new: countAfter(1_498) },
    { seq: 1_499, old: countAfter(1_498), new: countAfter(1_499) },
  ]);
  assert.equal(later.more, undefined);
});

Deno.test("gives columns, differences and counts", async () => {
  const file = await openLines(counterLines(100));
  const column = await file.ask({
    type: "column",
    timeline,
    paths: ["/state/n", "/event/add/by"],
    from: 8,
    count: 3,
  });
  assert.deepEqual(column.columns, [[10, 12, 13], [null, 2, null]]);
  const diff = await file.ask({ type: "diff", a: { timeline, seq: 1 }, b: { timeline, seq: 2 } });
  assert.equal(
    writeJson(diff.patch),
    '[{"op":"replace","path":"/outputs/isEven","value":true},{"op":"replace","path":"/state/n","value":2}]',
  );
  const overview = await file.ask({
    type: "overview",
    timeline,
    from: 0,
    to: 99_999,
    buckets: 10,
    by: "t",
  });
  assert.deepEqual([...overview.entries], Array(10).fill(10));
  assert.deepEqual(overview.lanes, ["step", "add"]);
  const sum = overview.byLane.map((lane) => lane.reduce((total, count) => total + count));
  // The start has no event, and so no lane.
  assert.deepEqual(sum, [66, 33]);
  assert.equal(overview.keyframes[0], 1);
});

Deno.test("shows the first 64 lanes of the header, and counts the rest in the last", async () => {
  const many = Object.fromEntries(Array.from({ length: 70 }, (_, n) => [`e${n}`, `l${n}`]));
  const lanes = { ...many, step: "late" };
  const file = await openLines(counterLines(10), { ...HEADER, lanes });
  const overview = await file.ask({
    type: "overview",
    timeline,
    from: 0,
    to: 9,
    buckets: 1,
    by: "seq",
  });
  assert.equal(overview.lanes.length, 65);
  assert.deepEqual(overview.lanes.slice(62), ["l62", "l63", "other"]);
  assert.deepEqual(overview.byLane.slice(63).map((lane) => lane[0]), [0, 9]);
});

Deno.test("puts names into the lanes of the header", async () => {
  const file = await openLines(counterLines(10), { ...HEADER, lanes: { step: "timer" } });
  const overview = await file.ask({
    type: "overview",
    timeline,
    from: 0,
    to: 9,
    buckets: 1,
    by: "seq",
  });
  assert.deepEqual(overview.lanes, ["timer", "other"]);
  assert.deepEqual(overview.byLane.map((lane) => lane[0]), [6, 3]);
});

Deno.test("exports a range as a file that opens by itself", async () => {
  const file = await openLines(counterLines(40));
  const { data, name } = await file.ask({
    type: "export",
    timeline,
    format: "timeline",
    from: 13,
    to: 20,
  });
  assert.equal(name, "favorites.timeline");
  const { timeline: cut } = await openTimelineFile(
    new Blob([decodeBase64(data) ?? assert.fail()]),
  );
  assert.deepEqual([cut.summary.first, cut.summary.last, cut.summary.entries], [13, 20, 8]);
  assert.equal(
    (await cut.ask({ type: "state", timeline, seq: 17, path: "/state/n" })).value,
    countAfter(17),
  );
  const whole = await file.ask({ type: "export", timeline, format: "timeline" });
  const text = new TextDecoder().decode(decodeBase64(whole.data));
  assert.equal(text.split("\n").length, 42);
  assert.ok(equalJson(parseJson(text.split("\n")[0] ?? ""), HEADER));
});

Deno.test("answers for its own timeline only", async () => {
  const file = await openLines(counterLines(20));
  const other = `${timeline.slice(0, -1)}f`;
  const isNotFound = (/** @type {unknown} */ error) =>
    error instanceof RequestError && error.code === "not-found";
  const [here, there] = [{ timeline, seq: 3 }, { timeline: other, seq: 3 }];
  await assert.rejects(file.ask({ type: "raw", ...there }), isNotFound);
  await assert.rejects(file.ask({ type: "diff", a: there, b: here }), isNotFound);
  await assert.rejects(file.ask({ type: "diff", a: here, b: there }), isNotFound);
  assert.deepEqual((await file.ask({ type: "diff", a: here, b: here })).patch, []);
  await assert.rejects(
    file.ask({ type: "raw", timeline, seq: 99 }),
    (error) =>
      isNotFound(error) && error instanceof RequestError &&
      error.message === "There is no entry 99: the file has entries 0 to 19.",
  );
});

Deno.test("says what a file cannot do, and ends when it is closed", async () => {
  const file = await openLines(counterLines(2_000));
  await assert.rejects(
    file.ask({ type: "fork", timeline, edits: [] }),
    (error) => error instanceof RequestError && error.code === "forbidden",
  );
  const ending = new AbortController();
  const search = file.ask({ type: "find", timeline, predicate: "state.n < 0", from: 0 }, {
    signal: ending.signal,
    onProgress: () => ending.abort(),
  });
  await assert.rejects(
    search,
    (error) => error instanceof RequestError && error.code === "cancelled",
  );
});
