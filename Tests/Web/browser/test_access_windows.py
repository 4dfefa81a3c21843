"""axe finds nothing, in both themes, in the states of windows, strips, and menus."""

from everystate import EveryState
from refusal import Refusal
from shop import MAIN, event

ENDS = "gap", "trap", "limit", "undecodable", "cancelled", "failed"

HOSTS = [
    {"name": "Shop", "place": "process", "makes": ["Cart()"], "busy": True},
    {"name": "Shop, pid 77", "place": "live", "makes": ["Cart()"]},
    {"name": "Wishes", "place": "process", "makes": [], "executable": "build/Wishes",
     "problem": "It ended with status 1 before it said what it makes."},
]

SESSION = {"created": "2026-05-01T08:00:00Z", "capabilities": ["look", "change"]}


async def sessions(*_):
    return {"type": "sessions", "sessions": [
        SESSION | {"id": "s", "client": "Chromium on Debian", "connected": True, "yours": True},
        SESSION | {"id": "t", "connected": False}]}


async def status(*_):
    return {"type": "status", "daemon": "0.1.0", "seconds": 90, "recorders": 1, "inspectors": 1,
            "timelines": 1, "entries": 60, "bytes": 1_000,
            "problem": "The disk is full: nothing more is stored."}


class Strips(EveryState):
    def test_the_states_of_a_held_app(self):
        page = self.open_page()
        page.keyboard.press("h")
        page.wait_for_selector('tt-live-strip[data-is="mine"]')
        self.daemon.now(self.daemon.queue(2))
        self.shows(page, "Its events are queued", "tt-live-strip", "2 events queued.")
        self.command(page, "Pause recording")
        self.shows(page, "held and paused", "tt-live-strip", "Recording is paused.")
        page.keyboard.press("h")
        page.click("text=Pause (drop events)")
        self.shows(page, "Pause (drop events)", "tt-live-strip", "Its events are dropped")
        other = self.open_page()
        other.wait_for_selector('tt-live-strip[data-is="other"]')
        other.keyboard.press("h")
        self.shows(other, "another holds it", ".notice.warning",
                   "controls the machine. To control it here, take it over.")
        other.click("tt-live-strip >> text=Take over")
        self.shows(page, "it was taken", ".notice.warning", "no longer control the machine")
        page.keyboard.press("Home")
        self.daemon.now(self.daemon.happen(MAIN, event("checkedOut")))

    def test_branches_that_end_early_and_one_in_progress(self):
        ended = [self.branch(place, extra={"ended": why}) for place, why in enumerate(ENDS)]
        guessed = self.branch(7, standIns=1)
        lost = self.branch(8, timeline=MAIN[:-2] + "00")
        page = self.open_page()
        for branch in [*ended, guessed, lost]:
            page.evaluate("branch => location.hash = `timeline=${branch}&seq=20`", branch)
            name = self.daemon.timelines[branch].header["parent"]["name"]
            with self.subTest(branch):
                # The place and the strip may still be those of the branch before.
                self.until(page, "name => document.title.includes(`› ${name} @`)", name)
                page.wait_for_selector("tt-branch-strip:visible")
                self.wait_for_seq(page, 20)
                # They differ in the strip.
                self.check_state(page, branch, None if branch == ended[0] else "tt-branch-strip")
        page.evaluate("branch => location.hash = `timeline=${branch}&seq=20`", ended[0])
        self.has_text(page, ".strip-end", "what followed was lost")
        page.keyboard.press("b")
        self.shows(page, "branches that ended", ".branch-words.warn")
        page.locator("[data-tool=edit]").nth(1).click()
        self.shows(page, "a branch's new name", ".window-ask input")
        self.close(page)
        self.daemon.slow["branch"] = 1_000
        self.daemon.stall()
        # Without another entry than those branches.
        page.evaluate("main => location.hash = `timeline=${main}&seq=41`", MAIN)
        page.wait_for_selector("tt-branch-strip", state="hidden")
        self.wait_for_seq(page, 41)
        page.keyboard.press("x")
        self.shows(page, "a branch under way", "tt-jobs .job", "Computing")

    def test_where_there_is_no_branch(self):
        page = self.open_page()
        page.keyboard.press("Shift+B")
        self.shows(page, "nothing to compare with", ".notice.info",
                   "To make a branch, skip, edit, or insert an event.")
        page.keyboard.press("b")
        self.shows(page, "no branch", ".window[open] .note", "There are no branches yet")
        page.locator(".window[open] >> text=Compare…").click()
        self.has_text(page, ".window[open] .note", "no other recording")
        # A new entry of the live machine redraws the window: the result stays.
        self.daemon.now(self.daemon.happen(MAIN, event("checkedOut")))
        self.has_text(page, ".branch-count", "61 entries")
        self.has_text(page, ".window[open] .note", "no other recording")

    def test_a_session_that_only_looks(self):
        self.daemon.capabilities = ["look"]
        self.daemon.thinned = {(MAIN, 40)}
        page = self.open_page()
        self.shows(page, "it may look", "tt-event", "can look, but not edit")
        page.keyboard.press("g")
        page.keyboard.type("40")
        page.keyboard.press("Enter")
        self.shows(page, "it may not compute", "tt-details",
                   "This session cannot compute it. To open one that can, run: debugd open")
        page.keyboard.press("a")
        self.shows(page, "a menu of what it may not", "tt-entry-menu [aria-disabled=true]")
        page.keyboard.press("Escape")
        page.keyboard.press("v")
        self.shows(page, "it may not verify", ".window[open] .note.warn", "can look")
        self.close(page)
        page.click("tt-toolbar .host")
        page.click(".host-more summary")
        self.shows(page, "it starts no host", ".window-answer",
                   "This session cannot start hosts. To open one that can, run: debugd open --host")
        self.close(page)
        page.keyboard.press("b")
        self.shows(page, "it makes no branches", ".window[open] .note", "can look")


