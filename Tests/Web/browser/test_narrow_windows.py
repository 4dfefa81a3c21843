"""What remains readable and in view when the window becomes narrow, and wide again."""

import unittest

from playwright.sync_api import expect

import recordings
from page import PageTest
from shop import MAIN
from time_travel import TravelTest

WIDE = {"width": 1440, "height": 860}
NARROW = {"width": 390, "height": 844}


LONG = "without the discount of spring, for the shop in the city"

CUT = """(selector) => [...document.querySelectorAll(selector)]
  .filter((one) => one.checkVisibility() &&
    (one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 1) &&
    getComputedStyle(one).display !== "inline")
  .map((one) => `${one.className}: ${one.textContent}`)"""


# Buttons and fields that stick out of the open window.
OUTSIDE = """() => {
  const { left, right } = document.querySelector(".window[open]").getBoundingClientRect();
  return [...document.querySelectorAll(".window[open] :is(button, input, select, textarea)")]
    .filter((one) => one.checkVisibility())
    .filter((one) => {
      const box = one.getBoundingClientRect();
      return box.right > right - 1 || box.left < left + 1;
    })
    .map((one) => one.textContent || one.ariaLabel || one.localName);
}"""

# What opens a window.
WINDOWS = ["Verify that", "Minimize to", "Explain this", "Explore from", "Show which events",
           "Export a test", "Show the branches", "Show all machines", "Hosts that"]


class NarrowWindows(TravelTest):
    def named_branch(self, page, name):
        """Shows a branch with this name."""
        self.go(page, 20)
        page.keyboard.press("x")
        self.until(page, "!document.querySelector('tt-branch-strip').hidden")
        branch = next(one for one in self.daemon.timelines if one != MAIN)
        self.daemon.now(self.daemon.do_rename(None, {"timeline": branch, "name": name}))

    def test_the_list_of_events_is_where_it_was_after_the_window_was_narrow(self):
        page = self.open_page()
        expect(self.row(page, 59)).to_be_in_viewport()
        page.set_viewport_size(NARROW)
        expect(page.locator("tt-events .grid")).to_be_hidden()
        self.drawn(page)
        page.set_viewport_size(WIDE)
        expect(self.row(page, 59)).to_be_in_viewport()
        expect(self.row(page, 50)).to_be_in_viewport()

    def test_names_in_the_branches_and_the_status_bar_are_not_cut(self):
        page = self.open_page(size=(NARROW["width"], NARROW["height"]))
        self.named_branch(page, LONG)
        expect(page.locator("tt-status .machine-here")).to_have_text(f"cart, {LONG}")
        expect(page.locator("tt-status .daemon")).to_have_text("daemon connected")
        self.drawn(page)
        self.assertEqual(page.evaluate(CUT, "tt-status, tt-status > :not(.sr-only)"), [])
        page.keyboard.press("b")
        self.has_text(page, ".branch-list .on .branch-name", LONG)
        self.drawn(page)
        parts = ".branch-name, .branch-words, .window[open] h2, .branch-list li"
        self.assertEqual(page.evaluate(CUT, parts), [])
        # A circle is at the name of its branch, in narrow windows and in wide ones.
        for size in NARROW, WIDE:
            page.set_viewport_size(size)
            self.until(page, """() => {
              const middles = (selector) => [...document.querySelectorAll(selector)].map((one) => {
                const { top, bottom } = one.getBoundingClientRect();
                return (top + bottom) / 2;
              });
              const circles = middles(".branch-graph circle");
              return middles(".branch-open").every((y, at) => Math.abs(y - circles[at]) < 4);
            }""")

    def test_a_comparison_shows_the_events_of_the_chosen_line_in_full(self):
        page = self.open_page()
        self.compare_changed(page)
        page.wait_for_selector(".compare-row.first-difference[aria-selected=true]")
        for size in WIDE, NARROW:
            page.set_viewport_size(size)
            events = page.locator("tt-compare .compare-events")
            expect(events).to_contain_text("left 12")
            expect(events).to_contain_text(
                "right 12added apple, count: 9, gift: false, tags: [], size: small, way: pickup")
            events.scroll_into_view_if_needed()
            expect(events).to_be_in_viewport(ratio=1)
            self.has_text(page, ".compare-head", "total")
            self.drawn(page)
            self.assertEqual(
                page.evaluate(CUT, ".compare-events dd, .compare-value > *, .compare-right :not(.sr-only)"), [])
        page.keyboard.press("End")
        expect(events).to_contain_text("59 and 59")

    def test_windows_hold_what_is_in_them(self):
        page = self.open_page(size=(NARROW["width"], NARROW["height"]))
        for words in WINDOWS:
            with self.subTest(words):
                self.command(page, words)
                expect(page.locator(".window[open]")).to_have_count(1)
                if words == "Export a test":
                    note = page.locator(".window[open] .window-foot .note")
                    expect(note).to_contain_text(" B")
                    note.evaluate("(note) => note.textContent = `${'Checkout'.repeat(6)}.swift, 9 KB`")
                self.drawn(page)
                self.assertEqual(page.evaluate(OUTSIDE), [])
                page.keyboard.press("Escape")
                expect(page.locator(".window[open]")).to_have_count(0)

    def test_commands_are_not_cut(self):
        page = self.open_page(size=(NARROW["width"], NARROW["height"]))
        page.keyboard.press("Control+k")
        self.has_text(page, ".palette-list", "Next entry that matches the filter")
        self.drawn(page)
        self.assertEqual(page.evaluate(CUT, ".choice-title, .palette-list .muted"), [])

    def test_the_right_event_of_a_comparison_has_as_much_room_as_there_is(self):
        page = self.open_page()
        self.compare_changed(page)
        self.has_text(page, ".compare-head", "total")
        self.drawn(page)
        left, right, values = [
            page.locator(f".compare-row.first-difference {part}").bounding_box()["width"]
            for part in (".a", ".b", ".compare-values")]
        self.assertGreater(right, 0.75 * left)
        self.assertGreater(right, values)

    def test_both_values_of_a_comparison_have_the_same_room(self):
        page = self.open_page()
        self.compare_changed(page)
        self.has_text(page, ".compare-head", "total")
        widths = page.evaluate("""() => {
          const [old, , fresh] = document.querySelector(".first-difference .compare-value").children;
          const widthsOf = (left, right) => {
            [old.textContent, fresh.textContent] = [left, right];
            return [old, fresh].map((side) => side.getBoundingClientRect().width);
          };
          const long = "the central station of Ulm";
          return { long: widthsOf(long, long + ", then on foot, and back by train".repeat(3)),
            short: widthsOf("Ulm", long.repeat(3)), alone: widthsOf("Ulm", "") };
        }""")
        left, right = widths["long"]
        self.assertAlmostEqual(left, right, delta=1)
        self.assertEqual(widths["short"][0], widths["alone"][0])


