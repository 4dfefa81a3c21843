import assert from "node:assert/strict";
import { valueName } from "../../../../web/model/state/value-name.js";

Deno.test("names values of the state by their path in it, and outputs as predicates do", () => {
  assert.equal(valueName("/state/items/0/cents"), "items[0].cents");
  assert.equal(valueName("/outputs/total"), "outputs.total");
  assert.equal(valueName("/event/added/id"), "event.added.id");
  assert.equal(valueName("/state"), "");
});
