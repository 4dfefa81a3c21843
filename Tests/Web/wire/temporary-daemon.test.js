import assert from "node:assert/strict";
import { Connection } from "../../../web/wire/connection.js";

/** @import { Action } from "../../../web/wire/connection-state.js" */

const challenge = '{"type":"challenge","nonce":"n2","proof":"p1"}';
const welcome =
  '{"type":"welcome","version":"1.0","daemon":"0.1.0","capabilities":["look"],"maxMessage":9,"temporary":true}';

/** @param {Action[]} actions */
const kinds = (actions) =>
  actions.map((action) => action.do === "changed" ? action.state.is : action.do);

Deno.test("ends with a temporary daemon, once an attempt shows that it does not answer", () => {
  const connection = new Connection({ code: "c1.x" }, () => 1);
  connection.start();
  connection.opened(0);
  connection.prepared(1, { name: "c1", key: new Uint8Array(3) }, "n1");
  connection.received(challenge, 1);
  connection.checked(1, "p2", 1);
  connection.received(welcome, 1);
  assert.equal(connection.state.is, "open");
  // Only the connection may have been lost, as after sleep.
  assert.deepEqual(kinds(connection.closed(1006, "", 10)), ["waiting", "wake"]);
  assert.deepEqual(kinds(connection.woke(10_000)), ["connecting", "connect"]);
  assert.deepEqual(kinds(connection.closed(1006, "", 10_001)), ["ended"]);
  assert.deepEqual(connection.woke(20_000), []);
  assert.deepEqual(connection.closed(1006, "", 20_001), []);
  // The reader can still try.
  assert.deepEqual(kinds(connection.start()), ["connecting", "connect"]);
});
