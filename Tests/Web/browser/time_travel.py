"""Shared by the tests of time travel: a stand-in for the daemon, and checks of the page."""

from page import BrowserTest, WORDS
from standin import StandIn


class TravelTest(BrowserTest):
    """A separate stand-in daemon for each test."""

    hosts = None
    capabilities = None

    def setUp(self):
        self.daemon = self.enterContext(StandIn(
            hosts=None if self.hosts is None else list(self.hosts),
            capabilities=None if self.capabilities is None else list(self.capabilities)))

    def open_page(self, **options):
        page = self.visit(self.new_context(**options), self.daemon.address)
        page.wait_for_selector(".tree-row")
        return page

    def scripts(self):
        """The edit scripts sent so far."""
        return [message["edits"] for message in self.daemon.of("fork")]

    def row(self, page, seq):
        return page.locator(f'.row[data-seq="{seq}"]:visible')

    def field(self, page, path):
        return page.locator(f'tt-event-editor [data-tokens][aria-label="{path}"]')

    def compare_changed(self, page):
        """Changes entry 12, and compares the branch with what was recorded."""
        self.go(page, 12)
        page.keyboard.press("e")
        self.field(page, "count").fill("9")
        page.keyboard.press("Control+Enter")
        self.shows_branch(page, "12 changed", at=12)
        page.keyboard.press("Shift+B")

    def shows_branch(self, page, words, at):
        self.until(page, f"words => {WORDS} === words"
                         " && !document.querySelector('tt-branch-strip').hidden", words)
        self.wait_for_seq(page, at)

    def shows_main(self, page, at):
        self.until(page, "() => document.querySelector('tt-branch-strip').hidden")
        self.wait_for_seq(page, at)
