import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { hexadecimal, hmac, hmacKey } from "../../../web/base/hmac.js";
import { sha256 } from "../../../web/base/sha256.js";

Deno.test("hashes like the platform at every length around a block", () => {
  for (let length = 0; length <= 200; length++) {
    const bytes = Uint8Array.from({ length }, (_, index) => index * 7 + length);
    const expected = createHash("sha256").update(bytes).digest("hex");
    assert.equal(hexadecimal(sha256(bytes)), expected, `${length} bytes`);
  }
});

Deno.test("authenticates the same with and without the browser's own keys", async () => {
  for (const key of ["k", "é".repeat(20), "long ".repeat(40)]) {
    const bytes = await hmacKey(key, undefined);
    // What a default parameter would replace is passed as it is on plain pages.
    const plain = bytes instanceof Uint8Array ? bytes : new TextEncoder().encode(key);
    for (const text of ["", "text", "x".repeat(300)]) {
      assert.equal(await hmac(plain, text), await hmac(await hmacKey(key), text));
    }
  }
});
