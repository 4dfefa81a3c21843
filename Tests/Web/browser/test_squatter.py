"""Another program takes over the daemon's port while the daemon is away."""

import json
import threading
import unittest

from live import DaemonTest, page_daemon
from ports import free_address
from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Response
from websockets.sync.client import connect
from websockets.sync.server import serve
import recordings

# What a page of the same origin can steal: everything stored, as text where it can be read, and the
# key's signature of a text of its choice.
LOOT = """async () => {
  const found = { local: { ...localStorage }, session: { ...sessionStorage },
    cookie: document.cookie, exported: [] };
  const request = (one) => new Promise((done, fail) => {
    one.onsuccess = () => done(one.result);
    one.onerror = () => fail(one.error);
  });
  for (const { name } of await indexedDB.databases()) {
    const database = await request(indexedDB.open(name));
    for (const store of database.objectStoreNames) {
      for (const value of await request(database.transaction(store).objectStore(store).getAll())) {
        for (const format of ["raw", "jwk"]) {
          found.exported.push(await crypto.subtle.exportKey(format, value.key).catch((e) => e.name));
        }
        found.record = { ...value, key: String(value.key) };
        globalThis.loot = value;
      }
    }
  }
  return found;
}"""

# Signs in with the stolen key, as the page does; returns the daemon's last reply.
USE = """(boot) => new Promise((done) => {
  const { name, key } = globalThis.loot;
  const socket = new WebSocket(`ws://${location.host}/`, "inspector.v1");
  const nonce = "ab".repeat(16);
  const sign = async (text) => Array.from(
    new Uint8Array(await crypto.subtle.sign("HMAC", key, new TextEncoder().encode(text))),
    (byte) => byte.toString(16).padStart(2, "0")).join("");
  const say = (message) => socket.send(JSON.stringify({ type: "hello", version: "1.0", ...message }));
  socket.onopen = () => say({ key: name, nonce, ...(boot ? { boot } : {}) });
  socket.onmessage = async ({ data }) => {
    const message = JSON.parse(data);
    if (message.type !== "challenge") return done(message.type);
    say({ proof: await sign(`states-debugger/1 inspector-to-daemon ${location.host} ${name} ` +
      `${nonce} ${message.nonce}`) });
  };
})"""


