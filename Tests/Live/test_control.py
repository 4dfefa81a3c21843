"""An inspector holds, steps, restores, and sends events to a live machine through the daemon."""

import pathlib
import tempfile
import threading
import time
import unittest

from daemon import Daemon
from peers import Inspector, Refused
from probe import Probe
from test_verification import HOST, added, recording


class Control(unittest.TestCase):
    def setUp(self):
        self.daemon = self.enterContext(Daemon())
        self.one = self.enterContext(Inspector(self.daemon.socket))

    def app(self, allowed=True):
        probe = self.enterContext(
            Probe(
                "control", "allowed" if allowed else "closed", 20,
                debugd=f"unix:{self.daemon.socket}",
            )
        )
        probe.line("ready")
        return probe

    def timeline(self, name, inspector=None, seconds=60):
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            for summary in (inspector or self.one).ask("timelines")["timelines"]:
                if summary["header"]["machine"]["name"] == name and summary.get("last", 0) > 0:
                    return summary["header"]["timeline"]
            time.sleep(0.02)
        self.fail(f"there is no timeline of {name}")

    def last(self, timeline):
        for summary in self.one.ask("timelines")["timelines"]:
            if summary["header"]["timeline"] == timeline:
                return summary["last"]

    def entry(self, timeline, seq):
        return self.one.ask("entries", timeline=timeline, **{"from": seq}, count=1)["entries"][0]

    def state(self, timeline, seq):
        return self.one.ask("state", timeline=timeline, seq=seq)["value"]["state"]

    def news(self, inspector, timeline, seconds=60, **expected):
        """Waits for a control message with these values."""
        deadline = time.monotonic() + seconds
        seen = []
        while time.monotonic() < deadline:
            while inspector.others:
                message = inspector.others.pop(0)
                if message["type"] == "control" and message["timeline"] == timeline:
                    seen.append(message)
                    if all(message.get(key) == value for key, value in expected.items()):
                        return message
            try:
                message = inspector.receive(0.2)
            except TimeoutError:
                continue
            if isinstance(message, dict):
                inspector.others.append(message)
        self.fail(f"no news that say {expected}, but {seen}")

    def continues(self, timeline, since, seconds=60):
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            if self.last(timeline) > since:
                return
            time.sleep(0.02)
        self.fail("the machine does not go on")

    def step(self, timeline, lease, seconds=60):
        """Runs the next event of the app, once one waits."""
        deadline = time.monotonic() + seconds
        while True:
            try:
                return self.one.ask("step", timeline=timeline, lease=lease)
            except Refused as refusal:
                self.assertEqual(refusal.code, "failed", refusal)
            self.assertLess(time.monotonic(), deadline, "no event waits")
            time.sleep(0.02)

    def refused(self, code, words, call, *arguments, **keys):
        with self.assertRaises(Refused) as refusal:
            call(*arguments, **keys)
        self.assertEqual(refusal.exception.code, code, refusal.exception)
        self.assertRegex(str(refusal.exception), words)

    def test_hold_step_dispatch_restore_and_resume(self):
        app = self.app()
        clock = self.timeline("clock")
        self.one.ask("watch", timeline=clock)
        held = self.one.ask("hold", timeline=clock, policy="queue")
        lease, seq = held["lease"], held["seq"]
        self.news(self.one, clock, held=True, yours=True)
        # The app's own events wait.
        time.sleep(0.3)
        self.assertEqual(self.last(clock), seq)
        ticks = self.state(clock, seq)["ticks"]
        for step in range(1, 4):
            self.assertEqual(self.step(clock, lease)["seq"], seq + step)
            self.assertEqual(self.state(clock, seq + step)["ticks"], ticks + step)
        seq += 3
        # The inspector's event goes before the waiting ones.
        done = self.one.ask("dispatch", timeline=clock, lease=lease, event={"said": {"_0": "hello"}})
        self.assertEqual(done["seq"], seq + 1)
        entry = self.entry(clock, seq + 1)
        self.assertEqual(entry["origin"], "inspector")
        self.assertEqual(entry["event"], {"said": {"_0": "hello"}})
        self.assertEqual(self.state(clock, seq + 1), {"ticks": ticks + 3, "words": ["hello"]})
        self.refused(
            "wrong-value", "event", self.one.ask, "dispatch", timeline=clock, lease=lease,
            event={"shouted": {}},
        )
        # Back to the start.
        done = self.one.ask("restore", timeline=clock, lease=lease, **{"from": {"timeline": clock, "seq": 0}})
        self.assertEqual(done["seq"], seq + 2)
        entry = self.entry(clock, seq + 2)
        self.assertEqual(entry["restored"], {"timeline": clock, "seq": 0})
        self.assertEqual(self.state(clock, seq + 2), {"ticks": 0, "words": []})
        self.refused("conflict", "lease", self.one.ask, "step", timeline=clock, lease="another")
        self.one.ask("resume", timeline=clock, lease=lease)
        self.news(self.one, clock, held=None)
        self.continues(clock, seq + 2)
        self.assertEqual(app.end(), 0)
        final, *words = app.line("clock")
        # The waiting events happened in the end, as those of the machine that was not held; the event
        # sent before the restore did not.
        all_ticks, = app.line("astray")
        self.assertEqual((words, int(final)), ([], int(all_ticks) - ticks - 3))
        self.assertEqual(self.state(clock, self.last(clock))["ticks"], int(final))

    def test_one_inspector_at_a_time(self):
        self.app()
        clock = self.timeline("clock")
        two = self.enterContext(Inspector(self.daemon.socket))
        for inspector in (self.one, two):
            inspector.ask("watch", timeline=clock)
        lease = self.one.ask("hold", timeline=clock, policy="queue")["lease"]
        news = self.news(two, clock, held=True)
        self.assertNotIn("yours", news)
        self.refused("conflict", "held", two.ask, "hold", timeline=clock, policy="queue")
        again = two.ask("hold", timeline=clock, policy="queue", take=True)["lease"]
        self.assertNotEqual(again, lease)
        self.news(two, clock, held=True, yours=True)
        self.assertNotIn("yours", self.news(self.one, clock, held=True, yours=None))
        self.refused("conflict", ".", self.one.ask, "step", timeline=clock, lease=lease)
        # The inspector that holds it disconnects: the machine resumes.
        seq = self.last(clock)
        two.close()
        self.news(self.one, clock, held=None)
        self.continues(clock, seq)

    def test_two_inspectors_fork_and_drive_at_once(self):
        self.daemon = self.enterContext(Daemon(options=["--host", HOST]))
        self.one = self.enterContext(Inspector(self.daemon.socket))
        two = self.enterContext(Inspector(self.daemon.socket))
        self.app()
        clock = self.timeline("clock")
        folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        path = folder / "a.timeline"
        path.write_text(recording([added(number) for number in range(1, 301)]))
        self.daemon.run("import", path)
        parent = self.timeline("troubled")
        before = self.daemon.run("export", parent).stdout
        lease = self.one.ask("hold", timeline=clock, policy="queue")["lease"]
        rounds = range(1, 16)
        branches, words, failures = {}, [], []

        def work(inspector, name, drives):
            try:
                for number in rounds:
                    made = inspector.ask("fork", timeline=parent, edits=[{"drop": number}])
                    branches[made["timeline"]] = number
                    if drives:
                        word = f"{name} {number}"
                        inspector.ask(
                            "dispatch", timeline=clock, lease=lease, event={"said": {"_0": word}})
                        words.append(word)
                        continue
                    try:
                        inspector.ask("step", timeline=clock, lease="another")
                        failures.append("it drove without the lease")
                    except Refused as refusal:
                        if refusal.code != "conflict":
                            failures.append(str(refusal))
            except Exception as error:
                failures.append(f"{name}: {error!r}")

        threads = [
            threading.Thread(target=work, args=(self.one, "one", True)),
            threading.Thread(target=work, args=(two, "two", False)),
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(120)
        self.assertEqual(failures, [])
        self.assertEqual(len(branches), 2 * len(rounds))
        self.assertEqual(self.state(clock, self.last(clock))["words"], words)
        total = sum(range(1, 301))
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            summaries = {
                summary["header"]["timeline"]: summary
                for summary in two.ask("timelines")["timelines"]
            }
            if not any("computing" in summaries[branch] for branch in branches):
                break
            time.sleep(0.05)
        for branch, dropped in branches.items():
            self.assertEqual(summaries[branch]["last"], 299)
            self.assertEqual(self.state(branch, 299)["total"], total - dropped)
        self.assertEqual(self.daemon.run("export", parent).stdout, before)

    def test_a_machine_resumes_when_the_daemon_dies(self):
        app = self.app()
        clock = self.timeline("clock")
        seq = self.one.ask("hold", timeline=clock, policy="queue")["seq"]
        self.daemon.kill()
        self.daemon.start()
        self.one = self.enterContext(Inspector(self.daemon.socket))
        self.continues(clock, seq)
        self.assertEqual(app.end(), 0)

    def test_an_app_that_did_not_opt_in(self):
        self.app(allowed=False)
        clock = self.timeline("clock")
        self.refused(
            "forbidden", "(?i)opt in", self.one.ask, "hold", timeline=clock, policy="queue")

    def test_a_machine_with_unknown_isolation(self):
        self.app()
        astray = self.timeline("astray")
        self.refused(
            "forbidden", "(?i)isolation|actor|attach|poll", self.one.ask, "hold", timeline=astray, policy="queue")
