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

    def test_a_file_over_a_timeline_of_the_daemon_is_no_dead_end(self):
        page = self.open_over_a_timeline("over", 1)
        self.assertEqual(page.locator(".notice").count(), 0)
        self.says(page, "tt-status", "file, read-only")
        # Back leads out of the file, to what the daemon has.
        page.go_back()
        self.until(page, "document.title.includes('shown 1 @')")
        self.says(page, "tt-status", "daemon")
        # To where the reader was; and from there to where the reader was before that.
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
        # The button is gone; who goes on by keys does so in the list.
        self.until(page, "document.activeElement.matches('.source-list')")
        self.wait_for_seq(page, 90)
        self.until(page, "document.title.includes('shown 8 @')")
        self.command(page, "close the file")
        page.wait_for_selector(".notice:has-text('No file is open.')")

    def test_says_where_a_file_goes_and_stops_when_it_is_cancelled(self):
        page = self.open_over_a_timeline("stopped", 10)
        # The file is read in a worker; on the page itself only what is sent is.
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
            # While the page connects anew it says that no daemon is there.
            self.command(page, "import this file")
            page.wait_for_timeout(50)
            return page.evaluate("!!window.goOn")

        # The daemon takes 16 files at a time; what was cancelled keeps no place of one.
        for _ in range(18):
            self.comes(page, begins, "it is given to the daemon")
            self.says(page, "tt-cover", "Giving the file to the daemon", "keeps nothing of it")
            self.assertNotIn("nothing of it leaves this browser",
                             page.locator("tt-cover").text_content())
            page.click("tt-cover button:has-text('Cancel')")
            page.wait_for_selector("tt-cover", state="hidden")
            self.until(page, "document.activeElement.matches('tt-events .grid')")
            page.evaluate("(window.goOn(), window.goOn = undefined)")
        self.says(page, "tt-status", "file, read-only")
        self.assertEqual(page.locator(".notice.error").count(), 0)
        self.assertNotIn(recordings.header("b", "stopped")["timeline"],
                         self.daemon.run("list", "--json").stdout)
        page.evaluate("window.letGo()")
        # It is given once: a second time, it is there already.
        self.comes(page, begins, "it is given to the daemon")
        self.comes(page, lambda: "file, read-only" not in
                   page.locator("tt-status").text_content(), "it is the daemon's")
        self.until(page, "document.title.includes('stopped @')")

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
