"""A field that gets the focus again: the next letter replaces its text."""

import unittest

from playwright.sync_api import expect

from time_travel import TravelTest


class TypingAgain(TravelTest):
    def test_the_key_of_the_filter_types_nothing_where_the_filter_has_the_focus(self):
        page = self.open_page()
        filter_ = page.locator("input.filter")
        page.keyboard.press("/")
        page.keyboard.type("error != null")
        page.keyboard.press("Escape")
        expect(filter_).to_have_value("")
        page.keyboard.press("/")
        page.keyboard.press("/")
        page.keyboard.type("name matches /added/")
        expect(filter_).to_have_value("name matches /added/")
        # Selected as a whole, it is about to be replaced.
        page.keyboard.press("Control+a")
        page.keyboard.press("/")
        expect(filter_).to_have_value("name matches /added/")
        page.keyboard.press("ArrowRight")
        page.keyboard.press("/")
        expect(filter_).to_have_value("name matches /added//")

    def test_a_window_opens_again_with_its_text_selected(self):
        page = self.open_page()
        # Minimizing, exploring, explaining.
        for key in "Shift+M", "Shift+V", "Shift+Y":
            for condition in "error != null", "state.total < 0":
                page.keyboard.press(key)
                field = page.locator(".window[open] input[type=text]:focus")
                expect(field).to_have_count(1)
                page.keyboard.type(condition)
                expect(field).to_have_value(condition)
                page.keyboard.press("Escape")
                expect(page.locator(".window[open]")).to_have_count(0)


if __name__ == "__main__":
    unittest.main()
