"""Names of values that the last entry does not have, after a typo."""

import json

from daemon import Daemon
from test_wrong_words import Commands

HEADER = {
    "timeline": "00000007-0b7e-4d38-9c41-2e5a7b90d1f3", "format": 1, "app": {"name": "Garage"},
    "machine": {"type": "Gate", "name": "gate"}, "started": "2026-03-01T09:30:00Z",
    "outputs": {"isBusy": "ui", "countdown": "ui", "never": "data"}}

ENTRIES = [
    {"seq": 0, "t": 0, "state": {"step": {"closed": {}}}, "outputState": {"isBusy": False}},
    {"seq": 1, "t": 1, "event": "asked",
     "patch": [{"op": "replace", "path": "/step", "value": {"enteringCode": {"secondsLeft": 9}}}],
     "outputs": [{"op": "add", "path": "/countdown", "value": 9}]},
    {"seq": 2, "t": 2, "event": "ticked",
     "patch": [{"op": "replace", "path": "/step/enteringCode/secondsLeft", "value": 8}],
     "outputs": [{"op": "replace", "path": "/countdown", "value": 8}]},
    {"seq": 3, "t": 3, "event": "opened",
     "patch": [{"op": "replace", "path": "/step", "value": {"verified": {}}}],
     "outputs": [{"op": "remove", "path": "/countdown"}]},
]


class VanishedNames(Commands):
    def setUp(self):
        super().setUp()
        (self.folder / "gate.timeline").write_text(
            "".join(json.dumps(line) + "\n" for line in [HEADER, *ENTRIES]))

    def test_are_suggested(self):
        for words, said in (
            (("find", "outputs.countdwn > 3"), "No entry has outputs.countdwn; did you mean outputs.countdown?"),
            (("changes", "/outputs/countdwn"), "No entry has /outputs/countdwn; did you mean /outputs/countdown?"),
            (("changes", "/step/enteringCode/secondLeft"),
             "No entry has /state/step/enteringCode/secondLeft; did you mean "
             "/state/step/enteringCode/secondsLeft?"),
            (("changes", "/step/enteringCod"),
             "No entry has /state/step/enteringCod; did you mean /state/step/enteringCode?"),
            (("find", "state.countdown > 3"), "No entry has state.countdown; did you mean outputs.countdown?"),
        ):
            self.assertIn(said, self.refused(words[0], "gate.timeline", *words[1:]))
        self.assertIn(
            "no value is called 'countdown'; did you mean 'outputs.countdown'?",
            self.refused("find", "gate.timeline", "countdown > 3", code=2))

    def test_an_output_that_was_never_set_is_not_called_misspelled(self):
        self.assertEqual(self.refused("find", "gate.timeline", "outputs.never > 3"), "No entry was found.")
        self.assertIn(
            "No entry changed '/outputs/never'.", self.refused("changes", "gate.timeline", "/outputs/never"))

    def test_paths_of_predicates_are_paths(self):
        for path, pointer in (
                ("outputs.countdown", "/outputs/countdown"),
                ("state.step.enteringCode.secondsLeft", "/step/enteringCode/secondsLeft")):
            ran = self.run_debugd("changes", "gate.timeline", path)
            self.assertEqual((ran.returncode, ran.stderr), (0, ""))
            self.assertEqual(ran.stdout, self.run_debugd("changes", "gate.timeline", pointer).stdout)

    def test_todays_code_needs_a_daemon_or_a_second_timeline(self):
        with Daemon() as daemon:
            daemon.run("import", self.folder / "gate.timeline")
            daemon.stop()
            self.environment["DEBUGD_DATA"] = str(daemon.data)
            self.assertIn(
                "Only a running daemon can compare a timeline with today's code. To fix, name a second "
                "timeline, or start the daemon: debugd serve", self.refused("compare", "gate"))

    def test_an_empty_list_says_where_apps_record(self):
        with Daemon() as daemon:
            self.assertIn(
                f"Run an app that links Recorder with DEBUGD='unix:{daemon.socket}', or import a file",
                daemon.run("list").stderr)
