"""What minimize, verify, fork, find, export, and import report is true, and their advice works."""

import json
import pathlib
import re
import shlex
import subprocess
import tempfile
import unittest

from daemon import BUILD, ROOT, Daemon
from test_verification import HOST, added, after, recording

RECIPE = ROOT / "docs/recipes/fix-a-bug-for-good.md"


def broken(state, event):
    """The reducer before a fix: additions beyond 10 count negatively."""
    total = state["total"]
    state = after(state, event)
    if total > 10:
        state["total"] = -state["total"]
    return state


class TrueProofs(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.daemon = cls.enterClassContext(Daemon(options=["--host", HOST]))

    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def imported(self, events, kind=None, **options):
        """The id of an imported recording."""
        lines = recording(events, **options).splitlines()
        header = json.loads(lines[0])
        if kind:
            header["machine"]["kind"] = kind
        path = self.folder / "a.timeline"
        path.write_text("\n".join([json.dumps(header), *lines[1:]]) + "\n")
        self.daemon.run("import", path)
        return header["timeline"]

    def refused(self, code, *words):
        done = self.daemon.run(*words, check=False)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        self.assertEqual(done.stdout, "")
        return done.stderr

    def typed(self, command, folder):
        """Runs a command of debugd as typed in a folder."""
        return subprocess.run(
            [BUILD / "debugd", *shlex.split(command)[1:]], capture_output=True, text=True, check=True,
            cwd=folder, env={**self.daemon.environment, "DEBUGD_DATA": str(self.daemon.data)})

    def count(self):
        return len(self.daemon.run("list", "--json").stdout.splitlines())

    def test_a_fixed_bug_is_not_minimized(self):
        # The fix is in the reducer that made 11 + 1 = -12. From there, the last event alone still leads below -30.
        parent = self.imported([added(11), added(1), added(-20)], rule=broken)
        before = self.count()
        said = self.refused(1, "minimize", parent, "--until", "state.total < -30")
        self.assertIn(
            "Today's reducer no longer reaches state.total < -30; the recording did at entry 3. Either "
            "the bug is fixed, or the reducer depends on more than its state and event.", said)
        command = re.search(r"run: debugd (verify \S+)", said)[1]
        verified = self.daemon.run(*command.split(), check=False)
        self.assertIn("first difference at 2", verified.stdout)
        self.assertEqual(self.count(), before)

    def test_a_recording_of_needed_events_keeps_its_name(self):
        recording = self.imported([added(3)] * 3)
        words = ("minimize", recording, "--until", "state.total >= 9", "--name", "the 'bug'")
        done = self.daemon.run(*words)
        self.assertIn("3 events", done.stdout)
        self.assertIn("Every event is needed, so the result is the recording itself.", done.stderr)
        rename = re.search(
            r"No branch was made, so the name 'the 'bug'' was not used. To give it to the recording, "
            r"run: (debugd rename .*)$", done.stderr, re.M)
        self.assertIsNotNone(rename, done.stderr)
        found = json.loads(self.daemon.run(*words, "--json").stdout)
        self.assertEqual((found["timeline"], found["minimal"]), (recording, True))
        self.assertNotIn("bug", self.daemon.run("list").stdout)
        # The advice works.
        self.assertEqual(self.daemon.advised(rename[1]).returncode, 0)
        self.assertIn("the 'bug'", self.daemon.run("list").stdout)

    def test_a_branch_and_its_file_get_the_same_verdict(self):
        parent = self.imported([added(5), added(-9), added(1)])
        for until, outcome, code in (("state.total < 0", "fails", 1), ("state.total < -99", "passes", 0)):
            with self.subTest(outcome):
                # As if minimization had found it before a fix.
                name = f"it {outcome}"
                lines = self.daemon.run("export", parent).stdout.splitlines()
                header = json.loads(lines[0])
                header["timeline"] = header["timeline"][:-4] + ("aaaa" if code else "bbbb")
                header["parent"] = {
                    "timeline": parent, "through": 3, "start": 0, "edits": [], "name": name,
                    "failure": until,
                }
                path = self.folder / f"{outcome}.timeline"
                path.write_text("\n".join([json.dumps(header), *lines[1:]]) + "\n")
                self.daemon.run("import", path)
                verdicts = []
                for words in ([name], [path, "--host", HOST]):
                    done = self.daemon.run("verify", *words, "--json", check=False)
                    self.assertEqual(done.returncode, code, done.stderr)
                    verdict = json.loads(done.stdout)
                    del verdict["name"]
                    verdicts.append(verdict)
                self.assertEqual(verdicts[0], verdicts[1])
                self.assertEqual(
                    (verdicts[0]["outcome"], verdicts[0]["failure"]), (outcome, until))

    def test_an_edit_that_does_not_decode_makes_no_branch(self):
        parent = self.imported([added(1), added(2), added(3)])
        before = self.count()
        for edit in (["--replace", '2={"adde":{"_0":1}}'], ["--append", '{"added":{"_0":"x"}}'],
                     ["--start-state", '{"sum":1}']):
            with self.subTest(edit):
                said = self.refused(1, "fork", parent, *edit)
                self.assertIn("so there is no branch", said)
                self.assertEqual(self.count(), before)
        # A branch that ends later, at an edit, reports the host's reason.
        done = self.daemon.run(
            "fork", parent, "--drop", "1", "--replace", '3={"adde":{"_0":1}}', check=False)
        self.assertEqual(done.returncode, 3)
        self.assertRegex(done.stderr, "The host says: .*adde")

    def test_without_a_host_a_branch_is_refused_at_once(self):
        self.imported([added(1), added(2)])
        with Daemon() as daemon:
            daemon.run("import", self.folder / "a.timeline")
            done = daemon.run("fork", "troubled", "--drop", "1", check=False)
            self.assertEqual(done.returncode, 1)
            self.assertIn("No host can run RecorderProbe.Troubled.self", done.stderr)
            self.assertEqual(len(daemon.run("list", "--json").stdout.splitlines()), 1)

    def test_a_truncated_file_is_reported(self):
        whole = recording([added(1), added(2), added(3)])
        path = self.folder / "torn.timeline"
        path.write_text(whole[:-9])
        said = ("The file ends in the middle of line 5. The 3 entries before it are whole; to get "
                "the rest, copy or export the file again.")
        done = self.daemon.run("import", path, check=False)
        self.assertEqual(done.returncode, 3)
        self.assertIn(f"{path}: {said}", done.stderr)
        self.assertEqual(self.daemon.json("show", done.stdout.split()[0])["entries"], 3)
        done = self.daemon.run("verify", path, "--host", HOST, check=False)
        self.assertEqual(done.returncode, 3)
        self.assertIn(said, done.stderr)
        # A last line without a line feed is complete.
        path.write_text(recording([added(1), added(2), added(3)])[:-1])
        done = self.daemon.run("import", path)
        self.assertEqual(done.stderr, "")

    def test_a_misspelled_path_is_reported_instead_of_no_match(self):
        parent = self.imported([added(1), added(2), added(3)], kind="states")
        said = "No entry has state.totl; did you mean state.total?"
        out = self.folder / "Tests.swift"
        # A search that finds nothing fails; an export that cannot be right is wrong usage.
        for code, words in ((1, ["find", parent, "state.totl > 1"]),
                            (1, ["minimize", parent, "--until", "state.totl > 1"]),
                            (2, ["export", parent, "--as", "swift-testing", "--expect",
                                 "state.totl == 6", "-o", out])):
            with self.subTest(words[0]):
                self.assertIn(said, self.refused(code, *words))
        self.assertFalse(out.exists())
        self.assertIn(
            "No entry has state.isEven; did you mean outputs.isEven?",
            self.refused(1, "find", parent, "state.isEven == 1"))
        # There is no similar path: it may be an optional that was never set.
        said = self.refused(1, "find", parent, "state.coupon != null")
        self.assertIn("No entry has state.coupon.", said)
        self.assertNotIn("Did you mean", said)
        # Existing paths, and the counts of arrays and texts, are not mistakes.
        for predicate in ("state.total > 99", "state.notes.count > 9", "state.notes[3] == 1"):
            self.assertNotIn("No entry has", self.refused(1, "find", parent, predicate))

    def test_an_unknown_answer_gives_the_real_reason(self):
        captured = " A host can compute them"
        for reason, other in (("entries were lost.", captured), ("values were redacted.", captured),
                              ("states were not captured." + captured, "redacted")):
            with self.subTest(reason):
                thinned = range(3, 4) if "captured" in reason.split(".")[0] else ()
                lines = [json.loads(line) for line in
                         recording([added(1)] * 6, thinned=thinned).splitlines()]
                if "lost" in reason:
                    lines[5].update(gap={"lost": 1, "why": "full"}, state={"total": 4, "notes": []},
                                    outputState={"isEven": True})
                    del lines[4], lines[4]["patch"]
                    lines[4].pop("outputs", None)
                elif "redacted" in reason:
                    lines[4]["redacted"] = {"/state/total": "***"}
                path = self.folder / "a.timeline"
                path.write_text("".join(json.dumps(line) + "\n" for line in lines))
                self.daemon.run("import", path)
                timeline = lines[0]["timeline"]
                said = self.refused(1, "find", timeline, "state.total > 99")
                self.assertIn(f"the answer is not known: {reason}", said)
                self.assertNotIn(other, said)
                said = self.daemon.run("changes", timeline, "/total").stderr
                self.assertIn(f"is not known: {reason}", said)

    def test_a_host_option_without_a_file_is_explained(self):
        said = self.refused(2, "verify", "troubled", "--host", HOST)
        self.assertIn(
            "There is no file 'troubled'. --host is for files: to verify a timeline of a daemon, whose "
            "hosts run it, leave --host out.", said)
        self.imported([added(1)])
        said = self.refused(2, "verify", self.folder / "a.timeline", "--host", "")
        self.assertIn("For help, run: debugd verify --help", said)

    def test_the_recipe_for_a_bug_works_word_for_word(self):
        events = [added(3), added(-9), added(1)]
        header = json.loads(recording(events).splitlines()[0])
        header["app"]["name"], header["machine"]["name"] = "Shop", "order"
        header["machine"]["kind"] = "states"
        path = self.folder / "shop.timeline"
        path.write_text("\n".join([json.dumps(header), *recording(events).splitlines()[1:]]) + "\n")
        self.daemon.run("import", path)
        package = self.folder / "package"
        (package / "Tests/ShopTests").mkdir(parents=True)
        (package / "Package.swift").write_text("// swift-tools-version:6.2\n")
        commands = re.findall(r"^   (debugd .*|swift test .*)$", RECIPE.read_text(), re.M)
        self.assertEqual([command.split()[:2] for command in commands],
                         [["debugd", "minimize"], ["debugd", "export"], ["swift", "test"]])
        minimize = commands[0].replace("state.paid", "state.total")
        self.typed(minimize, package)
        done = self.typed(commands[1], package)
        self.assertIn(f"Run: {commands[2]}\n", done.stderr)
        files = [file.name for file in (package / "Tests/ShopTests").iterdir()]
        self.assertEqual(files, ["NegativePaymentTests.swift"])
        text = (package / "Tests/ShopTests" / files[0]).read_text()
        self.assertIn("struct NegativePaymentTests {", text)
        self.assertIn('@Test("negative payment")', text)
        self.assertRegex(
            done.stderr,
            r'(?m)^Add this to the targets in Package.swift:\n\.testTarget\(\n  name: "ShopTests",\n  dep')


if __name__ == "__main__":
    unittest.main()
