"""Branches with a real daemon and a real host: made, killed halfway, ended early."""

import json
import os
import pathlib
import signal
import subprocess
import tempfile
import time
import unittest
import uuid

from advice import advice
from daemon import BUILD, Daemon
from freezing import freeze
from peers import Inspector, Refused, completed
from probe import Probe

HOST = f"{BUILD / 'RecorderProbe'} host"


def recording(path, count, app="Probe"):
    """A file of a machine that adds numbers, and whose host is RecorderProbe."""
    name = str(uuid.uuid4())
    header = {
        "timeline": name, "app": {"name": app},
        "machine": {
            "type": "RecorderProbe.Troubled", "name": "troubled", "kind": "states",
            "make": "RecorderProbe.Troubled.self",
        },
        "started": "2026-05-01T08:00:00Z", "format": 1,
    }
    with open(path, "w") as file:
        file.write(json.dumps(header) + "\n")
        first = {"seq": 0, "t": 0, "state": {"total": 0, "notes": []},
                 "outputState": {"isEven": True}}
        file.write(json.dumps(first) + "\n")
        for seq in range(1, count + 1):
            entry = {
                "seq": seq, "t": seq, "event": {"added": {"_0": 1}},
                "patch": [{"op": "replace", "path": "/total", "value": seq}],
                "outputs": [{"op": "replace", "path": "/isEven", "value": seq % 2 == 0}],
            }
            file.write(json.dumps(entry) + "\n")
    return name


