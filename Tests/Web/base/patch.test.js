import assert from "node:assert/strict";
import { difference } from "../../../web/base/difference.js";
import { equalJson, writeJson } from "../../../web/base/json.js";
import { applyPatch, PatchError, readPatch } from "../../../web/base/patch.js";
import { lookUp, pathText, readPointer, writePointer } from "../../../web/base/pointer.js";
import { Random } from "../random.js";

/** @import { Json } from "../../../web/base/json-types.d.ts" */

Deno.test("reads and writes pointers, and refuses any other text", () => {
  assert.deepEqual(readPointer("/a~1b/c~0d//0"), ["a/b", "c~d", "", "0"]);
  assert.equal(writePointer(["a/b", "c~d", "", "0"]), "/a~1b/c~0d//0");
  for (const text of ["a", "/~", "/~2"]) assert.equal(readPointer(text), undefined);
});

Deno.test("looks up only what a value has of its own", () => {
  const value = { a: [{ b: 1 }], "": 2 };
  assert.equal(lookUp(value, ["a", "0", "b"]), 1);
  assert.equal(lookUp(value, [""]), 2);
  for (const tokens of [["a", "00"], ["a", "-"], ["a", "length"], ["toString"], ["a", "1"]]) {
    assert.equal(lookUp(value, tokens), undefined, tokens.join("/"));
  }
});

Deno.test("shows a pointer as people write a path", () => {
  assert.equal(pathText(["favorites", "0", "on"]), "favorites[0].on");
  assert.equal(pathText(["odd key", "grüße"]), '["odd key"].grüße');
});

Deno.test("applies a patch without changing the value before, and shares the rest", () => {
  /** @type {Json} */
  const before = { list: [{ n: 1 }, { n: 2 }], other: { deep: [1] } };
  const text = writeJson(before);
  const after = applyPatch(
    before,
    readPatch([
      { op: "replace", path: "/list/1/n", value: 3 },
      { op: "add", path: "/list/-", value: 4 },
      { op: "remove", path: "/list/0" },
      { op: "add", path: "/__proto__", value: 5 },
    ]),
  );
  assert.equal(writeJson(before), text);
  assert.equal(writeJson(after), '{"list":[{"n":3},4],"other":{"deep":[1]},"__proto__":5}');
  assert.equal(lookUp(after, ["other"]), lookUp(before, ["other"]));
});

Deno.test("says which operation does not apply", () => {
  /** @type {[Json, Json, number][]} */
  const cases = [
    [{ a: 1 }, [{ op: "replace", path: "/b", value: 1 }], 0],
    [{ a: 1 }, [{ op: "remove", path: "/a" }, { op: "remove", path: "/a" }], 1],
    [[1], [{ op: "add", path: "/2", value: 1 }], 0],
    [[1], [{ op: "replace", path: "/01", value: 1 }], 0],
    [{ a: 1 }, [{ op: "add", path: "/a/b", value: 1 }], 0],
    [{ a: 1 }, [{ op: "remove", path: "/toString" }], 0],
    [1, [{ op: "remove", path: "" }], 0],
  ];
  for (const [value, patch, index] of cases) {
    assert.throws(
      () => applyPatch(value, readPatch(patch)),
      (error) => error instanceof PatchError && error.index === index,
      writeJson(patch),
    );
  }
  for (
    const json of [{}, [1], [{ op: "move", path: "/a" }], [{ op: "add", path: "/a" }], [{
      op: "remove",
      path: "a",
    }]]
  ) {
    assert.throws(() => readPatch(/** @type {Json} */ (json)), PatchError);
  }
});

Deno.test("transforms one value into the other, whatever they are", () => {
  for (let seed = 0; seed < 3_000; seed++) {
    const random = new Random(seed);
    const [old, now] = [random.value(4), random.value(4)];
    const patch = difference(old, now);
    assert.ok(
      equalJson(applyPatch(old, patch), now),
      `seed ${seed}: ${writeJson(old)} to ${writeJson(now)}`,
    );
    assert.deepEqual(difference(now, now), []);
  }
});

Deno.test("follows elements by their id, and does not look at what is shared", () => {
  const rest = {
    get trap() {
      return assert.fail("looked at");
    },
  };
  /** @type {Json} */
  const old = { list: [{ id: 1, n: 1 }, { id: 2, n: 2 }, { id: 3, n: 3 }] };
  const now = { list: [{ id: 0, n: 0 }, { id: 1, n: 1 }, { id: 3, n: 4 }] };
  assert.deepEqual(
    difference({ ...old, rest }, { ...now, rest }).map(({ op, path }) => `${op} ${path}`),
    ["add /list/0", "remove /list/2", "replace /list/2/n"],
  );
});
