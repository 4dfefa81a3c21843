"""Controls without a command, such as a row, a toggle, or a notice: with the pointer and with keys. Tab
reaches everything that can be pressed."""

import unittest

from playwright.sync_api import expect

from page import PageTest
import recordings

# Everything in a part of the page that can be pressed or typed into; of radio buttons, the checked one.
PRESSABLE = """(part) => [...document.querySelector(part).querySelectorAll(
    "button, input, select, textarea, [tabindex]")]
  .filter((one) => one.checkVisibility() && one.tabIndex >= 0 && !one.disabled &&
    !(one.type === "radio" && !one.checked) && !one.closest("[inert]"))"""


class Parts(PageTest):
    def open_file(self):
        page = self.open_page(recordings.write(self.path("commute.timeline"), 300))
        self.wait_for_seq(page, 336)
        self.loaded(page)
        return page

    def pressed(self, page, selector, effect):
        """Presses a button with the pointer, with Enter, and with Space."""
        button = page.locator(selector)
        for press in (button.click, lambda: button.press("Enter"), lambda: button.press(" ")):
            with self.subTest(selector):
                press()
                effect()

    def test_toggles_the_columns_of_rows(self):
        page = self.open_file()
        time = page.locator(".row.on:visible .time")
        delta = time.text_content()
        said = [delta]

        def changes():
            expect(time).not_to_have_text(said[-1])
            said.append(time.text_content())

        self.pressed(page, "tt-events .toggle >> nth=0", changes)
        self.assertEqual(said[0], said[2])
        self.assertNotEqual(said[0], said[1])
        chips = page.locator(".row .chip.output").locator("visible=true")
        seen = [True]

        def appears():
            seen.append(not seen[-1])
            (expect(chips).not_to_have_count if seen[-1] else expect(chips).to_have_count)(0)

        self.pressed(page, "tt-events .toggle >> nth=1", appears)

    def test_walks_and_selects_in_the_list(self):
        page = self.open_file()
        self.go(page, 200)
        page.locator(".grid").focus()
        for key, seq in (("ArrowDown", 201), ("ArrowUp", 200)):
            page.keyboard.press(key)
            self.wait_for_seq(page, seq)
        page.keyboard.press("PageUp")
        self.until(page, "+document.querySelector('.slider').ariaValueNow < 195")
        above = self.cursor(page)
        page.keyboard.press("PageDown")
        self.wait_for_seq(page, 200)
        self.assertLess(above, 195)
        page.locator('.row[data-seq="197"]').click()
        self.wait_for_seq(page, 197)

    def test_opens_and_closes_values(self):
        page = self.open_file()
        self.go(page, 120)
        row = '.tree-row[data-path="/favorites/0"]:visible'
        inside = self.value(page, "/favorites/0/on")
        expect(inside).to_have_count(0)
        for part in ".twist", ".tree-key":
            page.locator(f"{row} {part}").click()
            expect(inside).to_have_count(1)
            page.locator(f"{row} {part}").click()
            expect(inside).to_have_count(0)
        # It is selected now: the same with keys.
        for opens, closes in (("ArrowRight", "ArrowLeft"), ("Enter", "Enter")):
            page.locator(".tree").press(opens)
            expect(inside).to_have_count(1)
            page.locator(".tree").press(closes)
            expect(inside).to_have_count(0)
        self.assertEqual(self.cursor(page), 120)

    def test_copies_a_path_by_the_pointer(self):
        page = self.open_file()
        page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        self.go(page, 120)
        self.act(page, "/big", "copy")
        page.wait_for_selector(".notice:has-text('Copied the path: state.big')")
        self.assertEqual(page.evaluate("navigator.clipboard.readText()"), "state.big")

    def test_follows_a_value_and_stops(self):
        page = self.open_file()
        for press in (lambda name: page.locator(f"tt-pin button{name}").click(),
                      lambda name: page.locator(f"tt-pin button{name}").press("Enter")):
            self.go(page, 122)
            self.act(page, "/n", "pin")
            page.wait_for_selector("tt-pin:has-text('changed')")
            press(":has-text('previous')")
            self.wait_for_seq(page, 120)
            press(":has-text('next')")
            self.wait_for_seq(page, 122)
            press("[aria-label^='Unpin']")
            page.wait_for_selector("tt-pin", state="hidden")

    def test_goes_from_watched_values_and_along_the_tabs(self):
        page = self.open_file()
        self.go(page, 120)
        self.act(page, "/n", "watch")
        page.click("#tab-watch")
        page.locator(".watch-table tbody tr", has_text="118").click()
        self.until(page, "document.querySelector('.watch-table tr.on').textContent"
                         ".startsWith('118')")
        page.locator("#tab-watch").press("ArrowLeft")
        page.wait_for_selector("#panel-chart:visible")
        page.locator("#tab-chart").press("Home")
        page.wait_for_selector("#panel-state:visible")
        self.wait_for_seq(page, 118)

    def test_folds_an_app_and_dismisses_a_notice(self):
        page = self.open_file()
        machine = page.locator(".machine:visible")
        page.locator(".source.app:visible").click()
        expect(machine).to_have_count(0)
        page.locator(".source-list").press("ArrowRight")
        expect(machine).to_have_count(1)
        page.locator(".source-list").press("ArrowLeft")
        expect(machine).to_have_count(0)
        page.locator(".source-list").press("Enter")
        expect(machine).to_have_count(1)
        torn = recordings.write(self.path("torn.timeline"), 20, tail='{"seq":20,"t"')
        for press in (lambda: page.click("[aria-label=Dismiss]"),
                      lambda: page.locator("[aria-label=Dismiss]").press("Enter")):
            page.set_input_files("input[type=file]", torn)
            page.wait_for_selector(".notice.warning")
            press()
            page.wait_for_selector(".notice", state="detached")

    def test_scrubs_by_a_drag(self):
        page = self.open_file()
        box = page.locator(".slider").bounding_box()
        page.mouse.move(box["x"] + box["width"] * 0.2, box["y"] + 60)
        page.mouse.down()
        self.until(page, "+document.querySelector('.slider').ariaValueNow < 150")
        page.mouse.move(box["x"] + box["width"] * 0.8, box["y"] + 60, steps=6)
        self.until(page, "+document.querySelector('.slider').ariaValueNow > 230")
        page.mouse.up()
        seq = self.cursor(page)
        self.wait_for_seq(page, seq)
        # The slider also works with keys.
        page.locator(".slider").press("ArrowLeft")
        self.wait_for_seq(page, seq - 1)

    def test_scrubs_by_the_label_of_the_cursor_and_in_the_strip(self):
        page = self.open_file()
        box = page.locator(".slider").bounding_box()

        def at(share):
            return box["x"] + box["width"] * share

        page.mouse.click(at(0.5), box["y"] + 60)
        self.until(page, "+document.querySelector('.slider').ariaValueNow > 150")
        seq = self.cursor(page)
        self.wait_for_seq(page, seq)
        page.mouse.move(at(0.5) + 10, box["y"] + 10)
        page.mouse.down()
        page.mouse.move(at(0.5) + 11, box["y"] + 10)
        page.mouse.move(at(0.8), box["y"] + 10, steps=6)
        self.until(page, "+document.querySelector('.slider').ariaValueNow > 230")
        page.mouse.up()
        # The strip shows the same time as the lanes, so there is nothing to move there.
        page.mouse.click(at(0.2), box["y"] + 25)
        self.until(page, "+document.querySelector('.slider').ariaValueNow < 100")

    def test_tab_reaches_everything_that_can_be_pressed(self):
        page = self.open_file()
        self.tabs_through(page, "body")
        for key, part in (("Shift+E", "tt-export dialog"), ("v", "tt-prove dialog"),
                          ("Shift+M", "tt-prove dialog"), ("b", "tt-branches dialog")):
            page.locator(".grid").focus()
            page.keyboard.press(key)
            page.wait_for_selector(f"{part}[open]")
            self.tabs_through(page, part)
            page.keyboard.press("Escape")
            page.wait_for_selector(f"{part}[open]", state="hidden")

    def tabs_through(self, page, part):
        """Presses Tab until it wraps around; returns what it never reached."""
        self.drawn(page)
        page.evaluate(f"""() => {{
          window.left = new Set(({PRESSABLE})("{part}"));
          window.all = window.left.size;
        }}""")
        self.assertGreater(page.evaluate("all"), 1)
        for _ in range(page.evaluate("all") * 2 + 10):
            page.evaluate("left.delete(document.activeElement)")
            if page.evaluate("left.size") == 0:
                return
            page.keyboard.press("Tab")
        self.fail(page.evaluate("[...left].map((one) => one.outerHTML.slice(0, 120)).join('\\n')"))


if __name__ == "__main__":
    unittest.main()
