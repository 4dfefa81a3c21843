"""Controls stay under the pointer: what a press changes elsewhere does not move them."""

import unittest

from playwright.sync_api import expect

from time_travel import TravelTest

# The tops of what a reader may press next.
TOPS = """() => Object.fromEntries(
    ["#tab-state", ".row:not([hidden])", "tt-outputs", "[aria-label^=Skip]", "[aria-label^=Minimize]"]
  .map((selector) => [selector, document.querySelector(selector).getBoundingClientRect().top]))"""


class SteadyLayout(TravelTest):
    def test_a_second_press_watches_the_next_row(self):
        page = self.open_page()
        self.go(page, 20)
        self.value(page, "/orders").hover()
        places = []
        for path in "/orders", "/token":
            self.value(page, path).hover()
            box = self.value(page, path).locator("[data-act=watch]").bounding_box()
            places.append((box["x"] + box["width"] / 2, box["y"] + box["height"] / 2))
        for place in places:
            page.mouse.click(*place)
            self.drawn(page)
        expect(page.locator("#tab-watch .chip")).to_have_text("2")
        # The lanes come when the pointer leaves, or with a key.
        expect(page.locator("tt-value-lanes")).to_be_hidden()
        self.leave(page)
        expect(page.locator(".value-lane:visible .lane-name")).to_have_text(["orders", "token"])

    def test_a_lane_that_goes_leaves_its_room_until_the_pointer_leaves(self):
        page = self.open_page()
        self.go(page, 20)
        self.act(page, "/total", "watch")
        page.keyboard.press("Shift")
        expect(page.locator("tt-value-lanes")).to_be_visible()
        self.drawn(page)
        tops = page.evaluate(TOPS)
        self.act(page, "/total", "watch")
        expect(page.locator(".value-lane:visible")).to_have_count(0)
        self.assertEqual(page.evaluate(TOPS), tops)
        self.leave(page)
        expect(page.locator("tt-value-lanes")).to_be_hidden()

    def test_a_branch_moves_nothing(self):
        page = self.open_page()
        self.go(page, 20)
        self.still(page)
        tops = page.evaluate(TOPS)
        page.locator("tt-event [aria-label^=Skip]").click()
        self.shows_branch(page, "Without 20", at=20)
        self.still(page)
        self.assertEqual(page.evaluate(TOPS), tops)
        page.locator("tt-branch-strip [data-command=undo]").click()
        self.shows_main(page, at=20)
        self.still(page)
        self.assertEqual(page.evaluate(TOPS), tops)

    def test_an_event_of_another_size_moves_no_action(self):
        page = self.open_page()
        seen = set()
        for seq in 0, 11, 12, 13, 20:
            self.go(page, seq)
            self.still(page)
            seen.add((page.locator("tt-event .field:visible").count(),
                      page.evaluate(TOPS)["[aria-label^=Skip]"]))
        self.assertGreater(len({fields for fields, _ in seen}), 1)
        self.assertEqual(len({top for _, top in seen}), 1)


if __name__ == "__main__":
    unittest.main()
