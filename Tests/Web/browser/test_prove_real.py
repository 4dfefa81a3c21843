"""Verifying, exporting, and computing with the real daemon, and the gallery as its host."""

import csv
import io
import json
import unittest
import uuid

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from gallery import GalleryTest
from page import WORDS


class VerifyMinimizeExport(GalleryTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.coin = cls.import_coin(60)

    def verdict(self, page, words, seconds=90):
        self.until(page, "words => document.querySelector('.verdict').textContent.includes(words)",
                   words, seconds=seconds)

    def test_verifies_once_and_in_several_processes(self):
        page = self.open_coin(self.coin, 30)
        page.keyboard.press("v")
        page.locator(".window[open] .main").click()
        self.verdict(page, "59 entries came out as recorded")
        page.locator(".window[open] select").select_option("2")
        page.locator(".window[open] .main").click()
        self.verdict(page, "In 2 processes with other hash seeds")

    def test_goes_to_the_first_entry_that_the_reducer_changes_differently(self):
        path = self.in_folder("wrong.timeline")
        lines = self.lines_of(self.coin).splitlines()
        wrong = json.loads(lines[13])
        self.assertEqual(wrong["seq"], 12)
        wrong["patch"] = [{"op": "replace", "path": "/flips", "value": 99}]
        header = json.loads(lines[0]) | {"timeline": str(uuid.uuid4())}
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join([json.dumps(header), *lines[1:13], json.dumps(wrong)]) + "\n")
        page = self.open_coin(self.import_file(path), 5)
        page.keyboard.press("v")
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        self.verdict(page, "result changed at entry 12")
        self.assertIn("flips", page.locator(".verdict-diff").text_content())
        page.get_by_role("button", name="Go to 12").press("Enter")
        self.wait_for_seq(page, 12)

    def test_minimizes_and_exports_what_is_left(self):
        page = self.open_coin(self.coin, 59)
        page.keyboard.press("Shift+M")
        page.keyboard.type("state.flips >= 3")
        page.keyboard.press("Enter")
        self.verdict(page, "3 events reproduce it")
        page.get_by_role("button", name="Export it as a test").click()
        page.wait_for_selector(".preview .token-string")
        text = page.locator(".preview").text_content()
        self.assertEqual(text.count("coin.send(") + text.count("events.send("), 3, text)
        self.assertIn('@Test("flips is never at least 3")', text)
        self.assertIn("struct FlipsIsNeverAtLeast3Tests {", text)
        # The page says how the daemon names it.
        self.until(page, "[...document.querySelectorAll('tt-export input')]"
                         ".some(({ outerHTML }) => outerHTML.includes('\"after its condition, or coin\"'))")
        page.keyboard.press("Escape")
        self.until(page, "() => !document.querySelector('tt-branch-strip').hidden")
        page.keyboard.press("u")
        self.until(page, "() => document.querySelector('tt-branch-strip').hidden")

    def test_reports_a_predicate_that_never_holds(self):
        page = self.open_coin(self.coin, 59)
        page.keyboard.press("Shift+M")
        page.keyboard.type("state.flips > 1000")
        page.keyboard.press("Enter")
        self.verdict(page, "The predicate does not hold anywhere")

    def download_all(self, page):
        """Clicks the button; returns the saved files by name."""
        files = {}
        count = max(1, page.locator(".export-preview .files button:visible").count())
        downloads = []
        page.on("download", lambda download: downloads.append(download))
        page.locator("tt-export button.main").click()
        self.comes(page, lambda: len(downloads) == count, f"{count} files are saved")
        for download in downloads:
            with open(download.path(), encoding="utf-8") as file:
                files[download.suggested_filename] = file.read()
        return files

    def exported(self, page, name):
        page.keyboard.press("Shift+E")
        page.locator(".choice", has=page.get_by_text(name, exact=True)).click()
        self.until(page, "() => !document.querySelector('.preview').hidden &&"
                         " document.querySelector('tt-export .note[role=status]').textContent.includes('B')",
                   seconds=60)
        return self.download_all(page)

    def test_exports_every_kind(self):
        page = self.open_coin(self.coin, 59)
        for name, check in {
            "Swift Testing": lambda file, text: self.assertIn("import Testing", text),
            "XCTest": lambda file, text: self.assertIn("XCTestCase", text),
            "Quick": lambda file, text: self.assertIn("QuickSpec", text),
            "Timeline file": lambda file, text: self.assertEqual(len(text.splitlines()), 61),
            "Redux DevTools": lambda file, text: self.assertEqual(
                len(json.loads(text)["computedStates"]), 60),
            "JSON Lines": lambda file, text: self.assertEqual(
                json.loads(text.splitlines()[-1])["seq"], 59),
            # Nothing is watched, so the scalar values at the top level are the columns.
            "CSV": lambda file, text: self.assertIn("59", list(csv.reader(io.StringIO(text)))[-1]),
        }.items():
            with self.subTest(name):
                files = self.exported(page, name)
                self.assertEqual(len(files), 1)
                for file, text in files.items():
                    check(file, text)
                    suite, ending = file.rsplit(".", 1)
                    # Only a test leaves the window open: it says where the test goes.
                    self.assertEqual(page.locator("tt-export .window[open]").count(),
                                     1 if ending == "swift" else 0)
                    if ending == "swift":
                        self.has_text(page, "tt-export .window[open]", "the product StatesTesting")
                        self.has_text(page, "tt-export code", f"swift test --filter '\\.{suite}/'")
                        page.keyboard.press("Escape")

    def test_asks_for_a_swift_expression_if_another_language_made_the_machine(self):
        header, *entries = self.lines_of(self.coin).splitlines()
        header = json.loads(header) | {"timeline": str(uuid.uuid4())}
        header["machine"]["make"] = "coin.New()"
        path = self.in_folder("foreign.timeline")
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join([json.dumps(header), *entries]) + "\n")
        page = self.open_page(self.import_file(path))
        page.keyboard.press("Shift+E")
        field = page.get_by_label("Swift expression that makes a new machine")
        field.wait_for()
        self.assertIn('says that "coin.New()" makes the machine',
                      page.locator("tt-export .note[role=status]").text_content())
        self.assertTrue(page.locator("tt-export button.main").is_disabled())
        field.fill("Coin()")
        page.wait_for_selector(".preview .token-string")
        self.assertIn("making: Coin()", page.locator(".preview").text_content())
        self.assertEqual(len(self.download_all(page)), 1)

    def test_shows_and_saves_a_test_and_its_fixture(self):
        # The policy forbids axe's script.
        page = self.open_coin(self.import_coin(300), 10, bypass_csp=True)
        page.keyboard.press("Shift+E")
        page.locator(".export-preview .files button").nth(1).wait_for()
        for scheme in "light", "dark":
            page.emulate_media(color_scheme=scheme)
            self.still(page)
            violations = Axe().run(page).response["violations"]
            self.assertEqual([one["id"] for one in violations], [], scheme)
        buttons = page.locator(".export-preview .files button")
        self.assertIn(".swift", buttons.nth(0).text_content())
        self.assertIn(".timeline", buttons.nth(1).text_content())
        self.assertIn("import Testing", page.locator(".preview").text_content())
        buttons.nth(1).focus()
        page.keyboard.press("Enter")
        expect(buttons.nth(1)).to_have_attribute("aria-pressed", "true")
        self.assertIn('"seq":99', page.locator(".preview").text_content())
        files = self.download_all(page)
        test, fixture = sorted(files, key=lambda name: name.endswith(".timeline"))
        self.assertIn(fixture, files[test])
        self.assertNotIn('"seq"', files[test])
        self.assertEqual(len(files[fixture].splitlines()), 301)

    def test_computes_what_was_not_captured(self):
        page = self.open_coin(self.import_coin(40, thinned=range(10, 20)), 5)
        page.keyboard.press("g")
        page.keyboard.type("15")
        page.keyboard.press("Enter")
        page.get_by_role("button", name="Compute it now").click()
        self.until(page, "() => document.querySelector('.tree-title').textContent"
                         ".includes(' after 15')", seconds=60)
        self.assertIn("15", self.value(page, "/flips").inner_text())
        self.assertIn("computed", page.locator(".tree-title").first.text_content())


