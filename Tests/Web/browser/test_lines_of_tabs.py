"""Sparklines, where the address names a tab that only narrow windows have."""

import unittest

from playwright.sync_api import expect

from shop import MAIN, OTHER, orders, recorded
from standin import StandIn
from time_travel import TravelTest

WIDE = {"width": 1440, "height": 860}
NARROW = {"width": 390, "height": 844}


class LinesOfTabs(TravelTest):
    def setUp(self):
        self.daemon = self.enterContext(StandIn([recorded(live=False), orders()]))

    def open_at(self, tab, **options):
        """A page of the recorded machine, by a link that names a tab."""
        page = self.visit(self.new_context(**options),
                          f"{self.daemon.address}&timeline={MAIN}&tab={tab}")
        self.wait_for_seq(page, 59)
        return page

    def source(self, page, name):
        return page.locator(".machine:visible", has_text=name)

    def has_line(self, page, path, words):
        """Waits until the row of a value says how it changes, and shows it."""
        expect(self.value(page, path)).to_have_attribute("aria-description", words)
        expect(self.value(page, path).locator(".spark-row")).to_be_visible()

    def test_a_link_to_a_tab_of_narrow_windows_shows_the_lines_of_both_panes(self):
        for tab in "event", "events", "machines":
            with self.subTest(tab):
                page = self.open_at(tab)
                expect(page.locator("#tab-state")).to_have_attribute("aria-selected", "true")
                self.has_line(page, "/orders", "minimum 0, maximum 5, 5 changes")
                expect(page.locator(".output-row .spark-row").first).to_be_visible()

    def test_lines_are_those_of_the_machine_that_is_shown(self):
        page = self.open_at("state")
        self.has_line(page, "/orders", "minimum 0, maximum 5, 5 changes")
        page.set_viewport_size(NARROW)
        page.click("#tab-event")
        expect(page.locator("#tab-event")).to_have_attribute("aria-selected", "true")
        page.set_viewport_size(WIDE)
        expect(page.locator("#tab-state")).to_have_attribute("aria-selected", "true")
        self.source(page, "orders").click()
        self.wait_for_seq(page, 4)
        self.has_line(page, "/orders", "minimum 0, maximum 4, 4 changes")

    def test_a_hidden_state_asks_for_no_lines_and_keeps_none_of_another_machine(self):
        page = self.open_at("state")
        self.has_line(page, "/orders", "minimum 0, maximum 5, 5 changes")
        page.click("#tab-raw")
        self.has_text(page, "tt-raw", "the stored line of 59")
        self.source(page, "orders").click()
        self.has_text(page, "tt-raw", "the stored line of 4")
        self.until(page, "document.querySelector('.tree-row[data-path=\"/orders\"]')"
                         "?.hasAttribute('aria-description') === false")
        asked = [message["paths"] for message in self.daemon.of("series")
                 if message["timeline"] == OTHER]
        self.assertFalse(any("/state/orders" in paths for paths in asked))


if __name__ == "__main__":
    unittest.main()
