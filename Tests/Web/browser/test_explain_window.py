"""Explaining the entry at the cursor: the window, its request, and where its lines lead."""

from playwright.sync_api import expect
from time_travel import TravelTest


class Explain(TravelTest):
    def opened(self):
        page = self.open_page()
        self.go(page, 20)
        page.keyboard.press("Shift+Y")
        page.wait_for_selector("tt-explain .window[open]")
        return page

    def test_sends_what_was_entered_and_shows_each_part_with_how_it_is_known(self):
        page = self.opened()
        expect(page.locator("tt-explain h2")).to_contain_text("at 20")
        box = page.get_by_label("Condition, if it is about one")
        box.fill("stat.n > 3")
        page.wait_for_selector(".window[open] .problem:has-text(\"did you mean 'state'\")")
        expect(page.locator("tt-explain .main")).to_be_disabled()
        box.fill("state.n < 0")
        page.keyboard.press("Enter")
        page.wait_for_selector("tt-explain .verdict h3:has-text('state.n < 0, since entry 7')")
        asked = self.daemon.of("explain")[-1]
        self.assertEqual(
            (asked["seq"], asked["predicate"], asked["fewest"]), (20, "state.n < 0", True))
        text = page.locator("tt-explain .verdict").inner_text()
        for part in ("outputs.total is -50 (before: 450), set by 20 removed",
                     "2 discounted set outputs.total before 20 removed, at Basket.swift:41",
                     "2 events are enough, and each is needed", "7c1d2e3f does not have 2 discounted",
                     "More values or causes led to it"):
            self.assertIn(part, text)
        labels = page.locator("tt-explain .edge-label").all_inner_texts()
        self.assertEqual(labels, ["recorded", "inferred", "inferred", "inferred", "inferred"])

    def test_a_phone_shows_whole_lines(self):
        page = self.open_page(size=(390, 844))
        self.go(page, 20)
        page.keyboard.press("Shift+Y")
        page.get_by_label("Condition, if it is about one").fill("state.n < 0")
        page.keyboard.press("Enter")
        page.wait_for_selector("tt-explain .explained")
        self.drawn(page)
        edges = page.evaluate("""() => [...document.querySelectorAll("tt-explain .verdict *")]
            .map((one) => one.getBoundingClientRect().right)""")
        self.assertLessEqual(max(edges), page.evaluate(
            "document.querySelector('tt-explain .verdict').getBoundingClientRect().right"))

    def test_a_line_leads_to_its_entry(self):
        page = self.opened()
        page.locator("tt-explain .main").click()
        page.click("tt-explain .entry-link:has-text('2 discounted set')")
        page.wait_for_selector("tt-explain .window:not([open])", state="attached")
        page.wait_for_function("document.querySelector('tt-events [aria-selected=true]')"
                               "?.textContent.trim().startsWith('2')")

    def test_an_earlier_result_says_what_it_is_about(self):
        page = self.opened()
        page.locator("tt-explain .main").click()
        page.wait_for_selector("tt-explain .explained")
        expect(page.locator("tt-explain .about")).to_be_hidden()
        page.keyboard.press("Escape")
        self.go(page, 30)
        page.keyboard.press("Shift+Y")
        self.has_text(page, "tt-explain h2", "at 30")
        expect(page.locator("tt-explain .about")).to_be_visible()
        expect(page.locator("tt-explain .about")).to_have_text(
            "The last result: Explaining “cart” at 20")

    def test_a_short_name_is_explained_as_in_the_filter(self):
        page = self.opened()
        page.get_by_label("Condition, if it is about one").fill("total < 0")
        self.has_text(page, "tt-explain .problem", "did you mean 'state.total < 0'?")

    def test_nothing_runs_unless_wanted(self):
        page = self.opened()
        page.get_by_label("Find the fewest events").uncheck()
        page.locator("tt-explain .main").click()
        page.wait_for_selector("tt-explain .explained")
        asked = self.daemon.of("explain")[-1]
        self.assertEqual((asked.get("predicate"), asked.get("fewest")), (None, None))
        expect(page.locator("tt-explain .verdict")).not_to_contain_text("enough")
