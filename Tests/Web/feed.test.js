import assert from "node:assert/strict";
import { DaemonFeed } from "../../web/feed/daemon.js";
import { createHmac } from "node:crypto";
import { hmacKey } from "../../web/base/hmac.js";
import { sessionsIn } from "../../web/feed/session-store.js";
import { RequestError } from "../../web/wire/requests.js";

/** @import { Socket } from "../../web/feed/daemon.js" */
/** @import { Credential } from "../../web/wire/handshake.js" */

const timeline = "0b9f3c52-6d1e-4c7a-9a57-1f2e3d4c5b6a";

const SECRET = "0123456789abcdef".repeat(4);

/** A daemon that answers by a table, without a network. It proves what docs/protocol.md says. */
class FakeDaemon {
  /** @type {Socket[]} */
  sockets = [];
  /** @type {{ call: () => void, milliseconds: number }[]} */
  timers = [];
  /** @type {Record<string, unknown>[]} */
  received = [];
  /** @type {(message: Record<string, unknown>) => unknown[]} */
  answer = () => [];
  /** The secrets of codes and sessions by their names. @type {Record<string, string>} */
  secrets = { c1: SECRET };
  /** What the browser stores. @type {unknown} */
  stored = undefined;
  /** What is said to a key that is not known. */
  refusal = { type: "error", code: "unauthorised", message: "The code was used." };

  world = {
    openSocket: () => this.#open(),
    now: () => 0,
    later: (/** @type {() => void} */ call, /** @type {number} */ milliseconds) =>
      void this.timers.push({ call, milliseconds }),
    sessions: sessionsIn({
      read: () => Promise.resolve(this.stored),
      write: (value) => Promise.resolve(void (this.stored = value)),
      clear: () => Promise.resolve(void (this.stored = undefined)),
    }),
  };

  #open() {
    /** @type {Socket} */
    const socket = {
      binaryType: "blob",
      onopen: null,
      onmessage: null,
      onclose: null,
      send: (frame) => {
        const message = JSON.parse(String(frame));
        this.received.push(message);
        if (message.type === "hello") return void this.greet(message);
        for (const reply of this.answer(message)) this.say(reply);
      },
      close: () => {},
    };
    this.sockets.push(socket);
    return socket;
  }

  /** @param {Record<string, string>} hello */
  async greet({ key = "", boot, nonce, proof }) {
    if (proof) {
      const right = await proofOf(this.secret, this.#text("inspector-to-daemon"));
      const name = this.key.startsWith("c") ? "s1" : this.key;
      if (this.key !== name) {
        this.secrets[name] = await proofOf(this.secret, this.#text("session"));
        delete this.secrets[this.key];
      }
      return this.say(
        proof === right
          ? {
            type: "welcome",
            version: "1.0",
            daemon: "0",
            session: name,
            boot: this.boot,
            capabilities: ["look"],
            maxMessage: 1,
          }
          : this.refusal,
      );
    }
    const secret = this.secrets[key];
    if (!secret || boot && boot !== this.boot) return this.say(this.refusal);
    this.key = key;
    this.nonce = nonce;
    this.secret = boot ? await proofOf(secret, `states-debugger/1 boot ${boot}`) : secret;
    const text = this.#text("daemon-to-inspector");
    this.say({ type: "challenge", nonce: "n2", proof: await proofOf(this.secret, text) });
  }

  boot = "b1";
  secret = "";
  key = "";
  /** @type {string | undefined} */
  nonce = "";

  /** @param {string} purpose */
  #text(purpose) {
    return `states-debugger/1 ${purpose} h:1 ${this.key} ${this.nonce} n2`;
  }

  get socket() {
    return /** @type {WebSocket} */ (this.sockets.at(-1));
  }

  /** The socket is open; waits until the greeting has come to an end. @param {DaemonFeed} feed */
  async open(feed) {
    const end = new Promise((resolve) => {
      const stop = feed.states.listen(({ is }) => {
        if (is !== "open" && is !== "refused" && is !== "waiting") return;
        stop();
        resolve(undefined);
      });
    });
    this.socket.onopen?.(new Event("open"));
    await end;
    // The key of a new session is derived after the welcome.
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setTimeout(resolve, 0));
  }

  /** @param {unknown} message */
  say(message) {
    this.socket.onmessage?.(new MessageEvent("message", { data: JSON.stringify(message) }));
  }
}

/** @param {string} key @param {string} text */
const proofOf = (key, text) => createHmac("sha256", key).update(text).digest("hex");

