import assert from "node:assert/strict";
import { canonicalText, fingerprint } from "../../../web/base/fingerprint.js";
import { parseJson } from "../../../web/base/json.js";
import { readFixture } from "../fixtures.js";

Deno.test("spells and hashes every row of the shared table as the recorder does", async () => {
  const rows = JSON.parse(await readFixture("fingerprints.json"));
  assert.ok(rows.length >= 30);
  for (const row of rows) {
    const value = parseJson(row.text);
    assert.equal(canonicalText(value), row.canonical, row.text);
    assert.equal(fingerprint(value), row.fingerprint, row.text);
  }
});
