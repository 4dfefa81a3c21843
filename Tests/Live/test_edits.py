"""Every edit of `debugd fork`, with a real daemon and a real host: the result must equal that of a
few lines of Python that apply the same events in their new order."""

import json
import pathlib
import subprocess
import tempfile
import unittest

from daemon import BUILD, Daemon
from peers import Inspector, completed
from test_verification import HOST, added, after, recording


def grew(size):
    return {"grew": {"_0": size}}


# The notes show which event comes when, so that every order ends differently.
EVENTS = [added(1), grew(1), added(2), grew(2), added(4), grew(3), added(8), grew(4), added(16),
          grew(5), added(32), grew(6)]
LAST = len(EVENTS)
FIRST = {"total": 0, "notes": []}


class Edits(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.daemon = cls.enterClassContext(Daemon(options=["--host", HOST]))
        cls.place = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        text = recording(EVENTS)
        (cls.place / "a.timeline").write_text(text)
        cls.parent = json.loads(text.splitlines()[0])["timeline"]
        cls.daemon.run("import", cls.place / "a.timeline")

    def fork(self, *words, parent=None):
        return self.daemon.json("fork", parent or self.parent, *words)

    def entries(self, timeline):
        return [json.loads(line) for line in
                self.daemon.run("export", timeline).stdout.splitlines()[1:]]

    def state(self, timeline, seq):
        with Inspector(self.daemon.socket) as inspector:
            return inspector.ask("state", timeline=timeline, seq=seq)["value"]

    def expect(self, made, order, first=FIRST, start=0):
        """Checks that a branch has these events, each as (the parent's seq or None, the event), in order.

        `start` is the parent's seq that entry 0 replaces.
        """
        branch, own = made["header"]["timeline"], made["header"]["parent"]["start"]
        self.assertNotIn("computing", made)
        self.assertNotIn("ended", made)
        entries = self.entries(branch)
        self.assertEqual([entry["seq"] for entry in entries], list(range(len(order) + 1)))
        self.assertEqual(made["last"], len(order))
        self.assertEqual(
            [entry.get("event") for entry in entries[1:]], [event for _, event in order])
        # A shared entry is the parent's own line, and does not say where it was.
        for entry, was in zip(entries, [start] + [was for was, _ in order]):
            self.assertEqual(entry.get("was"), None if entry["seq"] < own else was, entry)
            if entry["seq"] < own:
                self.assertEqual(entry["seq"], was)
            if entry["seq"] > 0:
                self.assertEqual(entry.get("origin"), "inspector" if was is None else None, entry)
        state = first
        for seq, (_, event) in enumerate([(None, {})] + order):
            state = after(state, event)
            moment = self.state(branch, seq)
            self.assertEqual(moment["state"], state, f"after {seq}")
            self.assertEqual(moment["outputs"], {"isEven": state["total"] % 2 == 0})

    @staticmethod
    def kept(*seqs):
        return [(seq, EVENTS[seq - 1]) for seq in seqs]

    def test_an_entry_moves_forward_and_back(self):
        self.expect(self.fork("--move", "9=3"), self.kept(1, 2, 9, *range(3, 9), 10, 11, 12))
        self.expect(
            self.fork("--move", "2=7", "--move", "11=7"),
            self.kept(1, 3, 4, 5, 6, 2, 11, 7, 8, 9, 10, 12))
        # To the end, after what was appended before.
        self.expect(
            self.fork("--append", json.dumps(grew(9)), "--move", f"1={LAST + 1}"),
            self.kept(*range(2, 13)) + [(None, grew(9))] + self.kept(1))
        # A moved entry gets the time of the one before it.
        moved = self.fork("--move", "9=3")
        times = [entry["t"] for entry in self.entries(moved["header"]["timeline"])]
        self.assertEqual(times[2:5], [200, 200, 300])

    def test_ranges_are_dropped_whole(self):
        self.expect(self.fork("--drop", "3-6"), self.kept(1, 2, *range(7, 13)))
        self.expect(self.fork("--drop", "1-4", "--drop", "9-12"), self.kept(*range(5, 9)))
        self.expect(self.fork("--drop", "2,5-6,9"), self.kept(1, 3, 4, 7, 8, *range(10, 13)))
        self.expect(self.fork("--move", "2=9", "--drop", "2-3"), self.kept(1, *range(4, 13)))
        self.expect(self.fork("--drop", "5-5"), self.kept(1, 2, 3, 4, *range(6, 13)))
        for words in (["--drop", "3-99"], ["--drop", "0-2"], ["--drop", "4", "--drop", "3-5"]):
            with self.subTest(words=words):
                self.refused(*words)

    def test_an_event_is_repeated(self):
        again = [(None, EVENTS[2])]
        self.expect(self.fork("--repeat", "3"), self.kept(1, 2, 3) + again + self.kept(*range(4, 13)))
        self.expect(self.fork("--redispatch", "3"), self.kept(*range(1, 13)) + again)
        self.expect(
            self.fork("--redispatch", "3", "--drop", "3", "--repeat", "11"),
            self.kept(1, 2, *range(4, 12)) + [(None, EVENTS[10])] + self.kept(12) + again)
        self.refused("--repeat", "0")
        self.refused("--redispatch", str(LAST + 1))

    def test_a_cut_keeps_what_is_before_it(self):
        cut = self.fork("--cut", "5")
        self.expect(cut, self.kept(*range(1, 6)))
        # All of it is shared: the branch has no entries of its own.
        self.assertEqual(cut["header"]["parent"]["start"], 6)
        self.expect(
            self.fork("--cut", "5", "--append", json.dumps(added(100)), "--drop", "2"),
            self.kept(1, 3, 4, 5) + [(None, added(100))])
        self.expect(self.fork("--move", "10=4", "--cut", "10"), self.kept(1, 2, 3, 10))

    def test_a_branch_begins_with_the_state_at_an_entry(self):
        state = FIRST
        for event in EVENTS[:5]:
            state = after(state, event)
        made = self.fork("--start", "5", "--replace", f"7={json.dumps(added(7))}")
        self.expect(
            made, self.kept(6) + [(7, added(7))] + self.kept(*range(8, 13)), first=state, start=5)
        first = self.entries(made["header"]["timeline"])[0]
        self.assertEqual((first["t"], first["state"]), (500, state))
        self.assertNotIn("event", first)

    def test_a_branch_begins_with_a_given_state(self):
        given = {"total": 1_000, "notes": ["given"]}
        made = self.fork("--start-state", json.dumps(given), "--drop", "1-10")
        self.expect(made, self.kept(11, 12), first=given)
        # Instead of the state at an entry, too.
        made = self.fork("--start", "10", "--start-state", json.dumps(given))
        self.expect(made, self.kept(11, 12), first=given, start=10)

    def test_entries_after_a_given_one_are_left_out(self):
        made = self.fork("--through", "6", "--drop", "2")
        self.expect(made, self.kept(1, 3, 4, 5, 6))
        self.assertEqual(made["header"]["parent"]["through"], 6)
        self.expect(
            self.fork("--through", "6", "--append", json.dumps(added(7)), "--insert",
                      f"7={json.dumps(grew(7))}"),
            self.kept(*range(1, 7)) + [(None, added(7)), (None, grew(7))])
        self.refused("--through", "6", "--drop", "7")
        self.refused("--through", str(LAST + 1), "--drop", "2")

    def test_a_whole_script_can_be_mixed_with_other_edits(self):
        script = [
            {"drop": [2, 3]}, {"replace": 5, "event": added(50)},
            {"insert": grew(20), "before": 8}, {"move": 12, "before": 6}, {"cut": 10},
        ]
        order = self.kept(1, 4) + [(5, added(50))] + self.kept(12, 6, 7) + [(None, grew(20))]
        order += self.kept(8, 9, 10)
        self.expect(self.fork("--edits", json.dumps(script)), order)
        made = self.fork(
            "--drop", "4", "--edits", json.dumps(script), "--append", json.dumps(added(3)))
        self.expect(
            made, [item for item in order if item[0] != 4] + [(None, added(3))])
        edits = [{"drop": 4}, *script, {"append": added(3)}]
        self.assertEqual(made["header"]["parent"]["edits"], edits)
        for wrong in ("{}", "[", '[{"fold":3}]'):
            with self.subTest(wrong=wrong):
                self.refused("--edits", wrong)

    def test_no_wait_prints_a_branch_that_is_still_being_computed(self):
        # The reducer hangs, so that the branch cannot be complete.
        made = self.fork("--append", '{"slept":{}}', "--no-wait")
        self.assertEqual(made["computing"], LAST + 1)
        self.daemon.run("delete", made["header"]["timeline"], "--yes")
        made = self.fork("--drop", "2", "--no-wait")
        self.expect(
            completed(self.daemon, made["header"]["timeline"]), self.kept(1, *range(3, 13)))

    def refused(self, *words):
        """Checks that a fork is refused and makes no branch."""
        count = len(self.daemon.run("branches", self.parent).stdout.splitlines())
        run = subprocess.run(
            [BUILD / "debugd", "fork", self.parent, *words, "--data", self.daemon.data],
            capture_output=True, text=True, env=self.daemon.environment, timeout=60)
        self.assertIn(run.returncode, (1, 2), run.stdout)
        self.assertTrue(run.stderr.strip())
        left = len(self.daemon.run("branches", self.parent).stdout.splitlines())
        self.assertEqual(left, count)


if __name__ == "__main__":
    unittest.main()
