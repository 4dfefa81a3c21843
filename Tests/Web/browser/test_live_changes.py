"""Changes while the page is open: running apps, other tabs, and deleted timelines."""

import re
import unittest

from playwright.sync_api import expect

from live import DaemonTest, Probe, recorders_of
import recordings

CHIP = "document.querySelector('.live .chip')"

# Whether the list stays where it is for ten frames.
AT_REST = """async () => {
  const grid = document.querySelector(".grid");
  const top = grid.scrollTop;
  for (let frame = 0; frame < 10; frame += 1) await new Promise(requestAnimationFrame);
  return grid.scrollTop === top;
}"""


class LiveChanges(DaemonTest):
    def start_clock(self, pause=20):
        probe = self.enterContext(
            Probe("control", "allowed", pause, debugd=recorders_of(self.daemon)))
        probe.line("ready")
        return probe

    def open_clock(self, **options):
        page = self.open_page(**options)
        live = page.locator(".machine:not([hidden]):has(.dot.small:not([hidden]))", has_text="clock")
        # The one of another test may have ended a moment ago.
        expect(live).to_have_count(1)
        live.click()
        self.until(page, "document.title.startsWith('control › clock @')")
        page.wait_for_selector(".live.following")
        return page

    def end_of_list(self, page):
        """The text of the last visible entry of the list."""
        return page.evaluate("Math.max(...[...document.querySelectorAll('.row:not([hidden])')]"
                             ".map((row) => +row.dataset.seq))")

    def test_follows_an_app_and_stops_when_the_reader_looks_back(self):
        probe = self.start_clock()
        page = self.open_clock()
        seq = self.cursor(page)
        self.until(page, "seq => +document.querySelector('.slider').ariaValueNow > seq + 20", seq)
        self.has_text(page, "tt-status", ", live")
        # With keys: going back stops it, and new entries are counted.
        page.keyboard.press("ArrowLeft")
        page.wait_for_selector(".live:not(.following)")
        stopped = self.cursor(page)
        self.until(page, f"parseInt({CHIP}.textContent) > 5 && !{CHIP}.hidden")
        self.assertEqual(self.cursor(page), stopped)
        self.wait_for_seq(page, stopped)
        ticks = self.value(page, "/ticks").locator(".tree-value").text_content()
        self.assertEqual(ticks, str(stopped))
        page.keyboard.press("l")
        self.until(page, f"{CHIP}.hidden")
        self.until(page, "seq => +document.querySelector('.slider').ariaValueNow > seq + 5", stopped)
        # By the pointer, near the top: the elements of rows are reused, so that the tenth of them may
        # be the end, which would be followed.
        grid = page.locator(".grid").bounding_box()
        page.mouse.click(grid["x"] + 60, grid["y"] + 60)
        page.wait_for_selector(".live:not(.following)")
        self.until(page, f"!{CHIP}.hidden && / new$/.test({CHIP}.textContent)")
        page.click(".live")
        page.wait_for_selector(".live.following")
        probe.end()
        # The app has ended: nothing is live anymore, and all entries are there.
        self.until(page, "document.querySelector('.live').hidden")
        said = int(re.search(r"clock (\d+)", " ".join(probe.said + self.rest(probe))).group(1))
        self.until(page, "seq => document.querySelector('.slider').ariaValueNow == seq", said)
        self.wait_for_seq(page, said)
        ticks = self.value(page, "/ticks").locator(".tree-value").text_content()
        self.assertEqual(ticks, str(said))

    def test_scrolling_back_stops_following_and_new_entries_do_not(self):
        self.start_clock()
        page = self.open_clock()
        goes_on = "seq => +document.querySelector('.slider').ariaValueNow > seq + 15"
        self.until(page, goes_on, 60)
        # The page itself scrolls to new entries, and the height of the list changes.
        for height in 860, 1_100, 700, 861:
            page.set_viewport_size({"width": 1440, "height": height})
            self.until(page, goes_on, self.cursor(page))
            self.assertEqual(page.locator(".live.following").count(), 1)
        page.locator(".grid").hover()
        page.mouse.wheel(0, -200)
        page.wait_for_selector(".live:not(.following)")
        stopped = self.cursor(page)
        self.until(page, f"parseInt({CHIP}.textContent) > 5 && !{CHIP}.hidden")
        # The browser may spread what the wheel does over some frames.
        self.until(page, AT_REST)
        top = page.evaluate("document.querySelector('.grid').scrollTop")
        self.until(page, f"parseInt({CHIP}.textContent) > 15")
        self.assertEqual(page.evaluate("document.querySelector('.grid').scrollTop"), top)
        self.assertEqual(self.cursor(page), stopped)
        page.keyboard.press("l")
        page.wait_for_selector(".live.following")
        self.until(page, goes_on, stopped)

    @staticmethod
    def rest(probe):
        for reader in probe.readers:
            reader.join()
        lines = []
        while not probe.lines.empty():
            lines.append(probe.lines.get() or "")
        return lines

    def test_new_timelines_appear_and_filters_continue(self):
        page = self.open_page()
        self.start_clock()
        self.until(page, "document.querySelector('.machine:not([hidden]) .dot.small:not([hidden])')")
        page = self.open_clock()
        page.keyboard.press("/")
        page.keyboard.type("state.ticks > 3")
        self.until(page, "/^\\d+\\+? of/.test(document.querySelector('.count').textContent)")
        count = "parseInt(document.querySelector('.count').textContent.replaceAll(',', ''))"
        before = page.evaluate(count)
        self.until(page, f"before => {count} > before + 10", before)

    def test_two_tabs_do_not_disturb_each_other(self):
        timeline = self.import_file(recordings.write(self.path("two.timeline"), 100))
        page = self.open_page(timeline)
        other = self.another_tab(page, f"#timeline={timeline}&seq=20")
        self.wait_for_seq(other, 20)
        self.go(page, 90)
        other.keyboard.press("/")
        other.keyboard.type("error")
        other.keyboard.press("Enter")
        self.until(other, "/^\\d+ of/.test(document.querySelector('.count').textContent)")
        other.keyboard.press("t")
        other.wait_for_selector(":root[data-theme=dark]")
        self.assertTrue(page.title().endswith("@ 90"))
        self.assertEqual(page.locator(".count").text_content(), "100")
        self.assertEqual(page.locator(":root[data-theme=dark]").count(), 0)
        # Both show what belongs to the timeline and not to the page.
        page.keyboard.press("m")
        page.wait_for_selector(".row.on .mark:not(.off)")
        self.until(other, "document.querySelector('.grid').ariaRowCount > 0")
        other.click("[aria-label='Clear the filter']")
        other.keyboard.press("Escape")
        self.go(other, 90)
        other.wait_for_selector(".row.on .mark:not(.off)")

    def test_watched_columns_stay_as_they_are_while_entries_come(self):
        self.start_clock()
        page = self.open_clock()
        for path in "/ticks", "/words":
            self.act(page, path, "watch")
        page.click("#tab-watch")
        page.wait_for_selector(".watch-table tr.on td")

        def comes_on():
            seq = self.cursor(page)
            self.until(page, "seq => +document.querySelector('.slider').ariaValueNow > seq + 5",
                       seq)

        focused = "document.activeElement.ariaLabel"
        button = page.locator("[aria-label^='Stop watching']").first
        first, second = (one.get_attribute("aria-label") for one
                         in page.locator("[aria-label^='Stop watching']").all())
        button.focus()
        comes_on()
        self.assertEqual(page.evaluate(focused), first)
        # A click counts even if entries arrive between press and release.
        button.hover()
        page.mouse.down()
        comes_on()
        page.mouse.up()
        expect(page.locator("[aria-label^='Stop watching']")).to_have_count(1)
        self.until(page, f"name => {focused} === name", second)
        page.keyboard.press("Enter")
        expect(page.locator("tt-watch .pane-note").first).to_be_focused()

    def test_names_and_marks_by_keyboard_and_by_pointer(self):
        timeline = self.import_file(recordings.write(
            self.path("names.timeline"), 30, header=recordings.header(3, "nameless")))
        page = self.open_page(timeline)
        self.command(page, "name this")
        page.keyboard.type("the one that fails")
        page.keyboard.press("Enter")
        self.until(page, "document.title.includes('the one that fails')")
        expect(self.source(page, "the one that fails")).to_have_count(1)
        self.press_command(page, "Name this timeline")
        page.locator(".palette input").fill("")
        page.locator(".palette [role=option]").first.click()
        self.until(page, "document.title.includes('nameless')")
        self.go(page, 12)
        page.locator('.row[data-seq="12"]:visible').hover()
        page.locator('.row[data-seq="12"] [data-act=entry-menu]').click()
        page.locator(".menu button", has_text="Mark this entry").click()
        page.wait_for_selector('.row[data-seq="12"] .mark:not(.off)')
        self.comes(page, lambda: [mark["seq"] for mark in self.daemon.json("show", timeline)
                                  .get("marks", [])] == [12], "the daemon keeps the mark")
        page.keyboard.press("m")
        page.wait_for_selector('.row[data-seq="12"] .mark.off', state="attached")

    def test_deletes_only_what_was_confirmed(self):
        keep, other = (self.import_file(recordings.write(
            self.path("gone.timeline"), 30, header=recordings.header(number, name)))
            for number, name in ((4, "kept"), (5, "goner")))
        page = self.open_page(keep)
        self.command(page, "delete this")
        # The default choice is the harmless one.
        page.keyboard.press("Enter")
        self.source(page, "goner").click()
        self.until(page, "document.title.includes('goner')")
        self.press_command(page, "Delete this timeline")
        page.locator(".palette [role=option]", has_text="for good").click()
        page.wait_for_selector(".notice.warning")
        self.has_text(page, ".notice.warning", "was deleted")
        self.until(page, "!document.title.includes('goner')")
        self.until(page, "![...document.querySelectorAll('.machine:not([hidden])')]"
                         ".some((row) => row.textContent.includes('goner'))")
        expect(self.source(page, "kept")).to_have_count(1)

    def test_reports_that_the_shown_timeline_was_deleted_elsewhere(self):
        timeline, _ = (self.import_file(recordings.write(
            self.path("away.timeline"), 30, header=recordings.header(number, name)))
            for number, name in ((6, "away"), (8, "stays")))
        page = self.open_page(timeline)
        self.daemon.run("delete", timeline, "--yes")
        page.wait_for_selector(".notice.warning")
        self.has_text(page, ".notice.warning", "that you were viewing was deleted")
        link = self.open_page(hash=f"&timeline={timeline}")
        self.has_text(link, "tt-cover h2", "This timeline is not here")


if __name__ == "__main__":
    unittest.main()
