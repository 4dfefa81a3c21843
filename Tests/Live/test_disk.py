"""A full disk: the daemon refuses entries with a message, answers queries, and recovers with space."""

import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

from daemon import Daemon
from model import World
from peers import Inspector, Recorder


class FullDisk(unittest.TestCase):
    def setUp(self):
        if os.geteuid() != 0:
            self.skipTest("only root can mount a small disk")
        self.place = pathlib.Path(tempfile.mkdtemp(prefix="disk"))
        mounted = subprocess.run(
            ["mount", "-t", "tmpfs", "-o", "size=6m", "tmpfs", self.place], capture_output=True
        )
        if mounted.returncode:
            self.place.rmdir()
            self.skipTest("this machine does not allow mounting a small disk")

    def tearDown(self):
        subprocess.run(["umount", self.place], check=True)
        self.place.rmdir()

    def test_refuses_with_a_message_and_recovers_without_a_restart(self):
        daemon = Daemon(data=self.place / "data")
        daemon.log = pathlib.Path(tempfile.mkstemp(prefix="log")[1])
        try:
            daemon.start()
            recorder = Recorder(daemon.socket)
            world = World(5)
            recorder.open(world.header)
            recorder.append(world.id, world.grow(100))
            recorder.wait_until_durable(world.id, world.seq)
            safe = world.seq
            filler = self.place / "filler"
            fill(filler)
            recorder.append(world.id, world.grow(4000))
            while not recorder.notices and not recorder.errors:
                recorder.handle_next()
            words = (recorder.notices + recorder.errors)[0]["message"]
            self.assertRegex(words, "(?i)full|space")
            refused = recorder.durable[world.id]
            self.assertLess(refused, world.seq)
            with Inspector(daemon.socket) as inspector:
                # Stored entries can be inspected.
                value = inspector.ask("state", timeline=world.id, seq=safe)["value"]
                self.assertEqual(value, world.moments[safe])
                self.assertIn("problem", inspector.ask("status"))
            filler.unlink()
            # Without a restart; the recorder retries long enough.
            recorder.wait_until_durable(world.id, world.seq)
            with Inspector(daemon.socket) as inspector:
                value = inspector.ask("state", timeline=world.id, seq=world.seq)["value"]
                self.assertEqual(value, world.moments[world.seq])
                self.assertNotIn("problem", inspector.ask("status"))
            self.assertIsNone(daemon.process.poll())
            daemon.stop()
            self.assertEqual(daemon.run("check", check=False).returncode, 0)
        finally:
            daemon.__exit__()
            shutil.rmtree(self.place / "data", ignore_errors=True)


def fill(path):
    """Uses up all space that is left."""
    with open(path, "wb", buffering=0) as file:
        for size in [1 << 16, 1 << 12, 1]:
            try:
                while True:
                    file.write(b"x" * size)
            except OSError:
                pass
