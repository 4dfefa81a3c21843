"""A filter for a value anywhere: what a row says about it, and the way there from a plain word."""

import json
import unittest

from playwright.sync_api import expect

from page import PageTest
import recordings


def lines():
    """A cart whose item has a number, then a text, and a name that no event mentions."""
    yield recordings.HEADER
    yield {"seq": 0, "t": 0, "state": {"cart": {"items": []}, "owner": "Grace"}, "outputState": {}}
    items = [{"id": 4711}, {"id": "A-4711-x"}, {"id": "bus"}]
    for seq, item in enumerate(items, 1):
        yield {"seq": seq, "t": seq * 1000, "event": {"added": {}},
               "patch": [{"op": "replace", "path": "/cart/items", "value": [item]}]}


class Anywhere(PageTest):
    def open_recording(self):
        page = self.open_page()
        path = self.path("cart.timeline")
        with open(path, "w", encoding="utf-8") as file:
            file.writelines(json.dumps(line) + "\n" for line in lines())
        page.locator("input[type=file]").set_input_files(path)
        self.until(page, "document.title.includes(' @ ')")
        return page

    def filter(self, page, text):
        page.keyboard.press("/")
        page.keyboard.type(text)

    def test_a_row_says_where_the_value_is(self):
        page = self.open_recording()
        self.filter(page, "4711")
        leaves = page.locator(".row:visible .leaf:visible")
        expect(leaves).to_have_count(2)
        expect(leaves.first).to_have_text("state.cart.items[0].id")
        expect(leaves.first).to_have_attribute("title", "Found in state.cart.items[0].id")
        page.keyboard.press("Escape")
        expect(page.locator(".row:visible .leaf:visible")).to_have_count(0)
        expect(page.locator(".row:visible", has_text="added")).to_have_count(3)

    def test_a_word_that_no_event_has_is_found_in_states_on_request(self):
        page = self.open_recording()
        self.filter(page, "grace")
        page.get_by_role("button", name="Search all values of states and outputs, too").click()
        self.until(page, "document.querySelector('input.filter').value === 'anywhere matches /grace/i'")
        expect(page.locator(".row:visible .leaf:visible").first).to_have_text("state.owner")

    def test_an_empty_list_offers_no_search_that_was_made(self):
        page = self.open_recording()
        self.filter(page, "anywhere == 12")
        self.has_text(page, "tt-events .pane-note", "The filter anywhere == 12 hides all 4 entries.")
        expect(page.locator("tt-events .pane-note button:visible")).to_have_count(0)


if __name__ == "__main__":
    unittest.main()
