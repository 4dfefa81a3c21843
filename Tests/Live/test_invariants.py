"""debugd invariants, compared with a look at every recorded state."""

import json
import pathlib
import queue
import re
import subprocess
import sys
import tempfile
import threading
import unittest
import uuid

from advice import advice
from daemon import BUILD, ROOT, Daemon
from peers import Inspector, Recorder, Refused

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

    def following(self, *words):
        """A command that continues to print, until the end of the test, and its two outputs, by line."""
        process = subprocess.Popen(
            [BUILD / "debugd", *words, "--data", str(self.daemon.data)],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=self.daemon.environment)
        outputs = []
        for stream in (process.stdout, process.stderr):
            lines = queue.SimpleQueue()
            reader = threading.Thread(
                target=lambda stream=stream, lines=lines: [lines.put(line) for line in stream])
            reader.start()
            outputs.append(lines)
            self.addCleanup(stream.close)
            self.addCleanup(reader.join)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process, *outputs

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

    def test_branches_count_only_where_they_are_named(self):
        def branch(lines):
            lines[0]["parent"] = {
                "timeline": str(uuid.uuid4()), "through": 1, "start": 1, "edits": [{"drop": 1}]}
            lines[1]["state"]["tea"] = -5

        self.recorded("vending", EVENTS)
        # Its parent is not here.
        self.recorded("branch", ["refund"], branch)
        self.assertIn("state.tea >= 0", self.mined("vending", "--all"))
        self.assertIn("Tried at 8 entries of 1 recording.",
                      self.run_invariants("vending", "--all").stderr)
        self.assertNotIn("state.tea >= 0", self.mined("vending", "branch"))

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

    def test_other_programs_get_the_list_of_the_command(self):
        self.recorded("vending", EVENTS)
        self.recorded("poorer", ["refund"], lambda lines: lines[1]["state"].update(tea=-5))
        self.recorded("other", EVENTS, lambda lines: lines[0]["machine"].update(type="Other"))
        with Inspector(self.daemon.socket) as inspector:
            headers = [one["header"] for one in inspector.ask("timelines")["timelines"]]
            ids = {header["machine"]["name"]: header["timeline"] for header in headers}
            found = inspector.ask("invariants", timelines=[ids["vending"]], others=True)
            self.assertEqual((found["entries"], found["recordings"]), (10, 2))
            self.assertEqual(
                [(one["kind"], one["predicate"]) for one in found["invariants"]],
                [(one["kind"], one["predicate"]) for one in
                 self.mined("vending", "--all").values()])
            meant = inspector.ask("invariants", timelines=[ids["vending"]], meant=True, limit=200)
            all_kinds = inspector.ask("invariants", timelines=[ids["vending"]], limit=200)
            chance = {"subset", "range", "constant", "present"}
            self.assertEqual(
                meant["invariants"],
                [one for one in all_kinds["invariants"] if one["kind"] not in chance])
            self.assertLess(len(meant["invariants"]), len(all_kinds["invariants"]))
            for wrong, code in [
                ({"timelines": []}, "wrong-value"),
                ({"timelines": [ids["vending"]], "limit": 0}, "wrong-value"),
                ({"timelines": [ids["vending"]], "limit": 201}, "wrong-value"),
                ({"timelines": [ids["vending"], ids["other"]]}, "wrong-value"),
                ({"timelines": [str(uuid.uuid4())]}, "not-found"),
            ]:
                with self.subTest(wrong), self.assertRaises(Refused) as refused:
                    inspector.ask("invariants", **wrong)
                self.assertEqual(refused.exception.code, code)

    def test_lost_entries_are_not_counted_as_tried(self):
        def losing(lines):
            last = lines[-1]
            lines.append({"seq": last["seq"] + 501, "t": last["t"], "event": "refund",
                          "gap": {"lost": 500, "why": "full"}, "state": lines[1]["state"]})

        self.recorded("vending", EVENTS, losing)
        self.assertIn(f"Tried at {len(EVENTS) + 2} entries of 1 recording.",
                      self.run_invariants("vending").stderr)

    def test_explore_breaks_what_held(self):
        self.recorded("vending", [PAID, "refund", PAID, "refund", PAID])
        self.assertIn("state.tea == 2", self.mined("vending"))
        found = json.loads(self.daemon.run(
            "explore", "vending", "--from", "0", "--invariants", "--ignore-errors", "--json").stdout)
        [finding] = [one for one in found["findings"] if one["cause"] == "predicate"]
        branch = self.daemon.json("show", finding["timeline"])
        # Constants of one recording are not meant: money that is negative, or more tea than money, is.
        self.assertGreater(branch["last"], 0)

    def test_what_is_confirmed_is_kept_listed_broken_by_explore_and_removed(self):
        self.recorded("vending", [PAID, "refund", PAID, "refund", PAID])
        listed = [line.split(None, 2) for line in self.run_invariants("vending").stdout.splitlines()]
        [number] = [number for number, _, predicate in listed if predicate == "state.tea == 2"]
        self.assertEqual(
            self.run_invariants("vending", "--confirm", number).stdout, "Confirmed: state.tea == 2\n")
        self.assertEqual(
            self.run_invariants("vending", "--confirm", "state.cents>=0").stdout,
            "Confirmed: state.cents >= 0\n")
        self.assertEqual(
            [line.split(None, 1) for line in
             self.run_invariants("vending", "--confirmed").stdout.splitlines()],
            [["1", "state.cents >= 0"], ["2", "state.tea == 2"]])
        found = json.loads(self.daemon.run(
            "explore", "vending", "--from", "0", "--invariants", "--ignore-errors", "--json").stdout)
        [finding] = [one for one in found["findings"] if one["cause"] == "predicate"]
        self.assertIn(finding["broken"], ["state.cents >= 0", "state.tea == 2"])
        branch = finding["timeline"]
        state = self.daemon.json("state", branch, self.daemon.json("show", branch)["last"])["state"]
        broken = state["cents"] < 0 if finding["broken"] == "state.cents >= 0" else state["tea"] != 2
        self.assertTrue(broken, state)
        self.assertEqual(
            self.run_invariants("vending", "--remove", "1").stdout, "Removed: state.cents >= 0\n")
        self.assertIn("state.tea == 2", self.run_invariants("vending", "--confirmed").stdout)
        ran = self.run_invariants("vending", "--remove", "7", status=2)
        self.assertIn("There is no confirmed invariant '7'.", ran.stderr)
        numbers = self.daemon.advised(advice(
            "To see their numbers, run: debugd invariants … --confirmed", ran.stderr))
        self.assertEqual(
            [line.split(None, 1) for line in numbers.stdout.splitlines()], [["1", "state.tea == 2"]])
        ran = self.run_invariants("vending", "--confirm", "1", "--confirm", "state.tea > 0", status=2)
        self.assertIn("To fix, confirm them in a command of their own.", ran.stderr)
        self.assertNotIn("state.tea > 0", self.run_invariants("vending", "--confirmed").stdout)

    def test_a_number_that_is_not_in_the_list_names_the_command_that_lists(self):
        self.recorded("vending", EVENTS)
        for words in ([], ["--all"]):
            ran = self.run_invariants("vending", *words, "--confirm", "900", status=2)
            self.assertIn("There is no invariant 900 in the list.", ran.stderr)
            listed = self.daemon.advised(advice(
                "To see the list, run: debugd invariants ……", ran.stderr))
            self.assertEqual(listed.stdout, self.run_invariants("vending", *words).stdout)

    def test_more_invariants_than_a_condition_can_hold_are_refused_with_their_list(self):
        self.recorded("vending", EVENTS)
        long = [f"state.tea <= {n} || state.name == '{'x' * 800}'" for n in range(6)]
        for predicate in long:
            self.run_invariants("vending", "--confirm", predicate.replace("'", '"'))
        ran = self.daemon.run("explore", "vending", "--from", "0", "--invariants", check=False)
        self.assertEqual(ran.returncode, 1)
        self.assertRegex(ran.stderr, "Together, the 6 invariants have [0-9]+ bytes, and a condition "
                                     "at most 4096. ")
        listed = self.daemon.advised(advice(
            "To remove some, see their numbers: debugd invariants … --confirmed", ran.stderr))
        self.assertEqual(len(listed.stdout.splitlines()), 6)
        self.run_invariants("vending", "--remove", "1", "--remove", "2", "--remove", "3")
        found = json.loads(self.daemon.run(
            "explore", "vending", "--from", "0", "--invariants", "--ignore-errors", "--depth", "2",
            "--json", check=False).stdout)
        self.assertIn("findings", found)

    def test_sums_and_lists_are_found(self):
        def listed(lines):
            total = 0
            parts = []
            for line in lines[1:]:
                parts = parts + [len(parts) + 1] if len(parts) < 4 else parts[:1]
                for key in ("patch", "outputs", "outputState"):
                    line.pop(key, None)
                state = {"total": sum(parts), "parts": [{"id": f"p{n}", "n": n} for n in parts],
                                 "chosen": f"p{parts[-1]}", "cents": total, "tea": 2}
                if line["seq"] == 0:
                    line["state"] = state
                else:
                    line.pop("state", None)
                    line["patch"] = [{"op": "add", "path": f"/{key}", "value": value}
                                     for key, value in state.items()]

        self.recorded("sums", EVENTS, listed)
        found = self.mined("sums", "--count", "100")
        self.assertIn("state.total == sum(state.parts[*].n)", found)
        self.assertIn("state.parts[*].id contains state.chosen", found)

    def test_a_live_machine_that_breaks_one_is_marked_and_reported(self):
        self.recorded("vending", EVENTS)
        self.run_invariants(
            "vending", "--confirm", "state.cents < 150", "--confirm", "state.cents < 350")
        lines = written([PAID, "refund", PAID, PAID, PAID, PAID]).splitlines()
        header, *entries = map(json.loads, lines)
        timeline = header["timeline"] = str(uuid.uuid4())
        header["machine"]["name"] = "running"
        calm, breaking = entries[:4], entries[4:]
        last = -1

        def append(*entries):
            nonlocal last
            first, last = last + 1, last + len(entries)
            recorder.append(timeline, [
                json.dumps({**entry, "seq": seq}) for seq, entry in enumerate(entries, first)])
            recorder.wait_until_durable(timeline, last)

        with Recorder(self.daemon.socket) as recorder:
            recorder.open(header)
            append(*calm)
            following = [self.following("watch"), self.following("tail", timeline, "--count", "0")]
            # What they print first was reported to them, and so is what follows.
            while any(rows.empty() for _, rows, _ in following):
                self.assertEqual([process.poll() for process, _, _ in following], [None, None])
                append({"t": calm[-1]["t"], "event": "refund"})
                self.daemon.run("rename", timeline, f"after {last}")
            self.daemon.run("rename", timeline, "running")
            first = last + 1
            append(*breaking[:2])
            append(breaking[2])
            # Each is reported once.
            broken = [(first, "state.cents < 150"), (first + 2, "state.cents < 350")]
            for _, _, messages in following:
                for seq, predicate in broken:
                    self.assertEqual(
                        messages.get(timeout=60),
                        f"running breaks an invariant at entry {seq}: {predicate}\n")
        marks = self.daemon.json("show", timeline)["marks"]
        self.assertEqual([(mark["seq"], mark["text"]) for mark in marks],
                         [(seq, f"breaks {predicate}") for seq, predicate in broken])
        self.assertNotIn("marks", self.daemon.json("show", "vending"))

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
