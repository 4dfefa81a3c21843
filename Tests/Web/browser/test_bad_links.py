"""Links that lead nowhere: the page says so, and offers a way on."""

import unittest

from playwright.sync_api import expect

from access import Checked
from shop import MAIN
from time_travel import TravelTest

GONE = "00000000-0000-4000-8000-000000000000"


class BadLinks(Checked, TravelTest):
    def follow(self, hash):
        context = self.new_context(size=self.low, bypass_csp=True)
        return self.visit(context, f"{self.daemon.address}&{hash}")

    def test_a_timeline_that_is_not_here(self):
        for timeline in GONE, "%3Cb%3E":
            with self.subTest(timeline):
                page = self.follow(f"timeline={timeline}&seq=12")
                page.wait_for_selector("tt-cover h2:has-text('This timeline is not here'):visible")
                self.has_text(page, "tt-cover", "It was deleted, another daemon has it, "
                              "or it is in a file that you can drop here.")
                self.assertEqual(page.locator(".tree-row:visible").count(), 0)
                self.check_state(page, "a link that leads nowhere")
        page.get_by_role("button", name="Show the newest timeline", exact=True).press("Enter")
        page.wait_for_selector("tt-cover", state="hidden")
        self.hash_of(page, f"timeline={MAIN}")
        # Where the focus was is gone: the reader goes on in the events.
        expect(page.locator(".grid").first).to_be_focused()

    def test_a_machine_of_the_list_can_be_opened_instead(self):
        page = self.follow(f"timeline={GONE}")
        page.wait_for_selector("tt-cover h2:has-text('This timeline is not here'):visible")
        page.locator(".machine:visible").first.click()
        page.wait_for_selector("tt-cover", state="hidden")
        self.hash_of(page, f"timeline={MAIN}")
        page.go_back()
        page.wait_for_selector(".notice:has-text('no longer exists')")

    def test_an_entry_that_does_not_exist(self):
        page = self.follow(f"timeline={MAIN}&seq=999999")
        self.wait_for_seq(page, 59)
        self.has_text(page, ".notice.warning", "Entry 999,999 does not exist. You are at 59; "
                      "this timeline has the entries 0 to 59.")
        self.check_state(page, "an entry that does not exist")

    def test_an_entry_that_is_not_a_number(self):
        page = self.follow(f"timeline={MAIN}&seq=-4")
        self.wait_for_seq(page, 0)
        self.has_text(page, ".notice.warning", "Entry “-4” does not exist. You are at 0; "
                      "this timeline has the entries 0 to 59.")


if __name__ == "__main__":
    unittest.main()
