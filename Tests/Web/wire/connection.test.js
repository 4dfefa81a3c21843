import assert from "node:assert/strict";
import { Connection } from "../../../web/wire/connection.js";

/** @import { Action } from "../../../web/wire/connection-state.js" */
/** @import { Credential } from "../../../web/wire/handshake.js" */

const timeline = "0b9f3c52-6d1e-4c7a-9a57-1f2e3d4c5b6a";
const welcome =
  '{"type":"welcome","version":"1.0","daemon":"0.1.0","session":"s1","boot":"b","capabilities":["look"],"maxMessage":1048576}';

/** @param {Action[]} actions */
const kinds = (actions) =>
  actions.map((action) => action.do === "changed" ? action.state.is : action.do);

/** @param {Action[]} actions */
const sent = (actions) =>
  actions.flatMap((action) => action.do === "send" ? [JSON.parse(action.frame)] : []);

const challenge = '{"type":"challenge","nonce":"n2","proof":"p1"}';
const key = new Uint8Array(3);
/** @type {Credential} */
const session = { name: "s1", key };

/** Greets as the feed does, whose proofs are right. @param {Connection} connection @param {number} [attempt] */
function greet(connection, attempt = 1) {
  connection.opened(0);
  connection.prepared(attempt, { name: "c1", key }, "n1");
  connection.received(challenge, 1);
  connection.checked(attempt, "p2", 1);
  return connection.received(welcome, 1);
}

function open(credentials = { code: "c1.x" }) {
  const connection = new Connection(credentials, () => 1);
  connection.start();
  greet(connection);
  return connection;
}

Deno.test("sends a name and random digits only, until the daemon proved itself", () => {
  const connection = new Connection({ code: "c1.x", client: "test", host: "h:1" }, () => 1);
  assert.deepEqual(kinds(connection.start()), ["connecting", "connect"]);
  assert.deepEqual(connection.start(), []);
  const prepare = connection.opened(0).at(-1);
  assert.deepEqual(prepare, { do: "prepare", attempt: 1, code: "c1.x" });
  const credential = { name: "c1", key };
  assert.deepEqual(sent(connection.prepared(1, credential, "n1")), [
    { type: "hello", version: "1.0", key: "c1", nonce: "n1" },
  ]);
  const handshake = { credential, host: "h:1", nonce: "n1", daemonNonce: "n2" };
  assert.deepEqual(connection.received(challenge, 1), [
    { do: "check", attempt: 1, handshake, proof: "p1" },
  ]);
  assert.deepEqual(connection.received(challenge, 1), [], "one challenge, one answer");
  assert.deepEqual(sent(connection.checked(1, "p2", 1)), [
    { type: "hello", version: "1.0", proof: "p2", client: "test" },
  ]);
  const actions = connection.received(welcome, 1);
  assert.deepEqual(kinds(actions), ["keep", "open"]);
  connection.keyed(session);
  connection.closed(1006, "", 10);
  connection.woke(10_000);
  assert.deepEqual(connection.opened(0).at(-1), { do: "prepare", attempt: 2, code: undefined });
  assert.equal(connection.session, session);
  // A key of one run of the daemon says of which.
  assert.deepEqual(sent(connection.prepared(2, { ...session, boot: "b" }, "n3")), [
    { type: "hello", version: "1.0", key: "s1", boot: "b", nonce: "n3" },
  ]);
});

Deno.test("sends nothing more to a program that cannot prove that it is the daemon, and retries later", () => {
  /** @type {[string, (connection: Connection) => Action[]][]} */
  const impostors = [
    ["a welcome at once", (connection) => connection.received(welcome, 7)],
    ["a welcome after a challenge", (connection) => {
      connection.received(challenge, 7);
      return connection.received(welcome, 7);
    }],
    [
      "a message that is longer than any challenge",
      (connection) => connection.received(challenge.replace("p1", "p".repeat(65_536)), 7),
    ],
    ["a wrong proof", (connection) => {
      connection.received(challenge, 7);
      return connection.checked(1, undefined, 7);
    }],
  ];
  for (const [name, attack] of impostors) {
    const connection = new Connection({ code: "c1.x", client: "test" }, () => 1);
    connection.start();
    connection.opened(0);
    connection.prepared(1, { name: "c1", key }, "n1");
    const actions = attack(connection);
    assert.deepEqual(kinds(actions), ["waiting", "wake", "close"], name);
    assert.match(
      connection.state.is === "waiting" ? connection.state.why : "",
      /could not prove that it is your debugd/,
    );
    assert.deepEqual(connection.checked(1, "p2", 8), [], name);
    assert.deepEqual(connection.received(welcome, 8), [], name);
    // The code is still good for the daemon.
    connection.woke(10_000);
    assert.deepEqual(connection.opened(0).at(-1), { do: "prepare", attempt: 2, code: "c1.x" });
  }
});

