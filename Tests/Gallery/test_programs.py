"""The example programs: what they print, and what they record into a file."""

import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

import jsonpatch

BUILD = pathlib.Path(os.environ["EXAMPLES_BUILD"])


class Programs(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="gallery"))
        self.addCleanup(shutil.rmtree, self.folder)

    def run_program(self, name, debugd):
        environment = {key: value for key, value in os.environ.items() if not key.startswith("DEBUGD")}
        return subprocess.run(
            [BUILD / name], capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL,
            env={**environment, "DEBUGD": debugd, "HOME": str(self.folder)},
        )

    def record(self, name):
        """What it printed, and from each machine's name to its header, entries and states."""
        ran = self.run_program(name, f"file:{self.folder / 'recording'}")
        self.assertEqual((ran.returncode, ran.stderr), (0, ""))
        result = {}
        for path in (self.folder / "recording").glob("*.timeline"):
            header, *entries = map(json.loads, path.read_text("utf-8").split("\n")[:-1])
            self.assertEqual([entry["seq"] for entry in entries], list(range(len(entries))))
            state, states = None, []
            for entry in entries:
                if state is not None and "patch" in entry:
                    state = jsonpatch.apply_patch(state, entry["patch"])
                    # A keyframe and its patch agree.
                    self.assertEqual(entry.get("state", state), state)
                state = entry.get("state", state)
                states.append(state)
            result[header["machine"]["name"]] = (header, entries, states)
        return ran.stdout, result

    def test_coin(self):
        printed, timelines = self.record("Coin")
        self.assertEqual(printed, "Tails\n")
        header, entries, states = timelines["coin"]
        self.assertEqual(header["app"]["name"], "Coin")
        self.assertEqual([entry.get("event") for entry in entries], [None] + ["flipped"] * 5)
        self.assertEqual([state["isHeads"] for state in states], [True, False] * 3)
        self.assertEqual(entries[0]["outputState"], {"side": "Heads"})

    def test_elsewhere(self):
        printed, timelines = self.record("Elsewhere")
        _, entries, states = timelines["basket"]
        self.assertGreater(len(entries), 21, "everything that was taken is taken out again")
        self.assertEqual(len(timelines["total"][1]), len(entries))
        self.assertEqual(states[-1]["items"], [])
        # The bug planted in the basket, which docs/walkthrough.md depends on.
        self.assertNotEqual(states[-1]["totalCents"], 0)
        self.assertEqual(printed, f"[] {states[-1]['totalCents']}\n")
        self.assertEqual(
            timelines["total"][2], [state["totalCents"] for state in states],
            "what was recorded by hand differs from what the reducer returned",
        )

    def test_page_flow(self):
        _, timelines = self.record("PageFlow")
        [(header, entries, states)] = timelines.values()
        self.assertEqual(header["machine"]["kind"], "statechart")
        self.assertGreater(len(entries), 3)
        self.assertIn("chart", header)
        # Before it starts, it is in no state.
        self.assertEqual(states[0]["path"], [])
        self.assertTrue(all(state["path"] for state in states[1:]))

    def test_the_other_kinds(self):
        # Each program with what it prints somewhere, its machine, and the least number of entries.
        for name, words, machine, kind, least in [
            ("PhoneVerification", "Welcome.\nverified(", "verification", "states", 5),
            ("AddressBook", "Grace", "book", "form", 10),
            ("SearchView", "awaiting → searching\n", "search view", "functional", 20),
            ("RepositorySearch", "the service is not reachable", "repositories", "feedback", 10),
        ]:
            with self.subTest(name):
                shutil.rmtree(self.folder / "recording", ignore_errors=True)
                printed, timelines = self.record(name)
                self.assertIn(words, printed)
                header, entries, _ = timelines[machine]
                self.assertEqual(header["machine"]["kind"], kind)
                self.assertGreater(len(entries), least)

    def test_getting_started_shows_the_program(self):
        root = pathlib.Path(__file__).resolve().parents[2]
        shown = (root / "docs" / "getting-started.md").read_text("utf-8").split("```swift\n")[1].split("```")[0]
        program = root / "Examples" / "Sources" / "Coin" / "main.swift"
        self.assertEqual(shown, program.read_text("utf-8"))

    def test_the_gallery_prints_its_help_and_refuses_what_it_does_not_know(self):
        def run(*arguments):
            # It ends by itself only if it understood; otherwise the time limit ends it.
            return subprocess.run(
                [BUILD / "Gallery", *arguments], capture_output=True, text=True, timeout=60,
                stdin=subprocess.DEVNULL, env={**os.environ, "DEBUGD": "off"})

        for word in "--help", "-h":
            ran = run(word)
            self.assertEqual((ran.returncode, ran.stderr), (0, ""))
            self.assertIn("Usage: Gallery", ran.stdout)
        ran = run("--hlep")
        self.assertEqual((ran.returncode, ran.stdout), (64, ""))
        self.assertEqual(
            ran.stderr, 'Gallery has no argument "--hlep". For help, run: Gallery --help\n')

    def test_off(self):
        ran = self.run_program("Coin", "off")
        self.assertEqual((ran.stdout, ran.stderr, ran.returncode), ("Tails\n", "", 0))
        self.assertEqual(list(self.folder.iterdir()), [])
