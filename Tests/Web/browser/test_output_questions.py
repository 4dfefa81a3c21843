"""Outputs have the questions, buttons, and keys that values of the state have."""

import gzip
import json
import os
import re
import unittest

import jsonpatch
from playwright.sync_api import expect

from page import PageTest
from served import WEB
import recordings


class OutputQuestions(PageTest):
    def setUp(self):
        with gzip.open(os.path.join(WEB, "samples", "basket.timeline.gz"), "rt") as sample:
            text = sample.read()
        self.file = self.path("basket.timeline")
        with open(self.file, "w", encoding="utf-8") as file:
            file.write(text)
        entries = [json.loads(line) for line in text.splitlines()[1:]]
        outputs, self.totals = None, []
        for entry in entries:
            outputs = entry.get("outputState") or jsonpatch.apply_patch(outputs, entry.get("outputs", []))
            self.totals.append(outputs["total"])
        self.last = entries[-1]["seq"]
        self.assertEqual((min(self.totals), max(self.totals)), (-300, 3491))

    def open_basket(self, **options):
        page = self.open_page(self.file, **options)
        self.wait_for_seq(page, self.last)
        return page

    def output(self, page, name):
        return page.locator(f'.output-row[data-key="{name}"]')

    def test_a_long_name_leaves_room_for_both_values_and_the_line(self):
        entries = [
            {"seq": seq, "t": seq * 1_000, "state": {"n": 0},
             "outputState": {"activeFavorites": 3 - seq % 2}}
            | ({"event": "tapped"} if seq else {}) for seq in range(6)]
        page = self.open_page(recordings.write(self.path("long.timeline"), 0, entries=entries))
        row = self.output(page, "activeFavorites")
        expect(row.locator(".spark-row")).to_be_visible()
        for part in ".was", ".is":
            expect(row.locator(part)).to_have_text("3" if part == ".was" else "2")
        self.drawn(page)
        self.assertEqual(row.evaluate("""(row) => [
          row.scrollWidth <= row.clientWidth,
          ...[".was", ".is"].map((part) => row.querySelector(part).offsetWidth > 5),
        ]"""), [True] * 3)

    def test_a_short_name_is_whole_before_a_long_value(self):
        entries = [
            {"seq": seq, "t": seq * 1_000, "state": {"n": 0},
             "outputState": {"handler": f"root {seq} " + "signedIn " * 12}}
            | ({"event": "tapped"} if seq else {}) for seq in range(3)]
        page = self.open_page(recordings.write(self.path("value.timeline"), 0, entries=entries))
        row = self.output(page, "handler")
        expect(row.locator(".is")).to_contain_text("root 2")
        self.assertTrue(row.locator(".output-name").evaluate("""(name) => {
          const text = document.createRange();
          text.selectNodeContents(name);
          return text.getBoundingClientRect().width <= name.getBoundingClientRect().width;
        }"""))

    def test_the_menu_of_an_output_makes_a_filter_and_a_pin(self):
        first = next(seq for seq, total in enumerate(self.totals) if total < 0)
        page = self.open_basket()
        self.output(page, "total").click(button="right")
        page.get_by_role("menuitem", name="When did it fall below 0?").click()
        expect(page.locator(".filter")).to_have_value(
            "outputs.total < 0 && !(before.outputs.total < 0)")
        expect(page.locator("tt-pin code")).to_have_text("outputs.total")
        self.wait_for_seq(page, first)
        expect(self.output(page, "total")).to_have_class("output-row active pinned")

    def test_keys_act_on_the_output_that_was_clicked(self):
        # isLoading is set by entries 153, 155, and 156; entry 154 is a tap, which sets nothing.
        page = self.open_page(recordings.write(self.path("commute.timeline"), 120))
        self.wait_for_seq(page, 156)
        page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        self.go(page, 154)
        self.output(page, "isLoading").locator(".output-name").click()
        expect(page.locator(".output-list")).to_be_focused()
        page.keyboard.press("y")
        page.wait_for_selector(".notice:has-text('Copied the path: outputs.isLoading')")
        page.keyboard.press("Shift+W")
        expect(page.locator("#tab-watch .chip")).to_have_text("1")
        expect(self.output(page, "isLoading").locator("[data-act=who]")).not_to_have_attribute(
            "aria-disabled", "true")
        page.keyboard.press("w")
        self.wait_for_seq(page, 153)
        expect(self.output(page, "isLoading").locator("[data-act=who]")).to_have_attribute(
            "aria-disabled", "true")

    def test_the_arrows_choose_an_output_and_a_key_asks_about_it(self):
        page = self.open_basket()
        page.locator(".output-list").focus()
        names = [row.get_attribute("data-key") for row in page.locator(".output-row").all()]
        page.keyboard.press("ArrowDown")
        expect(self.output(page, names[1])).to_have_attribute("aria-selected", "true")
        expect(page.locator(".output-list")).to_have_attribute(
            "aria-activedescendant", self.output(page, names[1]).get_attribute("id"))
        page.keyboard.press("q")
        expect(page.locator(".menu:popover-open .menu-title")).to_have_text(f"outputs.{names[1]}")
        page.keyboard.press("Escape")
        expect(page.locator(".output-list")).to_be_focused()

    def test_the_palette_finds_an_output_and_chooses_it(self):
        for size in (1440, 860), (390, 844):
            with self.subTest(size=size):
                page = self.open_basket(size=size)
                self.command(page, "outputs.count")
                expect(page.locator(".output-list")).to_be_focused()
                expect(self.output(page, "count")).to_have_attribute("aria-selected", "true")

    def test_an_output_shows_how_it_changes(self):
        page = self.open_basket()
        spark = self.output(page, "total").locator(".spark-row")
        expect(spark).to_be_visible()
        expect(spark).to_have_attribute("title", re.compile("minimum -300, maximum 3491"))
        # Read at once: a finer line may replace the first one.
        self.until(page, """() => {
          const row = document.querySelector('.output-row[data-key="total"]');
          return row.ariaDescription === row.querySelector(".spark-row").title;
        }""")
        # Under the pointer, the buttons take its place.
        self.output(page, "total").hover()
        expect(self.output(page, "total").locator("[data-act=pin]")).to_be_visible()
        expect(spark).to_be_hidden()
        self.output(page, "total").locator("[data-act=pin]").click()
        expect(page.locator("tt-pin code")).to_have_text("outputs.total")
        self.leave(page)
        expect(page.locator(".value-lane:visible .lane-name")).to_have_text("outputs.total")


if __name__ == "__main__":
    unittest.main()