class Branches(unittest.TestCase):
    def setUp(self):
        self.place = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.daemon = self.enterContext(Daemon(options=["--host", HOST]))

    def command(self, *words, code=0):
        return self.command_on(self.daemon, *words, code=code)

    def command_on(self, daemon, *words, code=0):
        environment = {key: value for key, value in os.environ.items() if "DEBUGD" not in key}
        run = subprocess.run(
            [BUILD / "debugd", *map(str, words), "--data", daemon.data],
            capture_output=True, text=True, env=environment, timeout=120)
        self.assertEqual(run.returncode, code, run.stdout + run.stderr)
        return run

    def recorded(self, count, app="Probe"):
        name = recording(self.place / "a.timeline", count, app)
        self.command("import", self.place / "a.timeline")
        return name

    def summary(self, timeline):
        with Inspector(self.daemon.socket) as inspector:
            for summary in inspector.ask("timelines")["timelines"]:
                if summary["header"]["timeline"] == timeline:
                    return summary

    def state(self, timeline, seq):
        with Inspector(self.daemon.socket) as inspector:
            return inspector.ask("state", timeline=timeline, seq=seq)["value"]

    def lines(self, timeline):
        return self.command("export", timeline).stdout

    def hosts(self):
        """The child processes of the daemon."""
        pid = self.daemon.process.pid
        text = pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text()
        everybody = [int(word) for word in text.split()]
        for thread in pathlib.Path(f"/proc/{pid}/task").iterdir():
            try:
                everybody += [int(word) for word in (thread / "children").read_text().split()]
            except (FileNotFoundError, ProcessLookupError):
                continue
        return set(everybody)

    def test_the_command_line_makes_branches_and_shows_the_tree(self):
        parent = self.recorded(500)
        before = self.lines(parent)
        made = json.loads(
            self.command(
                "fork", parent, "--drop", "5", "--insert", '9={"added":{"_0":100}}', "--name",
                "richer", "--json").stdout)
        branch = made["header"]["timeline"]
        self.assertEqual(made["name"], "richer")
        self.assertEqual(made["last"], 500)
        self.assertEqual(self.state(branch, 500)["state"]["total"], 599)
        self.assertEqual(self.state(branch, 500)["outputs"]["isEven"], False)
        self.command("fork", branch, "--again", "--name", "once more")
        tree = self.command("branches", parent).stdout.splitlines()
        self.assertEqual(len(tree), 3)
        self.assertIn("without 5, added before 9", tree[1])
        self.assertTrue(tree[2].startswith("  "))
        self.assertEqual(self.lines(parent), before)

    def test_a_branch_is_named_after_its_edits_and_says_how_it_ends(self):
        parent = self.recorded(20)
        made = self.command("fork", parent, "--drop", "5")
        self.assertIn("\nname       without added 5\n", made.stdout)
        self.assertTrue(
            made.stdout.endswith("\nAt the end: total 20 → 19, isEven true → false.\n"), made.stdout)
        command = advice("To look at its end, run: debugd state ……", made.stderr)
        shown = self.daemon.advised(command)
        self.assertEqual(json.loads(shown.stdout)["state"]["total"], 19)
        again = self.command("fork", parent, "--drop", "5")
        self.assertIn("\nname       without added 5 (2)\n", again.stdout)
        # A name that no shell reads as one word is not suggested.
        other = self.command("fork", parent, "--cut", "7", "--name", "it's")
        self.assertIn("At the end: total 20 → 7, isEven true → false.\n", other.stdout)
        self.assertRegex(other.stderr, r"run: debugd state [0-9a-f]{8} ")
        same = self.command("fork", parent, "--move", "3=9").stdout
        self.assertTrue(same.endswith("Ends in the same state.\n"), same)
        compared = self.command("compare", parent, "without added 5", code=1).stdout
        self.assertTrue(
            compared.endswith("  At the end: total 20 → 19, isEven true → false.\n"), compared)

    def test_a_minimized_branch_made_again_keeps_its_failure(self):
        parent = self.recorded(30)
        branch = json.loads(
            self.command("minimise", parent, "--until", "state.total >= 3", "--json").stdout
        )["timeline"]
        again = json.loads(self.command("fork", branch, "--again", "--json").stdout)
        self.assertNotEqual(again["header"]["timeline"], branch)
        # Its name says nothing that today's code may no longer do.
        self.assertEqual(again["name"], "3 events, again")
        self.command("rename", branch, "three of them")
        named = json.loads(self.command("fork", branch, "--again", "--json").stdout)
        self.assertEqual(named["name"], "three of them, again")
        # Branches of one name would look the same.
        for source, name in [(branch, "(2)"), (named["header"]["timeline"], "(3)")]:
            more = json.loads(self.command("fork", source, "--again", "--json").stdout)
            self.assertEqual(more["name"], f"three of them, again {name}")
        self.assertEqual(again["header"]["parent"]["failure"], "state.total >= 3")
        # Another script makes another branch, of which it is unknown whether it fails.
        other = json.loads(self.command("fork", branch, "--cut", "1", "--json").stdout)
        self.assertNotIn("failure", other["header"]["parent"])

    def test_reports_what_a_branch_waits_for_and_stops_waiting_at_a_signal(self):
        # Only the app makes its machines. It is stopped, so that the branch cannot be complete before it
        # disconnects.
        self.recorded(20_000, app="hosted")
        with Daemon() as daemon:
            self.command_on(daemon, "import", self.place / "a.timeline")
            with Probe("hosted", "live", debugd=f"unix:{daemon.socket}") as probe:
                probe.line("ready")
                freeze(probe.process)
                parent = json.loads((self.place / "a.timeline").read_text().splitlines()[0])
                command = subprocess.Popen(
                    [BUILD / "debugd", "fork", parent["timeline"], "--drop", "2", "--data",
                     daemon.data],
                    stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                    env=daemon.environment)
                self.addCleanup(command.kill)
                branch = self.branch_of(daemon, parent["timeline"])
                probe.process.kill()
                probe.process.wait()
            said = command.stderr.readline()
            self.assertRegex(said, r"^Waiting for a host: .*RecorderProbe\.Troubled\.self of the app hosted")
            self.assertIn("debugd host", said)
            said += command.stderr.readline()
            delete = advice(
                "Waiting for a host: … The branch goes on as soon as there is one. To stop waiting, "
                "press Ctrl-C; to give the branch up, run: debugd delete …", said)
            self.assertEqual(delete, f"debugd delete {branch[:8]} --data {daemon.data}")
            command.send_signal(signal.SIGINT)
            out, rest = command.communicate(timeout=60)
            self.assertEqual((command.returncode, out), (1, ""), rest)
            show = advice(
                "No longer waiting for the branch …, which is computed all the same. To see how far it "
                "is, run: debugd show …", rest)
            self.assertEqual(show, f"debugd show {branch[:8]} --data {daemon.data}")
            self.assertIn("computing", daemon.advised(show).stdout)
            # The branch continues without the command.
            self.command_on(daemon, "host", *HOST.split())
            self.assertEqual(completed(daemon, branch)["last"], 19_999)
            deleted = daemon.advised(delete + " --yes")
            self.assertEqual(deleted.returncode, 0, deleted)
            self.assertNotEqual(daemon.advised(show).returncode, 0)

    def branch_of(self, daemon, parent):
        """The branch of a timeline, once there is one."""
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            with Inspector(daemon.socket) as inspector:
                for summary in inspector.ask("timelines")["timelines"]:
                    if summary["header"].get("parent", {}).get("timeline") == parent:
                        return summary["header"]["timeline"]
            time.sleep(0.02)
        self.fail("no branch was made")

    def test_a_trap_ends_a_branch_at_its_entry(self):
        parent = self.recorded(300)
        made = self.command(
            "fork", parent, "--replace", '200={"trapped":{}}', "--json", code=3)
        summary = json.loads(made.stdout)
        self.assertEqual((summary["ended"], summary["last"]), ("trap", 199))
        self.assertIn("199", made.stderr)
        # The next branch has a new host.
        again = json.loads(self.command("fork", parent, "--drop", "200", "--json").stdout)
        self.assertEqual(again["last"], 299)

    def test_a_host_that_dies_silently_ends_a_branch_at_its_entry(self):
        parent = self.recorded(900)
        for seq in (2, 37, 511, 900):
            made = self.command(
                "fork", parent, "--replace", f'{seq}={{"exited":{{}}}}', "--json", code=3)
            summary = json.loads(made.stdout)
            self.assertEqual((summary["ended"], summary["last"]), ("trap", seq - 1))

    def test_a_branch_can_be_inspected_before_it_is_stored(self):
        parent = self.recorded(20_000)
        # On a busy machine, a branch may be stored before it is seen.
        while self.inspected(parent)["durable"] == 19_999:
            pass

    def inspected(self, parent):
        """Makes a branch and inspects it at once; returns the daemon's reply about it after that."""
        with Inspector(self.daemon.socket) as inspector:
            branch = inspector.ask("fork", timeline=parent, edits=[{"drop": 2}])["timeline"]
            end = inspector.ask("state", timeline=branch, seq=19_999)["value"]
            rows = inspector.ask(
                "entries", timeline=branch, count=10, direction="backward", **{"from": 19_999})
            middle = inspector.ask("state", timeline=branch, seq=10_000)["value"]
            summary = self.summary(branch)
            self.assertEqual(end["state"]["total"], 19_999)
            self.assertEqual(middle["state"]["total"], 10_000)
            self.assertEqual([row["seq"] for row in rows["entries"]], list(range(19_999, 19_989, -1)))
            self.assertEqual(rows["entries"][0]["was"], 20_000)
            self.assertEqual(summary["last"], 19_999)
            self.assertEqual(completed(self.daemon, branch)["durable"], 19_999)
            self.assertEqual(self.state(branch, 19_999), end)
            return summary

    def test_a_person_cancels_a_branch_and_makes_it_again(self):
        parent = self.recorded(20_000)
        before = self.lines(parent)
        # On a busy machine, a branch may be complete before it is canceled.
        while "ended" not in (summary := self.canceled(parent)):
            pass
        branch = summary["header"]["timeline"]
        self.assertEqual(summary["ended"], "cancelled")
        self.assertLess(summary["last"], 19_999)
        again = json.loads(self.command("fork", branch, "--again", "--json").stdout)
        self.assertEqual(again["last"], 19_999)
        self.assertEqual(self.lines(parent), before)
        self.assertEqual(self.command("check").returncode, 0)

    def canceled(self, parent):
        """Makes a branch and cancels it at once; returns the daemon's reply about it."""
        with Inspector(self.daemon.socket) as inspector:
            request = inspector.begin("fork", timeline=parent, edits=[{"drop": 2}])
            branch = inspector.answer(request)["timeline"]
            try:
                inspector.ask("cancel", request=request)
            except Refused as refusal:
                self.assertEqual(refusal.code, "not-found")
            return completed(self.daemon, branch)

    def test_a_branch_is_made_again_only_as_it_is(self):
        parent = self.recorded(10)
        self.command("fork", parent, "--drop", "5", "--name", "shorter")
        for option in (("--drop", "3"), ("--through", "7"), ("--start-state", "{}")):
            refused = self.command("fork", "shorter", "--again", *option, code=2)
            self.assertIn(
                f"--again repeats the branch's own edits, so remove {option[0]}.", refused.stderr)
        self.command("fork", "shorter", "--again")

    def test_a_recording_has_no_edits_to_repeat(self):
        parent = self.recorded(10)
        refused = self.command("fork", parent, "--again", code=1)
        command = advice(
            "is not a branch, so it has no edits to repeat. To compare it with today's reducer, run: "
            "debugd verify ……", refused.stderr)
        self.assertIn("same", self.daemon.advised(command).stdout)

    def test_continues_after_the_requester_disconnects(self):
        parent = self.recorded(5_000)
        with Inspector(self.daemon.socket) as inspector:
            branch = inspector.ask("fork", timeline=parent, edits=[{"drop": 2}])["timeline"]
        summary = completed(self.daemon, branch)
        self.assertNotIn("ended", summary)
        self.assertEqual(self.state(branch, 4_999)["state"]["total"], 4_999)

    def test_continues_after_the_app_that_runs_it_is_killed(self):
        # No executable makes machines of this app: only the app itself, in another process.
        parent = self.recorded(5_000, app="hosted")
        with Daemon() as daemon:
            self.command_on(daemon, "import", self.place / "a.timeline")
            with Probe("hosted", "process", debugd=f"unix:{daemon.socket}") as probe:
                probe.line("ready")
                with Inspector(daemon.socket) as inspector:
                    branch = inspector.ask(
                        "fork", timeline=parent, edits=[{"drop": 2}])["timeline"]
                    inspector.ask("state", timeline=branch, seq=300)
                probe.process.kill()
                probe.process.wait()
            with Probe("hosted", "process", debugd=f"unix:{daemon.socket}") as probe:
                probe.line("ready")
                summary = completed(daemon, branch)
                self.assertEqual(probe.end(), 0)
            self.assertNotIn("ended", summary)
            self.assertEqual(summary["last"], 4_999)
            with Inspector(daemon.socket) as inspector:
                end = inspector.ask("state", timeline=branch, seq=4_999)["value"]
            self.assertEqual(end["state"]["total"], 4_999)
            self.command_on(daemon, "check")

    def test_an_impossible_branch_is_refused_with_a_message(self):
        parent = self.recorded(20)
        for words, sentence in [
            (["--drop", "99"], "no entry 99"),
            (["--cut", "x"], "--cut takes the number of an entry"),
            (["--insert", "3"], "SEQ=EVENT"),
            ([], "needs an edit"),
        ]:
            run = subprocess.run(
                [BUILD / "debugd", "fork", parent, *words, "--data", self.daemon.data],
                capture_output=True, text=True)
            self.assertNotEqual(run.returncode, 0)
            self.assertIn(sentence, run.stderr)
        with Inspector(self.daemon.socket) as inspector:
            with self.assertRaises(Refused) as refused:
                inspector.ask("fork", timeline=parent, edits=[{"drop": 2}, {"drop": 2}])
            self.assertEqual(refused.exception.error["at"], 1)
            self.assertEqual(len(inspector.ask("timelines")["timelines"]), 1)

    def test_continues_after_the_host_or_the_daemon_is_killed(self):
        parent = self.recorded(2_500)
        with Inspector(self.daemon.socket) as inspector:
            first = inspector.ask("fork", timeline=parent, edits=[{"drop": 2}])["timeline"]
            inspector.ask("state", timeline=first, seq=257)
        for host in self.hosts():
            os.kill(host, signal.SIGKILL)
        summary = completed(self.daemon, first)
        self.assertNotIn("ended", summary)
        self.assertEqual(self.state(first, 2_499)["state"]["total"], 2_499)

        with Inspector(self.daemon.socket) as inspector:
            second = inspector.ask("fork", timeline=parent, edits=[{"drop": 3}])["timeline"]
            inspector.ask("state", timeline=second, seq=257)
        self.daemon.process.kill()
        self.daemon.process.wait()
        self.daemon.start()
        summary = completed(self.daemon, second)
        self.assertNotIn("ended", summary)
        self.assertEqual(self.state(second, 2_499)["state"]["total"], 2_499)
        self.assertEqual(self.command("check").returncode, 0)


if __name__ == "__main__":
    unittest.main()
