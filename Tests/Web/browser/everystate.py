"""What the tests have in common that look for states of the page where axe finds something."""

import asyncio
import contextlib
import copy

from websockets.exceptions import ConnectionClosed

from access import Checked
from shop import MAIN
from standin import StandIn
from travelling import TravelTest


class Moody(StandIn):
    """A daemon that greets whom it likes: others are told something else, or nothing."""

    greets = True
    answer_of_mood = None

    async def serve(self, socket):
        if self.greets:
            return await super().serve(socket)
        with contextlib.suppress(ConnectionClosed):
            async for _ in socket:
                if self.answer_of_mood:
                    await self.say(socket, self.answer_of_mood)

    def turn(self, answer=None):
        """Hangs up, and greets nobody from now on."""
        self.greets, self.answer_of_mood = False, answer
        self.now(self.hang_up())

    async def do_import(self, *_):
        """Takes a file and never comes to its end."""
        await asyncio.Event().wait()

    async def hang_up(self):
        for socket in list(self.sockets):
            await socket.close()


class EveryState(Checked, TravelTest):
    """A stand-in for a daemon, and a page that is looked at in both themes."""

    def setUp(self):
        self.daemon = self.enterContext(Moody())

    def open_page(self, **options):
        # The policy forbids the script that looks; everything else is as it is for readers.
        return super().open_page(**{"size": self.low, "bypass_csp": True} | options)

    def shows(self, page, what, selector, words=""):
        """Waits for a state of the page, and looks at it."""
        with self.subTest(what):
            page.locator(selector, has_text=words).locator("visible=true").first.wait_for()
            self.check_state(page, what)

    def close(self, page):
        page.keyboard.press("Escape")
        page.wait_for_selector("dialog[open]", state="hidden")

    def branch(self, number, **extra):
        """A branch without its 20, put into the daemon as it is; what the daemon says of it."""
        main = self.daemon.timelines[MAIN]
        made = copy.copy(main)
        made.extra, made.marks = extra.pop("extra", {}), {}
        parent = {"timeline": MAIN, "through": 59, "start": 20, "edits": [{"drop": 20}],
                  "name": f"branch {number}"} | extra
        made.header = main.header | {
            "timeline": f"{MAIN[:-2]}b{number}", "parent": parent,
            "started": f"2026-05-02T08:00:0{number}Z"}
        made.lines = [line | ({"was": line["seq"] + 1} if line["seq"] >= 20 else {})
                      for line in main.lines[:-1]]
        self.daemon.timelines[made.header["timeline"]] = made
        return made.header["timeline"]