async function connected() {
  const daemon = new FakeDaemon();
  const feed = new DaemonFeed({ code: `c1.${SECRET}`, host: "h:1" }, daemon.world);
  feed.start();
  await daemon.open(feed);
  return { daemon, feed };
}

Deno.test("signs in, keeps the session, and delivers replies to their requests", async () => {
  const { daemon, feed } = await connected();
  const { name, boot, key } = /** @type {Credential} */ (daemon.stored);
  assert.deepEqual([name, boot], ["s1", "b1"]);
  assert.ok(key instanceof CryptoKey && !key.extractable && key.usages.join() === "sign");
  const sent = JSON.stringify(daemon.received);
  assert.ok(!sent.includes(SECRET) && !sent.includes(daemon.secrets.s1 ?? SECRET));
  assert.ok(feed.capabilities.has("look"));
  daemon.answer = ({ id, seq }) => [
    { type: "progress", re: id, done: 1 },
    { type: "raw", re: id, timeline, entry: { seq } },
  ];
  let progress = 0;
  const [one, two] = await Promise.all([
    feed.ask({ type: "raw", timeline, seq: 1 }, { onProgress: () => progress++ }),
    feed.ask({ type: "raw", timeline, seq: 2 }),
  ]);
  assert.deepEqual([one.entry, two.entry, progress], [{ seq: 1 }, { seq: 2 }, 1]);
});

Deno.test("reconnects after the daemon was away, and fails pending requests", async () => {
  const { daemon, feed } = await connected();
  const waiting = feed.ask({ type: "status" });
  daemon.socket.onclose?.(new CloseEvent("close", { code: 1006 }));
  await assert.rejects(
    waiting,
    (error) => error instanceof RequestError && error.code === "disconnected",
  );
  assert.equal(feed.state.is, "waiting");
  // The daemon has started again: a page that stayed open has the session's own key.
  daemon.boot = "b2";
  feed.start();
  assert.equal(daemon.sockets.length, 2);
  await daemon.open(feed);
  assert.equal(feed.state.is, "open");
  assert.equal(daemon.key, "s1");
  assert.equal(/** @type {Credential} */ (daemon.stored).boot, "b2");
});

Deno.test("a page that is loaded again has the stored key, for this run of the daemon", async () => {
  const { daemon } = await connected();
  const load = async () => {
    const feed = new DaemonFeed({ host: "h:1" }, daemon.world);
    feed.start();
    await daemon.open(feed);
    return feed.state.is;
  };
  assert.equal(await load(), "open");
  daemon.boot = "b2";
  assert.equal(await load(), "refused");
  // Nothing proved that it was the daemon that refused the key.
  assert.equal(/** @type {Credential} */ (daemon.stored).boot, "b1");
  daemon.boot = "b1";
  assert.equal(await load(), "open");
});

Deno.test("a program that took the port gets a name and random digits, and no proof", async () => {
  const { daemon, feed } = await connected();
  daemon.socket.onclose?.(new CloseEvent("close", { code: 1006 }));
  daemon.secrets.s1 = "a guess of the program that took the port";
  daemon.received = [];
  feed.start();
  await daemon.open(feed);
  assert.equal(feed.state.is, "waiting");
  assert.deepEqual(daemon.received.map(({ nonce: _, ...rest }) => rest), [
    { type: "hello", version: "1.0", key: "s1" },
  ]);
});

Deno.test("keys that a browser cannot hide are not stored", async () => {
  const daemon = new FakeDaemon();
  await daemon.world.sessions.keep({ name: "s1", boot: "b", key: new Uint8Array(32) });
  assert.equal(daemon.stored, undefined);
  const failing = () => Promise.reject(new Error("a private window"));
  const nowhere = sessionsIn({ read: failing, write: failing, clear: failing });
  const key = await hmacKey(SECRET);
  await nowhere.keep({ name: "s1", boot: "b", key });
  assert.equal(await nowhere.stored(), undefined);
  await nowhere.forget({ name: "s1", boot: "b", key });
});

