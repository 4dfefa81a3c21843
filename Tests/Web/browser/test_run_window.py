"""All machines of a run in one list, by time and cause."""

import json
import unittest

from playwright.sync_api import expect

from access import Checked
from live import DaemonTest
import recordings

CART, PAYMENT = (recordings.TIMELINE[:-1] + digit for digit in "12")


class RunWindow(Checked, DaemonTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.write("cart", 1, "2026-05-01T08:00:00Z", [
            (2_000, {"added": {"id": "tea"}}, {}), (6_000, {"ordered": {}}, {})])
        # Its clock is behind: the effect is recorded before its cause.
        cls.write("payment", 2, "2026-05-01T08:00:00.001Z", [
            (4_000, {"begun": {}}, {"cause": f"{CART}:2"}), (9_000, {"failed": {}}, {"error": "no money"})])

    @classmethod
    def write(cls, name, number, started, events):
        path = cls.in_folder(f"{name}.timeline")
        with open(path, "w", encoding="utf-8") as file:
            lines = [recordings.header(number, name, started=started),
                     {"seq": 0, "t": 0, "state": {"n": 0}, "outputState": {}}]
            lines += [{"seq": seq, "t": t, "event": event, "patch": []} | more
                      for seq, (t, event, more) in enumerate(events, 1)]
            file.writelines(json.dumps(line) + "\n" for line in lines)
        return cls.import_file(path)

    def open_run(self, timeline=CART, **options):
        page = self.open_page(timeline, **options)
        page.keyboard.press("Shift+R")
        self.has_text(page, ".run-note", "6 entries of 2 machines, by time and cause.")
        return page

    def test_entries_of_all_machines_stand_by_time_and_after_their_causes(self):
        page = self.open_run()
        rows = page.locator(".run-grid .run-row:visible")
        expect(rows).to_have_count(6)
        texts = page.evaluate(
            "[...document.querySelectorAll('.run-grid .run-row:not([hidden])')]"
            ".sort((a, b) => a.dataset.place - b.dataset.place)"
            ".map((row) => row.querySelector('.run-cell.has-entry').innerText.replace(/\\s+/g, ' '))")
        self.assertEqual([text.split(",")[0] for text in texts],
                         ["cart", "payment", "cart", "cart", "payment", "payment"])
        self.assertIn("from cart 2", texts[4])
        heads = page.locator(".run-head .run-cell")
        self.assertEqual(set(heads.all_inner_texts()), {"cart", "payment"})
        self.check(page, "the run window")

    def test_enter_goes_to_the_entry_of_another_machine(self):
        page = self.open_run()
        page.keyboard.press("End")
        page.keyboard.press("Enter")
        self.until(page, "document.title.includes('payment @')")
        self.wait_for_seq(page, 2)
        expect(page.locator("dialog[open]")).to_have_count(0)


if __name__ == "__main__":
    unittest.main()
