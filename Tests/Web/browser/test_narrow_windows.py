"""What remains readable and in view when the window becomes narrow, and wide again."""

import unittest

from playwright.sync_api import expect

from time_travel import TravelTest

WIDE = {"width": 1440, "height": 860}
NARROW = {"width": 390, "height": 844}


class NarrowWindows(TravelTest):
    def test_the_list_of_events_is_where_it_was_after_the_window_was_narrow(self):
        page = self.open_page()
        expect(self.row(page, 59)).to_be_in_viewport()
        page.set_viewport_size(NARROW)
        expect(page.locator("tt-events .grid")).to_be_hidden()
        self.drawn(page)
        page.set_viewport_size(WIDE)
        expect(self.row(page, 59)).to_be_in_viewport()
        expect(self.row(page, 50)).to_be_in_viewport()


if __name__ == "__main__":
    unittest.main()
