import assert from "node:assert/strict";
import { isObject } from "../../../../web/base/json.js";
import { lookUp } from "../../../../web/base/pointer.js";
import { readToInspector } from "../../../../web/wire/to-inspector.js";
import { localSeries } from "../../../../web/model/files/local-series.js";
import { Moments } from "../../../../web/model/files/moments.js";
import { reduceValue, SeriesTrack } from "../../../../web/model/files/series-track.js";
import { TimelineFileReader } from "../../../../web/wire/timeline-file.js";
import { counterLines, HEADER, openLines, TIMELINE } from "../../files.js";

/** @import { Json } from "../../../../web/base/json-types.d.ts" */
/** @import { Lines } from "../../../../web/model/files/moments.js" */

/**
 * A file's lines, in memory.
 *
 * @param {readonly Json[]} lines
 * @returns {Lines}
 */
function linesOf(lines) {
  const reader = new TimelineFileReader();
  const text = [HEADER, ...lines].map((line) => JSON.stringify(line)).join("\n") + "\n";
  reader.push(new TextEncoder().encode(text));
  const objects = lines.filter(isObject);
  return {
    index: reader.finish().index,
    read: (first, end) => Promise.resolve(objects.slice(first, end)),
  };
}

const PATHS = ["/state/n", "/outputs/isEven", "/state/nothing"];

Deno.test("a series of a file has the last value of each bucket", async () => {
  const file = await openLines(counterLines(100));
  const request = { type: /** @type {const} */ ("series"), timeline: TIMELINE, paths: PATHS };
  for (
    const { from, to, buckets } of [
      { from: 0, to: 99, buckets: 10 },
      { from: 0, to: 99, buckets: 100 },
      { from: 37, to: 80, buckets: 7 },
      { from: 90, to: 200, buckets: 3 },
    ]
  ) {
    const answer = await file.ask({ ...request, from, to, buckets, by: "seq" });
    for (let seq = from; seq <= Math.min(to, 99); seq++) {
      const bucket = Math.floor((seq - from) * buckets / (to - from + 1));
      const isLast = Math.floor((seq + 1 - from) * buckets / (to - from + 1)) > bucket ||
        seq === 99;
      if (!isLast) continue;
      const { value } = await file.ask({ type: "state", timeline: TIMELINE, seq });
      answer.paths.forEach(({ at, last }, index) => {
        const place = at.findLastIndex((one) => one <= bucket);
        const tokens = (PATHS[index] ?? "").split("/").slice(1);
        assert.deepEqual(last[place], reduceValue(lookUp(value, tokens)), `${seq} ${tokens}`);
      });
    }
    assert.equal(answer.through, Math.min(to, 99));
    assert.equal(answer.sampled, undefined);
    const changes = answer.paths[0]?.changes.reduce((sum, one) => sum + one, 0);
    // The counter changes at every entry but the first.
    assert.equal(changes, Math.min(to, 99) - Math.max(from, 1) + 1);
  }
});

Deno.test("a series of a long range is sampled, with the same last value in each bucket", async () => {
  const lines = linesOf(counterLines(300));
  const request = {
    type: /** @type {const} */ ("series"),
    timeline: TIMELINE,
    paths: PATHS,
    from: 0,
    to: 299,
    buckets: 12,
    by: /** @type {const} */ ("seq"),
  };
  const exact = await localSeries(lines, new Moments(lines), request);
  const sampled = await localSeries(lines, new Moments(lines), request, {}, 50);
  assert.deepEqual(sampled.sampled, [[0, 11]]);
  exact.paths.forEach(({ at, last }, index) => {
    const other = sampled.paths[index];
    for (let bucket = 0; bucket < 12; bucket++) {
      const [place, otherPlace] = [at, other?.at ?? []].map((list) =>
        list.findLastIndex((one) => one <= bucket)
      );
      assert.deepEqual(other?.last[otherPlace ?? -1], last[place ?? -1]);
    }
  });
});

Deno.test("a series shows what was lost, not captured, and redacted", async () => {
  const lines = linesOf([
    { seq: 0, t: 0, state: { n: 1, token: "x" } },
    { seq: 1, t: 1, event: "a", patch: [{ op: "replace", path: "/n", value: 5 }] },
    { seq: 2, t: 2, event: "b" },
    { seq: 5, t: 5, event: "c", gap: { lost: 2, why: "full" }, state: { n: 7, token: "x" } },
    {
      seq: 6,
      t: 6,
      event: "d",
      patch: [{ op: "remove", path: "/n" }],
      redacted: { "/state/token": "" },
    },
  ]);
  const answer = await localSeries(lines, new Moments(lines), {
    type: "series",
    timeline: TIMELINE,
    paths: ["/state/n", "/state/token"],
    from: 0,
    to: 7,
    buckets: 8,
    by: "seq",
  });
  assert.deepEqual(answer.paths[0], {
    at: [0, 1, 2, 5, 6],
    last: [1, 5, { is: "unknown" }, 7, { is: "absent" }],
    least: [1, 1, 5, 7, 7],
    greatest: [1, 5, 5, 7, 7],
    changes: [0, 1, 0, 0, 1],
  });
  assert.equal(answer.paths[1]?.redacted, true);
  assert.deepEqual(answer.paths[1]?.at, []);
  assert.deepEqual(answer.unknown, [[2, 2], [5, 5]]);
});

Deno.test("two long strings of one length are two values", () => {
  const track = new SeriesTrack();
  track.note({ value: "a".repeat(200) }, 0, false);
  track.note({ value: "b".repeat(200) }, 0, true);
  track.note({ value: "b".repeat(200) }, 1, true);
  assert.deepEqual(track.series.last, [{ is: "string", bytes: 200 }]);
  assert.deepEqual(track.series.changes, [1]);
});

Deno.test("a series whose lists differ in length is refused", () => {
  const message = (/** @type {object} */ path) =>
    JSON.stringify({ type: "series", re: 1, paths: [path] });
  const even = { at: [0], last: [1], least: [1], greatest: [1], changes: [0] };
  assert.equal(readToInspector(message(even))?.type, "series");
  assert.throws(() => readToInspector(message({ ...even, last: [] })), /differ in length/);
});
