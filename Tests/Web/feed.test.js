import assert from "node:assert/strict";
import { DaemonFeed } from "../../web/feed/daemon.js";
import { sessionsIn } from "../../web/serving-daemon.js";
import { RequestError } from "../../web/wire/requests.js";

/** @import { Socket } from "../../web/feed/daemon.js" */

const timeline = "0b9f3c52-6d1e-4c7a-9a57-1f2e3d4c5b6a";

/** A daemon that answers by a table, without a network. */
class FakeDaemon {
  /** @type {Socket[]} */
  sockets = [];
  /** @type {{ call: () => void, milliseconds: number }[]} */
  timers = [];
  /** What was kept, and `undefined` where it was forgotten. @type {(string | undefined)[]} */
  sessions = [];
  /** @type {Record<string, unknown>[]} */
  received = [];
  /** @type {(message: Record<string, unknown>) => unknown[]} */
  answer = () => [];

  world = {
    openSocket: () => this.#open(),
    now: () => 0,
    later: (/** @type {() => void} */ call, /** @type {number} */ milliseconds) =>
      void this.timers.push({ call, milliseconds }),
    sessions: {
      stored: () => this.sessions.at(-1),
      keep: (/** @type {string} */ session) => void this.sessions.push(session),
      forget: () => void this.sessions.push(undefined),
    },
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
        for (const reply of this.answer(message)) this.say(reply);
      },
      close: () => {},
    };
    this.sockets.push(socket);
    return socket;
  }

  get socket() {
    return /** @type {WebSocket} */ (this.sockets.at(-1));
  }

  open() {
    this.socket.onopen?.(new Event("open"));
    this.say({
      type: "welcome",
      version: "1.0",
      daemon: "0",
      session: "s",
      capabilities: ["look"],
      maxMessage: 1,
    });
  }

  /** @param {unknown} message */
  say(message) {
    this.socket.onmessage?.(new MessageEvent("message", { data: JSON.stringify(message) }));
  }
}

function connected() {
  const daemon = new FakeDaemon();
  const feed = new DaemonFeed({ code: "c" }, daemon.world);
  feed.start();
  daemon.open();
  return { daemon, feed };
}

Deno.test("greets, keeps the session, and gives answers to whom they belong", async () => {
  const { daemon, feed } = connected();
  assert.deepEqual(daemon.sessions, ["s"]);
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

Deno.test("comes back after the daemon was gone, and fails what waited", async () => {
  const { daemon, feed } = connected();
  const waiting = feed.ask({ type: "status" });
  daemon.socket.onclose?.(new CloseEvent("close", { code: 1006 }));
  await assert.rejects(
    waiting,
    (error) => error instanceof RequestError && error.code === "disconnected",
  );
  assert.equal(feed.state.is, "waiting");
  feed.start();
  assert.equal(daemon.sockets.length, 2);
  daemon.open();
  assert.equal(feed.state.is, "open");
  assert.equal(daemon.received.at(-1)?.session, "s");
});

Deno.test("puts the parts of an export together, and cancels what nobody wants", async () => {
  const { daemon, feed } = connected();
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

Deno.test("leaves a peer that does not welcome, and tries again later", () => {
  const daemon = new FakeDaemon();
  const feed = new DaemonFeed({}, { ...daemon.world, now: () => 0 });
  feed.start();
  daemon.socket.onopen?.(new Event("open"));
  daemon.timers[0]?.call();
  assert.equal(feed.state.is, "waiting");
  assert.equal(daemon.timers.length, 2);
});

Deno.test("takes the session that another tab was given when its own has ended", () => {
  const { daemon, feed } = connected();
  /** @type {string[]} */
  const states = [];
  feed.states.listen(({ is }) => states.push(is));
  daemon.sessions.push("beside");
  daemon.socket.onclose?.(new CloseEvent("close", { code: 4005 }));
  assert.deepEqual([daemon.sockets.length, states], [2, ["connecting"]]);
  daemon.socket.onopen?.(new Event("open"));
  assert.equal(daemon.received.at(-1)?.session, "beside");
  // That one does not hold either: then there is none.
  daemon.say({ type: "error", code: "unauthorised", message: "It has ended." });
  assert.equal(feed.state.is, "refused");
  assert.deepEqual(daemon.sessions, ["s", "beside", undefined]);
});

Deno.test("tries the session at once when the code of a link is spent", () => {
  const daemon = new FakeDaemon();
  const feed = new DaemonFeed({ code: "spent", session: "s" }, daemon.world);
  feed.start();
  daemon.socket.onopen?.(new Event("open"));
  daemon.say({ type: "error", code: "unauthorised", message: "The code was used." });
  assert.deepEqual([daemon.sockets.length, feed.state.is], [2, "connecting"]);
  daemon.open();
  assert.deepEqual([daemon.received.at(-1)?.session, feed.state.is], ["s", "open"]);
});

Deno.test("forgets its own session, and none that another tab was given since", () => {
  /** @type {Map<string, string>} */
  const kept = new Map();
  const sessions = sessionsIn({
    getItem: (name) => kept.get(name) ?? null,
    setItem: (name, value) => void kept.set(name, value),
    removeItem: (name) => void kept.delete(name),
  });
  sessions.keep("first");
  assert.equal(sessions.stored(), "first");
  sessions.keep("second");
  sessions.forget("first");
  assert.equal(sessions.stored(), "second");
  sessions.forget("second");
  assert.equal(sessions.stored(), undefined);
});
