import assert from "node:assert/strict";
import { align } from "../../../../web/model/verification/alignment.js";
import {
  computedShare,
  endOf,
  familyOf,
  sweepOf,
} from "../../../../web/model/branches/branches.js";
import { LEASE, LiveControl, stripOf } from "../../../../web/model/live/control.js";
import { ExportDraft, offeredPaths } from "../../../../web/model/verification/export-draft.js";
import { tokensOf } from "../../../../web/model/verification/highlight.js";
import { hostName, hostOf, placeText, whyNoFork } from "../../../../web/model/branches/hosts.js";
import {
  compareVerdict,
  minimizeVerdict,
  verifyVerdict,
} from "../../../../web/model/verification/verdicts.js";
import { RequestError } from "../../../../web/wire/requests.js";

/** @import { Json } from "../../../../web/base/json-types.d.ts" */
/** @import { Source } from "../../../../web/model/sources/source.js" */
/** @import { TimelineSummary } from "../../../../web/wire/to-inspector.js" */

const IDS = ["a", "b", "c", "d"].map((digit) => `${digit.repeat(8)}-0000-4000-8000-000000000000`);
const [ROOT = "", ONE = "", TWO = "", OTHER = ""] = IDS;

/**
 * @param {string} timeline
 * @param {{ parent?: string, start?: number, edits?: Json, through?: number }} [branch]
 * @param {Partial<TimelineSummary>} [rest]
 * @returns {TimelineSummary}
 */
function summary(timeline, { parent, start = 0, edits = [], through = 59 } = {}, rest = {}) {
  return {
    header: {
      timeline,
      app: { name: "Shop" },
      machine: { type: "Shop.Cart", name: "cart", make: "Cart()" },
      started: "2026-05-01T08:00:00Z",
      format: 1,
      ...(parent === undefined ? {} : { parent: { timeline: parent, through, start, edits } }),
    },
    entries: 60,
    first: 0,
    last: 59,
    bytes: 1,
    duration: 1,
    ...rest,
  };
}

/** @param {...TimelineSummary} all */
const mapOf = (...all) => new Map(all.map((one) => [one.header.timeline, one]));

Deno.test("draws the family of a timeline: parents above branches, in words", () => {
  const all = mapOf(
    summary(TWO, { parent: ONE, start: 30, edits: [{ replace: 30, event: "x" }] }),
    summary(ROOT),
    summary(ONE, { parent: ROOT, start: 12, edits: [{ drop: 12 }] }),
    summary(OTHER),
  );
  assert.deepEqual(
    familyOf(TWO, all).map(({ summary: { header }, words, depth, parentRow }) => [
      header.timeline,
      words,
      depth,
      parentRow,
    ]),
    [
      [ROOT, "the recording", 0, undefined],
      [ONE, "without 12", 1, 0],
      [TWO, "30 changed to x", 2, 1],
    ],
  );
  assert.equal(familyOf(OTHER, all).length, 1);
  const round = mapOf(summary(ONE, { parent: TWO }), summary(TWO, { parent: ONE }));
  assert.equal(familyOf(ONE, round).length, 2);
});

Deno.test("shows how far a branch is, and where it ends", () => {
  const branch = (/** @type {Partial<TimelineSummary>} */ rest) =>
    summary(ONE, { parent: ROOT, start: 10, through: 109 }, rest);
  assert.equal(computedShare(branch({ computing: 59 })), 0.5);
  assert.equal(computedShare(branch({})), undefined);
  assert.match(endOf(branch({ ended: "trap", last: 41 }))?.text ?? "", /ends at 41.*trapped/);
  for (const ended of /** @type {const} */ (["gap", "limit", "undecodable", "failed"])) {
    assert.match(endOf(branch({ ended }))?.advice ?? "", /^To continue/);
  }
  assert.equal(endOf(branch({})), undefined);
});

Deno.test("sweeps everything that a chain of branches skipped, with the seqs of the oldest one", () => {
  const all = mapOf(
    summary(ROOT),
    summary(ONE, { parent: ROOT, start: 10, edits: [{ drop: [10, 11] }], through: 40 }),
    summary(TWO, { parent: ONE, start: 9, edits: [{ drop: 9 }, { drop: 10 }] }),
    summary(OTHER, { parent: TWO, start: 3, edits: [{ cut: 3 }] }),
  );
  assert.deepEqual(sweepOf(TWO, all), {
    timeline: ROOT,
    through: 40,
    edits: [{ is: "drop", first: 9, last: 12 }],
    steps: 2,
  });
  assert.equal(sweepOf(OTHER, all), undefined);
  assert.equal(sweepOf(ROOT, all), undefined);
});

