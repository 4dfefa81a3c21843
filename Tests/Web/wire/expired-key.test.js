/** What a page says whose stored key expired when the daemon was started again. */

import assert from "node:assert/strict";
import { Connection } from "../../../web/wire/connection.js";

/** @import { Credential } from "../../../web/wire/handshake.js" */

/** @type {Credential} */
const session = { name: "s1", key: new Uint8Array(3) };

Deno.test("a page whose key expired with the daemon says so, one with its own key does not", () => {
  for (const [stored, expected] of [[{ ...session, boot: "b" }, true], [session, false]]) {
    const connection = new Connection({}, () => 1);
    connection.start();
    connection.opened(1);
    connection.prepared(1, /** @type {Credential} */ (stored), "n1");
    connection.closed(4001, "", 2);
    connection.recalled(2, /** @type {Credential} */ (stored), "refused", 2);
    assert.ok(connection.state.is === "refused");
    assert.equal(/started again since this page was loaded/.test(connection.state.why), expected);
  }
});
