import assert from "node:assert/strict";
import {
  MAXIMUM_COLUMNS,
  PAGE,
  PathColumns,
} from "../../../../web/model/verification/path-columns.js";
import { RequestError } from "../../../../web/wire/requests.js";
import { idOf, settle } from "../../daemons.js";

const [A = "", B = ""] = ["a", "b"].map(idOf);

/**
 * Columns of two timelines: on the left a value is its entry's number, on the right one more after
 * entry 5.
 *
 * @param {{ paths?: string[], unknown?: [number, number][], fails?: boolean }} [given]
 */
function columnsOf({ paths = ["/state/n"], unknown = [], fails = false } = {}) {
  /** @type {any[]} */
  const asked = [];
  let changes = 0;
  const source = /** @type {any} */ ({
    ask: async (/** @type {any} */ request) => {
      asked.push(request);
      await settle();
      if (fails) throw new RequestError("wrong-value", "It is broken.");
      const { timeline, from, count } = request;
      const values = Array.from(
        { length: count },
        (_, index) => from + index + (timeline === B && from + index > 5 ? 1 : 0),
      );
      return { type: "column", from, columns: request.paths.map(() => values), unknown };
    },
  });
  const { signal } = new AbortController();
  const columns = new PathColumns(source, { a: A, b: B }, paths, {
    onChange: () => changes++,
    signal,
  });
  return { columns, asked, changes: () => changes };
}

/** @param {number} [a] @param {number} [b] */
const row = (a, b) => /** @type {any} */ ({
  a: a === undefined ? undefined : { seq: a },
  b: b === undefined ? undefined : { seq: b },
  is: "differs",
});

Deno.test("has the values of both sides of a line once they arrive", async () => {
  const { columns, changes } = columnsOf();
  assert.deepEqual(columns.values(row(4, 4)), [{ a: undefined, b: undefined, isEqual: false }]);
  await settle();
  await settle();
  assert.equal(changes(), 2);
  assert.deepEqual(columns.values(row(4, 4)), [{ a: 4, b: 4, isEqual: true }]);
  assert.deepEqual(columns.values(row(8, 6)), [{ a: 8, b: 7, isEqual: false }]);
  assert.deepEqual(columns.values(row(8)), [{ a: 8, b: undefined, isEqual: false }]);
});

Deno.test("requests each page of a side once, whatever is visible", async () => {
  const { columns, asked } = columnsOf();
  for (let seq = 0; seq < 40; seq++) columns.values(row(seq, seq));
  columns.values(row(PAGE, 3));
  assert.deepEqual(asked.map(({ timeline, from, count }) => [timeline, from, count]), [
    [A, 0, PAGE],
    [B, 0, PAGE],
    [A, PAGE, PAGE],
  ]);
  await settle();
});

Deno.test("shows no value where it is unknown, and none when the daemon refuses", async () => {
  const { columns } = columnsOf({ unknown: [[2, 3]] });
  columns.values(row(2, 9));
  await settle();
  await settle();
  assert.deepEqual(columns.values(row(2, 9)), [{ a: undefined, b: 10, isEqual: false }]);
  assert.deepEqual(columns.values(row(4, 4)), [{ a: 4, b: 4, isEqual: true }]);
  const refused = columnsOf({ fails: true });
  refused.columns.values(row(1, 1));
  await settle();
  await settle();
  refused.columns.values(row(1, 1));
  assert.equal(refused.asked.length, 2);
});

Deno.test("has a few columns at most, for the paths that differ in most entries", () => {
  const { columns } = columnsOf({ paths: ["/state/a", "/state/b", "/state/c", "/state/d"] });
  assert.deepEqual(columns.paths, ["/state/a", "/state/b", "/state/c"]);
  assert.equal(columns.paths.length, MAXIMUM_COLUMNS);
});
