"""debugd coverage, compared with a count over the recorded lines and states."""

import collections
import json
import pathlib
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
EVENTS = [PAID, "tea", "tea", "refund", "refund", PAID, "tea", "refund"]


class Coverage(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.daemon = Daemon()
        self.addCleanup(self.daemon.__exit__, None, None, None)
        self.daemon.start()

    def recorded(self, name, lines):
        lines[0]["timeline"] = str(uuid.uuid4())
        lines[0]["machine"]["name"] = name
        file = self.folder / f"{name}.timeline"
        file.write_text("".join(json.dumps(line) + "\n" for line in lines))
        self.daemon.run("import", file)

    def vending(self, name, events):
        self.recorded(name, [json.loads(line) for line in written(events).splitlines()])

    def counted(self, *names):
        """Events, effects, and errors by the tea before and the event's name."""
        counts = collections.defaultdict(lambda: [0, 0, 0])
        for name in names:
            last = self.daemon.json("show", name)["last"]
            states = [self.daemon.json("state", name, seq) for seq in range(last + 1)]
            for seq in range(1, last + 1):
                line = json.loads(self.daemon.run(
                    "entries", name, "--from", seq, "--count", 1, "--json").stdout)
                event = line["event"] if isinstance(line["event"], str) else next(iter(line["event"]))
                count = counts[str(states[seq - 1]["state"]["tea"]), event]
                count[0] += 1
                if "error" in line:
                    count[2] += 1
                elif states[seq] != states[seq - 1]:
                    count[1] += 1
        return counts

    def covered(self, *words):
        return json.loads(self.daemon.run("coverage", *words, "--json").stdout)

    def by_name(self, found):
        return {(one["state"], one["event"]): [one["events"], one["effects"], one["errors"]]
                for one in found["counts"]}

    def test_counts_are_those_of_the_lines(self):
        self.vending("one", EVENTS)
        self.vending("two", ["refund", PAID, "tea"])
        for words, names in ((["one"], ["one"]), (["one", "two"], ["one", "two"]),
                             (["two", "--all"], ["one", "two"])):
            with self.subTest(words):
                found = self.covered(*words, "--path", "/tea")
                self.assertEqual(self.by_name(found), self.counted(*names))
                self.assertEqual(found["unnamed"], 0)

    def test_cases_name_states_and_events_that_nothing_handled_are_listed(self):
        header = {"format": 1, "app": {"name": "a"}, "machine": {"type": "Door", "name": "door"},
                  "started": "2026-05-01T08:00:00Z"}
        steps = [("open", "replace", "open"), ("ring", None, None), ("close", "replace", "closed")]
        lines = [header, {"seq": 0, "t": 0, "state": "closed"}]
        for seq, (event, op, value) in enumerate(steps, 1):
            patch = [{"op": op, "path": "", "value": value}] if op else []
            lines.append({"seq": seq, "t": seq, "event": event, "patch": patch})
        self.recorded("door", lines)
        self.assertEqual(self.by_name(self.covered("door")), {
            ("closed", "open"): [1, 1, 0], ("open", "ring"): [1, 0, 0], ("open", "close"): [1, 1, 0]})
        text = self.daemon.run("coverage", "door").stdout
        self.assertRegex(text, r"(?m)^closed +open +1 +1 +0$")
        self.assertIn("\nnothing handled  ring\n", text)

    def test_what_was_not_captured_is_not_called_unhandled(self):
        header = {"format": 1, "app": {"name": "a"}, "machine": {"type": "Lamp", "name": "lamp"},
                  "started": "2026-05-01T08:00:00Z"}
        lines = [header, {"seq": 0, "t": 0, "state": "off"}, {"seq": 1, "t": 1, "event": "press"},
                 {"seq": 2, "t": 2, "event": "look", "state": "on"},
                 {"seq": 3, "t": 3, "event": "look", "patch": []},
                 {"seq": 4, "t": 4, "event": "press",
                  "patch": [{"op": "replace", "path": "", "value": "off"}]}]
        self.recorded("lamp", lines)
        found = self.covered("lamp")
        # The state before entry 2 is not known, so that event has none.
        self.assertEqual(self.by_name(found), {("on", "look"): [1, 0, 0], ("on", "press"): [1, 1, 0]})
        self.assertEqual((found["uncaptured"], found["unnamed"]), (1, 1))
        self.assertEqual(found["unhandled"], ["look"])
        ran = self.daemon.run("coverage", "lamp")
        self.assertIn("Left out: 1 event whose effect was not captured.", ran.stderr)

    def test_a_state_without_a_name_asks_for_a_path(self):
        self.vending("one", EVENTS)
        ran = self.daemon.run("coverage", "one")
        self.assertIn(f"{len(EVENTS)} events occurred in states without a name. "
                      "To name them, use --path POINTER.", ran.stderr)


if __name__ == "__main__":
    unittest.main()