Deno.test("puts the parts of an export together, and cancels what is no longer needed", async () => {
  const { daemon, feed } = await connected();
  daemon.answer = ({ id, type }) =>
    type === "export"
      ? [
        { type: "export", re: id, name: "a", media: "b", offset: 0, data: btoa("he"), more: true },
        { type: "export", re: id, name: "a", media: "b", offset: 2, data: btoa("llo") },
      ]
      : [];
  assert.equal(
    atob((await feed.ask({ type: "export", timeline, format: "timeline" })).data),
    "hello",
  );
  const part = (
    /** @type {string} */ name,
    /** @type {number} */ offset,
    /** @type {string} */ text,
  ) => ({
    type: "export",
    name,
    media: "text/plain",
    offset,
    data: btoa(text),
  });
  daemon.answer = ({ id, type }) =>
    type === "export"
      ? [
        { ...part("ATests.swift", 0, "test"), re: id, more: true },
        { ...part("a.timeline", 0, "one"), re: id, more: true },
        { ...part("a.timeline", 3, " two"), re: id },
      ]
      : [];
  const several = await feed.ask({ type: "export", timeline, format: "swift-testing" });
  assert.deepEqual([several.name, atob(several.data)], ["ATests.swift", "test"]);
  assert.deepEqual(
    several.further?.map(({ name, data }) => [name, atob(data)]),
    [["a.timeline", "one two"]],
  );
  const ending = new AbortController();
  const search = feed.ask({ type: "find", timeline, predicate: "t > 3", from: 0 }, {
    signal: ending.signal,
  });
  ending.abort();
  await assert.rejects(
    search,
    (error) => error instanceof RequestError && error.code === "cancelled",
  );
  assert.equal(daemon.received.at(-1)?.type, "cancel");
});

Deno.test("disconnects from a peer without a welcome, and retries later", () => {
  const daemon = new FakeDaemon();
  let now = 0;
  const feed = new DaemonFeed({}, { ...daemon.world, now: () => now });
  feed.start();
  daemon.socket.onopen?.(new Event("open"));
  const [, greeting] = daemon.timers;
  now = greeting?.milliseconds ?? 0;
  greeting?.call();
  assert.equal(feed.state.is, "waiting");
  assert.equal(daemon.timers.length, 3);
});

Deno.test("leaves a socket that does not open, and tries again", () => {
  const daemon = new FakeDaemon();
  let now = 0;
  const feed = new DaemonFeed({}, { ...daemon.world, now: () => now });
  feed.start();
  const first = daemon.socket;
  for (const timer of daemon.timers.splice(0)) {
    now += timer.milliseconds;
    timer.call();
  }
  assert.equal(feed.state.is, "waiting");
  first.onopen?.(new Event("open"));
  assert.equal(feed.state.is, "waiting", "the socket that opened late is not used");
  for (const timer of daemon.timers.splice(0)) {
    now += timer.milliseconds;
    timer.call();
  }
  assert.equal(feed.state.is, "connecting");
  assert.equal(daemon.sockets.length, 2);
});

Deno.test("continues with the session stored by another tab when its own has ended", async () => {
  const { daemon, feed } = await connected();
  const secret = "f".repeat(64);
  daemon.secrets.s2 = secret;
  const key = await hmacKey(proofOf(secret, "states-debugger/1 boot b1"));
  daemon.stored = { name: "s2", boot: "b1", key };
  delete daemon.secrets.s1;
  daemon.socket.onclose?.(new CloseEvent("close", { code: 4005 }));
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setTimeout(resolve, 0));
  assert.equal(daemon.sockets.length, 2);
  await daemon.open(feed);
  assert.deepEqual([feed.state.is, daemon.key], ["open", "s2"]);
  // That one ends, too: then there is none.
  delete daemon.secrets.s2;
  daemon.socket.onclose?.(new CloseEvent("close", { code: 4005 }));
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setTimeout(resolve, 0));
  assert.deepEqual([feed.state.is, daemon.stored], ["refused", undefined]);
});

Deno.test("tries the stored session immediately when the code of a link is used up", async () => {
  const { daemon } = await connected();
  const feed = new DaemonFeed({ code: `c1.${SECRET}`, host: "h:1" }, daemon.world);
  feed.start();
  daemon.socket.onopen?.(new Event("open"));
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setTimeout(resolve, 0));
  assert.deepEqual([daemon.sockets.length, feed.state.is], [3, "connecting"]);
  await daemon.open(feed);
  assert.deepEqual([daemon.key, feed.state.is], ["s1", "open"]);
});

Deno.test("forgets its own session, and none that another tab stored since", async () => {
  const daemon = new FakeDaemon();
  const { sessions } = daemon.world;
  const key = await hmacKey(SECRET);
  const [first, second] = [{ name: "s1", boot: "b", key }, { name: "s2", boot: "b", key }];
  await sessions.keep(first);
  assert.deepEqual(await sessions.stored(), first);
  await sessions.keep(second);
  await sessions.forget(first);
  assert.deepEqual(await sessions.stored(), second);
  await sessions.forget({ ...second, boot: "of another run" });
  assert.deepEqual(await sessions.stored(), second);
  await sessions.forget(second);
  assert.equal(await sessions.stored(), undefined);
});
