import assert from "node:assert/strict";
import { whyNotBefore } from "../../../../web/model/branches/moving.js";
import { RequestError } from "../../../../web/wire/requests.js";
import { idOf, inspect, openDaemon, settle } from "../../daemons.js";

const [ONE = "", OTHER = "", BRANCH = ""] = ["a", "b", "c"].map(idOf);

/** Two machines; a fork leads to a branch of the first one, and what it needs may be held back. */
async function open() {
  /** @type {{ wait: Promise<void> | undefined }} */
  const slow = { wait: undefined };
  const parent = { timeline: ONE, through: 19, start: 5, edits: [{ drop: 5 }] };
  const daemon = await openDaemon(
    [
      { id: ONE, rest: { live: true, controllable: true } },
      { id: OTHER, rest: { live: true, controllable: true } },
      { id: BRANCH, header: { parent } },
    ],
    {
      fork: ({ timeline }) => ({ type: "fork", timeline: BRANCH, start: 5, parent: timeline }),
      hold: () => ({ type: "done", lease: "l1" }),
      dispatch: () => ({ type: "done", seq: 20 }),
    },
  );
  const { ask } = daemon.source;
  daemon.source.ask = async (/** @type {any} */ request, /** @type {any} */ options) => {
    const answer = await ask(request, options);
    if (request.type === "entries" && request.filter || request.type === "raw") await slow.wait;
    return answer;
  };
  const page = await inspect(daemon.source, { timeline: ONE, seq: 5 });
  page.inspector.goTo(5);
  await settle();
  return { ...page, ...daemon, slow };
}

Deno.test("an event being edited belongs to its timeline", async () => {
  const { inspector, timeTravel: { rewriting, driving, control }, of, notices } = await open();
  const write = async () => {
    await rewriting.edit("replace");
    rewriting.draft?.setText('{"add":{"by":9}}');
    return rewriting.draft?.timeline;
  };
  assert.equal(await write(), ONE);
  inspector.goTo(7);
  assert.ok(rewriting.draft);
  inspector.open(OTHER);
  assert.ok(!rewriting.draft);
  assert.match(notices().at(-1) ?? "", /event editor was closed/);
  await control.hold(OTHER, "queue");
  await rewriting.applyDraft();
  assert.deepEqual(of("fork"), []);
  assert.equal(await write(), OTHER);
  await driving.sendLive();
  assert.equal(of("dispatch")[0].timeline, OTHER);
  // It has become an entry, so the editor closes.
  assert.equal(rewriting.draft, undefined);
});

Deno.test("applying an edit opens the branch without a warning about leaving", async () => {
  const { inspector, timeTravel: { rewriting }, of, notices } = await open();
  await rewriting.edit("replace");
  rewriting.draft?.setText('{"add":{"by":9}}');
  await rewriting.applyDraft();
  assert.equal(of("fork")[0].timeline, ONE);
  assert.equal(inspector.data?.id, BRANCH);
  assert.equal(rewriting.draft, undefined);
  assert.deepEqual(notices(), []);
});

Deno.test("a stored entry that cannot be read is reported, and opens no editor", async () => {
  for (const stored of [{ seq: 5 }, null, 7]) {
    const { source } = await openDaemon([{ id: ONE }], {
      entries: () => ({ type: "entries", entries: [] }),
      raw: () => ({ type: "raw", timeline: ONE, entry: stored }),
    });
    const { timeTravel: { rewriting }, notices } = await inspect(source, { timeline: ONE, seq: 5 });
    await rewriting.edit("replace");
    assert.match(notices().at(-1) ?? "", /^The daemon sent what cannot be read: entry/);
    assert.equal(rewriting.draft, undefined);
  }
});

