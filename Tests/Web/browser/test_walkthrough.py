"""docs/walkthrough.md on the page: from a wrong value to its cause, to three events, to a test."""

import os
import pathlib
import subprocess

from gallery import GALLERY, PlayingTest
from live import DaemonTest, page_daemon, recorders_of

ELSEWHERE = GALLERY.parent / "Elsewhere"
DOCUMENT = pathlib.Path(__file__).resolve().parents[3] / "docs" / "walkthrough.md"


class Walkthrough(PlayingTest):
    @classmethod
    def setUpClass(cls):
        super(DaemonTest, cls).setUpClass()
        cls.daemon = cls.enterClassContext(page_daemon(options=["--host", str(ELSEWHERE)]))
        own = {key: value for key, value in os.environ.items() if not key.startswith("DEBUGD")}
        # Repeat until it is there: on a busy machine, the program may end before its recording is stored.
        for _ in range(5):
            subprocess.run(
                [ELSEWHERE], env=own | {"DEBUGD": recorders_of(cls.daemon)}, check=True,
                capture_output=True)
            if "basket" in cls.daemon.run("list", "--names").stdout:
                break

    def total(self, page, cents):
        self.until(page, """cents => [...document.querySelectorAll('.tree-row')].some((row) =>
            row.checkVisibility() && row.dataset.path === "/totalCents" &&
            row.textContent.includes(`${cents}`))""", str(cents))

    def test_from_a_wrong_value_to_its_test(self):
        page = self.open_page()
        self.open_machine(page, "basket")
        self.until(page, "() => document.querySelector('.host').textContent.includes('host: ')",
                   seconds=60)
        # The wrong value: who set it?
        page.keyboard.press("End")
        self.wait_for_seq(page, 29)
        self.total(page, -300)
        self.go(page, 20)
        page.keyboard.press("End")
        self.total(page, -300)
        self.value(page, "/totalCents").hover()
        self.has_text(page, '.tree-row[data-path="/totalCents"] [data-act=who]', "set here")
        self.act(page, "/totalCents", "pin")
        page.wait_for_selector("tt-pin:visible")
        page.keyboard.press("p")
        self.wait_for_seq(page, 28)
        self.total(page, 199)
        page.keyboard.press("n")
        self.wait_for_seq(page, 29)
        # Edit: what if there had been no first discount?
        self.go(page, 7)
        page.keyboard.press("e")
        page.locator("tt-event-editor").get_by_label("cents").first.fill("0")
        page.keyboard.press("Control+Enter")
        self.until(page, "() => document.querySelector('.strip-what b').textContent === 'Discounted 7 changed to cents: 0'")
        self.until(page, "() => document.title.includes('discounted 7 changed to cents: 0 @ 7')")
        self.total(page, 698)
        self.until(page, "+document.querySelector('.slider').ariaValueMax === 29")
        page.keyboard.press("End")
        self.total(page, -250)
        page.keyboard.press("u")
        self.until(page, "() => document.querySelector('tt-branch-strip').hidden")
        # Minimize, and export what is left.
        text = DOCUMENT.read_text("utf-8")
        page.keyboard.press("Shift+M")
        page.keyboard.type("outputs.count == 0 && outputs.total != 0\n")
        # In a line of its own: the message before it ends with a command.
        self.until(page, "() => document.querySelector('.verdict p:last-child')?.textContent"
                         " === 'To include later events, clear “Only events up to the cursor”.'", seconds=90)
        page.keyboard.press("Escape")
        page.keyboard.press("End")
        self.wait_for_seq(page, 29)
        page.keyboard.press("Shift+M")
        page.keyboard.press("Control+a")
        page.keyboard.type(text.split("--until '")[1].split("'")[0])
        page.keyboard.press("Enter")
        self.until(page, "() => document.querySelector('.verdict')?.textContent"
                         ".includes('3 events reproduce it')", seconds=90)
        page.get_by_role("button", name="Export it as a test").click()
        page.wait_for_selector(".preview .token-string")
        shown = page.locator(".preview").text_content()
        # The test of the document, except for its name.
        source = text.split("struct AnEmptyBasketIsFreeTests {")[1].split("```")[0]
        lines = [line.strip() for line in source.splitlines() if "recorded:" not in line]
        body = [line for line in lines if line.startswith(("try ", "let ", "of:", "from:"))]
        self.assertGreaterEqual(len(body), 6)
        for line in body:
            self.assertIn(line, shown)
