"""The commands in messages work as printed, in the situation of the message."""

import json
import re
import unittest

from advice import AdviceTest, advice

MAKE = "RecorderProbe.Troubled.self"
SCHEMA = {
    "encoding": "keyed", "complete": True, "type": "RecorderProbe.Troubled.Event",
    "cases": [
        {"name": "trapped"},
        {"name": "printed", "payload": [{"key": "_0", "shape": {"scalar": "string"}}]},
    ],
}


def recording(number, name="troubled", app="probe", process="RecorderProbe", schema=None):
    header = {
        "timeline": f"{number:08x}-0b7e-4d38-9c41-2e5a7b90d1f3",
        "app": {"name": app, "process": process},
        "machine": {"type": "RecorderProbe.Troubled", "name": name, "kind": "states", "make": MAKE},
        "started": "2026-03-01T09:30:00Z",
        "format": 1,
    }
    if schema:
        header["schema"] = schema
    start = {
        "seq": 0, "t": 0, "state": {"total": 0, "notes": []}, "outputState": {"isEven": True},
    }
    return json.dumps(header) + "\n" + json.dumps(start) + "\n"


class Remedies(AdviceTest):
    def write(self, name="my recording.timeline", *words, **more):
        (self.folder / name).write_text(recording(*(words or (1,)), **more))
        return name

    def suggestion(self, command, expression, codes=(1, 2), **values):
        """What a command suggests, with values for the words in capitals."""
        ran = self.shell(command)
        self.assertIn(ran.returncode, codes, f"{command}: {ran.stdout}")
        found = re.search(expression, ran.stdout + ran.stderr)
        self.assertTrue(found, f"{command}: no {expression} in {ran.stdout}{ran.stderr}")
        suggested = found[1]
        for word, value in values.items():
            suggested = suggested.replace(word, value)
        return suggested

    def test_nothing_is_recorded_yet(self):
        file = "'" + self.write() + "'"
        for command, codes in (("debugd list", (0,)), ("debugd show coin", (1,))):
            self.works(self.suggestion(command, r"(debugd import FILE)", codes, FILE=file))
            self.works("debugd delete troubled --yes")

    def test_a_file_given_as_a_timeline(self):
        for name in ("plain.timeline", "my recording.timeline"):
            self.write(name)
            for words in ("branches", "rename {} x", "fork {} --cut 0"):
                place = words if "{}" in words else words + " {}"
                command = self.suggestion(
                    f"debugd {place.format(repr(name))}", r"is a file\. .*?: (debugd import .*)")
            self.works(command)
            self.works("debugd delete troubled --yes")

    def test_a_machine_without_a_host(self):
        self.works(f"debugd import '{self.write()}'")
        forking = """debugd fork troubled --append '{"printed":{"_0":"x"}}'"""
        host = self.suggestion(forking, r"(debugd host \S+)")
        self.assertEqual(host, "debugd host .build/debug/RecorderProbe")
        self.works(host)
        self.works(forking)

    def test_no_host_at_all(self):
        self.works(self.suggestion("debugd hosts", r"(debugd host \S+)"))
        self.works("debugd hosts")

    def test_a_recorded_name_never_becomes_part_of_a_suggestion(self):
        for number, process in enumerate(["$(touch OWNED)", "x;touch OWNED", "../../bin/x", "-rf", ""]):
            self.write("x.timeline", number + 1, process=process, app=process)
            self.works("debugd import x.timeline")
            command = f"""debugd fork {number + 1:08x} --append '{{"printed":{{"_0":"x"}}}}'"""
            self.assertEqual(
                self.suggestion(command, r"(debugd host .*?)(?: \(|$)"),
                f"debugd host .build/debug/App --data {self.daemon.data}")

    def test_files_without_a_daemon(self):
        self.write("x.timeline")
        option = self.suggestion("debugd verify x.timeline", r"(--host \.build\S*\w)")
        # There is nothing to compare: the recording has no events.
        self.works(f"debugd verify x.timeline {option}", (0, 3))

    def test_a_branch_that_ends_early(self):
        self.works(f"debugd import '{self.write()}'")
        self.works("debugd host .build/debug/RecorderProbe")
        again = self.suggestion(
            """debugd fork troubled --append '{"trapped":{}}'""", r"'(debugd fork \w+ --again.*?)'", (3,))
        # The same reducer traps again: the command itself worked.
        self.assertIn("trapped on the next event", self.works(again, (3,)))

    def test_the_name_of_a_case(self):
        self.write("x.timeline", schema=SCHEMA)
        self.works("debugd import x.timeline")
        self.works("debugd host .build/debug/RecorderProbe")
        for event in ("trapped", """'"trapped"'""", """'{"trapped":{}}'"""):
            said = self.works(f"debugd fork troubled --append {event}", (3,))
            self.assertIn("trapped on the next event", said, event)
        event = self.suggestion(
            "debugd fork troubled --append printed", r"Write it as ('.*')", **{"…": '"x"'})
        self.works(f"debugd fork troubled --append {event}")
        name = self.suggestion("debugd fork troubled --append traped", r"Did you mean '(\w+)'")
        self.works(f"debugd fork troubled --append {name}", (3,))

    def test_an_ambiguous_name(self):
        for number, app in enumerate(["One", "Two words", "it's", "$(touch OWNED)"], 1):
            self.write("x.timeline", number, app=app)
            self.works("debugd import x.timeline")
        ways = self.suggestion("debugd show troubled", r"Say which: (.*)\.\n").split(", ")
        self.assertEqual(len(ways), 4)
        for way in ways:
            self.works(f"debugd show {way}")
        self.assertFalse((self.folder / "OWNED").exists())
        self.works(f"debugd delete {' '.join(ways[1:])} --yes")
        name = self.suggestion("debugd show trobled", r"Did you mean '(\w+)'")
        self.works(f"debugd show {name}")

    def test_misspelled_commands(self):
        self.works(self.suggestion("debugd lst", r"For help, run: (debugd --help)"))
        self.works("debugd " + self.suggestion("debugd lst", r"Did you mean '(\w+)'"))
        self.works(self.suggestion("debugd list --lve", r"For help, run: (debugd list --help)"))
        for word in ("minimise", "minimize"):
            self.works(f"debugd {word} --help")
            self.works(f"debugd help {word}")
            self.assertIn("--until", self.suggestion(f"debugd {word} x", r"(--until) PREDICATE"))

    def test_an_existing_file(self):
        self.works(f"debugd import '{self.write()}'")
        self.works("debugd export troubled -o x.timeline")
        force = self.suggestion("debugd export troubled -o x.timeline", r"(--force)")
        self.works(f"debugd export troubled -o x.timeline {force}")

    def test_deleting_a_parent(self):
        self.works(f"debugd import '{self.write()}'")
        self.works("debugd host .build/debug/RecorderProbe")
        self.works("""debugd fork troubled --append '{"printed":{"_0":"x"}}'""")
        option = self.suggestion("debugd delete troubled --yes", r"(--cascade)")
        self.works(f"debugd delete troubled --yes {option}")

    def test_a_minimized_branch_gets_a_name(self):
        self.works(f"debugd import '{self.write()}'")
        self.works("debugd host .build/debug/RecorderProbe")
        events = " ".join(f"""--append '{{"added":{{"_0":{n}}}}}'""" for n in (1, 2, 5))
        self.works(f"debugd fork troubled {events} --name long")
        said = self.works("debugd minimize long --until 'state.total >= 5' --name 'the bug'")
        self.works("debugd show 'the bug'")
        said = self.works(advice(
            "To export a test that fails until this is fixed, run: debugd export … --as swift-testing "
            "……", said))
        self.assertIn('try troubled.expect(never: "state.total >= 5")', said)

    def test_two_files_of_one_timeline(self):
        self.write("before.timeline")
        self.write("after.timeline")
        self.works(advice(
            "… and … are recordings of one timeline, or parts of it. To compare it with today's code, "
            "run: debugd verify FILE --host EXE",
            self.fails("debugd compare before.timeline after.timeline"),
            FILE="before.timeline", EXE=".build/debug/RecorderProbe"), (0, 3))

    def test_a_machine_that_is_not_live(self):
        self.works(f"debugd import '{self.write()}'")
        self.works(advice(
            "To see live machines, run: debugd list --live", self.fails("debugd hold troubled")))

    def test_a_daemon_is_needed(self):
        self.works(f"debugd import '{self.write()}'")
        self.daemon.stop()
        for command in ("debugd fork troubled --cut 0", "debugd open --print"):
            self.assertEqual(self.suggestion(command, r"start (?:it|one): (.*)"), "debugd serve")
            self.assertEqual(
                self.suggestion(
                    f"env -u DEBUGD_DATA {command} --data {self.daemon.data}",
                    r"start (?:it|one): (.*)"),
                f"debugd serve --data {self.daemon.data}")
        option = self.suggestion(
            "DEBUGD_DATA=none debugd list", r"To fix, .*: (--data FOLDER)", FOLDER=str(self.daemon.data))
        self.works(f"DEBUGD_DATA=none debugd list {option}")
        self.daemon.start()
        self.works("debugd open --print")


if __name__ == "__main__":
    unittest.main()
