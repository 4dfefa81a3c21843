import assert from "node:assert/strict";
import { Emitter } from "../../../../web/base/emitter.js";
import { seriesLevel, Sparklines } from "../../../../web/model/timeline/sparklines.js";
import {
  bandColors,
  describeLine,
  isDrawn,
  joined,
  lineOf,
  lookOf,
  pointsIn,
} from "../../../../web/model/timeline/spark-line.js";
import { RequestError } from "../../../../web/wire/requests.js";
import { bandLabels, piecesOf, sparkOutlines } from "../../../../web/elements/spark-shape.js";

/** @import { Json } from "../../../../web/base/json-types.d.ts" */
/** @import { SparkLine } from "../../../../web/model/timeline/spark-line.js" */

/**
 * @param {number[]} at
 * @param {Json[]} last
 * @param {number} [from]
 * @returns {SparkLine}
 */
function line(at, last, from = 0) {
  const numbers = last.map((one) => typeof one === "number" ? one : null);
  const series = { at, last, least: numbers, greatest: numbers, changes: at.map(() => 1) };
  series.changes[0] = 0;
  return lineOf({ paths: [series], through: 9 }, series, { from, size: 10, buckets: 10 });
}

/** @param {(request: any) => any} answer */
function opened(answer) {
  /** @type {any[]} */
  const asked = [];
  const data = {
    id: "t",
    last: 9,
    summary: /** @type {any} */ ({ duration: 999, durable: 9 }),
    entries: { get: () => undefined },
  };
  const source = {
    news: new Emitter(),
    ask: (/** @type {any} */ request) => {
      asked.push(request);
      return Promise.resolve(request).then(answer);
    },
  };
  const sparks = new Sparklines(/** @type {any} */ (source), /** @type {any} */ (data));
  return { sparks, data, asked };
}

/** @param {any} request */
const flat = (request) => ({
  type: "series",
  paths: request.paths.map(() => ({
    at: [0],
    last: [request.from],
    least: [request.from],
    greatest: [request.from],
    changes: [0],
  })),
  through: 9,
});

/** @param {Sparklines} sparks */
const news = (sparks) =>
  new Promise((resolve) => {
    const end = sparks.changed.listen(() => {
      end();
      resolve(undefined);
    });
  });

/** Until the pause after a request is over. @param {Sparklines} sparks */
async function settled(sparks) {
  await news(sparks);
  await news(sparks);
}

Deno.test("requests all rows of a drawing once, and known values never again", async () => {
  const { sparks, asked } = opened(flat);
  for (const path of ["/state/a", "/state/b"]) assert.equal(sparks.line(path, 96), undefined);
  await settled(sparks);
  assert.deepEqual(asked.map(({ paths }) => paths), [["/state/a", "/state/b"]]);
  assert.equal(asked[0].from, 0);
  assert.equal(asked[0].buckets * (2 ** 3), asked[0].to + 1);
  assert.ok(sparks.line("/state/a", 96));
  sparks.line("/state/c", 96);
  await settled(sparks);
  assert.deepEqual(asked.slice(1).map(({ paths }) => paths), [["/state/c"]]);
});

Deno.test("requests only the last bucket when the timeline grows", async () => {
  const { sparks, data, asked } = opened(flat);
  sparks.line("/state/a", 96);
  await settled(sparks);
  data.summary = { duration: 1_003, durable: 11 };
  data.last = 11;
  sparks.line("/state/a", 96);
  await settled(sparks);
  assert.equal(asked.length, 2);
  assert.equal(asked[1].from, 992);
  assert.equal(asked[1].buckets, 2);
  const grown = sparks.line("/state/a", 96);
  assert.deepEqual(grown?.points.map(({ t, last }) => [t, last]), [[0, 0], [992, 992]]);
  await Promise.resolve();
  assert.equal(asked.length, 2, "what has not grown is not asked for");
});

Deno.test("requests less immediately after a refusal, and drops a path that is refused by itself", async () => {
  const { sparks, asked } = opened((request) => {
    if (request.paths.includes("/state/long")) throw new RequestError("wrong-value", "No.");
    return flat(request);
  });
  const paths = ["/state/a", "/state/long", "/state/b"];
  for (let round = 0; round < 5; round++) {
    for (const path of paths) sparks.line(path, 96);
    if (paths.every((path) => path === "/state/long" || sparks.line(path, 96))) break;
    await settled(sparks);
  }
  for (const path of paths) sparks.line(path, 96);
  assert.ok(sparks.line("/state/a", 96) && sparks.line("/state/b", 96));
  assert.equal(sparks.line("/state/long", 96), undefined);
  assert.ok(asked.filter(({ paths }) => paths.includes("/state/long")).length <= 2);
});

Deno.test("asks an older daemon once", async () => {
  const { sparks, asked } = opened(() => {
    throw new RequestError("unknown-type", "No.");
  });
  sparks.line("/state/a", 96);
  await settled(sparks);
  sparks.line("/state/b", 96);
  await Promise.resolve();
  assert.equal(asked.length, 1);
});

Deno.test("chooses whole tiles of buckets that are powers of two", () => {
  const bounds = { start: 0, end: 1_000_000 };
  const level = seriesLevel({ start: 400_000, end: 500_000 }, 100, bounds);
  assert.equal(level.size, 512);
  assert.equal(level.from % (512 * 32), 0);
  assert.ok(level.from <= 400_000 && level.from + level.size * level.buckets >= 500_000);
  const panned = seriesLevel({ start: 400_100, end: 500_100 }, 100, bounds);
  assert.deepEqual(panned, level);
});

