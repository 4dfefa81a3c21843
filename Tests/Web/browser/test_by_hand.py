"""Mouse actions on the page: the wheel, drags, drops, splitters; and the same with keys."""

import base64
import pathlib
import re
import unittest

from playwright.sync_api import expect

from page import PageTest
import recordings

DESCRIBED = "document.querySelector('tt-timeline').dataset.described"
WIDTHS = """() => ["tt-events", ".middle", ".side"].map((part) =>
    Math.round(document.querySelector(part).getBoundingClientRect().width))"""

# Drops a file as the system does: moving the pointer cannot create the dropped file.
DROP = """([type, name, data]) => {
  const transfer = new DataTransfer();
  const bytes = Uint8Array.from(atob(data), (one) => one.charCodeAt(0));
  transfer.items.add(new File([bytes], name));
  const target = document.querySelector(".grid") ?? document.body;
  target.dispatchEvent(new DragEvent(type, {
    dataTransfer: transfer, bubbles: true, cancelable: true }));
}"""


class ByHand(PageTest):
    def setUp(self):
        self.file = recordings.write(self.path("commute.timeline"), 300)

    def open_file(self, **options):
        page = self.open_page(self.file, **options)
        self.wait_for_seq(page, 336)
        self.loaded(page)
        page.locator(".grid").focus()
        return page

    def described(self, page):
        self.drawn(page)
        return page.evaluate(DESCRIBED)

    def changes(self, page, before):
        self.until(page, f"before => {DESCRIBED} !== before", before)
        return self.described(page)

    def becomes(self, page, described):
        self.until(page, f"described => {DESCRIBED} === described", described)

    def at(self, page, share, y):
        """A point in the timeline: the overview strip is at 10, the lanes are at 60."""
        box = page.locator(".slider").bounding_box()
        return box["x"] + share * box["width"], box["y"] + y

    def test_zooms_by_keys_and_by_the_palette(self):
        page = self.open_file()
        whole = self.described(page)
        page.keyboard.press("+")
        zoomed = self.changes(page, whole)
        page.keyboard.press("-")
        self.becomes(page, whole)
        self.command(page, "zoom the timeline in")
        self.becomes(page, zoomed)
        self.command(page, "zoom the timeline out")
        self.becomes(page, whole)

    def test_shows_the_selection_in_the_timeline(self):
        page = self.open_file()
        self.go(page, 120)
        self.loaded(page)
        whole = self.described(page)
        page.keyboard.press("f")
        shown = self.changes(page, whole)
        page.locator(".slider").dblclick(position={"x": 200, "y": 60})
        self.becomes(page, whole)
        self.go(page, 120)
        self.command(page, "show the selection in the timeline")
        self.becomes(page, shown)

    def test_zooms_by_the_wheel_at_the_pointer(self):
        page = self.open_file()
        whole = self.described(page)
        page.mouse.move(*self.at(page, 0.5, 60))
        page.mouse.wheel(0, -600)
        zoomed = self.changes(page, whole)
        # Horizontal scrolling moves along the timeline.
        page.mouse.wheel(300, 0)
        moved = self.changes(page, zoomed)
        page.keyboard.down("Shift")
        page.mouse.wheel(0, -300)
        page.keyboard.up("Shift")
        self.changes(page, moved)
        # A double click shows all of it again.
        page.mouse.dblclick(*self.at(page, 0.5, 60))
        self.becomes(page, whole)

    def test_brushes_over_the_whole_recording(self):
        page = self.open_file()
        whole = self.described(page)
        page.mouse.move(*self.at(page, 0.5, 60))
        page.mouse.wheel(0, -900)
        part = self.changes(page, whole)
        seq = self.cursor(page)
        # The brush is dragged along the strip; the cursor stays.
        page.mouse.move(*self.at(page, 0.5, 8))
        page.mouse.down()
        page.mouse.move(*self.at(page, 0.3, 8), steps=4)
        page.mouse.up()
        moved = self.changes(page, part)
        self.assertEqual(self.cursor(page), seq)
        # A click next to it moves it there.
        page.mouse.click(*self.at(page, 0.9, 8))
        beside = self.changes(page, moved)
        # Dragging an edge makes it wider; here the edge is the end of the strip.
        page.mouse.dblclick(*self.at(page, 0.5, 60))
        self.becomes(page, whole)
        page.mouse.move(*self.at(page, 0, 8))
        page.mouse.down()
        page.mouse.move(*self.at(page, 0.4, 8), steps=4)
        page.mouse.up()
        self.assertNotIn(self.changes(page, whole), [part, moved, beside])

    def test_moves_the_splitters_by_pointer_and_by_keys(self):
        page = self.open_file()
        before = page.evaluate(WIDTHS)
        splitter = page.get_by_role("separator", name="Width of the events")
        box = splitter.bounding_box()
        x, y = box["x"] + box["width"] / 2, box["y"] + 200
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x + 120, y, steps=4)
        page.mouse.up()
        self.until(page, f"was => ({WIDTHS})()[0] > was[0] + 80", before)
        self.drawn(page)
        wide = page.evaluate(WIDTHS)
        self.assertAlmostEqual(wide[2], before[2], delta=4)
        share = int(splitter.get_attribute("aria-valuenow"))
        splitter.focus()
        page.keyboard.press("ArrowLeft")
        expect(splitter).to_have_attribute("aria-valuenow", str(share - 2))
        # While the splitter has the focus, it handles the arrows.
        self.assertEqual(self.cursor(page), 336)
        page.get_by_role("separator", name="Width of the state").focus()
        page.keyboard.press("ArrowLeft")
        self.until(page, f"was => ({WIDTHS})()[2] > was[2] + 8", wide)
        # No pane disappears, and the chosen sizes stay.
        for _ in range(60):
            page.keyboard.press("ArrowLeft")
        self.assertGreater(page.evaluate(WIDTHS)[1], 100)
        narrow = page.evaluate(WIDTHS)
        page.reload()
        page.wait_for_selector("tt-cover:not([hidden])")
        page.set_input_files("input[type=file]", self.file)
        page.wait_for_selector(".tree-row")
        self.until(page, f"was => Math.abs(({WIDTHS})()[2] - was[2]) < 4", narrow)

    def test_opens_a_file_that_is_dropped_on_the_page(self):
        page = self.open_page()
        data = base64.b64encode(pathlib.Path(self.file).read_bytes()).decode()
        page.evaluate(DROP, ["dragenter", "commute.timeline", data])
        page.wait_for_selector(".drop-target:visible")
        page.evaluate(DROP, ["dragleave", "commute.timeline", data])
        page.wait_for_selector(".drop-target", state="hidden")
        page.evaluate(DROP, ["dragenter", "commute.timeline", data])
        page.evaluate(DROP, ["drop", "commute.timeline", data])
        page.wait_for_selector(".tree-row")
        expect(page.locator(".drop-target")).to_be_hidden()
        self.wait_for_seq(page, 336)
        # Another file replaces the first one, without a notice, and without its filter.
        page.fill(".filter", "error != null")
        self.until(page, "/^\\d+ of/.test(document.querySelector('.count').textContent)")
        other = recordings.write(
            self.path("other.timeline"), 60, header=recordings.header(1, "other"))
        data = base64.b64encode(pathlib.Path(other).read_bytes()).decode()
        page.evaluate(DROP, ["drop", "other.timeline", data])
        self.until(page, "document.title.includes('other @')")
        expect(page.locator(".filter")).to_have_value("")
        expect(page.locator(".count")).to_have_text("60")
        self.assertEqual(page.locator(".notice").count(), 0)

    def test_chooses_a_file_by_key_by_the_palette_and_by_the_pointer(self):
        page = self.open_page()
        ways = [
            lambda: page.keyboard.press("Control+o"),
            lambda: self.command(page, "open a timeline file"),
            lambda: page.get_by_role("button", name="Open a timeline file…").click(),
            lambda: page.get_by_role("button", name="Open a timeline file", exact=True).click(),
        ]
        for way in ways[:3]:
            self.still(page)
            # Cancel it: an open file dialog blocks the next one.
            self.choose_file(page, way, [])
        self.choose_file(page, ways[0], self.file)
        page.wait_for_selector(".tree-row")
        self.still(page)
        self.choose_file(page, ways[3], [])

    def test_copies_a_link_to_the_moment(self):
        page = self.open_file()
        page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        self.go(page, 120)
        page.keyboard.press("Shift+C")
        page.wait_for_selector(".notice:has-text('Copied the link.')")
        link = page.evaluate("navigator.clipboard.readText()")
        self.assertRegex(link, r"^http://127.0.0.1:\d+/.*#timeline=.*&seq=120$")
        self.go(page, 130)
        self.command(page, "copy a link")
        self.until(page, "async () => (await navigator.clipboard.readText()).endsWith('seq=130')")

    def test_follows_causes_and_effects(self):
        page = self.open_file()
        self.go(page, 80)
        self.loaded(page)
        page.keyboard.press("[")
        self.wait_for_seq(page, 79)
        page.keyboard.press("]")
        self.wait_for_seq(page, 80)
        self.command(page, "cause of this entry")
        self.wait_for_seq(page, 79)
        self.command(page, "first effect")
        self.wait_for_seq(page, 80)
        self.press_command(page, "Cause of this entry")
        self.wait_for_seq(page, 79)
        page.keyboard.press("Home")
        page.keyboard.press("[")
        page.wait_for_selector(".notice:has-text('This entry names no entry as its cause.')")


