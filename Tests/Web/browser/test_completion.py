"""The filter offers paths, events, and outputs while it is typed, and the path that must be meant."""

import unittest

from playwright.sync_api import expect

from time_travel import TravelTest

NARROW = (390, 844)


class Completion(TravelTest):
    def open_filter(self, typed, **options):
        page = self.open_page(**options)
        # A list is made of what is there when its letter is typed.
        self.until(page, "document.querySelector('tt-event h3 .chip').textContent !== '…'")
        page.keyboard.press("/")
        page.keyboard.type(typed)
        return page

    def options(self, page):
        return page.get_by_role("listbox", name="Completions").get_by_role("option")

    def filter(self, page):
        return page.locator("input.filter")

    def test_arrows_choose_and_enter_puts_in(self):
        page = self.open_filter("state.tot")
        expect(self.options(page).locator(".completion")).to_have_text(["state.total"])
        page.keyboard.press("ArrowDown")
        expect(self.options(page).first).to_have_attribute("aria-selected", "true")
        expect(self.filter(page)).to_have_attribute("aria-activedescendant", "filter-completions-0")
        page.keyboard.press("Enter")
        expect(self.filter(page)).to_have_value("state.total")
        expect(self.options(page)).to_have_count(0)
        expect(self.filter(page)).to_have_attribute("aria-expanded", "false")
        expect(self.filter(page)).to_be_focused()
        page.keyboard.type(" > 3")
        page.keyboard.press("Enter")
        expect(page.locator(".grid")).to_be_focused()
        # As typed text, it goes away with the browser's undo.
        page.keyboard.press("/")
        page.keyboard.press("End")
        page.keyboard.press("Control+z")
        page.keyboard.press("Control+z")
        expect(self.filter(page)).not_to_have_value("state.total > 3")

    def test_a_click_puts_in_the_name_of_an_event(self):
        page = self.open_filter("add")
        self.options(page).filter(has_text='event == "added"').click()
        expect(self.filter(page)).to_have_value('event == "added"')
        expect(self.filter(page)).to_be_focused()
        self.has_text(page, "tt-events .count", " of 60")

    def test_enter_and_escape_mean_what_was_typed_until_an_arrow_chooses(self):
        page = self.open_filter("add")
        expect(self.options(page)).not_to_have_count(0)
        page.keyboard.press("Escape")
        expect(self.filter(page)).to_have_value("")
        page.keyboard.type("add")
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Escape")
        expect(self.options(page)).to_have_count(0)
        expect(self.filter(page)).to_have_value("add")
        page.keyboard.press("Enter")
        expect(page.locator(".grid")).to_be_focused()
        expect(self.filter(page)).to_have_value("add")

    def test_an_arrow_in_the_empty_filter_shows_what_there_is(self):
        page = self.open_filter("")
        page.keyboard.press("ArrowDown")
        expect(self.options(page)).to_have_count(8)
        page.keyboard.press("ArrowUp")
        expect(self.options(page).first).to_have_attribute("aria-selected", "false")
        page.locator(".grid").focus()
        expect(self.options(page)).to_have_count(0)

    def test_the_list_is_readable_on_a_phone(self):
        page = self.open_filter("outputs.", size=NARROW)
        expect(self.options(page).first).to_be_in_viewport(ratio=1)
        self.drawn(page)
        self.assertEqual(page.evaluate("""() => [...document.querySelectorAll(".completion")]
          .filter((one) => one.scrollWidth > one.clientWidth + 1)
          .map((one) => one.textContent)"""), [])

    def test_names_the_path_that_must_be_meant(self):
        page = self.open_filter("state.totl < 0")
        self.has_text(page, ".filter-error",
                      "Entry 59 has no state.totl; did you mean state.total? Press Enter to use it.")
        page.keyboard.press("Enter")
        expect(self.filter(page)).to_have_value("state.total < 0")
        expect(page.locator(".filter-error")).to_be_empty()
        # Also from the list that shows no entry.
        self.filter(page).fill("state.totl > 3")
        page.get_by_role("button", name="Filter by state.total > 3").click()
        expect(self.filter(page)).to_have_value("state.total > 3")
        self.has_text(page, "tt-events .count", " of 60")


if __name__ == "__main__":
    unittest.main()
