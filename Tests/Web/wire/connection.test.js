import assert from "node:assert/strict";
import { Connection } from "../../../web/wire/connection.js";

/** @import { Action } from "../../../web/wire/connection.js" */

const timeline = "0b9f3c52-6d1e-4c7a-9a57-1f2e3d4c5b6a";
const welcome =
  '{"type":"welcome","version":"1.0","daemon":"0.1.0","session":"s-new","capabilities":["look"],"maxMessage":1048576}';

/** @param {Action[]} actions */
const kinds = (actions) =>
  actions.map((action) => action.do === "changed" ? action.state.is : action.do);

/** @param {Action[]} actions */
const sent = (actions) =>
  actions.flatMap((action) => action.do === "send" ? [JSON.parse(action.frame)] : []);

function open(credentials = { code: "c-1" }) {
  const connection = new Connection(credentials, () => 1);
  connection.start();
  connection.opened(0);
  connection.received(welcome, 1);
  return connection;
}

Deno.test("greets with the code, and keeps the session that it gets for it", () => {
  const connection = new Connection({ code: "c-1", session: "s-old", client: "test" }, () => 1);
  assert.deepEqual(kinds(connection.start()), ["connecting", "connect"]);
  assert.deepEqual(connection.start(), []);
  const opened = connection.opened(0);
  assert.deepEqual(sent(opened), [{ type: "hello", version: "1.0", code: "c-1", client: "test" }]);
  assert.deepEqual(connection.received(welcome, 1)[0], { do: "keep", session: "s-new" });
  assert.equal(connection.state.is, "open");
  connection.closed(1006, "", 10);
  connection.woke(10_000);
  assert.deepEqual(sent(connection.opened(0)), [{
    type: "hello",
    version: "1.0",
    session: "s-new",
    client: "test",
  }]);
});

Deno.test("tries the session when the code is spent, and says so when neither holds", () => {
  const refusal = '{"type":"error","code":"unauthorised","message":"The code was used."}';
  const connection = new Connection({ code: "c-1", session: "s-old" }, () => 1);
  connection.start();
  connection.opened(0);
  assert.deepEqual(kinds(connection.received(refusal, 1)), ["close", "connecting", "connect"]);
  assert.deepEqual(sent(connection.opened(2)), [{
    type: "hello",
    version: "1.0",
    session: "s-old",
  }]);
  assert.deepEqual(kinds(connection.received(refusal, 3)), ["forget", "refused"]);
  assert.deepEqual(connection.closed(4001, "", 4), []);
  assert.deepEqual(kinds(connection.authorise({ code: "c-2" })), ["connecting", "connect"]);
});

Deno.test("does not come back to a daemon of a newer version or after the session was revoked", () => {
  assert.deepEqual(kinds(open().closed(4002, "newer", 5)), ["refused"]);
  const revoked = open();
  assert.deepEqual(kinds(revoked.closed(4005, "revoked", 5)), ["forget", "refused"]);
});

Deno.test("waits longer after each failure, up to ten seconds, and less once it was open", () => {
  const connection = open();
  let now = 100;
  /** @type {number[]} */
  const waits = [];
  for (let attempt = 0; attempt < 8; attempt++) {
    connection.closed(1006, "", now);
    assert.equal(connection.state.is, "waiting");
    if (connection.state.is !== "waiting") return;
    waits.push(connection.state.until - now);
    assert.deepEqual(connection.woke(connection.state.until - 1), []);
    now = connection.state.until;
    assert.deepEqual(kinds(connection.woke(now)), ["connecting", "connect"]);
  }
  assert.deepEqual(waits, [250, 500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000]);
  connection.opened(now);
  connection.received(welcome, now);
  connection.closed(1001, "the daemon ends", now);
  assert.deepEqual(connection.state, {
    is: "waiting",
    attempt: 1,
    until: now + 250,
    why: "the daemon ends",
  });
});

Deno.test("gives up on a peer that does not welcome in time", () => {
  const connection = new Connection({}, () => 1);
  connection.start();
  const wake = connection.opened(5).find((action) => action.do === "wake");
  assert.deepEqual(kinds(connection.woke(wake?.do === "wake" ? wake.at : 0)), ["close"]);
});

