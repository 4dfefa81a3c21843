"""The Hosts window shows what is useful in the situation: the hosts, or how to get one."""

import unittest

from playwright.sync_api import expect

from everystate import Moody
from shop import MAIN
from time_travel import TravelTest

EXECUTABLE = {"name": "Shop", "place": "process", "makes": ["Cart()"], "executable": "/build/Shop"}


class HostsWindow(TravelTest):
    def setUp(self):
        self.daemon = self.enterContext(Moody(hosts=[EXECUTABLE]))

    def open_window(self):
        page = self.open_page()
        page.click("tt-toolbar .host")
        page.wait_for_selector("tt-hosts .window[open]")
        # While none is known, the window shows how to get one.
        expect(page.locator(".host-list li")).to_contain_text("runs this timeline")
        return page

    def more(self, page):
        return page.locator(".host-more")

    def test_only_the_hosts_are_shown_while_one_runs_the_timeline(self):
        page = self.open_window()
        expect(self.more(page).locator("summary")).to_have_text("Use another host")
        expect(page.get_by_text("ReducerHost.runIfAsked")).to_be_hidden()
        expect(page.get_by_role("button", name="Start host")).to_be_hidden()
        self.more(page).locator("summary").press("Enter")
        expect(page.get_by_text("ReducerHost.runIfAsked")).to_be_visible()
        page.get_by_label("Path on the daemon's machine").fill("build/Shop")
        page.keyboard.press("Enter")
        # The daemon uses the executable that it had first.
        expect(page.locator(".window-answer:visible")).to_have_text(
            "The host is running. Shop still runs this timeline.")

    def test_how_to_get_a_host_is_shown_when_the_last_one_goes(self):
        page = self.open_window()
        expect(self.more(page)).not_to_have_attribute("open", "")
        self.daemon.now(self.daemon.broadcast({"type": "hosts", "hosts": []}))
        expect(self.more(page)).to_have_attribute("open", "")
        expect(self.more(page).locator("summary")).to_have_text("Make your program a host")
        expect(page.get_by_role("button", name="Start host")).to_be_visible()

    def test_the_page_says_how_to_edit_again_when_the_host_is_gone(self):
        # The app has ended.
        self.daemon.timelines[MAIN].extra = {}
        page = self.open_page()
        self.has_text(page, "tt-recording-strip", "Edit, Skip, and Insert make a branch.")
        self.daemon.now(self.daemon.broadcast({"type": "hosts", "hosts": []}))
        self.has_text(page, ".event-actions .note", "No host runs the reducer of this recording now.",
                      "again, or run: debugd host EXE")
        expect(page.locator(".event-actions button", has_text="Edit")).to_be_disabled()
        expect(page.locator("tt-recording-strip")).to_be_hidden()

    def test_no_strip_promises_edits_while_the_daemon_is_away(self):
        page = self.open_page()
        away = "The daemon is not connected. What is loaded can be looked at"
        self.has_text(page, "tt-recording-strip", "Edit, Skip, and Insert make a branch.")
        self.go(page, 20)
        page.keyboard.press("x")
        self.shows_branch(page, "Without 20", at=20)
        expect(page.locator("tt-branch-strip")).not_to_contain_text(away)
        compare = page.locator("tt-branch-strip button", has_text="Compare")
        expect(compare).to_be_enabled()
        # The next entry to look at is loaded.
        page.keyboard.press("ArrowLeft")
        self.wait_for_seq(page, 19)
        page.keyboard.press("ArrowRight")
        self.wait_for_seq(page, 20)
        self.daemon.turn()
        self.has_text(page, "tt-branch-strip", away)
        expect(compare).to_be_disabled()
        expect(compare).to_have_attribute("title", "The daemon is not connected.")
        # What is loaded can be looked at.
        page.keyboard.press("ArrowLeft")
        self.wait_for_seq(page, 19)
        page.locator("tt-branch-strip .link", has_text="main").click()
        self.has_text(page, "tt-recording-strip", away)
        expect(page.locator("tt-recording-strip")).not_to_contain_text("Skip")

    def test_the_form_is_hidden_while_the_daemon_is_away(self):
        page = self.open_window()
        self.more(page).locator("summary").click()
        expect(page.get_by_role("button", name="Start host")).to_be_visible()
        self.daemon.turn()
        expect(page.get_by_role("button", name="Start host")).to_be_hidden()
        expect(page.locator(".window-answer:visible")).to_have_text("The daemon is not connected.")


if __name__ == "__main__":
    unittest.main()
