"""Two recordings that have nothing in common but their events: `debugd compare` aligns them."""

import json
import pathlib
import random
import tempfile
import unittest

from daemon import Daemon


def longest(a, b):
    """The length of the longest common subsequence, by the textbook."""
    row = [0] * (len(b) + 1)
    for one in a:
        before = row[:]
        for place, other in enumerate(b):
            row[place + 1] = before[place] + 1 if one == other else max(before[place + 1], row[place])
    return row[-1]


class Apart(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.daemon = cls.enterClassContext(Daemon())
        cls.folder = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        cls.count = 0

    def recording(self, events, wrong=None, thinned=(), start=0):
        """A recording of events; returns its file. The state is a sum, wrong from an entry on."""
        type(self).count += 1
        header = {
            "timeline": f"00000000-0000-4000-8000-{self.count:012}", "format": 1,
            "app": {"name": "Sum"}, "machine": {"type": "Sum", "name": f"sum{self.count}"},
            "started": "2026-05-01T08:00:00Z"}
        lines = [header, {"seq": 0, "t": 0, "state": {"sum": start}}]
        total = start
        for seq, event in enumerate(events, 1):
            [(name, payload)] = event.items()
            total = payload["n"] + (total * 3 if name == "add" else 0) + (seq == wrong)
            total %= 1009
            lines.append({"seq": seq, "t": seq, "event": event, "state": {"sum": total},
                          "patch": [{"op": "replace", "path": "/sum", "value": total}]})
            if seq in thinned:
                del lines[-1]["state"], lines[-1]["patch"]
        path = self.folder / f"{self.count}.timeline"
        path.write_text("".join(json.dumps(line) + "\n" for line in lines))
        return path

    def compare(self, a, b):
        said = self.daemon.run("compare", a, b, "--json", check=False).stdout
        return json.loads(said)

    def events(self, numbers):
        return [{"add": {"n": number}} for number in numbers]

    def test_as_many_entries_correspond_as_the_textbook_says(self):
        for seed in range(12):
            chance = random.Random(seed)
            one = [chance.randrange(4) for _ in range(chance.randrange(60))]
            other = [number for number in one if chance.random() > 0.1]
            for _ in range(chance.randrange(6)):
                other.insert(chance.randrange(len(other) + 1), chance.randrange(4))
            with self.subTest(seed=seed):
                answer = self.compare(
                    self.recording(self.events(one)), self.recording(self.events(other)))
                both = longest(one, other)
                # The starts correspond, too.
                self.assertEqual(answer["equal"] + answer["differing"], both + 1)
                self.assertEqual(answer.get("alone", 0), len(one) + len(other) - 2 * both)

    def test_an_event_that_one_lacks_shifts_nothing(self):
        numbers = [1, 2, 3, 0, 5, 6]
        answer = self.compare(self.recording(self.events(numbers)),
                              self.recording(self.events([1, 2, 9, 3, 0, 5, 6])))
        self.assertEqual((answer["equal"], answer["differing"], answer["alone"]), (3, 4, 1))
        self.assertEqual((answer["a"]["seq"], answer["b"]["seq"]), (3, 4))
        self.assertEqual(
            answer["message"], "Each difference begins with an event that only one of them has.")

    def test_the_first_event_that_led_to_another_state_is_named(self):
        one = [1, 2, 0, 0, 5, 6, 7]
        first = self.recording(self.events(one), wrong=6)
        second = self.recording(self.events(one))
        answer = self.compare(first, second)
        self.assertEqual((answer["a"]["seq"], answer["b"]["seq"]), (6, 6))
        self.assertEqual(
            answer["message"],
            "Before it, both had the same state: the same event led to different ones.")
        self.assertEqual(answer["differing"], 2)
        said = self.daemon.run("compare", first, second, check=False)
        self.assertEqual(said.returncode, 1)
        self.assertIn(answer["message"], said.stdout)

    def test_recordings_that_differ_at_the_start_had_no_state_before(self):
        answer = self.compare(self.recording(self.events([1, 2])),
                              self.recording(self.events([1, 2]), start=5))
        self.assertEqual((answer["a"]["seq"], answer["b"]["seq"]), (0, 0))
        self.assertEqual(answer["message"], "They differ at the start, before any event.")

    def test_an_unlike_event_is_preferred_to_an_earlier_difference(self):
        common = [{"add": {"n": 1}}, {"set": {"n": 0}}, {"add": {"n": 2}}, {"add": {"n": 3}}]
        answer = self.compare(
            self.recording(common, wrong=3), self.recording([{"add": {"n": 5}}, *common]))
        # Entry 1 differs from entry 2 because of the event before it; then both are set to 0.
        self.assertEqual((answer["equal"], answer["differing"], answer["alone"]), (2, 3, 1))
        self.assertEqual((answer["a"]["seq"], answer["b"]["seq"]), (3, 4))
        self.assertEqual(
            answer["message"],
            "Before it, both had the same state: the same event led to different ones.")

    def test_states_that_were_not_captured_promise_nothing(self):
        one = [1, 2, 3, 4]
        answer = self.compare(self.recording(self.events(one), wrong=3, thinned=[3]),
                              self.recording(self.events(one)))
        self.assertEqual(answer["a"]["seq"], 4)
        self.assertNotIn("message", answer)

    def test_the_same_events_with_the_same_states_are_the_same(self):
        one = self.events([1, 2, 3])
        answer = self.compare(self.recording(one), self.recording(one))
        self.assertEqual((answer["equal"], answer["differing"]), (4, 0))
        self.assertNotIn("message", answer)


if __name__ == "__main__":
    unittest.main()
