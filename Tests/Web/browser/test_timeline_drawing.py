"""What the timeline draws: marks, losses, errors, the selected range, and branches."""

import unittest

import story
from page import PageTest
from shop import MAIN
from time_travel import TravelTest
import recordings

# How many pixels of the timeline have the color of a token, between two heights.
PIXELS = """([token, from, to]) => {
  const canvas = document.querySelector("tt-timeline canvas");
  const probe = document.body.appendChild(document.createElement("i"));
  probe.style.color = `var(${token})`;
  const wanted = getComputedStyle(probe).color.match(/\\d+/g).slice(0, 3).map(Number);
  probe.remove();
  const { width, height } = canvas;
  const { data } = canvas.getContext("2d").getImageData(0, 0, width, height);
  let count = 0;
  for (let at = from * width * 4; at < Math.min(to, height) * width * 4; at += 4) {
    if (wanted.every((part, place) => data[at + place] === part)) count += 1;
  }
  return count;
}"""


class Drawing(PageTest):
    def pixels(self, page, token, start, end):
        self.drawn(page)
        return page.evaluate(PIXELS, [token, start, end])

    def test_begins_near_the_first_event_when_that_came_late(self):
        late = [entry | {"t": entry["t"] + (3_600_000_000 if entry["seq"] > 0 else 0)}
                for entry in recordings.lines(50)]
        page = self.open_page(recordings.write(self.path("late.timeline"), 50, entries=late))
        described = "document.querySelector('tt-timeline').dataset.described"
        self.until(page, f"/^59:5/.test({described})")
        page.locator(".slider").dblclick()
        self.until(page, f"/^0/.test({described})")

    def test_draws_marks_losses_and_errors_in_the_timeline(self):
        page = self.open_page(recordings.write(self.path("commute.timeline"), 300))
        self.wait_for_seq(page, 336)
        self.loaded(page)

        def pixels(*what):
            return self.pixels(page, *what)

        self.comes(page, lambda: pixels("--warn", 34, 37) > 3, "losses are drawn")
        self.comes(page, lambda: pixels("--err", 30, 38) > 20, "errors are drawn")
        self.go(page, 200)
        for press in (lambda: page.keyboard.press("m"),
                      lambda: page.click("tt-event .mark-button")):
            before = pixels("--accent", 36, 200)
            press()
            page.wait_for_selector(".row.on .mark:not(.off)")
            self.assertGreater(pixels("--accent", 36, 200), before + 30)
            press()
            page.wait_for_selector(".row.on .mark.off", state="attached")
            self.assertEqual(pixels("--accent", 36, 200), before)
        # The matches of the filter are ticks above the lanes.
        plain = pixels("--accent", 34, 39)
        ground = pixels("--bg", 39, 56)
        page.fill(".filter", "state.n > 10")
        self.until(page, "document.querySelector('.count').textContent.includes(' of ')")
        self.assertGreater(pixels("--accent", 34, 39), plain + 20)
        # The lanes are shaded while it matches: here, from entry 11 on.
        self.assertLess(pixels("--bg", 39, 56), ground / 4)
        page.fill(".filter", "")
        self.until(page, "!document.querySelector('.count').textContent.includes(' of ')")
        self.assertEqual(pixels("--accent", 34, 39), plain)
        # A selected range colors its part of the lanes.
        plain = pixels("--bg", 36, 100)
        page.locator(".grid").focus()
        for _ in range(9):
            page.keyboard.press("Shift+ArrowDown")
        self.until(page, "document.querySelectorAll('.row.in-stretch').length >= 9")
        self.assertLess(pixels("--bg", 36, 100), plain - 50)


class DrawingBranches(TravelTest):
    def test_goes_to_the_parent_and_draws_its_branches(self):
        page = self.open_page()
        self.go(page, 20)

        def fork_pixels():
            self.drawn(page)
            return page.evaluate(PIXELS, ["--fork", 40, 400])

        before = fork_pixels()
        link = page.locator("tt-branch-strip button.link")
        for press in link.click, lambda: link.press("Enter"):
            page.keyboard.press("x")
            self.shows_branch(page, "Without 20", at=20)
            press()
            self.shows_main(page, at=21)
            self.assertGreater(fork_pixels(), before + 10)
            self.go(page, 20)
        # Deleted branches are no longer drawn.
        for branch in [one for one in self.daemon.timelines if one != MAIN]:
            self.daemon.now(self.daemon.do_delete(None, {"timeline": branch}))
        self.until(page, "document.querySelectorAll('.machine:not([hidden])').length === 1")
        self.assertEqual(fork_pixels(), before)


class CursorInAList(PageTest):
    def test_a_list_that_becomes_shorter_keeps_its_cursor_in_view(self):
        # 37 of 2,239 entries turn out to be lost after the list is shown.
        file = story.write(self.path("commute.timeline"), 2_202)
        page = self.open_page(file, size=(820, 700))
        page.wait_for_selector("tt-status:has-text('37 lost')")
        page.wait_for_function("""() => {
          const row = document.querySelector("tt-events [aria-selected=true]");
          const view = row?.closest(".grid").getBoundingClientRect();
          const { top, bottom } = row?.getBoundingClientRect() ?? {};
          return view && top >= view.top && bottom <= view.bottom + 1;
        }""", timeout=60_000)


if __name__ == "__main__":
    unittest.main()
