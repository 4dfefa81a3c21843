import assert from "node:assert/strict";
import { parseJson } from "../../../../web/base/json.js";
import { parsePredicate } from "../../../../web/model/predicate/parser.js";
import { payloadFilter } from "../../../../web/model/state/payload-filter.js";

Deno.test("filters by one value of a payload, at its path in the event", () => {
  assert.equal(payloadFilter(["added", "_0", "cents"], 199), "event.added._0.cents == 199");
  assert.equal(
    payloadFilter(["loaded", "list", "0"], 'a "b"'),
    'event.loaded.list[0] == "a \\"b\\""',
  );
  assert.equal(payloadFilter(["set", "a-b"], null), 'event.set["a-b"] == null');
  const exact = parseJson("9007199254740993");
  assert.equal(payloadFilter(["set", "id"], exact), "event.set.id == 9007199254740993");
});

Deno.test("every filter by a value is a predicate", () => {
  for (const value of [true, 0, -1.5, "", "\u202e\n\u0000", "é"]) {
    const filter = payloadFilter(["set", "value"], value);
    assert.ok(filter !== undefined);
    parsePredicate(filter);
  }
});

Deno.test("has no filter for lists, structures, absent values, and texts that are too long", () => {
  for (const value of [undefined, [1], { a: 1 }, "x".repeat(5_000)]) {
    assert.equal(payloadFilter(["set", "value"], value), undefined);
  }
});