class ByKeys(PageTest):
    """The values of the state, without a pointer."""

    def open_file(self, **options):
        page = self.open_page(
            recordings.write(self.path("commute.timeline"), 300), **options)
        self.go(page, 121)
        return page

    def choose(self, page, path):
        page.locator(".tree").focus()
        page.keyboard.press("Home")
        self.go(page, 121)
        page.locator(".tree").focus()
        for _ in range(60):
            if self.value(page, path).get_attribute("aria-selected") == "true":
                return
            page.keyboard.press("ArrowDown")
            self.drawn(page)
        self.fail(f"{path} was not reached by the arrows")

    def test_asks_who_set_a_value_pins_watches_and_copies(self):
        page = self.open_file()
        page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        self.choose(page, "/n")
        page.keyboard.press("Shift+P")
        page.wait_for_selector("tt-pin:not([hidden])")
        self.hash_of(page, "pin=/state/n")
        page.keyboard.press("Shift+P")
        page.wait_for_selector("tt-pin", state="hidden")
        page.keyboard.press("Shift+W")
        expect(page.locator("#tab-watch .chip")).to_have_text("1")
        page.keyboard.press("Shift+W")
        expect(page.locator("#tab-watch .chip")).to_be_hidden()
        page.keyboard.press("y")
        page.wait_for_selector(".notice:has-text('Copied the path: state.n')")
        self.assertEqual(page.evaluate("navigator.clipboard.readText()"), "state.n")
        page.keyboard.press("w")
        self.wait_for_seq(page, 120)

    def test_does_the_same_by_the_palette(self):
        page = self.open_file()
        self.choose(page, "/n")
        self.command(page, "pin or unpin")
        page.wait_for_selector("tt-pin:not([hidden])")
        self.command(page, "watch or stop")
        expect(page.locator("#tab-watch .chip")).to_have_text("1")
        self.command(page, "entry that set")
        self.wait_for_seq(page, 120)

    def test_a_key_acts_on_the_value_under_the_pointer(self):
        page = self.open_file()
        page.locator(".grid").focus()
        self.value(page, "/n").hover()
        page.keyboard.press("w")
        self.wait_for_seq(page, 120)
        expect(self.value(page, "/n")).to_have_attribute("aria-selected", "true")
        # The selected row comes first.
        self.value(page, "/big").hover()
        page.keyboard.press("Shift+P")
        expect(self.value(page, "/n")).to_contain_class("pinned")

    def test_asks_for_a_selected_value(self):
        page = self.open_file()
        page.locator(".grid").focus()
        page.keyboard.press("3")
        page.keyboard.press("w")
        page.wait_for_selector(".notice:has-text('First select a value of the state')")
        expect(page.locator("#tab-state")).to_have_attribute("aria-selected", "true")
        expect(page.locator(".tree")).to_be_focused()
        self.assertEqual(self.cursor(page), 121)

    def test_says_so_where_there_is_no_clipboard(self):
        page = self.open_file()
        page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
        self.choose(page, "/n")
        page.keyboard.press("y")
        page.wait_for_selector(".notice.warning:has-text('The path is state.n')")
        self.value(page, "/n").hover()
        self.act(page, "/big", "copy")
        page.wait_for_selector(".notice.warning:has-text('The path is state.big')")
        page.keyboard.press("Shift+C")
        page.wait_for_selector(".notice.warning:has-text('Copy the link from the address bar.')")

    def test_searches_the_state_by_key_by_palette_and_by_pointer(self):
        page = self.open_file()
        page.locator(".grid").focus()
        page.keyboard.press("5")
        page.keyboard.press("Shift+F")
        box = page.get_by_role("searchbox", name="Search in the state")
        expect(box).to_be_focused()
        page.keyboard.type("tram")
        self.until(page, "document.querySelectorAll('.tree-row:not([hidden])').length === 1")
        expect(page.locator(".tree-row:visible .tree-key")).to_have_text(
            re.compile(r"favorites\[1\]\.id"))
        # Go to the match.
        page.keyboard.press("Enter")
        expect(page.locator(".tree")).to_be_focused()
        page.keyboard.press("Shift+P")
        self.hash_of(page, "pin=/state/favorites/1/id")
        page.keyboard.press("Shift+F")
        expect(box).to_be_focused()
        page.keyboard.press("Escape")
        expect(box).to_be_hidden()
        self.until(page, "document.querySelectorAll('.tree-row:not([hidden])').length > 4")
        self.command(page, "search in the state")
        expect(box).to_be_focused()
        page.keyboard.press("Escape")
        page.get_by_role("button", name="Search in the state").click()
        expect(box).to_be_focused()


if __name__ == "__main__":
    unittest.main()
