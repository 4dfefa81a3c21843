import assert from "node:assert/strict";
import { Connection } from "../../../web/wire/connection.js";

/** What a program says that has the daemon's port, and proved nothing. */
const STRANGER = "Call 555-0100 to sign in.";

Deno.test("the words of a program that proved nothing are not shown", () => {
  const frames = [
    `{"type":"error","code":"failed","message":"${STRANGER}"}`,
    `{"type":"notice","level":"warning","message":"${STRANGER}"}`,
    `{"type":"challenge","nonce":"${STRANGER}"}`,
    `{"type":"${STRANGER}"}`,
    `{"${STRANGER}`,
  ];
  for (const frame of frames) {
    const connection = new Connection({ code: "c1.x", client: "test" }, () => 1);
    connection.start();
    connection.opened(0);
    connection.prepared(1, { name: "c1", key: new Uint8Array(3) }, "n1");
    assert.deepEqual(connection.received(frame, 7), [], frame);
    assert.equal(connection.state.is, "greeting");
  }
});
