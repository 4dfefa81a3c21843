"""How values change over time, drawn in the rows of the state."""

import re
import unittest

from gallery import PlayingTest
from page import PageTest
import recordings


class Sparklines(PageTest):
    def setUp(self):
        self.file = recordings.write(self.path("commute.timeline"), 300)

    def spark(self, page, path):
        return page.locator(f'.tree-row[data-path="{path}"]:visible .spark-row')

    def description(self, page, path):
        row = page.locator(f'.tree-row[data-path="{path}"]:visible')
        self.until(page, f"""document.querySelector(
          '.tree-row[data-path="{path}"]').hasAttribute('aria-description')""")
        return row.get_attribute("aria-description")

    def test_each_scalar_row_has_a_line_and_a_description(self):
        page = self.open_page(self.file)
        self.wait_for_seq(page, 336)
        numbers = self.description(page, "/big")
        self.assertRegex(numbers, r"^always 9007199254740993, no changes")
        self.until(page, """[...document.querySelectorAll('.tree-row[aria-description]')].some(
            row => /minimum \\S+, maximum \\S+, .*changes/.test(row.ariaDescription))""")
        self.assertEqual(self.description(page, "/favorites"), "always 2 items, no changes, unknown in parts")
        self.assertFalse(self.spark(page, "/favorites/0").is_visible())

    def test_a_click_on_a_line_moves_the_cursor_there(self):
        page = self.open_page(self.file)
        self.wait_for_seq(page, 336)
        self.description(page, "/big")
        share = "getComputedStyle(document.querySelector('.spark-head')).transform"
        at_end = page.evaluate(share)
        box = self.spark(page, "/big").bounding_box()
        page.mouse.click(box["x"] + box["width"] / 4, box["y"] + box["height"] / 2)
        self.until(page, f"{share} !== '{at_end}'")
        seq = self.cursor(page)
        self.assertLess(seq, 200)
        self.assertGreater(seq, 10)
        page.keyboard.press("Home")
        self.wait_for_seq(page, 0)
        self.until(page, f"{share} === 'matrix(1, 0, 0, 1, 0, 0)'")

    def test_lines_show_the_same_range_as_the_timeline(self):
        page = self.open_page(self.file)
        self.wait_for_seq(page, 336)
        self.description(page, "/big")
        path = page.locator(".spark-curve:visible").first
        whole = path.get_attribute("d")
        page.keyboard.press("Home")
        self.wait_for_seq(page, 0)
        for _ in range(4):
            page.keyboard.press("+")
        self.until(page, "whole => document.querySelector('.spark-curve').getAttribute('d') !== whole",
                   whole)

    def test_the_last_change_has_room_to_be_seen(self):
        entries = [{"seq": 0, "t": 0, "state": {"n": 0, "isOn": False}}] + [
            {"seq": seq, "t": seq * 1_000, "event": {"ticked": {}},
             "patch": [{"op": "replace", "path": "/n", "value": seq},
                       *([{"op": "replace", "path": "/isOn", "value": True}] if seq == 9 else [])]}
            for seq in range(1, 10)]
        page = self.open_page(recordings.write(self.path("last.timeline"), 0, entries=entries))
        self.wait_for_seq(page, 9)
        for path in "/n", "/isOn":
            self.description(page, path)
            self.act(page, path, "watch")
        self.leave(page)
        self.until(page, "document.querySelectorAll('.lane-drawing:not([hidden])').length === 2")
        # How wide the last value of each drawing is, in pixels; the cursor stands where it begins.
        self.until(page, """() => {
          const widths = (selector) => [...document.querySelectorAll(selector)].map((path) => {
            if (path.matches(".spark-true")) return path.getBBox().width;
            const places = path.getAttribute("d").match(/[MH][\\d.]+/g).map((one) => +one.slice(1));
            return places.at(-1) - places.at(-2);
          });
          const rows = widths(".tree-row .spark-curve, .tree-row .spark-true");
          const lanes = widths(".lane-drawing .spark-curve, .lane-drawing .spark-true");
          const { right } = document.querySelector(".lane-area").getBoundingClientRect();
          const cursor = document.querySelector(".lane-cursor").getBoundingClientRect().left;
          return rows.length === 2 && rows.every((width) => width > 5) &&
            lanes.length === 2 && lanes.every((width) => width > 7) && right - cursor > 7;
        }""")

    def test_a_pinned_value_has_a_lane_below_the_timeline_that_scrubs(self):
        page = self.open_page(self.file)
        self.wait_for_seq(page, 336)
        lanes = page.locator("tt-value-lanes")
        self.assertFalse(lanes.is_visible())
        self.act(page, "/n", "pin")
        self.leave(page)
        self.until(page, "document.querySelector('.lane-drawing .spark-curve') !== null")
        self.assertEqual(page.locator(".value-lane:visible .lane-name").all_text_contents(), ["n"])
        self.assertRegex(page.locator(".value-lane").first.get_attribute("aria-description"),
                         r"^minimum \d+, maximum 299, \d+ changes")
        box = page.locator(".lane-area").bounding_box()
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 10)
        page.mouse.down()
        self.until(page, "+document.querySelector('tt-timeline .slider').ariaValueNow < 250")
        half = self.cursor(page)
        page.mouse.move(box["x"] + box["width"] / 4, box["y"] + 10)
        self.until(page, f"+document.querySelector('tt-timeline .slider').ariaValueNow < {half}")
        page.mouse.up()
        self.act(page, "/n", "pin")
        self.leave(page)
        self.until(page, "document.querySelector('tt-value-lanes').hidden")


class SparklinesOfDaemon(PlayingTest):
    """Lines from a daemon, of running machines."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.run_gallery()

    def count_changes(self, page, path):
        words = page.evaluate("""path => document.querySelector(
          `.tree-row[data-path="${path}"]`)?.getAttribute('aria-description') ?? ''""", path)
        found = re.search(r"([\d,]+) changes?$", words)
        return int(found[1].replace(",", "")) if found else 0

    def test_lines_grow_with_a_live_machine(self):
        page = self.open_page()
        self.open_machine(page, "coin")
        self.comes(page, lambda: self.count_changes(page, "/flips") > 2, "the line of flips is here")
        before = self.count_changes(page, "/flips")
        self.comes(page, lambda: self.count_changes(page, "/flips") > before, "the line grows")

    def test_a_branch_shows_its_parent_and_its_outcome(self):
        page = self.open_page()
        self.open_machine(page, "coin")
        self.until(page, "() => +document.querySelector('.slider').ariaValueMax > 6")
        self.until(page, "() => document.querySelector('.host').textContent.includes('host: ')")
        page.keyboard.press("g")
        page.keyboard.type("2")
        page.keyboard.press("Enter")
        self.until(page, "document.title.endsWith('@ 2')")
        page.keyboard.press("x")
        self.until(page, "!document.querySelector('tt-branch-strip').hidden")
        self.until(page, "/At the end: .*flips \\d+ → \\d+.*differ/.test("
                         "document.querySelector('.strip-outcome').textContent)")
        self.until(page, "document.querySelector('.tree-row[data-path=\"/flips\"] .spark-parent')"
                         "?.getAttribute('d')")


if __name__ == "__main__":
    unittest.main()
