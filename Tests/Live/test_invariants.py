"""debugd invariants, compared with a look at every recorded state."""

import json
import pathlib
import re
import sys
import tempfile
import unittest
import uuid

from daemon import ROOT, Daemon

sys.dont_write_bytecode = True
HOST = ROOT / "Examples" / "host.py"
sys.path.insert(0, str(HOST.parent))
from test_foreign_host import written  # noqa: E402

PAID = {"insert": {"cents": 100}}
EVENTS = [PAID, "tea", "refund", PAID, "refund", PAID, "refund"]


class Invariants(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.daemon = Daemon(options=["--host", str(HOST)])
        self.addCleanup(self.daemon.__exit__, None, None, None)
        self.daemon.start()

    def recorded(self, name, events, change=lambda lines: None):
        lines = [json.loads(line) for line in written(events).splitlines()]
        lines[0]["timeline"] = str(uuid.uuid4())
        lines[0]["machine"]["name"] = name
        change(lines)
        file = self.folder / f"{name}.timeline"
        file.write_text("".join(json.dumps(line) + "\n" for line in lines))
        self.daemon.run("import", file)

    def run_invariants(self, *words, status=0):
        ran = self.daemon.run("invariants", *words, check=False)
        self.assertEqual(ran.returncode, status, ran.stderr)
        return ran

    def mined(self, *words):
        lines = self.run_invariants(*words, "--json").stdout.splitlines()
        return {one["predicate"]: one for one in map(json.loads, lines)}

    def states(self, name):
        last = self.daemon.json("show", name)["last"]
        return [self.daemon.json("state", name, seq) for seq in range(last + 1)]

    def test_each_held_in_every_state_and_the_limits_are_those_of_the_values(self):
        self.recorded("vending", EVENTS)
        states = self.states("vending")
        found = self.mined("vending")
        ranges = {}
        for predicate in found:
            if match := re.fullmatch(r"(\S+) >= (\S+) && \1 <= (\S+)", predicate):
                ranges[match[1]] = (float(match[2]), float(match[3]))
        expected = {}
        for root in ("state", "outputs"):
            for key in states[0].get(root, {}):
                values = [state[root][key] for state in states]
                if all(type(value) in (int, float) for value in values) and len(set(values)) > 1:
                    expected[f"{root}.{key}"] = (min(values), max(values))
        self.assertEqual(ranges, expected)
        self.assertTrue(ranges)
        self.assertEqual({one["entries"] for one in found.values()}, {len(states)})

    def test_another_recording_of_the_type_can_break_what_held_in_one(self):
        def poorer(lines):
            lines[1]["state"]["tea"] = -5

        self.recorded("vending", EVENTS)
        self.assertIn("state.tea >= 0", self.mined("vending"))
        self.recorded("poorer", ["refund"], poorer)
        self.assertIn("state.tea >= 0", self.mined("vending"))
        self.assertNotIn("state.tea >= 0", self.mined("vending", "--all"))
        self.assertNotIn("state.tea >= 0", self.mined("vending", "poorer"))
        text = self.run_invariants("vending", "poorer").stderr
        self.assertIn("Tried at 10 entries of 2 recordings.", text)

    def test_what_is_broken_only_between_the_proposing_entries_is_not_listed(self):
        def long(lines):
            values = [seq % 5 for seq in range(21_001)]
            values[10_500] = -1
            lines[1:] = [{"seq": 0, "t": 0, "state": {"n": 0, "m": 0}}] + [
                {"seq": seq, "t": seq, "event": "set", "patch": [
                    {"op": "replace", "path": "/n", "value": values[seq]},
                    {"op": "replace", "path": "/m", "value": seq % 5}]} for seq in range(1, 21_001)]

        self.recorded("long", [], long)
        found = self.mined("long")
        self.assertIn("state.m >= 0", found)
        self.assertNotIn("state.n >= 0", found)
        self.assertNotIn("state.n == state.m", found)
        self.assertEqual(found["state.m >= 0"]["entries"], 21_001)

    def test_explore_breaks_what_held(self):
        self.recorded("vending", [PAID, "refund", PAID, "refund", PAID])
        self.assertIn("state.tea == 2", self.mined("vending"))
        found = json.loads(self.daemon.run(
            "explore", "vending", "--from", "0", "--invariants", "--ignore-errors", "--json").stdout)
        [finding] = [one for one in found["findings"] if one["cause"] == "predicate"]
        branch = self.daemon.json("show", finding["timeline"])
        # Constants of one recording are not meant: money that is negative, or more tea than money, is.
        self.assertGreater(branch["last"], 0)

    def test_wrong_words_are_refused(self):
        self.recorded("vending", EVENTS)
        for words, sentence in [
            (["invariants"], "invariants needs TIMELINE: recordings of one type"),
            (["invariants", "vending", "--count", "0"], "--count takes a whole number"),
            (["explore", "vending", "--invariants", "--until", "true"],
             "Use --invariants without --until and --always."),
        ]:
            with self.subTest(words):
                ran = self.daemon.run(*words, check=False)
                self.assertNotEqual(ran.returncode, 0)
                self.assertIn(sentence, ran.stderr)

    def test_recordings_of_different_types_are_refused(self):
        def renamed(lines):
            lines[0]["machine"]["type"] = "Other"

        self.recorded("vending", EVENTS)
        self.recorded("other", EVENTS, renamed)
        ran = self.run_invariants("vending", "other", status=1)
        self.assertIn("These are recordings of different types of machine. To fix, name one type.",
                      ran.stderr)


if __name__ == "__main__":
    unittest.main()
