"""Questions about a value of the state, with the menu of its row and with a key."""

import unittest

from playwright.sync_api import expect

from page import PageTest
import recordings


class ValueQuestions(PageTest):
    def setUp(self):
        self.file = recordings.write(self.path("commute.timeline"), 300)

    def filter(self, page):
        return page.locator(".filter").input_value()

    def test_the_menu_of_a_row_makes_a_filter_and_a_pin(self):
        page = self.open_page(self.file)
        self.wait_for_seq(page, 336)
        self.value(page, "/n").click(button="right")
        page.get_by_role("menuitem", name="When did it fall below 299?").click()
        expect(page.locator(".filter")).to_have_value("state.n < 299 && !(before.state.n < 299)")
        self.until(page, "document.querySelector('.count').textContent.startsWith('1 of')")
        self.until(page, "document.querySelector('.tree-row[data-path=\"/n\"].pinned') !== null")
        # The answer is an entry, so the page goes there.
        self.wait_for_seq(page, int(page.locator(".row[data-seq]:visible").get_attribute("data-seq")))

    def test_enter_corrects_a_filter_that_can_mean_one_value(self):
        page = self.open_page(self.file)
        page.keyboard.press("/")
        page.keyboard.type("n < 299")
        page.keyboard.press("Enter")
        self.has_text(page, ".filter-error", "")
        self.until(page, "document.querySelector('.filter').value === 'state.n < 299'")
        page.keyboard.press("Enter")
        self.until(page, "document.activeElement.matches('.grid')")

    def test_an_entry_that_set_the_value_says_so(self):
        page = self.open_page(self.file)
        self.wait_for_seq(page, 336)
        who = self.value(page, "/n").locator("[data-act=who]")
        self.value(page, "/n").hover()
        expect(who).to_have_text("set here")
        expect(who).to_have_attribute("aria-disabled", "true")
        self.value(page, "/n").click(button="right")
        first = page.get_by_role("menuitem").first
        expect(first).to_have_text("This entry set it")
        expect(first).to_have_attribute("aria-disabled", "true")
        # The menu opens at the first question that has an answer.
        expect(page.get_by_role("menuitem").nth(1)).to_be_focused()
        page.keyboard.press("ArrowUp")
        expect(first).to_be_focused()
        page.keyboard.press("Enter")
        self.has_text(page, ".notice", "This entry set the value.")
        # A tap changes no number.
        self.go(page, 334)
        self.value(page, "/n").hover()
        expect(who).to_have_text("who set this")
        expect(who).not_to_have_attribute("aria-disabled", "true")
        self.value(page, "/n").click(button="right")
        expect(first).to_have_text("Who set this?")
        page.keyboard.press("Enter")
        self.wait_for_seq(page, 333)

    def test_the_key_asks_about_the_chosen_value(self):
        page = self.open_page(self.file)
        self.wait_for_seq(page, 336)
        page.locator(".tree").focus()
        page.keyboard.press("ArrowDown")
        while page.locator(".tree-row.active").get_attribute("data-path") != "/n":
            page.keyboard.press("ArrowDown")
            self.drawn(page)
        # The entry is here, which set it.
        expect(self.value(page, "/n")).to_have_attribute("data-mark", "changed")
        page.keyboard.press("q")
        menu = page.locator(".menu:popover-open")
        self.assertEqual(menu.get_by_role("menuitem").first.text_content(), "This entry set it")
        page.keyboard.press("Escape")
        self.until(page, "document.activeElement.matches('.tree')")
        # The recording begins with its final value, up to entry 1.
        page.keyboard.press("q")
        page.keyboard.press("End")
        page.keyboard.press("Enter")
        self.wait_for_seq(page, 1)


if __name__ == "__main__":
    unittest.main()
