"""The page in a browser: a static server for web/, Chromium, and what a reader does."""

import functools
import http.server
import os
import tempfile
import threading
import unittest

from playwright.sync_api import sync_playwright

ROOT = os.path.realpath(os.path.join(os.path.dirname(__file__), "..", "..", ".."))


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Serves files and says nothing."""

    def log_message(self, *_):
        pass


class PageTest(unittest.TestCase):
    """One server and one browser for the tests of a class; each test has a page of its own."""

    @classmethod
    def setUpClass(cls):
        handler = functools.partial(Quiet, directory=os.path.join(ROOT, "web"))
        cls.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=cls.server.serve_forever, daemon=True).start()
        cls.playwright = sync_playwright().start()
        cls.browser = cls.playwright.chromium.launch(
            executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        cls.folder = tempfile.TemporaryDirectory()

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        cls.playwright.stop()
        cls.server.shutdown()
        cls.server.server_close()
        cls.folder.cleanup()

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def open_page(self, file=None, scheme="light", size=(1440, 860), **options):
        """A new page, with a file opened in it. What a page must never do fails the test."""
        context = self.browser.new_context(
            viewport={"width": size[0], "height": size[1]}, color_scheme=scheme, **options)
        self.addCleanup(context.close)
        page = context.new_page()
        errors = []
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda message: errors.append(message.text)
                if "Content Security Policy" in message.text else None)
        self.addCleanup(lambda: self.assertEqual(errors, []))
        page.goto(f"http://127.0.0.1:{self.server.server_address[1]}/index.html")
        page.wait_for_selector("tt-cover:not([hidden])")
        if file:
            page.set_input_files("input[type=file]", file)
            page.wait_for_selector(".tree-row")
        return page

    def go(self, page, seq):
        """Goes to an entry by the keyboard and waits for its state."""
        page.keyboard.press("g")
        page.keyboard.type(str(seq))
        page.keyboard.press("Enter")
        self.wait_for_seq(page, seq)

    def until(self, page, condition, arg=None):
        """Waits for a condition in the page. The page's policy forbids the driver's own way."""
        for _ in range(200):
            if page.evaluate(condition, arg):
                return
            page.wait_for_timeout(50)
        self.fail(f"it did not come to this: {condition}")

    def wait_for_seq(self, page, seq):
        self.until(
            page, "seq => document.title.endsWith(`@ ${seq.toLocaleString('en-US')}`) &&"
            " document.querySelector('.tree-title').textContent"
            ".startsWith(`MyCommuteState after ${seq.toLocaleString('en-US')}`)", seq)
