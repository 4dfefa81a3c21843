"""Time travel with the daemon itself, and with the gallery's machines as the app and its host."""

import os
import pathlib
import re
import subprocess
import unittest

from live import DaemonTest, ROOT, recorders_of

GALLERY = pathlib.Path(os.environ.get(
    "EXAMPLES_BUILD", os.path.join(ROOT, ".build", "debug"))) / "Gallery"


class Real(DaemonTest):
    """The gallery runs on its own; each test looks at one of its machines."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        own = {key: value for key, value in os.environ.items() if not key.startswith("DEBUGD")}
        own["DEBUGD"] = recorders_of(cls.daemon)
        cls.app = subprocess.Popen(
            [GALLERY], env=own, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        cls.addClassCleanup(cls.end)

    @classmethod
    def end(cls):
        cls.app.kill()
        cls.app.wait()
        cls.app.stdin.close()

    def open_machine(self, name):
        page = self.open_page()
        # The list moves while apps begin and branches come: one presses until the right one is shown.
        named = page.locator(".machine:visible").filter(
            has=page.locator(".machine-name", has_text=re.compile(f"^{name}$")))
        def is_shown():
            # The title follows a moment later.
            if f"› {name} @" not in page.title():
                named.first.click()
                page.wait_for_timeout(300)
            return f"› {name} @" in page.title()

        self.comes(page, is_shown, f"{name} is shown")
        self.until(page, "() => +document.querySelector('.slider').ariaValueMax > 4")
        self.until(page, "() => document.querySelector('.host').textContent.includes('host: ')")
        return page

    def visit_seq(self, page, seq):
        page.keyboard.press("g")
        page.keyboard.type(str(seq))
        page.keyboard.press("Enter")
        self.until(page, "seq => document.title.endsWith(`@ ${seq}`)", seq)

    def on_branch(self, page, words):
        self.until(page, "words => document.querySelector('.strip-what b').textContent === words"
                         " && !document.querySelector('tt-branch-strip').hidden", words)

    def off_branch(self, page):
        self.until(page, "() => document.querySelector('tt-branch-strip').hidden")

    def state_text(self, page):
        return page.locator(".tree").text_content()

    def test_edits_every_kind_of_machine(self):
        for name in "coin", "verification", "flow", "search view", "repositories":
            with self.subTest(name):
                page = self.open_machine(name)
                self.visit_seq(page, 2)
                page.keyboard.press("x")
                self.on_branch(page, "Without 2")
                self.until(page, "() => document.querySelector('.tree-title').textContent"
                                 ".includes('after 2')")
                page.keyboard.press("u")
                self.off_branch(page)
                self.visit_seq(page, 2)
                page.keyboard.press("d")
                self.until(page, "() => !document.querySelector('tt-branch-strip').hidden")
                page.keyboard.press("b")
                self.until(page, "document.querySelectorAll('.branch-list li').length >= 3")
                page.context.close()

    def test_compares_the_branch_with_what_was_recorded(self):
        page = self.open_machine("verification")
        self.visit_seq(page, 2)
        page.keyboard.press("x")
        self.on_branch(page, "Without 2")
        page.keyboard.press("Shift+B")
        page.wait_for_selector(".compare-row[data-is=only-a]")
        self.says(page, ".compare-foot", "The first 2 entries")

    def test_replaces_an_event_by_the_form(self):
        page = self.open_machine("coin")
        self.visit_seq(page, 1)
        page.keyboard.press("e")
        page.wait_for_selector("tt-event-editor:not([hidden])")
        page.click("tt-event-editor >> text=JSON")
        page.locator(".editor-json").fill('{"nothing": {}}')
        page.wait_for_selector(".problems:visible")
        page.click("tt-event-editor >> text=Revert")
        page.keyboard.press("Escape")
        page.wait_for_selector("tt-event-editor", state="hidden")

    def test_holds_the_app_moves_it_and_lets_it_go(self):
        page = self.open_machine("coin")
        page.wait_for_selector('tt-live-strip[data-is="free"]')
        other = self.another_tab(page, page.url[page.url.index("#"):])
        other.wait_for_selector('tt-live-strip[data-is="free"]')
        page.bring_to_front()
        page.keyboard.press("h")
        page.wait_for_selector('tt-live-strip[data-is="mine"]')
        other.wait_for_selector('tt-live-strip[data-is="other"]')
        self.visit_seq(page, 1)
        last = "+document.querySelector('.slider').ariaValueMax"
        before = page.evaluate(last)
        page.keyboard.press("Shift+H")
        self.until(page, f"before => {last} > before", before)
        page.locator(".grid").focus()
        page.keyboard.press("End")
        self.until(page, "() => document.querySelector('tt-event .chip').textContent"
                         ".startsWith('restored to 1')")
        page.keyboard.press("h")
        page.wait_for_selector('tt-live-strip[data-is="free"]')
        other.wait_for_selector('tt-live-strip[data-is="free"]')


if __name__ == "__main__":
    unittest.main()
