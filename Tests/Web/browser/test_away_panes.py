"""What the panes show of a machine that is opened while the daemon is away."""

import unittest

from playwright.sync_api import expect

from live import DaemonTest, page_daemon
from ports import free_address
import recordings

AWAY = "The daemon is not connected."


def machine(path, number, name, phases):
    """A recording of a machine whose state has cases, so that its chart is drawn."""
    entries = [{"seq": 0, "t": 0, "state": {"phase": {phases[0]: {}}, "n": 0}}] + [
        {"seq": seq, "t": seq * 10_000, "event": {"moved": {}}, "patch": [
            {"op": "replace", "path": "/phase", "value": {phases[seq % len(phases)]: {}}},
            {"op": "replace", "path": "/n", "value": seq}]}
        for seq in range(1, 9)]
    return recordings.write(path, 0, entries=entries, header=recordings.header(number, name))


class AwayPanes(DaemonTest):
    def test_chart_and_diff_show_nothing_of_the_machine_before(self):
        with page_daemon(listen=free_address()) as daemon:
            old = self.import_file(machine(self.path("old.timeline"), 3, "door", ["open", "shut"]), daemon)
            self.import_file(machine(self.path("new.timeline"), 4, "lamp", ["dark", "lit"]), daemon)
            page = self.open_page(old, daemon=daemon)
            self.wait_for_seq(page, 8)
            self.act(page, "/n", "pin")
            page.keyboard.press("4")
            chart = page.locator("tt-chart")
            for words in "phase is open", "what came after each", "n: 8 changes":
                expect(chart).to_contain_text(words)
            daemon.kill()
            page.wait_for_selector("tt-status button:not(.daemon):visible")
            self.source(page, "lamp").click()
            expect(chart.locator(".pane-note")).to_have_text(AWAY)
            expect(chart.locator(":scope > :visible")).to_have_count(1)
            page.keyboard.press("2")
            note = page.locator(".moment-note")
            self.has_text(page, ".moment-note", "this state was not loaded before")
            expect(note).to_be_visible()
            expect(page.locator("tt-diff > :visible")).to_have_count(0)
            daemon.start()
            self.has_text(page, "tt-diff .tree-title", "what 8 changed")
            expect(note).to_be_hidden()
            page.keyboard.press("4")
            expect(chart).to_contain_text("phase is dark")
            expect(chart.locator(".pane-note")).to_be_hidden()

    def test_a_comparison_that_cannot_be_made_has_one_message(self):
        with page_daemon(listen=free_address()) as daemon:
            timeline = self.import_file(recordings.write(self.path("long.timeline"), 300), daemon)
            page = self.open_page(timeline, daemon=daemon)
            self.go(page, 100)
            page.keyboard.press("m")
            page.wait_for_selector(".row.on .mark:not(.off)")
            daemon.kill()
            page.wait_for_selector("tt-status button:not(.daemon):visible")
            page.keyboard.press("g")
            page.keyboard.type("200")
            page.keyboard.press("Enter")
            self.has_text(page, ".moment-note:visible", "this state was not loaded before")
            page.keyboard.press("2")
            expect(page.locator("tt-diff .tree-title")).to_have_text("from the mark at 100 to 200")
            expect(page.locator("tt-diff .pane-note")).to_have_text(AWAY)
            expect(page.locator(".moment-note")).to_be_hidden()


if __name__ == "__main__":
    unittest.main()
