"""Branches in an HTML file, compared with the reducer of a host in another language."""

import base64
import json
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import unittest

import jsonpatch

from advice import advice
from daemon import ROOT, Daemon

sys.dont_write_bytecode = True
HOST = ROOT / "Examples" / "host.py"
sys.path.insert(0, str(HOST.parent))
import host  # noqa: E402
from test_foreign_host import states, written  # noqa: E402

EVENTS = [{"insert": {"cents": 100}}, "tea", {"insert": {"cents": 50}}, "refund",
          {"insert": {"cents": 200}}, "tea", "tea"]


def edited(events, edits):
    """The events after an edit; entries are numbered from 1."""
    (edit,) = edits
    events = list(events)
    if "drop" in edit:
        del events[edit["drop"] - 1]
    elif "move" in edit:
        events.insert(edit["before"] - 1, events.pop(edit["move"] - 1))
    else:
        events.insert(edit["before"] - 1, edit["insert"])
    return events


class WhatIf(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def daemon(self, events=EVENTS):
        file = self.folder / "vending.timeline"
        file.write_text(written(events))
        daemon = self.enterContext(Daemon(options=["--host", str(HOST)], environment={
            "DEBUGD_WEB": str(ROOT / "web")}))
        daemon.run("import", file)
        return daemon

    def branches(self, daemon, *options):
        """The attributes of the element, and its branches: index, header, and own entries."""
        html = self.folder / "vending.html"
        daemon.run("export", "vending", "--what-if", "--force", "-o", html, *options)
        (found,) = re.findall(r'<script type="application/zstd" id="what-if"([^>]*)>([^<]*)</script>',
                              html.read_text())
        attributes, packed = dict(re.findall(r'data-(\w+)="(\w+)"', found[0])), found[1]
        text = subprocess.run(["zstd", "-d", "-q", "-c"], input=base64.b64decode(packed),
                              capture_output=True, check=True).stdout
        index, body = text.split(b"\n", 1)
        branches = []
        for one in json.loads(index):
            part, body = body[:one["bytes"]], body[one["bytes"]:]
            header, *entries = [json.loads(line) for line in part.splitlines()]
            self.assertEqual(header["parent"]["edits"], one["edits"])
            branches.append((one, header, entries))
        self.assertEqual(body, b"")
        self.assertEqual(len(branches), int(attributes["count"]))
        return attributes, branches

    def check(self, events, header, entries, count=None):
        """Whether a branch has the states that the reducer alone computes."""
        wanted = states(events)
        state = states(EVENTS)[header["parent"]["start"] - 1]
        for entry in entries:
            state = jsonpatch.apply_patch(state, entry["patch"])
            self.assertEqual(state, wanted[entry["seq"]], (header["parent"]["edits"], entry))
        last = entries[-1]["seq"] if entries else header["parent"]["start"] - 1
        self.assertEqual(last, len(events) if count is None else count)

    def test_each_edit_has_the_states_that_the_reducer_computes(self):
        daemon = self.daemon()
        attributes, branches = self.branches(daemon)
        self.assertEqual((attributes["first"], attributes["last"]), ("1", "7"))
        for _, header, entries in branches:
            self.check(edited(EVENTS, header["parent"]["edits"]), header, entries)
        scripts = [one["edits"][0] for one, _, _ in branches]
        for seq in range(1, 8):
            self.assertIn({"drop": seq}, scripts)
            self.assertIn({"insert": EVENTS[seq - 1], "before": seq + 1}, scripts)
            if seq > 1:
                self.assertIn({"move": seq, "before": seq - 1}, scripts)
            for event in "tea", "refund":
                self.assertIn({"insert": event, "before": seq + 1}, scripts)
        self.assertEqual(len(scripts), len({json.dumps(one) for one in scripts}))
        # What the page offers before it unpacks the branches.
        (listed,) = re.findall(r'data-inserts="([^"]*)"', (self.folder / "vending.html").read_text())
        offered = [{"insert": one["event"], "before": before}
                   for one in json.loads(base64.b64decode(listed)) for before in one["before"]]
        self.assertCountEqual(
            offered, [one for one in scripts if one.get("insert") in ("tea", "refund")])
        # Nothing of this is stored.
        self.assertEqual(len(daemon.run("list", "--all").stdout.splitlines()), 1)

    def test_the_fewest_events_for_a_failure_are_in_it(self):
        daemon = self.daemon()
        attributes, branches = self.branches(daemon, "--never", "state.tea < 0")
        self.assertEqual(attributes["fewest"], "true")
        one, header, entries = branches[-1]
        self.assertTrue(one["fewest"])
        self.assertEqual(header["parent"]["failure"], "state.tea < 0")
        state = states(EVENTS)[header["parent"]["start"] - 1]
        for entry in entries:
            state = jsonpatch.apply_patch(state, entry["patch"])
        self.assertLess(state["tea"], 0)
        self.assertEqual(sum("fewest" in one for one, _, _ in branches), 1)

    def test_a_trap_ends_only_its_branch(self):
        # Without the first event, the machine has no money when it is kicked, and divides by zero.
        events = [{"insert": {"cents": 1}}, "kick", "refund"]
        file = self.folder / "kicked.timeline"
        file.write_text(written(events))
        daemon = self.daemon()
        daemon.run("delete", "vending", "--yes")
        daemon.run("import", file)
        _, branches = self.branches(daemon)
        (one, header, entries), = [
            branch for branch in branches if branch[0]["edits"] == [{"drop": 1}]]
        self.assertEqual((one["ended"], entries), ("trap", []))
        fine = [entries for one, _, entries in branches if one["edits"] == [{"drop": 3}]]
        self.assertEqual(len(fine), 1)

    def test_what_cannot_be_computed_is_refused(self):
        daemon = self.daemon()
        for options, words in (
                (("-o", self.folder / "n.html", "--never", "state.tea < 0"),
                 "In an HTML file, --never needs the branches that a host computes. Add --what-if."),
                (("-o", self.folder / "n.html", "--around", "2"),
                 "--around is for the branches of an HTML file. Add --what-if."),
                (("--as", "csv", "--what-if", "-p", "/tea"), "--what-if is for HTML files. Add --as html."),
                (("-o", self.folder / "a.html", "--what-if", "--from", "2"),
                 "Branches are computed only for a file with the whole timeline."),
                (("-o", self.folder / "b.html", "--what-if", "--around", "99"),
                 "There is no entry 99: the timeline has entries 0 to")):
            ran = daemon.run("export", "vending", *options, check=False)
            self.assertNotEqual(ran.returncode, 0)
            self.assertIn(words, ran.stderr)
        file = self.folder / "other.timeline"
        lines = (self.folder / "vending.timeline").read_text().splitlines(keepends=True)
        header = json.loads(lines[0]) | {"timeline": "11111111-2222-4333-8444-555555555555"}
        file.write_text("".join([json.dumps(header) + "\n", *lines[1:]]))
        ran = daemon.run("export", file, "-o", self.folder / "f.html", "--what-if", check=False)
        command = advice(
            "'…' is a file, and only a daemon with a host computes branches. To fix, import it, and export "
            "the timeline then: debugd import …", ran.stderr)
        self.assertIn(header["timeline"], daemon.run(*shlex.split(command)[1:]).stdout)
        ran = daemon.run("export", header["timeline"], "-o", self.folder / "f.html", "--what-if")
        self.assertRegex(ran.stderr, r"^The file has the results of [1-9]\d* edits\.\n.* written to .*f\.html\n")
        daemon.stop()
        ran = daemon.run("export", "vending", "-o", self.folder / "c.html", "--what-if", check=False)
        self.assertIn("Only a running daemon can compute branches for a file.", ran.stderr)
        self.assertFalse((self.folder / "c.html").exists())


if __name__ == "__main__":
    unittest.main()