Deno.test("gives every answer to its request, and none to one that was cancelled", () => {
  const connection = open();
  const first = connection.request({ type: "raw", timeline, seq: 1 }, 10);
  const second = connection.request({ type: "raw", timeline, seq: 2 }, 10);
  assert.notEqual(first.id, second.id);
  assert.deepEqual(kinds(connection.cancel(second.id)), ["send", "fail"]);
  assert.deepEqual(connection.cancel(second.id), []);
  const answer = (/** @type {number} */ re) =>
    `{"type":"raw","re":${re},"timeline":"${timeline}","entry":{}}`;
  assert.deepEqual(connection.received(answer(second.id), 12), []);
  const [settled] = connection.received(answer(first.id), 14);
  assert.equal(settled?.do === "settle" && settled.id, first.id);
  assert.equal(connection.roundTrip, 4);
  assert.equal(connection.pendingCount, 0);
  assert.deepEqual(connection.received(answer(99), 15), []);
});

Deno.test("lets the newest request of a slot win", () => {
  const connection = open();
  const older = connection.request({ type: "state", timeline, seq: 1, slot: "cursor" }, 0);
  const other = connection.request({ type: "state", timeline, seq: 1, slot: "before" }, 0);
  const newer = connection.request({ type: "state", timeline, seq: 2, slot: "cursor" }, 0);
  const [gone] = newer.actions;
  assert.ok(gone?.do === "fail" && gone.id === older.id && gone.error.code === "superseded");
  const late = `{"type":"state","re":${older.id},"timeline":"${timeline}","seq":1,"value":1}`;
  assert.deepEqual(connection.received(late, 1), []);
  assert.equal(
    kinds(connection.received(late.replace(`"re":${older.id}`, `"re":${other.id}`), 1))[0],
    "settle",
  );
  assert.equal(connection.pendingCount, 1);
});

Deno.test("passes progress on, and all parts of an export", () => {
  const connection = open();
  const { id } = connection.request({ type: "export", timeline, format: "timeline" }, 0);
  assert.deepEqual(
    kinds(connection.received(`{"type":"progress","re":${id},"done":1,"of":2}`, 1)),
    ["progress"],
  );
  const part =
    `{"type":"export","re":${id},"name":"a","media":"b","offset":0,"data":"","more":true}`;
  assert.deepEqual(kinds(connection.received(part, 1)), ["settle"]);
  assert.deepEqual(kinds(connection.received(part.replace(',"more":true', ""), 1)), ["settle"]);
  assert.equal(connection.pendingCount, 0);
});

Deno.test("fails what waits when the connection ends, and what is asked while there is none", () => {
  const connection = open();
  connection.request({ type: "status" }, 0);
  const actions = connection.closed(1006, "", 1);
  assert.ok(actions[0]?.do === "fail" && actions[0].error.code === "disconnected");
  const [failed] = connection.request({ type: "status" }, 2).actions;
  assert.ok(failed?.do === "fail" && failed.error.code === "disconnected");
});

Deno.test("turns error replies into failures with their place, and tells news", () => {
  const connection = open();
  const { id } = connection.request({ type: "find", timeline, predicate: "x", from: 0 }, 0);
  const [failed] = connection.received(
    `{"type":"error","re":${id},"code":"wrong-value","message":"no","path":"predicate","at":3}`,
    1,
  );
  assert.ok(failed?.do === "fail" && failed.error.at === 3 && failed.error.code === "wrong-value");
  assert.deepEqual(kinds(connection.received('{"type":"hosts","hosts":[]}', 1)), ["tell"]);
  assert.deepEqual(kinds(connection.received("nonsense", 1)), ["complain"]);
  assert.deepEqual(kinds(connection.receivedBinary(new ArrayBuffer(2), 1)), ["complain"]);
});

Deno.test("fails a request whose answer cannot be read, so that nobody waits for ever", () => {
  const connection = open();
  const { id } = connection.request({ type: "raw", timeline, seq: 1 }, 0);
  const [failed] = connection.received(`{"type":"raw","re":${id},"timeline":3}`, 1);
  assert.ok(failed?.do === "fail" && failed.id === id && /timeline/.test(failed.error.message));
  assert.equal(connection.pendingCount, 0);
});
