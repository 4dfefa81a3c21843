"""The commands that messages suggest can be run as printed, and help."""

import contextlib
import pathlib
import re
import shlex
import sqlite3
import subprocess
import time
import unittest
import urllib.error
import urllib.request

from advice import advice
from daemon import BUILD, Daemon
from peers import packed, recorded
from probe import Probe


class Advice(unittest.TestCase):
    def setUp(self):
        self.daemon = Daemon()
        self.addCleanup(self.daemon.__exit__, None, None, None)

    def said(self, *words):
        """What debugd prints when a command fails."""
        result = self.daemon.run(*words, check=False)
        self.assertNotEqual(result.returncode, 0, result)
        return result.stderr.strip()

    def start(self, command):
        """Runs a suggested command, with the debugd under test."""
        words = shlex.split(command)
        self.assertEqual(words.pop(0), "debugd")
        process = subprocess.Popen(
            [BUILD / "debugd", *words], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, env={**self.daemon.environment, "DEBUGD_LISTEN": "127.0.0.1:0"})
        self.addCleanup(process.wait)
        self.addCleanup(process.terminate)
        while self.daemon.run("status", check=False).returncode:
            self.assertIsNone(process.poll(), "it ended")

    def test_a_daemon_that_is_not_running_is_started_as_advised(self):
        self.daemon.start()
        recorded(self.daemon)
        self.daemon.stop()
        for words in (["open"], ["hold", "coin"], ["fork", "coin", "--drop", "1"], ["watch"]):
            self.assertIn(f": debugd serve --data {self.daemon.data}", self.said(*words), words)
        message = self.said("watch")
        self.assertIn("No daemon answers at ", message)
        self.start(message.split("start one: ")[1])
        self.assertTrue(self.daemon.run("open", "--print").stdout)

    def test_the_inspector_is_opened_as_the_log_advises(self):
        self.daemon.start()
        command = advice(
            "The inspector is at …. To open it, run: debugd open", "\n".join(
                line.get("message", "") for line in self.daemon.lines()))
        self.assertEqual(command, f"debugd open --data {self.daemon.data}")
        opened = self.daemon.advised(command + " --print")
        page = pathlib.Path(opened.stdout.strip())
        self.assertIn(self.daemon.address, page.read_text("utf-8"))

    def test_a_host_is_added_as_advised_with_any_data_directory(self):
        self.daemon.start()
        recorded(self.daemon)
        said = self.said("hosts")
        command = re.search(r"it: (debugd host .*?) \(", said)[1]
        self.assertEqual(command, f"debugd host .build/debug/App --data {self.daemon.data}")
        done = self.daemon.advised(command.replace(".build/debug/App", f"{BUILD}/RecorderProbe host"))
        self.assertEqual(done.returncode, 0, done)
        self.assertIn("RecorderProbe", self.daemon.run("hosts", check=False).stdout)

    def test_a_daemon_is_found_at_the_address_that_it_listens_on(self):
        # An address of this machine outside the usual names of loopback.
        self.daemon.listen = "127.0.0.2:0"
        self.daemon.start()
        self.assertIn("http://127.0.0.2:", self.daemon.address)
        for host, status in (("127.0.0.2", 200), ("127.0.0.1", 200), ("127.0.0.3", 421)):
            request = urllib.request.Request(
                self.daemon.address, headers={"Host": f"{host}:{self.daemon.port}"})
            try:
                with urllib.request.urlopen(request, timeout=60) as answer:
                    self.assertEqual(answer.status, status, host)
            except urllib.error.HTTPError as error:
                self.assertEqual(error.code, status, host)

    def test_listening_on_every_address_logs_one_that_answers(self):
        for options, name in (([], "127.0.0.1"), (["--name", "box.local"], "box.local")):
            with Daemon(listen="0.0.0.0:0", options=["--insecure", *options]) as daemon:
                self.assertEqual(daemon.address, f"http://{name}:{daemon.port}/")
                self.assertEqual(daemon.status(name), 200)

    def test_a_machine_is_held_as_advised(self):
        self.daemon.start()
        with Probe("control", "allowed", 5, debugd=f"unix:{self.daemon.socket}") as probe:
            probe.line("ready")
            while "clock" not in self.daemon.run("list", "--live").stdout:
                self.assertIsNone(probe.process.poll())
            message = self.said("step", "clock")
            self.assertIn(
                "No debugd command on this computer is holding clock. To fix, hold it in another terminal: "
                "debugd hold clock", message)
            self.assertIn(
                "No debugd command on this computer is holding clock. To end the hold of a page, add --take.",
                self.said("resume", "clock"))
            words = advice(
                "No debugd command on this computer is holding …. To fix, hold it in another terminal: "
                "debugd hold …", message).split()[1:]
            held = subprocess.Popen(
                [BUILD / "debugd", *words, "--data", str(self.daemon.data)], text=True,
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, env=self.daemon.environment)
            self.addCleanup(held.wait)
            self.addCleanup(held.stdout.close)
            self.addCleanup(held.terminate)
            self.assertIn("held", held.stdout.readline())
            self.assertIn("To fix, take over control: --take", self.said("hold", "clock"))
            taken = self.daemon.run("step", "clock", check=False)
            self.assertNotIn("not held", taken.stderr)

    def test_a_damaged_database_is_saved_as_advised(self):
        self.daemon.start()
        packed(self.daemon, recorded(self.daemon, count=3000))
        self.daemon.stop()
        file = self.daemon.data / "timelines.sqlite"
        with contextlib.closing(sqlite3.connect(file)) as database:
            database.execute(
                "UPDATE chunk SET lines = "
                "CAST(substr(lines, 1, 16) || randomblob(length(lines) - 16) AS BLOB)")
            database.commit()
        checked = self.daemon.run("check", check=False)
        self.assertNotIn(self.SAVE, checked.stdout.splitlines()[0], "once, not with each finding")
        said = self.said("state", "coin", "5")
        self.assertIn("The data is damaged: the entries 0 to", said)
        self.assertIn(self.SAVE, said)
        self.recover(checked.stdout)

    SAVE = "o save what can be read, stop the daemon if it is running, and run: "

    def recover(self, said):
        """Runs the command that a message about a damaged database suggests, word by word."""
        if "To save" in said:
            suggested = advice(
                "To save what can be read, stop the daemon if it is running, and run: debugd recover",
                said)
        else:
            suggested = advice(
                "to save what can be read, stop the daemon if it is running, and run: debugd recover",
                said)
        command = shlex.split(suggested)
        self.assertEqual(command, ["debugd", "recover", "--data", str(self.daemon.data)])
        done = subprocess.run(
            [BUILD / "debugd", *command[1:]], capture_output=True, text=True, timeout=60,
            env=self.daemon.environment)
        self.assertEqual(done.returncode, 3, done)
        self.assertIn("all is well", self.daemon.run("check").stdout)

    def wait_for_chunk(self):
        """Waits until the daemon has packed entries, which it does beside other work."""
        deadline = time.monotonic() + 120
        with contextlib.closing(sqlite3.connect(self.file)) as database:
            while database.execute("SELECT count(*) FROM chunk").fetchone() == (0,):
                self.assertLess(time.monotonic(), deadline, "no chunk is packed")
                time.sleep(0.05)

    def damage(self, table):
        """Overwrites the first page of a table's tree; `copy` is the undamaged database."""
        self.daemon.start()
        recorded(self.daemon, count=3000)
        self.file = self.daemon.data / "timelines.sqlite"
        self.wait_for_chunk()
        self.daemon.stop()
        with contextlib.closing(sqlite3.connect(self.file)) as database:
            size, = database.execute("PRAGMA page_size").fetchone()
            page, = database.execute(
                "SELECT rootpage FROM sqlite_master WHERE name = ?", [table]).fetchone()
        with self.file.open("r+b") as file:
            file.seek((page - 1) * size)
            file.write(b"\xff" * size)

    def test_check_continues_after_a_damaged_page_and_says_how_to_save_the_rest(self):
        self.damage("chunk")
        checked = self.daemon.run("check", check=False)
        self.assertEqual(checked.returncode, 1)
        self.assertIn("cannot be read", checked.stdout)
        self.assertEqual(checked.stderr, "")
        self.recover(checked.stdout)

    def test_a_failed_query_on_a_damaged_database_is_recovered_as_advised(self):
        self.damage("chunk")
        # The last entries may not be in a chunk yet.
        said = self.said("entries", "coin", "--from", "0")
        self.assertIn("The database is damaged (", said)
        self.recover(said)

    def test_a_database_that_cannot_be_opened_is_saved_as_advised(self):
        self.damage("timeline")
        for words in (["list"], ["check"], ["serve"]):
            said = self.said(*words)
            self.assertIn("The database is damaged (", said)
            self.assertIn(f"debugd recover --data {self.daemon.data}", said)
        self.recover(said)


if __name__ == "__main__":
    unittest.main()
