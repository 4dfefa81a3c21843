"""A host's executable is rebuilt: from then on, replies come from the new reducer."""

import json
import os
import pathlib
import tempfile
import unittest

from daemon import BUILD, Daemon
from test_hosts import until
from test_verification import added, recording


def build(path, rule):
    """Installs a program whose reducer depends on a rule, in one step, as a build does."""
    draft = path.with_suffix(".new")
    draft.write_text(f"#!/bin/sh\nRULE={rule} exec {BUILD / 'RecorderProbe'} host\n")
    draft.chmod(0o755)
    os.replace(draft, path)


def ruled(rule):
    """The reducer with a rule."""
    def after(state, event):
        if "added" in event:
            return {"total": state["total"] + event["added"]["_0"], "notes": state["notes"]}
        return {"total": state["total"], "notes": state["notes"] + [rule]}
    return after


class NewBuilds(unittest.TestCase):
    def setUp(self):
        self.place = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        build(self.place / "App", "old")
        self.daemon = self.enterContext(Daemon(options=["--host", str(self.place / "App")]))
        self.events = [added(1), {"variable": {"_0": "RULE"}}, added(2), added(3)]
        (self.place / "a.timeline").write_text(recording(self.events, rule=ruled("old")))
        self.daemon.run("import", str(self.place / "a.timeline"))

    def state(self, timeline):
        return self.daemon.json("state", timeline)["state"]

    def truth(self, rule, events):
        state = {"total": 0, "notes": []}
        for event in events:
            state = ruled(rule)(state, event)
        return state

    def test_branches_and_verification_use_the_new_reducer(self):
        self.assertIn("same", self.daemon.run("verify", "troubled").stdout)
        self.daemon.run("fork", "troubled", "--drop", "1", "--name", "before")
        rest = self.events[1:]
        self.assertEqual(self.state("before"), self.truth("old", rest))
        build(self.place / "App", "new")
        verified = until(
            "the new build is used",
            lambda: (ran := self.daemon.run("verify", "troubled", check=False)).returncode == 1 and ran)
        self.assertIn("first difference at 2", verified.stdout)
        self.assertIn("/state/notes/0", verified.stdout)
        # Stored entries stay; the same edits with the new reducer make another branch.
        self.assertEqual(self.state("before"), self.truth("old", rest))
        self.daemon.run("fork", "before", "--again", "--name", "after")
        self.assertEqual(self.state("after"), self.truth("new", rest))
        compared = self.daemon.run("compare", "before", "after", check=False)
        self.assertEqual(compared.returncode, 1)
        self.assertIn("/state/notes/0", compared.stdout)
        # And back.
        build(self.place / "App", "old")
        until("the old build is used again",
              lambda: self.daemon.run("verify", "troubled", check=False).returncode == 0)


class TwoBuilds(unittest.TestCase):
    def test_compare_runs_the_named_build(self):
        place = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        options = []
        for name, rule in [("Old", "old"), ("New", "new")]:
            build(place / name, rule)
            options += ["--host", str(place / name)]
        daemon = self.enterContext(Daemon(options=options))
        events = [added(1), added(2), {"variable": {"_0": "RULE"}}, added(3)]
        (place / "a.timeline").write_text(recording(events, rule=ruled("old")))
        daemon.run("import", str(place / "a.timeline"))
        (place / "b.timeline").write_text(recording(events, rule=ruled("new")))

        def compare(host, code):
            words = ("compare", "troubled", "--on", host)
            shown = daemon.run(*words, check=False)
            report = daemon.run(*words, "--json", check=False)
            self.assertEqual((shown.returncode, report.returncode), (code, code), shown.stderr)
            return shown.stdout, report.stdout and json.loads(report.stdout)

        for _ in range(2):
            shown, report = compare("Old", 0)
            self.assertEqual((report["equal"], report["differing"]), (4, 0))
            self.assertNotIn("/state/notes", shown)
            shown, report = compare("New", 1)
            # The note differs from entry 3 on.
            self.assertEqual((report["equal"], report["differing"]), (2, 2))
            self.assertEqual(report["a"]["seq"], 3)
            self.assertIn("/state/notes/0", shown)
        refused = daemon.run("compare", "troubled", "--on", "Other", check=False)
        self.assertEqual(refused.returncode, 1)
        self.assertIn("Other", refused.stderr)
        # For a recording of the new build, it is the other way round.
        daemon.run("delete", "troubled", "--yes")
        daemon.run("import", str(place / "b.timeline"))
        self.assertEqual(compare("New", 0)[1]["differing"], 0)
        self.assertEqual(compare("Old", 1)[1]["differing"], 2)


if __name__ == "__main__":
    unittest.main()
