"""Chromium on the pages of a daemon."""

import base64
import contextlib
import os
import pathlib

from playwright.sync_api import sync_playwright

from peers import Inspector

ROOT = pathlib.Path(__file__).resolve().parents[3]

# Runs in the page before its own scripts: records after each frame what the frame showed.
WATCHER = (pathlib.Path(__file__).parent / "watcher.js").read_text(encoding="utf-8")


def invitation(daemon):
    """A one-time code for a browser."""
    with Inspector(daemon.socket) as inspector:
        return inspector.ask("invite", can=["look", "change"])["code"]


@contextlib.contextmanager
def chromium():
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=os.environ.get("CHROMIUM", "/usr/bin/chromium"),
            args=["--no-sandbox", "--enable-precise-memory-info"])
        try:
            yield browser
        finally:
            browser.close()


class Session:
    """Browsers with a session; each page is the first of its browser."""

    def __init__(self, browser, daemon):
        self.browser, self.daemon = browser, daemon

    @contextlib.contextmanager
    def page(self, fragment="", path=""):
        """A page with empty caches, not yet at an address. The path is relative to the daemon's."""
        context = self.browser.new_context(viewport={"width": 1440, "height": 860})
        try:
            context.add_init_script(WATCHER)
            page = context.new_page()
            page.cdp = context.new_cdp_session(page)
            # Keys of sessions cannot be copied from one browser to another.
            rest = fragment.replace("#", "&")
            base = self.daemon.address.rstrip("/")
            page.address = f"{base}/{path}#code={invitation(self.daemon)}{rest}"
            yield page
        finally:
            context.close()

    @staticmethod
    def wait(page, condition, arg=None, seconds=120):
        """Waits for a condition. The page's policy forbids the driver's own way."""
        for _ in range(seconds * 50):
            if page.evaluate(condition, arg):
                return
            page.wait_for_timeout(20)
        raise AssertionError(f"it did not come to this: {condition}")


@contextlib.contextmanager
def traced(page, categories):
    """Traces the body; the result is in the yielded list."""
    browser = page.context.browser.new_browser_cdp_session()
    result = []
    browser.send("Tracing.start", {
        "traceConfig": {
            "recordMode": "recordAsMuchAsPossible",
            "includedCategories": [name for name in categories if name != "-*"],
            "excludedCategories": ["*"],
        },
        "transferMode": "ReturnAsStream",
    })
    yield result
    done = []
    browser.once("Tracing.tracingComplete", lambda event: done.append(event))
    browser.send("Tracing.end")
    while not done:
        page.wait_for_timeout(20)
    parts = []
    while True:
        part = browser.send("IO.read", {"handle": done[0]["stream"], "size": 1 << 20})
        data = part["data"]
        parts.append(base64.b64decode(data) if part.get("base64Encoded") else data.encode())
        if part["eof"]:
            break
    browser.send("IO.close", {"handle": done[0]["stream"]})
    browser.detach()
    result.append(b"".join(parts))
