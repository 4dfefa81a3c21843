"""A folded row of the state shows that something inside of it changed, and how much."""

import unittest

from playwright.sync_api import expect

import recordings
from page import PageTest


class FoldedRows(PageTest):
    def entries(self):
        items = [{"id": f"item {number}", "n": 0} for number in range(9)]
        yield {"seq": 0, "t": 0, "state": {"cart": {"items": items, "note": ""}, "rest": [1, 2]}}
        yield {"seq": 1, "t": 1_000, "event": {"counted": {}}, "patch": [
            {"op": "replace", "path": f"/cart/items/{number}/n", "value": 5} for number in (2, 4)]}
        yield {"seq": 2, "t": 2_000, "event": {"noted": {}}, "patch": [
            {"op": "replace", "path": "/cart/note", "value": "gift"}]}

    def test_a_folded_row_counts_its_changes(self):
        page = self.open_page(
            recordings.write(self.path("folded.timeline"), 0, entries=self.entries()))
        self.go(page, 1)
        cart, items = self.value(page, "/cart"), self.value(page, "/cart/items")
        # Open rows show their changes themselves.
        expect(self.value(page, "/cart/items/4/n")).to_have_attribute("data-mark", "changed")
        expect(cart.locator(".changes-inside")).to_be_hidden()
        items.locator(".twist").click()
        expect(items.locator(".changes-inside")).to_have_text("2 changes")
        expect(items.locator(".sign")).to_have_text("~")
        expect(items).to_have_attribute("aria-label", "items: 9 items, 2 changes inside")
        expect(cart.locator(".changes-inside")).to_be_hidden()
        cart.locator(".twist").click()
        expect(cart.locator(".changes-inside")).to_have_text("2 changes")
        expect(self.value(page, "/rest").locator(".changes-inside")).to_be_hidden()
        # A row that the reader folded stays folded.
        self.go(page, 2)
        expect(cart.locator(".changes-inside")).to_have_text("1 change")


if __name__ == "__main__":
    unittest.main()
