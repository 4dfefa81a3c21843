"""How debugd shows a timeline whose last entry cannot be read."""

import contextlib
import sqlite3
import unittest

from daemon import Daemon
from peers import recorded


class Unreadable(unittest.TestCase):
    def test_a_timeline_is_shown_although_its_last_entry_cannot_be_read(self):
        with Daemon() as daemon:
            world = recorded(daemon, count=3000)
            daemon.stop()
            file = daemon.data / "timelines.sqlite"
            with contextlib.closing(sqlite3.connect(file)) as database:
                database.execute(
                    "UPDATE chunk SET lines = "
                    "CAST(substr(lines, 1, 16) || randomblob(length(lines) - 16) AS BLOB)")
                # Entries that are not sealed yet.
                database.execute("UPDATE tail SET lines = randomblob(length(lines))")
                database.commit()
            self.assertRegex(
                daemon.run("show", "coin").stdout,
                r"(?m)^crashed +unknown, because the last entry cannot be read$")
            shown = daemon.json("show", "coin")
            self.assertEqual(shown["header"], world.header)
            self.assertIsNone(shown["crashed"])
