"""Values that are requested repeatedly while they are shown: late replies, one at a time."""

import asyncio
import unittest

from page import BrowserTest
from refusal import Refusal
from shop import MAIN, added, recorded
from standin import StandIn

ALL = "seq >= 0"


class Late(StandIn):
    """Delays replies that reach beyond the seq that the test allows."""

    reach = 10_000
    # Entries that were lost.
    lost = range(0)
    is_broken = False

    async def hang_up(self):
        for socket in list(self.sockets):
            await socket.close()

    async def until_it_may(self, seq):
        while seq > self.reach:
            await asyncio.sleep(0.01)

    async def do_entries(self, socket, message):
        if message.get("direction") == "backward":
            await self.until_it_may(message["from"])
            if self.is_broken:
                raise Refusal("failed", "The store is closed.")
            lines = self.timelines[message["timeline"]].lines[:message["from"] + 1]
            return {"type": "entries", "timeline": message["timeline"], "entries": [
                {"seq": line["seq"], "t": line["t"], "event": line.get("event")}
                for line in reversed(lines[-message["count"]:])]}
        if message.get("filter") == ALL:
            await self.until_it_may(message["from"])
            message = {key: value for key, value in message.items() if key != "filter"}
        reply = await super().do_entries(socket, message)
        gap = {"lost": len(self.lost), "why": "outbox full"}
        return reply | {"entries": [
            line | ({"gap": gap} if line["seq"] == self.lost.stop > 0 else {})
            for line in reply["entries"] if line["seq"] not in self.lost]}

    async def do_diff(self, socket, message):
        await self.until_it_may(message["b"]["seq"])
        return await super().do_diff(socket, message)


class GoingOn(BrowserTest):
    def open_page(self, timeline):
        self.daemon = self.enterContext(Late([timeline]))
        page = self.visit(self.new_context(), self.daemon.address)
        page.wait_for_selector(".tree-row")
        return page

    def grow(self, page, seq):
        """Another entry arrives, and the following page shows it."""
        self.daemon.now(self.daemon.happen(MAIN, added("apple", 1)))
        self.wait_for_cursor(page, seq)

    def wait_for_cursor(self, page, seq):
        self.until(page, "seq => document.querySelector('.slider').ariaValueNow == seq", seq)

    def held(self, page, kind, condition):
        """Waits for a request, which is then delayed."""
        self.comes(page, lambda: any(map(condition, self.daemon.of(kind))), f"{kind} is asked for")

    def test_a_continuing_search_does_not_disturb_a_scrolling_user(self):
        page = self.open_page(recorded(1_600, live=False))
        self.daemon.reach = 499
        page.fill(".filter", ALL)
        page.locator(".filter").press("Enter")

        def found(count):
            self.until(page, "text => document.querySelector('tt-events .count').textContent"
                             ".startsWith(text)", f"{count}+ of ")
            self.drawn(page)
            return page.evaluate("document.querySelector('tt-events .grid').scrollTop")

        end = found(500)
        self.daemon.reach = 500
        # A user at the last match still sees it when there are more.
        further = found("1,000")
        self.assertGreater(further, end + 10_000)
        page.hover("tt-events .grid")
        page.mouse.wheel(0, -200)
        self.until(page, "top => document.querySelector('tt-events .grid').scrollTop < top",
                   further)
        self.drawn(page)
        here = page.evaluate("document.querySelector('tt-events .grid').scrollTop")
        self.daemon.reach = 1_000
        self.assertEqual(found("1,500"), here)

    def test_lost_rows_above_the_view_do_not_move_it(self):
        page = self.open_page(recorded(1_600, live=False))
        self.daemon.lost = range(60, 100)
        page.evaluate("document.querySelector('tt-events .grid').scrollTop = 110 * 26")
        self.has_text(page, "tt-status", "40 lost")
        self.drawn(page)
        # One row represents the forty.
        self.assertEqual(
            page.evaluate("document.querySelector('tt-events .grid').scrollTop"), (110 - 39) * 26)
        self.until(page, "document.querySelector('.row[data-seq=\"112\"]:not([hidden])')")

    def test_the_chart_shows_new_entries_while_an_app_is_followed(self):
        page = self.open_page(recorded())
        page.click("#tab-chart")
        self.has_text(page, "tt-chart .tree-title >> nth=0", "in the last 60 entries")
        self.daemon.reach = 59
        self.grow(page, 60)
        self.held(page, "entries", lambda one: one.get("direction") and one["from"] == 60)
        self.grow(page, 61)
        self.drawn(page)
        self.daemon.reach = 60
        self.has_text(page, "tt-chart .tree-title >> nth=0", "in the last 61 entries")
        self.daemon.reach = 61
        self.has_text(page, "tt-chart .tree-title >> nth=0", "in the last 62 entries")

    def test_the_chart_is_requested_again_when_the_daemon_is_back_but_not_repeatedly(self):
        page = self.open_page(recorded())
        self.go(page, 20)
        self.daemon.is_broken = True
        page.click("#tab-chart")
        self.has_text(page, "tt-chart .pane-note", "The store is closed.")
        for seq in range(60, 64):
            self.daemon.now(self.daemon.happen(MAIN, added("apple", 1)))
            self.has_text(page, "tt-status", f"of {seq}")
        self.drawn(page)
        asked = [one for one in self.daemon.of("entries") if one.get("direction")]
        self.assertEqual([one["from"] for one in asked], [20])
        self.daemon.is_broken = False
        self.daemon.now(self.daemon.hang_up())
        self.has_text(page, "tt-chart .tree-title >> nth=0", "in the last 21 entries")

    def test_the_difference_to_the_mark_is_shown_while_an_app_is_followed(self):
        page = self.open_page(recorded())
        self.go(page, 20)
        page.keyboard.press("m")
        page.keyboard.press("l")
        self.wait_for_cursor(page, 59)
        page.click("#tab-diff")
        self.has_text(page, "tt-diff .tree-title", "from the mark at 20 to 59")
        page.wait_for_selector("tt-diff .diff-line")
        self.daemon.reach = 59
        self.grow(page, 60)
        self.held(page, "diff", lambda one: one["b"]["seq"] == 60)
        self.grow(page, 61)
        self.drawn(page)
        # The shown difference is labeled, and stays until the next one arrives.
        self.has_text(page, "tt-diff .tree-title", "from the mark at 20 to 59")
        self.assertGreater(page.locator("tt-diff .diff-line").count(), 0)
        self.daemon.reach = 60
        self.has_text(page, "tt-diff .tree-title", "from the mark at 20 to 60")
        self.daemon.reach = 61
        self.has_text(page, "tt-diff .tree-title", "from the mark at 20 to 61")


if __name__ == "__main__":
    unittest.main()
