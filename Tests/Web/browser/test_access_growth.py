"""axe finds nothing, in both themes, in the states of the window that shows what grows."""

from everystate import EveryState
from refusal import Refusal

GREW = {"type": "growth", "seqs": [0, 20, 40], "bytes": [40, 2_000, 40_000], "paths": [
    {"path": "/state/cart/items", "bytes": [2, 900, 38_000], "elements": [0, 30, 1_200]},
    {"path": "/state/title", "bytes": [3, 3, 900]}], "unknown": 2, "more": True}


class AccessGrowth(EveryState):
    def grows(self, page):
        self.command(page, "what grows")
        page.wait_for_selector("tt-growth .window[open]")

    def answer(self, found):
        async def do_growth(*_):
            return found
        self.daemon.do_growth = do_growth

    def test_the_states_of_what_grows(self):
        page = self.open_page()
        self.answer(GREW)
        self.daemon.slow["growth"] = 1_000
        self.grows(page)
        self.check_state(page, "it is computed")
        self.daemon.slow = {}
        self.shows(page, "parts with their sizes", "tt-growth tbody tr", "cart.items")
        self.shows(page, "the same in the other theme", "tt-growth tbody tr", "cart.items")
        self.close(page)
        self.answer({"type": "growth", "seqs": [0, 40], "bytes": [40, 30], "paths": []})
        self.grows(page)
        self.shows(page, "nothing grows", "tt-growth .growth", "No part of it grew.")
        self.close(page)
        self.daemon.refuse["growth"] = Refusal("failed", "It is broken.")
        self.grows(page)
        self.shows(page, "it failed", "tt-growth .growth", "It is broken.")
        page.set_viewport_size({"width": 390, "height": 844})
        self.check_state(page, "on a phone")