Deno.test("aligns entries by what they recompute, new ones by their names", () => {
  const entry = (/** @type {number} */ seq, event = "step", n = seq) => ({
    seq,
    t: 0,
    event,
    patch: [{ op: "replace", path: "/n", value: n }],
  });
  const left = [1, 2, 3, 4].map((seq) => ({ entry: entry(seq), origin: seq }));
  const right = [
    { entry: entry(1), origin: 1 },
    { entry: entry(2, "new"), origin: undefined },
    { entry: entry(3, "step", 30), origin: 3 },
    { entry: entry(4, "step", 2), origin: 2 },
  ];
  assert.deepEqual(
    align(left, right).map(({ a, b, is }) => `${a?.seq ?? "-"} ${b?.seq ?? "-"} ${is}`),
    ["1 1 same", "- 2 only-b", "2 - moved", "3 3 differs", "4 - only-a", "- 4 moved"],
  );
  assert.deepEqual(align([], []), []);
  const news = [{ entry: entry(5, "new"), origin: undefined }];
  assert.deepEqual(align(news, news).map(({ is }) => is), ["same"]);
});

Deno.test("says which host runs a timeline, and what to do when none does", () => {
  const hosts = [
    {
      name: "old",
      place: /** @type {const} */ ("process"),
      makes: ["Cart()"],
      problem: "It died.",
    },
    { name: "Shop", place: /** @type {const} */ ("live"), makes: ["Cart()", "Page()"] },
  ];
  const source = {
    kind: /** @type {const} */ ("daemon"),
    capabilities: new Set(/** @type {const} */ (["look", "change"])),
  };
  assert.equal(hostOf(summary(ROOT), hosts)?.name, "Shop");
  assert.match(placeText(hosts[1] ?? assert.fail()), /inside the live program: an edit that traps/);
  const why = (/** @type {Parameters<typeof whyNoFork>[0]} */ what) => whyNoFork(what);
  assert.equal(why({ source, summary: summary(ROOT), hosts }), undefined);
  assert.match(
    why({ source, summary: summary(ROOT), hosts: [] }) ?? "",
    /To get one, start Shop again, or run: debugd host EXE$/,
  );
  assert.match(
    why({ source, summary: summary(ROOT), hosts: hosts.slice(0, 1) }) ?? "",
    /old cannot be used: It died\./,
  );
  assert.match(
    why({ source: { ...source, kind: "file" }, summary: summary(ROOT), hosts }) ?? "",
    /This is a file/,
  );
  assert.match(
    why({ source: { ...source, capabilities: new Set() }, summary: summary(ROOT), hosts }) ?? "",
    /can look, but not edit/,
  );
  const unmade = summary(ROOT);
  delete unmade.header.machine.make;
  assert.match(
    why({ source, summary: unmade, hosts }) ?? "",
    /This recording of cart has no reducer/,
  );
});

/** A daemon for control: answers from a list, time by hand. */
function controlled() {
  /** @type {Json[]} */
  const asked = [];
  /** @type {[number, () => void][]} */
  const alarms = [];
  /** @type {string[]} */
  const warnings = [];
  const world = { now: 0, refuse: /** @type {RequestError | undefined} */ (undefined) };
  const source = /** @type {Source} */ (/** @type {unknown} */ ({
    ask: (/** @type {Json} */ request) => {
      asked.push(request);
      if (world.refuse) return Promise.reject(world.refuse);
      return Promise.resolve({ type: "done", lease: "l1", seq: 61 });
    },
  }));
  const control = new LiveControl({
    source: () => source,
    now: () => world.now,
    later: (call, milliseconds) => void alarms.push([world.now + milliseconds, call]),
    changed: () => {},
    warn: (text) => void warnings.push(text),
  });
  const pass = async (/** @type {number} */ milliseconds) => {
    world.now += milliseconds;
    for (const [at, call] of alarms.splice(0)) at <= world.now ? call() : alarms.push([at, call]);
    for (let turn = 0; turn < 5; turn++) await Promise.resolve();
  };
  return { control, asked, warnings, world, pass };
}

const LIVE = summary(ROOT, {}, { live: true, controllable: true });