class Squatter:
    """A server on a port: its own page, and WebSockets that it answers or relays."""

    def __init__(self, port, answers=(), upstream=None, closes=None):
        self.answers, self.upstream, self.closes = list(answers), upstream, closes
        self.heard = []
        self.connected = threading.Event()
        self.passed_on = threading.Event()
        self.server = serve(self.talk, "127.0.0.1", port, subprotocols=["inspector.v1"],
                            process_request=self.page)
        self.port = self.server.socket.getsockname()[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.shutdown()

    def talk(self, socket):
        try:
            self.pass_on(socket) if self.upstream else self.reply(socket)
        except ConnectionClosed:
            pass
        finally:
            self.connected.set()

    def pass_on(self, socket):
        try:
            with connect(f"ws://127.0.0.1:{self.upstream}/", subprotocols=["inspector.v1"]) as real:
                for frame in socket:
                    self.heard.append(json.loads(frame))
                    real.send(frame)
                    socket.send(real.recv(timeout=60))
        finally:
            self.passed_on.set()

    def reply(self, socket):
        for frame in socket:
            self.heard.append(json.loads(frame))
            for answer in self.answers:
                socket.send(json.dumps(answer))
            if self.closes:
                socket.close(self.closes, STRANGER)

    @staticmethod
    def page(_, request):
        if request.headers.get("Upgrade"):
            return None
        body = b"<!doctype html><title>not the inspector</title>"
        headers = Headers({"Content-Type": "text/html", "Content-Length": str(len(body)),
                           "Connection": "close"})
        return Response(200, "OK", headers, body)


WELCOME = {"type": "welcome", "version": "1.0", "daemon": "0.1.0", "session": "s1", "boot": "b",
           "capabilities": ["look", "change", "control", "host"], "maxMessage": 1 << 20}
STRANGER = "Call 555-0100 to sign in."
ERROR = {"type": "error", "code": "unauthorised", "message": STRANGER}
CHALLENGE = {"type": "challenge", "nonce": "00" * 16, "proof": "00" * 32}


class Squatting(DaemonTest):
    def status(self, page, words):
        self.until(page, "words => document.querySelector('tt-status').textContent.includes(words)",
                   words)

    def away(self, daemon, page):
        """Stops the daemon, and waits until the page notices; returns the port that is free now."""
        daemon.kill()
        self.status(page, "disconnected")
        return daemon.port

    def retry(self, page):
        """Connects at once, unless the page has done so in the meantime."""
        page.evaluate("""() => {
          const again = document.querySelector("tt-status button:not(.daemon)");
          if (again?.checkVisibility()) again.click();
        }""")

    def test_an_open_page_sends_another_program_nothing_and_reconnects(self):
        for answers in [WELCOME], [CHALLENGE], [CHALLENGE, WELCOME]:
            with self.subTest(answers=answers), page_daemon(listen=free_address()) as daemon:
                timeline = self.import_file(
                    recordings.write(self.path("squatted.timeline"), 30), daemon)
                page = self.open_page(timeline, daemon=daemon)
                port = self.away(daemon, page)
                with Squatter(port, answers) as squatter:
                    self.retry(page)
                    self.assertTrue(squatter.connected.wait(60))
                self.assertEqual({tuple(sorted(message)) for message in squatter.heard},
                                 {("key", "nonce", "type", "version")})
                daemon.start()
                self.retry(page)
                self.until(page, "/daemon (connected|[\\d.]+ ms)/.test("
                                 "document.querySelector('tt-status').textContent)")

    def test_another_program_does_not_end_the_session(self):
        for answers, closes in ([ERROR], None), ([], 4001), ([], 4005):
            with self.subTest(answers=answers, closes=closes), page_daemon(listen=free_address()) as daemon:
                timeline = self.import_file(
                    recordings.write(self.path("refused.timeline"), 30), daemon)
                page = self.open_page(timeline, daemon=daemon, alone=True)
                page.clock.install()
                port = self.away(daemon, page)
                with Squatter(port, answers, closes=closes):
                    self.retry(page)
                    self.status(page, "not signed in")
                    page.wait_for_selector(".notice.warning")
                    self.has_text(page, ".notice.warning", "debugd open")
                    self.assertNotIn("555", page.locator(".notice.warning").text_content())
                daemon.start()
                # The page tries again within half a minute.
                page.clock.fast_forward(30_000)
                self.until(page, "/daemon (connected|[\\d.]+ ms)/.test("
                                 "document.querySelector('tt-status').textContent)")

    def test_the_page_reports_that_another_program_has_the_port(self):
        with page_daemon(listen=free_address()) as daemon:
            page = self.open_page(daemon=daemon)
            port = self.away(daemon, page)
            with Squatter(port, [WELCOME]) as squatter:
                self.retry(page)
                self.assertTrue(squatter.connected.wait(60))
                self.status(page, "another program has the daemon's port")

    def test_a_page_of_another_program_steals_nothing_useful(self):
        with page_daemon(listen=free_address()) as daemon:
            page = self.open_page(daemon=daemon)
            # The page stores its key a moment after it has signed in.
            self.comes(page, lambda: "record" in page.evaluate(LOOT), "the key is stored")
            before = page.evaluate(LOOT)
            self.assertEqual(page.evaluate(USE, before["record"]["boot"]), "welcome",
                             "the attack itself works while the key is valid")
            port = self.away(daemon, page)
            with Squatter(port):
                page.goto(f"http://127.0.0.1:{port}/")
                self.assertEqual(page.title(), "not the inspector")
                loot = page.evaluate(LOOT)
            self.assertEqual(loot["exported"], ["InvalidAccessError"] * 2)
            self.assertEqual((loot["session"], loot["cookie"]), ({}, ""))
            self.assertEqual(loot["record"]["key"], "[object CryptoKey]")
            # Names, sizes, and the like; every secret has at least 32 digits.
            readable = json.dumps(loot | {"record": loot["record"]["name"]})
            self.assertNotRegex(readable, r"\w{32}")
            self.assertNotIn(loot["record"]["boot"], readable)
            # That page stays open until the daemon is back, and tries its loot.
            daemon.start()
            for boot in loot["record"]["boot"], None:
                self.assertEqual(page.evaluate(USE, boot), "error")
            sessions = daemon.json("status")["sessions"]
            self.assertFalse(any(one.get("connected") for one in sessions))

    def test_messages_relayed_to_the_daemon_on_another_port_prove_nothing(self):
        with page_daemon(listen=free_address()) as daemon:
            page = self.open_page(daemon=daemon)
            port = self.away(daemon, page)
            # The port is taken, so the daemon is started on another one.
            with Squatter(port) as squatter:
                daemon.listen = "127.0.0.1:0"
                daemon.start()
                self.assertNotEqual(daemon.port, port)
                squatter.heard.clear()
                squatter.upstream = daemon.port
                self.retry(page)
                # An earlier connection may end now; only a relayed one counts.
                self.assertTrue(squatter.passed_on.wait(60))
                self.assertEqual({tuple(sorted(message)) for message in squatter.heard},
                                 {("key", "nonce", "type", "version")})
                sessions = daemon.json("status")["sessions"]
                self.assertFalse(any(one.get("connected") for one in sessions))


if __name__ == "__main__":
    unittest.main()
