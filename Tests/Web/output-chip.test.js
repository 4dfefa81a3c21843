import assert from "node:assert/strict";
import { briefChipText, chipText, needsBriefChip } from "../../web/elements/output-chip.js";

Deno.test("an output shows its value, and gives its name up first", () => {
  /** @type {[import("../../web/elements/output-chip.js").Output, string, string][]} */
  const cases = [
    [{ name: "total", value: 199 }, "total 199", "199"],
    [{ name: "isLoading", value: true }, "isLoading true", "isLoa…"],
    [{ name: "availableBalance", value: 5 }, "availableBalance", "5"],
    [{ name: "rows", value: [1] }, "rows", "rows"],
    [{ name: "searchResults", value: undefined }, "searchResults", "searc…"],
    [{ name: "selected", value: null }, "selected", "selec…"],
  ];
  for (const [output, whole, brief] of cases) {
    assert.equal(chipText(output), whole);
    assert.equal(briefChipText(output), brief);
  }
});

Deno.test("an output is brief where the payload would lose its beginning", () => {
  const event = { title: "quantityChanged", payload: "12, count: 3" };
  assert.equal(needsBriefChip(event, "total 199", true, 40), false);
  assert.equal(needsBriefChip(event, "total 199", true, 20), true);
  assert.equal(needsBriefChip({ ...event, payload: "" }, "total 199", true, 8), false);
  // Of a long payload only the beginning counts.
  const long = { title: "added", payload: "x".repeat(500) };
  assert.equal(needsBriefChip(long, "total 199", false, 21), false);
});
