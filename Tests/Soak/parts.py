"""The processes of a soak: programs that record, a page, and commands that follow."""

import pathlib
import re

from playwright.sync_api import Error as BrowserError
from playwright.sync_api import sync_playwright

from daemon import BUILD, ROOT, Daemon
from entries import PER_PROCESS
from peers import Inspector
from probe import Probe
from processes import Watched
from quiet_peers import Command

TAILS = 3


class Broken(Exception):
    """A part of the soak ended or fails to do its work; nothing after it counts."""


class Parts:
    """Starts everything; closing `stack` ends it."""

    def __init__(self, recorders, rate, stack):
        self.recorders = recorders
        self.daemon = stack.enter_context(Daemon(environment={"DEBUGD_WEB": str(ROOT / "web")}))
        self.probes = [
            stack.enter_context(self.probe(first, rate))
            for first in range(0, recorders, PER_PROCESS)
        ]
        for probe in self.probes:
            self.ready(probe)
        tails = range(min(TAILS, recorders))
        self.tails = [
            Command(self.daemon, "tail", f"pulse-{number}", "--count", "0") for number in tails
        ]
        self.watch = Command(self.daemon, "watch")
        for command in [*self.tails, self.watch]:
            stack.callback(command.close)
        self.reader = stack.enter_context(Inspector(self.daemon.socket))
        self.page = Page(self.daemon, self.timelines()["pulse-0"], stack)
        self.watched = [
            Watched("daemon", self.daemon.process),
            *(Watched(f"recorders-{n}", one.process) for n, one in enumerate(self.probes, 1)),
            *(Watched(f"tail-{n}", one.process) for n, one in enumerate(self.tails, 1)),
            Watched("watch", self.watch.process),
        ]

    def probe(self, first, rate):
        count = min(PER_PROCESS, self.recorders - first)
        return Probe("soak", first, count, rate, debugd=f"unix:{self.daemon.socket}")

    def ready(self, probe):
        try:
            if probe.line("ready") != ["true"]:
                raise Broken("A recorder does not reach the daemon. Its log:\n"
                             + self.daemon.text()[-2_000:])
        except AssertionError as error:
            if probe.process.poll() == 64:
                raise Broken(
                    f"{BUILD}/RecorderProbe is older than this script. To build it, run: "
                    "swift build --product RecorderProbe") from error
            raise Broken(str(error)) from error

    def timelines(self):
        """The timeline of each machine, by name."""
        summaries = self.reader.ask("timelines")["timelines"]
        return {one["header"]["machine"]["name"]: one["header"]["timeline"] for one in summaries}

    def send_to_probes(self, word):
        for probe in self.probes:
            probe.process.stdin.write(f"{word}\n")
            probe.process.stdin.flush()

    def reports(self, word):
        """The counts of each recording process: {"beats": …, "stored": …, "lost": …}."""
        try:
            words = [probe.line(f"{word} ", 180) for probe in self.probes]
        except AssertionError as error:
            raise Broken(str(error)) from error
        return [dict(zip(one[::2], one[1::2])) for one in words]

    def stored(self):
        return self.reader.ask("status")["entries"]

    def connections(self):
        """How many peers connected and disconnected, from the daemon's log and from the page."""
        events = [line.get("event", "") for line in self.daemon.lines()]
        names = [f"{role}.{what}" for role in ("recorder", "inspector")
                 for what in ("connected", "disconnected")]
        return {**{name: events.count(name) for name in names},
                "sockets of the page": len(self.page.sockets)}

    def complaints(self):
        """The warnings and errors in the daemon's log."""
        return [line for line in self.daemon.lines() if line.get("level") not in (None, "info", "debug")]

    def check_alive(self):
        for one in self.watched:
            if one.process.poll() is not None:
                raise Broken(f"{one.name} ended with status {one.process.returncode}."
                             + ("\n" + self.daemon.text()[-2_000:] if one.name == "daemon" else ""))


class Page:
    """The inspector in Chromium, at the newest entry of a timeline."""

    def __init__(self, daemon, timeline, stack):
        playwright = sync_playwright().start()
        stack.callback(playwright.stop)
        browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        stack.callback(browser.close)
        self.page = browser.new_page()
        self.sockets, self.errors, self.received = [], [], 0
        self.page.on("websocket", lambda socket: self.sockets.append(socket))
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.goto(f"{self.link(daemon)}&timeline={timeline}")
        self.page.wait_for_selector(".tree-row", timeout=120_000)
        self.cdp = self.page.context.new_cdp_session(self.page)
        self.cdp.send("HeapProfiler.enable")
        self.cdp.send("Performance.enable")

    @staticmethod
    def link(daemon):
        opened = pathlib.Path(daemon.run("open", "--print").stdout.strip())
        return re.search(r'url=([^"]+)"', opened.read_text()).group(1)

    def wait(self, seconds):
        """Waits, and handles the browser's events meanwhile."""
        try:
            self.page.wait_for_timeout(seconds * 1_000)
        except BrowserError as error:
            raise Broken(f"the page ended: {error}") from error

    def metrics(self):
        """Its memory after a garbage collection."""
        try:
            self.cdp.send("HeapProfiler.collectGarbage")
            usage = self.cdp.send("Runtime.getHeapUsage")
            metrics = {
                one["name"]: one["value"]
                for one in self.cdp.send("Performance.getMetrics")["metrics"]
            }
        except BrowserError as error:
            raise Broken(f"the page ended: {error}") from error
        return {
            "heap_kb": (usage["usedSize"] + usage.get("backingStorageSize", 0)) // 1_024,
            "nodes": metrics["Nodes"],
            "listeners": metrics["JSEventListeners"],
        }

    def processor_seconds(self):
        """The processor time of the page's process, without the rest of the browser."""
        return self.metric("ProcessTime")

    def metric(self, name):
        metrics = self.cdp.send("Performance.getMetrics")["metrics"]
        return next(one["value"] for one in metrics if one["name"] == name)

    def count_messages(self):
        """Counts the daemon's messages from now on, in `received`."""
        def receive(_):
            self.received += 1

        self.received = 0
        for socket in self.sockets:
            socket.on("framereceived", receive)

    def shows(self, seq):
        """Whether the page reaches an entry as the newest."""
        try:
            self.page.wait_for_function(
                "seq => document.title.endsWith(`@ ${seq.toLocaleString('en-US')}`)", arg=seq,
                timeout=120_000)
        except BrowserError:
            return f"the page shows '{self.page.title()}' instead of entry {seq}"
        return None
