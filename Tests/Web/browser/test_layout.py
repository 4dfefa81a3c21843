"""The page at common sizes: nothing is cut off, and touch targets are large enough."""

import unittest

from playwright.sync_api import expect

from page import PageTest
from shop import MAIN, event
from test_every_action import commands
from time_travel import TravelTest
import recordings

# Visible buttons and fields that stick out of an element, or of the window when there is none.
OUTSIDE = """(selector) => {
  const frame = selector
    ? document.querySelector(selector).getBoundingClientRect()
    : { left: 0, right: innerWidth };
  return [...document.querySelectorAll(`${selector ?? ""} :is(button, input, select)`)]
    .filter((one) => one.checkVisibility({ visibilityProperty: true }))
    .map((one) => [one, one.getBoundingClientRect()])
    .filter(([, box]) => box.width > 0 && (box.right > frame.right + 0.5 || box.left < frame.left))
    .map(([one]) => one.textContent.trim() || one.ariaLabel);
}"""

# Elements whose text is cut off.
CUT = """(selector) => [...document.querySelectorAll(selector)]
  .filter((one) => one.checkVisibility() && one.scrollWidth > one.clientWidth + 1)
  .map((one) => one.textContent)"""

SMALL = """() => [...document.querySelectorAll("button")]
  .filter((one) => one.checkVisibility({ visibilityProperty: true }))
  .map((one) => [one, one.getBoundingClientRect()])
  .filter(([, box]) => box.width > 0 && (box.height < 36 || box.width < 36))
  .map(([one, box]) => `${one.textContent.trim() || one.ariaLabel} ${box.width}x${box.height}`)"""


