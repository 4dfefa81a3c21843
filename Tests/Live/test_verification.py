"""Verify, compare, minimize, and fork: with a reducer in another process, compared with a few lines
of Python that do the same."""

import json
import os
import pathlib
import random
import signal
import subprocess
import tempfile
import unittest
import uuid
import xml.etree.ElementTree as xml

from daemon import BUILD, Daemon

HOST = f"{BUILD / 'RecorderProbe'} host"


def after(state, event):
    """The reducer in Python."""
    state = {"total": state["total"], "notes": list(state["notes"])}
    if "added" in event:
        state["total"] += event["added"]["_0"]
    elif "grew" in event:
        state["notes"].append("x" * event["grew"]["_0"])
    return state


def added(number):
    return {"added": {"_0": number}}


def recording(events, thinned=(), rule=after):
    """A file with these events and the states that the reducer makes of them."""
    state = {"total": 0, "notes": []}
    lines = [
        {
            "timeline": str(uuid.uuid4()),
            "app": {"name": "Probe"},
            "machine": {
                "type": "RecorderProbe.Troubled",
                "name": "troubled",
                "make": "RecorderProbe.Troubled.self",
            },
            "started": "2026-05-01T08:00:00Z",
            "format": 1,
        },
        {"seq": 0, "t": 0, "state": state, "outputState": {"isEven": True}},
    ]
    for seq, event in enumerate(events, 1):
        before, state = state, rule(state, event)
        entry = {"seq": seq, "t": seq * 100, "event": event}
        if seq in thinned:
            lines.append(entry)
            continue
        if seq - 1 in thinned:
            entry["state"] = state
            entry["outputState"] = {"isEven": state["total"] % 2 == 0}
        else:
            entry["patch"] = [{"op": "replace", "path": "", "value": state}] if before != state else []
            even = [one["total"] % 2 == 0 for one in (before, state)]
            if even[0] != even[1]:
                entry["outputs"] = [{"op": "replace", "path": "/isEven", "value": even[1]}]
        lines.append(entry)
    return "".join(json.dumps(line) + "\n" for line in lines)


def wayward(events):
    """A file of a machine that takes notes, with patches in exactly the bytes that a host writes.

    Each event comes with its recorded note."""
    lines = [
        {
            "timeline": str(uuid.uuid4()),
            "app": {"name": "Probe"},
            "machine": {
                "type": "RecorderProbe.Wayward",
                "name": "wayward",
                "make": "RecorderProbe.Wayward.self",
            },
            "started": "2026-05-01T08:00:00Z",
            "format": 1,
        },
        {"seq": 0, "t": 0, "state": {"total": 0, "notes": []}, "outputState": {"count": 0}},
    ]
    total, count = 0, 0
    for seq, (event, note) in enumerate(events, 1):
        entry = {"seq": seq, "t": seq * 100, "event": event}
        if note is None:
            total += event["added"]["_0"]
            entry["patch"] = [{"op": "replace", "path": "/total", "value": total}]
        else:
            entry["patch"] = [{"op": "add", "path": f"/notes/{count}", "value": note}]
            count += 1
            entry["outputs"] = [{"op": "replace", "path": "/count", "value": count}]
        lines.append(entry)
    return "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines)


WORDS = [f"word{number}" for number in range(12)]
PURE = ({"sorted": {"_0": WORDS}}, " ".join(sorted(WORDS)))
PLANTED = {
    "the clock": ({"clocked": {}}, "1777622400.0"),
    "a random number": ({"rolled": {}}, "4"),
    "the order of a set": ({"listed": {"_0": WORDS}}, " ".join(WORDS)),
    "the order of a dictionary": ({"keyed": {"_0": WORDS}}, " ".join(WORDS)),
    "the time zone": ({"zoned": {}}, "7200"),
    "the locale": ({"localized": {}}, "de_DE"),
}


class VerificationTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def file(self, name, text):
        path = self.folder / name
        path.write_text(text)
        return path

    def verify(self, *words):
        return subprocess.run(
            [BUILD / "debugd", "verify", *map(str, words)], capture_output=True, text=True,
            env={key: value for key, value in os.environ.items() if not key.startswith("DEBUGD")},
        )

    def test_files_are_verified_without_a_daemon(self):
        randomly = random.Random(5)
        events = [added(randomly.randint(-9, 9)) for _ in range(5000)]
        self.file("a.timeline", recording(events))
        self.file("deeper.txt", "no timeline")
        (self.folder / "b").mkdir()
        self.file("b/thinned.timeline", recording(events[:300], thinned=range(100, 200)))
        report = self.folder / "report.xml"
        done = self.verify(self.folder, "--host", HOST, "--junit", report)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("5,000 entries", done.stdout)
        self.assertIn("100 entries could not be compared", done.stdout)
        cases = xml.parse(report).getroot()
        self.assertEqual((cases.get("tests"), cases.get("failures")), ("2", "0"))

        def capped(state, event):
            state = after(state, event)
            if state["total"] > 30:
                state["total"] -= 5
            return state

        wrong = self.file("wrong <&>.timeline", recording(events, rule=capped))
        state, first = {"total": 0, "notes": []}, None
        for seq, event in enumerate(events, 1):
            state = after(state, event)
            if state["total"] > 30:
                first = seq
                break
        self.assertIsNotNone(first)
        done = self.verify(wrong, "--host", HOST, "--json", "--junit", report)
        self.assertEqual(done.returncode, 1)
        verdict = json.loads(done.stdout)
        self.assertEqual((verdict["outcome"], verdict["seq"]), ("differs", first))
        self.assertEqual(verdict["entries"], first - 1)
        self.assertEqual(verdict["patch"][0]["path"], "/state/total")
        case = xml.parse(report).getroot()[0]
        self.assertEqual(case.get("name"), str(wrong))
        self.assertIn(f"entry {first}", case[0].get("message"))

    def test_an_incomplete_verification_neither_passes_nor_fails(self):
        open_end = self.file("open.timeline", recording([added(1)] * 10, thinned=range(5, 11)))
        good = self.file("good.timeline", recording([added(1)] * 10))
        report = self.folder / "report.xml"
        done = self.verify(good, open_end, "--host", HOST, "--junit", report)
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn("nothing confirms 6", done.stdout)
        suite = xml.parse(report).getroot()
        self.assertEqual(
            [suite.get(key) for key in ("tests", "failures", "errors")], ["2", "0", "1"])
        self.assertEqual([len(case) for case in suite], [0, 1])
        self.assertEqual(suite[1][0].tag, "error")
        self.assertIn("nothing confirms 6", suite[1][0].get("message"))
        # A failure outranks an incomplete run, and an unreadable file is an error of the run.
        wrong = self.file("wrong.timeline", recording(
            [added(1)] * 10, rule=lambda s, e: {"total": s["total"] + 2, "notes": []}))
        cut = self.file("cut.timeline", '{"timeline":')
        done = self.verify(open_end, wrong, cut, "--host", HOST, "--junit", report)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertEqual(
            [case[0].tag for case in xml.parse(report).getroot()], ["error", "failure", "error"])

    def test_json_fixtures_are_verified_with_timelines(self):
        lines = recording([added(3)] * 20).splitlines()
        document = {"header": json.loads(lines[0]), "entries": [*map(json.loads, lines[1:])]}
        self.file("a.timeline", recording([added(3)] * 4))
        fixture = self.file("b.json", json.dumps(document, indent=2))
        self.file("package.json", '{"entries": []}')
        done = self.verify(self.folder, "--host", HOST)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([line.split()[2] for line in done.stdout.splitlines()], ["4", "20"])
        document["entries"][7]["patch"][0]["value"]["total"] = 5
        fixture.write_text(json.dumps(document))
        done = self.verify(fixture, "--host", HOST, "--json")
        self.assertEqual((done.returncode, json.loads(done.stdout)["seq"]), (1, 7), done.stderr)
        done = self.verify(self.folder / "package.json", "--host", HOST)
        self.assertEqual(done.returncode, 1)
        self.assertIn("no 'header' and 'entries'", done.stderr)

    def test_a_file_of_a_minimized_branch_passes_once_its_failure_is_gone(self):
        def fixture(name, failure):
            """A branch of three events, as if minimization had made it."""
            lines = recording([added(3), added(-9), added(1)]).splitlines()
            header = json.loads(lines[0])
            header["parent"] = {
                "timeline": str(uuid.uuid4()), "through": 30, "start": 0, "edits": [],
                "failure": failure,
            }
            entries = [*map(json.loads, lines[1:])]
            # The recorded values are those of a bug: none has to be reproduced.
            entries[1]["patch"][0]["value"]["total"] = -7
            return self.file(name, json.dumps({"header": header, "entries": entries}))

        fails = fixture("fails.json", "state.total < 0")
        passes = fixture("passes.json", "state.total < -7")
        report = self.folder / "report.xml"
        done = self.verify(fails, "--host", HOST, "--junit", report)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("at entry 2: state.total < 0", done.stdout)
        self.assertEqual(
            xml.parse(report).getroot()[0][0].get("message"), "fails at entry 2: state.total < 0")
        done = self.verify(passes, "--host", HOST, "--json")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        verdict = json.loads(done.stdout)
        self.assertEqual(
            [verdict[key] for key in ("outcome", "entries", "failure")],
            ["passes", 3, "state.total < -7"])
        done = self.verify(passes, fails, "--host", HOST, "--processes", 2)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertEqual([line.split()[0] for line in done.stdout.splitlines()], ["passes", "fails"])

    def test_an_impure_reducer_is_distinguished_from_changed_code(self):
        events = [added(1)] * 20 + [{"variable": {"_0": "TZ"}}] + [added(1)] * 5
        noted = recording(events, rule=lambda s, e: after(s, e) if "added" in e else
                          {"total": s["total"], "notes": s["notes"] + ["UTC"]})
        impure = self.file("impure.timeline", noted)
        done = self.verify(impure, "--host", HOST, "--processes", 4, "--json")
        self.assertEqual(done.returncode, 1, done.stderr)
        verdict = json.loads(done.stdout)
        self.assertEqual((verdict["outcome"], verdict["seq"]), ("impure", 21))
        pure = self.file("pure.timeline", recording([added(2)] * 50))
        done = self.verify(pure, "--host", HOST, "--processes", 8, "--json")
        self.assertEqual(json.loads(done.stdout)["outcome"], "same", done.stderr)

    def test_every_source_of_impurity_is_found_and_a_pure_reducer_is_not_reported(self):
        noise = [(added(1), None)] * 40 + [PURE] + [(added(-1), None)] * 40
        for what, planted in PLANTED.items():
            with self.subTest(what=what):
                path = self.file("planted.timeline", wayward(noise * 2 + [planted] + noise))
                done = self.verify(path, "--host", HOST, "--processes", 4, "--json")
                self.assertEqual(done.returncode, 1, done.stderr)
                verdict = json.loads(done.stdout)
                self.assertEqual((verdict["outcome"], verdict["seq"]), ("impure", 163), verdict)
                self.assertEqual(verdict["entries"], 162)
                paths = {change["path"] for change in verdict["patch"]}
                self.assertTrue(all(path.startswith("/state/notes") for path in paths), verdict)
                # A single process cannot distinguish it from changed code.
                alone = self.verify(path, "--host", HOST, "--json")
                self.assertEqual(json.loads(alone.stdout)["outcome"], "differs")
        pure = self.file("pure.timeline", wayward(noise * 3))
        done = self.verify(pure, "--host", HOST, "--processes", 8, "--json")
        verdict = json.loads(done.stdout)
        self.assertEqual((verdict["outcome"], verdict["entries"]), ("same", 243), done.stderr)
        changed = noise * 2 + [({"sorted": {"_0": WORDS}}, " ".join(reversed(WORDS)))] + noise
        done = self.verify(
            self.file("changed.timeline", wayward(changed)), "--host", HOST, "--processes", 4,
            "--json")
        verdict = json.loads(done.stdout)
        self.assertEqual((verdict["outcome"], verdict["seq"]), ("differs", 163))

    def test_a_long_recording_is_verified_to_the_last_entry(self):
        # Several batches.
        events = [(added(number % 7 - 3), None) for number in range(12_000)]
        path = self.file("long.timeline", wayward(events))
        done = self.verify(path, "--host", HOST, "--json")
        verdict = json.loads(done.stdout)
        self.assertEqual((verdict["outcome"], verdict["entries"]), ("same", 12_000), done.stderr)
        for place in (2_000, 11_111):
            with self.subTest(place=place):
                planted = events[:place] + [PLANTED["the clock"]] + events[place:]
                path = self.file("planted.timeline", wayward(planted))
                done = self.verify(path, "--host", HOST, "--processes", 2, "--json")
                verdict = json.loads(done.stdout)
                self.assertEqual(
                    (verdict["outcome"], verdict["seq"], verdict["entries"]),
                    ("impure", place + 1, place), done.stderr)

    def test_wrong_arguments_are_reported(self):
        good = self.file("good.timeline", recording([added(1)]))
        cut = self.file("cut.timeline", '{"timeline":')
        for words, code, sentence in [
            ((), 2, "verify needs TIMELINE"),
            ((good,), 2, "--host .build/debug/App"),
            ((self.folder / "none.timeline", "--host", HOST), 1, "There is no file"),
            ((good, "--host", "/bin/true"), 1, "ReducerHost.run"),
            ((good, "--host", HOST, "--processes", 9), 2, "1 to 8"),
            ((cut, good, "--host", HOST), 1, "cut.timeline"),
            ((good, "coin", "--host", HOST), 1, "files or timelines, not both"),
        ]:
            with self.subTest(words=words):
                done = self.verify(*words)
                self.assertEqual(done.returncode, code, done.stderr)
                self.assertIn(sentence, done.stderr)
        self.assertIn("same", self.verify(cut, good, "--host", HOST).stdout)

    def test_an_interrupted_run_leaves_nothing_behind(self):
        long = self.file("long.timeline", recording([added(1)] * 2_000))
        place = self.folder / "temporary"
        for number in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(signal=number):
                place.mkdir(exist_ok=True)
                process = subprocess.Popen(
                    [BUILD / "debugd", "verify", *[str(long)] * 500, "--host", HOST],
                    stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                    env=os.environ | {"TMPDIR": str(place)},
                )
                self.assertIn("same", process.stdout.readline())
                self.assertEqual(len(list(place.iterdir())), 1)
                process.send_signal(number)
                _, complaints = process.communicate(timeout=60)
                self.assertEqual(process.returncode, 1, complaints)
                self.assertIn("Interrupted", complaints)
                self.assertEqual(list(place.iterdir()), [])

    def test_a_minimization_that_runs_out_of_time_says_that_fewer_events_may_suffice(self):
        path = self.file("needed.timeline", recording([added(1)] * 5_000))
        with Daemon(options=["--host", HOST]) as daemon:
            daemon.run("import", path)
            words = ("minimise", "troubled", "--until", "state.total >= 5000", "--time", "1s")
            done = daemon.run(*words, check=False)
            self.assertEqual(done.returncode, 3, done.stderr)
            self.assertIn("The time ran out", done.stderr)
            done = daemon.run(*words, "--json", check=False)
            found = json.loads(done.stdout)
            self.assertEqual((done.returncode, found["minimal"]), (3, False))
            # Nothing could be left out, so the result is the recording.
            self.assertEqual(found["events"], 5_000)
            header = json.loads(path.read_text().splitlines()[0])
            self.assertEqual(found["timeline"], header["timeline"])

    def test_the_daemon_verifies_its_timelines(self):
        randomly = random.Random(8)
        events = [added(randomly.randint(-2, 2)) for _ in range(600)]
        events[200], events[450] = added(500), added(700)
        path = self.file("long.timeline", recording(events))
        with Daemon(options=["--host", HOST]) as daemon:
            daemon.run("import", path)
            self.assertIn("600 entries", daemon.run("verify", "troubled").stdout)
            same = json.loads(daemon.run("compare", "troubled", "--json").stdout)
            self.assertEqual((same["equal"], same["differing"]), (600, 0))
            found = json.loads(
                daemon.run("minimise", "troubled", "--until", "state.total > 1100", "--json").stdout
            )
            self.assertTrue(found["minimal"])
            lines = daemon.run("entries", found["timeline"], "--count", 1000, "--json").stdout
            left = [json.loads(line).get("event") for line in lines.splitlines()][1:]
            self.assertEqual(len(left), found["events"])
            self.assertGreater(sum(event["added"]["_0"] for event in left), 1100)
            for index in range(len(left)):
                fewer = left[:index] + left[index + 1:]
                total, most = 0, 0
                for event in fewer:
                    total += event["added"]["_0"]
                    most = max(most, total)
                self.assertLessEqual(most, 1100, "one of them is not needed")

            # A branch without the largest payment, compared with the same done by hand.
            source = json.loads(path.read_text().splitlines()[0])["timeline"]
            made = daemon.run("fork", source, "--drop", 201, "--json")
            branch = json.loads(made.stdout.splitlines()[-1])["header"]["timeline"]
            state = {"total": 0, "notes": []}
            for index, event in enumerate(events):
                if index != 200:
                    state = after(state, event)
            last = daemon.run("state", branch, "last", "--path", "/state", "--json").stdout
            self.assertEqual(json.loads(last), state)
            apart = json.loads(
                daemon.run("compare", source, branch, "--json", check=False).stdout
            )
            self.assertEqual(apart["equal"], 201)
            self.assertEqual(apart["differing"], 399)
            self.assertEqual((apart["a"]["seq"], apart["b"]["seq"]), (202, 201))


if __name__ == "__main__":
    unittest.main()
