"""Time travel with the real daemon, and with the gallery as the app and its host."""

import json
import re
import unittest

from playwright.sync_api import expect

from gallery import PlayingTest
from page import WORDS

TIMELINE = "new URLSearchParams(location.hash.slice(1)).get('timeline')"
LAST = "+document.querySelector('.slider').ariaValueMax"


class Real(PlayingTest):
    """The gallery runs; each test uses one of its machines."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.run_gallery()

    def open(self, name):
        """A page at a machine that has entries, and whose past can be changed."""
        page = self.open_page()
        self.open_machine(page, name)
        self.until(page, f"() => {LAST} > 4")
        self.until(page, "() => document.querySelector('.host').textContent.includes('host: ')")
        # The page writes its address shortly after it has drawn the machine.
        self.until(page, f"() => {TIMELINE} !== null")
        return page

    def visit_seq(self, page, seq):
        page.keyboard.press("g")
        page.keyboard.type(str(seq))
        page.keyboard.press("Enter")
        self.until(page, "seq => document.title.endsWith(`@ ${seq}`)", seq)

    def on_branch(self, page, words):
        self.until(page, f"words => {WORDS} === words"
                         " && !document.querySelector('tt-branch-strip').hidden", words)

    def off_branch(self, page):
        self.until(page, "() => document.querySelector('tt-branch-strip').hidden")

    def script(self, page, parent):
        """The edits of the shown branch, from the daemon."""
        self.until(page, f"parent => {TIMELINE} !== parent", parent)
        header = self.summary(page.evaluate(TIMELINE))["header"]
        self.assertEqual(header["parent"]["timeline"], parent)
        return header["parent"]["edits"]


class Past(Real):
    def test_edits_every_kind_of_machine(self):
        for name in "coin", "verification", "flow", "search view", "repositories", "book":
            with self.subTest(name):
                page = self.open(name)
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
        page = self.open("verification")
        self.visit_seq(page, 2)
        page.keyboard.press("x")
        self.on_branch(page, "Without 2")
        # While the branch is computed, its end is not compared.
        self.has_text(page, "tt-branch-strip", "At the end: ")
        page.keyboard.press("Shift+B")
        page.wait_for_selector(".compare-row[data-is=only-a]")
        self.has_text(page, ".compare-foot", "The first 2 entries")
        # A line of one side has no arrow to nothing.
        alone = page.locator(".compare-row[data-is=only-a] .compare-value").first
        expect(alone).to_have_attribute("aria-label", re.compile(r": [^→–]+$"))
        expect(alone).to_have_text(re.compile(r"^[^→]+$"))
        self.has_text(page, ".compare-verdict", "At the end: ")

    def test_replaces_an_event_by_the_form(self):
        page = self.open("basket")
        parent = page.evaluate(TIMELINE)
        self.visit_seq(page, 1)
        page.keyboard.press("e")
        page.wait_for_selector("tt-event-editor:not([hidden])")
        page.click("tt-event-editor >> text=JSON")
        page.locator(".editor-json").fill('{"nothing": {}}')
        page.wait_for_selector(".problems:visible")
        page.click("tt-event-editor >> text=Revert")
        page.click("tt-event-editor >> text=Form")
        page.locator("tt-event-editor").get_by_label("name").first.fill("cake")
        page.keyboard.press("Control+Enter")
        self.on_branch(page, "1 changed")
        page.wait_for_selector("tt-event-editor", state="hidden")
        [edit] = self.script(page, parent)
        self.assertEqual((edit["replace"], edit["event"]["added"]["_0"]["name"]), (1, "cake"))
        # The host has run the reducer with it; the recording is unchanged.
        self.until(page, f"() => {LAST} >= 1")
        state = self.daemon.json("state", page.evaluate(TIMELINE), 1)["state"]
        self.assertEqual(state["items"][0]["name"], "cake")
        self.assertNotEqual(
            self.daemon.json("state", parent, 1)["state"]["items"][0]["name"], "cake")

    def test_inserts_an_event_before_and_after(self):
        page = self.open("basket")
        parent = page.evaluate(TIMELINE)
        for key, before, place in ("i", 2, "behind"), ("Shift+I", 1, "before"):
            with self.subTest(place):
                self.visit_seq(page, 1)
                page.keyboard.press(key)
                page.locator("tt-event-editor").get_by_label("name").first.fill(f"tart {place}")
                page.click("text=Insert in a new branch")
                self.on_branch(page, f"Added before {before}")
                [edit] = self.script(page, parent)
                self.assertEqual(
                    (edit["before"], edit["insert"]["added"]["_0"]["name"]),
                    (before, f"tart {place}"))
                page.keyboard.press("u")
                self.off_branch(page)

    def test_undoes_and_redoes_by_key_and_by_the_button(self):
        page = self.open("coin")
        parent = page.evaluate(TIMELINE)
        before = self.branches(parent)
        self.visit_seq(page, 3)
        page.keyboard.press("x")
        self.on_branch(page, "Without 3")
        self.assertEqual(self.script(page, parent), [{"drop": 3}])
        branch = page.evaluate(TIMELINE)
        for undo in (lambda: page.keyboard.press("u"),
                     lambda: page.click("tt-branch-strip >> text=Undo")):
            undo()
            self.off_branch(page)
            self.until(page, f"parent => {TIMELINE} === parent", parent)
            self.until(page, "() => document.title.endsWith('@ 3')")
            page.keyboard.press("r")
            self.on_branch(page, "Without 3")
            self.until(page, f"branch => {TIMELINE} === branch", branch)
            self.until(page, "() => document.querySelector('.tree-title').textContent"
                             ".includes('after 3')")
        # It is the same branch each time; no other was made.
        self.assertEqual(self.branches(parent) - before, {branch})

    def branches(self, parent):
        """The branches that start from a timeline."""
        headers = [json.loads(line)["header"]
                   for line in self.daemon.run("list", "--json").stdout.splitlines()]
        return {header["timeline"] for header in headers
                if header.get("parent", {}).get("timeline") == parent}

    def test_sweeps_what_was_skipped_one_after_another(self):
        ways = (lambda page: self.command(page, "sweep"),
                lambda page: self.sweep_in_the_window(page))
        for sweep in ways:
            page = self.open("coin")
            parent = page.evaluate(TIMELINE)
            for seq in 3, 1:
                self.visit_seq(page, seq)
                page.keyboard.press("x")
                self.on_branch(page, f"Without {seq}")
            sweep(page)
            self.on_branch(page, "Without 1 and 3")
            self.assertEqual(self.script(page, parent), [{"drop": 1}, {"drop": 3}])
            page.context.close()

    def sweep_in_the_window(self, page):
        page.click("tt-branch-strip >> text=Branches")
        page.locator("tt-branches button", has_text="Sweep").click()
        page.wait_for_selector("tt-branches dialog[open]", state="detached")


class Present(Real):
    def strip(self, page, which, words=""):
        page.wait_for_selector(f'tt-live-strip[data-is="{which}"]:has-text("{words}")')

    def grows(self, page, by=1):
        """Waits until so many entries have arrived."""
        last = page.evaluate(LAST)
        self.until(page, f"last => {LAST} >= last", last + by)

    def stands(self, page):
        """Checks that no entry arrives for longer than the machine ever pauses.

        What was on its way when it was held may come late, once or twice; a machine that is not held
        goes on each time.
        """
        for _ in range(3):
            last = page.evaluate(LAST)
            page.wait_for_timeout(2_500)
            if page.evaluate(LAST) == last:
                return last
        self.fail(f"it goes on, to {page.evaluate(LAST)}\n{self.looks(page)}")

    def test_holds_the_app_moves_it_and_resumes_it(self):
        page = self.open("coin")
        self.strip(page, "free")
        other = self.another_tab(page, page.url[page.url.index("#"):])
        self.strip(other, "free")
        page.bring_to_front()
        page.keyboard.press("h")
        self.strip(page, "mine")
        self.strip(other, "other")
        self.visit_seq(page, 1)
        before = page.evaluate(LAST)
        page.keyboard.press("Shift+H")
        self.until(page, f"before => {LAST} > before", before)
        page.locator(".grid").focus()

        def is_restored():
            # An entry that was on its way when the app was held may come first.
            page.keyboard.press("End")
            self.drawn(page)
            return page.locator("tt-event .chip").first.text_content().startswith("restored to 1")

        self.comes(page, is_restored, "the app is moved to entry 1")
        page.keyboard.press("h")
        self.strip(page, "free")
        self.strip(other, "free")

    def test_steps_and_sends(self):
        page = self.open("coin")
        page.keyboard.press("h")
        self.strip(page, "mine", "Its events are queued")
        self.until(page, "() => /[1-9]\\d* events? queued\\./"
                         ".test(document.querySelector('tt-live-strip').textContent)")
        last = self.stands(page)
        page.keyboard.press("s")
        self.until(page, f"last => {LAST} === last + 1", last)
        self.visit_seq(page, 1)
        page.keyboard.press("Shift+L")
        self.until(page, f"last => {LAST} === last + 2", last)
        page.locator(".grid").focus()
        page.keyboard.press("End")
        self.has_text(page, "tt-event", "inspector")
        page.keyboard.press("h")
        self.strip(page, "free")
        self.grows(page)

    def test_refuses_the_apps_own_events_until_another_takes_over(self):
        page = self.open("coin")
        self.strip(page, "free")
        other = self.another_tab(page, page.url[page.url.index("#"):])
        page.bring_to_front()
        page.click("text=Pause (drop events)")
        self.strip(page, "mine", "Its events are dropped")
        self.stands(page)
        self.strip(other, "other")
        other.bring_to_front()
        other.keyboard.press("h")
        other.wait_for_selector(".notice:has-text('take it over')")
        other.click("tt-live-strip >> text=Take over")
        self.strip(other, "mine", "Its events are queued")
        self.strip(page, "other")
        page.wait_for_selector(".notice:has-text('no longer control the machine')")
        other.keyboard.press("h")
        self.strip(page, "lost")
        self.strip(other, "free")
        self.grows(other)

    def test_pauses_and_resumes_recording(self):
        page = self.open("coin")
        self.strip(page, "free")
        self.command(page, "Pause recording")
        self.strip(page, "free", "Recording is paused.")
        self.stands(page)
        page.click("tt-live-strip >> text=Resume recording")
        page.wait_for_selector("tt-live-strip:not(:has-text('paused'))")
        self.grows(page, by=2)


if __name__ == "__main__":
    unittest.main()
