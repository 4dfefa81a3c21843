/** The app is restarted while its timeline is in view. */

import assert from "node:assert/strict";
import { idOf, inspect, openDaemon, settle } from "../../daemons.js";

const OLD = idOf("1");
const NEW = idOf("2");
const OTHER = idOf("3");
const RUNS = {
  old: { app: { name: "Shop", pid: 1 } },
  new: { app: { name: "Shop", pid: 2 }, started: "2026-05-01T09:00:00Z" },
};
const COINS = {
  ...RUNS.new,
  machine: { type: "Commute.Favorites", name: "coin", make: "Coin()" },
};

/** An inspector of a live counter, and its notices when the app ends and starts again. */
async function openApp() {
  const daemon = await openDaemon([
    { id: OLD, header: RUNS.old, rest: { live: true } },
    { id: NEW, count: 5, header: RUNS.new, rest: { live: true } },
    { id: OTHER, count: 5, header: COINS, rest: { live: true } },
  ]);
  const [old, fresh, other] = daemon.summaries.splice(0);
  daemon.summaries.push(old);
  const { inspector, notices } = await inspect(daemon.source);
  inspector.setFilter("state.n > 1");
  inspector.setPin("/state/n");
  inspector.watch?.toggle("/state/n", 3);
  const tell = async (/** @type {any} */ summary) => {
    daemon.news.emit({ type: "timeline", timeline: summary });
    await settle();
  };
  return {
    inspector,
    daemon,
    notices,
    end: () => tell({ ...old, live: false }),
    start: () => tell(fresh),
    startOther: () => tell(other),
  };
}

/** @param {import("../../../../web/model/inspector/inspector.js").Inspector} inspector */
const viewOf = (inspector) => ({
  timeline: inspector.data?.id,
  isFollowing: inspector.isFollowing,
  filter: inspector.data?.filter,
  pin: inspector.pin?.path,
  watched: inspector.watch?.paths,
});

const KEPT = { filter: "state.n > 1", pin: "/state/n", watched: ["/state/n"] };

Deno.test("follows the app into its next run, with the filter, the pin, and the watches", async () => {
  const { inspector, notices, end, start, startOther } = await openApp();
  await end();
  await startOther();
  assert.equal(inspector.data?.id, OLD);
  await start();
  assert.deepEqual(viewOf(inspector), { timeline: NEW, isFollowing: true, ...KEPT });
  assert.equal(inspector.cursor, 4);
  assert.deepEqual(notices(), ["Shop was restarted. You are following the new counter."]);
});

Deno.test("offers the next run to a user who has gone back", async () => {
  const { inspector, end, start } = await openApp();
  inspector.goTo(7);
  await end();
  await start();
  assert.deepEqual([inspector.data?.id, inspector.cursor], [OLD, 7]);
  const [offer] = inspector.notices.list;
  assert.deepEqual([offer?.text, offer?.action?.label], [
    "Shop was restarted.",
    "Follow the new counter",
  ]);
  offer?.action?.run();
  await settle();
  assert.deepEqual(viewOf(inspector), { timeline: NEW, isFollowing: true, ...KEPT });
  assert.deepEqual(inspector.notices.list, []);
});

Deno.test("stays while the first run is live", async () => {
  const { inspector, notices, start } = await openApp();
  await start();
  assert.deepEqual([inspector.data?.id, notices()], [OLD, []]);
});

Deno.test("follows an app that was restarted while the daemon was away", async () => {
  const { inspector, daemon } = await openApp();
  const [old] = daemon.summaries;
  const header = { ...old.header, ...RUNS.new, timeline: NEW };
  const { source } = await openDaemon([{ id: NEW, count: 5, header: RUNS.new }]);
  const { timelines: [plain] } = await source.ask({ type: "timelines" });
  daemon.summaries.splice(0, 1, { ...old, live: false }, { ...plain, header, live: true });
  await inspector.attach(daemon.source);
  assert.equal(inspector.data?.id, NEW);
});

Deno.test("leaves the errors of a machine with it, and those of the connection when it is back", async () => {
  const { inspector, notices, startOther } = await openApp();
  inspector.notify("error", "The counter refused.");
  await startOther();
  inspector.open(OTHER);
  assert.deepEqual(notices(), []);
  inspector.setConnection(/** @type {any} */ ({ is: "waiting", until: 0 }));
  inspector.notify("error", "The coin refused.");
  inspector.notify("error", "The daemon is not connected.");
  inspector.setConnection(/** @type {any} */ ({ is: "open" }));
  assert.deepEqual(notices(), ["The coin refused."]);
});
