"""Exploring from the entry at the cursor: the window, its request, and where its findings lead."""

from playwright.sync_api import expect
from time_travel import TravelTest
import recordings


class Explore(TravelTest):
    def opened(self):
        page = self.open_page()
        self.go(page, 20)
        page.keyboard.press("Shift+V")
        page.wait_for_selector("tt-explore .window[open]")
        return page

    def test_sends_what_was_entered_and_shows_findings_with_their_coverage(self):
        page = self.opened()
        expect(page.locator("tt-explore h2")).to_contain_text("from 20")
        box = page.get_by_label("Condition")
        box.fill("stat.n > 3")
        page.wait_for_selector(".window[open] .problem:has-text(\"did you mean 'state'\")")
        box.fill("state.n < 0")
        page.get_by_label("Events not to send, by name").fill("removed, checkedOut")
        page.get_by_label("Maximum number of events").fill("9")
        page.locator("tt-explore .main").click()
        page.wait_for_selector(".verdict:has-text('2 events lead there')")
        asked = self.daemon.of("explore")[-1]
        self.assertEqual(
            (asked["from"], asked["until"], asked["exclude"], asked["depth"], asked["seconds"]),
            (20, "state.n < 0", ["removed", "checkedOut"], 9, 60))
        self.assertNotIn("ignoreErrors", asked)
        text = page.locator("tt-explore .verdict").inner_text()
        for part in ('{"added":{"id":1,"cents":0}}', "Trap: signal 5", "It did not happen again",
                     "3 of 4", "root/open --lock--> root/closed", "imported"):
            self.assertIn(part, text)
        cells = page.locator("tt-explore .coverage tbody tr").nth(1).locator("td").all_inner_texts()
        self.assertEqual(cells, ["removed", "86", "9", "1"])

    def test_a_finding_opens_as_a_branch_and_as_a_test(self):
        page = self.opened()
        page.get_by_label("Condition").fill("state.n < 0")
        page.keyboard.press("Enter")
        page.wait_for_selector(".verdict:has-text('2 events lead there')")
        page.click("tt-explore >> text=Export it as a test")
        page.wait_for_selector(".preview .token-string")
        expect(page.get_by_label("Must never hold")).to_have_value("state.n < 0")
        page.keyboard.press("Escape")
        page.wait_for_selector("tt-branch-strip:not([hidden])")

    def test_the_test_of_a_broken_condition_keeps_what_was_searched(self):
        page = self.opened()
        page.get_by_label("Find what").select_option("always")
        page.get_by_label("Condition").fill("state.n >= 0")
        page.keyboard.press("Enter")
        page.wait_for_selector(".verdict:has-text('2 events lead there')")
        page.get_by_label("Find what").select_option("until")
        page.click("tt-explore >> text=Export it as a test")
        page.wait_for_selector(".preview .token-string")
        expect(page.get_by_label("Must never hold")).to_have_value("!(state.n >= 0)")

    def test_an_invariant_is_kept_searched_and_removed(self):
        page = self.opened()
        kept = []

        async def filters(_, asked):
            self.assertTrue(asked["always"])
            if "predicate" in asked:
                kept.append({"name": asked["name"], "predicate": asked["predicate"]})
            elif "name" in asked:
                kept[:] = [one for one in kept if one["name"] != asked["name"]]
            return {"type": "filters", "filters": list(kept)}

        self.daemon.do_filters = filters
        kind = page.get_by_label("Find what")
        kind.select_option("invariants")
        expect(page.get_by_label("Condition")).to_be_hidden()
        expect(page.locator("tt-explore .main")).to_be_disabled()
        expect(page.locator("tt-explore")).to_contain_text("To keep one, choose “breaks this”.")
        kind.select_option("always")
        for text in ("state.n >= 0", "state.n < 100"):
            page.get_by_label("Condition").fill(text)
            page.click("tt-explore >> text=Keep as an invariant")
            page.wait_for_selector(f"text=Kept: {text}")
        kind.select_option("invariants")
        rows = page.locator("tt-explore .kept-invariants li code")
        expect(rows).to_have_text(["state.n >= 0", "state.n < 100"])
        page.locator("tt-explore .main").click()
        page.wait_for_selector("tt-explore .verdict h3")
        self.assertEqual(
            self.daemon.of("explore")[-1]["always"], "(state.n >= 0) && (state.n < 100)")
        page.get_by_label("Remove state.n >= 0").click()
        expect(rows).to_have_text(["state.n < 100"])

    def test_traps_and_errors_need_no_condition(self):
        page = self.opened()
        page.get_by_label("Find what").select_option("")
        expect(page.get_by_label("Condition")).to_be_hidden()
        page.get_by_label("Errors that the reducer throws are expected").check()
        page.locator("tt-explore .main").click()
        page.wait_for_selector(".verdict:has-text('2 failures')")
        asked = self.daemon.of("explore")[-1]
        self.assertEqual(
            (asked.get("until"), asked.get("always"), asked["ignoreErrors"]), (None, None, True))

    def test_an_unknown_event_not_to_send_disables_the_start(self):
        page = self.opened()
        page.get_by_label("Find what").select_option("")
        start = page.locator("tt-explore .main")
        names = page.get_by_label("Events not to send, by name")
        names.fill("added, remove")
        problem = "The machine has no event remove. It has added, removed, checkedOut, signedIn."
        expect(start).to_be_disabled()
        expect(start).to_have_attribute("title", problem)
        expect(page.locator("tt-explore .problem", has_text=problem)).to_be_visible()
        expect(names).to_have_attribute("aria-invalid", "true")
        names.fill("added, removed")
        expect(start).to_be_enabled()
        start.click()
        page.wait_for_selector(".verdict:has-text('2 failures')")
        self.assertEqual(self.daemon.of("explore")[-1]["exclude"], ["added", "removed"])

    def test_a_short_name_is_explained_as_in_the_filter(self):
        page = self.opened()
        page.get_by_label("Condition").fill("total < 0")
        self.has_text(page, "tt-explore .problem:not(:empty)", "did you mean 'state.total < 0'?")

    def test_an_earlier_result_says_what_it_is_about(self):
        page = self.opened()
        about = page.locator("tt-explore .about")
        page.get_by_label("Condition").fill("state.n < 0")
        page.keyboard.press("Enter")
        page.wait_for_selector("tt-explore .verdict:has-text('2 events lead there')")
        expect(about).to_be_hidden()
        page.keyboard.press("Escape")
        self.go(page, 30)
        page.keyboard.press("Shift+V")
        self.has_text(page, "tt-explore h2", "from 30")
        expect(about).to_be_visible()
        expect(about).to_have_text("The last result: Exploring “cart” from 20")
        page.keyboard.press("Escape")
        page.keyboard.press("v")
        page.locator("tt-prove .main").click()
        page.wait_for_selector("tt-prove .verdict:has-text('came out as recorded')")
        page.keyboard.press("Escape")

    def test_progress_and_result_are_in_view_in_a_low_window(self):
        page = self.open_page(size=(720, 450))
        self.go(page, 20)
        self.daemon.slow["explore"] = 1_000
        page.keyboard.press("Shift+V")
        page.get_by_label("Condition").fill("state.n < 0")
        page.keyboard.press("Enter")
        expect(page.locator("tt-explore .job")).to_be_in_viewport(ratio=1)
        self.daemon.slow = {}
        expect(page.locator("tt-explore .verdict h3")).to_be_in_viewport(ratio=1)

    def test_recorded_text_stays_text(self):
        name = recordings.HOSTILE

        async def explore(*_):
            return {"type": "explore", "end": "time", "states": 1, "sent": 1, "depth": 1,
                    "findings": [{"cause": "error", "message": name, "events": [{name: 1}],
                                  "problem": name}],
                    "events": [{"name": name, "sent": 1, "effects": 0, "failures": 1}],
                    "missing": [name], "edges": 1, "untaken": [name], "unreached": [name],
                    "dropped": [name]}

        self.daemon.do_explore = explore
        page = self.opened()
        page.get_by_label("Condition").fill("state.n < 0")
        page.keyboard.press("Enter")
        self.has_text(page, "tt-explore .verdict", "Not found so far")
        text = page.locator("tt-explore .verdict").text_content()
        self.assertEqual((text.count("<script>"), text.count("\u202e")), (8, 0))
        self.assertIsNone(page.evaluate("window.hacked ?? null"))

    def test_limits_must_be_whole_numbers(self):
        page = self.opened()
        page.get_by_label("Condition").fill("state.n < 0")
        page.get_by_label("Time limit in seconds").fill("soon")
        page.wait_for_selector("tt-explore .problem:has-text('Enter the limits as whole numbers')")
        expect(page.locator("tt-explore .main")).to_be_disabled()
