"""Looking at a recording, by keyboard and by pointer."""

import re
import unittest

from page import PageTest
import recordings


class Looking(PageTest):
    def setUp(self):
        self.file = recordings.write(self.path("commute.timeline"), 300)

    def row(self, page, path):
        return page.locator(f'.tree-row[data-path="{path}"]:visible')

    def test_opens_at_the_end_and_steps(self):
        page = self.open_page(self.file)
        self.wait_for_seq(page, 336)
        page.keyboard.press("ArrowLeft")
        self.wait_for_seq(page, 335)
        page.keyboard.press("Shift+ArrowLeft")
        self.wait_for_seq(page, 325)
        page.keyboard.press("Home")
        self.wait_for_seq(page, 0)
        page.click(".bar .next")
        self.wait_for_seq(page, 1)
        self.assertIn("seq=1", self.hash_of(page))

    def hash_of(self, page):
        # The address follows a moment later: browsers limit how often it may change.
        page.wait_for_timeout(300)
        return page.evaluate("location.hash")

    def test_shows_recorded_text_as_text(self):
        page = self.open_page(self.file)
        self.go(page, 21)
        for tab in "1", "2", "3", "4", "5":
            page.keyboard.press(tab)
            page.wait_for_timeout(150)
        self.assertIsNone(page.evaluate("window.hacked ?? null"))
        self.assertEqual(page.locator("img, script:not([src])").count(), 0)
        page.keyboard.press("1")
        shown = self.row(page, "/title").locator(".tree-value").text_content()
        self.assertIn("<img src=x", shown)
        self.assertNotIn("\u202e", shown)

    def test_keeps_integers_beyond_2_53(self):
        page = self.open_page(self.file)
        value = self.row(page, "/big").locator(".tree-value").text_content()
        self.assertEqual(value, "9007199254740993")
        page.keyboard.press("3")
        page.keyboard.press("Home")
        self.until(page, "document.querySelector('.raw').textContent.includes('9007199254740993')")

    def test_marks_what_changed_and_says_who_set_it(self):
        page = self.open_page(self.file)
        self.go(page, 120)
        self.assertEqual(self.row(page, "/favorites/0/on").count(), 0)
        page.keyboard.press("ArrowRight")
        self.wait_for_seq(page, 121)
        changed = page.locator('.tree-row[data-mark="changed"]:visible')
        changed.first.wait_for()
        text = changed.first.text_content()
        self.assertTrue(re.search(r"on.*(true.*false|false.*true)", text), text)
        self.row(page, "/n").hover()
        self.row(page, "/n").locator("[data-act=who]").click()
        self.wait_for_seq(page, 120)

    def test_follows_a_pinned_value(self):
        page = self.open_page(self.file)
        self.go(page, 200)
        self.row(page, "/n").hover()
        self.row(page, "/n").locator("[data-act=pin]").click()
        page.wait_for_selector("tt-pin:not([hidden])")
        self.until(page, "document.querySelector('tt-pin').textContent.includes('changed')")
        page.keyboard.press("p")
        self.until(page, "!document.title.endsWith('@ 200')")
        page.keyboard.press("n")
        self.assertIn("pin=/state/n", self.hash_of(page))

    def test_filters_and_points_at_mistakes(self):
        page = self.open_page(self.file)
        page.keyboard.press("/")
        page.keyboard.type("error != null")
        page.keyboard.press("Enter")
        self.until(page, "/^\\d+ of/.test(document.querySelector('.count').textContent)")
        self.assertGreater(page.locator(".row.error:visible").count(), 10)
        page.fill(".filter", "stat.n > 3")
        page.wait_for_selector(".filter-box.wrong")
        self.assertIn("did you mean 'state'", page.locator(".filter-error").text_content())
        page.keyboard.press("Escape")
        page.wait_for_selector(".filter-box:not(.wrong)")

    def test_shows_gaps_that_cannot_be_missed(self):
        page = self.open_page(self.file)
        self.go(page, 38)
        gap = page.locator(".row.gap:visible")
        self.assertIn("37 events could not be kept", gap.text_content())
        self.assertIn("37 lost", page.locator("tt-status").text_content())

    def test_goes_back_to_where_it_was(self):
        page = self.open_page(self.file)
        self.go(page, 50 + 36)
        self.go(page, 200)
        page.go_back()
        self.wait_for_seq(page, 86)

    def test_scrubs_by_pointer_and_zooms(self):
        page = self.open_page(self.file)
        box = page.locator(".slider").bounding_box()
        page.mouse.click(box["x"] + box["width"] / 2, box["y"] + 60)
        self.until(page, "!document.title.endsWith('@ 336')")
        seq = int(page.locator(".slider").get_attribute("aria-valuenow"))
        self.assertTrue(170 < seq < 200, seq)
        before = page.locator("tt-timeline").get_attribute("data-described")
        page.keyboard.press("+")
        self.until(page, "was => document.querySelector('tt-timeline').dataset.described !== was",
                   before)

    def test_compares_with_a_mark(self):
        page = self.open_page(self.file)
        self.go(page, 100)
        page.keyboard.press("m")
        self.go(page, 160)
        page.keyboard.press("c")
        page.wait_for_selector(".diff-line")
        self.assertIn("from the mark at 100 to 160", page.locator("#panel-diff").text_content())

    def test_plays_and_pauses(self):
        page = self.open_page(self.file)
        self.go(page, 100)
        page.locator(".grid").focus()
        page.keyboard.press("Space")
        self.until(page, "parseInt(document.querySelector('.slider').ariaValueNow) > 105")
        page.keyboard.press("Space")
        page.wait_for_selector('.play[aria-label="Play"]')

    def test_runs_commands_from_the_palette(self):
        page = self.open_page(self.file)
        page.keyboard.press("Control+k")
        page.keyboard.type("first entry")
        page.keyboard.press("Enter")
        self.wait_for_seq(page, 0)
        page.keyboard.press("t")
        page.wait_for_selector(':root[data-theme="dark"]')

    def test_says_what_to_do_without_a_daemon(self):
        page = self.open_page()
        cover = page.locator("tt-cover").bounding_box()
        self.assertGreater(cover["height"], 600)
        self.assertIn("cannot be reached", page.locator("tt-cover h2").text_content())
        self.assertTrue(page.locator("text=Try again now").is_visible())
        self.assertTrue(page.locator("text=Open a timeline file").is_visible())

    def test_says_what_is_wrong_with_a_file(self):
        with open(self.path("bad.timeline"), "w") as file:
            file.write("hello\n")
        page = self.open_page()
        page.set_input_files("input[type=file]", self.path("bad.timeline"))
        page.wait_for_selector(".notice.error")
        self.assertIn("Line 1", page.locator(".notice.error").text_content())
        torn = recordings.write(self.path("torn.timeline"), 20, tail='{"seq":20,"t"')
        page.set_input_files("input[type=file]", torn)
        page.wait_for_selector(".notice.warning")
        self.assertIn("13 bytes", page.locator(".notice.warning").text_content())

    def test_downloads_a_stretch_that_opens_again(self):
        page = self.open_page(self.file)
        self.go(page, 150)
        page.locator(".grid").focus()
        for _ in range(5):
            page.keyboard.press("Shift+ArrowDown")
        again = self.open_page(self.download(page, "stretch.timeline"))
        self.wait_for_seq(again, 155)
        self.assertIn("6", again.locator(".count").text_content())


if __name__ == "__main__":
    unittest.main()