Deno.test("a branch whose list entry does not come is reported, and the reader stays", async () => {
  const MADE = idOf("d");
  let asked = 0;
  const { source } = await openDaemon([{ id: ONE }], {
    fork: ({ timeline }) => ({ type: "fork", timeline: MADE, start: 5, parent: timeline }),
  });
  const { ask } = source;
  const { inspector, timeTravel: { rewriting }, notices } = await inspect(source, {
    timeline: ONE,
    seq: 5,
  });
  source.ask = async (/** @type {any} */ request, /** @type {any} */ options) => {
    if (request.type !== "timelines") return await ask(request, options);
    asked++;
    throw new RequestError("failed", "The list is damaged.");
  };
  await rewriting.skip();
  assert.equal(asked, 1);
  assert.equal(inspector.data?.id, ONE);
  assert.deepEqual(notices(), ["The list is damaged."]);
});

Deno.test("an entry is moved before any other, and to the end", async () => {
  const { inspector, timeTravel: { rewriting }, of, notices } = await open();
  for (const [before, at] of [[1, 1], [4, 4], [7, 6], [19, 18], [20, 19]]) {
    inspector.open(ONE, 5);
    await settle();
    const entry = rewriting.entryToMove();
    assert.deepEqual(entry, { timeline: ONE, seq: 5 });
    // What comes live takes the cursor along while the reader is asked.
    inspector.goTo(9);
    await rewriting.moveBefore(before ?? 0, entry);
    assert.deepEqual(of("fork").at(-1)?.edits, [{ move: 5, before }]);
    assert.deepEqual([inspector.data?.id, inspector.cursor], [BRANCH, at]);
  }
  assert.deepEqual(notices(), []);
});

Deno.test("says why an entry cannot be moved there, and what can be typed", async () => {
  const { inspector, timeTravel: { rewriting }, of, notices } = await open();
  const says = async (/** @type {number} */ before, /** @type {any} */ entry = undefined) => {
    await rewriting.moveBefore(before, entry);
    return notices().at(-1);
  };
  const range = "Type a number from 1 to 19, or 20 for the end.";
  assert.equal(await says(0), `The first entry stays first. ${range}`);
  assert.equal(await says(5), `Entry 5 cannot be moved before itself. ${range}`);
  assert.equal(await says(6), `Entry 5 is already before 6. ${range}`);
  assert.equal(await says(1_000), `There is no entry 1,000. ${range}`);
  assert.match(
    await says(2, { timeline: OTHER, seq: 5 }) ?? "",
    /so the event was not moved\.$/,
  );
  inspector.goTo(19);
  assert.equal(await says(20), `Entry 19 is already the last entry. ${range}`);
  assert.equal(
    whyNotBefore(undefined, { seq: 5, last: 19 }),
    `This is not an entry number. ${range}`,
  );
  assert.match(whyNotBefore(2, { seq: 1, last: 1 }) ?? "", /no other event/);
  inspector.goTo(0);
  assert.equal(rewriting.entryToMove(), undefined);
  assert.match(notices().at(-1) ?? "", /^The first entry has no event to move/);
  assert.deepEqual(of("fork"), []);
});

Deno.test("asks where to move an entry only where it can be moved", async () => {
  const { source } = await openDaemon([{ id: ONE }], {
    hosts: () => ({ type: "hosts", hosts: [] }),
  });
  const { inspector, timeTravel: { rewriting }, notices } = await inspect(source, {
    timeline: ONE,
  });
  inspector.goTo(5);
  assert.equal(rewriting.entryToMove(), undefined);
  assert.match(notices().at(-1) ?? "", /^No host runs the reducer/);
});

