/** What is folded in the list of machines: older runs of an app, and finished machines of one name. */

import assert from "node:assert/strict";
import { listSources } from "../../../../web/model/sources/source-list.js";

/** @import { TimelineSummary } from "../../../../web/wire/to-inspector.js" */

/**
 * @param {number} id
 * @param {string} name
 * @param {{ run?: string, live?: boolean }} [more]
 */
function timeline(id, name, { run = "2", live = false } = {}) {
  return /** @type {TimelineSummary} */ (/** @type {unknown} */ ({
    header: {
      timeline: String(id),
      app: { name: "Gallery", run },
      machine: { name, type: name, kind: "states" },
      started: `2026-05-0${run}T08:00:0${id}Z`,
    },
    entries: 1,
    ...(live ? { live } : {}),
  }));
}

const SUMMARIES = [
  timeline(1, "coin", { live: true }),
  timeline(2, "verification"),
  timeline(3, "verification 2"),
  timeline(4, "verification 3"),
  timeline(5, "verification 4", { live: true }),
  timeline(6, "coin", { run: "1" }),
];
const OLD = JSON.stringify(["Gallery", "", "1"]);
const NEW = JSON.stringify(["Gallery", "", "2"]);

/** @param {Partial<Parameters<typeof listSources>[1]>} [options] */
const show = (options) =>
  listSources(SUMMARIES, { describe: () => "", ...options }).map((row) =>
    row.is === "timeline"
      ? `${" ".repeat(row.depth + 1)}${row.name}`
      : row.is === "group"
      ? `${row.isOpen ? "-" : "+"} ${row.name} ×${row.count}`
      : `${row.isOpen ? "-" : "+"} ${row.name}`
  );

Deno.test("folds older runs, and finished machines of one name", () => {
  assert.deepEqual(show(), [
    "- Gallery",
    " coin",
    " verification 4",
    "+ verification ×3",
    "+ Gallery",
  ]);
});

Deno.test("unfolds what the reader opens, and folds what the reader closes", () => {
  const toggled = new Set([OLD, `${NEW} verification`]);
  assert.deepEqual(show({ toggled }), [
    "- Gallery",
    " coin",
    " verification 4",
    "- verification ×3",
    "  verification",
    "  verification 2",
    "  verification 3",
    "- Gallery",
    " coin",
  ]);
  assert.deepEqual(show({ toggled: new Set([NEW]) }), ["+ Gallery", "+ Gallery"]);
});

Deno.test("shows the timeline in view, and all that a search finds", () => {
  assert.ok(show({ shown: "6" }).at(-1) === " coin");
  // Of the three, two remain: too few to be folded.
  assert.ok(show({ shown: "3" }).includes(" verification 2"));
  assert.deepEqual(show({ search: "verification 2" }), ["- Gallery", " verification 2"]);
});

/** How many elements searches and copies of arrays visit while `work` runs. */
function visitedBy(/** @type {() => void} */ work) {
  const { includes, some } = Array.prototype;
  const values = Array.prototype[Symbol.iterator];
  let visited = 0;
  /** @param {Parameters<typeof includes>} given */
  Array.prototype.includes = function (...given) {
    visited += this.length;
    return includes.apply(this, given);
  };
  /** @param {Parameters<typeof some>} given */
  Array.prototype.some = function (...given) {
    visited += this.length;
    return some.apply(this, given);
  };
  Array.prototype[Symbol.iterator] = function () {
    visited += this.length;
    return values.call(this);
  };
  try {
    work();
  } finally {
    Object.assign(Array.prototype, { includes, some });
    Array.prototype[Symbol.iterator] = values;
  }
  return visited;
}

for (
  const [kind, run] of /** @type {[string, (index: number) => string][]} */ ([
    ["machines of one run", () => "1"],
    ["runs", String],
  ])
) {
  Deno.test(`twice as many ${kind} are at most three times the work`, () => {
    const work = (/** @type {number} */ count) => {
      const summaries = Array.from(
        { length: count },
        (_, index) => timeline(index, "machine", { run: run(index) }),
      );
      return visitedBy(() => listSources(summaries, { describe: () => "" }));
    };
    assert.ok(work(2_000) <= 3 * work(1_000), `${work(2_000)} against ${work(1_000)}`);
  });
}
