"""Commands that other tests give in only one way: here with their key, with their words in the palette,
and with only the pointer; each with its visible effect."""

import functools
import unittest

from playwright.sync_api import expect

from page import PageTest
from refusal import Refusal
from shop import MAIN
from test_every_action import commands
from time_travel import TravelTest
import recordings

CURSOR = "+document.querySelector('.slider').ariaValueNow"
DESCRIBED = "document.querySelector('tt-timeline').dataset.described"
SELECTED = "document.querySelector('[role=tab][aria-selected=true]').id"


class BothWays:
    """Gives a command in every possible way, each time from the same place."""

    titles, keys = commands()

    def ways(self, page, command):
        for key in self.keys[command][:1]:
            yield f"by {key}", lambda: page.keyboard.press(key.replace("Mod", "Control"))
        yield "by the palette", lambda: self.command(page, self.titles[command])
        yield "by the pointer", lambda: self.press_command(page, self.titles[command])

    def every_way(self, page, command, prepare, effect):
        for way, give in self.ways(page, command):
            with self.subTest(f"{command} {way}"):
                prepare()
                give()
                effect()
                page.wait_for_selector(".palette[open]", state="hidden")

    def comes_to(self, page, condition, arg=None):
        return functools.partial(self.until, page, condition, arg)


class FilesBothWays(BothWays, PageTest):
    def open_file(self):
        page = self.open_page(recordings.write(self.path("commute.timeline"), 300))
        self.wait_for_seq(page, 336)
        self.loaded(page)
        page.locator(".grid").focus()
        return page

    def test_steps_along_matches_changes_and_causes(self):
        page = self.open_file()

        def leads(command, start, end):
            self.every_way(page, command, lambda: self.go(page, start),
                           lambda: self.wait_for_seq(page, end))

        leads("next-ten", 120, 130)
        leads("previous-ten", 120, 110)
        leads("cause", 80, 79)
        leads("effect", 79, 80)
        self.go(page, 120)
        self.act(page, "/n", "pin")
        page.wait_for_selector("tt-pin:has-text('changed')")
        leads("next-change", 120, 122)
        leads("previous-change", 122, 120)
        page.fill(".filter", "error != null")
        page.locator(".filter").press("Enter")
        self.until(page, "/^\\d+ of/.test(document.querySelector('.count').textContent)")
        # Enter also goes to the first match, perhaps only after the list is complete.
        self.wait_for_seq(page, 1)
        leads("next-match", 120, 128)
        leads("previous-match", 128, 108)

    def test_plays_and_shows_the_selection(self):
        page = self.open_file()
        page.select_option(".pace", label="100 entries per second")
        page.locator(".grid").focus()
        self.every_way(page, "play", lambda: self.go(page, 10), lambda: (
            self.until(page, f"{CURSOR} > 15"), page.click(".bar .play"),
            page.wait_for_selector('.play[aria-label="Play"]'), page.locator(".grid").focus()))
        whole = page.evaluate(DESCRIBED)

        def all_of_it():
            self.go(page, 120)
            page.locator(".slider").dblclick(position={"x": 400, "y": 60})
            self.until(page, f"whole => {DESCRIBED} === whole", whole)
            self.go(page, 120)

        for command in "show-in-timeline", "zoom-in":
            self.every_way(page, command, all_of_it,
                           self.comes_to(page, f"whole => {DESCRIBED} !== whole", whole))

        def a_part_of_it():
            all_of_it()
            page.keyboard.press("+")
            self.until(page, f"whole => {DESCRIBED} !== whole", whole)

        self.every_way(page, "zoom-out", a_part_of_it,
                       self.comes_to(page, f"whole => {DESCRIBED} === whole", whole))

    def test_marks_compares_copies_and_asks(self):
        page = self.open_file()
        page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        self.go(page, 120)
        marked = "document.querySelector('.row.on .mark:not(.off)') !== null"
        self.every_way(
            page, "mark", lambda: page.evaluate(f"window.wasMarked = {marked}"),
            self.comes_to(page, f"{marked} !== window.wasMarked"))
        self.every_way(page, "compare", lambda: page.keyboard.press("1"),
                       self.comes_to(page, f"{SELECTED} === 'tab-diff'"))
        page.keyboard.press("1")
        copied = "navigator.clipboard.readText().then((text) => text.endsWith('seq=120'))"
        self.every_way(
            page, "copy-link",
            lambda: page.evaluate("navigator.clipboard.writeText('nothing')"),
            self.comes_to(page, copied))

        def asks(words):
            page.wait_for_selector(f".palette input[aria-label*='{words}']")
            page.keyboard.press("Escape")

        for command, words in (("go-to", "An entry, such as"), ("help", "Keys and help")):
            self.every_way(page, command, lambda: None, functools.partial(asks, words))
        # With the pointer, it is also in the entry's menu.
        page.evaluate("navigator.clipboard.writeText('nothing')")
        page.locator('.row[data-seq="120"]').click(button="right")
        page.locator("tt-entry-menu [data-command=copy-link]").click()
        self.until(page, copied)

    def test_switches_keys_and_themes_and_closes_the_file(self):
        page = self.open_file()
        dark = "document.documentElement.dataset.theme === 'dark'"
        self.every_way(page, "theme", lambda: page.evaluate(f"window.wasDark = {dark}"),
                       self.comes_to(page, f"{dark} !== window.wasDark"))
        self.every_way(page, "filter", lambda: page.locator(".grid").focus(),
                       lambda: expect(page.locator(".filter")).to_be_focused())
        page.locator(".grid").focus()
        self.press_command(page, self.titles["keys"])
        page.wait_for_selector(".notice:has-text('Single-letter keys are off')")
        page.keyboard.press("4")
        self.assertTrue(page.evaluate(f"{SELECTED} === 'tab-state'"))
        self.press_command(page, self.titles["keys"])
        page.wait_for_selector(".notice:has-text('Single-letter keys are on')")
        page.locator(".grid").focus()
        page.keyboard.press("4")
        self.until(page, f"{SELECTED} === 'tab-chart'")

        def open_again():
            page.set_input_files("input[type=file]", self.path("commute.timeline"))
            page.wait_for_selector("tt-cover", state="hidden")

        for way in self.command, self.press_command:
            way(page, self.titles["close-file"])
            page.wait_for_selector("tt-cover:visible")
            open_again()