Deno.test("asks without a key how to get one, and ignores a welcome", () => {
  const connection = new Connection({ client: "test" }, () => 1);
  connection.start();
  connection.opened(0);
  assert.deepEqual(sent(connection.prepared(1, undefined, "n1")), [{
    type: "hello",
    version: "1.0",
  }]);
  assert.deepEqual(connection.received(challenge, 1), []);
  assert.deepEqual(kinds(connection.received(welcome, 1)), ["waiting", "wake", "close"]);
});

Deno.test("ignores what was prepared or checked for an earlier connection", () => {
  const connection = new Connection({ code: "c1.x" }, () => 1);
  connection.start();
  connection.opened(0);
  connection.closed(1006, "", 1);
  connection.start();
  connection.opened(2);
  assert.deepEqual(connection.prepared(1, { name: "c1", key }, "n1"), []);
  assert.deepEqual(connection.checked(1, "p2", 2), []);
  assert.deepEqual(kinds(connection.prepared(2, { name: "c1", key }, "n1")), ["send"]);
});

Deno.test("tries the session when the code is used up, and reports when both fail", () => {
  const refusal = '{"type":"error","code":"unauthorised","message":"The code was used."}';
  const stored = { name: "s1", key, boot: "b" };
  const connection = new Connection({ code: "c1.x" }, () => 1);
  connection.start();
  connection.opened(0);
  connection.prepared(1, { name: "c1", key }, "n1");
  const refused = connection.received(refusal, 1);
  assert.deepEqual(kinds(refused), ["connecting", "close", "recall"]);
  assert.deepEqual(refused.at(-1), { do: "recall", attempt: 2, why: "The code was used." });
  assert.deepEqual(kinds(connection.recalled(2, stored, "why", 2)), [
    "close",
    "connecting",
    "connect",
  ]);
  assert.deepEqual(connection.opened(2).at(-1), { do: "prepare", attempt: 3, code: undefined });
  connection.prepared(3, stored, "n3");
  connection.received(refusal, 3);
  assert.deepEqual(connection.recalled(2, stored, "late", 3), []);
  assert.deepEqual(kinds(connection.recalled(4, stored, "why", 3)), ["refused", "wake"]);
  assert.equal(connection.state.is, "refused");
  assert.deepEqual(connection.closed(4001, "", 4), []);
  assert.deepEqual(kinds(connection.authorize({ code: "c2.x" })), ["connecting", "connect"]);
});

Deno.test("continues with a newer session of the browser, not with the refused one", () => {
  for (
    const [stored, isTried] of /** @type {[Credential | undefined, boolean][]} */ ([
      [undefined, false],
      [{ name: "s1", key, boot: "b" }, false],
      [{ name: "s2", key, boot: "b" }, true],
    ])
  ) {
    const connection = open();
    connection.keyed(session);
    assert.deepEqual(kinds(connection.closed(4005, "revoked", 5)), [
      "connecting",
      "close",
      "recall",
    ]);
    const ended = connection.recalled(2, stored, "revoked", 6);
    assert.equal(ended.some((action) => action.do === "forget"), !isTried);
    if (connection.state.is === "refused") assert.equal(connection.state.why, "revoked");
    assert.equal(connection.state.is, isTried ? "connecting" : "refused");
    assert.equal(connection.session, undefined);
  }
});

/** What a program on the port says without a proof. */
const STRANGER = "Call 555-0100 to sign in.";

/** @type {[string, (connection: Connection, now: number) => Action[]][]} */
const refusals = [
  [
    "an error",
    (connection, now) =>
      connection.received(`{"type":"error","code":"unauthorised","message":"${STRANGER}"}`, now),
  ],
  ["4001", (connection, now) => connection.closed(4001, STRANGER, now)],
  ["4005", (connection, now) => connection.closed(4005, STRANGER, now)],
];

Deno.test("a program that proved nothing ends no session, and its words are not shown", () => {
  for (const [name, refuse] of refusals) {
    const connection = open();
    connection.keyed(session);
    connection.closed(1006, "", 5);
    connection.start();
    connection.opened(6);
    connection.prepared(2, session, "n3");
    assert.deepEqual(kinds(refuse(connection, 7)), ["connecting", "close", "recall"], name);
    const stored = { ...session, boot: "b" };
    assert.deepEqual(kinds(connection.recalled(3, stored, STRANGER, 7)), ["refused", "wake"], name);
    assert.ok(connection.state.is === "refused");
    const { why, until = 0 } = connection.state;
    assert.doesNotMatch(why, /555/, name);
    assert.equal(until, 30_007);
    assert.equal(connection.session, session);
    assert.deepEqual(connection.woke(until - 1), []);
    assert.deepEqual(kinds(connection.woke(until)), ["connecting", "connect"]);
    connection.opened(until);
    connection.prepared(4, session, "n4");
    connection.received(challenge, until);
    connection.checked(4, "p2", until);
    connection.received(welcome, until);
    assert.equal(connection.state.is, "open", name);
  }
});

