"""Which of many recordings `debugd open` shows, and what `debugd list` folds."""

import pathlib
import re
import tempfile
import unittest

from daemon import Daemon
from test_wrong_words import recording


class ManyRecordings(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.place = pathlib.Path(place.name)
        self.daemon = Daemon().start()
        self.addCleanup(self.daemon.__exit__)

    def recorded(self, number, name, app="shop", minute=None):
        """Imports a recording; a greater number is a later one."""
        text = recording(number, name, f"2026-03-01T09:{number if minute is None else minute:02}:00Z")
        path = self.place / f"{number}.timeline"
        path.write_text(text.replace('"name": "shop"', f'"name": "{app}"'))
        self.daemon.run("import", path)
        return f"{number:08x}-0b7e-4d38-9c41-2e5a7b90d1f3"

    def opened(self, *words):
        """The timeline that the page opens at; None if the page chooses."""
        page = pathlib.Path(self.daemon.run("open", *words, "--print").stdout.strip())
        found = re.search(r"#code=[^\"&]+(?:&amp;timeline=([^\"&]+))?\"", page.read_text())
        return found[1]

    def test_the_page_opens_at_the_named_timeline_or_the_newest_of_the_users_app(self):
        self.assertIsNone(self.opened())
        gallery = self.recorded(9, "coin", app="Gallery")
        self.assertEqual(self.opened(), gallery)
        older, newer = self.recorded(1, "cart"), self.recorded(2, "till")
        self.assertEqual(self.opened(), newer)
        self.assertEqual(self.opened("cart"), older)
        self.assertEqual(self.opened("Gallery/coin"), gallery)
        self.assertEqual(self.opened("last"), newer)
        refused = self.daemon.run("open", "none", "--print", check=False)
        self.assertEqual(refused.returncode, 1)
        self.assertIn("No timeline is called 'none'.", refused.stderr)

    def test_finished_machines_of_one_name_are_one_row(self):
        ids = [self.recorded(number, f"job {number}") for number in range(1, 5)]
        self.recorded(5, "cart")
        done = self.daemon.run("list")
        rows = [line.split() for line in done.stdout.splitlines()]
        self.assertEqual([row[2] for row in rows], ["cart", "job"])
        self.assertEqual((rows[1][0], rows[1][3]), (ids[-1][:8], "×4"))
        self.assertEqual(done.stderr, "For a row of each machine, add --all.\n")
        every = self.daemon.run("list", "--all")
        self.assertEqual((len(every.stdout.splitlines()), every.stderr), (5, ""))
        self.assertEqual(len(self.daemon.run("list", "--json").stdout.splitlines()), 5)


if __name__ == "__main__":
    unittest.main()
