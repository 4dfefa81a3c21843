"""A file on a page that a daemon serves: viewed, then imported."""

import unittest

from playwright.sync_api import expect

from live import DaemonTest
import recordings


class Import(DaemonTest):
    def open_over_a_timeline(self, machine, number, count=200):
        """A page with a timeline of the daemon, and then a file over it."""
        shown = self.import_file(recordings.write(
            self.path(f"shown {number}.timeline"), 60,
            header=recordings.header(f"{number:x}", f"shown {number}")))
        page = self.open_page(shown)
        self.wait_for_seq(page, 96)
        self.go(page, 90)
        page.set_input_files("input[type=file]", recordings.write(
            self.path(f"{machine}.timeline"), count,
            header=recordings.header(f"{number + 1:x}", machine)))
        self.until(page, "name => document.title.includes(`${name} @`)", machine)
        self.wait_for_seq(page, count + 36)
        return page

    def test_a_file_over_a_timeline_of_the_daemon_can_be_left(self):
        page = self.open_over_a_timeline("over", 1)
        self.assertEqual(page.locator(".notice").count(), 0)
        self.has_text(page, "tt-status", "over.timeline · file, read-only")
        # Back leaves the file and returns to the daemon's timelines.
        page.go_back()
        self.until(page, "document.title.includes('shown 1 @')")
        self.has_text(page, "tt-status", "daemon")
        # To the previous place; and from there to the one before it.
        self.wait_for_seq(page, 90)
        self.hash_of(page, "seq=90")
        page.go_back()
        self.wait_for_seq(page, 96)
        expect(page.locator(".machine:visible", has_text="shown 1")).to_have_count(1)
        expect(page.locator(".machine:visible", has_text="over")).to_have_count(0)
        self.assertEqual(page.locator(".notice").count(), 0)

    def test_closes_the_file(self):
        page = self.open_over_a_timeline("closed", 8)
        page.click("tt-sources [aria-label='Close the file']")
        # The button is gone; the keyboard focus is in the list.
        self.until(page, "document.activeElement.matches('.source-list')")
        self.wait_for_seq(page, 90)
        self.until(page, "document.title.includes('shown 8 @')")
        self.command(page, "close the file")
        page.wait_for_selector(".notice:has-text('No file is open.')")

    def test_shows_the_progress_of_an_import_and_stops_when_it_is_canceled(self):
        page = self.open_over_a_timeline("stopped", 10)
        # The file is read in a worker; the page itself only sends parts.
        page.evaluate("""() => {
          const read = Blob.prototype.arrayBuffer;
          Blob.prototype.arrayBuffer = async function () {
            await new Promise((resolve) => window.goOn = resolve);
            return read.call(this);
          };
          window.letGo = () => {
            Blob.prototype.arrayBuffer = function () {
              window.goOn = true;
              return read.call(this);
            };
          };
        }""")

        def begins():
            # While the page reconnects, it shows that the daemon is not connected. Once an import has
            # begun, another one would take its place.
            if page.locator("tt-cover").is_hidden():
                self.command(page, "import this file")
                self.drawn(page)
            return page.evaluate("!!window.goOn")

        # The daemon accepts 16 files at a time; canceled ones do not count.
        for _ in range(18):
            self.comes(page, begins, "it is given to the daemon")
            self.has_text(page, "tt-cover", "Importing the file", "when the upload is complete")
            self.assertNotIn("stays in this browser",
                             page.locator("tt-cover").text_content())
            page.click("tt-cover button:has-text('Cancel')")
            page.wait_for_selector("tt-cover", state="hidden")
            self.until(page, "document.activeElement.matches('tt-events .grid')")
            page.evaluate("(window.goOn(), window.goOn = undefined)")
        self.has_text(page, "tt-status", "file, read-only")
        self.assertEqual(page.locator(".notice.error").count(), 0)
        self.assertNotIn(recordings.header("b", "stopped")["timeline"],
                         self.daemon.run("list", "--json").stdout)
        page.evaluate("window.letGo()")
        # It is imported once: the second time, it exists already.
        self.comes(page, begins, "it is given to the daemon")
        self.comes(page, lambda: "file, read-only" not in
                   page.locator("tt-status").text_content(), "it is the daemon's")
        self.until(page, "document.title.includes('stopped @')")

    def test_imports_the_file_into_the_daemon(self):
        page = self.open_over_a_timeline("given", 3)
        self.go(page, 120)
        self.has_text(page, "tt-event", "This is a file")
        self.command(page, "import this file")
        # Until the daemon has sent its list, no timeline is shown, and none has a machine here.
        self.until(page, "/daemon (connected|[\\d.]+ ms)/.test("
                         "document.querySelector('tt-status').textContent)"
                         " && !document.querySelector('tt-status .machine-here').hidden")
        self.until(page, "document.title.includes('given @ 120')")
        expect(page.locator(".machine:visible", has_text="given")).to_have_count(1)
        timeline = recordings.header(4, "given")["timeline"]
        shown = self.daemon.json("show", timeline)
        self.assertEqual((shown["first"], shown["last"]), (0, 236))
        # The daemon has it now, so it can be marked.
        page.keyboard.press("m")
        self.comes(page, lambda: "120" in self.daemon.run("show", timeline).stdout,
                   "the mark is the daemon's")

    def test_imports_a_file_of_many_parts(self):
        page = self.open_over_a_timeline("large", 5, count=9_000)
        self.press_command(page, "Import this file into the daemon")
        self.until(page, "/daemon (connected|[\\d.]+ ms)/.test("
                         "document.querySelector('tt-status').textContent)")
        self.assertEqual(
            self.daemon.json("show", recordings.header(6, "large")["timeline"])["last"], 9_036)

    def test_asks_to_open_a_file_first(self):
        shown = self.import_file(recordings.write(
            self.path("alone.timeline"), 30, header=recordings.header(7, "alone")))
        page = self.open_page(shown)
        self.command(page, "import this file")
        page.wait_for_selector(".notice:has-text('Open a timeline file first')")


if __name__ == "__main__":
    unittest.main()
