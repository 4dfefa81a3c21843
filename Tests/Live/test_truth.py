"""An app records while the daemon is killed, stopped, or away: after every step, the inspector must
find exactly the values that the app's machines had.
"""

import json
import pathlib
import shutil
import signal
import tempfile
import threading
import time
import unittest

import jsonpatch

from daemon import Daemon
from freezing import freeze
from model import same
from peers import Inspector, Refused
from probe import Probe, Truth

# Of hundreds of steps: a thread sleeps for a moment if another one is interrupted with a lock.
SLEEPS = 20
MACHINES = ["basket", "basket 2", "form", "chart", "lamp", "sum", "list", "custom", "echo"]


class Truths(unittest.TestCase):
    maxDiff = 2000

    def check(self, inspector, truth):
        """Checks that every entry of every machine has the true values."""
        moments = truth.moments()
        found = {
            summary["header"]["machine"]["name"]: summary
            for summary in inspector.ask("timelines")["timelines"]
        }
        self.assertEqual(sorted(found), sorted(MACHINES))
        for name, expected in moments.items():
            summary = found[name]
            self.assertEqual(summary["last"], len(expected) - 1, name)
            id = summary["header"]["timeline"]
            for seq, moment in enumerate(expected):
                value = inspector.ask("state", timeline=id, seq=seq)["value"]
                self.assertTrue(
                    same(value["state"], moment["state"]),
                    f"{name} {seq}: {value['state']} is not {moment['state']}",
                )
                # A chart's outputs depend on its history, which the app does not write down.
                if name != "chart":
                    self.assertTrue(
                        same(value.get("outputs", {}), moment["outputs"]),
                        f"{name} {seq}: {value.get('outputs')} is not {moment['outputs']}",
                    )

    def expectStored(self, probe):
        self.assertEqual(probe.line("stored", 120), ["true", "thinned", "0", "lost", "0"])
        self.assertEqual(probe.end(), 0)

    def test_the_daemon_runs(self):
        with Daemon() as daemon, Truth() as truth:
            with Probe("truth", truth.path, 1, 1500, 500, 60, debugd=f"unix:{daemon.socket}") as probe:
                self.expectStored(probe)
            with Inspector(daemon.socket) as inspector:
                self.check(inspector, truth)
                self.assertFalse(any(
                    summary.get("live") for summary in inspector.ask("timelines")["timelines"]
                ))
            self.assertEqual(daemon.stop(), 0)
            self.assertEqual(daemon.run("check", check=False).returncode, 0)

    def test_the_daemon_is_killed_repeatedly(self):
        with Daemon() as daemon, Truth() as truth:
            with Probe("truth", truth.path, 2, 2500, 1500, 90, debugd=f"unix:{daemon.socket}") as probe:
                probe.line("playing")
                for pause in [0.2, 0.7, 0.05, 0.9, 0.4, 0.3]:
                    time.sleep(pause)
                    daemon.kill()
                    time.sleep(pause / 3)
                    daemon.start()
                self.expectStored(probe)
            with Inspector(daemon.socket) as inspector:
                self.check(inspector, truth)
            daemon.stop()
            self.assertEqual(daemon.run("check", check=False).returncode, 0)

    def test_the_daemon_starts_after_the_app(self):
        daemon = Daemon()
        with Truth() as truth:
            try:
                with Probe(
                    "truth", truth.path, 3, 600, 100, 90, debugd=f"unix:{daemon.socket}"
                ) as probe:
                    probe.line("played")
                    daemon.start()
                    self.expectStored(probe)
                with Inspector(daemon.socket) as inspector:
                    self.check(inspector, truth)
            finally:
                daemon.__exit__()

    def test_a_stopped_daemon_does_not_block_the_app(self):
        with Daemon() as daemon, Truth() as truth:
            with Probe(
                "truth", truth.path, 4, 2000, 1000, 90, debugd=f"unix:{daemon.socket}"
            ) as probe:
                probe.line("playing")
                time.sleep(0.5)
                freeze(daemon.process)
                try:
                    # All of it, while the daemon reads nothing.
                    sleeps = int(probe.line("played sleeps", 120)[0])
                    time.sleep(1)
                finally:
                    daemon.process.send_signal(signal.SIGCONT)
                self.assertLess(sleeps, SLEEPS)
                self.expectStored(probe)
            with Inspector(daemon.socket) as inspector:
                self.check(inspector, truth)

    def test_off_records_nothing(self):
        with Daemon() as daemon, Truth() as truth:
            with Probe("truth", truth.path, 5, 200, 0, 5, debugd="off", HOME=daemon.data) as probe:
                probe.line("stored")
                self.assertEqual(probe.end(), 0)
                self.assertEqual(probe.words(), "")
            with Inspector(daemon.socket) as inspector:
                self.assertEqual(inspector.ask("timelines")["timelines"], [])

    def test_a_file_instead_of_the_daemon(self):
        folder = pathlib.Path(tempfile.mkdtemp(prefix="file"))
        try:
            with Truth() as truth:
                with Probe("truth", truth.path, 6, 800, 200, 20, debugd=f"file:{folder}") as probe:
                    self.expectStored(probe)
                moments = truth.moments()
                names = set()
                for path in folder.glob("*.timeline"):
                    header, *entries = map(json.loads, path.read_text("utf-8").split("\n")[:-1])
                    name = header["machine"]["name"]
                    names.add(name)
                    self.assertEqual([entry["seq"] for entry in entries], list(range(len(entries))))
                    self.assertEqual(len(entries), len(moments[name]))
                    state, outputs = None, {}
                    for entry, moment in zip(entries, moments[name]):
                        if "patch" in entry and entry["seq"]:
                            state = jsonpatch.apply_patch(state, entry["patch"])
                            outputs = jsonpatch.apply_patch(outputs, entry.get("outputs", []))
                        if "state" in entry:
                            if "patch" in entry and entry["seq"]:
                                self.assertTrue(same(state, entry["state"]), f"{name} {entry}")
                            state, outputs = entry["state"], entry.get("outputState", {})
                        self.assertTrue(same(state, moment["state"]), f"{name} {entry}")
                        if name != "chart":
                            self.assertTrue(same(outputs, moment["outputs"]), f"{name} {entry}")
                self.assertEqual(sorted(names), sorted(MACHINES))
                # The daemon imports the files unchanged.
                with Daemon() as daemon:
                    daemon.run("import", *folder.glob("*.timeline"))
                    with Inspector(daemon.socket) as inspector:
                        self.check(inspector, truth)
        finally:
            shutil.rmtree(folder)


