/** What the page catches up with when a daemon is back, or answers late. */

import assert from "node:assert/strict";
import { CursorMoment } from "../../../../web/model/state/cursor-moment.js";
import { RequestError } from "../../../../web/wire/requests.js";
import { idOf, inspect, openDaemon, settle } from "../../daemons.js";
import { counterLines, openLines } from "../../files.js";

/** @import { START } from "../../../../web/model/inspector/location.js" */

const ID = idOf("a");
const GONE = "The daemon is not connected.";

/** @param {number} count */
const recorded = (count) => openDaemon([{ id: ID, count, rest: { live: true } }]);

/**
 * A daemon that is away for a while, during which the app records on.
 *
 * @param {Partial<typeof START>} [location]
 */
async function open(location) {
  const [before, after] = [await recorded(40), await recorded(60)];
  let [isAway, isBack] = [false, false];
  let lost = 0;
  const source = {
    ...before.source,
    ask: (/** @type {any} */ request, /** @type {any} */ options) => {
      if (!isAway) return (isBack ? after : before).source.ask(request, options);
      lost++;
      return Promise.reject(new RequestError("disconnected", GONE));
    },
  };
  const page = await inspect(source, { timeline: ID, ...location });
  return {
    ...page,
    source,
    leave: () => void (isAway = true),
    comeBack: async () => {
      [isAway, isBack] = [false, true];
      await page.inspector.attach(source);
      await settle();
    },
    /** How many questions were asked in vain. */
    get lost() {
      return lost;
    },
  };
}

Deno.test("goes to the live timeline when the daemon is back, before the next event", async () => {
  const { inspector, leave, comeBack } = await open();
  assert.deepEqual([inspector.isFollowing, inspector.cursor], [true, 39]);
  leave();
  await comeBack();
  assert.equal(inspector.cursor, 59);
  assert.equal(inspector.moment.shown?.seq, 59);
});

Deno.test("filters entries that arrived while the daemon was away", async () => {
  const { inspector, leave, comeBack } = await open({ seq: 10, filter: 'event == "add"' });
  const { data } = inspector;
  assert.deepEqual([data?.rows.count, data?.filtered?.isComplete], [13, true]);
  leave();
  await comeBack();
  await data?.extendFilter();
  assert.deepEqual([data?.rows.count, data?.filtered?.isComplete], [19, true]);
});

Deno.test("knows later changes of a pinned value when the daemon is back", async () => {
  const { inspector, leave, comeBack } = await open({ seq: 39, pin: "/state/n" });
  assert.equal(inspector.pin?.after(39), undefined);
  leave();
  await comeBack();
  assert.equal(inspector.pin?.after(39)?.seq, 40);
});

Deno.test("loads what was pinned and watched while the daemon was away", async () => {
  const { inspector, leave, comeBack } = await open({ seq: 20 });
  leave();
  inspector.setTab("watch");
  inspector.setPin("/state/n");
  inspector.watch?.toggle("/state/n", 20);
  await settle();
  assert.deepEqual([inspector.pin?.message, inspector.watch?.message], [GONE, GONE]);
  await comeBack();
  assert.deepEqual([inspector.pin?.message, inspector.pin?.after(20)?.seq], ["", 21]);
  assert.deepEqual([inspector.watch?.message, inspector.watch?.value(0, 21)], ["", 28]);
});

Deno.test("requests rows and matches once while the daemon is away", async () => {
  const page = await open({ seq: 10 });
  const { inspector, leave, comeBack } = page;
  const { data } = inspector;
  leave();
  inspector.setFilter("state.n > 5");
  // As the list does, whenever it is drawn.
  let isDrawing = false;
  const stop = inspector.changed.listen(() => {
    if (isDrawing) return;
    isDrawing = true;
    setTimeout(() => {
      isDrawing = false;
      data?.entries.want([1_000]);
      void data?.extendFilter();
    }, 0);
  });
  inspector.changed.emit();
  await settle();
  stop();
  assert.ok(page.lost < 5, `${page.lost}`);
  assert.equal(data?.isAway, true);
  await comeBack();
  assert.deepEqual([data?.isAway, data?.rows.count], [false, 55]);
});

Deno.test("finds losses from the time when the daemon was away", async () => {
  const gap = (/** @type {number} */ seq, /** @type {number} */ lost) => ({
    seq,
    t: seq * 1_000,
    event: "x",
    state: { n: 0 },
    gap: { lost, why: "outbox full" },
  });
  const lines = [...counterLines(15), gap(20, 5)];
  const [before, after] = [await openLines(lines), await openLines([...lines, gap(30, 9)])];
  let isBack = false;
  const ask = (/** @type {any} */ request) => (isBack ? after : before).ask(request);
  const source = /** @type {any} */ ({ ...before, news: before.news, ask });
  const { inspector } = await inspect(source);
  assert.equal(inspector.data?.lostCount, 5);
  isBack = true;
  await inspector.attach(source);
  await settle();
  assert.deepEqual([inspector.data?.lostCount, inspector.data?.rows.count], [14, 19]);
});

Deno.test("compares with the previous moment as soon as it is loaded", async () => {
  const { source } = await recorded(40);
  let isBroken = true;
  const partly = {
    ...source,
    ask: (/** @type {any} */ request) =>
      isBroken && request.slot === "before"
        ? Promise.reject(new RequestError("disconnected", GONE))
        : source.ask(request),
  };
  const { inspector } = await inspect(partly, { timeline: ID, seq: 5 });
  const later = (/** @type {() => void} */ call) => void setTimeout(call, 0);
  inspector.moment = new CursorMoment(() => inspector.changed.emit(), later);
  inspector.goTo(20);
  await settle();
  assert.equal(inspector.moment.before?.is, "failed");
  isBroken = false;
  await inspector.attach(partly);
  await settle();
  assert.equal(inspector.moment.before?.is, "known");
});

Deno.test("catches up on entries between the list and the first update", async () => {
  const [before, after] = [await recorded(40), await recorded(60)];
  const source = {
    ...after.source,
    ask: (/** @type {any} */ request, /** @type {any} */ options) => {
      if (request.type === "timelines" && !request.app) return before.source.ask(request);
      if (request.type === "watch" && request.timeline) {
        return Promise.resolve({ type: "done", seq: 59 });
      }
      return after.source.ask(request, options);
    },
  };
  const { inspector } = await inspect(source);
  assert.deepEqual([inspector.data?.last, inspector.cursor], [59, 59]);
  assert.equal(after.of("timelines").length, 1);
});

Deno.test("ignores late replies of a source that was left", async () => {
  for (const isLate of ["answer", "failure"]) {
    const [one, other] = [await recorded(40), await openDaemon([{ id: idOf("b"), count: 10 }])];
    /** @type {(() => void)[]} */
    const waiting = [];
    const late = {
      ...one.source,
      ask: async (/** @type {any} */ request) => {
        await new Promise((resolve) => waiting.push(() => resolve(undefined)));
        if (isLate === "failure") throw new RequestError("failed", "It was closed.");
        return await one.source.ask(request);
      },
    };
    const { inspector, notices } = await inspect(other.source);
    const attaching = inspector.attach(late);
    await inspector.attach(other.source);
    for (const answer of waiting) answer();
    await attaching;
    await settle();
    assert.equal(inspector.data?.id, idOf("b"));
    assert.deepEqual([...inspector.summaries.keys()], [idOf("b")]);
    assert.deepEqual(notices(), []);
  }
});
