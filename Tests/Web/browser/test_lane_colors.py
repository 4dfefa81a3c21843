"""The lanes of event names keep their order and colors as a timeline grows, in branches, and after a reload."""

import unittest

from playwright.sync_api import expect

from live import DaemonTest
import recordings

LANES = """[...document.querySelectorAll("tt-timeline .lane")].map((lane) =>
  `${lane.querySelector(".lane-name").textContent} ${lane.className.split(" ")[1]}`)"""

COUNTS = "[...document.querySelectorAll('tt-timeline .lane .muted')].map((one) => one.textContent)"


def entries(names):
    """The entries of a recording with these events."""
    yield {"seq": 0, "t": 0, "state": {"n": 0}}
    for seq, name in enumerate(names, 1):
        patch = [{"op": "replace", "path": "/n", "value": seq}]
        yield {"seq": seq, "t": seq * 1_000_000, "event": {name: {}}, "patch": patch}


class LaneColors(DaemonTest):
    def recorded(self, digit, names):
        header = recordings.header(digit, "order")
        header.pop("lanes", None)
        return self.import_file(recordings.write(
            self.path(f"{digit}.timeline"), 0, header=header, entries=list(entries(names))))

    def test_a_recording_with_other_frequencies_has_the_same_lanes_and_colors(self):
        few = self.recorded("a", ["paid", "shipped", "shipped", "billed"])
        many = self.recorded("b", ["billed", "returned"] + ["paid", "billed"] * 20 + ["shipped"])
        page = self.open_page(few)
        self.until(page, f"{COUNTS}.join() === '1,2,1'")
        first = page.evaluate(LANES)
        self.assertEqual(first, ["paid lane-1", "shipped lane-2", "billed lane-3"])
        page.evaluate("id => location.hash = `timeline=${id}`", many)
        for is_reloaded in False, True:
            if is_reloaded:
                page.reload()
            self.until(page, f"{COUNTS}.join() === '20,1,21,1'")
            self.assertEqual(page.evaluate(LANES), [*first, "returned lane-4"], is_reloaded)
        expect(page.locator(".lane-name").last).to_have_text("returned")


if __name__ == "__main__":
    unittest.main()