class Windows(EveryState):
    def test_comparisons(self):
        branch = self.branch(1)
        page = self.visit(
            self.new_context(bypass_csp=True), f"{self.daemon.address}&timeline={branch}")
        page.wait_for_selector("tt-branch-strip:visible")

        def compare(what, selector, *words):
            page.keyboard.press("Shift+B")
            self.shows(page, what, selector, *words)
            self.close(page)

        self.daemon.slow["compare"] = self.daemon.slow["entries"] = 1_000
        compare("it is compared", ".compare-verdict", "Comparing")
        self.daemon.slow = {}
        compare("some differ", ".compare-verdict", "first difference at")
        for asked, what, place in (
                ("diff", "no difference of two states", ".compare-right .pane-note"),
                ("compare", "no verdict", ".compare-verdict")):
            # The previous results are gone.
            self.daemon.refuse = {asked: Refusal("failed", "It is broken.")}
            page.reload()
            page.wait_for_selector("tt-branch-strip:visible")
            compare(what, place, "It is broken.")
        self.daemon.refuse = {"entries": Refusal("failed", "It is broken.")}
        compare("no entries", ".compare-left .pane-note", "It is broken.")

    def test_exports(self):
        page = self.open_page()
        self.daemon.slow["export"] = 1_000
        page.keyboard.press("Shift+E")
        self.shows(page, "it is written", ".window-foot .note", "Writing")
        self.daemon.slow = {}
        page.wait_for_selector(".preview .token-string")
        page.locator(".window[open] select").select_option("paths")
        page.get_by_label("Paths, one per line").fill("/wrong")
        self.shows(page, "a wrong path", ".preview-show", "is not a path")
        page.get_by_label("Paths, one per line").fill("/state/total")
        self.daemon.refuse["export"] = Refusal("failed", "It is broken.")
        page.locator(".choice", has=page.get_by_text("JSON Lines", exact=True)).click()
        self.shows(page, "it is not written", ".window-foot .note", "It is broken.")
        self.daemon.refuse = {}
        page.locator(".choice", has=page.get_by_text("JSON", exact=True)).click()
        self.shows(page, "JSON", ".preview[data-colors=json]")
        page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
        page.click("tt-export >> text=Copy")
        self.shows(page, "it is not copied", ".window-foot .note", "does not allow copying")

    def test_long_tasks_in_progress_canceled_and_failed(self):
        page = self.open_page()
        self.go(page, 12)
        page.locator('.row[data-seq="15"]:visible').click(modifiers=["Shift"])
        go = page.locator(".window[open] .main")
        for kind, key in ("verify", "v"), ("minimise", "Shift+M"):
            page.keyboard.press(key)
            if kind == "minimise":
                box = page.get_by_label("Condition")
                box.fill("stat.n > 3")
                self.shows(page, "a wrong predicate", ".window[open] .problem", "did you mean")
                box.fill("error != null")
            self.daemon.slow[kind] = 1_000
            go.click()
            self.shows(page, f"{kind} is under way", ".window[open] .job", "Replaying")
            page.locator(".window[open] .job [aria-label=Cancel]").click()
            self.shows(page, f"{kind} was canceled", ".verdict", "Canceled")
            self.daemon.slow = {}
            self.daemon.refuse[kind] = Refusal("failed", "The host is gone.")
            go.click()
            self.shows(page, f"{kind} failed", ".verdict", "The host is gone.")
            self.close(page)

    def test_hosts_and_sessions(self):
        self.daemon.hosts = HOSTS
        self.daemon.do_sessions, self.daemon.do_status = sessions, status
        page = self.open_page()
        page.click("tt-toolbar .host")
        self.shows(page, "hosts of all kinds", ".host-list .chip[data-tone=err]")
        page.click(".host-more summary")
        page.locator(".window[open] button:has-text('Start host')").click()
        self.shows(page, "no path is given", ".window-answer", "Give the path")
        self.daemon.slow["host"] = 1_000
        page.get_by_label("Path on the daemon's machine").fill("Shop")
        page.keyboard.press("Enter")
        self.shows(page, "a host is started", ".window-answer", "Starting")
        self.close(page)
        page.click("tt-status .daemon")
        self.shows(page, "a problem of the daemon", "tt-sessions .facts", "The disk is full")
        self.close(page)
        self.daemon.refuse["sessions"] = Refusal("failed", "It is broken.")
        page.click("tt-status .daemon")
        self.shows(page, "no sessions", "tt-sessions .note.warn", "It is broken.")
        self.close(page)
        self.daemon.hosts = HOSTS[1:2]
        self.daemon.now(self.daemon.broadcast({"type": "hosts", "hosts": HOSTS[1:2]}))
        self.shows(page, "the live app computes", "tt-toolbar .host.risky", "the live program")

    def test_windows_on_a_small_screen(self):
        self.branch(1)
        page = self.open_page(size=(420, 800))
        self.go(page, 20)
        for key, selector in (
                ("b", ".branch-list li"), ("Shift+B", ".compare-row"), ("v", "tt-prove .main"),
                ("Shift+E", ".preview .token-string"), ("Shift+M", "tt-prove .main"),
                ("a", "tt-entry-menu .menu"), ("e", "tt-event-editor")):
            page.keyboard.press(key)
            self.shows(page, f"{key} in a narrow window", selector)
            page.keyboard.press("Escape")
            page.wait_for_selector("dialog[open], .menu:popover-open", state="detached")
            # The focus returns to the page after what was closed has gone.
            self.drawn(page)

    def test_choices_without_a_result(self):
        page = self.open_page()
        self.go(page, 20)
        page.keyboard.press("Control+k")
        page.keyboard.type("zzz")
        self.shows(page, "only a filter", ".palette [role=option]", "Filter by “zzz”")
        self.close(page)
        for key, typed, words in (("?", "zzz", "No matching command"),
                                  ("o", "20", "cannot be moved before itself")):
            page.keyboard.press(key)
            page.keyboard.type(typed)
            self.shows(page, f"{key} {typed}", ".palette .pane-note", words)
            self.close(page)
        page.keyboard.press("o")
        page.keyboard.type("7")
        self.shows(page, "a move", ".palette [role=option]", "Move 20 before 7")
