"""Commands that read a recording in which more entries were lost than can be passed one by one."""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest

from daemon import BUILD, Daemon
from editors import Editor

LOST = 2**50
HEADER = {
    "format": 1, "timeline": "0b9f3c52-6d1e-4c7a-9a57-1f2e3d4c5b6a", "app": {"name": "A"},
    "machine": {"type": "A.Door", "name": "door"}, "started": "2026-05-01T08:00:00Z"}
AFTER = LOST + 1
LINES = [
    HEADER,
    {"seq": 0, "t": 0, "state": {"mode": "open", "n": 0}},
    {"seq": AFTER, "t": 1, "gap": {"lost": LOST, "why": "a flood"}, "event": {"close": {}},
     "state": {"mode": "closed", "n": 1}},
    {"seq": AFTER + 1, "t": 2, "event": {"ring": {}}, "patch": []},
    {"seq": AFTER + 2, "t": 3, "event": {"open": {}},
     "patch": [{"op": "replace", "path": "/mode", "value": "open"}]},
]

# What each prints, at least.
COMMANDS = {
    ("show",): "door",
    ("entries", "--count", 9): "ring",
    ("find", "state.mode == \"closed\""): str(AFTER),
    ("find", "event == \"ring\"", "--backward"): str(AFTER + 1),
    ("changes", "/state/mode"): str(AFTER + 2),
    ("state", AFTER + 1): "closed",
    ("diff", AFTER + 1, AFTER + 2): "open",
    ("overview",): "2",
    ("column", "/state/mode"): f"{AFTER + 2}\t\"open\"",
    ("column", "/state/mode", "--from", 5): f"{AFTER + 2}\t\"open\"",
    ("explain", AFTER + 2, "--recorded"): "open",
}

# These need a daemon.
OF_DAEMON = {
    ("coverage", "--path", "/mode"): "ring",
    ("invariants",): "1 recording",
    ("branches",): "door",
}


class LongLosses(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.file = self.folder / "door.timeline"
        self.file.write_text("".join(json.dumps(line) + "\n" for line in LINES))

    def debugd(self, command, *words):
        environment = {key: value for key, value in os.environ.items() if not key.startswith("DEBUGD")}
        environment["HOME"] = environment["XDG_RUNTIME_DIR"] = str(self.folder)
        return subprocess.run(
            [BUILD / "debugd", command, self.file, *map(str, words)], text=True,
            capture_output=True, timeout=120, env=environment)

    def test_every_command_that_reads_passes_the_loss_at_once(self):
        for (command, *words), shown in COMMANDS.items():
            with self.subTest(command, words=words):
                done = self.debugd(command, *words)
                self.assertIn(shown, done.stdout, done.stderr)
                self.assertLess(len(done.stdout), 100_000)

    def test_commands_that_need_a_daemon_pass_it_too(self):
        with Daemon() as daemon:
            daemon.run("import", self.file)
            for (command, *words), shown in OF_DAEMON.items():
                with self.subTest(command):
                    done = daemon.run(command, "door", *words, check=False, timeout=120)
                    self.assertIn(shown, done.stdout + done.stderr)

    def test_an_editor_steps_over_the_loss(self):
        with Editor() as editor:
            editor.launch(self.file, seq=0)
            for command, seq in [("next", AFTER), ("next", AFTER + 1), ("stepBack", AFTER),
                                 ("stepBack", 0), ("continue", AFTER + 2), ("stepBack", AFTER + 1)]:
                editor.stop(command, threadId=1)
                frame = editor.body("stackTrace", threadId=1)["stackFrames"][0]
                self.assertTrue(frame["name"].startswith(f"{seq}  "), (command, frame))

    def test_values_of_lost_entries_are_not_known(self):
        done = self.debugd("column", "/state/mode")
        self.assertIn(f"1 to {LOST} is not known", done.stderr)
        counted = self.debugd("column", "/state/mode", "--count", 1_500)
        self.assertIn("is not known", counted.stderr)
        self.assertNotIn(str(AFTER), counted.stdout)


if __name__ == "__main__":
    unittest.main()
