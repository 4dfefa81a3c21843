"""Every action with its key, the palette, and the pointer, on a coin of the gallery.

The tables name what each action has to lead to; the last test sees that no command is missing.
"""

import os
import re
import unittest

from gallery import GalleryTest
from page import ROOT

AT = 20

# Command, key, and the edit script of the branch that it makes of entry 20.
EDITS = [
    ("skip", "x", [{"drop": 20}]),
    ("skip-caused", "Shift+X", [{"drop": 20}]),
    ("repeat", "d", [{"insert": "flipped", "before": 21}]),
    ("redispatch", "Shift+D", [{"append": "flipped"}]),
    ("move-earlier", "<", [{"move": 20, "before": 19}]),
    ("move-later", ">", [{"move": 20, "before": 22}]),
    ("undo-to-here", "Shift+U", [{"cut": 20}]),
    ("start-here", "Shift+S", [{"start": {"seq": 20}}]),
]

CURSOR = "+document.querySelector('.slider').ariaValueNow"
TAB = "document.querySelector('[role=tab][aria-selected=true]').textContent"
WINDOW = "document.querySelector('.window[open] h2')?.textContent ?? ''"

# Command, key, the element that does the same (a selector, or None), the expected result.
LOOKS = [
    ("next", "ArrowRight", ".bar .next", f"{CURSOR} === 21"),
    ("previous", "ArrowLeft", ".bar .previous", f"{CURSOR} === 19"),
    ("next-ten", "Shift+ArrowRight", None, f"{CURSOR} === 30"),
    ("previous-ten", "Shift+ArrowLeft", None, f"{CURSOR} === 10"),
    ("first", "Home", ".bar .first", f"{CURSOR} === 0"),
    ("last", "End", ".bar .last", f"{CURSOR} === 59"),
    ("tab-diff", "2", "#tab-diff", f"{TAB}.includes('Diff')"),
    ("tab-raw", "3", "#tab-raw", f"{TAB}.includes('Raw')"),
    ("tab-chart", "4", "#tab-chart", f"{TAB}.includes('Chart')"),
    ("tab-watch", "5", "#tab-watch", f"{TAB}.includes('Watch')"),
    ("tab-state", "1", "#tab-state", f"{TAB}.includes('State')"),
    ("compare", "c", None, f"{TAB}.includes('Diff')"),
    ("branches", "b", ".branch-button", f"{WINDOW}.startsWith('Branches')"),
    ("hosts", None, "tt-toolbar .host", f"{WINDOW} === 'Hosts'"),
    ("sessions", None, "tt-status .daemon", f"{WINDOW} !== ''"),
    ("export", "Shift+E", "tt-event [aria-label^=Export]", f"{WINDOW} === 'Export'"),
    ("verify", "v", None, f"{WINDOW}.startsWith('Verify')"),
    ("minimise", "Shift+M", "tt-event [aria-label^=Minimize]", f"{WINDOW}.startsWith('Minimize')"),
    ("explain", "Shift+Y", None, f"{WINDOW}.startsWith('Explain')"),
    ("coverage", "Shift+T", None, f"{WINDOW}.startsWith('Coverage of')"),
    ("explore", "Shift+V", None, f"{WINDOW}.startsWith('Explore')"),
    ("edit", "e", "tt-event [aria-label=Edit]",
     "document.querySelector('tt-event-editor h3').textContent === 'Edit event 20'"),
    ("insert-before", "Shift+I", None,
     "document.querySelector('tt-event-editor h3').textContent === 'New event before 20'"),
    ("insert-after", "i", "tt-event [aria-label^=Insert]",
     "document.querySelector('tt-event-editor h3').textContent === 'New event after 20'"),
    ("entry-menu", "a", "tt-event [aria-haspopup=menu]",
     "document.querySelector('tt-entry-menu :popover-open') !== null"),
    ("theme", "t", ".icon-button.theme", "document.documentElement.dataset.theme === 'dark'"),
    ("filter", "/", ".filter", "document.activeElement.matches('.filter')"),
    ("help", "?", None, "document.querySelector('.palette[open], dialog[open]') !== null"),
    ("palette", "Control+k", "button.commands", "document.querySelector('dialog[open]') !== null"),
    ("go-to", "g", None, "document.querySelector('dialog[open]') !== null"),
]

