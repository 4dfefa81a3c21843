"""debugd explore, with a host in another language, compared with a search in a few lines of Python."""

import copy
import itertools
import json
import pathlib
import sys
import tempfile
import unittest

from advice import advice
from basket import with_basket
from daemon import ROOT, Daemon

sys.dont_write_bytecode = True
HOST = ROOT / "Examples" / "host.py"
sys.path.insert(0, str(HOST.parent))
import host  # noqa: E402
from test_foreign_host import written  # noqa: E402

EVENTS = [{"insert": {"cents": 100}}, "tea", "refund"]


def shortest(holds, events, limit=8):
    """The number of events after which a state is reached, by trying every sequence."""
    for count in range(1, limit):
        for sequence in itertools.product(events, repeat=count):
            state = copy.deepcopy(host.START)
            for event in sequence:
                try:
                    host.reduce(state, event)
                except host.Refused:
                    pass
            if holds(state):
                return count
    return None


class Explore(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        file = pathlib.Path(folder.name) / "vending.timeline"
        file.write_text(written([*EVENTS, "refund"]))
        self.daemon = Daemon(options=["--host", str(HOST)])
        self.addCleanup(self.daemon.__exit__, None, None, None)
        self.daemon.start().run("import", file)

    def explore(self, *words, status=0):
        ran = self.daemon.run("explore", "vending", "--from", "0", *words, check=False)
        self.assertEqual(ran.returncode, status, ran.stderr)
        return ran

    def test_the_shortest_way_becomes_a_branch_that_fails_until_it_is_fixed(self):
        ran = self.explore("--until", "state.tea < 0", "--ignore-errors", "--json")
        found = json.loads(ran.stdout)
        finding = found["findings"][0]
        # A way with other payloads can be shorter than all with recorded ones.
        self.assertLessEqual(
            len(finding["events"]), shortest(lambda state: state["tea"] < 0, EVENTS))
        self.assertTrue(finding["minimal"])
        self.assertEqual({one["name"] for one in found["events"]}, {"insert", "tea", "refund"})
        branch = finding["timeline"]
        self.assertLess(self.daemon.json("state", branch, len(finding["events"]))["state"]["tea"], 0)
        verified = self.daemon.run("verify", branch, check=False)
        self.assertEqual(verified.returncode, 1)
        self.assertIn("fails", verified.stdout)

    def test_it_shows_the_events_and_what_to_do_with_them(self):
        ran = self.explore("--until", "state.tea < 0", "--ignore-errors")
        self.assertRegex(ran.stdout, r"^[0-9a-f]{8}  \d events  state\.tea < 0\n  ")
        self.assertRegex(ran.stdout, r"\nSent [\d,]+ events to [\d,]+ states, \d events deep\. "
                                     r"Found what you asked for\.\n\n")
        self.assertRegex(ran.stdout, r"\ninsert +\d+ +\d+ +0\n")
        self.assertIn("To keep these events in a file for 'debugd verify', run: debugd export", ran.stderr)

    def test_errors_that_differ_only_in_numbers_are_found_once(self):
        found = json.loads(self.explore("--depth", "3", "--json").stdout)
        poor = [one["message"] for one in found["findings"] if "tea costs" in one.get("message", "")]
        self.assertEqual(len(poor), 1, poor)

    def test_errors_and_traps_are_found_without_a_predicate(self):
        found = json.loads(self.explore("--depth", "2", "--json").stdout)
        errors = [one for one in found["findings"] if one["cause"] == "error"]
        self.assertIn(["tea"], [one["events"] for one in errors])
        self.assertTrue(all("tea costs 80" in one["message"] for one in errors))

    def test_a_trap_is_found_and_its_branch_ends_there(self):
        self.daemon.run("import", self.kicked())
        ran = self.daemon.run(
            "explore", "kicked", "--from", "0", "--ignore-errors", "--depth", "1", "--json", check=False)
        traps = [one for one in json.loads(ran.stdout)["findings"] if one["cause"] == "trap"]
        self.assertEqual([one["events"] for one in traps], [["kick"]])
        self.assertIn("ZeroDivisionError", traps[0]["message"])
        ran = self.daemon.run(
            "explore", "kicked", "--from", "0", "--ignore-errors", "--depth", "1", check=False)
        again = self.daemon.advised(
            advice("To see whether a fix helps, run: debugd fork …… --again", ran.stderr))
        self.assertEqual(again.returncode, 3, again.stderr)
        self.assertIn("ZeroDivisionError", again.stderr)

    def test_large_states_are_explored_also_by_a_host_that_answers_in_lines(self):
        lines = [json.loads(line) for line in written(EVENTS).splitlines()]
        lines[0]["timeline"] = "0b9f3c52-6d1e-4c7a-9a57-1f2e3d4c5b6c"
        lines[0]["machine"]["name"] = "large"
        lines[1]["state"]["note"] = "x" * 100_000
        file = pathlib.Path(self.daemon.data) / "large.timeline"
        file.write_text("".join(json.dumps(line) + "\n" for line in lines))
        self.daemon.run("import", file)
        ran = self.daemon.run(
            "explore", "large", "--from", "0", "--until", "state.tea > 99", "--states", "60",
            "--ignore-errors", "--json", check=False)
        self.assertEqual(ran.returncode, 3, ran.stderr)
        self.assertEqual(json.loads(ran.stdout)["states"], 60)

    def test_the_bug_of_the_basket_is_found_with_few_events(self):
        with_basket(self.daemon)
        ran = self.daemon.run(
            "explore", "basket", "--from", "0", "--until",
            "outputs.count == 0 && outputs.total != 0", "--json")
        found = json.loads(ran.stdout)
        [finding] = found["findings"]
        self.assertEqual([next(iter(event)) for event in finding["events"]],
                         ["added", "discounted", "removed"])
        self.assertLess(found["sent"], 2_000)

    def kicked(self):
        """A recording with money in the machine, so that the kick was harmless there."""
        lines = written([EVENTS[0], "kick"]).splitlines()
        header = json.loads(lines[0])
        header["timeline"] = "0b9f3c52-6d1e-4c7a-9a57-1f2e3d4c5b6b"
        header["machine"]["name"] = "kicked"
        file = pathlib.Path(self.daemon.data) / "kicked.timeline"
        file.write_text("\n".join([json.dumps(header), *lines[1:]]) + "\n")
        return file

    def test_what_ended_the_search_is_said_with_the_option_that_extends_it(self):
        never = ["--until", "state.tea > 99", "--ignore-errors"]
        for words, sentence in [
            (["--depth", "2"], "To search deeper, use a larger --depth."),
            (["--states", "20"], "To search further, use a larger --states."),
            (["--states", "20000000", "--depth", "10000", "--seconds", "1"],
             "The time ran out. To search longer, use a larger --seconds."),
        ]:
            with self.subTest(words):
                ran = self.explore(*never, *words, status=3)
                self.assertTrue(ran.stdout.startswith("Not found. Sent "), ran.stdout)
                self.assertIn(sentence, ran.stdout)

    def test_nothing_to_find_is_said_once_every_state_was_visited(self):
        ran = self.explore(
            "--until", "state.tea > 99", "--ignore-errors", "--exclude", "insert", status=1)
        self.assertIn("These events lead to no other state.", ran.stdout)

    def test_a_misspelled_path_is_named_before_the_search(self):
        ran = self.daemon.run(
            "explore", "vending", "--until", "state.te < 0", "--depth", "1", "--ignore-errors",
            check=False)
        self.assertIn("No entry has state.te; did you mean state.tea?", ran.stderr)

    def test_wrong_words_are_refused_before_anything_runs(self):
        for words, sentence in [
            (["--until", "true", "--always", "true"], "Use --until to reach a condition or --always"),
            (["--until", "state.tea <"], "That is not a predicate"),
            (["--processes", "9"], "--processes takes a whole number"),
            (["--from", "99"], "the timeline has entries 0 to 4"),
            (["--always", "state.tea < 0"], "already broken after entry 4"),
        ]:
            with self.subTest(words):
                ran = self.daemon.run("explore", "vending", *words, check=False)
                self.assertNotEqual(ran.returncode, 0)
                self.assertIn(sentence, ran.stderr)


if __name__ == "__main__":
    unittest.main()
