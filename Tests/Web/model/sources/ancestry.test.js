import assert from "node:assert/strict";
import { chainOf, rootOf, rootsOf } from "../../../../web/model/sources/ancestry.js";
import {
  areKin,
  familyOf,
  freshName,
  hiddenText,
  partnerOf,
  rowsAround,
} from "../../../../web/model/branches/branches.js";
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

Deno.test("branches may be nested thousands deep", () => {
  const ids = Array.from({ length: 20_000 }, (_, place) => String(place).padStart(5, "0"));
  const chain = world(Object.fromEntries(ids.map((id, place) => [id, ids[place - 1]])));
  const rows = listSources(chain.values(), { describe: () => "" });
  assert.equal(rows.length, 20_001);
  assert.equal(rows.at(-1)?.is === "timeline" && rows.at(-1)?.id, "19999");
  const found = listSources(chain.values(), { describe: () => "", search: "19999" });
  assert.equal(found.length, 20_001);
  const family = familyOf("19999", chain);
  assert.deepEqual([family.length, family.at(-1)?.depth], [20_000, 19_999]);
});

Deno.test("of a large family, the rows around a timeline are shown", () => {
  const ids = Array.from({ length: 1_000 }, (_, place) => `b${String(place).padStart(3, "0")}`);
  const family = familyOf(
    "a",
    world({ a: undefined, ...Object.fromEntries(ids.map((id) => [id, "a"])) }),
  );
  const names = (/** @type {string} */ id) => {
    const rows = rowsAround(family, id, 100);
    return [rows.length, rows[0]?.name, rows.at(-1)?.name, rows[1]?.parentRow];
  };
  assert.deepEqual(names("a"), [100, "a", "b098", 0]);
  assert.deepEqual(names("b500"), [100, "b450", "b549", undefined]);
  assert.deepEqual(names("b999"), [100, "b900", "b999", undefined]);
  assert.equal(rowsAround(family, "a", 1_001), family);
});

Deno.test("timelines without a row are counted, with a way to find them", () => {
  assert.equal(hiddenText(0), "");
  assert.equal(hiddenText(1), "1 other timeline is not shown. To find one, search the machines.");
  assert.equal(
    hiddenText(1_200),
    "1,200 other timelines are not shown. To find one, search the machines.",
  );
});

Deno.test("the roots of all timelines are those of each", () => {
  const worlds = [
    { a: "a" },
    { b: "a", a: "b" },
    { z: "y", y: "c", c: "b", b: "d", d: "c" },
    { a: undefined, b: "a", c: "gone", d: "b", e: "c" },
    { d: "c", c: "b", b: "a", a: undefined },
  ];
  for (const parents of worlds) {
    const summaries = world(parents);
    const roots = rootsOf(summaries);
    for (const id of summaries.keys()) assert.equal(roots.get(id), rootOf(id, summaries), id);
  }
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

Deno.test("a timeline is compared with its parent, a branch, or the recording before it", () => {
  const family = world({ main: undefined, first: "main", second: "first", other: undefined });
  assert.equal(partnerOf("second", family), "first");
  assert.equal(partnerOf("main", family), "first");
  assert.equal(partnerOf("other", family), undefined);
  assert.equal(partnerOf("missing", family), undefined);

  const days = world({ monday: undefined, tuesday: undefined, friday: undefined, door: undefined });
  for (const [id, day] of Object.entries({ monday: 1, tuesday: 2, friday: 5, door: 3 })) {
    const { header } = days.get(id) ?? {};
    if (!header) continue;
    header.started = `2026-06-0${day}T08:00:00Z`;
    header.machine.name = id === "door" ? "door" : "cart";
  }
  assert.equal(partnerOf("friday", days), "tuesday");
  assert.equal(partnerOf("tuesday", days), "monday");
  assert.equal(partnerOf("monday", days), "tuesday");
  assert.equal(partnerOf("door", days), undefined);
});
