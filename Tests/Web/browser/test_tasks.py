"""Eleven everyday tasks, each with the pointer and with keys, in at most so many clicks or keys.

Moving the pointer costs nothing, and neither does reading. A text that is typed counts once; where the
text is the task, each of its characters counts.
"""

import gzip
import os
import unittest

from gallery import GalleryTest
from page import ROOT, WORDS

SAMPLE = os.path.join(ROOT, "web", "samples", "basket.timeline.gz")

# The only entry of the sample after which the total is negative.
NEGATIVE = 29

PAUSE = "tt-live-strip [data-command=hold]"
RESUME = "tt-live-strip [data-command=live-resume]"

BELOW = "state.totalCents < 0"


class Hand:
    """Uses a page, and counts clicks and keys."""

    def __init__(self, page):
        self.page = page
        self.count = 0

    def click(self, target, **options):
        self.count += 1
        # The first one in sight: a tab out of sight may have the same button.
        self.page.locator(target).locator("visible=true").first.click(**options)

    def press(self, *keys):
        for key in keys:
            self.count += 1
            self.page.keyboard.press(key)

    def write(self, text, each=False):
        self.count += len(text) if each else 1
        self.page.keyboard.type(text)


class Tasks(GalleryTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.run_gallery()
        cls.file = cls.in_folder("basket.timeline")
        with gzip.open(SAMPLE) as packed, open(cls.file, "wb") as file:
            file.write(packed.read())
        cls.basket = cls.import_file(cls.file)

    def at_basket(self, seq):
        page = self.open_page(self.basket, hash=f"&seq={seq}")
        self.until(page, "() => document.querySelector('.host').textContent.includes('host: ')",
                   seconds=120)
        self.wait_for_seq(page, seq)
        self.loaded(page)
        return page

    def both_ways(self, start, done, pointer, keys):
        """Does a task in both ways. `pointer` and `keys` are what each may cost, and how it is done."""
        for way, (most, act) in (("pointer", pointer), ("keys", keys)):
            with self.subTest(way):
                page = start()
                hand = Hand(page)
                act(hand)
                done(page)
                self.assertLessEqual(hand.count, most)
                page.context.close()

    def on_branch(self, page, words):
        self.until(page, f"words => {WORDS} === words", words)

    def shows_outcome(self, page):
        self.has_text(page, ".strip-outcome", "totalCents")

    def compares(self, page):
        page.wait_for_selector(".compare-row.first-difference")
        self.has_text(page, ".compare-head", "totalCents")

    def test_a_who_made_the_total_negative(self):
        def by_keys(hand):
            # The key of a view that is shown moves the focus into it.
            hand.press("1", "ArrowLeft", "ArrowDown", "q", "ArrowDown", "ArrowDown", "Enter")

        def by_pointer(hand):
            hand.click('.tree-row[data-path="/totalCents"]', button="right")
            hand.click("text=When did it fall below 0?")

        self.both_ways(lambda: self.at_basket(20), lambda page: self.wait_for_seq(page, NEGATIVE),
                       (3, by_pointer), (7, by_keys))

    def test_b_skip_an_event_and_see_how_it_ends(self):
        def done(page):
            self.on_branch(page, "Without 11")
            self.shows_outcome(page)

        # A discount, without which the basket ends with another total.
        self.both_ways(lambda: self.at_basket(11), done,
                       (3, lambda hand: hand.click("tt-event [aria-label=Skip]")),
                       (3, lambda hand: hand.press("x")))

    def test_c_edit_an_event_and_compare(self):
        def by_pointer(hand):
            hand.click('tt-event .field-value[data-field*="cents"]')
            hand.page.wait_for_selector("tt-event-editor:visible")
            hand.page.keyboard.press("Control+a")
            hand.page.keyboard.type("1")
            hand.click("text=Replace in a new branch")
            self.on_branch(hand.page, "8 changed")
            hand.click("tt-branch-strip >> text=Compare")

        def by_keys(hand):
            hand.press("e")
            hand.page.wait_for_selector("tt-event-editor:visible")
            hand.press("Tab", "Tab")
            hand.write("1")
            hand.press("Control+Enter")
            self.on_branch(hand.page, "8 changed")
            hand.press("Shift+B")

        self.both_ways(lambda: self.at_basket(8), self.compares, (4, by_pointer), (6, by_keys))

    def test_d_undo(self):
        def start():
            page = self.at_basket(20)
            page.keyboard.press("d")
            self.until(page, "() => !document.querySelector('tt-branch-strip').hidden")
            return page

        self.both_ways(start, lambda page: page.wait_for_selector("tt-branch-strip", state="hidden"),
                       (1, lambda hand: hand.click("tt-branch-strip >> text=Undo")),
                       (1, lambda hand: hand.press("u")))

    def test_e_send_an_event_to_the_live_machine(self):
        def start():
            page = self.open_page()
            self.open_machine(page, "coin")
            page.wait_for_selector(PAUSE)
            return page

        def sent(page):
            page.wait_for_selector(PAUSE)
            self.assertEqual(page.locator(".notice.error").count(), 0)

        def arrives(page, act):
            last = page.evaluate("+document.querySelector('.slider').ariaValueMax")
            act()
            self.until(page, "last => +document.querySelector('.slider').ariaValueMax > last", last)

        def by_pointer(hand):
            hand.click(PAUSE)
            hand.page.wait_for_selector(RESUME)
            hand.click("tt-event [aria-label^=Insert]")
            arrives(hand.page, lambda: hand.click("text=Send to the live machine"))
            hand.click(RESUME)

        def by_keys(hand):
            hand.press("h")
            hand.page.wait_for_selector(RESUME)
            hand.press("i")
            hand.page.wait_for_selector("tt-event-editor:visible")
            arrives(hand.page, lambda: hand.press("Control+Shift+Enter"))
            hand.page.wait_for_selector("tt-event-editor", state="hidden")
            hand.press("h")

        self.both_ways(start, sent, (4, by_pointer), (4, by_keys))

    def test_f_the_first_moment_of_a_condition(self):
        def by_pointer(hand):
            hand.click(".filter")
            hand.page.keyboard.type(BELOW)
            hand.page.wait_for_selector('.row[data-seq="28"]', state="hidden")
            hand.click(f'.row[data-seq="{NEGATIVE}"]')

        def by_keys(hand):
            hand.press("/")
            hand.write(BELOW, each=True)
            hand.press("Enter")

        self.both_ways(lambda: self.at_basket(20), lambda page: self.wait_for_seq(page, NEGATIVE),
                       (2, by_pointer), (24, by_keys))

    def minimized(self):
        page = self.at_basket(NEGATIVE)
        page.keyboard.press("/")
        page.keyboard.type(BELOW)
        page.keyboard.press("Enter")
        self.until(page, "document.activeElement.matches('.grid')")
        return page

    def reproduces(self, page):
        self.has_text(page, ".verdict", "3 events reproduce it")

    def test_g_the_fewest_events_that_do_it(self):
        def by_pointer(hand):
            hand.click("tt-event [aria-label^=Minimize]")
            hand.click("tt-prove button.main")

        self.both_ways(self.minimized, self.reproduces, (3, by_pointer),
                       (4, lambda hand: hand.press("Shift+M", "Enter")))

    def test_h_export_them_as_a_test(self):
        def start():
            page = self.minimized()
            page.keyboard.press("Shift+M")
            page.keyboard.press("Enter")
            self.reproduces(page)
            return page

        def by_pointer(hand):
            hand.click("text=Export it as a test")
            hand.page.wait_for_selector(".preview .token-string")
            hand.click("tt-export button >> text=Copy")

        def by_keys(hand):
            # With the branch in view, as after a look at it.
            hand.page.get_by_role("button", name="Show the branch", exact=True).press("Enter")
            hand.page.wait_for_selector("tt-branch-strip:visible")
            hand.press("Shift+E")
            hand.page.wait_for_selector(".preview .token-string")
            with hand.page.expect_download():
                hand.press("Enter")

        self.both_ways(start, lambda page: self.has_text(page, ".preview", "never"),
                       (2, by_pointer), (2, by_keys))

    def test_i_the_statechart(self):
        def by_pointer(hand):
            hand.click(".machine-name >> text=/^flow$/")
            self.until(hand.page, "document.title.includes('› flow @')")
            hand.click("#tab-chart")

        def by_keys(hand):
            hand.press("Control+k")
            hand.write("flow")
            hand.press("Enter")
            self.until(hand.page, "document.title.includes('› flow @')")
            hand.press("4")

        self.both_ways(lambda: self.at_basket(20),
                       lambda page: page.wait_for_selector(".state-box.on"),
                       (2, by_pointer), (4, by_keys))

    def test_j_watch_two_values(self):
        def by_pointer(hand):
            for path in "/items", "/totalCents":
                hand.count += 1
                self.act(hand.page, path, "watch")
            hand.click("#tab-watch")
            self.leave(hand.page)

        def by_keys(hand):
            # The entry changed the first row, which shows its buttons.
            hand.press("Shift+W", "ArrowDown", "Shift+W", "5")

        def done(page):
            self.has_text(page, "#panel-watch", "items", "totalCents")
            self.has_text(page, ".value-lane-list", "items", "totalCents")

        self.both_ways(lambda: self.at_basket(NEGATIVE), done, (3, by_pointer), (4, by_keys))

    def test_k_open_a_file(self):
        def drop(hand):
            hand.count += 1
            with open(self.file, encoding="utf-8") as file:
                text = file.read()
            hand.page.evaluate("""(text) => {
              const dataTransfer = new DataTransfer();
              dataTransfer.items.add(new File([text], "dropped.timeline"));
              document.body.dispatchEvent(new DragEvent("drop",
                { dataTransfer, bubbles: true, cancelable: true }));
            }""", text)

        def choose(hand):
            hand.count += 1
            self.choose_file(hand.page, lambda: hand.page.keyboard.press("Control+o"), self.file)

        def done(page):
            self.has_text(page, "tt-status", "file, read-only")
            page.wait_for_selector('.row[data-seq="29"]')

        # At an entry: at the end of a live machine, the page would never be still.
        self.both_ways(lambda: self.at_basket(20), done, (1, drop), (1, choose))


if __name__ == "__main__":
    unittest.main()
