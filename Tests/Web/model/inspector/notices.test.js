import assert from "node:assert/strict";
import { Notices } from "../../../../web/model/inspector/notices.js";
import { RequestError } from "../../../../web/wire/requests.js";
import { holding, idOf, inspect, openDaemon, settle } from "../../daemons.js";

const [ONE = "", OTHER = "", BRANCH = ""] = ["a", "b", "c"].map(idOf);

/** Two machines and a branch of the first one, whose forks fail with a text if one is set. */
async function open() {
  /** @type {{ fork?: string, dispatch?: string }} */
  const failing = {};
  const fail = (/** @type {string | undefined} */ text) => {
    if (text !== undefined) throw new RequestError("failed", text);
  };
  const live = { live: true, controllable: true };
  const daemon = await openDaemon([
    { id: ONE, rest: live },
    { id: OTHER, rest: live },
    { id: BRANCH, header: { parent: { timeline: ONE, through: 19, start: 5, edits: [] } } },
  ], {
    fork: () => {
      fail(failing.fork);
      return { type: "fork", timeline: BRANCH, start: 5, parent: ONE };
    },
    hold: () => ({ type: "done", lease: "l1" }),
    dispatch: () => {
      fail(failing.dispatch);
      return { type: "done" };
    },
  });
  return { ...daemon, failing };
}

Deno.test("notices about a timeline go when another one is shown", async () => {
  const { source, failing, news } = await open();
  const { inspector, timeTravel: { rewriting }, notices } = await inspect(source, {
    timeline: ONE,
    seq: 5,
  });
  failing.fork = "The event is lost.";
  for (const next of [BRANCH, OTHER]) {
    inspector.open(ONE, 5);
    await rewriting.skip();
    inspector.notify("warning", "A value is unknown.");
    assert.deepEqual(notices(), ["The event is lost.", "A value is unknown."]);
    inspector.open(next);
    assert.deepEqual(notices(), [], next);
  }
  // What is about the whole page stays.
  news.emit({ type: "notice", level: "warning", message: "The disk is nearly full." });
  inspector.open(ONE);
  inspector.open(BRANCH);
  assert.deepEqual(notices(), ["The disk is nearly full."]);
});

Deno.test("a late failure belongs to the timeline that it is about", async () => {
  const { source, failing } = await open();
  const held = holding(source, "fork");
  const { inspector, timeTravel: { rewriting } } = await inspect(held.source, {
    timeline: ONE,
    seq: 5,
  });
  failing.fork = "The event is lost.";
  held.hold();
  const skipping = rewriting.skip();
  await settle();
  inspector.open(OTHER);
  await held.letGo();
  await skipping;
  const subjects = () => inspector.notices.list.map(({ text, timeline }) => [text, timeline]);
  assert.deepEqual(subjects(), [["The event is lost.", ONE]]);
  // It is still to be read where it belongs.
  inspector.open(ONE);
  assert.deepEqual(subjects(), [["The event is lost.", ONE]]);
  inspector.open(OTHER);
  assert.deepEqual(subjects(), []);
});

Deno.test("another attempt removes what the one before reported", async () => {
  const { source, failing } = await open();
  const { inspector, timeTravel, notices } = await inspect(source, { timeline: ONE, seq: 5 });
  const { rewriting, driving, control } = timeTravel;
  for (const text of ["The first one failed.", "The second one failed."]) {
    failing.fork = text;
    await rewriting.skip();
    assert.deepEqual(notices(), [text]);
  }
  inspector.notices.clear();
  await control.hold(ONE, "queue");
  failing.dispatch = "The machine refused the event.";
  await driving.sendLive();
  assert.deepEqual(notices(), ["The machine refused the event."]);
  delete failing.dispatch;
  await driving.sendLive();
  assert.deepEqual(notices(), []);
});

Deno.test("a daemon that accepts the page again ends the warning that it did not", async () => {
  const { source } = await open();
  const { inspector, notices } = await inspect(source, { timeline: ONE });
  inspector.setConnection({ is: "refused", reason: "unauthorized", why: "The session ended." });
  assert.match(notices().join(), /^The session ended\./);
  inspector.setConnection(/** @type {any} */ ({ is: "open" }));
  assert.deepEqual(notices(), []);
});

Deno.test("a deleted timeline takes its notices along, and its deletion is reported", async () => {
  const { source, news } = await open();
  const { inspector, notices } = await inspect(source, { timeline: BRANCH });
  inspector.notify("warning", "A value is unknown.");
  news.emit({ type: "gone", timeline: BRANCH });
  assert.deepEqual(notices(), ["The timeline that you were viewing was deleted."]);
  news.emit({ type: "notice", level: "error", message: "It failed.", timeline: OTHER });
  assert.equal(notices().length, 2);
  news.emit({ type: "gone", timeline: OTHER });
  assert.equal(notices().length, 1);
});

Deno.test("the same text about two timelines is two notices", () => {
  const notices = new Notices(() => {});
  notices.add("error", "It failed.", { timeline: ONE });
  notices.add("error", "It failed.", { timeline: ONE });
  notices.add("error", "It failed.", { timeline: OTHER });
  assert.equal(notices.list.length, 2);
});
