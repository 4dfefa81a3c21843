"""The filter is cleared by pointer and keys, and comes back with the browser's undo."""

import unittest

from playwright.sync_api import expect

from time_travel import TravelTest

BUTTON = "[aria-label='Clear the filter']"


class ClearingFilters(TravelTest):
    def filtered(self, **options):
        page = self.open_page(**options)
        expect(page.locator(BUTTON)).to_be_hidden()
        page.keyboard.press("/")
        page.keyboard.type("error != null")
        self.has_text(page, "tt-events .count", " of 60")
        return page

    def shows_all(self, page):
        expect(page.locator("input.filter")).to_have_value("")
        expect(page.locator("tt-events .count")).to_have_text("60")
        expect(page.locator(BUTTON)).to_be_hidden()

    def shows_matches(self, page):
        expect(page.locator("input.filter")).to_have_value("error != null")
        self.has_text(page, "tt-events .count", " of 60")

    def test_a_button_clears_the_filter_and_undo_brings_it_back(self):
        page = self.filtered()
        page.click(BUTTON)
        self.shows_all(page)
        expect(page.locator("input.filter")).to_be_focused()
        page.keyboard.press("Control+z")
        self.shows_matches(page)

    def test_the_button_is_after_the_filter_for_the_keyboard(self):
        page = self.filtered()
        page.keyboard.press("Tab")
        expect(page.locator(BUTTON)).to_be_focused()
        page.keyboard.press("Enter")
        self.shows_all(page)

    def test_escape_clears_the_filter_and_then_leaves_it(self):
        page = self.filtered()
        page.keyboard.press("Escape")
        self.shows_all(page)
        page.keyboard.press("Control+z")
        self.shows_matches(page)
        page.keyboard.press("Escape")
        self.shows_all(page)
        page.keyboard.press("Escape")
        expect(page.locator("input.filter")).not_to_be_focused()
        page.keyboard.press("Home")
        self.wait_for_seq(page, 0)

    def test_clearing_the_filter_keeps_the_event_that_is_edited(self):
        page = self.open_page()
        self.go(page, 12)
        page.keyboard.press("e")
        self.field(page, "count").fill("9")
        page.locator("input.filter").fill("error != null")
        self.has_text(page, "tt-events .count", " of 60")
        page.locator("input.filter").press("Escape")
        self.shows_all(page)
        expect(self.field(page, "count")).to_have_value("9")

    def test_the_button_has_room_in_a_narrow_window(self):
        page = self.filtered(size=(390, 844))
        expect(page.locator(BUTTON)).to_be_in_viewport(ratio=1)
        page.click(BUTTON)
        expect(page.locator("input.filter")).to_have_value("")


if __name__ == "__main__":
    unittest.main()
