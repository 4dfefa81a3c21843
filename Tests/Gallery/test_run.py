"""scripts/run: it starts the daemon and the gallery, and leaves nothing behind."""

import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import time
import unittest
import urllib.request

from daemon import BUILD, ROOT


class Run(unittest.TestCase):
    def setUp(self):
        # The home of a new user, with a short path, because the path of a socket is limited.
        self.home = tempfile.mkdtemp(prefix="run")
        self.addCleanup(shutil.rmtree, self.home, ignore_errors=True)
        self.environment = {
            key: value
            for key, value in os.environ.items()
            if not key.startswith(("DEBUGD", "XDG_")) and key != "STATE_DIRECTORY"
        }
        self.environment.update(HOME=self.home, DEBUGD_LISTEN="127.0.0.1:0", DEBUGD="off")
        self.log = open(os.path.join(self.home, "log"), "w+", encoding="utf-8")
        self.addCleanup(self.log.close)

    def start(self):
        # A process group of its own, so that processes left behind are found.
        self.run = subprocess.Popen(
            [ROOT / "scripts" / "run"], stdin=subprocess.DEVNULL, stdout=self.log,
            stderr=self.log, env=self.environment, start_new_session=True,
        )
        self.addCleanup(self.end)

    def end(self):
        try:
            os.killpg(self.run.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.run.wait()

    def text(self):
        return pathlib.Path(self.log.name).read_text("utf-8")

    def wait(self, condition, seconds=120):
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            value = condition()
            if value:
                return value
            time.sleep(0.1)
        self.fail(self.text())

    def debugd(self, *words):
        environment = {k: v for k, v in self.environment.items() if not k.startswith("DEBUGD")}
        return subprocess.run(
            [BUILD / "debugd", *words], env=environment, capture_output=True, text=True, timeout=60
        )

    def address(self):
        return self.wait(lambda: re.search(r"The inspector is at (http\S+)", self.text()))[1]

    def children(self):
        """The process ids of its group, by name."""
        listed = subprocess.run(
            ["ps", "-e", "-o", "pid=,pgid=,comm="], capture_output=True, text=True, check=True
        ).stdout.split("\n")
        rows = [line.split(None, 2) for line in listed if line.strip()]
        return {row[2]: int(row[0]) for row in rows if int(row[1]) == self.run.pid}

    def machines(self):
        """The names of the machines that have a timeline."""
        listed = self.debugd("list", "--json").stdout.splitlines()
        return [json.loads(line)["header"]["machine"]["name"] for line in listed]

    def sent_from(self, machine):
        """For each event of a machine its call site, with the line there, once there are two events."""
        entries = map(json.loads, self.debugd("entries", machine, "--json").stdout.splitlines())
        found = {entry["event"]: (entry["at"], entry["seq"]) for entry in entries if "event" in entry}
        return len(found) > 1 and {
            event: (at, re.search(r"(?m)^>.*", self.debugd("source", machine, str(seq)).stdout)[0])
            for event, (at, seq) in found.items()}

    def gone(self):
        self.wait(lambda: not self.children(), seconds=60)

    def test_it_shows_the_gallery_until_it_is_interrupted(self):
        self.start()
        with urllib.request.urlopen(self.address(), timeout=60) as page:
            self.assertIn("<!doctype html>", page.read().decode().lower())
        names = {"coin", "flow", "book", "basket", "repositories", "search view",
                 "verification"}
        self.wait(lambda: names <= set(self.machines()))
        # Its sources are there, and its events come from more than one line.
        lines = self.wait(lambda: self.sent_from("coin"))
        self.assertEqual(set(lines), {"flipped", "laidOnHeads"})
        for event, (at, shown) in lines.items():
            self.assertRegex(at, r"^Machines/CoinUser\.swift:\d+$")
            self.assertIn(f"coin.send(.{event})", shown)
        self.assertIn("debugd open", self.text())
        # The printed line puts the daemon and the programs on the PATH.
        path = re.search(r"export PATH=\S+", self.text())[0]
        found = subprocess.run(
            ["bash", "-c", f"{path}; command -v debugd Coin Elsewhere"], capture_output=True, text=True)
        self.assertEqual(len(found.stdout.splitlines()), 3, found.stdout)
        opened = self.debugd("open", "--print").stdout.strip()
        self.assertIn(self.address(), pathlib.Path(opened).read_text("utf-8"))
        # A second run reports the problem, and leaves the first one alone.
        again = subprocess.run(
            [ROOT / "scripts" / "run"], stdin=subprocess.DEVNULL, capture_output=True, text=True,
            env=self.environment, timeout=120,
        )
        self.assertEqual(again.returncode, 1)
        self.assertRegex(again.stderr, r"(?i)another|held|already|runs")
        self.assertIsNone(self.run.poll())
        # Ctrl-C reaches every process of the terminal.
        os.killpg(self.run.pid, signal.SIGINT)
        self.assertEqual(self.run.wait(120), 0)
        self.gone()
        # The recordings stay.
        self.assertIn("coin", self.debugd("list", "--names").stdout)

    def test_it_ends_when_one_of_both_dies(self):
        for victim, words in [("Gallery", "The gallery ended"), ("debugd", "debugd ended")]:
            with self.subTest(victim=victim):
                self.log.truncate(0)
                self.start()
                self.address()
                os.kill(self.wait(lambda: self.children().get(victim)), signal.SIGKILL)
                self.assertEqual(self.run.wait(120), 1)
                self.assertIn(words, self.text())
                self.gone()
