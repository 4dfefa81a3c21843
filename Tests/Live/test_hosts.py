"""Hosts, and the commands that control live machines, as a user runs them."""

import json
import os
import signal
import subprocess
import time
import unittest

from daemon import BUILD, Daemon
from peers import Inspector
from probe import Probe

PROBE = f"{BUILD / 'RecorderProbe'}"
MAKES = "RecorderProbe.Troubled.self"


def until(what, call, seconds=60):
    """Waits until a call returns something true."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        found = call()
        if found:
            return found
        time.sleep(0.05)
    raise AssertionError(f"not in time: {what}")


def children(process):
    """The ids of a process's running children."""
    found = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/stat") as file:
                state, parent = file.read().rsplit(")", 1)[1].split()[:2]
        except (FileNotFoundError, ProcessLookupError):
            continue
        if int(parent) == process and state != "Z":
            found.append(int(name))
    return found


def is_running(process):
    try:
        with open(f"/proc/{process}/stat") as file:
            return file.read().rsplit(")", 1)[1].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


class Hosts(unittest.TestCase):
    def listed(self, daemon):
        return [json.loads(line) for line in daemon.run("hosts", "--json", check=False).stdout.splitlines()]

    def test_hosts_given_at_the_start(self):
        options = ["--host", f"{PROBE} host", "--host", "Depot=/no/such/App"]
        with Daemon(options=options) as daemon:
            good, bad = until("one host says what it makes, and the other one fails", lambda: (
                (found := self.listed(daemon)) and MAKES in found[0]["makes"]
                and [one["state"] for one in found] == ["idle", "failed"] and found))
            self.assertEqual((good["name"], good["place"]), ("RecorderProbe", "process"))
            self.assertEqual((bad["name"], bad["app"]), ("App", "Depot"))
            self.assertIn("there is no file /no/such/App", bad["problem"])
            shown = daemon.run("hosts", check=False)
            self.assertEqual(shown.returncode, 1)
            self.assertIn(MAKES, shown.stdout)
            self.assertIn("To fix", shown.stderr)
            until("it is logged", lambda: any(
                line.get("event") == "host.failed" for line in daemon.lines()))
            # The daemon is killed with a signal that it cannot handle: its hosts end.
            host, = children(daemon.process.pid)
            daemon.kill()
            until("the host ends with the daemon", lambda: not is_running(host))

    def test_a_host_given_while_the_daemon_runs(self):
        with Daemon() as daemon:
            nothing = daemon.run("hosts", check=False)
            self.assertEqual(nothing.returncode, 1)
            self.assertIn("debugd host .build/debug/App", nothing.stderr)
            wrong = daemon.run("host", "/bin/true", check=False)
            self.assertEqual(wrong.returncode, 1)
            self.assertIn("not a host", wrong.stderr)
            daemon.run("host", PROBE, "host", "--app", "Commute")
            self.assertEqual([host["app"] for host in self.listed(daemon)], ["Commute"])
            daemon.run("host", PROBE, "host", "--app", "Commute", "--app-version", "2.4")
            self.assertEqual(
                [(host["name"], host.get("version")) for host in self.listed(daemon)],
                [("RecorderProbe", None), ("RecorderProbe-2.4", "2.4")])
            self.assertIn("Commute 2.4", daemon.run("hosts").stdout)
            alone = daemon.run("host", PROBE, "--app-version", "2.4", check=False)
            self.assertEqual(alone.returncode, 2)
            self.assertIn("--app NAME", alone.stderr)
            processes = children(daemon.process.pid)
            self.assertEqual(len(processes), 2)
            self.assertEqual(daemon.stop(), 0)
            until("the hosts end with the daemon", lambda: not any(map(is_running, processes)))

    def test_apps_as_hosts(self):
        with Daemon() as daemon:
            for place in ("process", "live"):
                with Probe("hosted", place, debugd=f"unix:{daemon.socket}") as probe:
                    probe.line("ready")
                    host, = until("the app is a host", lambda: self.listed(daemon))
                    self.assertEqual((host["place"], host["app"]), (place, "hosted"))
                    until("it says what it makes", lambda: MAKES in self.listed(daemon)[0]["makes"])
                    self.assertEqual(probe.end(), 0)
                until("it is gone", lambda: not self.listed(daemon))

    def test_mistakes(self):
        with Daemon() as daemon:
            for words, code, sentence in [
                (["host"], 2, "EXECUTABLE"),
                (["hots"], 2, "Did you mean 'host"),
                (["hold"], 2, "MACHINE"),
                (["hold", "coin", "--policy", "maybe"], 2, "queue"),
                (["hold", "coin", "--for", "soon"], 2, "30s"),
                (["step", "coin", "none"], 2, "whole number"),
                (["dispatch", "coin"], 2, "EVENT"),
                (["dispatch", "coin", "{"], 2, "JSON"),
                (["restore", "coin"], 2, "SEQ"),
                (["resume", "coin"], 1, "There are no timelines yet"),
            ]:
                result = daemon.run(*words, check=False)
                self.assertEqual(result.returncode, code, (words, result))
                self.assertIn(sentence, result.stderr, words)
        for option, sentence in [
            (["--host", ""], "path"), (["--host-time", "never"], "10s"), (["--host", "'x"], "quotes"),
        ]:
            result = subprocess.run(
                [BUILD / "debugd", "serve", "--data", "/tmp/never-made", *option],
                capture_output=True, text=True, timeout=60)
            self.assertEqual(result.returncode, 2, result)
            self.assertIn(sentence, result.stderr)