class Sizes(TravelTest):
    def test_the_editor_holds_its_buttons_at_every_width(self):
        page = self.open_page()
        self.go(page, 12)
        page.keyboard.press("e")
        page.wait_for_selector("tt-event-editor:visible")
        for width in 1440, 1340, 1200, 1024, 910:
            page.set_viewport_size({"width": width, "height": 800})
            self.drawn(page)
            self.assertEqual(page.evaluate(OUTSIDE, "tt-event-editor"), [], width)
            self.assertEqual(page.evaluate(OUTSIDE, "tt-event .edits"), [], width)
            self.assertEqual(page.evaluate(OUTSIDE, "tt-event .proofs"), [], width)

    def test_actions_are_in_order_of_frequency_with_their_keys(self):
        page = self.open_page()
        self.go(page, 12)
        buttons = page.locator("tt-event .acts button:visible")
        self.assertEqual([text.split("\n") for text in buttons.all_inner_texts()],
                         [["Edit", "e"], ["Skip", "x"], ["Insert…", "i"], ["Minimize…"], ["Export…"]])
        boxes = [button.bounding_box() for button in buttons.all()]
        # As they are read: from left to right in two lines.
        self.assertEqual(boxes, sorted(boxes, key=lambda box: (round(box["y"] / 12), box["x"])))
        self.assertEqual([button.get_attribute("title") for button in buttons.all()],
                         ["Edit (e)", "Skip (x)", "Insert… (i)", "Minimize… (⇧M)", "Export… (⇧E)"])
        page.keyboard.press("a")
        items = page.locator("tt-entry-menu [role=menuitem]:visible")
        expect(items.first).to_contain_text("Edit")
        titles, keys = commands()
        for item in items.all():
            command = item.get_attribute("data-command")
            shown = [titles[command], *(key.replace("Shift+", "⇧").upper() for key in keys[command][:1])]
            self.assertEqual([part.upper() for part in item.inner_text().split("\n")],
                             [part.upper() for part in shown])

    def test_a_clicked_field_has_the_focus_in_the_editor(self):
        page = self.open_page()
        self.go(page, 12)
        field = page.locator("tt-event .field-value[data-field*=count]")
        field.click()
        expect(self.field(page, "count")).to_be_focused()
        # What is typed replaces the value that was pressed.
        page.keyboard.type("7")
        expect(self.field(page, "count")).to_have_value("7")
        page.keyboard.press("Escape")
        # Leaving the editor moves the focus, too.
        expect(page.locator("tt-event-editor")).to_be_hidden()
        expect(page.locator(".grid").first).to_be_focused()
        field.focus()
        page.keyboard.press("Enter")
        expect(self.field(page, "count")).to_be_focused()

    def test_a_phone_shows_all_tabs_and_the_machine(self):
        page = self.open_page(size=(390, 844), has_touch=True)
        tabs = page.locator("[role=tab]:visible")
        expect(tabs).to_have_count(8)
        for tab in tabs.all():
            box = tab.bounding_box()
            self.assertTrue(0 <= box["x"] and box["x"] + box["width"] <= 390, tab.text_content())
        expect(page.locator("tt-status .machine-here")).to_have_text("cart")
        for tab in "state", "events", "event", "machines":
            page.click(f"#tab-{tab}")
            self.drawn(page)
            self.assertEqual(page.evaluate(SMALL), [], tab)

    def test_the_ring_of_a_branch_does_not_cross_the_line_below(self):
        page = self.open_page()
        page.keyboard.press("b")
        name = page.locator(".branch-open").first
        name.wait_for()
        self.tab_to(page, ".branch-open")
        self.assertTrue(name.evaluate("(one) => one === document.activeElement"))
        style = name.evaluate("""(one) => {
          const { outlineOffset, outlineWidth } = getComputedStyle(one);
          return one.getBoundingClientRect().bottom + parseFloat(outlineOffset) + parseFloat(outlineWidth);
        }""")
        self.assertLessEqual(style, page.locator(".branch-words").first.bounding_box()["y"])

    def test_a_phone_has_room_for_new_entries_and_names_of_lanes(self):
        page = self.open_page(size=(390, 844))
        self.go(page, 20)
        main = self.daemon.timelines[MAIN]
        for _ in range(12):
            main.add(event("checkedOut"))
            self.daemon.now(self.daemon.grew(main))
        expect(page.locator(".live .chip")).to_have_text("12 new")
        self.act(page, "/total", "pin")
        self.leave(page)
        for width in 390, 360:
            page.set_viewport_size({"width": width, "height": 844})
            self.drawn(page)
            self.assertEqual(page.evaluate(OUTSIDE, None), [], width)
            self.assertLessEqual(page.evaluate("document.documentElement.scrollWidth"), width)
        expect(page.locator(".value-lane .lane-name")).to_be_visible()

    def test_twice_the_size_cuts_nothing_off(self):
        page = self.open_page(size=(720, 450))
        self.assertEqual(page.evaluate(OUTSIDE, None), [])
        self.assertGreater(page.locator(".filter-box").bounding_box()["width"], 120)
        # A pinned value leaves room for the state, and the event is not squeezed between two panes.
        self.act(page, "/total", "pin")
        page.wait_for_selector("tt-pin:visible")
        self.drawn(page)
        self.assertGreater(page.locator(".tree").bounding_box()["height"], 4 * 22)
        page.click("#tab-event")
        field = page.locator("tt-event .field-value").last
        field.scroll_into_view_if_needed()
        self.assertGreater(page.locator(".side").bounding_box()["height"], 100)
        expect(field).to_be_in_viewport(ratio=1)

    def test_branches_have_their_names_on_a_phone_and_their_outcome_at_twice_the_size(self):
        page = self.open_page(size=(720, 450))
        self.go(page, 20)
        page.keyboard.press("x")
        self.has_text(page, ".strip-outcome", "Ends in the same state.")
        self.assertEqual(page.evaluate(CUT, ".strip-outcome"), [])
        page.keyboard.press("x")
        self.has_text(page, ".strip-what", "a branch of without added 20")
        self.has_text(page, ".strip-outcome", "state")
        for width in 1440, 1280, 1024, 910, 720:
            page.set_viewport_size({"width": width, "height": 800})
            self.drawn(page)
            self.assertEqual(page.evaluate(CUT, "tt-branch-strip *"), [], width)
        page.keyboard.press("u")
        self.until(page, "document.querySelector('.strip-what b').textContent === 'Without added 20'")
        page.set_viewport_size({"width": 390, "height": 844})
        page.keyboard.press("b")
        self.has_text(page, ".branch-list .on .branch-name", "without added 20")
        self.drawn(page)
        self.assertEqual(page.evaluate(CUT, ".branch-name"), [])

    def test_the_buttons_of_a_row_are_above_the_cursor_of_the_sparklines(self):
        page = self.open_page(size=(1024, 700))
        self.go(page, 13)
        row = self.value(page, "/total")
        row.hover()
        self.drawn(page)
        self.assertTrue(page.evaluate("""() => {
          const head = document.querySelector(".spark-head");
          const row = document.querySelector('.tree-row[data-path="/total"]');
          const { left, bottom } = row.getBoundingClientRect();
          const x = head.getBoundingClientRect().left;
          head.style.pointerEvents = "all";
          head.firstElementChild.style.strokeWidth = 20;
          return row.contains(document.elementFromPoint(Math.max(x, left + 1), bottom - 8));
        }"""))

    def test_space_plays_also_after_a_click(self):
        page = self.open_page()
        self.go(page, 12)
        page.click(".bar .previous")
        self.wait_for_seq(page, 11)
        page.keyboard.press("Space")
        page.wait_for_selector('.play[aria-label="Pause"]')
        page.keyboard.press("Space")
        page.wait_for_selector('.play[aria-label="Play"]')
        # Also after a window that a click opened, which gives the focus back to its button.
        page.click("tt-toolbar .host")
        page.wait_for_selector(".window[open]")
        page.keyboard.press("Escape")
        page.wait_for_selector(".window[open]", state="hidden")
        page.keyboard.press("Space")
        page.wait_for_selector('.play[aria-label="Pause"]')

    def test_a_row_of_the_comparison_is_chosen_although_the_list_moves(self):
        page = self.open_page()
        self.compare_changed(page)
        page.wait_for_selector(".compare-row.first-difference")
        # What is above the rows comes later, and moves them.
        self.has_text(page, ".compare-verdict", "first difference at 12")
        self.has_text(page, ".compare-head", "total")
        self.drawn(page)
        chosen = page.locator('.compare-row[aria-selected="true"]')
        first = int(chosen.get_attribute("data-place"))
        box = page.locator(f'.compare-row[data-place="{first + 3}"]').bounding_box()
        page.mouse.move(box["x"] + 60, box["y"] + 8)
        page.mouse.down()
        page.evaluate("document.querySelector('.compare-grid').scrollTop += 52")
        self.drawn(page)
        page.mouse.up()
        expect(chosen).to_have_attribute("data-place", str(first + 3))


