"""The recordings that come with the page, from a server of files."""

import gzip
import json
import os
import unittest

from playwright.sync_api import expect

from page import PageTest
from served import WEB


class Samples(PageTest):
    """The page of the repository, as any static server sends it."""

    separate = True

    def visit_sample(self, query):
        port = self.server.server_address[1]
        return self.visit(self.new_context(), f"http://127.0.0.1:{port}/index.html{query}")

    def lines(self, name):
        with gzip.open(os.path.join(WEB, "samples", f"{name}.timeline.gz"), "rt") as file:
            return [json.loads(line) for line in file]

    def test_an_address_opens_each_sample_at_its_end(self):
        for name in "basket", "pages", "long":
            with self.subTest(name=name):
                header, *entries = self.lines(name)
                page = self.visit_sample(f"?sample={name}")
                self.wait_for_seq(page, entries[-1]["seq"])
                expect(page.locator("tt-cover")).to_be_hidden()
                self.assertIn(header["app"]["name"], page.title())
                expect(page.locator(".notice")).to_have_count(0)
                self.assertIn(f"?sample={name}", page.url)

    def test_the_call_site_of_a_wrapped_function_says_that_it_is_one(self):
        page = self.visit_sample("?sample=basket")
        self.wait_for_seq(page, 29)
        self.has_text(page, "tt-event .facts", "wrapped atmain.swift:7")

    def test_a_link_opens_a_moment_of_a_sample(self):
        header = self.lines("basket")[0]
        page = self.visit_sample(f"?sample=basket#timeline={header['timeline']}&seq=12")
        self.wait_for_seq(page, 12)

    def test_a_sample_is_opened_from_disk(self):
        page = self.open_page(os.path.join(WEB, "samples", "basket.timeline.gz"))
        self.wait_for_seq(page, 29)
        self.has_text(page, "tt-status", "basket.timeline.gz · file, read-only")

    def test_the_basket_shows_the_wrong_total_and_what_it_was_before(self):
        page = self.visit_sample("?sample=basket")
        self.wait_for_seq(page, 29)
        expect(self.value(page, "/totalCents").locator(".tree-value")).to_contain_text("-300")
        page.keyboard.press("2")
        self.has_text(page, "#panel-diff", "totalCents", "199", "-300")

    def test_the_payload_has_room_next_to_an_output(self):
        port = self.server.server_address[1]
        page = self.visit(self.new_context(size=(1280, 860)),
                          f"http://127.0.0.1:{port}/index.html?sample=basket")
        self.wait_for_seq(page, 29)
        row = page.locator('.row[data-seq="18"]:visible')
        expect(row.locator(".payload")).to_have_text("9, cents: 100")
        # The name of the output is in the tooltip; where there is room, it is in the row, too.
        expect(row.locator(".output")).to_have_text("2593")
        expect(row.locator(".chips")).to_have_attribute("title", "Changed outputs: total 2593")
        expect(page.locator('.row[data-seq="29"]:visible .output')).to_have_text("total -300")
        payload, name = (row.locator(part).bounding_box() for part in (".payload", ".name"))
        self.assertLessEqual(payload["x"] + payload["width"], name["x"] + name["width"])

    def test_a_key_acts_on_the_row_that_shows_its_buttons(self):
        page = self.visit_sample("?sample=basket")
        self.wait_for_seq(page, 29)
        expect(self.value(page, "/items").locator("[data-act=pin]")).to_be_visible()
        page.keyboard.press("Shift+P")
        expect(self.value(page, "/items")).to_contain_class("pinned")
        # The lane of the pinned value moves the outputs.
        expect(page.locator(".value-lane:visible .lane-name")).to_have_text(["items"])
        page.locator(".grid").focus()
        page.locator(".output-list [data-key=total]").hover()
        page.keyboard.press("Shift+P")
        expect(page.locator(".output-list [data-key=total]")).to_contain_class("pinned")

    def test_the_empty_page_offers_the_samples(self):
        page = self.open_page()
        self.has_text(page, ".cover-samples", "A basket with a bug", "Ten thousand entries")
        page.click(".cover-samples a >> nth=0")
        self.wait_for_seq(page, 29)

    def test_a_dismissed_hint_does_not_come_back(self):
        page = self.open_page()
        hints = page.locator(".cover-hints li")
        expect(hints).to_have_count(3)
        hints.nth(1).get_by_role("button").click()
        expect(hints).to_have_count(2)
        page.reload()
        expect(hints).to_have_count(2)
        self.assertNotIn("set the selected value", " ".join(hints.all_inner_texts()))

    def test_an_unknown_sample_is_refused_by_name(self):
        page = self.visit_sample("?sample=nothing")
        self.has_text(page, ".notice", "There is no sample 'nothing'.", "basket")
        expect(page.locator("tt-cover")).to_be_visible()


if __name__ == "__main__":
    unittest.main()
