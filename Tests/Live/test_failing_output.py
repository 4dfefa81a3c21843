"""Programs whose output fails: a full disk, a closed terminal, a reader that ended."""

import fcntl
import os
import pathlib
import pty
import shutil
import subprocess
import tempfile
import unittest

from daemon import BUILD


class FailingOutput(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="out"))
        self.addCleanup(shutil.rmtree, self.folder)
        self.environment = {
            key: value for key, value in os.environ.items()
            if not key.startswith("DEBUGD") and key not in ("XDG_RUNTIME_DIR", "STATE_DIRECTORY")
        } | {"HOME": str(self.folder)}

    def run_debugd(self, *words, stdout=subprocess.PIPE):
        return subprocess.run(
            [BUILD / "debugd", *words, "--data", self.folder / "data"], text=True, timeout=120,
            stdin=subprocess.DEVNULL, stdout=stdout, stderr=subprocess.PIPE, env=self.environment)

    def serve(self, stderr):
        """A daemon that logs each command, to a standard error of the test's choice."""
        process = subprocess.Popen(
            [BUILD / "debugd", "serve", "--listen", "127.0.0.1:0", "--log-level", "debug",
             "--data", self.folder / "data"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=stderr,
            env=self.environment)
        self.addCleanup(process.wait, 60)
        self.addCleanup(process.terminate)
        return process

    def answers(self, daemon, commands=15):
        """Expects that a daemon answers commands, each of which it logs."""
        while self.run_debugd("status").returncode:
            self.assertIsNone(daemon.poll())
        for _ in range(commands):
            ran = self.run_debugd("status")
            self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertIsNone(daemon.poll())

    def test_a_daemon_lives_on_when_its_log_has_no_room(self):
        with open("/dev/full", "w") as full:
            self.answers(self.serve(full))

    def test_a_daemon_lives_on_when_the_reader_of_its_log_ends(self):
        reader, writer = os.pipe()
        daemon = self.serve(writer)
        os.close(writer)
        os.close(reader)
        self.answers(daemon)

    def test_a_daemon_serves_while_nothing_reads_its_log(self):
        reader, writer = os.pipe()
        self.addCleanup(os.close, reader)
        # The smallest pipe; each command logs about 250 bytes.
        fcntl.fcntl(writer, fcntl.F_SETPIPE_SZ, 4_096)
        daemon = self.serve(writer)
        os.close(writer)
        self.answers(daemon, commands=40)
        daemon.terminate()
        self.assertEqual(daemon.wait(60), 0)

    def test_a_daemon_lives_on_when_its_terminal_is_closed(self):
        primary, secondary = pty.openpty()
        daemon = self.serve(secondary)
        os.close(secondary)
        os.close(primary)
        self.answers(daemon)

    def test_a_command_whose_output_does_not_fit_says_so(self):
        with open("/dev/full", "w") as full:
            ran = self.run_debugd("import", "--help", stdout=full)
        self.assertEqual(ran.returncode, 1)
        self.assertIn(
            "The output cannot be written: No space left on device. To fix, free some space on the disk.",
            ran.stderr)


if __name__ == "__main__":
    unittest.main()
