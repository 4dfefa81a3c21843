/** Gaps of a timeline that grows: also those that no news reported. */

import assert from "node:assert/strict";
import { RequestError } from "../../../../web/wire/requests.js";
import { idOf, inspect, openDaemon, settle } from "../../daemons.js";
import { counterLines, HEADER, openLines } from "../../files.js";

/** @import { JsonObject } from "../../../../web/base/json-types.d.ts" */

const ID = idOf("a");

/** The entries of a counter, of which some were lost. @type {JsonObject[]} */
const LINES = counterLines(60).flatMap((line, seq) => {
  if (seq >= 30 && seq < 35 || seq === 50) return [];
  const lost = seq === 35 ? 5 : seq === 51 ? 1 : 0;
  return [lost > 0 ? { ...line, state: { n: 0 }, gap: { lost, why: "outbox full" } } : line];
});

/** A page that knows the first twenty entries of a live timeline, which has all of them by now. */
async function open() {
  const daemon = await openDaemon([{ id: ID, rest: { live: true } }]);
  const all = await openLines(LINES, { ...HEADER, timeline: ID });
  /** @type {any[]} */
  const looks = [];
  let [hasGrown, isLooking] = [false, true];
  const ask = async (/** @type {any} */ request, /** @type {any} */ options) => {
    if (!hasGrown || request.type !== "entries") return await daemon.source.ask(request, options);
    if (request.filter === "gap") {
      looks.push(request);
      if (!isLooking) throw new RequestError("limit", "Not now.");
    }
    return await all.ask(request);
  };
  const page = await inspect({ ...daemon.source, ask }, { timeline: ID, seq: 3 });
  const { data } = page.inspector;
  assert.ok(data);
  /** @param {number} last @param {number} from the first entry that is reported */
  const grow = (last, from) => {
    hasGrown = true;
    const entries = LINES.filter(({ seq }) => Number(seq) >= from && Number(seq) <= last);
    daemon.news.emit({ type: "live", timeline: ID, last, t: last * 1_000, entries });
  };
  return {
    ...page,
    daemon,
    data,
    grow,
    looks,
    showAll: () => void (hasGrown = true),
    lookAway: () => void (isLooking = false),
    /** Until entries were looked at that news left out. */
    looked: async () => {
      for (let turn = 0; turn < 20 && looks.length === 0; turn++) await settle();
      await settle();
    },
  };
}

Deno.test("finds losses among the entries that updates skipped, with one request", async () => {
  const { data, grow, looks, looked } = await open();
  for (let last = 24; last < 60; last += 5) grow(last, last);
  assert.equal(data.lostCount, 0);
  await looked();
  assert.deepEqual(looks.map(({ from, count }) => [from, count]), [[20, 40]]);
  assert.deepEqual(data.gaps.map(({ seq, lost }) => [seq, lost]), [[35, 5], [51, 1]]);
  assert.deepEqual([data.rows.count, data.summary.entries], [56, 54]);
});

Deno.test("requests no gaps if updates skipped nothing", async () => {
  const { data, grow, looks, looked } = await open();
  grow(40, 20);
  assert.equal(data.lostCount, 5);
  grow(59, 59);
  await looked();
  assert.deepEqual(looks.map(({ from, count }) => [from, count]), [[41, 19]]);
  assert.deepEqual([data.lostCount, data.rows.count, data.summary.entries], [6, 56, 54]);
});

Deno.test("records a gap that it finds while reading entries", async () => {
  const { data, grow, lookAway, looked } = await open();
  lookAway();
  grow(59, 59);
  await looked();
  assert.equal(data.lostCount, 0);
  data.entries.want([40]);
  await settle();
  assert.deepEqual([data.lostCount, data.rows.count], [6, 56]);
});

Deno.test("looks for gaps in entries that only a summary reported", async () => {
  const { data, daemon, showAll, looked } = await open();
  const [summary] = daemon.summaries;
  const timeline = { ...summary, last: 59, entries: 54 };
  showAll();
  daemon.news.emit({ type: "timeline", timeline });
  await looked();
  assert.deepEqual([data.lostCount, data.summary.entries], [6, 54]);
});
