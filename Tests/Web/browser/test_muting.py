"""Muting an event from the menu of its row, and a filter that leaves nothing."""

import unittest

from playwright.sync_api import expect

from page import PageTest
import recordings


class Muting(PageTest):
    def open_recording(self):
        page = self.open_page()
        page.locator("input[type=file]").set_input_files(
            recordings.write(self.path("muting.timeline"), 60))
        self.until(page, "document.title.includes(' @ ')")
        # All entries come together; a menu says what can be done with one that is here.
        self.loaded(page)
        return page

    def mute(self, page):
        page.keyboard.press("a")
        page.locator("[role=menuitem]", has_text="Mute this event").click()

    def filter_is(self, page, text):
        self.until(page, "text => document.querySelector('input.filter').value === text", text)

    def test_muted_events_are_hidden_in_addition_to_the_filter(self):
        page = self.open_recording()
        self.go(page, 3)
        self.mute(page)
        self.filter_is(page, 'name != "tapped"')
        expect(page.locator(".row:visible", has_text="tapped")).to_have_count(0)
        self.go(page, 2)
        self.mute(page)
        self.filter_is(page, 'name != "tapped" && name != "loaded"')
        expect(page.locator(".row:visible", has_text="loaded")).to_have_count(0)
        expect(page.locator(".row:visible", has_text="failed").first).to_be_visible()

    def test_the_start_has_no_event_to_mute(self):
        page = self.open_recording()
        self.go(page, 0)
        page.keyboard.press("a")
        item = page.locator("[role=menuitem]", has_text="Mute this event")
        expect(item).to_have_attribute("aria-disabled", "true")
        expect(item).to_have_attribute("title", "The event of this entry has no name.")

    def test_an_empty_list_names_the_filter_and_how_many_entries_it_hides(self):
        page = self.open_recording()
        page.keyboard.press("/")
        page.keyboard.type("state.n > 1000000")
        self.has_text(page, "tt-events .pane-note",
                      "The filter state.n > 1000000 hides all 60 entries.",
                      "clear it to show all entries")
        page.keyboard.press("Escape")
        expect(page.locator("tt-events .pane-note")).to_be_hidden()


if __name__ == "__main__":
    unittest.main()
