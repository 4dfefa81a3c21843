"""Playback highlights what changes, and arcs lead from causes to effects."""

import unittest

from page import PageTest
import recordings

FLASHING = """[...document.querySelectorAll(".tree-row[data-mark]")]
  .some((row) => getComputedStyle(row).animationName.startsWith("flash"))"""


class Playback(PageTest):
    def play(self, **options):
        page = self.open_page(recordings.write(self.path("commute.timeline"), 300), **options)
        page.keyboard.press("Home")
        self.wait_for_seq(page, 0)
        page.select_option(".bar select", "even")
        page.click(".play")
        return page

    def test_changes_flash_while_playing(self):
        page = self.play()
        self.until(page, FLASHING)
        # Another step starts the animation again, although the row has changed before.
        beat = page.locator(".tree").get_attribute("data-beat")
        self.until(page, "beat => document.querySelector('.tree').dataset.beat !== beat", beat)
        page.keyboard.press("Space")
        page.wait_for_selector('.play[aria-label="Play"]')
        self.assertFalse(page.evaluate(FLASHING))

    def test_with_reduced_motion_nothing_flashes(self):
        page = self.play(reduced_motion="reduce")
        self.until(page, "document.querySelector('.playing .tree-row[data-mark]') !== null")
        self.assertFalse(page.evaluate(FLASHING))


class Arcs(PageTest):
    def lit(self, page):
        """How many arcs belong to the cursor's entry."""
        path = page.locator(".cause-arcs .lit").get_attribute("d") or ""
        return path.count("V")

    def test_what_led_to_the_cursor_is_lit(self):
        page = self.open_page(recordings.write(self.path("commute.timeline"), 300))
        # A tap, which nothing caused, and then two entries, each caused by the one before.
        for seq, count in (3, 1), (4, 2), (5, 2):
            self.go(page, seq)
            # They come with the entries.
            self.comes(page, lambda: self.lit(page) == count, f"{count} arcs of {seq} are lit")
        box = page.locator('.row[data-seq="4"]').bounding_box()
        arcs = page.locator(".cause-arcs .lit").bounding_box()
        self.assertTrue(box["x"] <= arcs["x"] < box["x"] + 20)


if __name__ == "__main__":
    unittest.main()
