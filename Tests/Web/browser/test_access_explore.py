"""axe finds nothing, in both themes, in the states of the window that explores."""

from everystate import EveryState
from refusal import Refusal


async def nothing(*_):
    """Replies that every state was visited, without a failure."""
    return {"type": "explore", "end": "everything", "states": 73, "sent": 136, "depth": 3,
            "findings": [], "missing": [], "edges": 0, "untaken": [],
            "events": [{"name": "added", "sent": 50, "effects": 50, "failures": 0}]}


class AccessExplore(EveryState):
    def explore(self, page):
        page.keyboard.press("Shift+V")
        page.wait_for_selector("tt-explore .window[open]")

    def test_the_states_of_an_exploration(self):
        page = self.open_page()
        self.go(page, 20)
        self.explore(page)
        self.check_state(page, "nothing is entered")
        page.get_by_label("Condition").fill("stat.n > 3")
        self.shows(page, "a wrong condition", "tt-explore .problem", "did you mean")
        page.get_by_label("Condition").fill("state.n < 0")
        self.daemon.slow["explore"] = 1_000
        page.keyboard.press("Enter")
        self.shows(page, "it runs", "tt-explore .job", "Exploring")
        page.locator("tt-explore").get_by_label("Cancel").click()
        self.shows(page, "it was canceled", "tt-explore .verdict", "Canceled")
        self.daemon.slow = {}
        page.get_by_label("Condition").press("Enter")
        self.shows(page, "findings", "tt-explore .verdict .coverage", "removed")
        self.close(page)
        self.go(page, 30)
        self.explore(page)
        self.shows(page, "findings of another entry", "tt-explore .about", "from 20")
        self.daemon.do_explore = nothing
        page.get_by_label("Condition").press("Enter")
        self.shows(page, "no findings", "tt-explore .verdict h3", "No events lead there")
        self.daemon.refuse["explore"] = Refusal("failed", "It is broken.")
        page.get_by_label("Condition").press("Enter")
        self.shows(page, "it failed", "tt-explore .verdict", "It is broken.")
        page.get_by_label("Find what").select_option("")
        self.shows(page, "no condition is needed", "tt-explore .check")
        page.set_viewport_size({"width": 390, "height": 844})
        self.check_state(page, "on a phone")

    def test_where_nothing_can_be_explored(self):
        self.daemon.capabilities = ["look"]
        page = self.open_page()
        self.explore(page)
        self.shows(page, "a session that only looks", "tt-explore .note.warn", "can look")
        self.close(page)
        self.daemon.turn()
        page.wait_for_selector("tt-status:has-text('connecting')")
        self.explore(page)
        self.shows(page, "the daemon is not connected", "tt-explore .note.warn", "not connected")
