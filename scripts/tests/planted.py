"""Runs a script of this repository on a small tree in a temporary folder."""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest

SCRIPTS = os.path.realpath(os.path.join(os.path.dirname(__file__), ".."))


class Planted(unittest.TestCase):
    """A test with its own tree. `tables` are copied into it from this repository."""

    tables = ()

    def setUp(self):
        self.root = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.root)
        for table in self.tables:
            with open(os.path.join(SCRIPTS, "..", table), encoding="utf-8") as file:
                # Rows about files of this repository do not apply to another tree.
                rows = [row for row in file if not row.startswith("file ")]
            self.plant(table, "".join(rows))

    def plant(self, path, text):
        place = os.path.join(self.root, path)
        os.makedirs(os.path.dirname(place), exist_ok=True)
        with open(place, "w", encoding="utf-8") as file:
            file.write(text)

    def check(self, script):
        """The output of a check for the tree, without the counts, and its exit status."""
        ran = subprocess.run(
            [sys.executable, os.path.join(SCRIPTS, script), "--root", self.root],
            capture_output=True, text=True,
        )
        self.assertEqual(ran.stderr, "")
        lines = ran.stdout.splitlines()
        self.assertRegex(lines[-1], r"^\d+ passed, \d+ failed$")
        return lines[:-1], ran.returncode

    def assertClean(self, script):
        self.assertEqual(self.check(script), ([], 0))

    def assertRefused(self, script, *places):
        """Checks that exactly these locations ("path:line") are refused, and that the check fails."""
        lines, status = self.check(script)
        self.assertEqual(sorted(":".join(line.split(":")[:2]) for line in lines), sorted(places))
        self.assertEqual(status, 1)