# Covered by other tests: the file, and the line that does it.
ELSEWHERE = {
    "next-match": ("test_live_looking", 'press(".")'),
    "previous-match": ("test_live_looking", 'press(",")'),
    "next-change": ("test_live_looking", 'press("n")'),
    "previous-change": ("test_live_looking", 'press("p")'),
    "cause": ("test_by_hand", 'press("[")'),
    "effect": ("test_by_hand", 'press("]")'),
    "play": ("test_looking", 'press("Space")'),
    "live": ("test_live_changes", 'press("l")'),
    "stop-search": ("test_live_states", 'press("Escape")'),
    "zoom-in": ("test_by_hand", 'press("+")'),
    "zoom-out": ("test_by_hand", 'press("-")'),
    "show-in-timeline": ("test_by_hand", 'press("f")'),
    "find-in-state": ("test_by_hand", 'press("Shift+F")'),
    "ask-value": ("test_value_questions", 'press("q")'),
    "who-set": ("test_by_hand", 'press("w")'),
    "pin-value": ("test_by_hand", 'press("Shift+P")'),
    "watch-value": ("test_by_hand", 'press("Shift+W")'),
    "copy-path": ("test_by_hand", 'press("y")'),
    "mark": ("test_looking", 'press("m")'),
    "mute": ("test_muting", "Mute this event"),
    "filters": ("test_named_filters", 'click(".icon-button.filters")'),
    "growth": ("test_growth_window", "what grows"),
    "invariants": ("test_invariants_window", "find invariants"),
    "run": ("test_run_window", 'press("Shift+R")'),
    "undo": ("test_travel_past", 'press("u")'),
    "redo": ("test_travel_past", 'press("r")'),
    "fork": ("test_travel_past", 'press("Control+Enter")'),
    "sweep": ("test_travel_past", 'command(page, "sweep")'),
    "move-before": ("test_reordering", 'press("o")'),
    "compute": ("test_travel_past", 'click("text=Compute it now")'),
    "recompute": ("test_travel_windows", 'click("tt-branch-strip >> text=Compute again")'),
    "compare-parent": ("test_travel_real", 'press("Shift+B")'),
    "hold": ("test_travel_live", 'press("h")'),
    "hold-refuse": ("test_travel_live", 'click("text=Pause (drop events)")'),
    "live-restore": ("test_travel_live", 'press("Shift+H")'),
    "live-send": ("test_travel_live", 'press("Shift+L")'),
    "live-step": ("test_travel_live", 'press("s")'),
    "live-resume": ("test_travel_live", 'click("[data-command=live-resume]")'),
    "take-over": ("test_travel_live", 'click("tt-live-strip >> text=Take over")'),
    "pause-recording": ("test_travel_live", 'command(page, "Pause recording")'),
    "go-on-recording": ("test_travel_live", 'command(page, "Resume recording")'),
    "rename": ("test_live_changes", 'command(page, "name this")'),
    "delete": ("test_live_changes", 'command(page, "delete this")'),
    "import": ("test_import", 'command(page, "import this file")'),
    "open-file": ("test_by_hand", 'press("Control+o")'),
    "close-file": ("test_import", 'command(page, "close the file")'),
    "copy-link": ("test_by_hand", 'press("Shift+C")'),
    "keys": ("test_live_looking", 'command(page, "single-letter keys")'),
}


def commands():
    """From the page's own table: titles and keys by id."""
    rows = []
    for name in ("looking", "changing", "page"):
        with open(os.path.join(ROOT, "web", "model", "commands", f"{name}.js"), encoding="utf-8") as file:
            rows += re.findall(r'\{\s*id: "([^"]+)",\s*title: "([^"]+)",\s*keys: \[(.*?)\],', file.read())
    return ({id: title for id, title, _ in rows},
            {id: re.findall('"([^"]+)"', keys) for id, _, keys in rows})


