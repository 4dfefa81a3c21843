"""States of the page that need a daemon: searches that take long, many timelines, narrow windows,
and what axe finds in them."""

import json
import unittest
import uuid

from playwright.sync_api import expect

from access import COLORS, Checked
from live import DaemonTest, Probe, page_daemon, recorders_of
from peers import Recorder
import recordings


class LiveStates(Checked, DaemonTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.favorites = cls.import_file(
            recordings.write(cls.in_folder("favorites.timeline"), 300))
        cls.long = cls.import_file(recordings.write(
            cls.in_folder("long.timeline"), 0, header=recordings.header(1, "long"),
            entries=recordings.thinned(16_000, 0, -1)))

    def test_a_long_search_shows_its_progress_and_can_be_stopped(self):
        page = self.open_page(self.long)
        self.wait_for_seq(page, 15_999)
        # Slow enough for any machine: each entry is compared with many values.
        page.fill(".filter", " || ".join(f'state.n == -{number}' for number in range(1, 120)))
        page.wait_for_selector(".search-strip:visible")
        self.has_text(page, ".search-strip", "Filtering")
        # Meanwhile, Enter searches for the first match; Escape ends both.
        page.locator(".filter").press("Enter")
        self.has_text(page, ".search-strip", "Searching for the next match")
        page.keyboard.press("Escape")
        self.until(page, "/stopped at/.test(document.querySelector('.search-strip').textContent)")
        self.has_text(page, ".count", "+ of 16,000")
        # With the pointer: continue, and stop again.
        page.click(".search-strip button")
        self.until(page, "/Stop$/.test(document.querySelector('.search-strip').textContent)")
        page.click(".search-strip button")
        self.until(page, "/Continue$/.test(document.querySelector('.search-strip').textContent)")
        self.assertEqual(page.locator(".notice").count(), 0)
        # Another filter does not wait for the one before.
        page.fill(".filter", "seq == 7")
        self.until(page, "document.querySelector('.count').textContent === '1 of 16,000'")
        expect(page.locator(".search-strip")).to_be_hidden()

    def test_a_list_of_a_thousand_timelines(self):
        with page_daemon() as daemon:
            with Recorder(daemon.socket) as recorder:
                for number in range(1_000):
                    id = str(uuid.UUID(int=number + 1))
                    recorder.open(recordings.HEADER | {
                        "timeline": id,
                        "machine": {"type": "Many.One", "name": f"machine {number}",
                                    "kind": "states"}})
                    recorder.append(id, [json.dumps({"seq": 0, "t": 0, "state": {"n": number}})])
                recorder.wait_until_durable(id, 0)
                page = self.open_page(daemon=daemon)
                self.until(page, "document.querySelectorAll('.source').length > 10")
                self.drawn(page)
                self.assertLess(page.locator(".source").count(), 60)
                page.locator(".source-list").focus()
                page.keyboard.press("End")
                page.wait_for_selector('.source.active[aria-posinset="1000"]:visible')
                last = page.locator(".source.active .machine-name").text_content()
                page.keyboard.press("Enter")
                self.until(page, "name => document.title.includes(name + ' @')", last)
                page.fill(".source-search", "machine 512")
                self.source(page, "machine 512").click()
                self.until(page, "document.title.includes('machine 512')")

    def test_panes_become_tabs_in_a_narrow_window(self):
        page = self.open_page(self.favorites, size=(820, 700))
        expect(page.locator("[role=tab]:visible")).to_have_text(
            ["Machines", "State", "Diff", "Raw", "Chart", "Watch", "Event"], use_inner_text=True)
        page.click("#tab-event")
        page.wait_for_selector("tt-outputs:visible")
        page.keyboard.press("ArrowLeft")
        page.click("#tab-machines")
        self.source(page, "long").click()
        self.until(page, "document.title.includes('long')")
        page.set_viewport_size({"width": 420, "height": 800})
        page.click("#tab-events")
        page.wait_for_selector(".row.on:visible")
        self.assertLessEqual(page.evaluate("document.documentElement.scrollWidth"), 420)
        # The list is as high as its tab, and draws only visible rows.
        self.until(page, "document.querySelector('.grid').getBoundingClientRect().bottom <= 800")
        self.assertLess(page.locator(".row").count(), 100)
        # With keys along the tabs, and back to a wide window, where everything is in its place.
        page.locator("#tab-events").press("ArrowRight")
        page.wait_for_selector("#panel-state:visible")
        page.set_viewport_size({"width": 1440, "height": 860})
        for part in "tt-sources", ".row.on", "tt-outputs", ".tree-row":
            page.wait_for_selector(f"{part}:visible")

    def look_at_everything(self, scheme, rules=None):
        self.rules = rules
        # The policy forbids axe's script; everything else is as for users.
        page = self.open_page(self.long, scheme=scheme, size=self.low, bypass_csp=True)
        page.fill(".filter", " || ".join(f'state.n == -{number}' for number in range(1, 120)))
        page.wait_for_selector(".search-strip:visible")
        self.check(page, "searching")
        page.fill(".filter", "")
        page.locator(".filter").press("Enter")
        page.click("tt-status .daemon")
        page.wait_for_selector("tt-sessions dialog[open] li")
        self.check(page, "sessions")
        page.keyboard.press("Escape")
        with Probe("control", "allowed", 50, debugd=recorders_of(self.daemon)) as probe:
            probe.line("ready")
            page.locator(".machine:not([hidden]):has(.dot.small:not([hidden]))").first.click()
            page.wait_for_selector(".live.following")
            self.check(page, "following")
            page.keyboard.press("ArrowLeft")
            page.wait_for_selector(".live .chip:visible")
            self.check(page, "not following")
            probe.end()
        self.source(page, "favorites").click()
        self.wait_for_seq(page, 336)
        for size in (820, 700), (420, 800):
            page.set_viewport_size({"width": size[0], "height": size[1]})
            for tab in "machines", "events", "state", "event":
                if page.locator(f"#tab-{tab}").is_visible():
                    page.click(f"#tab-{tab}")
                    page.wait_for_selector(f"#panel-{tab}:visible")
                    self.check(page, f"{tab}, {size[0]} pixels wide")
        outside = self.visit(
            self.new_context(scheme, bypass_csp=True), self.daemon.address)
        outside.wait_for_selector("tt-cover h2:visible")
        self.check(outside, "not signed in")

    def test_light_theme(self):
        self.look_at_everything("light")

    def test_dark_theme(self):
        self.look_at_everything("dark", COLORS)

    def test_forced_colors_reduced_motion_and_more_contrast_are_honored(self):
        page = self.open_page(
            self.favorites, forced_colors="active", reduced_motion="reduce", contrast="more")
        self.go(page, 120)
        outline = page.evaluate(
            "getComputedStyle(document.querySelector('.row.on')).outlineStyle")
        self.assertEqual(outline, "solid")
        moving = page.evaluate(
            "[...document.querySelectorAll('body *')].filter((one) => {"
            " const { transitionDuration: t, animationName: a } = getComputedStyle(one);"
            " return a !== 'none' || !/^0s(, 0s)*$/.test(t); }).length")
        self.assertEqual(moving, 0)


if __name__ == "__main__":
    unittest.main()
