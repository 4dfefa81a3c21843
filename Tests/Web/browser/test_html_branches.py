"""An HTML file with branches: edits in it show what the reducer did, and nothing is invented."""

import os
import re
import sys

from playwright.sync_api import expect

from live import DaemonTest, page_daemon
from page import ROOT

sys.path.insert(0, os.path.join(ROOT, "Examples"))
from test_what_if import EVENTS, HOST, edited  # noqa: E402
from test_foreign_host import states, written  # noqa: E402


class WhatIf(DaemonTest):
    """The file is written once; each test opens it from the disk, without a network."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.host = cls.enterClassContext(page_daemon(options=["--host", str(HOST)]))
        path = cls.in_folder("vending.timeline")
        with open(path, "w", encoding="utf-8") as file:
            file.write(written(EVENTS))
        cls.host.run("import", path)
        cls.html = cls.in_folder("vending.html")
        cls.host.run("export", "vending", "--what-if", "--never", "state.tea < 0", "-o", cls.html)

    def open_file(self):
        page = self.visit(self.new_context(offline=True), f"file://{self.html}")
        page.wait_for_selector(".tree-row")
        self.wait_for_seq(page, len(EVENTS))
        return page

    def shows_end(self, page, events):
        """Whether the end of the branch has the state that the reducer computes."""
        page.wait_for_selector("tt-branch-strip:not([hidden])")
        page.keyboard.press("End")
        self.wait_for_seq(page, len(events))
        state = states(events)[-1]
        for key, value in state.items():
            row = page.locator(f'.tree-row[data-path="/{key}"]:visible')
            expect(row).to_contain_text(str(value))

    def test_edits_show_what_the_reducer_does(self):
        page = self.open_file()
        for key, seq, edit in (
                ("x", 1, {"drop": 1}), ("x", 7, {"drop": 7}), ("<", 5, {"move": 5, "before": 4}),
                (">", 4, {"move": 5, "before": 4}),
                ("d", 5, {"insert": EVENTS[4], "before": 6})):
            with self.subTest(key, seq=seq):
                self.go(page, seq)
                page.keyboard.press(key)
                result = edited(EVENTS, [edit])
                expect(page.locator(".strip-outcome")).to_contain_text(
                    "Ends in the same state." if states(result)[-1] == states(EVENTS)[-1]
                    else "At the end: ")
                if key == "x":
                    expect(page).to_have_title(re.compile("› without "))
                self.shows_end(page, result)
                # Back to the recording.
                page.keyboard.press("u")
                self.until(page, "() => document.querySelector('tt-branch-strip').hidden")
        expect(page.locator(".notice")).to_have_count(0)

    def test_the_page_says_which_edits_it_has(self):
        page = self.open_file()
        self.has_text(page, "tt-recording-strip",
                      "It has those of the entries 1 to 7")
        # All of it: the last sentence says what to do for other edits.
        cut = page.evaluate("(() => { const text = document.querySelector("
                            "'tt-recording-strip .strip-detail');"
                            " return text.scrollWidth > text.clientWidth; })()")
        self.assertFalse(cut)
        self.go(page, 3)
        # Edits of which it has none are not offered.
        edit = page.locator("tt-event button:has-text('Edit')").first
        expect(edit).to_be_disabled()
        expect(edit).to_have_attribute("title", re.compile("^This file has no branches for this kind"))

    def test_only_events_whose_result_the_file_has_are_inserted(self):
        page = self.open_file()
        self.has_text(page, "tt-recording-strip", "insert tea or refund after them")
        self.go(page, 3)
        page.keyboard.press("i")
        editor = page.locator("tt-event-editor")
        note = editor.locator(".note", has_text="This file")
        insert = editor.get_by_role("button", name="Insert in a new branch")
        expect(note).to_have_text("This file has the results of inserting tea or refund here.")
        expect(insert).to_be_enabled()
        editor.get_by_role("button", name="JSON").click()
        editor.locator("textarea").fill('{"insert": {"cents": 7}}')
        refusal = "This file has no branch with this event here. It has tea or refund."
        expect(note).to_have_text(refusal)
        expect(insert).to_be_disabled()
        # The key does not make a branch either.
        page.keyboard.press("Control+Enter")
        expect(page.locator(".notice")).to_contain_text(refusal)
        editor.locator("textarea").fill('"refund"')
        expect(insert).to_be_enabled()
        insert.click()
        self.shows_end(page, edited(EVENTS, [{"insert": "refund", "before": 4}]))
        page.keyboard.press("u")
        self.until(page, "() => document.querySelector('tt-branch-strip').hidden")
        # Before the first event, there is none.
        self.go(page, 0)
        expect(page.locator("tt-event").get_by_role("button", name="Insert…")).to_be_disabled()

    def test_the_fewest_events_are_a_branch(self):
        page = self.open_file()
        page.keyboard.press("b")
        branch = page.locator("tt-branches").get_by_text("state.tea < 0").first
        branch.wait_for()

    def test_the_page_exports_it(self):
        page = self.open_page(self.host.json("list")["header"]["timeline"], daemon=self.host)
        # The window offers the edits only if a host is known when it opens.
        self.has_text(page, "tt-toolbar .host", "host: ")
        page.keyboard.press("Shift+E")
        page.locator("input[name=export-format][value=html]").check()
        page.get_by_label("With the results of edits around the cursor").check()
        with page.expect_download() as download:
            page.locator("tt-export button", has_text="Download").click()
        saved = self.path("saved.html")
        download.value.save_as(saved)
        with open(saved, encoding="utf-8") as file:
            self.assertIn('id="what-if"', file.read())
