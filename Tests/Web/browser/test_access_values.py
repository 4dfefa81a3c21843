"""axe finds nothing, in both themes, in what the page shows of values over time, and in what leads to
places."""

from access import Checked
from everystate import EveryState
from page import PageTest
from shop import MAIN, Timeline


class Values(EveryState):
    def test_the_questions_about_a_value(self):
        page = self.open_page()
        self.go(page, 12)
        self.value(page, "/total").click(button="right")
        self.shows(page, "questions about a number", ".menu:popover-open [role=menuitem]", "fall below")
        page.keyboard.press("Escape")
        self.value(page, "/token").click(button="right")
        self.shows(page, "questions about a text", ".menu:popover-open [role=menuitem]")
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
        page.wait_for_selector(".menu:popover-open", state="detached")
        self.check_state(page, "a question was asked")

    def test_lanes_of_values_and_those_of_the_parent(self):
        for place, state in enumerate(self.daemon.timelines[MAIN].states):
            state["phase"] = ["open", "paid", "shipped"][place // 25]
            state["isOpen"] = place % 7 < 4
        self.branch(1)
        page = self.open_page()
        self.go(page, 30)
        for path in "/total", "/phase", "/isOpen":
            self.act(page, path, "watch")
        self.leave(page)
        self.shows(page, "lanes", ".value-lane .lane-value", "paid")
        self.act(page, "/total", "pin")
        self.shows(page, "a pinned lane", "tt-pin", "total")
        page.locator(".machine:visible", has_text="branch 1").click()
        page.wait_for_selector("tt-branch-strip:visible")
        self.shows(page, "lanes with the parent's values", ".value-lane .lane-name", "total")
        page.set_viewport_size({"width": 390, "height": 844})
        self.shows(page, "lanes on a phone", ".value-lane .lane-name", "total")

    def test_a_diagram_that_is_inferred(self):
        main = self.daemon.timelines[MAIN]
        for place, state in enumerate(main.states):
            state["phase"] = ["open", "paid", "shipped"][place % 3]
        page = self.open_page()
        self.go(page, 30)
        self.act(page, "/phase", "pin")
        page.keyboard.press("4")
        self.shows(page, "an inferred diagram", ".graph-title", "inferred")
        page.locator(".diagram svg").focus()
        page.keyboard.press("ArrowDown")
        self.check_state(page, "a state of the diagram is chosen")

    def test_places_in_the_palette_and_text_in_the_filter(self):
        self.branch(1)
        page = self.open_page()
        for typed in "cart", "branch 1", "removed", "total", "go to 12":
            page.keyboard.press("Control+k")
            page.wait_for_selector(".palette[open]")
            page.keyboard.type(typed)
            self.shows(page, f"places: {typed}", ".palette [role=option]")
            page.keyboard.press("Escape")
            page.wait_for_selector(".palette[open]", state="hidden")
        page.fill(".filter", "total < 3")
        self.shows(page, "a filter that Enter corrects", ".filter-error", "total")
        page.fill(".filter", "state.to")
        page.locator(".filter").press("ArrowDown")
        self.shows(page, "completions of the filter", ".completions [aria-selected=true]", "state.to")
        page.fill(".filter", "state.totl < 0")
        self.shows(page, "a path that must be meant", ".filter-error.hint", "state.total")

    def test_a_restarted_app(self):
        page = self.open_page()
        self.go(page, 20)
        main = self.daemon.timelines[MAIN]
        main.extra = {}
        self.daemon.now(self.daemon.broadcast({"type": "timeline", "timeline": main.summary()}))
        header = main.header | {"timeline": f"{MAIN[:-2]}cc", "started": "2026-05-04T08:00:00Z",
                                "app": main.header["app"] | {"pid": 78}}
        again = Timeline(header, main.states[0])
        again.extra = {"live": True}
        self.daemon.timelines[header["timeline"]] = again
        self.daemon.now(self.daemon.broadcast({"type": "timeline", "timeline": again.summary()}))
        self.shows(page, "the app was restarted", ".notice button", "Follow the new cart")
        page.locator(".notice button", has_text="Follow the new cart").click()
        page.wait_for_selector(".live.following")
        self.check_state(page, "a timeline without events")


class Hints(Checked, PageTest):
    def test_the_hints_and_a_dismissed_one(self):
        page = self.open_page(size=self.low, bypass_csp=True)
        page.wait_for_selector(".cover-hints li")
        self.check_state(page, "hints")
        page.locator(".cover-hints button").first.click()
        self.until(page, "document.querySelectorAll('.cover-hints li').length === 2")
        self.check_state(page, "one was dismissed")
