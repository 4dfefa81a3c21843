"""The rules of the protocol that recorder.py follows, checked by a fake daemon that counts."""

import os
import sys
import tempfile
import unittest

from daemon import ROOT, Daemon
from fake_daemon import SECRET, FakeDaemon
from ports import free_port

sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "Examples"))
import recorder as python_recorder  # noqa: E402


class PythonRules(unittest.TestCase):
    def recorder(self, port, **options):
        secret = tempfile.NamedTemporaryFile("w")
        secret.write(SECRET)
        secret.flush()
        self.addCleanup(secret.close)
        os.environ.update(DEBUGD=f"ws://127.0.0.1:{port}", DEBUGD_SECRET_FILE=secret.name)
        self.addCleanup(os.environ.pop, "DEBUGD", None)
        self.addCleanup(os.environ.pop, "DEBUGD_SECRET_FILE", None)
        recorder = python_recorder.Recorder("Rules", **options)
        self.addCleanup(recorder.close, 0)
        return recorder

    def check_line(self, entries):
        """Checks that each entry follows the one before it or has a gap, and that a state follows a gap."""
        last = -1
        for entry in entries:
            lost = entry.get("gap", {}).get("lost", 0)
            self.assertEqual(entry["seq"], last + lost + 1)
            if lost:
                self.assertIn("state", entry)
                self.assertNotIn("patch", entry)
            last = entry["seq"]

    def test_batches_are_small_and_wait_for_credit(self):
        with FakeDaemon(credit=100_000) as daemon:
            recorder = self.recorder(daemon.port)
            machine = recorder.machine("m", {"n": 0, "text": ""})
            for n in range(1, 4_001):
                machine.record({"step": n}, {"n": n, "text": "x" * 400})
            daemon.wait(lambda: sum(daemon.sizes) >= 100_000)
            # One message may exceed the credit, but no further one.
            self.assertLessEqual(sum(daemon.sizes[:-1]), 100_000)
            with daemon.changed:
                daemon.send("credit", bytes=1 << 30)
            self.assertTrue(recorder.flush(60), recorder.problem)
            self.assertLessEqual(max(daemon.sizes), 256 * 1024 + 200)
            self.assertLessEqual(max(len(one["entries"]) for one in daemon.of("append")), 1_000)
            self.assertEqual([one["seq"] for one in daemon.entries("m")], list(range(4_001)))

    def test_entries_are_stored_without_a_flush(self):
        with FakeDaemon() as daemon:
            self.recorder(daemon.port).machine("m", {"n": 0})
            daemon.wait(lambda: len(daemon.entries("m")) == 1)

    def test_memory_is_bounded_and_a_loss_is_a_gap(self):
        port = free_port()
        recorder = self.recorder(port, memory=50_000)
        machine = recorder.machine("m", {"n": 0})
        other = recorder.machine("other", {"n": 0})
        for n in range(1, 3_001):
            machine.record({"step": n}, {"n": n, "text": "x" * 100})
            self.assertLessEqual(recorder.bytes, 50_000)
        other.record({"step": 1}, {"n": 1})
        with FakeDaemon(port=port) as daemon:
            self.assertTrue(recorder.flush(60), recorder.problem)
            entries = daemon.entries("m")
            self.check_line(entries)
            self.assertEqual(entries[-1]["seq"], 3_000)
            self.assertGreater(entries[0]["gap"]["lost"], 2_000)
            # The machine that used the memory lost the entries.
            self.assertEqual([one["seq"] for one in daemon.entries("other")], [0, 1])

    def test_a_loss_at_the_end_is_reported_at_close(self):
        with FakeDaemon() as daemon:
            recorder = self.recorder(daemon.port)
            machine = recorder.machine("m", {"n": 0})
            self.assertTrue(recorder.flush(60))
            machine.record({"big": "x" * python_recorder.LARGEST}, {"n": 1})
            self.assertTrue(recorder.close(60), recorder.problem)
            daemon.wait(lambda: daemon.of("close"))
            self.assertEqual(daemon.of("close")[0]["gap"]["lost"], 1)

    def test_a_refused_timeline_blocks_no_other_and_is_not_sent_forever(self):
        with FakeDaemon(refuses=["bad"]) as daemon:
            recorder = self.recorder(daemon.port)
            bad = recorder.machine("bad", {"n": 0})
            good = recorder.machine("good", {"n": 0})
            good.record({"step": 1}, {"n": 1})
            daemon.wait(lambda: bad.is_off)
            # Three attempts with the timeline, and three with the one that replaced it.
            opened = [one["header"]["timeline"] for one in daemon.of("open")
                      if one["header"]["machine"]["name"] == "bad"]
            self.assertEqual([opened.count(one) for one in dict.fromkeys(opened)], [3, 3])
            bad.record({"step": 1}, {"n": 1})
            self.assertTrue(recorder.flush(60), recorder.problem)
            self.assertEqual({one["seq"] for one in daemon.entries("good")}, {0, 1})

    def test_a_new_connection_resumes_after_the_durable_entries(self):
        with FakeDaemon() as daemon:
            recorder = self.recorder(daemon.port)
            machine = recorder.machine("m", {"n": 0})
            machine.record({"step": 1}, {"n": 1})
            self.assertTrue(recorder.flush(60))
            with daemon.changed:
                daemon.acknowledges = False
            machine.record({"step": 2}, {"n": 2})
            daemon.wait(lambda: len(daemon.entries("m")) == 3)
            with daemon.changed:
                daemon.acknowledges, lost = True, daemon.socket
            lost.close()
            self.assertTrue(recorder.flush(60), recorder.problem)
            self.assertEqual([one["seq"] for one in daemon.entries("m")], [0, 1, 2, 2])

    def test_a_thousand_machines_are_recorded_and_more_are_ignored(self):
        with Daemon() as daemon:
            os.environ["DEBUGD"] = f"unix:{daemon.socket}"
            self.addCleanup(os.environ.pop, "DEBUGD", None)
            recorder = python_recorder.Recorder("Many")
            machines = [recorder.machine(f"m{n}", {"n": n}) for n in range(1_010)]
            for machine in machines:
                machine.record({"step": 1}, {"n": -1})
            self.assertTrue(recorder.close(60), recorder.problem)
            self.assertEqual(daemon.json("status")["timelines"], 1_000)
            self.assertEqual(sum(machine.is_off for machine in machines), 10)


if __name__ == "__main__":
    unittest.main()
