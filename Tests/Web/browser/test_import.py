"""A file on a page that a daemon serves: looked at, then given to the daemon."""

import unittest

from playwright.sync_api import expect

from live import DaemonTest
import recordings


class Import(DaemonTest):
    def open_over_a_timeline(self, machine, number, count=200):
        """A page with a timeline of the daemon, and then a file over it."""
        shown = self.import_file(recordings.write(
            self.path(f"shown {number}.timeline"), 60,
            header=recordings.header(number, f"shown {number}")))
        page = self.open_page(shown)
        self.wait_for_seq(page, 96)
        self.go(page, 90)
        page.set_input_files("input[type=file]", recordings.write(
            self.path(f"{machine}.timeline"), count,
            header=recordings.header(number + 1, machine)))
        self.until(page, "name => document.title.includes(`${name} @`)", machine)
        self.wait_for_seq(page, count + 36)
        return page

    def test_a_file_over_a_timeline_of_the_daemon_is_no_dead_link(self):
        page = self.open_over_a_timeline("over", 1)
        self.assertEqual(page.locator(".notice").count(), 0)
        self.says(page, "tt-status", "file, read-only")
        # Back leads to what the file does not have: that is said, and the file stays.
        page.go_back()
        page.wait_for_selector(".notice:has-text('not here any more')")
        self.until(page, "document.title.includes('over @')")

    def test_gives_the_file_to_the_daemon(self):
        page = self.open_over_a_timeline("given", 3)
        self.go(page, 120)
        self.says(page, "tt-event", "This is a file")
        self.command(page, "import this file")
        self.until(page, "/daemon (connected|[\\d.]+ ms)/.test("
                         "document.querySelector('tt-status').textContent)")
        self.until(page, "document.title.includes('given @ 120')")
        expect(page.locator(".machine:visible", has_text="given")).to_have_count(1)
        timeline = recordings.header(4, "given")["timeline"]
        shown = self.daemon.json("show", timeline)
        self.assertEqual((shown["first"], shown["last"]), (0, 236))
        # It is the daemon's now: it can be marked there.
        page.keyboard.press("m")
        self.comes(page, lambda: "120" in self.daemon.run("show", timeline).stdout,
                   "the mark is the daemon's")

    def test_gives_a_file_of_many_parts(self):
        page = self.open_over_a_timeline("large", 5, count=9_000)
        self.press_command(page, "Import this file into the daemon")
        self.until(page, "/daemon (connected|[\\d.]+ ms)/.test("
                         "document.querySelector('tt-status').textContent)")
        self.assertEqual(
            self.daemon.json("show", recordings.header(6, "large")["timeline"])["last"], 9_036)

    def test_says_what_to_open_first(self):
        shown = self.import_file(recordings.write(
            self.path("alone.timeline"), 30, header=recordings.header(7, "alone")))
        page = self.open_page(shown)
        self.command(page, "import this file")
        page.wait_for_selector(".notice:has-text('Open a timeline file first')")


if __name__ == "__main__":
    unittest.main()
