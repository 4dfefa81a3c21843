/** What grows, in a file: the same answers as the daemon's. */

import assert from "node:assert/strict";
import { growingParts, sizeTree } from "../../../../web/model/files/size-tree.js";
import { counterLines, openLines, TIMELINE } from "../../files.js";

/** @import { Json } from "../../../../web/base/json-types.d.ts" */

/** @param {Json[]} states */
const parts = (states) => growingParts(states.map((state) => sizeTree(state)), ["state"]);

Deno.test("the bytes are those of the JSON text", () => {
  const wide = Object.fromEntries(
    Array.from({ length: 400 }, (_, index) => [`k${index}`, { n: [] }]),
  );
  /** @type {Json[]} */
  const values = [null, [], {}, { a: { b: [1, { c: 'é\n"' }] }, "": -1.5 }, { a: wide }];
  for (const value of values) {
    assert.equal(sizeTree(value).bytes, new TextEncoder().encode(JSON.stringify(value)).length);
  }
});

Deno.test("the innermost part that grows is named, and not what contains it", () => {
  assert.deepEqual(
    parts([
      { shop: { log: [], name: "a", total: 1 } },
      { shop: { log: [1, 2], name: "a", total: 1 } },
      { shop: { log: [1, 2, 3, 4], name: "abc", total: 1 } },
    ]),
    [
      { path: "/state/shop/log", bytes: [2, 5, 9], elements: [0, 2, 4] },
      { path: "/state/shop/name", bytes: [3, 3, 5] },
    ],
  );
});

Deno.test("a dictionary grows as a whole, and optional parts by themselves", () => {
  const object = (/** @type {number} */ count) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 1]));
  const names = (/** @type {Json[]} */ states) => parts(states).map(({ path }) => path);
  assert.deepEqual(names([{ cache: {} }, { cache: object(8) }]), ["/state/cache"]);
  assert.deepEqual(names([{ cache: object(1) }, { cache: object(200) }]), ["/state/cache"]);
  assert.deepEqual(names([{}, object(2)]), ["/state/k0", "/state/k1"]);
  assert.deepEqual(names([{ user: null }, { user: { name: "x" } }]), ["/state/user/name"]);
  assert.deepEqual(names([{ a: [1, 2] }, { a: { b: 1, c: 2 } }]), ["/state/a"]);
  assert.deepEqual(names([[1], [1, 2, 3], [1]]), []);
  assert.deepEqual(names([1, 22]), ["/state"]);
});

Deno.test("a file answers with equally distant entries, and refuses what a daemon refuses", async () => {
  const file = await openLines(counterLines(100));
  const request = { type: /** @type {const} */ ("growth"), timeline: TIMELINE };
  const all = await file.ask({ ...request, samples: 4 });
  assert.deepEqual(all.seqs, [0, 33, 66, 99]);
  assert.equal(all.bytes.length, 4);
  const some = await file.ask({ ...request, from: 10, to: 12 });
  assert.deepEqual(some.seqs, [10, 11, 12]);
  const samples = "The number of samples must be 2 to 64.";
  const limit = "The limit must be 1 to 200.";
  const entries = "The timeline has the entries 0 to 99.";
  for (
    const [wrong, message] of /** @type {const} */ ([
      [{ samples: 1 }, samples],
      [{ samples: 65 }, samples],
      [{ limit: 0 }, limit],
      [{ limit: 201 }, limit],
      [{ from: 12, to: 10 }, entries],
      [{ from: 100 }, entries],
    ])
  ) {
    await assert.rejects(file.ask({ ...request, ...wrong }), { code: "wrong-value", message });
  }
});
