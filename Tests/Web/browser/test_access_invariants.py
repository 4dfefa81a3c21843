"""axe finds nothing, in both themes, in the states of the window that lists what always held."""

from everystate import EveryState
from refusal import Refusal
from test_invariants_window import FOUND


class AccessInvariants(EveryState):
    def finds(self, page):
        self.command(page, "find invariants")
        page.wait_for_selector("tt-invariants .window[open]")

    def answer(self, found):
        async def do_invariants(*_):
            return found
        self.daemon.do_invariants = do_invariants

    def test_the_states_of_what_always_held(self):
        async def do_filters(*_):
            return {"type": "filters", "filters": [
                {"name": "state.n >= 0", "predicate": "state.n >= 0"}]}
        self.daemon.do_filters = do_filters
        page = self.open_page()
        self.answer(FOUND)
        self.daemon.slow["invariants"] = 1_000
        self.finds(page)
        self.shows(page, "it is searched", "tt-invariants .job", "Finding")
        self.daemon.slow = {}
        self.shows(page, "conditions", "tt-invariants tbody tr", "outputs.total")
        self.shows(page, "the same in the other theme", "tt-invariants tbody tr", "outputs.total")
        page.set_viewport_size({"width": 390, "height": 844})
        self.check_state(page, "on a phone")
        page.set_viewport_size({"width": 1280, "height": 800})
        self.close(page)
        self.answer({"type": "invariants", "invariants": [], "entries": 41, "recordings": 1})
        self.finds(page)
        self.shows(page, "nothing held", "tt-invariants .coverage-note", "No condition")
        self.close(page)
        self.daemon.refuse["invariants"] = Refusal("failed", "It is broken.")
        self.finds(page)
        self.shows(page, "it failed", "tt-invariants .coverage-note", "It is broken.")

    def test_a_session_that_only_looks(self):
        self.daemon.capabilities = ["look"]
        page = self.open_page()
        self.answer(FOUND)
        self.finds(page)
        self.shows(page, "nothing can be kept", "tt-invariants tbody tr", "outputs.total")
