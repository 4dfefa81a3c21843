"""Which events occurred in which states, as a table: compared with `debugd coverage`."""

import gzip
import json
import os
import unittest

from playwright.sync_api import expect

from access import Checked
from live import DaemonTest
from page import ROOT
import recordings

# The counts as the table says them to screen readers, by state and event.
CELLS = """() => [...document.querySelectorAll(".coverage-table tbody tr")].flatMap((row) =>
  [...row.querySelectorAll("td button")].map((button) => [
    row.querySelector("th").title, button.closest("table").tHead.rows[0]
      .cells[button.parentElement.cellIndex].title, button.ariaLabel]))"""


def words(row):
    """The label of a cell, from the counts of the command."""
    text = f"{row['events']} event{'' if row['events'] == 1 else 's'} {row['event']} in {row['state']}, "
    text += f"{row['effects']} changed the state or an output" if row["effects"] or row["errors"] \
        else "nothing handled any of them"
    return text + (f", {row['errors']} ended with an error" if row["errors"] else "")


class CoverageWindow(Checked, DaemonTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.door = cls.write(1, "front door", ["open", "shut", "knock", "open", "kick", "shut", "open"])
        cls.write(2, "back door", ["lock", "open", "unlock", "knock", "open"])
        flow = cls.in_folder("flow.timeline")
        with gzip.open(os.path.join(ROOT, "web", "samples", "pages.timeline.gz")) as packed, \
                open(flow, "wb") as file:
            file.write(packed.read())
        cls.flow = cls.import_file(flow)

    @classmethod
    def write(cls, number, name, events):
        """A door: a case of an enum, and whether it is open as an output; kicks are errors."""
        rules = {("shut", "open"): "open", ("open", "shut"): "shut", ("shut", "lock"): "locked",
                 ("locked", "unlock"): "shut"}
        header = recordings.header(number, name) | {
            "machine": {"type": "Doors.Door", "name": name, "kind": "functional"},
            "schema": {"type": "Doors.Event", "complete": True, "cases": [
                {"name": one} for one in ("open", "shut", "lock", "unlock", "knock", "kick", "paint")]}}
        state = "shut"
        lines = [header, {"seq": 0, "t": 0, "state": {"at": {state: {}}, "age": 0},
                          "outputState": {"isOpen": False}}]
        for seq, event in enumerate(events, 1):
            after = rules.get((state, event), state)
            lines.append({"seq": seq, "t": seq, "event": {event: {}}, "patch": [] if after == state else
                          [{"op": "replace", "path": "/at", "value": {after: {}}}]}
                         | ({"error": "ouch"} if event == "kick" else {}))
            state = after
        path = cls.in_folder(f"door{number}.timeline")
        with open(path, "w", encoding="utf-8") as file:
            file.writelines(json.dumps(line) + "\n" for line in lines)
        return cls.import_file(path)

    def open_coverage(self, timeline, **options):
        page = self.open_page(timeline, **options)
        page.keyboard.press("Shift+T")
        page.wait_for_selector(".coverage-table")
        return page

    def same_as_the_command(self, page, *arguments):
        counted = self.daemon.json("coverage", *arguments)
        self.assertEqual({tuple(one) for one in page.evaluate(CELLS)},
                         {(row["state"], row["event"], words(row)) for row in counted["counts"]})
        return counted

    def test_a_chart_is_counted_as_by_the_command(self):
        page = self.open_coverage(self.flow)
        counted = self.same_as_the_command(page, self.flow)
        self.assertGreater(len(counted["counts"]), 5)
        self.has_text(page, ".coverage-note", "1 recording: ")
        expect(page.locator("tt-coverage select")).to_have_value("/state/path")

    def test_all_recordings_of_a_type_or_one_by_a_value_that_the_user_picks(self):
        page = self.open_coverage(self.door)
        counted = self.same_as_the_command(page, self.door, "--all", "--path", "/at")
        self.assertEqual(counted["unhandled"], ["knock"])
        self.has_text(page, ".coverage-note", "2 recordings: 12 events of 6 kinds in 3 states.")
        self.has_text(page, ".coverage-lists", "Nothing handledknock", "Never occurredpaint")
        self.has_text(page, "tt-coverage .check", "Also count 1 other recording of Doors.Door")
        self.has_text(
            page, "tt-coverage .note", "To go to the first event of a cell, click its number.")
        page.locator("tt-coverage input[type=checkbox]").uncheck()
        self.has_text(page, ".coverage-note", "1 recording: 7 events of 4 kinds in 2 states.")
        self.same_as_the_command(page, self.door, "--path", "/at")
        page.locator("tt-coverage select").select_option(label="outputs.isOpen")
        self.has_text(page, ".coverage-note", "in 1 state.")
        self.same_as_the_command(page, self.door, "--path", "/outputs/isOpen")
        self.check(page, "coverage")

    def test_a_number_leads_to_its_first_event_by_pointer_and_keys(self):
        page = self.open_coverage(self.door)
        page.get_by_role("button", name="1 event kick in open").click()
        expect(page.locator("dialog[open]")).to_have_count(0)
        self.wait_for_seq(page, 5)
        page.keyboard.press("Shift+T")
        page.locator(".coverage-table button[tabindex='0']").focus()
        # From "open" in shut over the empty cell of "shut" to the next number.
        page.keyboard.press("ArrowRight")
        expect(page.locator(":focus")).to_have_attribute(
            "aria-label", "2 events knock in shut, nothing handled any of them")
        page.keyboard.press("ArrowLeft")
        page.keyboard.press("ArrowDown")
        expect(page.locator(":focus")).to_have_attribute("aria-label", "1 event open in locked, "
                                                         "nothing handled any of them")
        page.keyboard.press("Enter")
        self.until(page, "document.title.includes('back door')")
        self.wait_for_seq(page, 2)

    def test_a_machine_without_a_name_for_its_state_says_what_to_do(self):
        path = recordings.write(self.path("bare.timeline"), 0, entries=[
            {"seq": 0, "t": 0, "state": [], "outputState": {}},
            {"seq": 1, "t": 1, "event": "added",
             "patch": [{"op": "add", "path": "/-", "value": 1}]}])
        page = self.open_page(self.import_file(path))
        page.keyboard.press("Shift+T")
        self.has_text(page, ".coverage-note", "No value of this moment can name the state.")
        self.check(page, "coverage of nothing")

    def test_hostile_names_stay_text_and_many_of_them_fit(self):
        def entries():
            yield {"seq": 0, "t": 0, "state": {"at": {"s0": {}}}, "outputState": {}}
            for seq in range(1, 400):
                name = {1: "<img src=x onerror=alert(1)>", 2: "\u202eevil", 3: "x" * 5_000}.get(seq, f"e{seq}")
                yield {"seq": seq, "t": seq, "event": {name: {}}, "patch": [
                    {"op": "replace", "path": "/at", "value": {f"state{seq}": {}}}]}

        path = recordings.write(self.path("hostile.timeline"), 0, entries=entries(),
                                header=recordings.header(7, "hostile") | {
                                    "machine": {"type": "Hostile", "name": "hostile"}})
        page = self.open_coverage(self.import_file(path), size=(390, 844))
        self.has_text(page, ".coverage-note", "Only the first 256 names", "The table has no columns for 196 of the kinds.")
        self.assertEqual(page.locator(".coverage-table img").count(), 0)
        self.assertIn("\\u{202e}", page.locator(".coverage-table thead").text_content())
        self.assertLessEqual(page.evaluate("document.documentElement.scrollWidth"), 390)


if __name__ == "__main__":
    unittest.main()
