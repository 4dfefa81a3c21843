"""Causes on the command line: what skipped events leave behind, with a real daemon and a real host."""

import json
import pathlib
import tempfile
import unittest

from daemon import BUILD, Daemon
from test_branches import recording

HOST = f"{BUILD / 'RecorderProbe'} host"


class CausesInCommands(unittest.TestCase):
    def setUp(self):
        self.place = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.daemon = self.enterContext(Daemon(options=["--host", HOST]))

    def recorded(self, causes, count=30):
        """A recording whose entries name their causes."""
        path = self.place / "caused.timeline"
        name = recording(path, count)
        lines = [json.loads(line) for line in path.read_text().splitlines()]
        for seq, cause in causes.items():
            lines[seq + 1]["cause"] = cause
        path.write_text("".join(json.dumps(line) + "\n" for line in lines))
        self.daemon.run("import", path)
        return name

    def drops(self, timeline):
        header = self.daemon.json("show", timeline)["header"]
        return [edit["drop"] for edit in header["parent"]["edits"]]

    def test_a_fork_names_the_effect_that_stays_and_can_drop_it(self):
        parent = self.recorded({9: 7, 12: 9, 20: 3})
        made = self.daemon.run("fork", parent, "--drop", "7", "--name", "one")
        self.assertIn(
            "Entry 9, which 7 caused, and 1 more stay. To drop them, too, add --with-effects.",
            made.stderr)
        self.assertEqual(self.drops("one"), [7])
        made = self.daemon.run("fork", parent, "--drop", "7", "--with-effects", "--name", "all")
        self.assertNotIn("stay", made.stderr)
        self.assertEqual(self.drops("all"), [7, 9, 12])
        made = self.daemon.run("fork", parent, "--drop", "3")
        self.assertIn(
            "Entry 20, which 3 caused, stays. To drop it, too, add --with-effects.", made.stderr)
        # Where everything is dropped, or comes after the end, nothing stays.
        for words in (["--drop", "7-12"], ["--drop", "7", "--through", "8"], ["--drop", "5"],
                      ["--drop", "7", "--cut", "8"]):
            self.assertNotIn("stay", self.daemon.run("fork", parent, *words).stderr)

    def test_effects_are_dropped_only_with_what_caused_them(self):
        parent = self.recorded({})
        refused = self.daemon.run("fork", parent, "--cut", "7", "--with-effects", check=False)
        self.assertEqual(refused.returncode, 2, refused.stderr)
        self.assertIn(
            "--with-effects needs --drop SEQ, the entries whose effects to drop.", refused.stderr)

    def test_entries_name_their_causes_and_say_that_there_are_earlier_ones(self):
        parent = self.recorded({9: 7, 12: "0b9f3c52-6d1e-4c7a-9a57-1f2e3d4c5b6a:3"})
        shown = self.daemon.run("entries", parent, "--from", "0", "--count", "31")
        rows = shown.stdout.splitlines()
        self.assertIn("caused by 7", rows[9])
        self.assertIn("caused by 0b9f3c52:3", rows[12])
        self.assertNotIn("caused", rows[8])
        self.assertEqual(shown.stderr, "")
        shown = self.daemon.run("entries", parent)
        self.assertEqual(len(shown.stdout.splitlines()), 20)
        self.assertIn(
            "There are earlier ones. To see them, use --count N, or --from 0 for the first.",
            shown.stderr)
        self.assertEqual(self.daemon.run("entries", parent, "--count", "3").stderr, "")

    def test_a_branch_made_again_is_compared_with_the_branch(self):
        parent = self.recorded({})
        self.daemon.run("fork", parent, "--drop", "7", "--name", "one less")
        again = self.daemon.run("fork", "one less", "--again")
        self.assertIn("Ends in the same state.", again.stdout)


if __name__ == "__main__":
    unittest.main()