class EveryAction(GalleryTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.coin = cls.import_coin(60)
        cls.titles, cls.keys = commands()

    def by_palette(self, page, command):
        page.keyboard.press("Control+k")
        page.keyboard.type(self.titles[command])
        page.keyboard.press("Enter")

    def edits(self, choose):
        """Makes each branch and goes back."""
        page = self.open_coin(self.coin, AT)
        for command, key, script in EDITS:
            with self.subTest(command):
                self.until(page, "timeline => location.hash.includes(timeline)", self.coin)
                self.until(page, f"() => {CURSOR} === {AT}")
                choose(page, command, key)
                self.until(page, "() => !document.querySelector('tt-branch-strip').hidden",
                           seconds=60)
                self.until(page, "timeline => !location.hash.includes(timeline)", self.coin)
                branch = page.evaluate(
                    "() => new URLSearchParams(location.hash.slice(1)).get('timeline')")
                self.assertEqual(self.summary(branch)["header"]["parent"]["edits"], script)
                page.keyboard.press("u")
                self.until(page, "() => document.querySelector('tt-branch-strip').hidden",
                           seconds=60)

    def test_edits_by_key(self):
        self.edits(lambda page, command, key: page.keyboard.press(key))

    def test_edits_by_the_palette(self):
        self.edits(lambda page, command, key: self.by_palette(page, command))

    def test_edits_by_the_pointer(self):
        def choose(page, command, _):
            page.locator(f'.row[data-seq="{AT}"]:visible').click(button="right")
            page.locator(f"tt-entry-menu [data-command={command}]").click()

        self.edits(choose)

    def each_look(self, choose):
        """Runs each action from entry 20, and returns there."""
        page = self.open_coin(self.coin, AT)
        for command, key, selector, leads_to in LOOKS:
            with self.subTest(command):
                self.until(page, f"() => {CURSOR} === {AT} && {TAB}.includes('State')")
                if not choose(page, command, key, selector):
                    continue
                self.until(page, f"() => {leads_to}", seconds=60)
                self.come_back(page)

    def come_back(self, page):
        """Closes what is open, and goes to entry 20 and its state."""
        for _ in range(2):
            page.keyboard.press("Escape")
        page.evaluate("() => document.activeElement?.blur()")
        page.evaluate("""() => document.documentElement.dataset.theme === 'dark' &&
            document.querySelector('.icon-button.theme').click()""")
        self.until(page, "() => document.querySelector('dialog[open]') === null")
        page.keyboard.press("1")
        if page.evaluate(CURSOR) != AT:
            page.keyboard.press("g")
            page.keyboard.type(str(AT))
            page.keyboard.press("Enter")
            self.until(page, "() => document.querySelector('dialog[open]') === null")

    def test_looks_by_key(self):
        def choose(page, command, key, _):
            if key:
                page.keyboard.press(key)
            return key is not None

        self.each_look(choose)

    def test_looks_by_the_palette(self):
        def choose(page, command, *_):
            if command != "palette":
                self.by_palette(page, command)
            return command != "palette"

        self.each_look(choose)

    def test_looks_by_the_pointer(self):
        def choose(page, command, _, selector):
            if selector is None:
                return False
            page.locator(f"{selector}:visible").first.click()
            return True

        self.each_look(choose)

    def test_every_command_is_in_a_table(self):
        covered = {row[0] for row in EDITS} | {row[0] for row in LOOKS} | set(ELSEWHERE)
        self.assertEqual(set(self.titles) ^ covered, set())

    def test_what_other_tests_do_is_done_there(self):
        for command, (place, line) in ELSEWHERE.items():
            path = os.path.join(ROOT, "Tests", "Web", "browser", f"{place}.py")
            with self.subTest(command), open(path, encoding="utf-8") as file:
                self.assertIn(line, file.read())
                # A line that presses a key presses that of the command.
                if pressed := re.fullmatch(r'press\("(.+)"\)', line):
                    keys = [key.replace("Mod", "Control").lower() for key in self.keys[command]]
                    self.assertIn(pressed[1].lower(), keys)


if __name__ == "__main__":
    unittest.main()
