"""The controls of windows, strips, and the editor: with the pointer, and with keys."""

import re
import unittest

from playwright.sync_api import expect

from time_travel import TravelTest

SELECTED = "document.querySelector('.compare-row[aria-selected=true]').dataset.place"


class Windows(TravelTest):
    def skip(self, page, seq=20):
        self.go(page, seq)
        page.keyboard.press("x")
        self.shows_branch(page, f"Without {seq}", at=seq)

    def presses(self, page):
        """With the pointer, and with a key on the focused element."""
        def by_enter(selector):
            # A key on a button that is disabled until the next frame would do nothing.
            expect(page.locator(selector)).to_be_visible()
            expect(page.locator(selector)).to_be_enabled()
            page.locator(selector).press("Enter")

        return lambda selector: page.locator(selector).click(), by_enter

    def test_branches_by_the_pointer_and_by_keys(self):
        page = self.open_page()
        self.skip(page)
        rows = ".branch-list li >> nth=1 >> "
        for name, press in zip(("one", "two"), self.presses(page)):
            page.keyboard.press("b")
            press(f"{rows}[data-tool=edit]")
            page.keyboard.type(name)
            press(".window-ask button:has-text('Rename')")
            page.wait_for_selector(f".branch-list li:has-text('{name}')")
            press(f"{rows}[data-tool=compare]")
            page.wait_for_selector("tt-compare .window[open]")
            press("tt-compare [aria-label=Close]")
            page.wait_for_selector(".window[open]", state="hidden")
            page.keyboard.press("b")
            press(".branch-list li >> nth=0 >> .branch-open")
            self.shows_main(page, at=59)
            page.keyboard.press("b")
            press(f"{rows}.branch-open")
            page.wait_for_selector("tt-branch-strip:visible")
        page.keyboard.press("b")
        page.locator(f"{rows}[data-tool=trash]").press("Enter")
        page.wait_for_selector(".window-ask .danger")
        # The confirmation has the focus: Enter confirms.
        page.keyboard.press("Enter")
        self.until(page, "document.querySelectorAll('.branch-list li').length === 1")

    def test_compares_by_the_pointer_and_by_keys(self):
        page = self.open_page()
        self.compare_changed(page)
        page.wait_for_selector(".compare-row.first-difference[aria-selected=true]")
        first = page.evaluate(SELECTED)
        grid = page.locator(".compare-grid")
        # The values that differ most have columns, and equal values are shown once.
        value = page.locator(".compare-row.first-difference .compare-value")
        expect(value).to_have_attribute("aria-label", re.compile(r"^total: \d+ → \d+$"))
        equal = page.locator(".compare-value.equal").first
        expect(equal).to_have_attribute("aria-label", re.compile(r"^total: \d+ on both sides$"))

        def selects(press, which):
            press()
            self.until(page, f"([which, first]) => ({SELECTED} === first) === which",
                       [which, first])

        for onward, back, to_first in (
                (lambda: grid.press("n"), lambda: grid.press("p"), lambda: grid.press("f")),
                (lambda: page.click("text=Next difference"),
                 lambda: page.click("[aria-label='Previous difference']"),
                 lambda: page.click("[aria-label='First difference']"))):
            selects(onward, False)
            selects(back, True)
            selects(onward, False)
            selects(to_first, True)
        selects(lambda: grid.press("ArrowDown"), False)
        selects(lambda: grid.press("ArrowUp"), True)
        selects(lambda: page.locator(f'.compare-row[data-place="{int(first) + 2}"]').click(), False)
        self.has_text(page, ".compare-right .tree-title", "from 14 on the left to 14")
        # Swap the sides with the button, and with the lists.
        left = page.get_by_label("Left").locator("xpath=descendant-or-self::select")
        main = left.input_value()
        page.click("text=Swap")
        self.until(page, "main => document.querySelectorAll('.compare-bar select')[1].value"
                         " === main", main)
        # Keys do nothing until the new lines are there; those of the last comparison stay for a frame.
        self.drawn(page)
        page.wait_for_selector(".compare-row.first-difference[aria-selected=true]")
        grid.press("Home")
        grid.press("Enter")
        self.until(page, "document.querySelector('tt-branch-strip').hidden")
        page.wait_for_selector(".window[open]", state="hidden")

    def test_windows_are_closed_in_every_way(self):
        page = self.open_page()
        self.go(page, 20)
        for key in "b", "v", "Shift+E", "Control+k":
            for way in "escape", "outside", "button":
                if key == "Control+k" and way == "button":
                    continue
                with self.subTest(f"{key}, {way}"):
                    page.locator(".grid").focus()
                    page.keyboard.press(key)
                    page.wait_for_selector("dialog[open]")
                    if way == "escape":
                        page.keyboard.press("Escape")
                    elif way == "outside":
                        page.mouse.click(4, 400)
                    else:
                        page.click("dialog[open] [aria-label=Close]")
                    page.wait_for_selector("dialog[open]", state="hidden")
                    page.keyboard.press("ArrowRight")
                    self.wait_for_seq(page, 21)
                    page.keyboard.press("ArrowLeft")
                    self.wait_for_seq(page, 20)

    def test_chooses_what_to_export_by_arrows(self):
        page = self.open_page()
        page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        page.keyboard.press("Shift+E")
        page.wait_for_selector(".preview .token-string")
        chosen = page.locator("input[name=export-format]:checked")
        chosen.focus()
        for format in "xctest", "quick", "json":
            page.keyboard.press("ArrowDown")
            expect(chosen).to_have_value(format)
            self.comes(page, lambda: self.daemon.of("export")[-1]["format"] == format, format)
        for press in self.presses(page):
            page.evaluate("navigator.clipboard.writeText('nothing')")
            press("tt-export button:has-text('Copy')")
            self.until(page, "navigator.clipboard.readText()"
                             ".then((text) => text.startsWith('{\"events\"'))")
        with page.expect_download() as download:
            page.locator("tt-export .main").press("Enter")
        self.assertEqual(download.value.suggested_filename, "Cart.json")

    def test_leaves_the_editor_and_shows_json(self):
        page = self.open_page()
        self.go(page, 20)
        for press in self.presses(page):
            page.locator(".grid").focus()
            page.keyboard.press("e")
            press("tt-event-editor button:has-text('JSON')")
            page.wait_for_selector(".editor-json:visible")
            press("tt-event-editor button:has-text('Form')")
            self.field(page, "count").fill("8")
            press("tt-event-editor button:has-text('Revert')")
            expect(self.field(page, "count")).to_have_value("1")
            press("tt-event-editor [aria-label='Discard the changes']")
            page.wait_for_selector("tt-event-editor", state="hidden")
        # Clicking a value edits it.
        page.locator("tt-event .fields .field-value").first.click()
        page.wait_for_selector("tt-event-editor:visible")
        page.keyboard.press("Escape")
        page.wait_for_selector("tt-event-editor", state="hidden")

    def test_cancels_a_request_in_progress(self):
        self.daemon.slow["fork"] = 1_000

        def cancel_count():
            # The page also cancels requests by itself.
            ended = {one["request"] for one in self.daemon.of("cancel")}
            return sum(one["id"] in ended for one in self.daemon.of("fork"))

        page = self.open_page()
        for count, press in enumerate(self.presses(page), 1):
            self.go(page, 20)
            page.keyboard.press("x")
            self.comes(page, lambda: len(self.daemon.of("fork")) == count, "a branch is asked for")
            press("tt-jobs [aria-label=Cancel]:visible")
            page.wait_for_selector("tt-jobs .job", state="hidden")
            self.comes(page, lambda: cancel_count() == count, "the daemon receives the cancellation")
        self.shows_main(page, at=20)

    def test_chooses_in_the_palette_by_arrows_and_by_the_pointer(self):
        page = self.open_page()
        self.go(page, 20)
        page.keyboard.press("Control+k")
        page.keyboard.type("show the")
        second = page.locator(".palette [role=option] >> nth=1")
        title = second.locator(".choice-title").text_content()
        self.assertEqual(title, "Show the branches…")
        page.keyboard.press("ArrowDown")
        expect(second).to_have_attribute("aria-selected", "true")
        for press in (lambda: page.keyboard.press("Enter"), lambda: second.click()):
            press()
            page.wait_for_selector("tt-branches .window[open]")
            page.keyboard.press("Escape")
            page.wait_for_selector(".window[open]", state="hidden")
            page.keyboard.press("Control+k")
            page.keyboard.type("show the")


if __name__ == "__main__":
    unittest.main()