class Values(PageTest):
    def test_the_events_of_a_common_window_are_readable(self):
        page = self.visit(self.new_context(),
                          f"http://127.0.0.1:{self.server.server_address[1]}/index.html?sample=basket")
        self.wait_for_seq(page, 29)
        self.assertEqual(page.evaluate(CUT, '.row[data-seq="18"] .name'), [])

    def test_a_changed_value_stays_readable_under_the_pointer(self):
        page = self.visit(self.new_context(bypass_csp=True),
                          f"http://127.0.0.1:{self.server.server_address[1]}/index.html?sample=basket")
        self.wait_for_seq(page, 29)
        # Both values have four digits.
        self.go(page, 20)
        for width in 1440, 1340, 1200, 1199, 1150, 1101:
            page.set_viewport_size({"width": width, "height": 800})
            self.value(page, "/totalCents").hover()
            self.drawn(page)
            self.assertEqual(page.evaluate("""() => {
              const row = document.querySelector('.tree-row[data-path="/totalCents"]');
              const edge = row.closest(".panel, [role=tabpanel]").getBoundingClientRect().right;
              return [...row.querySelectorAll(".old, .tree-value, .row-end, .spark-row")]
                .filter((one) => one.checkVisibility())
                .filter((one) => one.scrollWidth > one.clientWidth + 1 ||
                  one.getBoundingClientRect().right > edge + 0.5)
                .map((one) => `${one.getAttribute("class")}: ${one.textContent}`);
            }"""), [], width)


    def test_a_negative_old_value_keeps_its_sign(self):
        page = self.visit(self.new_context(),
                          f"http://127.0.0.1:{self.server.server_address[1]}/index.html?sample=basket")
        self.wait_for_seq(page, 29)
        old = self.value(page, "/totalCents").locator(".old")
        expect(old).to_have_text("199")
        # A line through a number looks like a minus sign, and hides one.
        expect(old).to_have_css("text-decoration-line", "none")
        page.keyboard.press("2")
        expect(page.locator(".diff-line del").last).to_have_css("text-decoration-line", "none")

    def test_what_is_known_of_a_pinned_value_is_readable(self):
        page = self.open_page(recordings.write(self.path("pinned.timeline"), 300))
        self.act(page, "/favorites/0", "pin")
        self.has_text(page, "tt-pin", "unknown")
        self.assertEqual(page.evaluate(CUT, "tt-pin p > .muted"), [])
        # In one line.
        self.assertLess(page.locator("tt-pin p").bounding_box()["height"], 34)


