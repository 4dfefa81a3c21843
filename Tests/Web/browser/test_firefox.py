"""The main paths in Firefox: the same page, another engine."""

import os
import tempfile
import unittest

from live import Probe, link_of, page_daemon, recorders_of
from firefox import Firefox
import recordings
from served import WEB


class InFirefox(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.daemon = cls.enterClassContext(page_daemon())
        cls.firefox = cls.enterClassContext(Firefox())
        cls.folder = cls.enterClassContext(tempfile.TemporaryDirectory())
        path = recordings.write(os.path.join(cls.folder, "favorites.timeline"), 300)
        cls.timeline = cls.daemon.run("import", path).stdout.split()[0]
        long = recordings.write(
            os.path.join(cls.folder, "long.timeline"), 0, header=recordings.header(7, "long"),
            entries=recordings.thinned(20_000, 0, -1))
        cls.long = cls.daemon.run("import", long).stdout.split()[0]

    def open_page(self, timeline=None, **options):
        place = f"&timeline={timeline}" if timeline else ""
        page = self.firefox.open(link_of(self.daemon) + place, **options)
        page.until("document.querySelector('.tree-row')?.checkVisibility()")
        return page

    def tearDown(self):
        self.assertEqual(self.firefox.errors(), [])
        self.firefox.events.clear()

    def wait_for_seq(self, page, seq):
        page.until(f"document.title.endsWith('@ {seq:,}') && document.querySelector('.tree-title')"
                   f".textContent.includes(' after {seq:,}')")

    def test_travels_by_keyboard_and_pointer(self):
        page = self.open_page(self.timeline)
        self.wait_for_seq(page, 336)
        page.press("ArrowLeft")
        self.wait_for_seq(page, 335)
        page.press("Home")
        self.wait_for_seq(page, 0)
        page.click(".bar .next")
        self.wait_for_seq(page, 1)
        page.press("g")
        page.type("120")
        page.press("Enter")
        self.wait_for_seq(page, 120)
        # Until there are counts, a pixel stands for no entry.
        page.until("document.querySelector('tt-timeline .lane') !== null")
        page.click(".slider", at=(0.5, 0.7))
        page.until("+document.querySelector('.slider').ariaValueNow > 160")
        page.back()
        self.wait_for_seq(page, 1)

    def test_filters_compares_and_changes_the_theme(self):
        page = self.open_page(self.timeline)
        page.press("/")
        page.type("error != null")
        page.press("Enter")
        page.until("/^\\d+ of/.test(document.querySelector('.count').textContent)")
        page.press("2")
        page.until("!document.querySelector('#panel-diff').hidden")
        page.press("t")
        page.until("document.documentElement.dataset.theme === 'dark'")
        page.press("Control+k")
        page.type("show the state")
        page.press("Enter")
        page.until("!document.querySelector('#panel-state').hidden")
        page.press("/")
        page.press("Escape")
        page.until("document.querySelector('.filter').value === '' && !location.hash.includes('filter')")
        page.press("Control+z")
        page.until("document.querySelector('.filter').value === 'error != null'")
        self.assertIn("9007199254740993", page.text('.tree-row[data-path="/big"]'))
        self.assertIsNone(page.evaluate("window.hacked"))

    def test_follows_an_app(self):
        with Probe("control", "allowed", 20, debugd=recorders_of(self.daemon)) as probe:
            probe.line("ready")
            page = self.open_page()
            live = ".machine:has(.dot.small:not([hidden]))"
            page.until(f"!!document.querySelector('{live}')")
            page.click(live)
            page.until("!!document.querySelector('.live.following')")
            page.until("+document.querySelector('.slider').ariaValueNow > 20")
            page.press("ArrowLeft")
            page.until("parseInt(document.querySelector('.live .chip').textContent) > 3")
            page.click(".live")
            page.until("document.querySelector('.live .chip').hidden")
            probe.end()

    def test_shows_every_row_of_a_long_list(self):
        page = self.open_page(self.long)
        self.wait_for_seq(page, 19_999)
        for seq in 0, 11_234, 19_999:
            page.press("g")
            page.type(str(seq))
            page.press("Enter")
            self.wait_for_seq(page, seq)
            page.until(
                "(({top, bottom} = {}) => 0 < top && top < bottom && bottom < innerHeight)"
                f"(document.querySelector('.row.on[data-seq=\"{seq}\"]')?.getBoundingClientRect())")

    def test_opens_a_file_in_a_narrow_window(self):
        page = self.open_page(self.timeline, size=(560, 800))
        page.choose_file("input[type=file]", os.path.join(self.folder, "long.timeline"))
        page.until("/file, read-only/.test(document.querySelector('tt-status').textContent)")
        page.until("document.title.endsWith('19,999')")
        self.assertLessEqual(page.evaluate("document.documentElement.scrollWidth"), 560)

    def test_opens_a_file_that_is_compressed_with_gzip(self):
        page = self.open_page(self.timeline)
        page.choose_file(
            "input[type=file]", os.path.join(WEB, "samples", "basket.timeline.gz"))
        page.until("/file, read-only/.test(document.querySelector('tt-status').textContent)")
        self.wait_for_seq(page, 29)

    def test_axe_finds_nothing_in_the_main_states(self):
        page = self.open_page(self.timeline, size=(1440, 640))
        self.wait_for_seq(page, 336)
        self.finds_nothing(page, "state")
        for key, panel in ("2", "diff"), ("3", "raw"), ("4", "chart"), ("5", "watch"), ("1", "state"):
            page.press(key)
            page.until(f"!document.querySelector('#panel-{panel}').hidden")
            self.finds_nothing(page, panel)
        page.run("document.querySelector('.tree').focus()")
        page.press("w")
        page.until("document.querySelector('.tree-row.active') !== null")
        page.press("q")
        page.until("document.querySelector('.menu:popover-open') !== null")
        self.finds_nothing(page, "questions about a value")
        page.press("Escape")
        page.press("t")
        page.until("document.documentElement.dataset.theme === 'dark'")
        self.finds_nothing(page, "the dark theme")
        page.press("Control+k")
        page.type("favo")
        page.until("document.querySelector('.palette[open] [role=option]') !== null")
        self.finds_nothing(page, "the palette")
        page.press("Escape")
        for key in "Shift+E", "b":
            page.press(key)
            page.until("document.querySelector('.window[open]') !== null")
            self.finds_nothing(page, f"the window that {key} opens")
            page.press("Escape")
            page.until("document.querySelector('.window[open]') === null")
        bad = self.firefox.open(
            link_of(self.daemon) + "&timeline=00000000-0000-4000-8000-000000000000")
        bad.until("document.querySelector('tt-cover h2')?.textContent === 'This timeline is not here'")
        self.finds_nothing(bad, "a link that leads nowhere")

    def finds_nothing(self, page, what):
        with self.subTest(what):
            self.assertEqual(page.violations(), [])


if __name__ == "__main__":
    unittest.main()
