"""A real browser as the attacker: a page of another origin, and DNS rebinding."""

import functools
import http.server
import pathlib
import tempfile
import threading
import unittest

from chromium import launch
from daemon import Daemon
from playwright.sync_api import sync_playwright

# Reports what the browser allows the page; runs in a page of another origin than the daemon's.
ATTACK = """
async (port) => {
  const socket = (protocol) => new Promise((done) => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/`, protocol ? [protocol] : []);
    socket.onopen = () => done("open");
    socket.onerror = () => done("refused");
  });
  const get = async (path, mode) => {
    try {
      const response = await fetch(`http://127.0.0.1:${port}${path}`, { mode });
      return response.type === "opaque" ? "opaque" : await response.text();
    } catch { return "refused"; }
  };
  const script = () => new Promise((done) => {
    const element = document.createElement("script");
    element.src = `http://127.0.0.1:${port}/app.js`;
    element.onload = () => done("loaded");
    element.onerror = () => done("refused");
    document.head.append(element);
  });
  return {
    inspector: await socket("inspector.v1"),
    recorder: await socket("recorder.v1"),
    plain: await socket(null),
    read: await get("/", "cors"),
    script: await script(),
  };
}
"""


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


class Browser(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        pathlib.Path(place.name, "index.html").write_text("<!doctype html><title>elsewhere</title>")
        handler = functools.partial(Quiet, directory=place.name)
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.addCleanup(self.server.server_close)
        self.addCleanup(self.server.shutdown)

    def page(self, arguments=()):
        playwright = sync_playwright().start()
        self.addCleanup(playwright.stop)
        browser = launch(playwright, arguments)
        self.addCleanup(browser.close)
        page = browser.new_page()
        page.set_default_timeout(120_000)
        return page

    def test_a_page_of_another_origin_gets_nothing(self):
        with Daemon() as daemon:
            page = self.page()
            page.goto(f"http://127.0.0.1:{self.server.server_port}/")
            got = page.evaluate(ATTACK, daemon.port)
            self.assertEqual(got, {key: "refused" for key in got})

    def test_a_sandboxed_page_gets_nothing(self):
        # Its origin is "null".
        with Daemon() as daemon:
            page = self.page()
            page.goto(f"http://127.0.0.1:{self.server.server_port}/")
            page.set_content('<iframe sandbox="allow-scripts" srcdoc="<p>x"></iframe>')
            frame = page.frames[-1]
            got = frame.evaluate(ATTACK, daemon.port)
            self.assertEqual(got, {key: "refused" for key in got})

    def test_dns_rebinding_gets_nothing(self):
        with Daemon() as daemon:
            page = self.page(["--host-resolver-rules=MAP evil.example 127.0.0.1"])
            response = page.goto(f"http://evil.example:{daemon.port}/")
            self.assertEqual(response.status, 421)
            opened = page.evaluate(
                """(port) => new Promise((done) => {
                  const socket = new WebSocket(`ws://evil.example:${port}/`, ["inspector.v1"]);
                  socket.onopen = () => done("open");
                  socket.onerror = () => done("refused");
                })""",
                daemon.port,
            )
            self.assertEqual(opened, "refused")

    def test_the_daemon_cannot_be_framed(self):
        with Daemon() as daemon:
            page = self.page()
            page.goto(f"http://127.0.0.1:{self.server.server_port}/")
            page.set_content(f'<iframe src="http://127.0.0.1:{daemon.port}/"></iframe>')
            while len(page.frames) < 2 or page.frames[-1].url in ("", "about:blank"):
                page.wait_for_timeout(50)
            # The frame shows the browser's own error page.
            self.assertRegex(page.frames[-1].url, "^chrome-error:")


if __name__ == "__main__":
    unittest.main()
