import assert from "node:assert/strict";
import { lookUp } from "../../../../web/base/pointer.js";
import { Inspector } from "../../../../web/model/inspector/inspector.js";
import { ListRefresh } from "../../../../web/model/sources/list-refresh.js";
import { START } from "../../../../web/model/inspector/location.js";
/** @import { Counted } from "../../../../web/model/timeline/counted.js" */

import { settle } from "../../daemons.js";
import { counterLines, openLines, TIMELINE } from "../../files.js";

async function open(count = 1_000, location = START) {
  const inspector = new Inspector();
  inspector.location = { ...location };
  await inspector.attach(await openLines(counterLines(count)));
  await settle();
  return inspector;
}

/** @param {Inspector} inspector */
const shownCount = (inspector) => {
  const { shown } = inspector.moment;
  return shown?.is === "known" ? lookUp(shown.state, ["n"]) : undefined;
};

Deno.test("opens the only timeline at its end, or where the link says", async () => {
  const plain = await open();
  assert.equal(plain.cursor, 999);
  assert.equal(shownCount(plain), 999 + 333);
  const linked = await open(1_000, {
    ...START,
    timeline: TIMELINE,
    seq: 30,
    filter: 'event == "add"',
  });
  assert.equal(linked.cursor, 30);
  assert.equal(linked.data?.filtered?.count, 333);
  const beyond = await open(10, { ...START, timeline: TIMELINE, seq: 5_000 });
  assert.equal(beyond.cursor, 9);
});

Deno.test("moves along the entries, and remembers jumps but not steps", async () => {
  const inspector = await open();
  /** @type {boolean[]} */
  const moves = [];
  inspector.moved.listen((isNew) => moves.push(isNew));
  inspector.goTo(500, { isJump: true });
  inspector.step(-1);
  inspector.step(10);
  await settle();
  assert.equal(inspector.cursor, 509);
  assert.equal(shownCount(inspector), 509 + 169);
  assert.deepEqual(moves, [true, false, false]);
  inspector.goTo(-5);
  assert.equal(inspector.cursor, 0);
});

Deno.test("computes neighbors from their patches, sharing unchanged values", async () => {
  const inspector = await open();
  inspector.goTo(500);
  await settle();
  const { shown: first } = inspector.moment;
  inspector.step(1);
  const { shown: second } = inspector.moment;
  assert.equal(inspector.moment.isLoading, false);
  assert.ok(first?.is === "known" && second?.is === "known");
  assert.equal(lookUp(second.state, ["log"]), lookUp(first.state, ["log"]));
  assert.deepEqual(inspector.moment.changes("state")?.map(({ path }) => path), ["/n"]);
});

Deno.test("goes along the changes of a pinned value, and to the entry that set one", async () => {
  const inspector = await open();
  inspector.goTo(500);
  inspector.setPin("/outputs/isEven");
  await settle();
  const step = inspector.pin?.after(500)?.seq ?? 0;
  inspector.travel.stepChange(1);
  assert.equal(inspector.cursor, step);
  assert.ok(step > 500 && step < 503);
  inspector.goTo(step + 1);
  await inspector.travel.whoSet("/state/n");
  assert.equal(inspector.cursor, step + 1);
  assert.equal(inspector.notices.list.at(-1)?.text, "This entry set the value.");
  await inspector.travel.whoSet("/state/log");
  assert.match(inspector.notices.list.at(-1)?.text ?? "", /has not changed/);
  inspector.goTo(10);
  await settle();
  assert.ok(inspector.pin?.covers(10));
});

Deno.test("a late search result does not bring back a user who went elsewhere", async () => {
  const inspector = await open();
  inspector.goTo(500);
  inspector.setFilter("state.n > 1300");
  const ways = [
    () => inspector.travel.whoSet("/state/n"),
    () => inspector.travel.stepMatch(1),
    () => inspector.travel.goToEffect(),
    () => inspector.travel.goToTime(1),
  ];
  for (const look of ways) {
    inspector.goTo(500);
    const looking = look();
    inspector.goTo(20);
    await looking;
    assert.equal(inspector.cursor, 20, String(look));
  }
  await inspector.travel.goToTime(0);
  assert.equal(inspector.cursor, 0);
});

Deno.test("filters, and shows where a filter is wrong", async () => {
  const inspector = await open();
  inspector.setFilter("state.n > 1300");
  await settle();
  assert.equal(inspector.data?.rows.count, 24);
  inspector.goTo(0);
  await inspector.travel.stepMatch(1);
  assert.equal(inspector.cursor, 976);
  await inspector.travel.stepMatch(-1);
  assert.equal(inspector.cursor, 976);
  inspector.setFilter("stat > 1");
  assert.deepEqual(inspector.data?.filterError, {
    message: "no value is called 'stat'; did you mean 'state'?",
    column: 1,
  });
  inspector.setFilter("");
  assert.equal(inspector.data?.rows.count, 1_000);
});

