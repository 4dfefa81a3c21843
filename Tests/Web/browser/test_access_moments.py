"""axe finds nothing, in both themes, in what the page shows of a moment, a recording, and the
connection."""

import copy

from everystate import EveryState
from refusal import Refusal
from shop import MAIN

OTHER = MAIN[:-1] + "7"

CHART = {
    "states": [
        {"name": "empty", "path": ["empty"], "messages": [{"name": "added", "payload": "Item"}]},
        {"name": "filled", "path": ["filled"], "hasEnterHook": True},
        {"name": "paid", "path": ["filled", "paid"], "messages": [{"name": "added"}]},
    ],
    "declared": [{"from": ["empty"], "to": "filled", "trigger": {"message": "added"}},
                 {"from": ["filled"], "to": "filled/paid", "trigger": {"message": "checkedOut"}}],
}


class Moments(EveryState):
    def find(self, page, text):
        page.keyboard.press("Shift+F")
        page.locator("tt-details .search-line input").fill(text)

    def test_views_that_are_loading(self):
        self.daemon.slow["timelines"] = 1_000
        page = self.visit(self.new_context(bypass_csp=True), self.daemon.address)
        self.shows(page, "the list is on its way", "tt-cover h2", "Loading")
        self.daemon.slow = {"state": 1_000, "entries": 1_000}
        self.shows(page, "a state is on its way", ".moment-note.later", "Loading the state")

    def test_views_that_failed_to_load(self):
        kinds = "raw", "diff", "column", "entries", "changes"
        page = self.open_page()
        self.go(page, 30)
        page.keyboard.press("m")
        for kind in kinds:
            self.daemon.refuse[kind] = Refusal("failed", "The file cannot be read.")
        self.act(page, "/total", "watch")
        self.go(page, 20)
        for tab in "diff", "raw", "chart":
            page.click(f"#tab-{tab}")
            self.shows(page, f"no {tab}", f"#panel-{tab} .pane-note", "cannot be read")
        page.click("#tab-watch")
        self.shows(page, "no watched values", "tt-watch [role=status]", "were not loaded")
        page.click("#tab-state")
        self.act(page, "/total", "pin")
        self.shows(page, "no changes of what is pinned", "tt-pin", "cannot be read")
        # The page computes states from patches without the daemon; here there are none.
        for seq, code, words in (
            (40, "failed", "It is broken."),
            (45, "no-host", "To fix, call ReducerHost.runIfAsked(…) first in the program's main, "
             "and run the program."),
            (50, "thinned", "was not captured"),
        ):
            self.daemon.refuse["state"] = Refusal(code, "It is broken.")
            page.keyboard.press("g")
            page.keyboard.type(str(seq))
            page.keyboard.press("Enter")
            self.shows(page, code, ".moment-note", words)

    def test_a_redacted_event_and_its_stand_in(self):
        page = self.open_page()
        self.go(page, 5)
        self.shows(page, "a redacted value", ".tree-row [data-look=redacted]")
        page.keyboard.press("e")
        self.shows(page, "a stand-in in the form", "tt-event-editor .chip", "redacted")
        page.keyboard.press("Escape")
        page.keyboard.press("h")
        page.wait_for_selector('tt-live-strip[data-is="mine"]')
        page.keyboard.press("e")
        self.shows(page, "it is not sent", "tt-event-editor", "Type real values")
        page.locator("tt-event-editor .acts button").last.focus()
        page.locator("tt-event-editor [data-tokens]").first.fill("")
        page.click("tt-event-editor >> text=JSON")
        self.shows(page, "the event as JSON", ".editor-json")
        page.keyboard.press("Escape")
        page.keyboard.press("Shift+I")
        self.shows(page, "a new event", "tt-event-editor h3", "New event before 5")

    def test_an_entry_without_changes_and_a_difference(self):
        page = self.open_page()
        page.keyboard.press("5")
        self.shows(page, "nothing is watched", "tt-watch .pane-note", "You are not watching any values")
        page.keyboard.press("2")
        page.keyboard.press("Home")
        self.shows(page, "the first entry", "tt-diff .pane-note", "first entry")
        self.go(page, 5)
        self.shows(page, "nothing changed", "tt-diff .pane-note", "Nothing changed")
        self.go(page, 12)
        page.locator(".grid").focus()
        for _ in range(6):
            page.keyboard.press("Shift+ArrowDown")
        self.shows(page, "a stretch", "tt-diff .tree-title", "from 12 to 18")
        page.keyboard.press("m")
        self.go(page, 30)
        self.shows(page, "from a mark", "tt-diff .tree-title", "from the mark at 18 to 30")
        page.keyboard.press("1")
        self.act(page, "/token", "pin")
        self.shows(page, "it has not changed", "tt-pin", "has not changed")

    def test_searches_that_find_nothing(self):
        page = self.open_page()
        self.find(page, "zzz")
        self.shows(page, "nothing in the state", "tt-state-tree [role=status]", "No matches")
        page.keyboard.press("Escape")
        page.fill(".source-search", "zzz")
        self.shows(page, "no such timeline", "tt-sources .pane-note", "No matches")
        page.fill(".source-search", "")
        page.locator(".source.app:visible").click()
        self.shows(page, "an app is folded", '.source.app[aria-expanded="false"]')
        self.daemon.slow["entries"] = 1_000
        page.fill(".filter", "seq == 3")
        page.locator(".filter").press("Enter")
        page.wait_for_selector(".search-strip:visible")
        page.click(".search-strip button")
        self.shows(page, "a search was stopped", ".search-strip", "Continue")

    def test_a_state_that_is_cut(self):
        for state in self.daemon.timelines[MAIN].states:
            state["log"] = {"$cut": 104_857_600}
            state["pages"] = [{"by": "Ann"}, {"$cut": 52_428_800, "$more": 399_999}]
        page = self.open_page()
        self.shows(page, "parts are not loaded", '.tree-row [data-look="cut"]', "MB, load")
        page.click('.tree-row[data-path="/pages"] .twist')
        self.find(page, "ann")
        self.shows(page, "they were not searched", "tt-state-tree [role=status]", "not loaded")

    def test_a_statechart(self):
        main = self.daemon.timelines[MAIN]
        main.header |= {"chart": CHART}
        for state in main.states:
            state["path"] = ["filled", "paid"]
        page = self.open_page()
        page.keyboard.press("4")
        self.shows(page, "a statechart", ".state-box.active .state-name")

    def test_causes_marks_and_play(self):
        lines = self.daemon.timelines[MAIN].lines
        other = copy.copy(self.daemon.timelines[MAIN])
        other.header = other.header | {"timeline": OTHER}
        self.daemon.timelines[OTHER] = other
        lines[20]["cause"] = f"{OTHER}:12"
        page = self.open_page()
        self.go(page, 20)
        page.keyboard.press("m")
        page.wait_for_selector(".row.on .mark:not(.off)")
        self.shows(page, "a cause elsewhere, and a mark", "tt-event button.cause")
        self.command(page, "single-letter keys")
        self.shows(page, "keys are off", ".notice.info", "Single-letter keys are off")
        page.select_option(".pace", label="10 entries per second")
        page.click(".bar .play")
        self.shows(page, "it plays", '.play[aria-label="Pause"]')

    def test_a_daemon_that_no_longer_accepts_the_page(self):
        def refused(code):
            return {"type": "error", "code": code, "message": "It says no."}

        for answer, text in ((None, "connecting"), (refused("version"), "newer"),
                             (refused("unauthorised"), "not signed in")):
            with self.subTest(text):
                self.daemon.greets = True
                page = self.open_page()
                self.go(page, 20)
                page.keyboard.press("h")
                page.wait_for_selector('tt-live-strip[data-is="mine"]')
                self.daemon.turn(answer)
                page.wait_for_selector('tt-live-strip[data-is="lost"]')
                self.shows(page, text, "tt-status", text)
