/** Long arrays that changed, on the line of the array: its rows may be out of view. */

import assert from "node:assert/strict";
import { readPatch } from "../../../../web/base/patch.js";
import { flattenTree } from "../../../../web/model/state/tree.js";
import { fullText } from "../../../../web/model/state/value-looks.js";

const numbers = Array.from({ length: 40 }, (_, index) => index);

/** @param {any[]} before @param {any[]} after */
function lineOf(before, after) {
  const patch = readPatch([{ op: "replace", path: "/list", value: after }]);
  const input = { value: { list: after }, before: { list: before }, patch, open: new Set() };
  const [row] = flattenTree(input);
  return [row?.old ?? "", row?.text ?? ""];
}

Deno.test("only the elements that differ are shown, with the one before them", () => {
  const changed = numbers.with(20, 99);
  assert.deepEqual(lineOf(numbers, changed), ["[…, 19, 20, …]", "[…, 19, 99, …]"]);
  assert.deepEqual(lineOf(numbers, [...numbers, 40]), ["[…, 39]", "[…, 39, 40]"]);
  assert.deepEqual(lineOf(numbers, numbers.slice(1)), ["[0, …]", "[…]"]);
});

Deno.test("a changed element of a long list is on the line of the list, too", () => {
  const after = numbers.with(20, 99);
  const patch = readPatch([{ op: "replace", path: "/list/20", value: 99 }]);
  const open = new Set(["/list"]);
  const [row] = flattenTree({ value: { list: after }, before: { list: numbers }, patch, open });
  assert.deepEqual([row?.mark, row?.old, row?.text], [
    "changed",
    "[…, 19, 20, …]",
    "[…, 19, 99, …]",
  ]);
});

Deno.test("short arrays are shown whole", () => {
  assert.deepEqual(lineOf([1, 2], [1, 3]), ["[1,2]", "[1,3]"]);
});

Deno.test("an excerpt of long elements stays short", () => {
  const [old = "", now = ""] = lineOf(["a".repeat(200)], ["b".repeat(200)]);
  assert.ok(old.length <= 40 && now.length <= 40);
  assert.notEqual(old, now);
});

Deno.test("a row keeps the whole values of which it shows a part", () => {
  const before = ["a", "b", "c"].map((one) => one.repeat(30));
  const value = before.with(2, "d".repeat(30));
  const [row] = flattenTree({
    value: { list: value },
    before: { list: before },
    patch: readPatch([{ op: "replace", path: "/list", value }]),
    open: new Set(),
  });
  assert.ok(row?.old?.includes("…"));
  assert.equal(fullText(row?.before ?? null), JSON.stringify(before));
  assert.equal(fullText(row?.value ?? null), JSON.stringify(value));
});

Deno.test("the text of a whole value has a limit", () => {
  for (const value of ["a".repeat(9_000), Array.from({ length: 9_000 }, (_, n) => n)]) {
    const text = fullText(value);
    assert.equal(text.length, 2_000);
    assert.ok(text.endsWith("…"));
  }
  assert.equal(fullText("a\nb"), '"a\\nb"');
  assert.equal(fullText({ id: 1, tags: ["x"] }), "{id: 1, tags: 1 item}");
});
