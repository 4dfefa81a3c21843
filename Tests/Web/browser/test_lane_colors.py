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
    def recorded(self, digit, names, **keys):
        header = recordings.header(digit, "order", **keys)
        header.pop("lanes", None)
        return self.import_file(recordings.write(
            self.path(f"{digit}.timeline"), 0, header=header, entries=list(entries(names))))

    def test_a_recording_with_other_frequencies_has_the_same_lanes_and_colors(self):
        few = self.recorded("a", ["paid", "shipped", "shipped", "billed"])
        many = self.recorded("b", ["billed", "returned"] + ["paid", "billed"] * 20 + ["shipped"])
        page = self.open_page(few)
        self.until(page, f"{COUNTS}.join() === '1,2,1'")
        first = page.evaluate(LANES)
        names, colors = zip(*(lane.split(" ") for lane in first))
        self.assertEqual(names, ("paid", "shipped", "billed"))
        self.assertEqual(len(set(colors)), 3)
        page.evaluate("id => location.hash = `timeline=${id}`", many)
        for is_reloaded in False, True:
            if is_reloaded:
                page.reload()
            self.until(page, f"{COUNTS}.join() === '20,1,21,1'")
            *same, returned = page.evaluate(LANES)
            self.assertEqual(same, first, is_reloaded)
            self.assertNotIn(returned.split(" ")[1], colors)
        expect(page.locator(".lane-name").last).to_have_text("returned")

    def test_an_html_file_has_the_colors_of_a_page_that_saw_other_events_first(self):
        names = ["paid", "shipped", "billed", "returned"]
        schema = {"encoding": "keyed", "complete": True, "cases": [{"name": name} for name in names]}
        earlier = self.recorded("c", ["returned", "billed"], schema=schema)
        later = self.recorded("d", ["paid", "billed", "returned"], schema=schema)
        page = self.open_page(earlier)
        self.until(page, f"{COUNTS}.join() === '1,1'")
        page.evaluate("id => location.hash = `timeline=${id}`", later)
        self.until(page, f"{COUNTS}.join() === '1,1,1'")
        html = self.path("d.html")
        self.daemon.run("export", later, "-o", html)
        file = self.visit(self.new_context(offline=True), f"file://{html}")
        self.until(file, f"{COUNTS}.join() === '1,1,1'")
        self.assertCountEqual(file.evaluate(LANES), page.evaluate(LANES))


if __name__ == "__main__":
    unittest.main()
