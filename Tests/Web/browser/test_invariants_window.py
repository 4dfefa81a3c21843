"""What always held: the window that lists it, and its ways to keep and to break a condition."""

from playwright.sync_api import expect
from time_travel import TravelTest
import recordings
from shop import MAIN

FOUND = {"type": "invariants", "invariants": [
    {"kind": "equality", "predicate": "outputs.total == state.n", "support": 40},
    {"kind": "sign", "predicate": "state.n >= 0", "support": 40}],
    "entries": 1_200, "unknown": 2, "recordings": 64, "skipped": 3}


class FoundInvariants(TravelTest):
    def opened(self, found=FOUND):
        async def invariants(*_):
            return found

        async def filters(_, asked):
            self.assertTrue(asked["always"])
            self.kept = [one for one in self.kept if one["name"] != asked.get("name")]
            if "predicate" in asked:
                self.kept.append({"name": asked["name"], "predicate": asked["predicate"]})
            return {"type": "filters", "filters": list(self.kept)}

        self.kept = [{"name": "never negative", "predicate": "state.n >= 0"}]
        self.daemon.do_invariants = invariants
        self.daemon.do_filters = filters
        page = self.open_page()
        self.go(page, 20)
        self.command(page, "find invariants")
        page.wait_for_selector("tt-invariants .window[open]")
        return page

    def rows(self, page):
        return page.locator("tt-invariants tbody tr")

    def test_it_lists_what_held_as_the_daemon_ranks_it(self):
        page = self.opened()
        expect(self.rows(page).locator("code")).to_have_text(
            [one["predicate"] for one in FOUND["invariants"]])
        expect(page.locator("tt-invariants .coverage-note")).to_have_text(
            "Each was tried at 1,200 entries of 64 recordings. Of 2 entries, the recordings do not "
            "say whether it held there. 3 older ones were not searched.")
        asked = self.daemon.of("invariants")[-1]
        self.assertEqual((asked["timelines"], asked["limit"]), ([MAIN], 50))

    def test_a_condition_is_kept_and_removed_with_the_keyboard(self):
        page = self.opened()
        expect(page.get_by_role("button", name="Remove state.n >= 0")).to_be_visible()
        keep = page.get_by_role("button", name="Keep outputs.total == state.n")
        keep.focus()
        page.keyboard.press("Enter")
        remove = page.get_by_role("button", name="Remove outputs.total == state.n")
        expect(remove).to_be_focused()
        self.assertEqual(
            self.kept[-1], {"name": "outputs.total == state.n", "predicate": "outputs.total == state.n"})
        page.keyboard.press("Enter")
        expect(keep).to_be_focused()
        self.assertEqual([one["predicate"] for one in self.kept], ["state.n >= 0"])
        page.get_by_role("button", name="Remove state.n >= 0").click()
        expect(page.get_by_role("button", name="Keep state.n >= 0")).to_be_visible()
        self.assertEqual(self.kept, [])

    def test_a_condition_can_be_explored(self):
        page = self.opened()
        page.get_by_role("button", name="Try to break state.n >= 0").click()
        page.wait_for_selector("tt-explore .window[open]")
        expect(page.locator("tt-invariants .window[open]")).to_have_count(0)
        expect(page.get_by_label("Find what")).to_have_value("always")
        expect(page.get_by_label("Condition")).to_have_value("state.n >= 0")
        page.locator("tt-explore .main").click()
        page.wait_for_selector("tt-explore .verdict h3")
        asked = self.daemon.of("explore")[-1]
        self.assertEqual((asked["from"], asked["always"]), (20, "state.n >= 0"))
        # The window where kept ones are listed leads back.
        page.get_by_label("Find what").select_option("invariants")
        page.click("tt-explore >> text=Find invariants…")
        expect(page.locator("tt-invariants .window[open]")).to_have_count(1)
        expect(page.locator("tt-explore .window[open]")).to_have_count(0)

    def test_nothing_held(self):
        page = self.opened({"type": "invariants", "invariants": [], "entries": 41, "recordings": 1})
        expect(page.locator("tt-invariants .coverage-note")).to_have_text(
            "No condition worth listing held at all 41 entries of 1 recording.")
        expect(page.locator("tt-invariants table")).to_have_count(0)

    def test_recorded_text_stays_text(self):
        hostile = f'state.name == "{recordings.HOSTILE}"'
        page = self.opened({**FOUND, "invariants": [
            {"kind": "constant", "predicate": hostile, "support": 40}]})
        expect(self.rows(page)).to_have_count(1)
        text = self.rows(page).locator("code").text_content()
        self.assertEqual((text.count("<script>"), text.count("\u202e")), (1, 0))
        self.assertIsNone(page.evaluate("window.hacked ?? null"))
