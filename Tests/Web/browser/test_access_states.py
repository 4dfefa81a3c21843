"""Nothing that axe finds, in both themes, in the states of the page that are seldom seen."""

import contextlib

from access import Checked
from page import BrowserTest
from refusal import Refusal
from shop import MAIN
from standin import StandIn
import recordings
import test_live_connection

PATCH = [{"op": "replace", "path": "/state/total", "value": 20}]


async def differs(_, message):
    """Says that the reducer is another one; in several processes, that it is not pure."""
    outcome = "impure" if message.get("processes", 1) > 1 else "differs"
    return {"type": "verify", "outcome": outcome, "entries": 12, "seq": 12, "patch": PATCH}


class AccessStates(Checked, BrowserTest):
    def in_both_themes(self, look):
        for scheme in "light", "dark":
            with self.subTest(scheme), contextlib.ExitStack() as rest:
                look(scheme, rest)

    def open_page(self, scheme, rest, **options):
        """A stand-in for a daemon, and a page that shows what it holds."""
        daemon = rest.enter_context(StandIn(**options))
        page = self.visit(self.new_context(scheme, bypass_csp=True), daemon.address)
        page.wait_for_selector(".tree-row")
        return daemon, page

    def cover(self, page, words, what):
        page.wait_for_selector(f"tt-cover h2:has-text('{words}'):visible")
        self.check(page, what)

    def close(self, page):
        page.keyboard.press("Escape")
        page.wait_for_selector(".window[open]", state="hidden")

    def test_no_recording_and_a_daemon_that_says_nothing_or_too_much(self):
        def look(scheme, rest):
            empty = rest.enter_context(StandIn())
            empty.timelines = {}
            page = self.visit(self.new_context(scheme, bypass_csp=True), empty.address)
            self.cover(page, "No recording yet", "no recording")
            for reply, words in ((None, "Connecting"), (
                    '{"type":"error","code":"version","message":"It speaks 2.0."}', "newer")):
                one = rest.enter_context(test_live_connection.StandIn(reply))
                page = self.visit(self.new_context(scheme, bypass_csp=True), one.address)
                self.cover(page, words, words)

        self.in_both_themes(look)

    def test_a_daemon_that_is_gone_while_something_is_shown(self):
        def look(scheme, rest):
            with contextlib.ExitStack() as short:
                _, page = self.open_page(scheme, short)
                self.go(page, 20)
            page.wait_for_selector("tt-status button:not(.daemon):visible")
            self.check(page, "the daemon is gone")

        self.in_both_themes(look)

    def test_what_was_not_captured_and_what_was_computed(self):
        def look(scheme, rest):
            daemon, page = self.open_page(scheme, rest)
            daemon.thinned = {(MAIN, 40)}
            page.keyboard.press("g")
            page.keyboard.type("40")
            page.keyboard.press("Enter")
            page.wait_for_selector(".moment-note:visible:has-text('was not captured')")
            self.check(page, "not captured")
            page.click("text=Compute it now")
            page.wait_for_selector(".tree-title:has-text('computed')")
            self.check(page, "computed")

        self.in_both_themes(look)

    def test_verdicts_of_all_kinds(self):
        def look(scheme, rest):
            daemon, page = self.open_page(scheme, rest)
            daemon.do_verify = differs
            page.keyboard.press("v")
            page.locator(".window[open] .main").click()
            page.wait_for_selector(".verdict:has-text('something else')")
            self.check(page, "it differs")
            page.locator(".window[open] select").select_option("8")
            page.locator(".window[open] .main").click()
            page.wait_for_selector(".verdict:has-text('not pure')")
            self.check(page, "it is not pure")
            self.close(page)
            page.keyboard.press("Shift+M")
            page.get_by_label("Until this holds").fill("error != null")
            page.locator(".window[open] .main").click()
            page.wait_for_selector(".verdict:has-text('3 events are enough')")
            self.check(page, "the fewest events")
            self.close(page)
            daemon.refuse["fork"] = Refusal("wrong-value", "It was lost.", at=0)
            page.keyboard.press("x")
            page.wait_for_selector(".notice.error:has-text('It was lost.')")
            self.check(page, "a branch is refused")

        self.in_both_themes(look)

    def test_gaps_and_errors_in_view(self):
        def look(scheme, rest):
            _, page = self.open_page(scheme, rest)
            page.set_input_files(
                "input[type=file]", recordings.write(self.path(f"{scheme}.timeline"), 200))
            self.wait_for_seq(page, 236)
            for seq, row in (78, ".row.gap:visible"), (88, ".row.error:visible"):
                self.go(page, seq)
                page.wait_for_selector(row)
                self.check(page, row)

        self.in_both_themes(look)

    def test_no_host_and_recording_paused(self):
        def look(scheme, rest):
            _, page = self.open_page(scheme, rest, hosts=[])
            self.says(page, "tt-event", "needs a host that runs the reducer")
            self.check(page, "no host")
            page.click("tt-toolbar .host")
            self.says(page, ".window[open]", "ReducerHost.runIfAsked")
            page.get_by_label("Path on the daemon's machine").fill("build/Nothing")
            page.keyboard.press("Enter")
            page.wait_for_selector(".window-answer:has-text('There is no file')")
            self.check(page, "how to get a host")
            self.close(page)
            self.command(page, "Pause recording")
            page.wait_for_selector("tt-live-strip:has-text('Recording is paused.')")
            self.check(page, "recording is paused")

        self.in_both_themes(look)

    def test_every_mode_of_the_palette(self):
        def look(scheme, rest):
            _, page = self.open_page(scheme, rest)
            for opens, typed in (
                    (lambda: page.keyboard.press("g"), "3:05"),
                    (lambda: page.keyboard.press("g"), "nothing"),
                    (lambda: page.keyboard.press("?"), "timeline"),
                    (lambda: self.command(page, "name this"), "the slow one"),
                    (lambda: self.command(page, "delete this"), "")):
                opens()
                page.wait_for_selector(".palette[open]")
                label = page.locator(".palette input").get_attribute("aria-label")
                self.check(page, label)
                page.keyboard.type(typed)
                self.check(page, f"{label}: {typed}")
                page.keyboard.press("Escape")
                page.wait_for_selector(".palette[open]", state="hidden")

        self.in_both_themes(look)

    def test_a_value_by_keys_and_the_search_in_the_state(self):
        def look(scheme, rest):
            _, page = self.open_page(scheme, rest)
            page.keyboard.press("w")
            page.wait_for_selector(".notice:has-text('Choose a value of the state')")
            page.keyboard.press("ArrowDown")
            self.check(page, "a value is chosen")
            page.keyboard.press("Shift+F")
            page.keyboard.type("apple")
            self.check(page, "searching the state")

        self.in_both_themes(look)
