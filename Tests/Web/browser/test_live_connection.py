"""Signing in, and what the page shows while the daemon is away, too new, or another program."""

import http
import re
import threading
import unittest

from playwright.sync_api import expect
from websockets.http11 import Response
from websockets.datastructures import Headers
from websockets.sync.server import serve

from live import DaemonTest, Probe, link_of, page_daemon, recorders_of
from ports import free_address
from served import file_at
import recordings

# The position of the user, as a page shows it.
COVER = "document.querySelector('tt-cover:not([hidden]) h2')?.textContent ?? ''"

# And all that is said there.
TEXT = "document.querySelector('tt-cover')?.textContent ?? ''"


class Connecting(DaemonTest):
    def cover(self, page, words):
        """The text of the cover with this title, read at once: the page may try again a moment later."""
        read = []

        def shown():
            read[:] = page.evaluate(f"[{COVER}, {TEXT}]")
            return words in read[0]

        self.comes(page, shown, f"the cover says {words}")
        return read[1]

    def address(self, daemon=None):
        return (daemon or self.daemon).address

    def test_without_a_code_it_explains_how_to_sign_in(self):
        page = self.visit(self.new_context(), self.address())
        text = self.cover(page, "Not signed in")
        self.assertIn("debugd open", text)
        waiting = self.visit(page.context, self.address())
        self.cover(waiting, "Not signed in")
        # To sign in again: the link of the command, opened in the same browser.
        page.goto(link_of(self.daemon))
        page.wait_for_selector(".tree-row, tt-cover pre")
        self.assertNotIn("code", page.url)
        # Another tab of this browser is then signed in, too; later the address alone is enough.
        waiting.wait_for_selector(".tree-row, tt-cover pre")
        page.goto(self.address())
        self.until(page, f"!({COVER}).includes('Not signed in')")
        page.wait_for_selector(".tree-row, tt-cover pre")

    def test_a_wrong_or_used_code_is_reported(self):
        page = self.visit(self.new_context(), f"{self.address()}#code=c9.{'0' * 64}")
        self.assertIn("The code was used or has expired", self.cover(page, "Not signed in"))
        self.assertNotIn("code=", page.url)
        link = link_of(self.daemon)
        self.visit(self.new_context(), link).wait_for_selector(".tree-row, tt-cover pre")
        again = self.visit(self.new_context(), link)
        self.assertIn("The code was used or has expired", self.cover(again, "Not signed in"))

    def test_a_used_code_does_not_end_a_session(self):
        link = link_of(self.daemon)
        context = self.new_context()
        self.visit(context, link).wait_for_selector(".tree-row, tt-cover pre")
        self.visit(context, link).wait_for_selector(".tree-row, tt-cover pre")

    def test_loaded_entries_stay_when_a_session_ends(self):
        timeline = self.import_file(recordings.write(
            self.path("revoked.timeline"), 40, header=recordings.header(1, "revoked")))
        page = self.open_page(timeline)
        self.go(page, 12)
        session = self.daemon.json("status")["sessions"][-1]["id"]
        self.daemon.run("revoke", session)
        self.until(page, "/not signed in/.test(document.querySelector('tt-status').textContent)")
        page.wait_for_selector(".notice.warning")
        self.has_text(page, ".notice.warning", "debugd open")
        self.assertTrue(page.title().endswith("@ 12"))
        self.assertGreater(page.locator(".tree-row:visible").count(), 3)
        page.reload()
        self.cover(page, "Not signed in")

    def test_a_session_that_ends_does_not_end_that_of_another_tab(self):
        timeline = self.import_file(recordings.write(
            self.path("beside.timeline"), 40, header=recordings.header(5, "beside")))
        page = self.open_page(timeline)
        first = self.daemon.json("status")["sessions"][-1]["id"]
        beside = self.visit(page.context, f"{link_of(self.daemon)}&timeline={timeline}")
        beside.wait_for_selector(".tree-row")
        # The tab whose session ended continues with the newer one, which the browser still has.
        with page.expect_websocket():
            self.daemon.run("revoke", first)
        self.until(page, "/daemon connected/.test(document.querySelector('tt-status').textContent)")
        self.go(page, 12)
        page.keyboard.press("m")
        self.comes(page, lambda: [mark["seq"] for mark in self.daemon.json("show", timeline)
                                  .get("marks", [])] == [12], "the mark")
        self.assertEqual(page.locator(".notice").count(), 0)
        for tab in beside, page:
            tab.reload()
            tab.wait_for_selector(".tree-row")

    def test_lists_sessions_and_ends_one(self):
        timeline = self.import_file(recordings.write(
            self.path("sessions.timeline"), 40, header=recordings.header(3, "shared")))
        page = self.open_page(timeline)
        other = self.open_page(timeline, look=True)
        # Earlier tests may have left browsers that are about to disconnect.
        self.until(
            page, "/[1-9] others? looking/.test(document.querySelector('tt-status').textContent)")
        page.click("tt-status .daemon")
        page.wait_for_selector("tt-sessions dialog[open] li")
        self.has_text(page, "tt-sessions .facts", "timeline", "saved on", "1 machine")
        looking = page.locator("tt-sessions li", has_text=re.compile(
            "(?<!not )connected, looks at shared, signed in .*, can look$"))
        expect(looking).to_have_count(1)
        expect(page.locator("tt-sessions .chip:visible")).to_have_count(1)
        looking.locator("button").click()
        self.until(other, "/not signed in/.test(document.querySelector('tt-status').textContent)")
        looking.wait_for(state="detached")
        page.keyboard.press("Escape")
        self.command(page, "daemon status")
        page.wait_for_selector("tt-sessions dialog[open]")

    def test_a_read_only_session_explains_itself(self):
        timeline = self.import_file(recordings.write(
            self.path("look.timeline"), 40, header=recordings.header(2, "looked at")))
        page = self.open_page(timeline, look=True)
        self.has_text(page, "tt-event", "can look, but not edit")
        page.keyboard.press("m")
        page.wait_for_selector(".notice.error")

    def test_the_daemon_is_killed_and_restarted(self):
        with page_daemon(listen=free_address()) as daemon:
            timeline = self.import_file(
                recordings.write(self.path("killed.timeline"), 300), daemon)
            page = self.open_page(timeline, daemon=daemon)
            self.go(page, 120)
            self.act(page, "/n", "pin")
            page.keyboard.press("2")
            page.wait_for_selector(".diff-line")
            daemon.kill()
            page.wait_for_selector("tt-status button:not(.daemon):visible")
            expect(page.locator("tt-status")).to_have_text(
                re.compile("disconnected.*trying again in \\d+ s; try now|trying again…"))
            page.keyboard.press("a")
            for words in "Mark this entry", "Export a test":
                expect(page.get_by_role("menuitem", name=words)).to_have_attribute(
                    "title", "The daemon is not connected.")
            page.keyboard.press("Escape")
            # Loaded entries stay usable.
            page.keyboard.press("1")
            page.keyboard.press("ArrowLeft")
            self.until(page, "document.title.endsWith('@ 119')")
            page.keyboard.press("ArrowRight")
            self.wait_for_seq(page, 120)
            daemon.start()
            # Unless the page has retried by itself in the meantime.
            page.evaluate("""() => {
              const again = document.querySelector("tt-status button:not(.daemon)");
              if (again?.checkVisibility()) again.click();
            }""")
            self.until(page, "/daemon (connected|[\\d.]+ ms)/.test("
                             "document.querySelector('tt-status').textContent)")
            self.assertTrue(page.title().endswith("@ 120"))
            self.assertTrue(page.locator("tt-pin").is_visible())
            self.go(page, 280)
            page.go_back()
            self.wait_for_seq(page, 120)

    def test_failed_requests_are_repeated_when_the_daemon_is_back(self):
        with page_daemon(listen=free_address()) as daemon:
            timeline = self.import_file(
                recordings.write(self.path("failed.timeline"), 300), daemon)
            page = self.open_page(timeline, daemon=daemon)
            self.go(page, 100)
            page.keyboard.press("m")
            page.wait_for_selector(".row.on .mark:not(.off)")
            self.go(page, 120)
            page.keyboard.press("3")
            self.has_text(page, "tt-raw .tree-title", "the stored line of 120")
            daemon.kill()
            page.wait_for_selector("tt-status button:not(.daemon):visible")
            page.keyboard.press("ArrowLeft")
            # The shown state is never mistaken for another entry's.
            self.has_text(page, "tt-raw .tree-title", "the stored line of 119")
            self.has_text(page, "tt-raw .pane-note", "The daemon is not connected.")
            expect(page.locator("tt-raw .raw")).to_have_text("")
            page.keyboard.press("2")
            self.has_text(page, "tt-diff .pane-note", "The daemon is not connected.")
            daemon.start()
            page.wait_for_selector("tt-diff .diff-line", timeout=60_000)
            self.has_text(page, "tt-diff .tree-title", "from the mark at 100 to 119")
            page.keyboard.press("3")
            self.has_text(page, "tt-raw .raw", '"seq": 119')

    def test_entries_recorded_while_the_daemon_is_away_arrive_later(self):
        address = free_address()
        with page_daemon(listen=address) as daemon, \
                Probe("control", "allowed", 20, debugd=recorders_of(daemon)) as probe:
            probe.line("ready")
            page = self.open_page(daemon=daemon)
            page.locator(".machine:visible", has_text="clock").click()
            page.wait_for_selector(".live.following")
            page.keyboard.press("/")
            page.keyboard.type("state.ticks > 3")
            self.act(page, "/ticks", "pin")
            cursor = "+document.querySelector('.slider').ariaValueNow"
            self.until(page, f"{cursor} > 20")
            daemon.kill()
            page.wait_for_selector("tt-status button:not(.daemon):visible")
            left = self.cursor(page)
            # Restarted where the app finds it but the page does not; then the app ends: nothing is live.
            daemon.listen = "127.0.0.1:0"
            daemon.start()
            timeline = page.locator(".machine.on:visible").get_attribute("data-key")
            self.comes(page, lambda: daemon.json("show", timeline)["last"] > left + 60,
                       "the daemon has what came")
            probe.end()
            last = daemon.json("show", timeline)["last"]
            daemon.stop()
            daemon.listen = address
            daemon.start()
            self.wait_for_seq(page, last)
            expect(self.value(page, "/ticks").locator(".tree-value")).to_have_text(str(last))
            self.has_text(page, ".count", f"{last - 3:,} of {last + 1:,}")
            page.keyboard.press("p")
            self.wait_for_seq(page, last - 1)
            page.keyboard.press("n")
            self.wait_for_seq(page, last)

    def test_without_a_recording_it_shows_the_lines_to_add(self):
        with page_daemon() as daemon:
            page = self.open_page(daemon=daemon)
            self.assertIn("No recording yet", self.cover(page, "No recording"))
            self.assertIn("import Recorder", page.locator("tt-cover pre").text_content())
            self.import_file(recordings.write(self.path("first.timeline"), 30), daemon)
            page.wait_for_selector(".tree-row")

    def test_distinguishes_a_daemon_of_another_version_from_one_that_is_gone(self):
        with StandIn('{"type":"error","code":"version","message":"This daemon speaks 2.0."}') as one:
            page = self.visit(self.new_context(), one.address)
            text = self.cover(page, "newer")
            self.assertNotIn("This daemon speaks 2.0.", text, "nothing proved that it is the daemon")
            self.assertIn("Reload", text)

    def test_a_silent_daemon_is_waited_for_and_tried_again(self):
        with StandIn(None) as one:
            page = self.visit(self.new_context(), one.address)
            self.cover(page, "Connecting")
            one.hang_up()
            text = self.cover(page, "cannot be reached")
            self.assertRegex(text, "Trying again (in \\d+ s|now)")


class StandIn:
    """Serves the page, and replies to `hello` with one frame, or with nothing."""

    def __init__(self, reply):
        self.reply = reply
        self.sockets = []

    def __enter__(self):
        self.server = serve(
            self.greet, "127.0.0.1", 0, subprotocols=["inspector.v1"],
            process_request=self.file)
        port = self.server.socket.getsockname()[1]
        self.address = f"http://127.0.0.1:{port}/"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.hang_up()
        self.server.shutdown()

    def greet(self, socket):
        self.sockets.append(socket)
        for _ in socket:
            if self.reply:
                socket.send(self.reply)

    def hang_up(self):
        for socket in self.sockets:
            socket.close()

    @staticmethod
    def file(_, request):
        if request.headers.get("Upgrade"):
            return None
        file, kind = file_at(request.path)
        body = file.read_bytes() if file else b""
        status = http.HTTPStatus.OK if file else http.HTTPStatus.NOT_FOUND
        headers = Headers({"Content-Type": kind, "Content-Length": str(len(body)),
                           "Connection": "close"})
        return Response(status.value, status.phrase, headers, body)


if __name__ == "__main__":
    unittest.main()
