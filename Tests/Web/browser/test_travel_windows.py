"""Branches, comparison, export, verify and minimize: windows above the page, and their results."""

import re
import unittest

from playwright.sync_api import expect

from page import WORDS
from shop import MAIN
from time_travel import TravelTest


class Windows(TravelTest):
    def skip(self, page, seq):
        self.go(page, seq)
        page.keyboard.press("x")
        self.shows_branch(page, f"Without {seq}", at=seq)

    def test_shows_branches_and_opens_them(self):
        page = self.open_page()
        self.skip(page, 20)
        self.skip(page, 30)
        page.keyboard.press("b")
        rows = page.locator(".branch-list li")
        expect(rows).to_have_count(3)
        expect(rows.nth(2)).to_contain_text("from 30: without added 30")
        expect(page.locator(".branch-graph circle")).to_have_count(3)
        page.keyboard.press("ArrowUp")
        page.keyboard.press("Enter")
        self.until(page, f"() => {WORDS} === 'Without 20'")

    def test_renames_deletes_and_computes_again(self):
        page = self.open_page()
        self.skip(page, 20)
        self.skip(page, 30)
        page.click("tt-toolbar .branch-button")
        rows = page.locator(".branch-list li")
        rows.nth(1).locator("[data-tool=edit]").click()
        page.locator(".window-ask input").fill("no pear")
        page.keyboard.press("Enter")
        page.wait_for_selector(".branch-list li:has-text('no pear')")
        rows.nth(1).locator("[data-tool=trash]").click()
        self.has_text(page, ".window-ask", "and with it 1 branch that starts from it")
        page.click(".window-ask >> text=Cancel")
        self.assertEqual(self.daemon.of("delete"), [])
        rows.nth(1).locator("[data-tool=trash]").click()
        page.click("text=Delete all")
        self.until(page, "() => document.querySelectorAll('.branch-list li').length === 1")
        self.assertTrue(self.daemon.of("delete")[-1]["cascade"])
        page.keyboard.press("Escape")
        page.keyboard.press("u")
        page.wait_for_selector(".notice:has-text('no edit to undo')")

    def test_computes_a_branch_again_and_compares(self):
        page = self.open_page()
        self.skip(page, 20)
        page.click("tt-branch-strip >> text=Compute again")
        page.wait_for_selector("tt-compare .window[open]")
        page.wait_for_selector(".compare-verdict:has-text('none differs')")
        self.assertEqual(self.scripts(), [[{"drop": 20}]] * 2)

    def test_compares_side_by_side_from_difference_to_difference(self):
        page = self.open_page()
        self.compare_changed(page)
        page.wait_for_selector(".compare-verdict:has-text('first difference at 12')")
        page.wait_for_selector(".compare-row.first-difference[aria-selected=true]")
        self.has_text(page, ".compare-foot", "The first 12 entries are in both.")
        page.wait_for_selector("tt-compare .diff-line:has-text('state.items')")
        total = page.locator("tt-compare .diff-line", has_text="state.total")
        expect(total).to_have_text(re.compile(r"\d+→\d+"))
        selected = "() => document.querySelector('.compare-row[aria-selected=true]').dataset.place"
        first = page.evaluate(selected)
        page.keyboard.press("n")
        self.until(page, f"was => ({selected})() !== was", first)
        page.keyboard.press("p")
        self.until(page, f"was => ({selected})() === was", first)
        page.keyboard.press("End")
        # The buttons move once the difference is there.
        self.has_text(page, "tt-compare .tree-title", "from 59 on the left")
        expect(page.locator(".compare-right .pane-note")).not_to_contain_text("Loading")
        page.click("text=Go to the left entry")
        self.shows_main(page, at=59)

    def test_marks_lines_that_did_the_same_in_different_states(self):
        page = self.open_page()
        # Without the first order, their number is smaller from then on.
        self.skip(page, 11)
        page.keyboard.press("Shift+B")
        page.wait_for_selector(".compare-row.first-difference[aria-selected=true]")
        sign = page.locator(".compare-row[data-is=same]:visible .sign", has_text="≠").first
        expect(sign).to_have_attribute(
            "title", "the same event and changes, but the states differ")

    def test_compares_again_when_a_branch_is_complete_that_was_being_computed(self):
        page = self.open_page()
        self.go(page, 57)
        self.daemon.slow["branch"] = 60
        self.daemon.stall()
        page.keyboard.press("x")
        self.has_text(page, ".strip-what", "Without added 57")
        page.keyboard.press("Shift+B")
        page.wait_for_selector(".compare-row")
        self.assertNotIn("At the end", page.locator(".compare-verdict").text_content())
        page.locator(".compare-grid").press("Home")
        chosen = page.locator('.compare-row[aria-selected="true"]')
        expect(chosen).to_have_attribute("data-place", "0")
        self.daemon.slow["branch"] = 0
        self.daemon.go_on()
        self.has_text(page, ".compare-verdict", "1 entry is on one side only.", "At the end: ")
        # The reader stays at the line that was chosen.
        expect(chosen).to_have_attribute("data-place", "0")

    def test_compares_moved_and_inserted_entries(self):
        page = self.open_page()
        self.go(page, 20)
        page.keyboard.press("Shift+D")
        self.shows_branch(page, "Added at the end", at=60)
        page.click("tt-branch-strip >> text=Compare")
        page.wait_for_selector('.compare-row[data-is="only-b"]')
        # What is above the rows comes later, and moves them.
        self.has_text(page, ".compare-verdict", "1 entry is on one side only.")
        page.locator(".compare-row[data-is=only-b] .b").dblclick()
        self.shows_branch(page, "Added at the end", at=60)

    def test_exports_a_test_with_a_preview(self):
        page = self.open_page()
        self.go(page, 20)
        self.row(page, 24).click(modifiers=["Shift"])
        page.keyboard.press("Shift+E")
        page.wait_for_selector(".preview .token-string")
        asked = self.daemon.of("export")[-1]
        self.assertEqual((asked["format"], asked["from"], asked["to"], asked["assertion"]),
                         ("swift-testing", 20, 24, "changed-outputs"))
        page.locator(".window[open] select").select_option("paths")
        page.get_by_label("Paths, one per line").fill("/wrong")
        page.wait_for_selector("text=is not a path")
        expect(page.locator(".window[open] .main")).to_be_disabled()
        page.get_by_label("Paths, one per line").fill("/state/total")
        self.until(page, "() => document.querySelector('.window[open] .main').disabled === false")
        with page.expect_download() as download:
            page.click("text=Download")
        self.assertEqual(download.value.suggested_filename, "Cart.swift-testing")
        self.assertEqual(self.daemon.of("export")[-1]["paths"], ["/state/total"])

    def test_exports_every_kind(self):
        page = self.open_page()
        page.keyboard.press("Shift+E")
        page.wait_for_selector(".preview .token-string")
        for name in ("XCTest", "Quick", "JSON", "Timeline file", "Redux DevTools", "JSON Lines"):
            count = len(self.daemon.of("export"))
            page.locator(".choice", has=page.get_by_text(name, exact=True)).click()
            self.comes(page, lambda: len(self.daemon.of("export")) > count, f"{name} is asked for")
        self.assertEqual({one["format"] for one in self.daemon.of("export")},
                         {"swift-testing", "xctest", "quick", "json", "timeline", "redux",
                          "json-lines"})

    def test_verifies_and_goes_to_the_difference(self):
        self.daemon.slow["verify"] = 1_000
        page = self.open_page()
        page.keyboard.press("v")
        page.locator(".window[open] .main").click()
        page.wait_for_selector(".window[open] .job:has-text('Replaying')")
        self.daemon.slow["verify"] = 0
        page.wait_for_selector(".verdict:has-text('60 entries came out as recorded')")
        page.locator(".window[open] select").select_option("8")
        page.locator(".window[open] .main").click()
        page.wait_for_selector(".verdict:has-text('not pure')")
        page.click("text=Go to 12")
        self.shows_main(page, at=12)

    def test_cancels_a_long_task(self):
        self.daemon.slow["verify"] = 1_000
        page = self.open_page()
        page.keyboard.press("v")
        page.locator(".window[open] .main").click()
        page.locator(".window[open] .job [aria-label=Cancel]").click()
        page.wait_for_selector(".verdict:has-text('Canceled')")
        [asked] = self.daemon.of("verify")
        self.comes(
            page, lambda: [one["request"] for one in self.daemon.of("cancel")].count(asked["id"]),
            "the daemon receives the cancellation")

    def test_minimizes_and_exports_what_is_left(self):
        page = self.open_page()
        self.go(page, 57)
        page.keyboard.press("Shift+M")
        box = page.get_by_label("Condition")
        box.fill("stat.n > 3")
        page.wait_for_selector(".window[open] .problem:has-text(\"did you mean 'state'\")")
        box.fill("error != null")
        page.locator(".window[open] .main").click()
        page.wait_for_selector(".verdict:has-text('3 events reproduce it')")
        asked = self.daemon.of("minimise")[-1]
        self.assertEqual((asked["predicate"], asked["seconds"], asked["through"]),
                         ("error != null", 60, 57))
        page.click("text=Export it as a test")
        page.wait_for_selector(".preview .token-string")
        # The condition must never hold again: recorded values would preserve the bug.
        expect(page.get_by_label("Must never hold")).to_have_value("error != null")
        asked = self.daemon.of("export")[-1]
        self.assertEqual((asked["never"], asked.get("assertion")), (["error != null"], None))
        page.keyboard.press("Escape")
        page.keyboard.press("u")
        self.shows_main(page, at=57)

    def test_enter_after_minimizing_leads_to_the_result(self):
        page = self.open_page()
        self.go(page, 57)
        page.keyboard.press("Shift+M")
        page.get_by_label("Condition").fill("error != null")
        page.keyboard.press("Enter")
        expect(page.get_by_role("button", name="Show the branch", exact=True)).to_be_focused()
        page.keyboard.press("Enter")
        self.until(page, "document.querySelector('.strip-what b').textContent.includes('events kept')")
        # The same search opens the branch that is there, however the condition is written.
        page.keyboard.press("u")
        self.shows_main(page, at=57)
        page.keyboard.press("Shift+M")
        page.get_by_label("Condition").fill("error!=null")
        page.keyboard.press("Enter")
        self.has_text(page, ".verdict", "This was minimized before", "the fewest")
        expect(page.get_by_role("button", name="Show the branch", exact=True)).to_be_focused()
        self.assertEqual(len(self.daemon.of("minimise")), 1)
        page.get_by_role("button", name="Minimize again").click()
        self.has_text(page, ".verdict", "3 events reproduce it")
        self.assertEqual(len(self.daemon.of("minimise")), 2)

    def test_minimizes_for_the_filter_that_is_set_now(self):
        page = self.open_page()
        for condition in "error != null", "state.total > 3":
            page.locator("input.filter").fill(condition)
            self.hash_of(page, condition.split()[0])
            page.keyboard.press("Enter")
            page.keyboard.press("Shift+M")
            expect(page.get_by_label("Condition")).to_have_value(condition)
            expect(page.locator("tt-prove .verdict")).to_be_empty()
            page.locator(".window[open] .main").click()
            self.has_text(page, "tt-prove .verdict", "3 events reproduce it")
            page.keyboard.press("Escape")
        self.assertEqual([one["predicate"] for one in self.daemon.of("minimise")],
                         ["error != null", "state.total > 3"])

    def test_a_minimized_branch_shows_all_events_and_offers_its_condition(self):
        page = self.open_page()
        page.locator("input.filter").fill("error != null")
        self.has_text(page, "tt-events .count", " of 60")
        page.keyboard.press("Enter")
        page.keyboard.press("Shift+M")
        page.locator(".window[open] .main").click()
        page.click("text=Show the branch")
        expect(page.locator("tt-events .count")).to_have_text("31")
        expect(page.locator("input.filter")).to_have_value("")
        page.click("tt-branch-strip .condition")
        expect(page.locator("input.filter")).to_have_value("error != null")
        self.has_text(page, "tt-events .count", "1 of 31")

    def test_the_edited_field_is_in_the_row_that_differs(self):
        page = self.open_page()
        self.compare_changed(page)
        fields = page.locator(".compare-row.first-difference .changed-fields:visible")
        expect(fields).to_have_text(["count: 1", "count: 9"])
        for field in fields.all():
            self.assertEqual(field.evaluate("(one) => one.scrollWidth - one.clientWidth"), 0)

    def test_exports_what_must_hold_at_the_end(self):
        page = self.open_page()
        page.keyboard.press("Shift+E")
        page.wait_for_selector(".preview .token-string")
        expect(page.get_by_label("Must hold at the end")).to_be_hidden()
        page.get_by_label("Asserts").select_option(label="A condition holds at the end")
        expect(page.get_by_label("Must never hold")).to_be_hidden()
        box = page.get_by_label("Must hold at the end")
        page.wait_for_selector("text=Enter the condition that must hold after the last event")
        expect(page.locator(".window[open] .main")).to_be_disabled()
        box.fill("output.total == 0")
        page.wait_for_selector("text=did you mean 'outputs'")
        count = len(self.daemon.of("export"))
        box.fill("outputs.total == 0")
        page.wait_for_selector(".preview .token-string")
        self.comes(page, lambda: len(self.daemon.of("export")) > count, "the export is requested")
        asked = self.daemon.of("export")[-1]
        self.assertEqual(
            (asked["expect"], asked.get("never"), asked.get("assertion")),
            (["outputs.total == 0"], None, None))

    def test_names_the_commit_from_which_a_host_is_to_be_built(self):
        self.daemon.timelines[MAIN].header["app"] |= {"commit": "8f3c2d1"}
        page = self.open_page()
        page.click("tt-toolbar .host")
        # While a host runs, how to get another one is folded.
        page.click("tt-hosts summary")
        expect(page.locator("tt-hosts .note", has_text="by the code of the commit 8f3c2d1: build")
               ).to_be_visible()

    def test_offers_everything_in_the_palette(self):
        page = self.open_page()
        self.go(page, 20)
        self.press_command(page, "Skip this entry")
        self.shows_branch(page, "Without 20", at=20)
        self.command(page, "undo the last edit")
        self.shows_main(page, at=20)
        self.command(page, "hosts that run")
        page.wait_for_selector("tt-hosts .window[open]")
        expect(page.locator("tt-hosts", has_text="the code of the commit")).to_have_count(1)
        expect(page.locator("tt-hosts .note", has_text="the code of the commit")).to_be_hidden()
        self.assertEqual(self.scripts(), [[{"drop": 20}]])
        self.assertEqual(self.daemon.of("fork")[0]["timeline"], MAIN)


if __name__ == "__main__":
    unittest.main()