Deno.test("a lookup for an edit is not applied to another timeline", async () => {
  const { inspector, timeTravel: { rewriting, driving, control }, of, slow } = await open();
  await control.hold(OTHER, "queue");
  await control.hold(ONE, "queue");
  const ways = [
    () => rewriting.skipCaused(),
    () => rewriting.repeat(),
    () => rewriting.redispatch(),
    () => rewriting.edit("replace"),
    () => driving.sendLive(),
  ];
  for (const way of ways) {
    inspector.open(ONE, 5);
    // The entry is not loaded yet, as when the reader is quick.
    if (inspector.data) inspector.data.entries.get = () => undefined;
    let go = () => {};
    slow.wait = new Promise((resolve) => go = () => resolve(undefined));
    const doing = way();
    inspector.open(OTHER, 5);
    go();
    await doing;
    slow.wait = undefined;
    await settle();
    assert.deepEqual([of("fork"), of("dispatch"), rewriting.draft], [[], [], undefined], `${way}`);
  }
});

Deno.test("undo works on the machine of the edit only, and says what it undoes", async () => {
  const { inspector, timeTravel: { forking, rewriting }, notices } = await open();
  assert.equal(forking.undone, undefined);
  assert.equal(forking.whyNotWalk("undo"), undefined);
  await rewriting.edit("replace");
  rewriting.draft?.setText('{"add":{"by":9}}');
  await rewriting.applyDraft();
  assert.match(forking.undone ?? "", / in /);
  inspector.open(OTHER);
  await settle();
  assert.match(forking.whyNotWalk("undo") ?? "", /^Your last edit was in .*\. To undo it, open /);
  await forking.undo();
  assert.equal(inspector.data?.id, OTHER);
  assert.match(notices().at(-1) ?? "", /Your last edit was in/);
  inspector.open(BRANCH);
  await settle();
  assert.equal(forking.whyNotWalk("undo"), undefined);
  await forking.undo();
  assert.equal(inspector.data?.id, ONE);
});

Deno.test("a wrapped reducer is reported as not controllable, with the reason", async () => {
  const daemon = await openDaemon([{
    id: ONE,
    rest: { live: true },
    header: { machine: { type: "Basket", name: "basket", kind: "reducer" } },
  }]);
  const { timeTravel: { driving } } = await inspect(daemon.source, { timeline: ONE });
  assert.equal(
    driving.whyNotHold,
    "basket can be inspected but not controlled: it is recorded with wrap.",
  );
});

Deno.test("a minimized branch that is computed again keeps its failure", async () => {
  const parent = { timeline: ONE, through: 19, start: 5, edits: [{ drop: 5 }] };
  const daemon = await openDaemon(
    [
      { id: ONE },
      { id: OTHER, header: { parent } },
      { id: BRANCH, header: { parent: { ...parent, failure: "state.total < 0" } } },
    ],
    { fork: ({ timeline }) => ({ type: "fork", timeline: OTHER, start: 5, parent: timeline }) },
  );
  const { timeTravel: { forking } } = await inspect(daemon.source, { timeline: BRANCH, seq: 5 });
  await forking.recompute(BRANCH);
  await forking.recompute(OTHER);
  const [first, second] = daemon.of("fork");
  assert.equal(first.failure, "state.total < 0");
  assert.ok(!("failure" in second));
});

Deno.test("the name of a branch that is computed again does not repeat a condition", async () => {
  const { inspector, timeTravel: { forking }, of } = await open();
  const summary = inspector.summaries.get(BRANCH);
  assert.ok(summary?.header.parent);
  const parent = /** @type {any} */ (summary.header.parent);
  const nameAgain = async () => {
    await forking.recompute(BRANCH);
    return of("fork").at(-1)?.name;
  };
  delete summary.name;
  parent.name = "2 events: state.n > 3";
  parent.failure = "state.n > 3";
  assert.equal(await nameAgain(), "2 events, again");
  summary.name = "1 event: state.n > 3";
  assert.equal(await nameAgain(), "1 event, again");
  summary.name = "too many";
  assert.equal(await nameAgain(), "too many, again");
  // Not the name of the branch itself: both would look the same.
  summary.name = "too many, again";
  assert.equal(await nameAgain(), "too many, again (2)");
  summary.name = "too many, again (2)";
  assert.equal(await nameAgain(), "too many, again");
});
