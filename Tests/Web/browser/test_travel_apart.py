"""State of one timeline stays there, and state of a family of branches is shared."""

import copy
import unittest

from playwright.sync_api import expect

from page import BrowserTest
from refusal import Refusal
from shop import MAIN, recorded
from standin import StandIn
from time_travel import TravelTest

OTHER = MAIN[:-1] + "7"


def another():
    """A second machine of the same kind, with other events."""
    timeline = recorded(40, live=False)
    timeline.header = copy.deepcopy(timeline.header) | {"timeline": OTHER}
    timeline.header["machine"]["name"] = "wishes"
    return timeline


class Apart(TravelTest):
    def setUp(self):
        self.daemon = self.enterContext(StandIn([recorded(), another()]))

    def machine(self, page, name):
        page.locator(".machine:visible", has=page.locator(f"text=/^{name}$/")).first.click()
        self.until(page, "name => document.title.includes(`› ${name} @`)", name)

    def test_an_edit_is_not_applied_to_another_machine(self):
        page = self.open_page()
        self.go(page, 20)
        page.keyboard.press("e")
        self.field(page, "count").fill("7")
        self.machine(page, "wishes")
        page.wait_for_selector(".notice:has-text('its event belongs to another timeline')")
        page.wait_for_selector("tt-event-editor", state="hidden")
        page.keyboard.press("Control+Enter")
        page.wait_for_selector(".notice:has-text('Edit an event first.')")
        self.assertEqual(self.scripts(), [])

    def test_an_edit_is_not_applied_to_the_branch_that_redo_leads_to(self):
        page = self.open_page()
        self.go(page, 20)
        page.keyboard.press("x")
        self.shows_branch(page, "Without 20", at=20)
        page.keyboard.press("u")
        self.shows_main(page, at=20)
        page.keyboard.press("e")
        self.field(page, "count").fill("7")
        self.command(page, "redo")
        self.shows_branch(page, "Without 20", at=20)
        page.wait_for_selector("tt-event-editor", state="hidden")
        page.wait_for_selector(".notice:has-text('its event belongs to another timeline')")

    def test_goes_to_a_cause_in_another_timeline(self):
        lines = self.daemon.timelines[MAIN].lines
        lines[20]["cause"] = f"{OTHER}:12"
        lines[21]["cause"] = f"{OTHER[:-1]}8:3"
        page = self.open_page()
        self.go(page, 20)
        page.click("tt-event button.cause:has-text('12 of wishes')")
        self.until(page, "document.title.includes('› wishes @')")
        self.wait_for_seq(page, 12)
        page.go_back()
        self.wait_for_seq(page, 20)
        self.has_text(page, "tt-event", "12 of wishes")
        page.keyboard.press("[")
        self.until(page, "document.title.includes('› wishes @')")
        page.go_back()
        self.go(page, 21)
        self.has_text(page, "tt-event", "3 of another timeline, which is not loaded")
        page.keyboard.press("[")
        page.wait_for_selector(".notice:has-text('that timeline is not loaded')")

    def test_explains_missing_watched_values(self):
        self.daemon.refuse["column"] = Refusal("failed", "The file cannot be read.")
        page = self.open_page()
        self.go(page, 20)
        self.act(page, "/total", "watch")
        page.click("#tab-watch")
        note = page.locator("tt-watch [role=status]")
        expect(note).to_have_text("The watched values were not loaded: The file cannot be read."
                                  " To try again, go to another entry.")
        self.daemon.refuse.clear()
        self.row(page, 21).click()
        expect(note).to_be_hidden()

    def test_pins_filters_and_watched_values_stay_after_an_edit(self):
        page = self.open_page()
        self.go(page, 20)
        self.act(page, "/total", "pin")
        self.act(page, "/total", "watch")
        page.fill(".filter", "error != null")
        page.locator(".filter").press("Enter")
        expect(page.locator(".count")).to_have_text("1 of 60")

        def all_is_there(filtered):
            page.wait_for_selector("tt-pin:not([hidden])")
            expect(page.locator("#tab-watch .chip")).to_have_text("1")
            expect(page.locator(".filter")).to_have_value("error != null")
            expect(page.locator(".count")).to_have_text(filtered)

        page.keyboard.press("x")
        self.shows_branch(page, "Without 20", at=20)
        all_is_there("1 of 59")
        page.keyboard.press("u")
        self.shows_main(page, at=20)
        all_is_there("1 of 60")
        page.keyboard.press("r")
        self.shows_branch(page, "Without 20", at=20)
        all_is_there("1 of 59")
        self.hash_of(page, "pin=/state/total", "filter=error")
        # Another machine has other values.
        self.machine(page, "wishes")
        page.wait_for_selector("tt-pin", state="hidden")
        expect(page.locator("#tab-watch .chip")).to_be_hidden()
        expect(page.locator(".filter")).to_have_value("")

    def test_back_to_a_deleted_timeline_stays_and_reports_it(self):
        page = self.open_page()
        self.machine(page, "wishes")
        self.go(page, 12)
        self.machine(page, "cart")
        self.go(page, 30)
        self.go(page, 31)
        self.hash_of(page, "seq=31")
        self.daemon.now(self.daemon.do_delete(None, {"timeline": OTHER}))
        # Rows stay under the pointer.
        self.leave(page)
        self.until(page, "document.querySelectorAll('.machine:not([hidden])').length === 1")
        for _ in range(3):
            page.go_back()
            page.wait_for_timeout(100)
        page.wait_for_selector(".notice:has-text('no longer exists')")
        # Title, state, and address belong to the same place, which still exists.
        self.until(page, "document.title.includes('cart @')")
        self.hash_of(page, MAIN)
        seq = self.cursor(page)
        self.wait_for_seq(page, seq)
        page.keyboard.press("ArrowLeft")
        self.wait_for_seq(page, seq - 1)
        self.hash_of(page, MAIN, f"seq={seq - 1}")


class Playing(BrowserTest):
    def open_page(self, **options):
        daemon = self.enterContext(StandIn([recorded(400, live=False)]))
        page = self.visit(self.new_context(**options), daemon.address)
        page.wait_for_selector(".tree-row")
        return page

    def test_continues_playing_while_the_list_is_hidden(self):
        page = self.open_page()
        page.select_option(".pace", label="100 entries per second")
        page.set_viewport_size({"width": 420, "height": 800})
        page.wait_for_selector(".grid", state="hidden")
        self.go(page, 100)
        page.keyboard.press("Space")
        self.until(page, "+document.querySelector('.slider').ariaValueNow > 270")
        page.keyboard.press("Space")

    def test_plays_the_matches_of_a_filter_and_ends(self):
        page = self.open_page()
        page.select_option(".pace", label="100 entries per second")
        page.fill(".filter", "error != null")
        page.locator(".filter").press("Enter")
        self.until(page, "/^\\d+ of 400/.test(document.querySelector('.count').textContent)")
        last = page.evaluate("Math.max(...[...document.querySelectorAll('.row:not([hidden])')]"
                             ".map((row) => +row.dataset.seq))")
        # After the last match, a step forward goes nowhere, and not back.
        self.go(page, last + 3)
        page.keyboard.press("ArrowRight")
        self.drawn(page)
        self.assertEqual(self.cursor(page), last + 3)
        page.keyboard.press("Home")
        page.keyboard.press("Space")
        self.until(page, "last => +document.querySelector('.slider').ariaValueNow === last", last)
        page.wait_for_selector('.play[aria-label="Play"]')


if __name__ == "__main__":
    unittest.main()
