import assert from "node:assert/strict";
import {
  excludedProblem,
  readExcluded,
} from "../../../../web/model/verification/excluded-events.js";

/** @param {string[]} names @param {boolean} [complete] */
const schemaOf = (names, complete = true) => ({ complete, cases: names.map((name) => ({ name })) });

Deno.test("names of events are read between commas", () => {
  assert.deepEqual(readExcluded(" scrolled,, moved , "), ["scrolled", "moved"]);
  assert.deepEqual(readExcluded("  "), []);
});

Deno.test("an event that a machine does not have is named, with those that it has", () => {
  const schema = schemaOf(["added", "removed", "checkedOut"]);
  assert.equal(excludedProblem(["added", "checkedOut"], schema), undefined);
  assert.equal(excludedProblem([], schema), undefined);
  assert.equal(
    excludedProblem(["added", "remove"], schema),
    "The machine has no event remove. It has added, removed, checkedOut.",
  );
  const many = schemaOf(Array.from({ length: 14 }, (_, index) => `e${index}`));
  assert.match(excludedProblem(["e"], many) ?? "", /e10, e11, and 2 more\.$/);
});

Deno.test("where not all events of a machine are known, any name may be one", () => {
  assert.equal(excludedProblem(["remove"], schemaOf(["removed"], false)), undefined);
  assert.equal(excludedProblem(["remove"], schemaOf([])), undefined);
  assert.equal(excludedProblem(["remove"], undefined), undefined);
});
