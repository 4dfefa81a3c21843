"""What grows: the window, and its way to the events that changed a part."""

from playwright.sync_api import expect
from time_travel import TravelTest

GREW = {"type": "growth", "seqs": [0, 20, 40], "bytes": [40, 2_000, 40_000], "paths": [
    {"path": "/state/cart/items", "bytes": [2, 900, 38_000], "elements": [0, 30, 1_200]},
    {"path": "/state/<b>\u202e", "bytes": [3, 3, 900]}], "unknown": 2, "more": True}


class Growth(TravelTest):
    def opened(self, found):
        async def do_growth(*_):
            return found
        self.daemon.do_growth = do_growth
        page = self.open_page()
        self.command(page, "what grows")
        page.wait_for_selector("tt-growth .window[open]")
        return page

    def test_it_lists_the_parts_with_their_sizes(self):
        page = self.opened(GREW)
        expect(page.locator("tt-growth tbody tr")).to_have_count(2)
        cells = page.locator("tt-growth tbody tr").first.locator("td").all_inner_texts()
        self.assertEqual([cells[0], cells[1], cells[2], cells[4]],
                         ["cart.items", "2 B", "38 kB", "0 → 1,200"])
        text = page.locator("tt-growth .growth").inner_text()
        for part in ("From entry 0 to 40, the state went from 40 B to 40 kB.",
                     "2 states are not known", "These are the 2 that grew most.",
                     "<b>\\u{202e}"):
            self.assertIn(part, text)

    def test_a_part_can_be_pinned(self):
        page = self.opened(GREW)
        page.get_by_role("button", name="cart.items").click()
        expect(page.locator("tt-growth .window[open]")).to_have_count(0)
        self.until(page, "() => location.href.includes('cart')")

    def test_a_state_that_does_not_grow_says_so(self):
        page = self.opened({"type": "growth", "seqs": [0, 40], "bytes": [40, 30], "paths": []})
        expect(page.locator("tt-growth .growth")).to_have_text(
            "From entry 0 to 40, the state went from 40 B to 30 B. No part of it grew.")
