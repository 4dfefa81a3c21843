"""axe finds nothing, in both themes, in rarely seen states of the page."""

from playwright.sync_api import expect

from access import Checked
from page import BrowserTest
from refusal import Refusal
from shop import MAIN
from standin import StandIn
import recordings
import test_live_connection

PATCH = [{"op": "replace", "path": "/state/total", "value": 20}]


async def differs(_, message):
    """Reports a changed reducer or, with several processes, an impure one."""
    outcome = "impure" if message.get("processes", 1) > 1 else "differs"
    return {"type": "verify", "outcome": outcome, "entries": 12, "seq": 12, "patch": PATCH}


class AccessStates(Checked, BrowserTest):
    def visit(self, daemon):
        """A page of a daemon that allows axe."""
        return super().visit(self.new_context(size=self.low, bypass_csp=True), daemon.address)

    def open_page(self, **options):
        """A stand-in for a daemon, and a page that shows its timelines."""
        daemon = self.enterContext(StandIn(**options))
        page = self.visit(daemon)
        page.wait_for_selector(".tree-row")
        return daemon, page

    def cover(self, page, words, what):
        page.wait_for_selector(f"tt-cover h2:has-text('{words}'):visible")
        self.check_state(page, what)

    def close(self, page):
        page.keyboard.press("Escape")
        page.wait_for_selector(".window[open]", state="hidden")

    def test_no_recording_and_a_daemon_that_sends_nothing_or_too_much(self):
        empty = self.enterContext(StandIn())
        empty.timelines = {}
        page = self.visit(empty)
        self.cover(page, "No recording yet", "no recording")
        for reply, words in ((None, "Connecting"), (
                '{"type":"error","code":"version","message":"It speaks 2.0."}', "newer")):
            one = self.enterContext(test_live_connection.StandIn(reply))
            page = self.visit(one)
            self.cover(page, words, words)

    def test_a_daemon_that_stops_while_a_timeline_is_shown(self):
        with StandIn() as daemon:
            page = self.visit(daemon)
            page.wait_for_selector(".tree-row")
            self.go(page, 20)
            live = page.locator("tt-sources .dot:not(.off):visible")
            expect(live.first).to_be_visible()
        page.wait_for_selector("tt-status button:not(.daemon):visible")
        # Nothing claims to run while the daemon is away.
        expect(live).to_have_count(0)
        self.check_state(page, "the daemon is not connected")

    def test_what_was_not_captured_and_what_was_computed(self):
        daemon, page = self.open_page()
        daemon.thinned = {(MAIN, 40)}
        page.keyboard.press("g")
        page.keyboard.type("40")
        page.keyboard.press("Enter")
        page.wait_for_selector(".moment-note:visible:has-text('was not captured')")
        self.check_state(page, "not captured")
        page.click("text=Compute it now")
        page.wait_for_selector(".tree-title:has-text('computed')")
        self.check_state(page, "computed")

    def test_verdicts_of_all_kinds(self):
        daemon, page = self.open_page()
        daemon.do_verify = differs
        page.keyboard.press("v")
        page.locator(".window[open] .main").click()
        page.wait_for_selector(".verdict:has-text('result changed')")
        self.check_state(page, "it differs")
        page.locator(".window[open] select").select_option("8")
        page.locator(".window[open] .main").click()
        page.wait_for_selector(".verdict:has-text('not pure')")
        self.check_state(page, "it is not pure")
        self.close(page)
        page.keyboard.press("Shift+M")
        page.get_by_label("Condition").fill("error != null")
        page.locator(".window[open] .main").click()
        page.wait_for_selector(".verdict:has-text('3 events reproduce it')")
        self.check_state(page, "the fewest events")
        self.close(page)
        daemon.refuse["fork"] = Refusal("wrong-value", "It was lost.", at=0)
        page.keyboard.press("x")
        page.wait_for_selector(".notice.error:has-text('It was lost.')")
        self.check_state(page, "a branch is refused")

    def test_gaps_and_errors_in_view(self):
        _, page = self.open_page()
        page.set_input_files(
            "input[type=file]", recordings.write(self.path("gaps.timeline"), 200))
        self.wait_for_seq(page, 236)
        for seq, row in (78, ".row.gap:visible"), (88, ".row.error:visible"):
            self.go(page, seq)
            page.wait_for_selector(row)
            self.check_state(page, row)

    def test_no_host_and_recording_paused(self):
        _, page = self.open_page(hosts=[])
        self.has_text(page, "tt-event", "needs a host that runs the reducer")
        self.check_state(page, "no host")
        page.click("tt-toolbar .host")
        self.has_text(page, ".window[open]", "ReducerHost.runIfAsked")
        page.get_by_label("Path on the daemon's machine").fill("build/Nothing")
        page.keyboard.press("Enter")
        page.wait_for_selector(".window-answer:has-text('There is no file')")
        self.check_state(page, "how to get a host")
        self.close(page)
        self.command(page, "Pause recording")
        page.wait_for_selector("tt-live-strip:has-text('Recording is paused.')")
        self.check_state(page, "recording is paused")

    def test_every_mode_of_the_palette(self):
        _, page = self.open_page()
        for opens, typed in (
                (lambda: page.keyboard.press("g"), "3:05"),
                (lambda: page.keyboard.press("g"), "nothing"),
                (lambda: page.keyboard.press("?"), "timeline"),
                (lambda: self.command(page, "name this"), "the slow one"),
                (lambda: self.command(page, "delete this"), "")):
            opens()
            page.wait_for_selector(".palette[open]")
            label = page.locator(".palette input").get_attribute("aria-label")
            self.check_state(page, label)
            page.keyboard.type(typed)
            self.check_state(page, f"{label}: {typed}")
            page.keyboard.press("Escape")
            page.wait_for_selector(".palette[open]", state="hidden")

    def test_a_value_by_keys_and_the_search_in_the_state(self):
        _, page = self.open_page()
        page.keyboard.press("w")
        page.wait_for_selector(".notice:has-text('First select a value of the state')")
        page.keyboard.press("ArrowDown")
        self.check_state(page, "a value is chosen")
        page.keyboard.press("Shift+F")
        page.keyboard.type("apple")
        self.check_state(page, "searching the state")
