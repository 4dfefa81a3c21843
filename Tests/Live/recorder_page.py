"""A page in Chromium that loads Examples/recorder.js, for tests of that recorder."""

import functools
import http.server
import threading
import unittest

from chromium import launch
from daemon import ROOT
from fake_daemon import SECRET
from playwright.sync_api import sync_playwright


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


class PageTest(unittest.TestCase):
    def setUp(self):
        handler = functools.partial(Quiet, directory=str(ROOT / "Examples"))
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        self.origin = f"http://127.0.0.1:{server.server_port}"
        playwright = sync_playwright().start()
        self.addCleanup(playwright.stop)
        browser = launch(playwright)
        self.addCleanup(browser.close)
        self.page = browser.new_page()
        self.page.set_default_timeout(120_000)

    def run_in_page(self, daemon, code, memory=1 << 24, secret=SECRET):
        """Runs code with a recorder that is connected to a daemon; returns its result."""
        self.page.goto(f"{self.origin}/recorder.html")
        return self.page.evaluate(
            """async ([address, secret, memory, code]) => {
              const { Recorder } = await import("./recorder.js");
              const recorder = new Recorder("Rules", address, secret, memory);
              return await new Function("recorder", `return (async () => {${code}})()`)(recorder);
            }""", [f"ws://127.0.0.1:{daemon.port}/", secret, memory, code])
