"""Named filters on the page: kept, applied, replaced, and deleted, and there again in another tab."""

import unittest

from playwright.sync_api import expect

from access import Checked
from live import DaemonTest
import recordings


class NamedFilters(Checked, DaemonTest):
    def open_recording(self, name="named", number=3, look=False):
        timeline = self.import_file(recordings.write(
            self.path(f"{name}.timeline"), 60, header=recordings.header(number, name)))
        page = self.open_page(timeline, look=look)
        self.wait_for_seq(page, 96)
        return page

    def filters(self, page):
        page.click(".icon-button.filters")
        page.wait_for_selector("dialog.palette[open]")

    def choose(self, page, typed, title):
        self.filters(page)
        page.keyboard.type(typed)
        page.locator("[role=option]", has_text=title).first.click()
        page.wait_for_selector("dialog.palette:not([open])", state="attached")

    def filter_is(self, page, text):
        self.until(page, "text => document.querySelector('input.filter').value === text", text)

    def test_a_filter_is_kept_under_a_name_and_applied_in_another_tab(self):
        page = self.open_recording()
        page.keyboard.press("/")
        page.keyboard.type("error != null")
        page.keyboard.press("Enter")
        self.choose(page, "went wrong <b>", "Keep the filter as “went wrong <b>”")
        other = self.another_tab(page)
        self.filters(other)
        expect(other.locator("[role=option]", has_text="went wrong <b>").first).to_be_visible()
        self.check(other, "named filters")
        other.locator("[role=option]", has_text="went wrong <b>").first.click()
        self.filter_is(other, "error != null")
        # By its name, in the field of the filter.
        other.fill(".filter", "")
        other.keyboard.type("@went wrong <b>")
        other.keyboard.press("Enter")
        self.filter_is(other, "error != null")
        self.choose(other, "delete", "Delete the filter “went wrong <b>”")
        self.filters(other)
        expect(other.locator("[role=option]")).to_have_count(0)

    def test_without_a_filter_there_is_nothing_to_keep(self):
        page = self.open_recording("bare", 5)
        self.filters(page)
        expect(page.locator("dialog.palette")).to_contain_text(
            "Apply a named filter. To keep one, filter the events first")

    def test_a_session_that_may_only_look_keeps_none_and_says_why(self):
        page = self.open_recording("looked", 4, look=True)
        page.keyboard.press("/")
        page.keyboard.type("t > 5")
        page.keyboard.press("Enter")
        self.filters(page)
        page.keyboard.type("mine")
        option = page.locator("[role=option]", has_text="Keep the filter as “mine”")
        expect(option).to_have_attribute("aria-disabled", "true")
        expect(option).to_contain_text("To open one that can, run: debugd open")


if __name__ == "__main__":
    unittest.main()