class LongNames(PageTest):
    def entries(self):
        name = "anEventWithAnExtraordinarilyLongNameThatEndsIn"
        yield {"seq": 0, "t": 0, "state": {"n": 0}, "outputState": {"output" * 12: 0}}
        for seq in range(1, 9):
            yield {"seq": seq, "t": seq, "event": {f"{name}{seq}": {}},
                   "patch": [{"op": "replace", "path": "/n", "value": seq}],
                   "outputs": [{"op": "replace", "path": "/" + "output" * 12, "value": seq}]}

    def ends(self, page, selector):
        """The last characters of the names of events."""
        names = page.locator(selector).all_text_contents()
        return {name[-1] for name in names if name.startswith("an")}

    def test_their_ends_stay_in_view(self):
        page = self.open_page(recordings.write(
            self.path("long.timeline"), 0, entries=self.entries(),
            header={key: value for key, value in recordings.HEADER.items() if key != "lanes"}))
        for width in 1440, 1280:
            page.set_viewport_size({"width": width, "height": 800})
            for selector in ".row:not([hidden]) .label", ".lane-name":
                self.comes(page, lambda: self.ends(page, selector) == set("12345678"),
                           f"the names of {selector} end as they do, {width} pixels wide")
            self.drawn(page)
            # Nothing is cut off at the end.
            self.assertEqual(page.evaluate("""() => [...document.querySelectorAll(
                ".row:not([hidden]) .name, .lane-name, .output-row .is")]
              .filter((one) => one.scrollWidth > one.clientWidth + 1 ||
                one.getBoundingClientRect().right > innerWidth)
              .map((one) => one.textContent)"""), [], width)

    def test_a_phone_shows_the_machine_of_a_file_with_a_long_name(self):
        page = self.open_page(recordings.write(
            self.path("a-file-with-quite-a-long-name.timeline"), 0, entries=self.entries()),
            size=(390, 844))
        expect(page.locator("tt-status .machine-here")).to_have_text("favorites")
        self.assertEqual(page.evaluate(CUT, "tt-status .machine-here, tt-status > span:not(.sr-only)"), [])
        self.assertEqual(page.evaluate(OUTSIDE, None), [])

    def test_they_are_whole_in_the_chart(self):
        page = self.open_page(recordings.write(
            self.path("chart.timeline"), 0, entries=self.entries(),
            header={key: value for key, value in recordings.HEADER.items() if key != "lanes"}))
        page.keyboard.press("4")
        self.has_text(page, ".observed >> nth=0", "EndsIn8")
        self.drawn(page)
        self.assertEqual(page.evaluate(CUT, ".observed-name, .observed-next, .observed-next .chip"), [])
        chips = page.locator(".observed-next .chip").all_text_contents()
        self.assertTrue(all(chip.strip()[:-2].endswith(f"{seq}") for seq, chip in enumerate(chips, 2)),
                        chips)


