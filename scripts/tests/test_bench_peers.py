"""Peers record the same entries, and the figures are those of the runs."""

import importlib
import pathlib
import sqlite3
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests" / "Peers"))

LINES = [f'{{"seq":{seq},"t":{seq * 7}}}' for seq in range(1_450)]


class Contenders(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.folder = pathlib.Path(place.name)
        self.contenders = importlib.import_module("contenders")

    def test_batches_hold_every_line_once(self):
        found = [line for _, batch in self.contenders.batches(LINES) for line in batch]
        self.assertEqual(found, LINES)
        self.assertEqual([start for start, _ in self.contenders.batches(LINES)], [0, 600, 1_200])

    def test_sqlite_stores_every_line(self):
        self.contenders.sqlite(LINES, self.folder)
        with sqlite3.connect(self.folder / "entries.sqlite") as database:
            rows = database.execute("SELECT seq, line FROM entries ORDER BY seq").fetchall()
        self.assertEqual(rows, list(enumerate(LINES)))

    def test_print_writes_every_line(self):
        self.contenders.printed(LINES, self.folder)
        self.assertEqual((self.folder / "entries.txt").read_text().splitlines(), LINES)


class Figures(unittest.TestCase):
    def setUp(self):
        self.peers = importlib.import_module("compare_peers")

    def results(self):
        names = self.peers.contenders.CONTENDERS
        return {name: [{"entries_per_s": speed * place, "bytes": 10 * place, "mb": 1}
                       for speed in (100, 900, 200)]
                for place, name in enumerate(names, 1)}

    def test_a_figure_is_the_median_of_the_runs(self):
        self.assertEqual(self.peers.figures(self.results())["peers.stateline_entries_per_s"], 200)

    def test_ratios_compare_stateline_with_each_peer(self):
        figures = self.peers.figures(self.results())
        self.assertEqual(figures["peers.speed_vs_rerun"], 200 / 400)
        self.assertEqual(figures["peers.size_vs_print"], 10 / 50)

    def test_every_figure_is_described(self):
        self.assertEqual(set(self.peers.figures(self.results())), set(self.peers.METRICS))


if __name__ == "__main__":
    unittest.main()