class Sizes(unittest.TestCase):
    def test_large_events_and_states(self):
        event, state = 10 << 20, 20 << 20
        with Daemon() as daemon:
            with Probe("sizes", event, state, 60, debugd=f"unix:{daemon.socket}") as probe:
                words = probe.line("stored", 120)
                self.assertEqual((words[0], words[4]), ("true", "0"))
                self.assertEqual(probe.end(), 0)
                self.assertRegex(probe.words(), "was left out: it has ")
            with Inspector(daemon.socket) as inspector:
                [summary] = inspector.ask("timelines")["timelines"]
                id, last = summary["header"]["timeline"], summary["last"]
                entries = inspector.ask("entries", timeline=id, **{"from": 0}, count=1000)["entries"]
                self.assertEqual([entry["seq"] for entry in entries], list(range(last + 1)))
                raw = inspector.ask("raw", timeline=id, seq=2)
                self.assertIn("x" * event, json.dumps(raw))
                # Too large for a message: its size is reported, and nothing else is lost.
                self.assertGreater(entries[3]["omitted"], state)
                with self.assertRaises(Refused) as refused:
                    inspector.ask("state", timeline=id, seq=3)
                self.assertEqual(refused.exception.code, "thinned")
                # And after a while, states are recorded again.
                value = inspector.ask("state", timeline=id, seq=last)["value"]["state"]
                self.assertEqual(value["blocks"], [])
                self.assertGreater(value["characters"], event)