class TimeTravelBothWays(BothWays, TravelTest):
    def strip(self, page, which, words=""):
        page.wait_for_selector(f'tt-live-strip[data-is="{which}"]:has-text("{words}")')

    def at_main(self, page, seq=20):
        page.locator(".grid").focus()
        if page.locator("tt-branch-strip").is_visible():
            page.keyboard.press("u")
        self.shows_main(page, seq)

    def test_undoes_redoes_and_computes_again(self):
        page = self.open_page()
        self.go(page, 20)
        page.keyboard.press("x")
        self.shows_branch(page, "Without 20", at=20)

        def at_branch():
            page.locator(".grid").focus()
            if page.locator("tt-branch-strip").is_hidden():
                page.keyboard.press("r")
            self.shows_branch(page, "Without 20", at=20)

        def compared():
            page.wait_for_selector("tt-compare .window[open]")
            page.keyboard.press("Escape")
            page.wait_for_selector("tt-compare .window[open]", state="hidden")

        self.every_way(page, "undo", at_branch, lambda: self.shows_main(page, at=20))
        self.every_way(page, "redo", lambda: self.at_main(page),
                       lambda: self.shows_branch(page, "Without 20", at=20))
        self.every_way(page, "compare-parent", at_branch, compared)
        count = len(self.scripts())
        self.every_way(page, "recompute", at_branch, compared)
        self.assertEqual(self.scripts()[count:], [[{"drop": 20}]] * 2)

    def test_computes_what_was_not_captured(self):
        places = iter((20, 30, 40))
        self.daemon.thinned = {(MAIN, seq) for seq in (20, 30, 40)}
        page = self.open_page()

        def at_the_next():
            page.keyboard.press("g")
            page.keyboard.type(str(next(places)))
            page.keyboard.press("Enter")
            page.wait_for_selector(".moment-note:has-text('was not captured')")

        self.every_way(page, "compute", at_the_next, lambda: page.wait_for_selector(
            ".moment-note", state="hidden"))

    def test_applies_an_edit_and_opens_what_is_asked_for(self):
        page = self.open_page()

        def edits():
            self.at_main(page)
            page.keyboard.press("e")
            self.field(page, "count").fill("7")

        self.go(page, 20)
        self.every_way(page, "fork", edits,
                       lambda: self.shows_branch(page, "20 changed", at=20))
        self.at_main(page)

        for kind in "status", "sessions":
            self.daemon.refuse[kind] = Refusal("failed", "It is broken.")

        def titled(words):
            page.wait_for_selector(f".window[open] h2:has-text('{words}')")
            page.keyboard.press("Escape")
            page.wait_for_selector(".window[open]", state="hidden")

        for command, words in (
                ("verify", "Verify"), ("minimise", "Minimize"), ("export", "Export"),
                ("branches", "Branches"), ("hosts", "Hosts"), ("sessions", "sessions")):
            self.every_way(page, command, lambda: None, functools.partial(titled, words))

    def test_edits_from_the_menu_by_arrows_and_by_the_pointer(self):
        page = self.open_page()
        self.go(page, 20)

        def by_arrows():
            page.keyboard.press("a")
            page.wait_for_selector("tt-entry-menu .menu:popover-open")
            for _ in range(5):
                page.keyboard.press("ArrowDown")
            self.until(page, "document.activeElement.dataset.command === 'skip'")
            page.keyboard.press("Enter")

        def by_the_dots():
            page.click("tt-event [aria-haspopup=menu]")
            page.locator("tt-entry-menu [data-command=skip]").click()

        for choose in by_arrows, by_the_dots:
            choose()
            self.shows_branch(page, "Without 20", at=20)
            self.at_main(page)
        # The menu handles End, Home, and Esc.
        page.keyboard.press("a")
        page.keyboard.press("End")
        self.until(page, "document.activeElement.dataset.command === 'copy-link'")
        page.keyboard.press("Home")
        self.until(page, "document.activeElement.dataset.command === 'edit'")
        page.keyboard.press("Escape")
        page.wait_for_selector("tt-entry-menu .menu:popover-open", state="detached")
        self.assertEqual(self.cursor(page), 20)

    def test_holds_and_drives_the_app(self):
        page = self.open_page()
        count = "document.querySelector('.count').textContent"

        def free():
            page.locator(".grid").focus()
            if self.daemon.held:
                page.keyboard.press("h")
            self.strip(page, "free")

        def held():
            page.locator(".grid").focus()
            if not self.daemon.held:
                page.keyboard.press("h")
            self.strip(page, "mine")

        def one_waits():
            held()
            self.daemon.now(self.daemon.queue(1))
            self.strip(page, "mine", "1 event queued.")

        def at_20():
            held()
            self.go(page, 20)
            page.evaluate(f"window.was = {count}")

        grows = self.comes_to(page, f"{count} !== window.was")
        self.every_way(page, "hold", free, lambda: self.strip(page, "mine", "Its events are queued"))
        self.every_way(page, "hold-refuse", free,
                       lambda: self.strip(page, "mine", "Its events are dropped"))
        free()
        self.every_way(page, "live-step", one_waits, lambda: page.wait_for_selector(
            "tt-live-strip:not(:has-text('1 event queued.'))"))
        self.every_way(page, "live-restore", at_20, grows)
        self.every_way(page, "live-send", at_20, grows)
        self.every_way(page, "live-resume", held, lambda: self.strip(page, "free"))

    def test_takes_over_and_pauses(self):
        page, other = self.open_page(), self.open_page()

        def other_holds():
            if not self.daemon.held or page.locator('tt-live-strip[data-is="other"]').count() == 0:
                other.locator(".grid").focus()
                self.command(other, self.titles["take-over"])
            self.strip(page, "other")

        self.every_way(page, "take-over", other_holds, lambda: self.strip(page, "mine"))
        page.locator(".grid").focus()

        def paused(isPaused):
            return lambda: page.wait_for_selector(
                "tt-live-strip" + (":has-text('Recording is paused')" if isPaused else
                                   ":not(:has-text('Recording is paused'))"))

        for way in self.command, self.press_command:
            way(page, self.titles["pause-recording"])
            paused(True)()
            way(page, self.titles["go-on-recording"])
            paused(False)()

    def test_follows_what_is_live(self):
        page = self.open_page()
        self.every_way(page, "live", lambda: (self.go(page, 20), page.wait_for_selector(
            ".live:not(.following)")), lambda: page.wait_for_selector(".live.following"))


if __name__ == "__main__":
    unittest.main()
