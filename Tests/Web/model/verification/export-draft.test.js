/** What the export window asks for. */

import assert from "node:assert/strict";
import { ExportDraft, hasOutputs } from "../../../../web/model/verification/export-draft.js";

/** @import { TimelineSummary } from "../../../../web/wire/to-inspector.js" */

const ROOT = "aaaaaaaa-0000-4000-8000-000000000000";

/** @returns {TimelineSummary} */
const summary = () => ({
  header: {
    timeline: ROOT,
    app: { name: "Shop" },
    machine: { type: "Shop.Cart", name: "cart", make: "Cart()" },
    started: "2026-05-01T08:00:00Z",
    format: 1,
  },
  entries: 60,
  first: 0,
  last: 59,
  bytes: 1,
  duration: 1,
});
Deno.test("a minimized branch is exported with its failure as what must never happen", () => {
  const branch = summary();
  branch.header.parent = {
    timeline: ROOT,
    through: 9,
    start: 1,
    edits: [],
    failure: 'event == "removed" && outputs.total < 0',
  };
  const draft = new ExportDraft(branch);
  assert.equal(draft.assertion, "never");
  assert.deepEqual(draft.request.never, ['event == "removed" && outputs.total < 0']);
  assert.equal(draft.request.assertion, undefined);
  draft.never = "stat.total < 0";
  assert.match(draft.problem ?? "", /did you mean 'state'/);
  draft.never = " ";
  assert.match(draft.problem ?? "", /Enter the condition/);
  draft.assertion = "changed-outputs";
  assert.equal(draft.problem, undefined);
  assert.equal(draft.request.never, undefined);
  // Where nothing could be left out the recording itself is the answer, and names no failure.
  const whole = new ExportDraft(summary(), { failure: "error != null" });
  assert.deepEqual(whole.request.never, ["error != null"]);
  assert.equal(new ExportDraft(summary(), { isFile: true }).request.never, undefined);
});

Deno.test("a test has the usual name unless the reader gives another", () => {
  const usual = (/** @type {(one: TimelineSummary) => void} */ change) => {
    const one = summary();
    change(one);
    const draft = new ExportDraft(one);
    assert.equal(draft.request.name, undefined);
    return draft.usualName;
  };
  const parent = { timeline: ROOT, through: 9, start: 1, edits: [], name: "4 events: a > b" };
  assert.equal(usual(() => {}), "cart");
  assert.equal(usual((one) => one.header.parent = parent), "4 events: a > b");
  const failing = { ...parent, failure: "a > b" };
  assert.equal(
    usual((one) => {
      one.header.parent = failing;
      one.name = failing.name;
    }),
    "after its condition, or cart",
  );
  assert.equal(usual((one) => one.header.parent = failing), "after its condition, or cart");
  const pinned = summary();
  pinned.header.parent = failing;
  const values = new ExportDraft(pinned);
  values.assertion = "final";
  assert.equal(values.usualName, "cart");
  assert.equal(
    usual((one) => {
      one.header.parent = { ...parent, failure: "a > b" };
      one.name = "over capacity";
    }),
    "over capacity",
  );
  const draft = new ExportDraft(summary());
  draft.name = " sold twice ";
  assert.equal(draft.request.name, "sold twice");
});

Deno.test("a test can demand what must hold at the end", () => {
  const draft = new ExportDraft(summary());
  draft.assertion = "expect";
  assert.ok(draft.asksForExpect && !draft.asksForNever);
  assert.match(draft.problem ?? "", /^Enter the condition that must hold after the last event/);
  draft.expect = "output.total == 0";
  assert.match(draft.problem ?? "", /did you mean 'outputs'/);
  draft.expect = " outputs.total == 0 ";
  assert.equal(draft.problem, undefined);
  const { request } = draft;
  assert.deepEqual([request.expect, request.never, request.assertion], [
    ["outputs.total == 0"],
    undefined,
    undefined,
  ]);
  draft.format = "csv";
  assert.equal(draft.request.expect, undefined);
});

Deno.test("a machine without outputs is not offered a test of them", () => {
  const bare = new ExportDraft(summary(), { hasOutputs: hasOutputs(summary(), undefined) });
  assert.ok(!bare.canAssert("changed-outputs"));
  assert.ok(bare.canAssert("paths"));
  assert.equal(bare.request.assertion, "final");
  const named = summary();
  named.header.outputs = new Map([["total", "ui"]]);
  assert.ok(hasOutputs(named, undefined));
  // A recording written by hand may have outputs that its header does not name.
  assert.ok(hasOutputs(summary(), { outputs: { total: 1 } }));
  assert.ok(!hasOutputs(summary(), { outputs: {} }));
});

Deno.test("an expression that the daemon refuses is asked for, except for what needs none", () => {
  const foreign = summary();
  foreign.header.machine.make = "coin.New()";
  const draft = new ExportDraft(foreign);
  assert.ok(!draft.asksForMake);
  draft.refuse("from");
  draft.refuse(undefined);
  assert.ok(!draft.asksForMake);
  draft.refuse("make");
  assert.ok(draft.asksForMake);
  assert.match(draft.problem ?? "", /expression that makes a new machine/);
  draft.make = " Coin() ";
  assert.equal(draft.problem, undefined);
  assert.equal(draft.request.make, "Coin()");
  draft.format = "json";
  assert.ok(!draft.asksForMake);
  assert.equal(draft.request.make, undefined);
  draft.format = "csv";
  assert.ok(!draft.asksForMake);
});

Deno.test("an HTML file has branches around the cursor if that is wanted, and no range is", () => {
  const draft = new ExportDraft(summary(), { branchesAround: 40 });
  assert.equal(draft.asksForBranches, false);
  draft.format = "html";
  assert.equal(draft.asksForBranches, true);
  assert.equal(draft.request.whatIf, undefined);
  draft.hasBranches = true;
  assert.equal(draft.request.whatIf, 40);
  draft.from = "3";
  assert.equal(
    draft.problem,
    "Branches need the whole timeline. To export a range, leave them out.",
  );
  const without = new ExportDraft(summary());
  without.format = "html";
  without.hasBranches = true;
  assert.equal(without.request.whatIf, undefined);
});

Deno.test("says what makes the formats that a file does not offer", () => {
  assert.equal(
    new ExportDraft(summary(), { isFile: true }).whyNotAll,
    "Only debugd makes the other formats. To choose one, run: debugd view FILE",
  );
  assert.equal(new ExportDraft(summary()).whyNotAll, undefined);
});
