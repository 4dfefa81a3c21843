import assert from "node:assert/strict";
import { counterLines, HEADER, openLines } from "../../files.js";
import { readLocation, writeLocation } from "../../../../web/model/inspector/location.js";
import { idOf, inspect, openDaemon, settle } from "../../daemons.js";

const [ONE = "", OTHER = "", BRANCH = "", GONE = ""] = ["a", "b", "c", "d"].map(idOf);

/** A machine with a branch, and another one. @param {object} [location] */
async function open(location = { timeline: ONE, seq: 5 }) {
  const parent = { timeline: ONE, through: 19, start: 5, edits: [{ drop: 5 }] };
  const daemon = await openDaemon([{ id: ONE }, { id: OTHER }, { id: BRANCH, header: { parent } }]);
  const page = await inspect(daemon.source, location);
  /** @type {[string | undefined, boolean][]} */
  const moves = [];
  page.inspector.moved.listen((isNew) => moves.push([page.inspector.location.timeline, isNew]));
  return { ...page, ...daemon, moves };
}

Deno.test("stays in place when Back goes to a deleted timeline", async () => {
  const { inspector, notices, moves } = await open();
  const before = inspector.location;
  inspector.visit({ ...before, timeline: GONE, seq: 99 });
  await settle();
  assert.equal(inspector.location, before);
  assert.equal(inspector.data?.id, ONE);
  assert.match(notices().at(-1) ?? "", /no longer exists/);
  // The address says where the reader is, and makes no step of it.
  assert.deepEqual(moves, [[ONE, false]]);
  inspector.visit({ ...before, timeline: undefined, seq: 7 });
  assert.deepEqual([inspector.data?.id, inspector.cursor, notices().length], [ONE, 7, 1]);
});

Deno.test("waits for the list before it says that a link leads nowhere", async () => {
  const { source } = await open();
  const { inspector, notices } = await inspect(source, { timeline: ONE });
  inspector.hasList = false;
  inspector.leave();
  inspector.visit({ ...inspector.location, timeline: OTHER, seq: 3 });
  assert.deepEqual(notices(), []);
  await inspector.attach(source);
  assert.deepEqual([inspector.data?.id, inspector.cursor], [OTHER, 3]);
});

Deno.test("says that a link leads to a timeline that is not here, until another one is shown", async () => {
  const { source } = await open();
  for (const timeline of [GONE, "<b>"]) {
    const { inspector, notices } = await inspect(source, { timeline, seq: 3, filter: "seq > 3" });
    assert.deepEqual([inspector.data, inspector.missing, notices()], [undefined, timeline, []]);
    // The address still names it, so that a reload asks again.
    assert.equal(inspector.location.timeline, timeline);
    inspector.showNewest();
    assert.equal(inspector.missing, undefined);
    assert.ok(inspector.data);
    assert.equal(inspector.location.filter, "");
  }
});

Deno.test("a timeline that a link names is shown when it appears, and no other one", async () => {
  const { source, inspector: complete } = await open();
  const ask = async (/** @type {any} */ request, /** @type {any} */ options) => {
    const reply = await source.ask(request, options);
    if (reply.type !== "timelines") return reply;
    const isOther = (/** @type {any} */ { header }) => header.timeline !== ONE;
    return { ...reply, timelines: reply.timelines.filter(isOther) };
  };
  const { inspector } = await inspect({ ...source, ask }, { timeline: ONE, seq: 3 });
  assert.equal(inspector.missing, ONE);
  const appear = (/** @type {string} */ timeline) => {
    const summary = complete.summaries.get(timeline);
    assert.ok(summary);
    source.news.emit({ type: "timeline", timeline: summary });
  };
  appear(OTHER);
  assert.equal(inspector.location.timeline, ONE);
  assert.ok(!inspector.data);
  appear(ONE);
  assert.deepEqual([inspector.summary?.header.timeline, inspector.cursor], [ONE, 3]);
});

