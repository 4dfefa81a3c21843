"""Viewing a recording, with keyboard and pointer."""

import re
import unittest

from playwright.sync_api import expect

from page import PageTest
import recordings


class FilePage(PageTest):
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
        self.assertRegex(self.hash_of(page, "seq=1"), r"\bseq=1$")

    def test_keys_right_after_a_window_closes_are_the_pages(self):
        page = self.open_page(self.file)
        self.wait_for_seq(page, 336)
        press = """(key) => document.activeElement.dispatchEvent(
          new KeyboardEvent("keydown", {key, bubbles: true, cancelable: true}))"""
        page.keyboard.press("Shift+E")
        page.wait_for_selector("tt-export dialog[open]")
        # In one task: the browser draws nothing in between, and the window still has the focus.
        self.assertTrue(page.evaluate(f"""() => {{
          document.querySelector("tt-export [aria-label=Close]").click();
          ({press})("g");
          return document.querySelector(".palette").open;
        }}"""))
        page.keyboard.type("120")
        page.evaluate(f"""() => {{
          ({press})("Enter");
          ({press})("ArrowLeft");
        }}""")
        self.wait_for_seq(page, 119)

    def test_a_filtered_list_stays_where_it_was_scrolled_to_when_more_is_found(self):
        page = self.open_page(recordings.write(self.path("many.timeline"), 2_400))
        page.keyboard.press("Home")
        self.wait_for_seq(page, 0)
        page.keyboard.press("/")
        page.keyboard.type('event == "tapped"')
        page.keyboard.press("Enter")
        self.until(page, "/^(500\\+|79\\d) of/.test(document.querySelector('.count').textContent)")
        # Enter leads to the first match, which moves the list.
        self.wait_for_seq(page, 3)
        # The rows of the first answer are enough; more are found meanwhile.
        top = 460 * 26
        page.evaluate("top => document.querySelector('.grid').scrollTop = top", top)
        self.until(page, "/^79\\d of/.test(document.querySelector('.count').textContent)")
        self.drawn(page)
        self.assertEqual(page.evaluate("document.querySelector('.grid').scrollTop"), top)

    def test_shows_recorded_text_as_text(self):
        page = self.open_page(self.file)
        self.go(page, 31)
        self.shows_as_text(page)
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
        expect(changed.first).to_have_text(re.compile(r"on.*(true.*false|false.*true)"))
        self.act(page, "/n", "who")
        self.wait_for_seq(page, 120)

    def test_follows_a_pinned_value(self):
        page = self.open_page(self.file)
        self.go(page, 200)
        self.act(page, "/n", "pin")
        page.wait_for_selector("tt-pin:not([hidden])")
        self.until(page, "document.querySelector('tt-pin').textContent.includes('changed')")
        page.keyboard.press("p")
        self.until(page, "/@ (?!200$)\\d+$/.test(document.title)")
        page.keyboard.press("n")
        self.hash_of(page, "pin=/state/n")

    def test_a_filter_is_applied_although_the_focus_leaves_right_after_typing(self):
        page = self.open_page(self.file)
        self.wait_for_seq(page, 336)
        # In one task: the toolbar renders before it applies what was typed.
        page.evaluate("""() => {
            const filter = document.querySelector(".filter");
            filter.focus();
            filter.value = "state.n > 330";
            filter.dispatchEvent(new InputEvent("input", {bubbles: true}));
            filter.blur();
            document.querySelector("tt-toolbar").render();
        }""")
        self.until(page, "/ of /.test(document.querySelector('.count').textContent)")
        expect(page.locator(".filter")).to_have_value("state.n > 330")

    def test_filters_and_points_at_mistakes(self):
        page = self.open_page(self.file)
        page.keyboard.press("/")
        page.keyboard.type("error != null")
        page.keyboard.press("Enter")
        self.until(page, "/^\\d+ of/.test(document.querySelector('.count').textContent)")
        self.until(page, "document.querySelectorAll('.row.error:not([hidden])').length > 10")
        page.fill(".filter", "stat.n > 3")
        page.wait_for_selector(".filter-box.wrong")
        self.has_text(page, ".filter-error", "did you mean 'state'")
        page.keyboard.press("Escape")
        page.wait_for_selector(".filter-box:not(.wrong)")

    def test_names_the_lanes_of_the_recording(self):
        page = self.open_page(self.file)
        lanes = list(dict.fromkeys(recordings.HEADER["lanes"].values()))
        expect(page.locator(".lane-name")).to_have_text(lanes)

    def test_says_how_far_back_the_full_state_is(self):
        page = self.open_page(self.file)
        self.go(page, 12)
        page.wait_for_selector('tt-status [title="Keyframe 12 entries back"]')
        page.keyboard.press("Home")
        page.wait_for_selector('tt-status [title^="Keyframe: this entry"]')

    def test_gaps_are_conspicuous(self):
        page = self.open_page(self.file)
        self.go(page, 38)
        self.has_text(page, ".row.gap:visible", "37 events could not be kept")
        self.has_text(page, "tt-status", "37 lost")

    def test_goes_back_to_where_it_was(self):
        page = self.open_page(self.file)
        self.go(page, 50 + 36)
        self.go(page, 200)
        page.go_back()
        self.wait_for_seq(page, 86)

    def test_scrubs_by_pointer_and_zooms(self):
        page = self.open_page(self.file)
        self.loaded(page)
        box = page.locator(".slider").bounding_box()
        page.mouse.click(box["x"] + box["width"] / 2, box["y"] + 60)
        self.until(page, "/@ 1[789]\\d$/.test(document.title)")
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
        self.has_text(page, "#panel-diff", "from the mark at 100 to 160")

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

    def test_filters_by_what_is_typed_into_the_palette(self):
        page = self.open_page(self.file)
        self.wait_for_seq(page, 336)
        page.keyboard.press("Control+k")
        page.keyboard.type("BUS-7")
        choice = page.locator(".palette [role=option]").last
        expect(choice).to_contain_text("Filter by “BUS-7”")
        choice.click()
        self.wait_for_seq(page, 3)
        expect(page.locator("input.filter")).to_have_value("BUS-7")

    def test_says_what_to_do_on_a_server_of_files(self):
        page = self.open_page()
        self.has_text(page, "tt-cover h2", "No recording is open")
        self.has_text(page, "tt-cover", "This page comes from a server of files, not from debugd: open "
                      "a sample or a file here. To see your own programs live, run debugd open in a "
                      "terminal on their machine.")
        expect(page.locator("text=Open a timeline file")).to_be_visible()
        expect(page.locator("text=Try again now")).to_be_hidden()
        self.has_text(page, "tt-status .daemon", "no daemon")
        self.assertGreater(page.locator("tt-cover").bounding_box()["height"], 600)

    def test_says_what_is_wrong_with_a_file(self):
        with open(self.path("bad.timeline"), "w") as file:
            file.write("hello\n")
        page = self.open_page()
        page.set_input_files("input[type=file]", self.path("bad.timeline"))
        page.wait_for_selector(".notice.error")
        self.has_text(page, ".notice.error", "Line 1")
        torn = recordings.write(self.path("torn.timeline"), 20, tail='{"seq":20,"t"')
        page.set_input_files("input[type=file]", torn)
        page.wait_for_selector(".notice.warning")
        self.has_text(page, ".notice.warning", "13 bytes")

    def test_downloads_a_stretch_that_opens_again(self):
        page = self.open_page(self.file)
        self.go(page, 150)
        page.locator(".grid").focus()
        for _ in range(5):
            page.keyboard.press("Shift+ArrowDown")
        again = self.open_page(self.download(page, "stretch.timeline"))
        self.wait_for_seq(again, 155)
        expect(again.locator(".count")).to_have_text("6")


if __name__ == "__main__":
    unittest.main()
