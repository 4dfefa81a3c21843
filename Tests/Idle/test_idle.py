"""One connection of each kind stays idle for minutes: none may reconnect."""

import os
import time
import unittest

from daemon import BUILD, Daemon
from peers import Inspector, Recorder, completed, recorded
from playwright.sync_api import sync_playwright
from probe import Probe
from quiet_peers import Command, EmptyPongs, invited

# Several times as long as the daemon waits for the answer to its first ping.
SECONDS = int(os.environ.get("IDLE_SECONDS", 150))


def children(process):
    """The ids of a process's running children."""
    found = set()
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/stat") as file:
                state, parent = file.read().rsplit(")", 1)[1].split()[:2]
        except (FileNotFoundError, ProcessLookupError):
            continue
        if int(parent) == process and state != "Z":
            found.add(int(name))
    return found


class Idle(unittest.TestCase):
    def test_each_kind_of_peer_keeps_its_one_connection(self):
        with Daemon(options=["--host", f"{BUILD / 'RecorderProbe'} host"]) as daemon:
            recorded(daemon)
            self.daemon = daemon
            app = self.enter(Probe("hosted", "live", debugd=f"unix:{daemon.socket}"))
            app.line("ready")
            paced = self.enter(Probe("paced", "1", "100", debugd=f"unix:{daemon.socket}"))
            paced.line("ready")
            over_tcp = self.enter(Probe(
                "hosted", "live", debugd=f"ws://127.0.0.1:{daemon.port}",
                DEBUGD_SECRET_FILE=daemon.data / "recorder.secret"))
            over_tcp.line("ready")
            hosts = self.hosts()
            python = self.python_peers()
            raw = self.raw_peers()
            commands = [Command(daemon, "watch"), Command(daemon, "tail", "clock")]
            for command in commands:
                self.addCleanup(command.close)
            page = self.page()
            self.wait_for_peers()
            before = self.connections()
            # The test is about time itself: nothing happens meanwhile.
            page.wait_for_timeout(SECONDS * 1_000)
            self.assertEqual(self.connections(), before, "a connection ended or was made again")
            for peer in [*raw, *commands]:
                self.assertIsNone(peer.end)
            if SECONDS >= 60:
                self.assertTrue(all(peer.pings > 1 for peer in raw), "no pings, nothing tested")
            self.assertEqual(self.hosts(), hosts, "the host ended or was started again")
            self.still_work(python, commands, paced)
            self.still_hosts()
            self.assertEqual(app.end(), 0)
            self.assertEqual(over_tcp.end(), 0)

    def enter(self, context):
        self.addCleanup(context.__exit__)
        return context.__enter__()

    def hosts(self):
        """The processes that the daemon started as hosts: one, once the daemon knows what it makes."""
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            found = children(self.daemon.process.pid)
            if found:
                return found
            time.sleep(0.05)
        self.fail("the daemon starts no host")

    def still_hosts(self):
        """The idle host makes a branch."""
        with Inspector(self.daemon.socket) as inspector:
            timeline = next(
                summary["header"]["timeline"]
                for summary in inspector.ask("timelines")["timelines"]
                if summary["header"]["machine"]["name"] == "troubled")
            branch = inspector.ask(
                "fork", timeline=timeline, edits=[{"append": {"added": {"_0": 5}}}])["timeline"]
            completed(self.daemon, branch)
            self.assertEqual(
                inspector.ask("state", timeline=branch, seq=2)["value"]["state"]["total"], 6)

    def python_peers(self):
        """Python's `websockets` over both listeners, with and without pings of its own."""
        daemon = self.daemon
        code, _ = invited(daemon)
        other, _ = invited(daemon)
        address = f"ws://127.0.0.1:{daemon.port}/"
        peers = [
            Inspector(daemon.socket, ping_interval=None),
            Inspector(daemon.socket, ping_interval=7, ping_timeout=60),
            Inspector(address=address, code=code, ping_interval=None),
            Inspector(address=address, code=other, ping_interval=7, ping_timeout=60),
            Recorder(daemon.socket),
        ]
        for peer in peers:
            self.addCleanup(peer.close)
        return peers

    def raw_peers(self):
        daemon = self.daemon
        code, _ = invited(daemon)
        peers = [
            EmptyPongs(path=daemon.socket),
            EmptyPongs(path=daemon.socket, role="recorder.v1"),
            EmptyPongs(port=daemon.port, code=code),
        ]
        for peer in peers:
            self.addCleanup(peer.close)
        return peers

    def page(self):
        """The inspector in Chromium."""
        playwright = sync_playwright().start()
        self.addCleanup(playwright.stop)
        browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium", args=["--no-sandbox"]
        )
        self.addCleanup(browser.close)
        page = browser.new_page()
        sockets = []
        page.on("websocket", lambda socket: sockets.append(socket))
        code, address = invited(self.daemon)
        page.goto(f"{address}#code={code}")
        page.get_by_text("clock").first.wait_for()
        self.sockets = sockets
        return page

    def connections(self):
        """How many peers connected and disconnected, from the daemon's log."""
        events = [line.get("event", "") for line in self.daemon.lines()]
        names = ["connected", "disconnected"]
        counts = {
            f"{role}.{name}": events.count(f"{role}.{name}")
            for role in ("recorder", "inspector") for name in names
        }
        return {**counts, "sockets of the page": len(self.sockets)}

    def wait_for_peers(self):
        """Waits until the last peer has connected, and the short commands have disconnected."""
        expected = {"recorder": 5, "inspector": 9}
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            counts = self.connections()
            now = {
                role: counts[f"{role}.connected"] - counts[f"{role}.disconnected"]
                for role in expected
            }
            if now == expected:
                return
            time.sleep(0.1)
        self.fail(f"not connected in time: {now}")

    def still_work(self, python, commands, paced):
        """Idle peers are used: queries get answers, and a new entry reaches every follower."""
        for peer in python[:4]:
            status = peer.ask("status")
            self.assertEqual(status["inspectors"], 9)
            self.assertEqual(status["recorders"], 5)
        paced.process.stdin.write("\n")
        paced.process.stdin.flush()
        paced.line("played")
        watch, tail = commands
        deadline = time.monotonic() + 60
        while not any("ticked" in line for line in tail.lines):
            self.assertLess(time.monotonic(), deadline, f"tail shows nothing: {tail.lines}")
            time.sleep(0.05)
        self.assertIsNone(watch.end)


if __name__ == "__main__":
    unittest.main()