class Recomputing(GalleryTest):
    """A branch of many entries: what is done to it while it is computed."""

    count = 20_000

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.coin = cls.import_coin(cls.count)
        cls.recorded = cls.daemon.run("export", cls.coin, "-o", "-").stdout

    def skip(self, page):
        """Skips an entry near the beginning, and waits until its branch is being computed."""
        page.keyboard.press("x")
        self.until(page, "() => !document.querySelector('tt-branch-strip').hidden", seconds=60)
        return page.evaluate(
            "() => new URLSearchParams(location.hash.slice(1)).get('timeline')")

    def computed(self, branch):
        """Waits until the branch is computed; returns its summary."""
        for _ in range(600):
            summary = self.summary(branch)
            if "computing" not in summary:
                return summary
        self.fail("the branch is computed for ever")

    def assert_whole(self, branch):
        summary = self.computed(branch)
        self.assertEqual(summary["last"], self.count - 2)
        self.assertNotIn("ended", summary)
        self.assertEqual(json.loads(self.lines_of(branch).splitlines()[-1])["seq"], self.count - 2)
        # The recording has not changed.
        self.assertEqual(self.lines_of(self.coin), self.recorded)

    def test_a_page_that_is_killed_leaves_a_whole_branch(self):
        page = self.open_coin(self.coin, 5)
        branch = self.skip(page)
        page.context.close()
        self.assert_whole(branch)

    def test_a_reloaded_page_continues_where_it_was(self):
        page = self.open_coin(self.coin, 5)
        branch = self.skip(page)
        page.reload()
        self.until(page, f"() => {WORDS} === 'Without 5'",
                   seconds=60)
        self.assert_whole(branch)
        self.until(page, "last => +document.querySelector('.slider').ariaValueMax === last",
                   self.count - 2, seconds=60)
        # The tab keeps its undo history.
        page.keyboard.press("u")
        self.until(page, "() => document.querySelector('tt-branch-strip').hidden", seconds=60)

    def test_a_canceled_computation_can_be_repeated(self):
        page = self.open_coin(self.coin, 5)
        branch = self.skip(page)
        page.get_by_role("button", name="Cancel").first.click()
        summary = self.computed(branch)
        self.assertLess(summary["last"], self.count - 2)
        self.assertIn("ended", summary)
        self.until(page, "() => document.querySelector('.strip-end').textContent !== ''",
                   seconds=60)
        page.get_by_role("button", name="Compute again").click()
        page.wait_for_selector("tt-compare .window[open]", timeout=60_000)
        page.keyboard.press("Escape")
        again = page.evaluate("() => new URLSearchParams(location.hash.slice(1)).get('timeline')")
        self.assertNotEqual(again, branch)
        self.assert_whole(again)


if __name__ == "__main__":
    unittest.main()
