"""Commands that another program talks to, with a standard input that cannot be read."""

import os
import subprocess
import tempfile
import unittest

from daemon import BUILD


class StandardInput(unittest.TestCase):
    def run_with(self, command, **options):
        with tempfile.TemporaryDirectory() as data:
            return subprocess.run(
                [BUILD / "debugd", command, "--data", data], capture_output=True, text=True,
                timeout=60, **options)

    def test_a_folder_in_place_of_a_pipe_is_named_as_the_problem(self):
        for command in ("mcp", "dap"):
            with self.subTest(command):
                folder = os.open("/tmp", os.O_RDONLY)
                self.addCleanup(os.close, folder)
                done = self.run_with(command, stdin=folder)
                self.assertEqual(done.returncode, 1, done)
                self.assertTrue(
                    done.stderr.startswith("debugd: Standard input cannot be read: "), done.stderr)

    def test_a_closed_standard_input_does_not_crash(self):
        for command in ("mcp", "dap"):
            with self.subTest(command):
                done = self.run_with(command, preexec_fn=lambda: os.close(0))
                self.assertIn(done.returncode, (0, 1), done)

    def test_a_line_that_is_too_long_ends_the_server_with_a_reason(self):
        done = self.run_with("mcp", input="x" * ((4 << 20) + 1))
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertEqual(
            done.stderr,
            "debugd: A line of standard input has more than 4 MiB, so the session has ended.\n")

    def test_a_stream_that_ends_within_a_message_is_an_error(self):
        message = '{"seq": 1, "type": "request", "command": "initialize"}'
        frame = f"Content-Length: {len(message)}\r\n\r\n{message}"
        self.assertEqual(self.run_with("dap", input=frame).returncode, 0)
        for cut in (5, len(frame) - len(message), len(frame) - 1):
            with self.subTest(cut):
                done = self.run_with("dap", input=frame + frame[:cut])
                self.assertIn("supportsStepBack", done.stdout)
                self.assertEqual(done.returncode, 1, done)
                self.assertEqual(
                    done.stderr,
                    "debugd: Standard input ended within a message of the Debug Adapter Protocol, so the "
                    "session has ended.\n")


if __name__ == "__main__":
    unittest.main()
