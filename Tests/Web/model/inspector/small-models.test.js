import assert from "node:assert/strict";
import { readPatch } from "../../../../web/base/patch.js";
import { coverFor } from "../../../../web/model/inspector/cover.js";
import { observeNames, valuesInOrder } from "../../../../web/model/chart/observed.js";
import { changedText, outputRows } from "../../../../web/model/state/output-rows.js";
import { smallContainers } from "../../../../web/model/state/tree.js";
import { RequestError } from "../../../../web/wire/requests.js";
import { Watch } from "../../../../web/model/state/watch.js";
import { counterLines, openLines, TIMELINE } from "../../files.js";

/** @import { Json } from "../../../../web/base/json-types.d.ts" */
/** @import { ConnectionState } from "../../../../web/wire/connection-state.js" */

/** @param {ConnectionState} connection @param {Partial<Parameters<typeof coverFor>[0]>} [more] */
const cover = (connection, more = {}) =>
  coverFor({
    connection,
    hasSource: false,
    hasList: false,
    hasTimeline: false,
    opening: undefined,
    now: 1_000,
    ...more,
  });

Deno.test("explains each state of the page and what to do next", () => {
  /** @type {ConnectionState} */
  const open = {
    is: "open",
    welcome: { type: "welcome", version: "1.0", daemon: "0", capabilities: [], maxMessage: 1 },
  };
  const titles = [
    cover({ is: "idle" }),
    cover({ is: "connecting", attempt: 0 }),
    cover({ is: "greeting", attempt: 0, until: 0 }),
    cover({ is: "waiting", attempt: 1, until: 3_500, why: "Nothing answers." }),
    cover({ is: "refused", reason: "unauthorized", why: "" }),
    cover({ is: "refused", reason: "version", why: "It speaks 2.0." }),
    cover(open),
    cover(open, { hasSource: true, hasList: true }),
    cover(open, { hasSource: true, hasList: true, missing: "b7" }),
    cover(open, { opening: { kind: "reading", share: 0.5 } }),
    cover(open, { opening: { kind: "giving", share: 0.5 }, hasTimeline: true }),
    cover({ is: "idle" }, { isOnDisk: true }),
    cover({ is: "waiting", attempt: 1, until: 3_500, why: "" }, { isFileServer: true }),
    cover({ is: "ended" }),
  ].map((shown) => `${shown?.title}${shown?.canRetry ? " (again)" : ""}`);
  assert.deepEqual(titles, [
    "No daemon",
    "Connecting",
    "Connecting",
    "The daemon cannot be reached (again)",
    "Not signed in",
    "The daemon is newer than this page (again)",
    "Loading",
    "No recording yet",
    "This timeline is not here",
    "Opening the file",
    "Importing the file",
    "This file is damaged",
    "No recording is open",
    "debugd view has ended",
  ]);
  assert.equal(
    cover({ is: "waiting", attempt: 1, until: 3_500, why: "Nothing answers." })?.text,
    'Nothing answers. Trying again in 3 s. If it is not running, start it with "debugd serve".',
  );
  const empty = cover(open, { hasSource: true, hasList: true });
  assert.ok(empty?.code);
  assert.match(empty?.text ?? "", /On its machine, as the same user, run a program that records/);
  assert.equal(
    empty?.hint,
    "Nothing appears? A recorder that finds no daemon is silent. If debugd serve printed a DEBUGD=… " +
      "when it started, start the program with that. In the program, recorder.statistics.lastError " +
      "says why it is not connected.",
  );
  assert.equal(
    cover({ is: "waiting", attempt: 1, until: 0, why: "" }, { hasTimeline: true }),
    undefined,
  );
});

Deno.test("counts what followed what, and lights the last step", () => {
  const observed = observeNames(["a", "b", "", "a", "b", "a", "c"]);
  assert.deepEqual(observed.map(({ name, count, isLast }) => [name, count, isLast]), [
    ["a", 3, false],
    ["b", 2, false],
    ["c", 1, true],
  ]);
  assert.deepEqual(observed[0]?.next, [{ name: "b", count: 2, isLast: false }, {
    name: "c",
    count: 1,
    isLast: true,
  }]);
  assert.deepEqual(observeNames([]), []);
});

Deno.test("lists the values of a path one after the other, without unknown ones", () => {
  /** @type {Json[]} */
  const column = ["idle", "idle", "busy", null, null, "busy", { a: 1 }, { a: 1 }, "idle"];
  assert.deepEqual(valuesInOrder(column, 10, [[13, 14]]), ["idle", "busy", "a: 1", "idle"]);
  assert.deepEqual(valuesInOrder([null, 1, 1, ""], 0), ["nil", "1", '""']);
});

Deno.test("lists outputs as the header does, then by name, with their old values, and shows which fire", () => {
  const kinds = new Map([["isLoading", "ui"], ["pulse", "data"], ["gone", "navigation"], [
    "absent",
    "ui",
  ]]);
  const patch = readPatch([
    { op: "add", path: "/pulse", value: {} },
    { op: "remove", path: "/gone" },
    { op: "replace", path: "/isLoading", value: true },
    { op: "replace", path: "/zoom", value: 2 },
  ]);
  const rows = outputRows(
    { zoom: 2, isLoading: true, pulse: {}, extra: 1 },
    { zoom: 1, isLoading: true, gone: 3 },
    patch,
    kinds,
  );
  assert.deepEqual(
    rows.map(({ name, kind, isChanged, fires, old }) => [name, kind, isChanged, fires, old]),
    [
      ["isLoading", "ui", false, false, true],
      ["pulse", "data", true, true, null],
      ["gone", "nav", true, false, 3],
      ["absent", "ui", false, false, null],
      ["extra", "out", false, false, null],
      ["zoom", "out", true, false, 1],
    ],
  );
});

Deno.test("counts the outputs that changed only where it is known what changed", () => {
  const rows = outputRows(
    { a: 1, b: 2 },
    { a: 0, b: 2 },
    readPatch([
      { op: "replace", path: "/a", value: 1 },
    ]),
    undefined,
  );
  const text = (/** @type {boolean} */ isKnown, /** @type {boolean} */ isUnknown) =>
    changedText(rows, { isKnown, isUnknown });
  assert.equal(text(true, false), "1 of 2 changed");
  assert.equal(text(false, true), "changes unknown");
  assert.equal(text(false, false), "");
  assert.equal(changedText([], { isKnown: true, isUnknown: false }), "");
});

Deno.test("opens small containers by themselves, and none that a line shows whole", () => {
  const value = {
    point: { x: 1, y: 2 },
    list: [1, 2],
    items: [{}, {}],
    large: Object.fromEntries(Array.from({ length: 9 }, (_, n) => [`k${n}`, n])),
  };
  assert.deepEqual(smallContainers(value), ["/items", "/point"]);
});

Deno.test("watches no more columns than fit, and says what failed", async () => {
  const file = await openLines(counterLines(20));
  const watch = new Watch(file, TIMELINE, () => {});
  for (let path = 0; path < 10; path++) watch.toggle(`/state/${path}`, 5);
  assert.equal(watch.paths.length, 8);
  watch.toggle("/state/0", 5);
  assert.equal(watch.paths.length, 7);
  const failing = new Watch(
    {
      ...file,
      ask: () => Promise.reject(new RequestError("failed", "no")),
    },
    TIMELINE,
    () => {},
  );
  failing.toggle("/state/n", 5);
  await new Promise((resolve) => setTimeout(resolve, 0));
  assert.equal(failing.message, "no");
});