Deno.test("joins a line with its continuation", () => {
  const old = line([0, 9], [1, 2]);
  assert.deepEqual(joined(old, line([0, 1], [2, 3], 100)).points.map(({ t, last }) => [t, last]), [
    [0, 1],
    [90, 2],
    [110, 3],
  ]);
  // The last bucket again, in which the value has changed since.
  const again = joined(old, { ...line([0], [7], 90), start: 90 });
  assert.deepEqual(again.points.map(({ t, last }) => [t, last]), [[0, 1], [90, 7]]);
});

Deno.test("draws numbers, bands, and ticks, and says what a line shows", () => {
  const span = { start: 0, end: 100 };
  const size = { width: 100, height: 18 };
  const numbers = line([0, 5], [1, 4]);
  assert.equal(describeLine(numbers, span), "minimum 1, maximum 4, 1 change");
  assert.deepEqual(sparkOutlines(numbers, span, size), [
    { name: "spark-curve", d: "M0 16H50H50V2H100" },
  ]);
  assert.equal(describeLine(line([0], [3]), span), "always 3, no changes");
  const flags = line([0, 3], [false, true]);
  assert.deepEqual(sparkOutlines(flags, span, size).map(({ name }) => name), [
    "spark-false",
    "spark-true",
  ]);
  const cases = line([0, 2, 4], ["idle", { is: "object", case: "loading" }, { is: "absent" }]);
  assert.equal(describeLine(cases, span), "2 values: idle, loading, 2 changes");
  assert.equal(lookOf(cases.points), "bands");
  const texts = line([...Array(12).keys()], [...Array(12).keys()].map((one) => `text ${one}`));
  assert.deepEqual(sparkOutlines(texts, { start: 0, end: 120 }, size).map(({ name }) => name), [
    "spark-flat",
    "spark-ticks",
  ]);
  const broken = line([0, 2, 4], [1, { is: "unknown" }, 2]);
  assert.equal(sparkOutlines(broken, span, size)[0]?.d.match(/M/g)?.length, 2);
  const sizes = line([0, 5], [0, 2].map((count) => ({ is: "array", count })));
  assert.equal(describeLine(sizes, span), "minimum 0, maximum 2 items, 1 change");
  assert.equal(sparkOutlines(sizes, span, size)[0]?.d, "M0 16H50H50V2H100");
  const hidden = { ...numbers, isRedacted: true };
  assert.deepEqual(sparkOutlines(hidden, span, size), []);
  assert.equal(describeLine(hidden, span), "redacted in this stretch");
  const sampled = { ...numbers, sampled: [{ start: 40, end: 60 }] };
  assert.equal(describeLine(sampled, span), "minimum 1, maximum 4, at least 1 change");
});

Deno.test("a span that begins later begins with the value at that point", () => {
  const points = pointsIn(line([0, 3, 7], [1, 2, 3]), { start: 50, end: 80 });
  assert.deepEqual(points.map(({ t, last }) => [t, last]), [[50, 2], [70, 3]]);
});

Deno.test("a name keeps its color whatever else is in view", () => {
  const [all, some] = [["done", "idle", "loading"], ["idle"]].map((names) => bandColors(names));
  assert.equal(new Set(all?.values()).size, 3);
  assert.equal(all?.get("idle"), some?.get("idle"));
});

Deno.test("draws scalars, cases of enums, and arrays", () => {
  for (const value of [1, "a", true, null, { loading: {} }, [1]]) assert.ok(isDrawn(value));
  /** @type {(Json | undefined)[]} */
  const others = [undefined, {}, { a: 1, b: 2 }, { $cut: 9 }];
  for (const value of others) assert.ok(!isDrawn(value));
});

Deno.test("draws a parent on the scale of its branch, below it", () => {
  const [span, size] = [{ start: 0, end: 100 }, { width: 100, height: 18 }];
  const [branch, parent] = [line([0, 5], [1, 4]), line([0, 5], [1, 7])];
  assert.deepEqual(sparkOutlines(branch, span, size, parent), [
    { name: "spark-parent", d: "M0 16H50H50V2H100" },
    { name: "spark-curve", d: "M0 16H50H50V9H100" },
  ]);
  const [own, others] = [line([0, 5], ["a", "b"]), line([0, 5], ["a", "c"])];
  assert.deepEqual(
    sparkOutlines(own, span, size, others).map(({ name }) => name.endsWith("below")),
    [false, false, true, true],
  );
  const hidden = { ...parent, isRedacted: true };
  assert.equal(sparkOutlines(branch, span, size, hidden).length, 1);
});

Deno.test("names the bands that have room, and joins those of one value", () => {
  const points = line([0, 2, 3, 9], ["idle", "loading", "loading", "done"]).points;
  const labels = bandLabels(piecesOf(points, { start: 0, end: 100 }, 400));
  assert.deepEqual(labels, [{ x: 5, text: "idle" }, { x: 85, text: "loading" }, {
    x: 365,
    text: "done",
  }]);
  assert.deepEqual(bandLabels(piecesOf(points, { start: 0, end: 100 }, 60)).length, 1);
});