Deno.test("says which entry is shown in place of one that does not exist", async () => {
  const { inspector, notices } = await open({ timeline: ONE, seq: 4_000 });
  const last = inspector.cursor;
  const words =
    `Entry 4,000 does not exist. You are at ${last}; this timeline has the entries 0 to ${last}.`;
  assert.deepEqual(notices(), [words]);
  inspector.visit({ ...inspector.location, seq: 2 });
  inspector.visit({ ...inspector.location, timeline: OTHER, seq: 5_000 });
  assert.match(notices().at(-1) ?? "", /^Entry 5,000 does not exist/);
});

Deno.test("reports whatever a link has in place of the number of an entry", async () => {
  for (
    const [text, name, cursor] of /** @type {const} */ ([
      ["-4", "-4", 0],
      ["99999999999999999999", "99999999999999999999", 19],
      ["1e999", "1e999", 19],
      ["<b>\u202ex", "<b>\\u{202e}x", 19],
      ["y".repeat(9_999), "y".repeat(39) + "…", 19],
    ])
  ) {
    const words =
      `Entry “${name}” does not exist. You are at ${cursor}; this timeline has the entries 0 to 19.`;
    const link = readLocation(new URLSearchParams({ timeline: ONE, seq: text }).toString());
    const { inspector, notices } = await open(link);
    assert.deepEqual([inspector.cursor, inspector.isFollowing, ...notices()], [
      cursor,
      false,
      words,
    ]);
    // From there, the address names the entry that is shown.
    assert.equal(writeLocation(inspector.location), `timeline=${ONE}&seq=${cursor}`);
    inspector.visit({ ...link, timeline: OTHER });
    inspector.visit(link);
    inspector.visit(link);
    assert.deepEqual([notices().at(-1), inspector.location.wrongSeq], [words, undefined]);
  }
});

Deno.test("opens a file over a timeline without a notice, and without that timeline's filter", async () => {
  const { inspector, notices } = await open();
  inspector.setFilter("seq > 3");
  inspector.setPin("/state/n");
  inspector.setTab("raw");
  const file = await openLines(counterLines(30), { ...HEADER, timeline: GONE });
  inspector.leave();
  await inspector.attach(file);
  const { timeline, filter, pin, tab, seq } = inspector.location;
  assert.deepEqual([timeline, filter, pin, tab, seq], [GONE, "", undefined, "raw", 29]);
  assert.deepEqual(notices(), []);
});

Deno.test("a link to a moment of a file works when the file is opened", async () => {
  const { inspector } = await inspect(await openLines(counterLines(5), HEADER), {});
  const fresh = await openLines(counterLines(30), { ...HEADER, timeline: GONE });
  inspector.leave();
  inspector.location = { ...inspector.location, timeline: GONE, seq: 12, filter: "seq > 3" };
  inspector.leave();
  await inspector.attach(fresh);
  assert.deepEqual([inspector.cursor, inspector.location.filter], [12, "seq > 3"]);
});

Deno.test("keeps what is followed, filtered and watched inside one family", async () => {
  const { inspector } = await open();
  inspector.setPin("/state/n");
  inspector.setFilter("seq > 3");
  inspector.setTab("watch");
  inspector.watch?.toggle("/state/n", 5);
  await settle();
  inspector.open(BRANCH, 6);
  await settle();
  const kept = () => [
    inspector.pin?.path,
    inspector.location.pin,
    inspector.location.filter,
    inspector.data?.filter,
    inspector.watch?.paths,
  ];
  const all = ["/state/n", "/state/n", "seq > 3", "seq > 3", ["/state/n"]];
  assert.deepEqual([inspector.data?.id, ...kept()], [BRANCH, ...all]);
  assert.equal(inspector.watch?.value(0, 6), 8);
  inspector.open(ONE, 5);
  assert.deepEqual([inspector.data?.id, ...kept()], [ONE, ...all]);
  // Another machine has other values.
  inspector.open(OTHER);
  assert.deepEqual(kept(), [undefined, undefined, "", "", []]);
});

Deno.test("a pin of a deleted timeline does not move to another one", async () => {
  const { inspector, news } = await open();
  inspector.setFilter("seq > 3");
  news.emit({ type: "gone", timeline: ONE });
  await settle();
  assert.deepEqual([inspector.data?.id, inspector.location.filter], [OTHER, ""]);
});
