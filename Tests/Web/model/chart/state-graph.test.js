import assert from "node:assert/strict";
import {
  activePath,
  areCases,
  caseGraph,
  caseOf,
  casePaths,
  chartGraph,
  chartTraversals,
  stateId,
  visitsIn,
} from "../../../../web/model/chart/state-graph.js";
import { observeCases, observeChart } from "../../../../web/model/chart/state-steps.js";
import { readChart } from "../../../../web/wire/chart.js";
import { openLines, TIMELINE } from "../../files.js";

const CHART = readChart({
  states: [
    { name: "open", path: ["root", "open"], messages: [{ name: "knocked" }] },
    { name: "root", path: ["root"] },
    { name: "closed", path: ["root", "closed"], messages: [{ name: "pushed" }] },
    { name: "locked", path: ["root", "closed", "locked"] },
  ],
  declared: [
    { from: ["root", "closed"], to: "open", trigger: { message: "pushed" } },
    { from: ["root", "open"], to: "closed", trigger: { message: "pushed" } },
    // Of the same name, and nearer to where the machine is: but root did not handle it.
    { from: ["root"], to: "locked", trigger: { message: "pushed" } },
    { from: ["root", "open"], to: "nowhere", trigger: { message: "lost" } },
  ],
  observed: [{ from: ["root"], to: "closed", trigger: "enter" }],
});
const [CLOSED, OPEN, LOCKED] = [["root", "closed"], ["root", "open"], ["root", "closed", "locked"]];

/** @import { Json } from "../../../../web/base/json-types.d.ts" */

/**
 * @param {number} seq
 * @param {string} name
 * @param {string[] | undefined} at
 * @param {string[]} [handler]
 */
const step = (seq, name, at = [], handler) => ({ seq, name, at, handler });

Deno.test("counts which edges of a chart the entries took, by the state that handled them", () => {
  assert.ok(CHART);
  const steps = [
    step(0, "", []),
    step(1, "start", CLOSED),
    step(2, "pushed", OPEN, CLOSED),
    step(3, "knocked", OPEN, OPEN),
    step(4, "pushed", LOCKED, OPEN),
    step(5, "pushed", OPEN, CLOSED),
    step(6, "broken", LOCKED, OPEN),
  ];
  const traversals = chartTraversals(CHART, steps);
  const [closed, open, locked] = [CLOSED, OPEN, LOCKED].map((path) => stateId(path ?? []));
  assert.deepEqual(traversals, [
    { seq: 2, name: "pushed", from: closed, to: open },
    // It was led on from the state that the edge leads to.
    { seq: 4, name: "pushed", from: open, to: closed },
    { seq: 5, name: "pushed", from: closed, to: open },
    // No edge declares it.
    { seq: 6, name: "broken", from: open, to: locked },
  ]);
  const { nodes, edges } = chartGraph(CHART, traversals);
  assert.deepEqual(nodes.map(({ name, parent, messages }) => [name, parent, messages]), [
    ["root", undefined, []],
    ["open", stateId(["root"]), ["knocked"]],
    ["closed", stateId(["root"]), []],
    ["locked", closed, []],
  ]);
  assert.deepEqual(edges.map(({ from, to, names }) => [from, to, names]), [
    [closed, open, [{ name: "pushed", count: 2, last: 5 }]],
    [open, closed, [{ name: "pushed", count: 1, last: 4 }]],
    [stateId(["root"]), locked, [{ name: "pushed", count: 0, last: undefined }]],
    [stateId(["root"]), closed, [{ name: "enter", count: 0, last: undefined }]],
    [open, locked, [{ name: "broken", count: 1, last: 6 }]],
  ]);
});

Deno.test("without handlers, an edge of the innermost active state was taken", () => {
  assert.ok(CHART);
  const ways = chartTraversals(CHART, [
    step(1, "start", LOCKED),
    // `locked` declares no such edge, `closed` and `root` do; only that of `closed` leads there.
    step(2, "pushed", OPEN),
    step(3, "pushed", LOCKED),
    step(4, "broken", OPEN),
  ]);
  const [closed, open, locked] = [CLOSED, OPEN, LOCKED].map((path) => stateId(path ?? []));
  assert.deepEqual(ways.map(({ from, to }) => [from, to]), [
    [closed, open],
    [open, closed],
    [locked, open],
  ]);
});

