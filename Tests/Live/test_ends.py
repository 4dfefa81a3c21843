"""How a recording ended or began, as `debugd show` reports it: a program that dies, one that forks."""

import pathlib
import re
import tempfile
import time
import unittest

from daemon import Daemon
from probe import Probe


class Ends(unittest.TestCase):
    def setUp(self):
        self.daemon = self.enterContext(Daemon())

    def shown(self, *words):
        """What `show` prints once the timeline has ended."""
        deadline = time.monotonic() + 60
        while True:
            done = self.daemon.run("show", *words, check=False)
            if done.returncode == 0 and "live" not in done.stdout:
                return done.stdout
            self.assertLess(time.monotonic(), deadline, done.stdout + done.stderr)
            time.sleep(0.05)

    def test_a_program_that_dies_shows_the_event_it_died_of(self):
        with Probe(
            "trap", "fatal", f"unix:{self.daemon.socket}", SWIFT_BACKTRACE="enable=no"
        ) as probe:
            self.assertLess(probe.process.wait(60), 0)
        shown = self.shown("fragile")
        self.assertRegex(shown, r"(?m)^entries +7, from 0 to 6$")
        self.assertRegex(shown, r"(?m)^crashed +at entry 6, while it handled 'die'$")
        self.assertEqual(
            self.daemon.json("show", "fragile")["crashed"], {"seq": 6, "event": "die"})
        entries = self.daemon.run("entries", "fragile").stdout.splitlines()
        self.assertRegex(entries[-1], r" 6 .* die .*error: trapped")
        self.assertNotIn("error", "".join(entries[:-1]))

    def test_a_program_that_exits_normally_shows_no_crash(self):
        with Probe("paced", "3", "100", debugd=f"unix:{self.daemon.socket}") as probe:
            probe.line("ready")
            self.assertEqual(probe.end(), 0)
        self.assertNotIn("crashed", self.shown("clock"))

    def test_a_forked_process_shows_its_parent(self):
        with tempfile.TemporaryDirectory() as place:
            child = pathlib.Path(place, "child.timeline")
            with Probe("fork", f"unix:{self.daemon.socket}", child) as probe:
                self.assertEqual(probe.line("child"), ["0"])
                self.assertEqual(probe.end(), 0)
            parent = self.daemon.json("list")["header"]["timeline"]
            imported = self.daemon.json("import", child)["timeline"]
        self.assertNotIn("fork of", self.shown(parent))
        shown = self.shown(imported)
        self.assertRegex(
            shown, rf"(?m)^fork of +{re.escape(parent)} at entry 3, by a process that was forked$")
        # The child's machine continues from the parent's state.
        state = self.daemon.run("state", imported, 0).stdout
        self.assertIn('"count": 6', state)


if __name__ == "__main__":
    unittest.main()
