"""A daemon that answers wrongly neither stops the page nor makes it throw."""

import unittest

from page import BrowserTest
from refusal import Refusal
from standin import SPELLED, StandIn
from wrong_daemon import WrongDaemon

# Looks at everything and changes the past, without waiting for what may never come.
TOUR = [
    "ArrowLeft", "ArrowLeft", "Shift+ArrowLeft", "2", "3", "4", "5", "1", "Home", "End",
    "b", "Escape", "Shift+R", "Escape", "Shift+T", "Escape", "Shift+B", "n", "End", "Escape",
    "Shift+Y", "Enter", "Escape", "Shift+V", "Enter", "Escape", "Shift+E", "Escape",
    "v", "Enter", "Escape", "Shift+M", "Enter", "Escape", "a", "Escape", "q", "Escape",
    "/", "t", " ", ">", " ", "9", "Enter", "Escape", ".", ",", "Shift+P", "n", "p", "Shift+W", "5", "1",
    "x", "u", "r", "m", "e", "Escape", "d", "Shift+B", "Escape", "h", "h", "l", "Space", "Space",
    "Control+k", "a", "d", "Escape",
]

SPELLINGS = {method: spelling for spelling, method in SPELLED.items()}
REQUESTS = [SPELLINGS.get(name[3:], name[3:]) for name in dir(StandIn) if name.startswith("do_")]


class WrongAnswers(BrowserTest):
    def tour(self, seed):
        with WrongDaemon(seed) as daemon:
            # An error in the page fails the test when it ends.
            page = self.visit(self.new_context(), daemon.address)
            page.wait_for_selector(".tree-row")
            daemon.share = 0.3
            for key in TOUR:
                page.keyboard.press(key)
                self.drawn(page)
            self.assertGreater(len(daemon.wrongs), 5)
            daemon.share = 0
            for _ in range(3):
                page.keyboard.press("Escape")
            # The page listens, and shows what is right now.
            page.keyboard.press("Control+k")
            page.wait_for_selector(".palette[open]")
            page.keyboard.press("Escape")
            page.reload()
            self.shows_states(page)
            self.assertEqual(page.locator("img").count(), 0)

    def shows_states(self, page):
        """Waits for the timeline and its states; the key to them may have come while none was shown."""
        self.until(page, "document.title.includes(' @ ')")
        page.keyboard.press("1")
        page.wait_for_selector(".tree-row")

    def test_the_page_goes_on(self):
        for seed in range(6):
            with self.subTest(seed=seed):
                self.tour(seed)

    def test_every_request_may_fail(self):
        with StandIn() as daemon:
            page = self.visit(self.new_context(), daemon.address)
            page.wait_for_selector(".tree-row")
            full = Refusal("failed", "The disk is full.")
            daemon.refuse = dict.fromkeys(REQUESTS, full)
            for key in TOUR:
                page.keyboard.press(key)
                self.drawn(page)
            self.assertGreater(len(daemon.asked), 20)

    def test_a_first_answer_may_be_wrong(self):
        for seed in range(6):
            with self.subTest(seed=seed), WrongDaemon(seed) as daemon:
                daemon.share = 0.5
                page = self.visit(self.new_context(), daemon.address)
                page.wait_for_selector("tt-toolbar")
                for key in "ArrowLeft", "2", "1", "b", "Escape":
                    page.keyboard.press(key)
                    self.drawn(page)
                daemon.share = 0
                page.reload()
                self.shows_states(page)


if __name__ == "__main__":
    unittest.main()
