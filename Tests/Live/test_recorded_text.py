"""Recorded text stays text in every output format."""

import contextlib
import csv
import io
import json
import os
import pty
import re
import subprocess
import tempfile
import unicodedata
import unittest

from daemon import BUILD, Daemon

HOSTILE = (
    "\x1b[2J\x07\r\x7f\x85\u009b31m\u200b\u200e\u202e\u2028\u2066\ufeff\U000e0001\xad\u0600\U000110bd a;=1+1;\"@x\n=2 <b>'"
)
IDS = [f"{digit * 8}-0000-4000-8000-000000000000" for digit in "abc"]


def timeline(identifier, parent=None, text=HOSTILE):
    header = {
        "timeline": identifier,
        "app": {"name": text, "version": text, "host": text, "run": text},
        "machine": {"type": text, "name": text, "kind": text},
        "started": "2026-05-01T08:00:00Z",
        "outputs": {text: "ui"},
        "lanes": {text: text},
        "format": 1,
    }
    if parent:
        header["parent"] = {
            "timeline": parent, "through": 1, "start": 0, "edits": [{"drop": 1}], "name": text,
        }
    key = "/" + text.replace("/", "~1")
    entries = [
        {
            "seq": 0, "t": 0, "state": {text: text, "n": -1},
            "outputState": {text: text},
        },
        {
            "seq": 1, "t": 1, "event": {text: {text: text}}, "error": text,
            "patch": [{"op": "replace", "path": key, "value": [text]}],
            "outputs": [{"op": "replace", "path": key, "value": 1}],
        },
    ]
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in [header, *entries])


def controls_terminal(character):
    """Whether a terminal would interpret it; line ends are the command's own."""
    return character != "\n" and (
        unicodedata.category(character) in ("Cc", "Cf", "Zl", "Zp") and character != "\t")


class RecordedText(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.daemon = cls.enterClassContext(Daemon())
        cls.folder = cls.enterClassContext(tempfile.TemporaryDirectory())

    def imported(self, identifier, parent=None, check=True):
        path = f"{self.folder}/{identifier}.timeline"
        with open(path, "w") as file:
            file.write(timeline(identifier, parent))
        return self.daemon.run("import", path, check=check)

    def test_no_command_prints_terminal_control_sequences(self):
        self.imported(IDS[0])
        self.daemon.run("rename", IDS[0], HOSTILE.replace("\n", ""), check=False)
        self.daemon.run("mark", IDS[0], 1, HOSTILE, check=False)
        for words in (
            ["list"], ["show", IDS[0]], ["entries", IDS[0]], ["state", IDS[0], 1],
            ["diff", IDS[0], 0, 1], ["changes", IDS[0], "/state"], ["find", IDS[0], "error != null"],
            ["column", IDS[0], "/n"], ["overview", IDS[0]], ["branches", IDS[0]], ["status"], ["hosts"],
            ["compare", IDS[0], IDS[0]], ["verify", IDS[0]],
            ["column", IDS[0], "/" + HOSTILE.replace("\n", "")], ["check"], ["list", "--app", HOSTILE],
            ["show", HOSTILE + "x"], ["entries", IDS[0], "--filter", HOSTILE],
        ):
            for form in ([], ["--json"]):
                with self.subTest(words=words, form=form):
                    ran = self.daemon.run(*words, *form, check=False)
                    said = ran.stdout + ran.stderr
                    self.assertEqual([c for c in said if controls_terminal(c)], [])
                    for line in ran.stdout.splitlines() if form and ran.returncode == 0 else ():
                        json.loads(line)
        shown = self.daemon.json("show", IDS[0])["header"]["machine"]["name"]
        self.assertEqual(shown, HOSTILE, "the escapes mean what was recorded")
        self.assertFalse([c for c in self.daemon.text() if controls_terminal(c)], "the log")

    def on_terminal(self, *words):
        """What a command writes to a terminal."""
        ours, theirs = pty.openpty()
        with subprocess.Popen(
                [BUILD / "debugd", *words, "--data", self.daemon.data], stdout=theirs,
                stderr=subprocess.PIPE, env=self.daemon.environment) as ran:
            os.close(theirs)
            said = b""
            # Reading a terminal that no process has open fails.
            with open(ours, "rb", buffering=0) as terminal, contextlib.suppress(OSError):
                while part := terminal.read(65_536):
                    said += part
            problem = ran.stderr.read().decode()
        self.assertEqual(ran.returncode, 0, problem)
        # A terminal adds a return to each line; a row of a table has one already.
        return re.sub("\r+\n", "\n", said.decode())

    def test_no_export_steers_a_terminal(self):
        exported = "d" * 8 + "-0000-4000-8000-000000000000"
        self.imported(exported)
        for form, *more in (
            ["timeline"], ["json-lines"], ["csv", "--path", "/n"], ["redux"], ["json"],
        ):
            with self.subTest(form=form):
                said = self.on_terminal("export", exported, "--as", form, *more)
                self.assertGreater(len(said), 4)
                self.assertEqual([c for c in said if controls_terminal(c)], [])

    def test_a_circle_of_parents_is_refused(self):
        own = self.imported(IDS[1], IDS[1], check=False)
        self.assertNotEqual(own.returncode, 0)
        self.assertIn("the header names its own timeline as the parent", own.stderr)
        self.imported(IDS[1], IDS[2])
        closing = self.imported(IDS[2], IDS[1], check=False)
        self.assertNotEqual(closing.returncode, 0)
        self.assertIn(
            f"The timeline {IDS[2]} is refused: its header names a parent that is one of its own branches.",
            closing.stderr)
        lines = self.daemon.run("list", "--json").stdout.splitlines()
        ids = [json.loads(line)["header"]["timeline"] for line in lines]
        self.assertIn(IDS[1], ids)
        self.assertNotIn(IDS[2], ids)
        self.daemon.run("delete", IDS[1], "--yes")

    def test_no_cell_of_a_table_is_a_formula(self):
        text = "4" * 8 + "-0000-4000-8000-000000000000"
        self.imported(text)
        table = self.daemon.run("export", text, "--as", "csv", "--path", "/n", "--out", "-").stdout
        rows = list(csv.reader(io.StringIO(table, newline="")))
        self.assertEqual([row[5] for row in rows], ["/state/n", "-1", "-1"])
        self.assertEqual(json.loads(rows[2][3]), {HOSTILE: {HOSTILE: HOSTILE}})
        for separator in ",;\t":
            for row in csv.reader(io.StringIO(table, newline=""), delimiter=separator):
                for cell in row:
                    begins = cell.lstrip(" \"\t\r\n\0\x0b\ufeff\u00a0")[:1]
                    if begins and begins in "=+-@＝＋－＠":
                        self.assertRegex(cell, r"^-?\d+$")


if __name__ == "__main__":
    unittest.main()
