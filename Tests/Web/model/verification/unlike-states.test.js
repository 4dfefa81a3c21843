import assert from "node:assert/strict";
import { UnlikeStates } from "../../../../web/model/verification/unlike-states.js";
import { PathColumns } from "../../../../web/model/verification/path-columns.js";
import { RequestError } from "../../../../web/wire/requests.js";
import { idOf, settle } from "../../daemons.js";

/** @import { AlignedRow } from "../../../../web/model/verification/alignment.js" */

const timelines = { a: idOf("a"), b: idOf("b") };

/** The first difference is at entry 3. */
const VERDICT = /** @type {any} */ ({ equal: 3, differing: 7, a: { timeline: "", seq: 3 } });

/**
 * Two sides with other values at a path in some lines, and with other states in some more.
 *
 * @param {{ unlike?: number[], elsewhere?: number[], unknown?: number[] }} [where]
 */
function open({ unlike = [], elsewhere = [], unknown = [] } = {}) {
  /** @type {number[]} */
  const asked = [];
  let changes = 0;
  const ask = async (/** @type {any} */ request) => {
    await Promise.resolve();
    if (request.type === "column") {
      const other = request.timeline === timelines.b;
      const values = Array.from(
        { length: 10 },
        (_, seq) => other && unlike.includes(seq) ? -1 : seq,
      );
      return { type: "column", from: 0, columns: [values] };
    }
    const { a: { seq }, b } = request;
    assert.equal(b.seq, seq);
    asked.push(seq);
    if (unknown.includes(seq)) throw new RequestError("thinned", "It was not captured.");
    const isUnlike = [...unlike, ...elsewhere].includes(seq);
    return { type: "diff", patch: isUnlike ? [{ op: "remove", path: "/state/x" }] : [] };
  };
  const source = /** @type {any} */ ({ ask });
  const how = { onChange: () => changes++, signal: new AbortController().signal };
  const columns = new PathColumns(source, timelines, ["/state/n"], how);
  const states = new UnlikeStates(source, timelines, how);
  const rows = Array.from({ length: 10 }, (_, seq) => {
    const entry = { seq, t: 0, event: "step", patch: [] };
    return /** @type {AlignedRow} */ ({ a: entry, b: entry, is: "same" });
  });
  /** What is known of each line after it was drawn twice. @param {import("../../../../web/model/verification/unlike-states.js").Known} known */
  const look = async (known) => {
    for (const _ of [1, 2]) {
      for (const row of rows) states.look(row, known);
      await settle();
    }
    return rows.flatMap(({ areUnlike }, seq) => areUnlike ? [seq] : []);
  };
  return { columns, look, asked, rows, changes: () => changes };
}

Deno.test("marks lines of equal patches whose states differ", async () => {
  const { columns, look, asked } = open({ unlike: [4, 5, 8] });
  assert.deepEqual(await look({ verdict: VERDICT, columns }), [4, 5, 8]);
  // The values at hand decided those; before the first difference nothing is asked.
  assert.deepEqual(asked, [3, 6, 7, 9]);
});

Deno.test("asks once for lines whose shown values are equal, or that have none", async () => {
  const { columns, look, asked, changes } = open({ elsewhere: [6] });
  assert.deepEqual(await look({ verdict: VERDICT, columns }), [6]);
  assert.deepEqual(asked, [3, 4, 5, 6, 7, 8, 9]);
  assert.ok(changes() > 0);
  const without = open({ unlike: [4] });
  assert.deepEqual(await without.look({ verdict: VERDICT }), [4]);
  assert.equal(without.asked.length, 7);
});

Deno.test("waits for the verdict, and asks nothing where all is equal", async () => {
  const early = open({ unlike: [4] });
  assert.deepEqual(await early.look({}), []);
  const { a: _, ...rest } = VERDICT;
  assert.deepEqual(await early.look({ verdict: { ...rest, differing: 0 } }), []);
  assert.deepEqual(early.asked, []);
  // Without a verdict, each line is asked for.
  assert.deepEqual(await early.look({ failure: "It is too long." }), [4]);
});

Deno.test("a line with an unknown moment, or equal moments, is not marked", async () => {
  const { look, rows, asked } = open({ unlike: [4, 5], unknown: [4] });
  const [row] = rows.slice(5);
  if (row) row.areUnlike = false;
  assert.deepEqual(await look({ verdict: VERDICT }), []);
  assert.ok(!asked.includes(5));
});