Deno.test("finds a plain word in the names of events", async () => {
  const inspector = await open();
  inspector.setFilter("ADD");
  await settle();
  assert.equal(inspector.data?.filterError, undefined);
  assert.equal(inspector.data?.rows.count, 333);
  inspector.goTo(0);
  await inspector.travel.stepMatch(1);
  assert.equal(inspector.cursor, 3);
  // A word of the language keeps its meaning: no entry has an error.
  inspector.setFilter("error");
  await settle();
  assert.equal(inspector.data?.rows.count, 0);
});

Deno.test("selects stretches, marks entries and watches columns", async () => {
  const inspector = await open();
  inspector.goTo(100);
  inspector.goTo(120, { extend: true });
  inspector.goTo(90, { extend: true });
  assert.deepEqual(inspector.stretch, { from: 90, to: 100 });
  await inspector.travel.toggleMark();
  assert.deepEqual(inspector.summary?.marks, [{ seq: 90, text: "mark" }]);
  assert.equal(inspector.marked?.seq, 90);
  await inspector.travel.toggleMark();
  assert.deepEqual(inspector.summary?.marks, []);
  inspector.setTab("watch");
  inspector.watch?.toggle("/state/n", 90);
  await settle();
  assert.equal(inspector.watch?.value(0, 90), 120);
  inspector.goTo(900);
  await settle();
  assert.equal(inspector.watch?.value(0, 900), 1_200);
});

Deno.test("follows a live timeline, and stops when the user goes back", async () => {
  const inspector = await open(100);
  const { source, data } = inspector;
  assert.ok(source && data);
  inspector.follow();
  const grow = (/** @type {number} */ last) =>
    source.news.emit({
      type: "live",
      timeline: TIMELINE,
      last,
      t: last * 1_000,
      entries: [{ seq: last, t: last * 1_000, event: "step", patch: [] }],
    });
  grow(100);
  assert.equal(inspector.cursor, 100);
  assert.equal(inspector.newCount, 0);
  inspector.goTo(50);
  assert.equal(inspector.isFollowing, false);
  grow(101);
  grow(102);
  assert.equal(inspector.cursor, 50);
  assert.equal(inspector.newCount, 2);
  inspector.follow();
  assert.equal(inspector.cursor, 102);
  assert.equal(data.summary.entries, 103);
  assert.equal(data.rows.count, 103);
  inspector.stopFollowing();
  grow(103);
  assert.deepEqual([inspector.cursor, inspector.newCount], [102, 1]);
});

Deno.test("clears the selected range when Back goes elsewhere", async () => {
  const inspector = await open();
  inspector.goTo(100);
  inspector.goTo(120, { extend: true });
  inspector.visit({ ...inspector.location, seq: 700 });
  assert.deepEqual(inspector.stretch, { from: 700, to: 700 });
});

Deno.test("keeps the mark with its source", async () => {
  const inspector = await open();
  await inspector.travel.toggleMark();
  inspector.leave();
  await inspector.attach(await openLines(counterLines(20)));
  assert.equal(inspector.marked, undefined);
});

Deno.test("goes back to where a link leads without another step of history", async () => {
  const inspector = await open();
  inspector.goTo(10, { isJump: true });
  inspector.setPin("/state/n");
  /** @type {boolean[]} */
  const moves = [];
  inspector.moved.listen((isNew) => moves.push(isNew));
  inspector.visit({ ...inspector.location, seq: 700, pin: undefined });
  await settle();
  assert.equal(inspector.cursor, 700);
  assert.equal(inspector.pin, undefined);
  assert.deepEqual(moves, []);
});

Deno.test("says that a timeline was deleted, and shows another one", async () => {
  const inspector = await open(10);
  inspector.source?.news.emit({ type: "gone", timeline: TIMELINE });
  assert.equal(inspector.data, undefined);
  assert.match(inspector.notices.list.map(({ text }) => text).join(), /deleted/);
});

Deno.test("shows rows of lost entries as gaps", async () => {
  const lines = counterLines(40);
  const kept = [...lines.slice(0, 15), {
    seq: 20,
    t: 20_000,
    event: "x",
    state: { n: 0 },
    gap: { lost: 5, why: "outbox full" },
  }];
  const inspector = new Inspector();
  await inspector.attach(await openLines(kept));
  await settle();
  assert.equal(inspector.data?.rows.count, 17);
  assert.equal(inspector.data?.lostCount, 5);
  assert.equal(inspector.data?.rows.at(15)?.is, "gap");
  inspector.step(-1);
  assert.equal(inspector.cursor, 14);
  inspector.goTo(17);
  assert.equal(inspector.cursor, 20);
});

Deno.test("finds the entry at a time, exactly at the edges of buckets", async () => {
  const inspector = await open(1_000);
  const { data } = inspector;
  assert.ok(data);
  for (const span of [{ start: 0, end: 999_001 }, { start: 400_000, end: 500_000 }]) {
    data.counted(span, 100);
    await settle();
    const counted = /** @type {Counted} */ (data.counted(span, 100));
    const { from } = counted.overview;
    const edge = from +
      Math.ceil((span.start - from) / counted.bucketSize + 3) * counted.bucketSize;
    assert.equal(counted.seqAt(edge), Math.ceil(edge / 1_000));
    for (const seq of [401, 450, 499]) {
      assert.ok(Math.abs(counted.timeOf(seq) - seq * 1_000) <= counted.bucketSize, `${seq}`);
      assert.ok(Math.abs(counted.seqAt(seq * 1_000) - seq) <= counted.bucketSize / 1_000 + 1);
    }
    assert.equal(counted.seqAt(-5), counted.base);
  }
});

