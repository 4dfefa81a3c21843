import assert from "node:assert/strict";
import { chainOf, rootOf } from "../../../../web/model/sources/ancestry.js";
import { areKin, familyOf, freshName } from "../../../../web/model/branches/branches.js";
import { listSources } from "../../../../web/model/sources/source-list.js";

/** @import { TimelineSummary } from "../../../../web/wire/to-inspector.js" */

/**
 * Timelines by the ids of their parents; their names are their ids.
 *
 * @param {Record<string, string | undefined>} parents
 * @returns {Map<string, TimelineSummary>}
 */
const world = (parents) =>
  new Map(
    Object.entries(parents).map(([timeline, parent]) => [timeline, {
      header: {
        timeline,
        app: { name: "App" },
        machine: { type: "T", name: timeline },
        started: "2026-05-01T08:00:00Z",
        format: 1,
        ...(parent && { parent: { timeline: parent, through: 1, start: 0, edits: [] } }),
      },
      name: timeline,
      entries: 2,
      first: 0,
      last: 1,
      bytes: 1,
      duration: 1,
    }]),
  );

/** @param {Map<string, TimelineSummary>} summaries */
const listed = (summaries) =>
  listSources(summaries.values(), { describe: () => "" }).flatMap((row) =>
    row.is === "timeline" ? [`${" ".repeat(row.depth)}${row.name}`] : []
  );

Deno.test("walks over a cycle of parents end, and agree on the root", () => {
  const own = world({ a: "a" });
  const pair = world({ b: "a", a: "b" });
  const tail = world({ z: "y", y: "c", c: "b", b: "d", d: "c" });
  assert.deepEqual(chainOf("a", own), ["a"]);
  for (const id of ["a", "b"]) assert.equal(rootOf(id, pair), "a");
  for (const id of ["z", "y", "b", "c", "d"]) assert.equal(rootOf(id, tail), "b");
  assert.deepEqual(chainOf("z", tail), ["z", "y", "c", "b"]);
  assert.ok(areKin("z", "d", tail));
  for (const id of tail.keys()) assert.equal(familyOf(id, tail).length, 5);
});

Deno.test("a timeline whose parents form a cycle is listed once", () => {
  assert.deepEqual(listed(world({ a: "a" })), ["a"]);
  assert.deepEqual(listed(world({ b: "a", a: "b", c: "b" })), ["a", " b", "  c"]);
  assert.deepEqual(listed(world({ a: undefined, b: "a", c: "gone" })), ["a", " b", "c"]);
});

Deno.test("a branch in a cycle gets its own name", () => {
  const pair = world({ "without 5": "without 6", "without 6": "without 5" });
  assert.equal(freshName("without 5", "without 5", pair), "without 5 (2)");
  assert.equal(freshName("b", "a", world({ a: undefined })), "b");
});

Deno.test("two branches of one entry have different names", () => {
  const siblings = world({ main: undefined, "without 44": "main" });
  assert.equal(freshName("without 44", "main", siblings), "without 44 (2)");
});
