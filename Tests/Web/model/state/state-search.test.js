import assert from "node:assert/strict";
import { flattenTree, searchNote, searchTree } from "../../../../web/model/state/tree.js";

/** @import { Json } from "../../../../web/base/json-types.d.ts" */

/** A state of which one member was not loaded, and of a list only the first elements. */
const STATE = {
  name: "Ann",
  deep: { deeper: { name: "Bob" } },
  notes: { $cut: 900_000 },
  list: ["Ann", { $cut: 800, $more: 40 }],
};

/** @param {string} text @param {Record<string, Json>} [parts] what was fetched */
const search = (text, parts = {}) =>
  searchTree({ value: STATE, fetched: (path) => parts[path] }, text);

/** @param {ReturnType<typeof search>} found */
const paths = ({ rows }) => rows.map(({ path }) => path);

const TWO =
  "2 parts are not loaded and were not searched: load them in the tree, then search again.";
const ONE = "1 part is not loaded and was not searched: load it in the tree, then search again.";

Deno.test("finds values wherever they are, and counts what was not searched", () => {
  const found = search("ann");
  assert.deepEqual(paths(found), ["/list/0", "/name"]);
  assert.equal(searchNote(found), TWO);
  assert.equal(searchNote(search("carol")), `No matches. ${TWO}`);
});

Deno.test("searches what was fetched", () => {
  const parts = { "/notes": { first: { by: "Carol" } } };
  const found = search("carol", parts);
  assert.deepEqual(paths(found), ["/notes/first/by"]);
  assert.equal(searchNote(found), ONE);
  const all = search("dora", { ...parts, "/list": ["Ann", "Dora"] });
  assert.deepEqual(paths(all), ["/list/1"]);
  assert.equal(searchNote(all), "");
  assert.equal(searchNote(search("?", { ...parts, "/list": [] })), "No matches.");
});

Deno.test("a part that is not loaded can be loaded from a search result", () => {
  const [row] = search("notes").rows;
  assert.deepEqual([row?.look, row?.canOpen, row?.isOpen], ["cut", true, false]);
  // Also where its loading failed after it was opened.
  const open = new Set(["/notes"]);
  const failed = flattenTree({ value: STATE, open }).find(({ path }) => path === "/notes");
  assert.equal(failed?.isOpen, false);
});

Deno.test("reports what is too deep to be searched, which loading does not change", () => {
  /** @type {Json} */
  let value = "Ann";
  for (let depth = 0; depth < 40; depth++) value = { inside: value };
  const found = searchTree({ value }, "ann");
  assert.deepEqual(found, { rows: [], notLoaded: 0, leftOut: 1 });
  assert.equal(
    searchNote(found),
    "No matches. 1 part lies deeper than 24 levels, or behind 20,000 others, and was not searched.",
  );
});
