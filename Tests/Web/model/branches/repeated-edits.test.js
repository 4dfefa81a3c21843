import assert from "node:assert/strict";
import { idOf, inspect, openDaemon } from "../../daemons.js";

const [ONE = "", BRANCH = "", FRESH = ""] = ["a", "b", "c"].map(idOf);

/** @import { JsonObject } from "../../../../web/base/json-types.d.ts" */

/**
 * A timeline with a branch.
 *
 * @param {JsonObject} parent what the branch's header adds about its parent
 * @param {JsonObject} [rest] members of its summary
 */
async function open(parent, rest = {}) {
  const base = { timeline: ONE, through: 19, start: 5 };
  const daemon = await openDaemon([
    { id: ONE },
    { id: BRANCH, header: { parent: { ...base, name: "mine", ...parent } }, rest },
    { id: FRESH, header: { parent: { ...base, edits: [{ cut: 3 }] } } },
  ], { fork: () => ({ type: "fork", timeline: FRESH, start: 5, parent: ONE }) });
  return { ...daemon, ...await inspect(daemon.source, { timeline: ONE, seq: 5 }) };
}

Deno.test("repeating an edit goes to the branch that it made", async () => {
  const { inspector, timeTravel: { rewriting, forking }, of, notices } = await open({
    // As another program writes it.
    edits: [{ drop: [5, 5] }],
  });
  await rewriting.skip();
  assert.deepEqual(of("fork"), []);
  assert.deepEqual([inspector.data?.id, inspector.cursor], [BRANCH, 5]);
  assert.deepEqual(notices(), [
    "This edit was made before. You are on its branch. " +
    "To run it again on the current reducer, choose Compute again.",
  ]);
  await forking.undo();
  assert.deepEqual([inspector.data?.id, inspector.cursor], [ONE, 5]);
  // The advice: Compute again runs the reducer.
  await forking.recompute(BRANCH);
  assert.equal(of("fork").length, 1);
});

Deno.test("another script, other entries, and a branch that failed make a new branch", async () => {
  const drop = { edits: [{ drop: 5 }] };
  /** @type {[JsonObject, JsonObject?][]} */
  const cases = [
    [{ edits: [{ drop: 6 }] }],
    [{ edits: [{ drop: 5 }, { swap: [1, 2] }] }],
    [{ ...drop, through: 12 }],
    [{ ...drop, timeline: idOf("d") }],
    [{ ...drop, failure: "state.n > 3" }],
    [drop, { ended: "failed" }],
  ];
  for (const [parent, rest] of cases) {
    const { inspector, timeTravel: { rewriting }, of } = await open(parent, rest);
    await rewriting.skip();
    assert.equal(of("fork").length, 1, JSON.stringify([parent, rest]));
    assert.equal(inspector.data?.id, FRESH);
  }
});

Deno.test("the name of a branch has no value that replaces a redacted one", async () => {
  for (const isRedacted of [false, true]) {
    const { inspector, timeTravel: { rewriting }, of } = await open({ edits: [] });
    const entry = inspector.data?.entries.get(5);
    assert.ok(entry);
    if (isRedacted) entry.redacted = new Map([["/event/add/by", "9f2c"]]);
    await rewriting.edit("replace");
    rewriting.draft?.setText('{"add":{"by":4711}}');
    await rewriting.applyDraft();
    assert.equal(/4711/.test(of("fork")[0].name), !isRedacted, of("fork")[0].name);
  }
});
