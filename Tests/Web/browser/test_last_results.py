"""Which results a window still shows when it is opened again."""

import unittest

from playwright.sync_api import expect

from shop import orders, recorded
from standin import StandIn
from time_travel import TravelTest


class LastResults(TravelTest):
    def setUp(self):
        self.daemon = self.enterContext(StandIn([recorded(), orders()]))

    def opened(self):
        page = self.open_page()
        self.switch(page, "cart", 59)
        return page

    def switch(self, page, name, last):
        page.locator(".machine:visible", has_text=name).click()
        self.wait_for_seq(page, last)

    def minimize(self, page):
        page.keyboard.press("Shift+M")
        page.get_by_label("Condition").fill("error != null")
        page.keyboard.press("Enter")
        self.has_text(page, "tt-prove .verdict", "3 events reproduce it")
        page.keyboard.press("Escape")

    def shows(self, page, window, title, result, about=None):
        """Waits until a window has a title, a result or none, and perhaps says what that is about."""
        self.has_text(page, f"{window} h2", title)
        parts = page.locator(f"{window} .verdict:visible"), page.locator(f"{window} .about:visible")
        for part, words in zip(parts, (result, about)):
            if words is None:
                expect(part).to_have_count(0)
            else:
                expect(part).to_contain_text(words)
        page.keyboard.press("Escape")
        expect(page.locator(".window[open]")).to_have_count(0)

    def test_a_result_of_another_task_is_not_shown(self):
        page = self.opened()
        self.minimize(page)
        page.keyboard.press("v")
        self.shows(page, "tt-prove", "Verify cart", None)
        page.keyboard.press("Shift+M")
        self.shows(page, "tt-prove", "Minimize cart", "3 events reproduce it")
        page.keyboard.press("Shift+M")
        page.get_by_label("Condition").fill("state.total > 3")
        self.shows(page, "tt-prove", "Minimize cart", "3 events reproduce it",
                   "The last result: Minimizing “cart” to error != null")

    def test_a_result_of_another_machine_is_not_shown(self):
        page = self.opened()
        windows = [("v", "tt-prove", "Verify", "came out as recorded"),
                   ("Shift+V", "tt-explore", "Explore", "2 failures"),
                   ("Shift+Y", "tt-explain", "Explain", "")]
        for key, window, title, result in windows:
            page.keyboard.press(key)
            if window == "tt-explore":
                page.get_by_label("Find what").select_option("")
            page.locator(f"{window} .main").click()
            expect(page.locator(f"{window} .verdict > *").first).to_be_visible()
            self.shows(page, window, f"{title} cart", result)
        self.switch(page, "orders", 4)
        for key, window, title, _ in windows:
            page.keyboard.press(key)
            self.shows(page, window, f"{title} orders", None)
        self.switch(page, "cart", 59)
        for key, window, title, result in windows:
            page.keyboard.press(key)
            self.shows(page, window, f"{title} cart", result)


if __name__ == "__main__":
    unittest.main()