class Driving(unittest.TestCase):
    def setUp(self):
        self.daemon = self.enterContext(Daemon())
        self.app = self.enterContext(
            Probe("control", "allowed", 20, debugd=f"unix:{self.daemon.socket}"))
        self.app.line("ready")
        until("the machine is recorded",
              lambda: self.daemon.run("list", "--names", check=False).stdout.count("clock"))

    def last(self):
        return self.daemon.json("show", "clock")["last"]

    def holding(self, *options):
        hold = subprocess.Popen(
            [BUILD / "debugd", "hold", "clock", "--data", str(self.daemon.data), *options],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=self.daemon.environment)
        self.addCleanup(hold.stdout.close)
        self.addCleanup(hold.stderr.close)
        self.addCleanup(lambda: hold.poll() is None and (hold.kill(), hold.wait()))
        self.assertRegex(hold.stdout.readline(), "^held  clock after entry [0-9]+")
        return hold

    def continues(self):
        last = self.last()
        until("the machine goes on", lambda: self.last() > last)

    def test_hold_step_dispatch_restore_resume(self):
        hold = self.holding()
        last = self.last()
        self.assertEqual(until("an event waits", lambda: self.daemon.run("step", "clock", check=False).stdout),
                         f"stepped  clock: entry {last + 1}\n")
        steps = []

        def run(count):
            lines = self.daemon.run("step", "clock", str(count), "--json", check=False).stdout.splitlines()
            steps.extend(json.loads(line)["seq"] for line in lines)
            return len(steps) == 3

        until("three events waited", lambda: run(3 - len(steps)))
        self.assertEqual(steps, [last + 2, last + 3, last + 4])
        self.daemon.run("dispatch", "clock", '{"said":{"_0":"hello"}}')
        self.daemon.run("dispatch", "clock", "--again", str(last + 5))
        self.assertEqual(self.daemon.json("state", "clock")["state"]["words"], ["hello", "hello"])
        self.daemon.run("dispatch", "clock", "ticked")
        self.daemon.run("restore", "clock", "0")
        self.assertEqual(self.daemon.json("state", "clock")["state"], {"ticks": 0, "words": []})
        wrong = self.daemon.run("dispatch", "clock", "tocked", check=False)
        self.assertEqual(wrong.returncode, 1)
        self.assertIn("event", wrong.stderr)
        self.assertEqual(self.last(), last + 8)
        self.assertEqual(self.daemon.run("resume", "clock").stdout, "resumed  clock\n")
        self.assertEqual(hold.wait(120), 0)
        self.continues()

    def test_ctrl_c_a_time_limit_and_kill_resume_the_machine(self):
        for how in (signal.SIGINT, signal.SIGKILL, None):
            hold = self.holding(*(["--for", "1s"] if how is None else []))
            if how:
                hold.send_signal(how)
            code = hold.wait(120)
            self.assertEqual(code, -9 if how == signal.SIGKILL else 0)
            self.continues()

    def test_dispatch_and_restore_hold_for_a_moment(self):
        self.assertIn("is holding clock", self.daemon.run("step", "clock", check=False).stderr)
        self.assertIn("is holding clock", self.daemon.run("resume", "clock", check=False).stderr)
        self.assertRegex(self.daemon.run("dispatch", "clock", "ticked").stdout, "^sent  clock: entry ")
        self.continues()
        self.daemon.run("restore", "clock", "0")
        self.continues()

    def test_capture(self):
        self.assertEqual(
            self.daemon.run("capture", "clock", "--pause", check=False).stdout.split()[0], "paused")
        # Earlier entries may still arrive. The machine keeps ticking; two dispatches without a new
        # entry show that it is no longer recorded.
        seen = []

        def is_quiet():
            self.daemon.run("dispatch", "clock", '{"said":{"_0":"unheard"}}')
            seen.append(self.last())
            return seen[-2:] == [seen[-1]] * 2

        until("nothing is recorded any more", is_quiet)
        last = seen[-1]
        self.daemon.run("capture", "clock", "--without", "ticked")
        self.daemon.run("dispatch", "clock", '{"said":{"_0":"heard"}}')

        def words():
            return self.daemon.json("state", "clock")["state"]["words"]

        # The next recorded entry has its full state.
        said = ["unheard"] * len(seen) + ["heard"]
        until("what is not left out is recorded", lambda: words() == said)
        entries = self.daemon.run("entries", "clock", "--from", str(last + 1), "--json").stdout
        events = [json.loads(line).get("event") for line in entries.splitlines()]
        self.assertNotIn({"ticked": {}}, events)
        self.assertEqual(self.daemon.run("capture", "clock").stdout.split()[0], "recorded")
        self.continues()
        wrong = self.daemon.run("capture", "clock", "--pause", "--only", "said", check=False)
        self.assertEqual(wrong.returncode, 2)
        for option in ("--only", "--without"):
            wrong = self.daemon.run("capture", "clock", option, "tickd", check=False)
            self.assertEqual(wrong.returncode, 1)
            self.assertIn("has no event 'tickd'. Did you mean 'ticked'?", wrong.stderr)

    def test_taking_over(self):
        hold = self.holding()
        other = self.daemon.run("hold", "clock", "--for", "1s", check=False)
        self.assertEqual(other.returncode, 1)
        self.assertIn("--take", other.stderr)
        self.daemon.run("hold", "clock", "--for", "1s", "--take")
        self.assertEqual(hold.wait(120), 1)
        self.assertIn("taken over", hold.stderr.read())
        self.continues()
        # An inspector that holds it is distinguished from a command.
        with Inspector(self.daemon.socket) as page:
            timeline = self.daemon.json("show", "clock")["header"]["timeline"]
            page.ask("hold", timeline=timeline, policy="queue")
            self.daemon.run("resume", "clock", "--take")
            self.continues()


if __name__ == "__main__":
    unittest.main()