Deno.test("tries a newer session of the browser, and returns to its own if a stranger refuses both", () => {
  for (const [name, refuse] of refusals) {
    const connection = open();
    connection.keyed(session);
    const newer = { name: "s2", key, boot: "b" };
    connection.closed(1006, "", 5);
    connection.start();
    connection.opened(6);
    connection.prepared(2, session, "n3");
    refuse(connection, 7);
    connection.recalled(3, newer, STRANGER, 7);
    assert.equal(connection.session, undefined, name);
    connection.opened(8);
    connection.prepared(4, newer, "n4");
    refuse(connection, 9);
    assert.deepEqual(kinds(connection.recalled(5, newer, STRANGER, 9)), ["refused", "wake"], name);
    assert.equal(connection.session, session, name);
  }
});

Deno.test("shows no words of a program that proved nothing when it closes or claims to be newer", () => {
  const attacks = [
    (/** @type {Connection} */ one) => one.closed(4006, STRANGER, 7),
    (/** @type {Connection} */ one) => one.closed(4002, STRANGER, 7),
    (/** @type {Connection} */ one) =>
      one.received(`{"type":"error","code":"version","message":"${STRANGER}"}`, 7),
  ];
  for (const attack of attacks) {
    const connection = new Connection({}, () => 1);
    connection.start();
    connection.opened(0);
    assert.ok(kinds(attack(connection)).includes("wake"));
    assert.doesNotMatch(JSON.stringify(connection.state), /555/);
  }
});

Deno.test("does not reconnect to a daemon of a newer version", () => {
  assert.deepEqual(kinds(open().closed(4002, "newer", 5)), ["refused"]);
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
  greet(connection, 2);
  connection.closed(1001, "the daemon ends", now);
  assert.deepEqual(connection.state, {
    is: "waiting",
    attempt: 1,
    until: now + 250,
    why: "the daemon ends",
  });
});

Deno.test("gives up on a peer without a timely welcome", () => {
  const connection = new Connection({}, () => 1);
  connection.start();
  const wake = connection.opened(5).find((action) => action.do === "wake");
  const at = wake?.do === "wake" ? wake.at : 0;
  assert.deepEqual(connection.woke(at - 1), [], "the timer of an earlier wait");
  assert.deepEqual(kinds(connection.woke(at)), ["close"]);
  // The next greeting has its own time.
  connection.closed(1006, "", at);
  connection.start();
  connection.opened(at + 1);
  assert.deepEqual(connection.woke(at + 2), []);
});

Deno.test("gives up on a peer that accepts the connection and never answers", () => {
  const connection = new Connection({}, () => 1);
  connection.start();
  const [wake] = connection.began(5);
  assert.ok(wake?.do === "wake");
  assert.deepEqual(connection.woke(wake.at - 1), []);
  assert.deepEqual(kinds(connection.woke(wake.at)), ["waiting", "wake", "close"]);
  assert.deepEqual(connection.opened(wake.at), [], "too late");
  // The limit of one attempt does not end the next one.
  assert.deepEqual(kinds(connection.woke(wake.at + 10_000)), ["connecting", "connect"]);
  connection.began(wake.at + 10_000);
  assert.deepEqual(connection.woke(wake.at + 10_001), []);
  connection.opened(wake.at + 10_002);
  assert.equal(connection.state.is, "greeting");
});

Deno.test("delivers every reply to its request, and none to a canceled one", () => {
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

Deno.test("fails pending requests when the connection ends, and new ones without a connection", () => {
  const connection = open();
  connection.request({ type: "status" }, 0);
  const actions = connection.closed(1006, "", 1);
  assert.ok(actions[0]?.do === "fail" && actions[0].error.code === "disconnected");
  const [failed] = connection.request({ type: "status" }, 2).actions;
  assert.ok(failed?.do === "fail" && failed.error.code === "disconnected");
});

Deno.test("turns error replies into failures with their place, and reports news", () => {
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

Deno.test("fails a request with an invalid reply, so that nothing waits forever", () => {
  const connection = open();
  const { id } = connection.request({ type: "raw", timeline, seq: 1 }, 0);
  const [failed] = connection.received(`{"type":"raw","re":${id},"timeline":3}`, 1);
  assert.ok(failed?.do === "fail" && failed.id === id && /timeline/.test(failed.error.message));
  assert.equal(connection.pendingCount, 0);
});
