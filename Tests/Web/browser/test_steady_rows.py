"""The element of a row stays with what it shows while others appear above it: a click that was aimed
at it, by a reader, a script, or a screen reader, must not reach something else."""

import unittest

from playwright.sync_api import expect

from shop import Timeline, added
from time_travel import TravelTest


class SteadyRows(TravelTest):
    def announce(self, name, minute, app="Other"):
        """A machine that appears while the page is open, of a run of its own."""
        header = self.main.header | {
            "timeline": f"0b9f3c52-6d1e-4c7a-9a57-1f2e3d4c5c{minute:02}",
            "app": {"name": app, "pid": 100 + minute},
            "machine": self.main.header["machine"] | {"name": name},
            "started": f"2026-05-03T08:{minute:02}:00Z"}
        timeline = Timeline(header, self.main.states[0])
        timeline.extra = {"live": True}
        self.daemon.timelines[header["timeline"]] = timeline
        self.daemon.now(self.daemon.broadcast({"type": "timeline", "timeline": timeline.summary()}))

    @property
    def main(self):
        return next(iter(self.daemon.timelines.values()))

    def test_a_machine_keeps_its_element_while_others_appear_above(self):
        page = self.open_page()
        self.announce("first", 1)
        machine = page.locator(".machine:visible", has_text="first")
        machine.wait_for()
        element, key = machine.element_handle(), machine.get_attribute("data-key")
        for minute in 2, 3, 4:
            self.announce(f"machine {minute}", minute, app=f"Above {minute}")
        self.until(page, "document.querySelectorAll('.app:not([hidden])').length === 5")
        self.assertEqual(element.get_attribute("data-key"), key)
        element.click()
        self.until(page, "document.title.startsWith('Other › first')")
        # A search hides the others; the machine that is found is still in its element.
        page.fill(".source-search", "first")
        self.until(page, "document.querySelectorAll('.machine:not([hidden])').length === 1")
        self.assertEqual(element.get_attribute("data-key"), key)

    def test_rows_stay_under_the_pointer_while_apps_begin(self):
        page = self.open_page()
        self.announce("first", 1)
        machine = page.locator(".machine:visible", has_text="first")
        machine.hover()
        place = self.place_in_list(machine)
        for minute in 2, 3, 4:
            self.announce(f"machine {minute}", minute, app=f"Above {minute}")
        # What the row says of its machine goes on; it comes after the others.
        first = self.timeline_named("first")
        first.add(added("fig", 3))
        self.daemon.now(self.daemon.broadcast({"type": "timeline", "timeline": first.summary()}))
        expect(machine.locator(".entries")).to_have_text("2")
        self.drawn(page)
        self.assertEqual(self.place_in_list(machine), place)
        expect(page.locator(".app:visible")).to_have_count(2)
        page.mouse.down()
        page.mouse.up()
        self.until(page, "document.title.startsWith('Other › first')")
        self.assertEqual(self.place_in_list(machine), place)
        # The others come as soon as no row is under the pointer.
        self.leave(page)
        expect(page.locator(".app:visible")).to_have_count(5)

    def test_a_held_row_of_a_deleted_machine_opens_nothing(self):
        page = self.open_page()
        self.announce("first", 1)
        machine = page.locator(".machine:visible", has_text="first")
        machine.hover()
        first = self.timeline_named("first").header["timeline"]
        self.daemon.now(self.daemon.do_delete(None, {"timeline": first}))
        # Comes after the news of the deletion.
        self.main.add(added("fig", 3))
        self.daemon.now(self.daemon.broadcast({"type": "timeline", "timeline": self.main.summary()}))
        expect(page.locator(".machine:visible", has_text="cart").locator(".entries")).to_have_text(
            str(len(self.main.lines)))
        expect(machine).to_be_visible()
        page.mouse.down()
        page.mouse.up()
        expect(machine).to_have_count(0)
        self.assertTrue(page.title().startswith("Shop › cart"))
        expect(page.locator("tt-cover")).to_be_hidden()

    def place_in_list(self, row):
        """The top of a row from that of its list, which moves with the strips above it."""
        return row.evaluate("""(row) => row.getBoundingClientRect().top -
          row.closest(".source-list").getBoundingClientRect().top""")

    def timeline_named(self, name):
        return next(one for one in self.daemon.timelines.values()
                    if one.header["machine"]["name"] == name)

    def test_a_value_keeps_its_element_while_others_appear_above(self):
        page = self.open_page()
        self.go(page, 0)
        total = self.value(page, "/total")
        element, top = total.element_handle(), total.bounding_box()["y"]
        # The items of later entries are above it.
        self.go(page, 3)
        self.until(page, "([row, top]) => row.getBoundingClientRect().top > top", [element, top])
        self.assertEqual(element.get_attribute("data-path"), "/total")
        self.assertEqual(page.locator('.tree-row[data-path="/total"]').count(), 1)

    def test_a_job_keeps_its_line_when_another_one_ends(self):
        page = self.open_page()
        parent = self.main.header
        branches = []
        for number, name in enumerate(["one", "two"]):
            header = parent | {"timeline": f"0b9f3c52-6d1e-4c7a-9a57-1f2e3d4c5d{number:02}",
                               "parent": {"timeline": parent["timeline"], "through": 59, "start": 2,
                                          "edits": [{"drop": 2}], "name": name}}
            branch = Timeline(header, self.main.states[0])
            branch.extra = {"computing": 9}
            branches.append(branch)
            self.daemon.now(self.daemon.broadcast({"type": "timeline", "timeline": branch.summary()}))
        job = page.locator("tt-jobs .job:visible", has_text="two")
        job.wait_for()
        element = job.element_handle()
        branches[0].extra = {}
        self.daemon.now(self.daemon.broadcast(
            {"type": "timeline", "timeline": branches[0].summary()}))
        expect(page.locator("tt-jobs .job:visible")).to_have_count(1)
        self.assertIn("two", element.text_content())
        self.assertTrue(element.is_visible())

    def test_a_press_on_a_field_of_a_live_event_edits_the_one_that_was_pressed(self):
        page = self.open_page()
        self.assertEqual(page.locator(".live.following").count(), 1)
        seq = self.cursor(page)
        field = page.locator("tt-event [data-field]").first
        box = field.bounding_box()
        page.mouse.move(box["x"] + 4, box["y"] + 4)
        page.mouse.down()
        self.main.add(added("fig", 3))
        self.daemon.now(self.daemon.grew(self.main))
        self.until(page, "seq => +document.querySelector('.slider').ariaValueMax > seq", seq)
        self.drawn(page)
        page.mouse.up()
        page.wait_for_selector("tt-event-editor:not([hidden])")
        self.assertEqual(self.cursor(page), seq)


if __name__ == "__main__":
    unittest.main()