class Ends(unittest.TestCase):
    """The ways in which an app can end without a message."""

    def summary(self, inspector, live=False, seconds=60):
        """The only timeline, once it is stored or no longer live."""
        deadline = time.monotonic() + seconds
        while True:
            [summary] = inspector.ask("timelines")["timelines"]
            if bool(summary.get("live")) == live or time.monotonic() > deadline:
                return summary
            time.sleep(0.05)

    def test_killed(self):
        with Daemon() as daemon:
            with Probe("killed", f"unix:{daemon.socket}") as probe:
                for _ in range(10):
                    stored = int(probe.line("")[0])
                probe.kill()
            with Inspector(daemon.socket) as inspector:
                summary = self.summary(inspector)
                self.assertFalse(summary.get("live"))
                self.assertGreaterEqual(summary["last"], stored)
                id = summary["header"]["timeline"]
                value = inspector.ask("state", timeline=id, seq=stored)["value"]
                self.assertEqual(value["state"], {"count": stored})

    def test_trapped(self):
        for way in ["fatal", "wild"]:
            with self.subTest(way=way), Daemon() as daemon:
                with Probe("trap", way, f"unix:{daemon.socket}", SWIFT_BACKTRACE="enable=no") as probe:
                    self.assertLess(probe.end(), 0)
                with Inspector(daemon.socket) as inspector:
                    summary = self.summary(inspector)
                    id = summary["header"]["timeline"]
                    self.assertEqual(summary["last"], 6)
                    entries = inspector.ask("entries", timeline=id, **{"from": 6}, count=1)["entries"]
                    self.assertEqual(entries[0]["error"], "trapped")
                    self.assertEqual(entries[0]["event"], {"die": {"_0": way}})


class Strangers(unittest.TestCase):
    """A daemon that refuses the app: the app continues at its pace, and reports the reason once."""

    def play(self, debugd, **environment):
        with Truth() as truth:
            with Probe(
                "truth", truth.path, 7, 300, 1000, 60, "refused", debugd=debugd, **environment
            ) as probe:
                self.assertLess(int(probe.line("played sleeps")[0]), SLEEPS)
                self.assertEqual(probe.line("stored")[0], "false")
                self.assertEqual(probe.end(), 0)
                return probe.words()

    def test_a_wrong_secret(self):
        with Daemon() as daemon:
            secret = daemon.data / "wrong"
            secret.write_text("0" * 64 + "\n")
            secret.chmod(0o600)
            words = self.play(
                daemon.address.replace("http", "ws").rstrip("/"), DEBUGD_SECRET_FILE=secret
            )
            self.assertRegex(words, "(?i)secret")
            self.assertLess(len(words.splitlines()), 5)
            with Inspector(daemon.socket) as inspector:
                self.assertEqual(inspector.ask("timelines")["timelines"], [])

    def test_the_right_secret(self):
        with Daemon() as daemon, Truth() as truth:
            [secret] = [path for path in daemon.data.iterdir() if "secret" in path.name]
            with Probe(
                "truth", truth.path, 8, 300, 500, 60, DEBUGD_SECRET_FILE=secret,
                debugd=daemon.address.replace("http", "ws").rstrip("/"),
            ) as probe:
                self.assertEqual(probe.line("stored")[0], "true", probe.complaints)
                self.assertEqual(probe.end(), 0)
            with Inspector(daemon.socket) as inspector:
                self.assertEqual(len(inspector.ask("timelines")["timelines"]), len(MACHINES))

    def test_a_newer_version(self):
        from websockets.sync.server import unix_serve

        hellos = []

        def refuse(connection):
            hellos.append(json.loads(connection.recv()))
            message = "This end speaks version 2.0. To fix this, renew the app's package."
            connection.send(json.dumps({"type": "error", "code": "version", "message": message}))
            connection.close(4002, message)

        folder = pathlib.Path(tempfile.mkdtemp(prefix="new"))
        path = folder / "s"
        try:
            with unix_serve(
                refuse, str(path), subprotocols=["recorder.v1"], compression=None
            ) as server:
                threading.Thread(target=server.serve_forever).start()
                words = self.play(f"unix:{path}")
                server.shutdown()
            self.assertEqual(hellos[0]["type"], "hello")
            self.assertIn("version", words)
            self.assertLess(len(hellos), 10)
            self.assertLess(len(words.splitlines()), 5)
        finally:
            shutil.rmtree(folder)
