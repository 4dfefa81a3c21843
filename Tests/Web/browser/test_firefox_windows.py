"""Windows that need a host, in Firefox: axe finds nothing in any of their states, in both themes."""

import unittest

from everystate import Moody
from firefox import Firefox
from refusal import Refusal
from test_access_explore import nothing


class FirefoxWindows(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.firefox = cls.enterClassContext(Firefox())

    def setUp(self):
        self.daemon = self.enterContext(Moody())
        self.pages = []

    def tearDown(self):
        # Pages that are open would not reach the daemon once it ends.
        for page in self.pages:
            page.close()
        self.assertEqual(self.firefox.errors(), [])
        self.firefox.events.clear()

    def open_page(self, theme):
        page = self.firefox.open(self.daemon.address, size=(1440, 640))
        self.pages.append(page)
        page.until("document.querySelector('.tree-row')?.checkVisibility()")
        if theme == "dark":
            page.press("t")
            page.until("document.documentElement.dataset.theme === 'dark'")
        page.press("g")
        page.type("20")
        page.press("Enter")
        page.until("document.title.endsWith('@ 20')")
        return page

    def shows(self, page, what, selector, words):
        page.until(f"[...document.querySelectorAll('{selector}')].some((one) =>"
                   f" one.checkVisibility() && one.textContent.includes(\"{words}\"))")
        with self.subTest(what):
            self.assertEqual(page.violations(), [])

    def close(self, page):
        page.press("Escape")
        page.until("document.querySelector('dialog[open]') === null")

    def explore(self, page):
        page.press("Shift+V")
        page.until("document.querySelector('tt-explore dialog').open")

    def test_the_states_of_an_exploration(self):
        for theme in "light", "dark":
            page = self.open_page(theme)
            self.explore(page)
            self.shows(page, "nothing is entered", "tt-explore h2", "from 20")
            page.type("stat.n > 3")
            self.shows(page, "a wrong condition", "tt-explore .problem", "did you mean")
            page.press("Control+a")
            page.type("state.n < 0")
            self.daemon.slow["explore"] = 1_000
            page.press("Enter")
            self.shows(page, "it runs", "tt-explore .job", "Exploring")
            page.click("tt-explore .job button")
            self.shows(page, "it was canceled", "tt-explore .verdict", "Canceled")
            self.daemon.slow = {}
            page.click("tt-explore .main")
            self.shows(page, "findings", "tt-explore .verdict", "events lead there")
            self.daemon.do_explore = nothing
            page.click("tt-explore .main")
            self.shows(page, "no findings", "tt-explore .verdict h3", "No events lead there")
            self.daemon.refuse["explore"] = Refusal("failed", "It is broken.")
            page.click("tt-explore .main")
            self.shows(page, "it failed", "tt-explore .verdict", "It is broken.")
            del self.daemon.do_explore
            self.daemon.refuse = {}

    def test_a_branch_its_comparison_and_its_export(self):
        for theme in "light", "dark":
            page = self.open_page(theme)
            page.press("x")
            self.shows(page, "a branch", ".strip-outcome", "Ends in the same state.")
            page.press("Shift+B")
            self.shows(page, "a comparison", ".compare-verdict", "first difference at")
            self.close(page)
            page.press("Shift+E")
            self.shows(page, "an export", ".preview", "import Testing")
            self.close(page)


if __name__ == "__main__":
    unittest.main()
