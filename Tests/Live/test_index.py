"""An index that was lost while the daemon was stopped is rebuilt, and the daemon logs that."""

import contextlib
import sqlite3
import unittest

from daemon import Daemon
from peers import Inspector, packed, recorded
from test_hosts import until

ROWS = {
    "posting": "SELECT timeline, key, chunk, seqs FROM posting ORDER BY 1, 2, 3",
    "name": """
        SELECT e.timeline, e.name, n.chunk, n.count, n.entries
        FROM name n JOIN event e ON e.id = n.event ORDER BY 1, 2, 3
        """,
    "level": """
        SELECT timeline, level, ordinal, first, last, t0, t1, summary
        FROM level ORDER BY 1, 2, 3
        """,
}
LOST = [
    "DELETE FROM posting", "DELETE FROM name", "DELETE FROM level", "DELETE FROM event",
    "UPDATE chunk SET indexed = 0",
]
OF_ANOTHER_VERSION = ["UPDATE meta SET value = value - 1 WHERE key = 'index'"]


class LostIndex(unittest.TestCase):
    def setUp(self):
        self.daemon = self.enterContext(Daemon())

    @contextlib.contextmanager
    def database(self):
        with contextlib.closing(sqlite3.connect(self.daemon.data / "timelines.sqlite")) as database:
            yield database
            database.commit()

    def index(self):
        with self.database() as database:
            return {table: database.execute(rows).fetchall() for table, rows in ROWS.items()}

    def found(self, world):
        """The results of searches that use the index."""
        with Inspector(self.daemon.socket) as inspector:
            answers = []
            for path in ("/state/count", "/outputs/side", "/state/items/0"):
                answer = inspector.ask(
                    "changes", timeline=world.id, path=path, limit=10_000,
                    **{"from": 0, "to": world.seq})
                answers.append(answer["changes"])
            return answers

    def test_is_rebuilt_and_finds_the_same(self):
        worlds = [recorded(self.daemon, count=1_200, seed=seed) for seed in (5, 6)]
        for world in worlds:
            packed(self.daemon, world)
        found = [self.found(world) for world in worlds]
        self.assertEqual(self.daemon.stop(), 0)
        whole = self.index()
        self.assertTrue(all(whole.values()))
        with self.database() as database:
            chunks, = database.execute("SELECT count(*) FROM chunk").fetchone()
        self.assertGreater(chunks, 4)
        for what, statements in [("lost", LOST), ("of another version", OF_ANOTHER_VERSION)]:
            with self.subTest(what=what):
                with self.database() as database:
                    for statement in statements:
                        database.execute(statement)
                if what == "lost":
                    self.assertFalse(any(self.index().values()))
                self.daemon.start()
                # It is rebuilt without a request.
                self.assertEqual([self.found(world) for world in worlds], found)
                logged = until("the index is made", lambda: [
                    line for line in self.daemon.lines() if line.get("event") == "index.made"])
                self.assertEqual(
                    [line["message"] for line in logged],
                    [f"The index of {chunks} chunks was rebuilt."])
                self.assertEqual([self.found(world) for world in worlds], found)
                self.assertEqual(self.daemon.stop(), 0)
                self.assertEqual(self.index(), whole)
                self.assertEqual(self.daemon.run("check").returncode, 0)
        # An undamaged index is left alone, and nothing is logged.
        self.daemon.start()
        self.assertEqual([self.found(world) for world in worlds], found)
        self.assertEqual(self.daemon.stop(), 0)
        events = [line.get("event") for line in self.daemon.lines()]
        self.assertNotIn("index.made", events)
        self.assertNotIn("index.failed", events)


if __name__ == "__main__":
    unittest.main()