class LongArrays(PageTest):
    def test_a_change_in_a_long_array_is_on_its_line(self):
        lists = [list(range(40)), [*range(30), 99, *range(31, 40)], list(range(1, 40))]
        entries = [{"seq": 0, "t": 0, "state": {"list": lists[0]}}] + [
            {"seq": seq, "t": seq, "event": {"changed": {}},
             "patch": [{"op": "replace", "path": "/list", "value": lists[seq]}]} for seq in (1, 2)]
        page = self.open_page(recordings.write(self.path("array.timeline"), 0, entries=entries))
        row = self.value(page, "/list")
        self.go(page, 1)
        expect(row.locator(".old")).to_have_text("[…, 29, 30, …]")
        expect(row.locator(".tree-value")).to_have_text("[…, 29, 99, …]")
        # Also where its elements are shown below it.
        if row.get_attribute("aria-expanded") != "true":
            row.locator(".twist").click()
        expect(row).to_have_attribute("aria-expanded", "true")
        expect(row.locator(".tree-value")).to_have_text("[…, 29, 99, …]")
        self.assertEqual(page.evaluate(CUT, '.tree-row[data-path="/list"] .tree-value'), [])


class Finding(PageTest):
    def test_enter_goes_to_the_first_match(self):
        page = self.open_page(recordings.write(self.path("matches.timeline"), 300))
        page.keyboard.press("/")
        page.keyboard.type("t > 100000")
        page.keyboard.press("Enter")
        self.until(page, "document.querySelector('.count').textContent.includes(' of ')")
        self.until(page, """Math.min(...[...document.querySelectorAll(".row:not([hidden])")]
            .map((row) => +row.dataset.seq)) === +document.querySelector(".slider").ariaValueNow""")
        first = self.cursor(page)
        self.assertGreater(first, 0)
        page.keyboard.press(".")
        self.until(page, "(seq) => +document.querySelector('.slider').ariaValueNow > seq", first)

    def test_branches_of_long_names_show_their_ends_in_the_list(self):
        header = recordings.header(0, "garageDoorOpenerOfTheHouse 17")
        page = self.open_page(recordings.write(self.path("ends.timeline"), 0, header=header,
                                               entries=list(recordings.lines(40))))
        name = page.locator(".machine-name:visible").first
        name.evaluate("element => element.style.maxWidth = '90px'")
        ends = name.evaluate("""element => {
            const [start, end] = [...element.children];
            return [element.getBoundingClientRect().right - end.getBoundingClientRect().right,
                    start.scrollWidth > start.clientWidth, end.scrollWidth > end.offsetWidth,
                    end.textContent];
        }""")
        self.assertGreaterEqual(ends[0], 0)
        self.assertEqual(ends[1:], [True, False, "eHouse 17"])

    def test_the_palette_finds_values_and_machines(self):
        page = self.open_page(recordings.write(self.path("palette.timeline"), 40))
        self.go(page, 12)
        self.command(page, "state.n")
        page.wait_for_selector('.tree-row.active[data-path="/n"]')
        page.keyboard.press("Control+k")
        page.keyboard.type("go to 20")
        page.keyboard.press("Enter")
        self.wait_for_seq(page, 20)
        name = page.locator(".machine-name:visible").first.text_content()
        page.keyboard.press("Control+k")
        page.keyboard.type(name)
        self.has_text(page, ".palette-list", "machine of")


if __name__ == "__main__":
    unittest.main()
