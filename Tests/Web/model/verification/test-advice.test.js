/** What the export window says after a test was saved. */

import assert from "node:assert/strict";
import { testAdvice } from "../../../../web/model/verification/test-advice.js";

Deno.test("an exported test comes with its place, its needs, and its command", () => {
  const text = "import StatesTesting\nimport Testing\n\n@testable import Garage\n";
  assert.deepEqual(testAdvice([{ name: "GarageTests.swift", text }]), {
    text: "Saved. Move it into a test target, such as Tests/GarageTests, " +
      "that depends on the product StatesTesting. Then run: ",
    command: "swift test --filter '\\.GarageTests/'",
  });
  const long = [{ name: "LongTests.swift", text: "import Testing" }, { name: "long.json", text }];
  assert.match(testAdvice(long)?.text ?? "", /^Saved\. Move them into a test target that depends/);
});

Deno.test("nothing is advised for other files, and no name is read by a shell", () => {
  assert.equal(testAdvice([{ name: "garage.json", text: "" }]), undefined);
  assert.equal(testAdvice([{ name: "a'; rm b'.swift", text: "" }]), undefined);
  assert.equal(testAdvice([]), undefined);
});
