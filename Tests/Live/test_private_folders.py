"""The private copies of recordings that commands make: gone when a signal ends the command."""

import os
import pathlib
import signal
import subprocess
import tempfile
import time
import unittest

from bisecting import host
from daemon import BUILD
from editors import Editor


class PrivateFolders(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.place = pathlib.Path(folder.name)
        self.environment = {
            name: value for name, value in os.environ.items()
            if not name.startswith("DEBUGD")}
        # Usually memory, for which a recording may be too large.
        memory = self.place / "memory"
        memory.mkdir()
        self.environment.update(TMPDIR=folder.name, XDG_RUNTIME_DIR=str(memory))

    def copies(self):
        return list(self.place.glob("debugd-*"))

    def wait_for_a_copy(self, process):
        deadline = time.monotonic() + 60
        while not self.copies():
            self.assertIsNone(process.poll(), "it ended")
            self.assertLess(time.monotonic(), deadline, "no folder")
            time.sleep(0.01)

    def test_an_editors_session_that_is_ended_by_a_signal_leaves_no_copy(self):
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            with self.subTest(number), Editor(environment=self.environment) as editor:
                editor.body("initialize", adapterID="stateline")
                self.assertEqual([copy.stat().st_mode & 0o777 for copy in self.copies()], [0o700])
                editor.process.send_signal(number)
                self.assertEqual(editor.process.wait(60), -number)
                self.assertEqual(self.copies(), [])

    def test_a_command_that_shows_a_file_leaves_no_copy(self):
        recording = self.place / "bug.timeline"
        with open(recording, "w") as file:
            host.record(file, host.SESSION)
        command = subprocess.Popen(
            [BUILD / "debugd", "view", recording, "--print"], env=self.environment, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        with command:
            self.addCleanup(command.kill)
            self.wait_for_a_copy(command)
            # Now it only waits for a signal.
            self.assertIn("Open this file in a browser", command.stdout.readline())
            command.send_signal(signal.SIGTERM)
            command.wait(60)
        self.assertEqual(list(self.place.glob("**/debugd-*")), [])


if __name__ == "__main__":
    unittest.main()