Deno.test("holds with a lease, renews it, and sends commands with it", async () => {
  const { control, asked, world, pass } = controlled();
  assert.equal(stripOf(control, LIVE, 0)?.is, "free");
  await assert.rejects(control.step(ROOT), /Pause the machine first/);
  await control.hold(ROOT, "queue");
  assert.equal(stripOf(control, LIVE, world.now + 1_500)?.is, "mine");
  assert.match(stripOf(control, LIVE, 1_500)?.lease ?? "", /ends in 14 s/);
  await pass(LEASE / 3);
  await pass(LEASE / 3);
  assert.equal(control.heldOf(ROOT)?.until, world.now + LEASE);
  await control.dispatch(ROOT, { flip: {} });
  await control.restore(ROOT, { timeline: ONE, seq: 3 });
  await control.resume(ROOT);
  assert.deepEqual(asked, [
    { type: "hold", timeline: ROOT, policy: "queue" },
    { type: "hold", timeline: ROOT, policy: "queue", lease: "l1" },
    { type: "hold", timeline: ROOT, policy: "queue", lease: "l1" },
    { type: "dispatch", timeline: ROOT, lease: "l1", event: { flip: {} } },
    { type: "restore", timeline: ROOT, lease: "l1", from: { timeline: ONE, seq: 3 } },
    { type: "resume", timeline: ROOT, lease: "l1" },
  ]);
  await pass(LEASE);
  assert.equal(asked.length, 6);
  assert.equal(stripOf(control, LIVE, 0)?.is, "free");
});

Deno.test("shows who holds the app, and why this page no longer does", async () => {
  const { control, warnings, world, pass } = controlled();
  control.heard({ type: "control", timeline: ROOT, held: true, holder: "Firefox", queued: 2 });
  assert.deepEqual(stripOf(control, LIVE, 0), {
    is: "other",
    text: "Firefox controls cart",
    detail: "2 events queued.",
  });
  await control.hold(ROOT, "refuse", { take: true });
  control.heard({ type: "control", timeline: ROOT, held: true, yours: true });
  assert.equal(stripOf(control, LIVE, 0)?.is, "mine");
  control.heard({ type: "control", timeline: ROOT, held: true, holder: "Firefox" });
  assert.match(warnings[0] ?? "", /Firefox took over control/);
  await control.hold(ROOT, "refuse", { take: true });
  world.refuse = new RequestError("conflict", "The lease ran out.");
  control.heard({ type: "control", timeline: ROOT, held: true, yours: true });
  await pass(LEASE / 3);
  control.heard({ type: "control", timeline: ROOT });
  assert.equal(stripOf(control, LIVE, 0)?.is, "lost");
  assert.equal(stripOf(control, LIVE, 0)?.detail, "The lease ran out.");
  world.refuse = undefined;
  await control.hold(ROOT, "refuse");
  control.disconnected();
  assert.match(stripOf(control, LIVE, 0)?.detail ?? "", /connection was lost/);
  assert.equal(stripOf(control, summary(ROOT, {}, { live: true }), 0), undefined);
});

Deno.test("makes the request of an export, or says what is missing", () => {
  const draft = new ExportDraft(summary(ROOT), { stretch: { from: 3, to: 9 } });
  assert.deepEqual(draft.request, {
    type: "export",
    timeline: ROOT,
    format: "swift-testing",
    from: 3,
    to: 9,
    assertion: "changed-outputs",
  });
  draft.assertion = "paths";
  assert.match(draft.problem ?? "", /at least one path/);
  draft.paths = "/state/n\n\n /nothing ";
  assert.match(draft.problem ?? "", /“\/nothing” is not a path/);
  draft.paths = "/state/n\n/outputs/badge";
  draft.from = "";
  draft.to = "1,000";
  assert.equal(draft.problem, undefined);
  assert.deepEqual(draft.request.paths, ["/state/n", "/outputs/badge"]);
  assert.equal(draft.request.to, 1_000);
  draft.from = "2,000";
  assert.match(draft.problem ?? "", /ends before it begins/);
  const file = new ExportDraft(summary(ROOT), { isFile: true });
  assert.deepEqual(file.request, { type: "export", timeline: ROOT, format: "timeline" });
  assert.ok(!file.offers("csv"));
  const unmade = summary(ROOT);
  delete unmade.header.machine.make;
  const asks = new ExportDraft(unmade);
  assert.match(asks.problem ?? "", /expression that makes a new machine/);
  asks.make = "Cart(limit: 3)";
  assert.equal(asks.request.make, "Cart(limit: 3)");
});

