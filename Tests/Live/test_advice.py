"""What messages advise is done as they say it, and helps."""

import contextlib
import pathlib
import shlex
import sqlite3
import subprocess
import unittest

from daemon import BUILD, Daemon
from peers import recorded
from probe import Probe


class Advice(unittest.TestCase):
    def setUp(self):
        self.daemon = Daemon()
        self.addCleanup(self.daemon.__exit__, None, None, None)

    def said(self, *words):
        """What debugd says when it does not do what these words ask for."""
        result = self.daemon.run(*words, check=False)
        self.assertNotEqual(result.returncode, 0, result)
        return result.stderr.strip()

    def start(self, command):
        """Runs a command that a message suggested, with the debugd under test."""
        words = shlex.split(command)
        self.assertEqual(words.pop(0), "debugd")
        process = subprocess.Popen(
            [BUILD / "debugd", *words], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, env={**self.daemon.environment, "DEBUGD_LISTEN": "127.0.0.1:0"})
        self.addCleanup(process.wait)
        self.addCleanup(process.terminate)
        while not self.daemon.socket.exists():
            self.assertIsNone(process.poll(), "it ended")

    def test_a_daemon_that_does_not_run_is_started_as_advised(self):
        self.daemon.start()
        recorded(self.daemon)
        self.daemon.stop()
        for words in (["open"], ["hold", "coin"], ["fork", "coin", "--drop", "1"], ["watch"]):
            self.assertIn(f": debugd serve --data {self.daemon.data}", self.said(*words), words)
        message = self.said("watch")
        self.assertIn(
            "No daemon is running, or it ended, so nothing more can be shown. To fix, start one: "
            f"debugd serve --data {self.daemon.data}", message)
        self.start(message.split("start one: ")[1])
        self.assertTrue(self.daemon.run("open", "--print").stdout)

    def test_the_inspector_is_opened_as_the_log_says(self):
        self.daemon.start()
        advice = f"The inspector is at {self.daemon.address}. To open it, run: debugd open"
        self.assertIn(advice, [line.get("message") for line in self.daemon.lines()])
        page = pathlib.Path(self.daemon.run(*advice.split("debugd ")[1].split(), "--print").stdout.strip())
        self.assertIn(self.daemon.address, page.read_text("utf-8"))

    def test_a_machine_is_held_as_advised(self):
        self.daemon.start()
        with Probe("control", "allowed", 5, debugd=f"unix:{self.daemon.socket}") as probe:
            probe.line("ready")
            while "clock" not in self.daemon.run("list", "--live").stdout:
                self.assertIsNone(probe.process.poll())
            message = self.said("step", "clock")
            self.assertIn(
                "clock is not held from this machine. To fix, hold it in another terminal: "
                "debugd hold clock", message)
            words = message.split("terminal: debugd ")[1].split()
            held = subprocess.Popen(
                [BUILD / "debugd", *words, "--data", str(self.daemon.data)], text=True,
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, env=self.daemon.environment)
            self.addCleanup(held.wait)
            self.addCleanup(held.stdout.close)
            self.addCleanup(held.terminate)
            self.assertIn("held", held.stdout.readline())
            self.assertIn("To fix, take it over: --take", self.said("hold", "clock"))
            taken = self.daemon.run("step", "clock", check=False)
            self.assertNotIn("not held", taken.stderr)

    def test_a_damaged_database_is_saved_as_advised(self):
        self.daemon.start()
        recorded(self.daemon, count=3000)
        self.daemon.stop()
        file = self.daemon.data / "timelines.sqlite"
        with contextlib.closing(sqlite3.connect(file)) as database:
            database.execute(
                "UPDATE chunk SET lines = "
                "CAST(substr(lines, 1, 16) || randomblob(length(lines) - 16) AS BLOB)")
            database.commit()
        checked = self.daemon.run("check", check=False)
        said = checked.stdout + checked.stderr
        advice = "to save what can be read, stop the daemon and run: debugd recover"
        self.assertIn(advice, said)
        self.assertEqual(self.daemon.run(*advice.split("debugd ")[1].split(), check=False).returncode, 3)
        self.assertIn("all is well", self.daemon.run("check").stdout)


if __name__ == "__main__":
    unittest.main()
