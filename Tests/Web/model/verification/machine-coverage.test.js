/** Which events occurred in which states: the counting, and how a recording is read for it. */

import assert from "node:assert/strict";
import {
  coverageLists,
  coverageText,
  recordingsToCount,
  stateChoices,
} from "../../../../web/model/verification/coverage-choices.js";
import {
  isUnhandled,
  MachineCoverage,
  readCoverage,
  stateName,
} from "../../../../web/model/verification/machine-coverage.js";
import { idOf } from "../../daemons.js";
import { HEADER, openLines } from "../../files.js";

const PATCH = [{ op: "replace", path: "", value: "x" }];

/**
 * An entry.
 *
 * @param {number} seq
 * @param {any} event
 * @param {any} [rest]
 */
const entryOf = (seq, event, rest = { patch: PATCH }) => ({ seq, t: seq, event, ...rest });

Deno.test("a state is named by the path of a chart, the case of an enum, or a scalar", () => {
  /** @type {[any, string | undefined][]} */
  const cases = [
    [{ path: ["root", "open"] }, "root/open"],
    [["root", "open"], "root/open"],
    [{ path: [] }, undefined],
    [{ open: { by: 1 } }, "open"],
    [{ open: 1 }, undefined],
    [{ open: {}, shut: {} }, undefined],
    ["open", "open"],
    ["é".repeat(32), "é".repeat(32)],
    ["é".repeat(33), undefined],
    [12, "12"],
    [-0, "-0"],
    [true, "true"],
    [null, "null"],
    [[1], undefined],
    [{}, undefined],
    [undefined, undefined],
  ];
  for (const [value, name] of cases) assert.equal(stateName(value), name, JSON.stringify(value));
});

Deno.test("an event without an effect is unhandled, unless it ended with an error", () => {
  const coverage = new MachineCoverage();
  coverage.add(entryOf(1, "open"), "a", "shut");
  coverage.add(entryOf(2, { open: {} }, { patch: [] }), "a", "shut");
  coverage.add(entryOf(3, "knock", { patch: [], outputs: [] }), "a", "shut");
  coverage.add(entryOf(4, "kick", { patch: [], error: "locked" }), "a", "shut");
  coverage.add(entryOf(5, "ring", { patch: [], outputs: PATCH }), "a", "open");
  assert.deepEqual(coverage.count("shut", "open"), {
    events: 2,
    effects: 1,
    failures: 0,
    first: { timeline: "a", seq: 1 },
  });
  const kick = coverage.count("shut", "kick");
  assert.ok(kick && kick.failures === 1 && kick.effects === 0 && !isUnhandled(kick));
  assert.equal(coverage.count("open", "ring")?.effects, 1);
  assert.deepEqual(coverage.unhandled, ["knock"]);
  coverage.add(entryOf(6, "knock"), "a", "open");
  assert.deepEqual(coverage.unhandled, []);
});

Deno.test("what is not known is counted as that, and is not called unhandled", () => {
  const coverage = new MachineCoverage();
  coverage.add(entryOf(1, "open"), "a", undefined);
  coverage.add(entryOf(2, { open: 1, shut: 2 }), "a", "shut");
  coverage.add(entryOf(3, "knock", {}), "a", "shut");
  coverage.add({ seq: 0, t: 0 }, "a", undefined);
  assert.deepEqual([coverage.unnamed, coverage.states, coverage.unhandled], [3, [], []]);
});

Deno.test("at most 256 names are counted, of states and of events", () => {
  const coverage = new MachineCoverage();
  for (let seq = 0; seq < 300; seq++) coverage.add(entryOf(seq, `e${seq}`), "a", "one");
  assert.deepEqual([coverage.events.length, coverage.isCut], [256, true]);
  const other = new MachineCoverage();
  for (let seq = 0; seq < 300; seq++) other.add(entryOf(seq, "__proto__"), "a", `${seq}`);
  assert.deepEqual([other.states.length, other.isCut], [256, true]);
  assert.equal(other.count("7", "__proto__")?.events, 1);
});

/** A door of so many entries, with a loss in it. @param {number} count */
function doorLines(count) {
  const lines = [{ seq: 0, t: 0, state: "shut", outputState: {} }];
  for (let seq = 1; seq < count; seq++) {
    const isOpen = seq % 2 === 1;
    lines.push(
      /** @type {any} */ ({
        seq,
        t: seq,
        event: isOpen ? "open" : "shut",
        patch: [{ op: "replace", path: "", value: isOpen ? "open" : "shut" }],
      }),
    );
  }
  return lines;
}

Deno.test("reads recordings of any length, and remembers where a cell's first event is", async () => {
  const file = await openLines(doorLines(2_500), HEADER);
  const { timelines: [summary] } = await file.ask({ type: "timelines" });
  assert.ok(summary?.first !== undefined && summary.last !== undefined);
  const { timeline } = summary.header;
  const recording = { timeline, first: summary.first, last: summary.last };
  /** @type {number[]} */
  const reported = [];
  const coverage = await readCoverage(/** @type {any} */ (file), [recording, recording], "/state", {
    onProgress: ({ done, of }) => {
      assert.equal(of, 5_000);
      reported.push(done);
    },
  });
  assert.deepEqual([coverage.states, coverage.events], [["shut", "open"], ["open", "shut"]]);
  assert.deepEqual(coverage.count("shut", "open"), {
    events: 2_500,
    effects: 2_500,
    failures: 0,
    first: { timeline, seq: 1 },
  });
  // The second recording does not begin in the state in which the first one ended.
  assert.equal(coverage.count("open", "shut")?.events, 2_498);
  assert.deepEqual([coverage.count("open", "open"), coverage.unnamed], [undefined, 0]);
  assert.equal(reported.at(-1), 5_000);
});