class NarrowFiles(PageTest):
    def test_lanes_show_the_ends_of_their_names(self):
        names = ["shoppingCartItemRemoved", "shoppingCartItemReplaced"]
        lines = [{"seq": 0, "t": 0, "state": {"n": 0}}] + [
            {"seq": seq, "t": seq * 1_000, "event": {names[seq % 2]: {}},
             "patch": [{"op": "replace", "path": "/n", "value": seq}]} for seq in range(1, 9)]
        header = {key: value for key, value in recordings.HEADER.items() if key != "lanes"}
        page = self.open_page(recordings.write(
            self.path("lanes.timeline"), 0, entries=lines, header=header))
        for size in WIDE, NARROW:
            page.set_viewport_size(size)
            expect(page.locator(".lane .name-end")).to_have_text(["mReplaced", "emRemoved"])
            self.drawn(page)
            self.assertEqual(page.evaluate("""() => [...document.querySelectorAll(".lane .name-end")]
              .filter((end) => {
                const name = end.parentElement.getBoundingClientRect();
                const { right, width } = end.getBoundingClientRect();
                return right > name.right + 1 || width < 20;
              }).map((end) => end.textContent)"""), [], size)

    def test_names_of_lanes_cover_nothing_that_is_drawn(self):
        entries = [{"seq": 0, "t": 0, "state": {"n": 0}}] + [
            {"seq": seq, "t": seq * 1_000, "event": {["tapped", "loaded"][seq % 2]: {}},
             "patch": [{"op": "replace", "path": "/n", "value": seq}]} for seq in range(1, 60)]
        # The header puts both events into lanes of its own.
        page = self.open_page(recordings.write(self.path("names.timeline"), 0, entries=entries),
                              size=(NARROW["width"], NARROW["height"]))
        expect(page.locator(".lane-names .lane-name")).to_have_text(["user", "network"])
        # How many colors each lane has where its name is, and below.
        self.until(page, """() => {
          const canvas = document.querySelector("tt-timeline canvas");
          const { top } = canvas.getBoundingClientRect();
          const scale = canvas.height / canvas.getBoundingClientRect().height;
          const colors = (from, to) => {
            const [start, end] = [from, to].map((y) => Math.round((y - top) * scale));
            const { data } = canvas.getContext("2d").getImageData(0, start, canvas.width, end - start);
            return new Set(new Uint32Array(data.buffer)).size;
          };
          return [...document.querySelectorAll(".lane-names .lane")].every((lane) => {
            const name = lane.querySelector(".lane-name").getBoundingClientRect();
            const { bottom } = lane.getBoundingClientRect();
            return colors(name.top, name.bottom) === 1 && colors(name.bottom, bottom) > 1;
          });
        }""")


if __name__ == "__main__":
    unittest.main()