Deno.test("colors sources without changing a character of them", () => {
  const swift =
    'import A // "no"\n@Test(#"a"b"#) func f() { #expect(x == 1_000.5, "\\"//") } /* let */';
  const tokens = tokensOf(swift, "swift");
  assert.equal(tokens.map(({ text }) => text).join(""), swift);
  assert.deepEqual(
    tokens.filter(({ is }) => is !== "text").map(({ is, text }) => `${is} ${text}`),
    [
      "word import",
      'comment // "no"',
      "name @Test",
      'string #"a"b"#',
      "word func",
      "name #expect",
      "number 1_000.5",
      'string "\\"//"',
      "comment /* let */",
    ],
  );
  assert.deepEqual(tokensOf('{"a":null}', "json").map(({ is }) => is), [
    "text",
    "name",
    "text",
    "word",
    "text",
  ]);
  assert.deepEqual(tokensOf("a,b", "plain"), [{ is: "text", text: "a,b" }]);
});

Deno.test("describes what was found", () => {
  const verify = (/** @type {"same" | "differs" | "impure" | "inconclusive"} */ outcome) =>
    verifyVerdict({ type: "verify", outcome, entries: 1_205, seq: 1_205 }, 8);
  assert.equal(verify("same").title, "1,205 entries came out as recorded");
  assert.match(verify("differs").title, /result changed at entry 1,205/);
  assert.match(verify("impure").title, /not pure/);
  assert.equal(verify("inconclusive").tone, "warn");
  assert.deepEqual(
    minimizeVerdict({
      type: "minimise",
      timeline: ONE,
      events: 1,
      runs: 212,
    }),
    {
      tone: "warn",
      title: "1 event reproduces it",
      text: "The time limit ended after 212 runs of the reducer, so fewer may be enough.",
      seq: undefined,
    },
  );
  const differing = compareVerdict({
    type: "compare",
    equal: 1_204,
    differing: 3,
    a: { timeline: ROOT, seq: 1_205 },
    b: { timeline: ONE, seq: 1_204 },
  });
  assert.match(differing.title, /^1,204 entries equal, first difference at 1,205 on the left/);
  assert.equal(compareVerdict({ type: "compare", equal: 9, differing: 0 }).tone, "ok");
  const partial = compareVerdict({
    type: "compare",
    equal: 9,
    differing: 0,
    alone: 2,
    message: "Not all could be compared.",
  });
  assert.deepEqual([partial.tone, partial.text], [
    "warn",
    "2 entries are on one side only. Not all could be compared.",
  ]);
});

Deno.test("names an app's host after the app, never after the connection", () => {
  const run = "0b9f3c52-6d1e-4c7a-9a57-1f2e3d4c5b6a";
  const host = (
    /** @type {Partial<import("../../../../web/model/branches/hosts.js").Host>} */ rest,
  ) => ({
    name: run,
    place: /** @type {const} */ ("process"),
    makes: [],
    busy: undefined,
    problem: undefined,
    app: undefined,
    executable: undefined,
    started: undefined,
    restarted: undefined,
    ...rest,
  });
  assert.equal(hostName(host({ app: "Gallery" })), "Gallery");
  assert.equal(hostName(host({ app: "Gallery", name: "recorder 12" })), "Gallery");
  assert.equal(hostName(host({})), "a program");
  assert.equal(hostName(host({ place: "live" })), "the live program");
  assert.equal(hostName(host({ name: "Shop", executable: "build/Shop" })), "Shop");
  assert.equal(hostName(host({ executable: "build/Shop" })), "Shop");
});

Deno.test("offers watched values as columns, else the scalar values at the top level", () => {
  const moment = {
    state: { n: 1, "a/b": "x", list: [1], deep: { n: 2 }, none: null },
    outputs: { isOn: true },
  };
  assert.deepEqual(offeredPaths(["/state/deep/n"], moment), ["/state/deep/n"]);
  assert.deepEqual(offeredPaths([], moment), ["/state/n", "/state/a~1b", "/outputs/isOn"]);
  assert.deepEqual(offeredPaths([], { state: [1], outputs: {} }), []);
  assert.deepEqual(offeredPaths([], undefined), []);
});
