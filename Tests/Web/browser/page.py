"""The page in a browser: a static server for web/, Chromium, and a user's actions."""

import atexit
import functools
import http.server
import itertools
import os
import sys
import tempfile
import threading
import time
import unittest

from playwright.sync_api import TimeoutError as Late
from playwright.sync_api import expect, sync_playwright

ROOT = os.path.realpath(os.path.join(os.path.dirname(__file__), "..", "..", ".."))
sys.path.insert(0, os.path.join(ROOT, "Tests", "Live"))

from chromium import launch  # noqa: E402: the path above leads to it
from contexts import ARGUMENTS, KEPT_OPTIONS, Contexts
from served import WEB, file_at  # noqa: E402

# What a branch does, without the names of the events before their numbers, and without values.
WORDS = r"""document.querySelector(".strip-what b")?.textContent
  .replaceAll(/\([^()]*\)/g, "").replace(/ changed to .*$/, " changed").replaceAll(/(?!(?:to|and|before|from|without)\b)\b[a-z]\w* (?=\d)/gi, "")"""

# How many times slower Chromium computes, to find tests that act or look before the page is ready.
SLOWDOWN = float(os.environ.get("BROWSER_SLOWDOWN", "1"))

# Seconds to wait for an expected state: long, because the machine may be busy.
LIMIT = 60
expect.set_options(timeout=LIMIT * 1_000)


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Serves the page without a log."""

    def __init__(self, *arguments, separate=False):
        self.separate = separate
        super().__init__(*arguments, directory=WEB)

    def translate_path(self, path):
        return str(file_at(path, self.separate)[0] or "")

    def log_message(self, *_):
        pass


@functools.cache
def playwright():
    """The driver for all tests of this process."""
    driver = sync_playwright().start()
    atexit.register(driver.stop)
    return driver


class Shared:
    """The only Chromium of this process: starting it takes as long as a short test."""

    browser = contexts = None

    @classmethod
    def connected(cls):
        if cls.browser is None or not cls.browser.is_connected():
            cls.browser = launch(playwright(), ARGUMENTS)
            cls.contexts = Contexts(cls.browser)
        return cls.browser


class BrowserTest(unittest.TestCase):
    """Tests that share a Chromium; each has its own pages."""

    @classmethod
    def setUpClass(cls):
        cls.browser = Shared.connected()
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = folder.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def new_context(self, scheme="light", size=(1440, 860), alone=False, **options):
        """A browser context that shares nothing with the others.

        Pass `alone` if the test changes what cannot be reset, such as the clock: the context is then
        used only once.
        """
        options |= {"viewport": {"width": size[0], "height": size[1]}, "color_scheme": scheme}
        if alone or options.keys() - KEPT_OPTIONS:
            context = self.browser.new_context(**options)
            self.addCleanup(context.close)
        else:
            lent = Shared.contexts.lend(**options)
            context = lent.context
            self.addCleanup(lent.put_back)
        context.set_default_timeout(LIMIT * 1_000)
        return context

    def visit(self, context, address):
        """A page at an address. An error or a policy violation fails the test."""
        page = context.new_page()
        if SLOWDOWN > 1:
            context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": SLOWDOWN})
        errors = []
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda message: errors.append(message.text)
                if "Content Security Policy" in message.text else None)
        self.addCleanup(lambda: self.assertEqual(errors, []))
        page.goto(address)
        return page

    def go(self, page, seq):
        """Goes to an entry with the keyboard and waits for its state."""
        page.keyboard.press("g")
        page.keyboard.type(str(seq))
        page.keyboard.press("Enter")
        self.wait_for_seq(page, seq)

    def until(self, page, condition, arg=None, seconds=LIMIT):
        """Waits for a condition in the page. The page's policy forbids the driver's own function."""
        deadline = time.monotonic() + seconds
        while not page.evaluate(condition, arg):
            if time.monotonic() > deadline:
                self.fail(f"it did not come to this: {condition} with {arg}\n{self.looks(page)}")
            page.wait_for_timeout(50)

    def comes(self, page, condition, what, seconds=LIMIT):
        """Waits for a condition outside the page; `what` describes it."""
        deadline = time.monotonic() + seconds
        while not condition():
            if time.monotonic() > deadline:
                self.fail(f"it did not come to this: {what}\n{self.looks(page)}")
            page.wait_for_timeout(50)

    def has_text(self, page, selector, *words):
        """Waits until an element contains all of these texts."""
        for text in words:
            expect(page.locator(selector)).to_contain_text(text)

    def drawn(self, page):
        """Waits until the page has drawn everything it has so far."""
        page.evaluate(
            "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def still(self, page):
        """Waits until everything is drawn and no animation is running."""
        self.drawn(page)
        self.until(page, "document.getAnimations().every((one) => one.playState !== 'running' ||"
                         " one.effect.getComputedTiming().endTime === Infinity)")

    def looks(self, page):
        """What the page shows, for the report of a failed test."""
        return page.evaluate("""() => {
          const texts = (selector) => [...document.querySelectorAll(selector)]
            .filter((one) => one.checkVisibility())
            .map((one) => one.textContent.replaceAll(/\\s+/g, " ").slice(0, 400));
          const focus = document.activeElement;
          return Object.entries({
            title: document.title,
            address: location.href,
            cursor: document.querySelector(".slider")?.ariaValueNow,
            shown: texts(".tree-title, .moment-note, .strip-what, .strip-end, .count"),
            above: texts("dialog[open]"),
            typed: document.querySelector(".palette input")?.value,
            notices: texts(".notice"),
            status: texts("tt-status, tt-cover h2"),
            focus: focus && `${focus.localName}.${focus.className}`,
          }).map(([name, what]) => `  ${name}: ${JSON.stringify(what)}`).join("\\n");
        }""")

    def wait_for_seq(self, page, seq):
        self.until(
            page, "seq => document.title.endsWith(`@ ${seq.toLocaleString('en-US')}`) &&"
            " document.querySelector('.tree-title').textContent"
            ".includes(` after ${seq.toLocaleString('en-US')}`)", seq)

    def loaded(self, page):
        """Waits for the entry at the cursor, and for the counts that give pixels their entries."""
        self.until(page, "document.querySelector('tt-event h3 .chip').textContent !== '…'"
                   " && document.querySelector('tt-timeline .lane') !== null")

    def cursor(self, page):
        self.drawn(page)
        return int(page.locator(".slider").get_attribute("aria-valuenow"))

    def hash_of(self, page, *parts):
        """The address's hash, once it has these parts: it changes when the user pauses."""
        self.until(page, "parts => parts.every((part) => location.hash.includes(part))", parts)
        return page.evaluate("location.hash")

    def shows_as_text(self, page):
        """Checks that recorded text stays text in every view of a moment."""
        for tab in "diff", "raw", "chart", "watch", "state":
            page.click(f"#tab-{tab}")
            page.wait_for_selector(f"#panel-{tab}:visible")
            if tab == "raw":
                self.has_text(page, ".raw", "onerror")
            self.drawn(page)
        self.assertIsNone(page.evaluate("window.hacked ?? null"))
        self.assertEqual(page.locator("img, script:not([src])").count(), 0)

    def value(self, page, path):
        """The row of a value in the state."""
        return page.locator(f'.tree-row[data-path="{path}"]:visible')

    def choose_file(self, page, ask, files):
        """Chooses files in the dialog that an action opens.

        While much is drawn, Chromium may drop the dialog. Then this asks again, as a person would.
        """
        choosers, polls = [], itertools.count(1)

        def opened(chooser):
            choosers.append(chooser)

        page.on("filechooser", opened)

        def comes():
            if not choosers and next(polls) % 200 == 0:
                ask()
            return choosers

        try:
            ask()
            self.comes(page, comes, "a dialog for files opens")
        finally:
            page.remove_listener("filechooser", opened)
        chosen, *late = choosers
        chosen.set_files(files)
        # An open dialog blocks the next one.
        for one in late:
            one.set_files([])

    def tab_to(self, page, selector, most=80):
        """Presses Tab until an element has the focus."""
        for _ in range(most):
            if page.evaluate("(selector) => document.activeElement?.matches(selector)", selector):
                return
            page.keyboard.press("Tab")
        self.fail(f"Tab does not lead to {selector}\n{self.looks(page)}")

    def download(self, page, name):
        """Exports a timeline file with the export window; returns its path."""
        page.keyboard.press("Shift+E")
        page.locator("input[name=export-format][value=timeline]").check()
        with page.expect_download() as download:
            page.locator("tt-export button", has_text="Download").click()
        page.keyboard.press("Escape")
        download.value.save_as(self.path(name))
        return self.path(name)

    def act(self, page, path, name):
        """Clicks a button that a value shows while the pointer is over it."""
        button = self.value(page, path).locator(f"[data-act={name}]")

        def appears():
            # If the row moves away from the pointer, hover again.
            self.value(page, path).hover()
            return button.is_visible()

        for _ in range(3):
            self.comes(page, appears, f"the button {name} of {path} is under the pointer")
            try:
                return button.click()
            except Late:
                pass
        self.fail(f"the row of {path} does not stay where it is")

    def leave(self, page):
        """Moves the pointer off the panes: only then do lanes of values come and go."""
        page.mouse.move(0, 0)

    def command(self, page, *words):
        """Chooses a command by its words in the palette, with the keyboard."""
        page.keyboard.press("Control+k")
        page.keyboard.type(" ".join(words))
        page.keyboard.press("Enter")

    def press_command(self, page, title):
        """Chooses a command in the palette with only the pointer."""
        page.click("button.commands")
        # Not by all of its text: the reason why another command is unavailable may quote this one.
        named = page.locator(".choice-title", has_text=title)
        page.locator(".palette [role=option]", has=named).first.click()


class PageTest(BrowserTest):
    """The page from a static file server, without a daemon."""

    # Whether the page is served as the files of the repository instead of joined.
    separate = False

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        handler = functools.partial(Quiet, separate=cls.separate)
        cls.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        cls.addClassCleanup(cls.server.server_close)
        threading.Thread(target=cls.server.serve_forever, daemon=True).start()
        cls.addClassCleanup(cls.server.shutdown)

    def open_page(self, file=None, scheme="light", size=(1440, 860), **options):
        """A new page, optionally with an open file."""
        context = self.new_context(scheme, size, **options)
        page = self.visit(
            context, f"http://127.0.0.1:{self.server.server_address[1]}/index.html")
        page.wait_for_selector("tt-cover:not([hidden])")
        if file:
            page.set_input_files("input[type=file]", file)
            # Before it has its state, a click or a key would be too early.
            self.until(page, "/@ [\\d,]+$/.test(document.title) && !!document.querySelector('.tree-row')")
        return page
