"""Shared by the tests that check every state of the page with axe."""

import asyncio
import contextlib
import copy

from websockets.exceptions import ConnectionClosed

from access import Checked
from shop import MAIN
from standin import StandIn
from time_travel import TravelTest


class Moody(StandIn):
    """A daemon that accepts some connections, and sends others a wrong reply or none."""

    greets = True
    answer_of_mood = None

    async def serve(self, socket):
        if self.greets:
            return await super().serve(socket)
        with contextlib.suppress(ConnectionClosed):
            async for _ in socket:
                if self.answer_of_mood:
                    await self.send(socket, self.answer_of_mood)

    def turn(self, answer=None):
        """Closes the connections, and accepts none from now on."""
        self.greets, self.answer_of_mood = False, answer
        self.now(self.hang_up())

    async def do_import(self, *_):
        """Accepts a file and never finishes."""
        await asyncio.Event().wait()

    async def hang_up(self):
        for socket in list(self.sockets):
            await socket.close()


class EveryState(Checked, TravelTest):
    """A stand-in for a daemon, and a page that is checked in both themes."""

    def setUp(self):
        self.daemon = self.enterContext(Moody())

    def open_page(self, **options):
        # The policy forbids axe's script; everything else is as for users.
        return super().open_page(**{"size": self.low, "bypass_csp": True} | options)

    def shows(self, page, what, selector, words=""):
        """Waits for a state of the page, and checks it."""
        with self.subTest(what):
            page.locator(selector, has_text=words).locator("visible=true").first.wait_for()
            self.check_state(page, what)

    def close(self, page):
        page.keyboard.press("Escape")
        page.wait_for_selector("dialog[open]", state="hidden")

    def branch(self, number, **extra):
        """Adds a branch without entry 20 to the daemon; returns its summary."""
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