Deno.test("answers that are cut, empty, or wrong end or continue the reading", async () => {
  const lines = doorLines(10);
  /** Answers at most so many values and entries. @param {number} most @param {number} [isStuck] */
  const sourceOf = (most, isStuck) => /** @type {any} */ ({
    ask: (/** @type {any} */ { type, from, count }) => {
      const part = lines.slice(from, from + Math.min(count, most));
      if (type === "column") {
        return Promise.resolve({
          from,
          columns: [part.map(({ seq }) => seq % 2 ? "open" : "shut")],
        });
      }
      const next = isStuck ?? (from + part.length < lines.length ? from + part.length : undefined);
      return Promise.resolve({ entries: part, next });
    },
  });
  const recording = { timeline: "a", first: 0, last: 9 };
  const coverage = await readCoverage(sourceOf(3), [recording], "/state");
  assert.deepEqual([coverage.count("shut", "open")?.events, coverage.unnamed], [5, 0]);
  const stuck = await readCoverage(sourceOf(3, 0), [recording], "/state");
  assert.equal(stuck.count("shut", "open")?.events, 5);
  const none = await readCoverage(sourceOf(0), [recording], "/state");
  assert.deepEqual(none.states, []);
});

/** @param {string} id @param {any} [header] @param {any} [rest] */
const summaryOf = (id, header = {}, rest = { first: 0, last: 3 }) => /** @type {any} */ ({
  header: { timeline: id, machine: { type: "Door", name: "door" }, ...header },
  ...rest,
});

Deno.test("counts the other recordings of the type, but no branches and nothing empty", () => {
  const [own, other, branch, another, empty] = ["1", "2", "3", "4", "5"].map(idOf);
  const all = [
    summaryOf(other ?? ""),
    summaryOf(own ?? "", { parent: { timeline: other } }),
    summaryOf(branch ?? "", { parent: { timeline: own } }),
    summaryOf(another ?? "", { machine: { type: "Lamp", name: "door" } }),
    summaryOf(empty ?? "", {}, {}),
  ];
  const summaries = new Map(all.map((one) => [one.header.timeline, one]));
  const found = recordingsToCount(summaries.get(own ?? ""), summaries);
  assert.deepEqual(found.map(({ timeline }) => timeline), [own, other]);
});

Deno.test("offers the chart, the state itself, or its values, cases first", () => {
  const chart = { states: [{ name: "root", path: ["root"] }] };
  const titles = (/** @type {any} */ header, /** @type {any} */ state, /** @type {any} */ pinned) =>
    stateChoices(header, { state, outputs: { isOpen: true } }, pinned)
      .map(({ path, title }) => `${path} ${title}`);
  assert.equal(
    titles({ chart }, { path: ["root"] }, undefined)[0],
    "/state/path the active state of the chart",
  );
  assert.deepEqual(titles({}, "open", undefined), [
    "/state state",
    "/outputs/isOpen outputs.isOpen",
  ]);
  const state = {
    name: "a",
    at: { open: {} },
    list: [1],
    deep: { ok: true },
    long: "x".repeat(99),
  };
  assert.deepEqual(titles({}, state, "/state/deep/ok").map((one) => one.split(" ")[0]), [
    "/state/deep/ok",
    "/state/at",
    "/state/name",
    "/state/long",
    "/outputs/isOpen",
  ]);
  assert.deepEqual(stateChoices(/** @type {any} */ ({}), undefined, undefined), []);
});

Deno.test("names the events that never occurred, and the states in which none did", () => {
  const coverage = new MachineCoverage();
  coverage.add(entryOf(1, "open"), "a", "root/shut");
  coverage.add(entryOf(2, "knock", { patch: [] }), "a", "root/shut");
  const header = /** @type {any} */ ({
    schema: { cases: [{ name: "open" }, { name: "knock" }, { name: "lock" }] },
    chart: {
      states: ["root", "shut", "open"].map((name) => ({
        name,
        path: name === "root" ? ["root"] : ["root", name],
      })),
    },
  });
  assert.deepEqual(coverageLists(coverage, header), [
    { title: "Nothing handled", names: ["knock"] },
    { title: "Never occurred", names: ["lock"] },
    { title: "No event occurred in", names: ["root/open"] },
  ]);
  assert.deepEqual(coverageLists(new MachineCoverage(), /** @type {any} */ ({})), []);
});

Deno.test("a value that names no state says what to do", () => {
  const coverage = new MachineCoverage();
  coverage.add(entryOf(1, { open: {} }), "a", undefined);
  const text = coverageText(coverage, 1, 0);
  assert.ok(text.endsWith("To count them, choose another value."), text);
});

Deno.test("a loss of any length is passed at once", async () => {
  const last = 2 ** 50;
  const requests = /** @type {any[]} */ ([]);
  const source = {
    /** @param {any} request */
    ask(request) {
      requests.push(request);
      const { type, from, count } = request;
      assert.ok(requests.length < 20, "it asks for every part of the loss");
      if (type === "column") {
        const columns = [Array.from({ length: count }, (_, at) => from + at === last ? "x" : null)];
        const end = Math.min(from + count - 1, last - 1);
        return Promise.resolve({
          type,
          columns,
          unknown: from < last ? [[Math.max(from, 1), end]] : [],
        });
      }
      const entry = { seq: last, t: 1, event: "open", gap: { lost: last - 1 }, state: "x" };
      return Promise.resolve({ type, entries: from + count > last || count === 1 ? [entry] : [] });
    },
  };
  const recording = { timeline: idOf("1"), first: 0, last };
  const coverage = await readCoverage(/** @type {any} */ (source), [recording], "/state");
  assert.equal(coverage.total + coverage.unnamed, 1);
});