Deno.test("reads the active path and the visits, also where there are none", () => {
  assert.deepEqual(activePath({ path: ["root", "open"], value: {} }), OPEN);
  assert.deepEqual(activePath({ path: [1] }), []);
  assert.deepEqual(activePath(undefined), []);
  const visits = visitsIn({ visits: [{ exited: "closed" }, { entered: "open" }, 5] });
  assert.deepEqual([...visits], [["closed", "exited"], ["open", "entered"]]);
  assert.equal(visitsIn(undefined).size, 0);
});

Deno.test("infers a graph from the cases of a value, past entries where it is unknown", () => {
  const { nodes, edges } = caseGraph([
    step(3, "opened", ["idle"]),
    step(4, "ask", ["loading"]),
    step(5, "tick", ["loading"]),
    step(6, "?", undefined),
    step(7, "answer", ["idle"]),
    step(8, "ask", ["loading"]),
    step(9, "again", ["idle"]),
  ]);
  const [idle, loading] = [stateId(["idle"]), stateId(["loading"])];
  assert.deepEqual(nodes.map(({ id, name }) => [id, name]), [[idle, "idle"], [loading, "loading"]]);
  assert.deepEqual(edges.map(({ from, to, names }) => [from, to, names]), [
    [idle, loading, [{ name: "ask", count: 2, last: 8 }]],
    [loading, idle, [
      { name: "answer", count: 1, last: 7 },
      { name: "again", count: 1, last: 9 },
    ]],
  ]);
});

Deno.test("knows the cases of enums from other values", () => {
  assert.equal(caseOf("idle"), "idle");
  assert.equal(caseOf({ loaded: { _0: 5 } }), "loaded");
  /** @type {Json[]} */
  const others = [5, null, true, [1], {}, { n: 5 }, { a: {}, b: {} }, { $cut: {} }];
  for (const other of others) {
    assert.equal(caseOf(other), undefined, JSON.stringify(other));
  }
  assert.equal(caseOf("a".repeat(41)), undefined);
  const state = { name: "ada", phase: { idle: {} }, n: 5, "a/b": "x" };
  assert.deepEqual(casePaths({ idle: {} }, undefined), ["/state"]);
  assert.deepEqual(casePaths(state, undefined), ["/state/phase", "/state/name", "/state/a~1b"]);
  assert.equal(casePaths(state, "/state/name")[0], "/state/name");
  assert.equal(areCases(["a", "b", "a", "b"]), true);
  assert.equal(areCases(["a", "a", "a", "a"]), false);
  // Texts that never come again are not cases.
  assert.equal(areCases(["a", "b", "c", undefined]), false);
  assert.equal(areCases(Array.from({ length: 100 }, (_, index) => `case ${index % 25}`)), false);
});

/** A file whose state goes from case to case, and whose chart's path changes with it. */
const lines = Array.from({ length: 12 }, (_, seq) => ({
  seq,
  t: seq * 1_000,
  ...(seq > 0 ? { event: seq % 2 === 0 ? "rest" : "go" } : {}),
  state: { title: `round ${seq}`, phase: { [seq % 2 === 0 ? "idle" : "busy"]: {} }, path: ["a"] },
  outputState: { handler: ["a"] },
}));

Deno.test("asks for the values of the entries in one request, and takes the first that has cases", async () => {
  const source = await openLines(lines);
  const { entries } = await source.ask({
    type: "entries",
    timeline: TIMELINE,
    from: 2,
    count: 8,
  });
  const state = { title: "round 9", phase: { busy: {} } };
  const cases = await observeCases(source, TIMELINE, entries, state, "/state/title");
  assert.equal(cases?.path, "/state/phase");
  assert.deepEqual(cases?.steps.slice(0, 2), [
    { seq: 2, name: "rest", at: ["idle"] },
    { seq: 3, name: "go", at: ["busy"] },
  ]);
  assert.equal(cases?.steps.length, 8);
  assert.equal(await observeCases(source, TIMELINE, entries, { n: 5 }, undefined), undefined);
  const { steps } = await observeChart(source, TIMELINE, entries);
  assert.deepEqual(steps[0], { seq: 2, name: "rest", at: ["a"], handler: ["a"] });
  assert.deepEqual((await observeChart(source, TIMELINE, [])).steps, []);
});