Deno.test("finds the gaps of a long timeline by its counts, without searching it", async () => {
  const lines = counterLines(6_000);
  const kept = lines.flatMap((line, seq) => {
    const isLost = seq > 1_000 && seq < 1_010 || seq === 4_500;
    if (isLost) return [];
    const lost = seq === 1_010 ? 9 : seq === 4_501 ? 1 : 0;
    return [
      lost > 0
        ? { seq, t: seq * 1_000, event: "x", state: { n: 0, log: [] }, gap: { lost, why: "full" } }
        : line,
    ];
  });
  const file = await openLines(kept);
  const inspector = new Inspector();
  await inspector.attach(file);
  await settle();
  await settle();
  assert.deepEqual(inspector.data?.gaps.map(({ seq, lost }) => [seq, lost]), [[1_010, 9], [
    4_501,
    1,
  ]]);
  assert.equal(inspector.data?.rows.count, 6_000 - 10 + 2);
});

Deno.test("computes a state from the entry before, not from the match before", async () => {
  const inspector = await open();
  inspector.setFilter('event == "add"');
  await settle();
  inspector.goTo(30);
  await settle();
  for (let left = 4; left > 0; left--) {
    inspector.step(1);
    await settle();
    const { cursor } = inspector;
    assert.equal(shownCount(inspector), cursor + cursor / 3, `after ${cursor}`);
  }
});

Deno.test("stops a search, keeps what it found, and goes on", async () => {
  const inspector = await open();
  inspector.setFilter("state.n > 5");
  assert.equal(inspector.data?.searches.running.length, 1);
  inspector.data?.stopSearching();
  await settle();
  assert.deepEqual(
    [inspector.data?.searches.running.length, inspector.data?.filtered?.isStopped],
    [0, true],
  );
  assert.equal(inspector.data?.filterError, undefined);
  await inspector.data?.extendFilter();
  assert.equal(inspector.data?.rows.count, 0);
  inspector.data?.goOnSearching();
  await settle();
  assert.ok((inspector.data?.rows.count ?? 0) > 400);
  const stepping = inspector.travel.stepMatch(-1);
  inspector.data?.stopSearching();
  await stepping;
  assert.equal(inspector.notices.list.length, 0);
});

/** The file as a daemon would answer for it, alive; what it is asked for is noted. */
async function openLive(count = 20) {
  const file = await openLines(counterLines(count));
  const { timelines: [summary] } = await file.ask({ type: "timelines" });
  assert.ok(summary);
  const live = { ...summary, live: true };
  const other = {
    ...live,
    header: { ...live.header, timeline: `${TIMELINE.slice(0, -1)}f` },
    last: 3,
  };
  /** @type {unknown[]} */
  const asked = [];
  const source = {
    kind: /** @type {const} */ ("daemon"),
    capabilities: file.capabilities,
    news: file.news,
    ask: (/** @type {any} */ request, /** @type {any} */ options) => {
      asked.push(request);
      if (request.type === "timelines") {
        const answer = asked.length > 3
          ? [{ ...live, last: 5 }, { ...other, last: 9 }]
          : [live, other];
        return Promise.resolve({ type: "timelines", timelines: answer });
      }
      if (request.type === "watch") return Promise.resolve({ type: "done" });
      return file.ask(request, options);
    },
  };
  const inspector = new Inspector();
  inspector.setConnection(/** @type {any} */ ({ is: "open" }));
  await inspector.attach(/** @type {any} */ (source));
  await settle();
  return { inspector, live, other, news: file.news };
}

Deno.test("follows a timeline to its last entry also when it is closed at once", async () => {
  const { inspector, live, news } = await openLive();
  assert.equal(inspector.isFollowing, true);
  inspector.goTo(19);
  inspector.data?.update({ ...live, last: 15 });
  inspector.location = { ...inspector.location, seq: 15 };
  news.emit(/** @type {any} */ ({ type: "timeline", timeline: { ...live, live: undefined } }));
  assert.equal(inspector.cursor, 19);
});

Deno.test("requests the lengths of other live timelines, but not of the shown one", async () => {
  const { inspector, live, other, news } = await openLive();
  const list = new ListRefresh(inspector);
  await list.refresh();
  assert.equal(inspector.summaries.get(other.header.timeline)?.last, 9);
  assert.equal(inspector.summaries.get(live.header.timeline)?.last, 19);
  // What was deleted meanwhile does not come back.
  const asking = list.refresh();
  news.emit(/** @type {any} */ ({ type: "gone", timeline: other.header.timeline }));
  await asking;
  assert.equal(inspector.summaries.has(other.header.timeline), false);
});
