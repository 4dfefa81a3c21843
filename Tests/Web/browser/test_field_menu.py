"""The menu of a value in the event panel: edit, filter, copy."""

import unittest

from playwright.sync_api import expect

import recordings
from page import PageTest
from time_travel import TravelTest


class FieldMenu(PageTest):
    def open_file(self):
        file = recordings.write(self.path("commute.timeline"), 120)
        page = self.open_page(file)
        self.wait_for_seq(page, 156)
        self.go(page, 154)
        page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        return page

    def field(self, page):
        # Entry 154 is tapped(id: "bus-7", on: …).
        return page.locator('tt-event [data-field=\'["tapped","id"]\']')

    def test_filters_by_a_value_of_the_event(self):
        page = self.open_file()
        self.field(page).click(button="right")
        menu = page.locator(".menu:popover-open")
        expect(menu.locator(".menu-title")).to_have_text("event.tapped.id")
        menu.get_by_role("menuitem", name="Filter by this value").click()
        expect(page.locator(".filter")).to_have_value('event.tapped.id == "bus-7"')
        self.until(page, "document.querySelector('.count').textContent.startsWith('39 of')")
        self.assertEqual(self.cursor(page), 154)

    def test_copies_a_value_and_its_path_by_keys(self):
        page = self.open_file()
        self.field(page).focus()
        page.keyboard.press("y")
        page.wait_for_selector(".notice:has-text('Copied the path: event.tapped.id')")
        page.keyboard.press("q")
        page.get_by_role("menuitem", name="Copy the value").press("Enter")
        page.wait_for_selector(".notice:has-text('Copied the value: bus-7')")
        self.assertEqual(page.evaluate("navigator.clipboard.readText()"), "bus-7")
        expect(self.field(page)).to_be_focused()

    def test_enter_opens_the_menu_where_nothing_can_be_edited(self):
        page = self.open_file()
        self.field(page).focus()
        page.keyboard.press("Enter")
        edit = page.get_by_role("menuitem", name="Edit this value")
        expect(edit).to_have_attribute("aria-disabled", "true")
        page.keyboard.press("Escape")
        expect(self.field(page)).to_be_focused()
        # As a screen reader does.
        self.field(page).click()
        expect(edit).to_be_visible()


class FieldMenuWithAHost(TravelTest):
    def test_edits_the_value(self):
        page = self.open_page()
        self.go(page, 12)
        page.locator("tt-event .field-value[data-field*=count]").click(button="right")
        page.get_by_role("menuitem", name="Edit this value").click()
        expect(self.field(page, "count")).to_be_focused()


if __name__ == "__main__":
    unittest.main()
