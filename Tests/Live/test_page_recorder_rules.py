"""The rules of the protocol that recorder.js follows, as test_recorder_rules.py checks recorder.py."""

import unittest

from daemon import Daemon
from fake_daemon import FakeDaemon
from recorder_page import PageTest


class JavaScriptRules(PageTest):
    def is_stored(self):
        """Whether everything is stored in time; ends the recorder of the page."""
        return self.page.evaluate("recorder.close(60_000)")

    def opened(self, daemon, name):
        daemon.wait(lambda: name in daemon.names.values())

    def test_batches_are_small_and_wait_for_credit(self):
        with FakeDaemon(credit=100_000) as daemon:
            self.run_in_page(daemon, """
              const machine = recorder.machine("m", { n: 0, text: "" });
              for (let n = 1; n <= 4000; n += 1) {
                machine.record({ step: n }, { n, text: "x".repeat(400) });
              }
              window.recorder = recorder;""")
            daemon.wait(lambda: sum(daemon.sizes) >= 100_000)
            # Each attempt to send ends with an 'open': what it sent for "m" comes before the next one.
            for name in "other", "third":
                self.page.evaluate(f"void recorder.machine('{name}', {{}})")
                self.opened(daemon, name)
            # One message may exceed the credit, but no further one.
            self.assertLessEqual(sum(daemon.sizes[:-1]), 100_000)
            with daemon.changed:
                daemon.send("credit", bytes=1 << 30)
            self.assertTrue(self.is_stored())
            self.assertLessEqual(max(daemon.sizes), 256 * 1024 + 200)
            self.assertLessEqual(max(len(one["entries"]) for one in daemon.of("append")), 1_000)
            self.assertEqual([one["seq"] for one in daemon.entries("m")], list(range(4_001)))

    def test_a_loss_at_the_end_is_reported_at_close(self):
        with FakeDaemon() as daemon:
            self.run_in_page(daemon, """
              window.machine = recorder.machine("m", { n: 0 });
              window.recorder = recorder;""")
            self.page.wait_for_function("machine.durable === 0")
            # Too large for a message.
            self.page.evaluate("machine.record({ big: 'x'.repeat(4 * 1024 * 1024) }, { n: 1 })")
            self.assertTrue(self.is_stored())
            daemon.wait(lambda: daemon.of("close"))
            self.assertEqual(daemon.of("close")[0]["gap"]["lost"], 1)

    def test_a_loss_before_the_end_is_a_gap_with_a_state(self):
        with FakeDaemon() as daemon:
            self.run_in_page(daemon, """
              const machine = recorder.machine("m", { n: 0 });
              machine.record({ big: "x".repeat(4 * 1024 * 1024) }, { n: 1 });
              machine.record({ step: 2 }, { n: 2 });
              window.recorder = recorder;""")
            self.assertTrue(self.is_stored())
            first, last = daemon.entries("m")
            self.assertEqual((first["seq"], last["seq"], last["gap"]["lost"]), (0, 2, 1))
            self.assertEqual(last["state"], {"n": 2})
            self.assertNotIn("patch", last)

    def test_a_new_connection_resumes_after_the_durable_entries(self):
        with FakeDaemon() as daemon:
            self.run_in_page(daemon, """
              window.machine = recorder.machine("m", { n: 0 });
              machine.record({ step: 1 }, { n: 1 });
              window.recorder = recorder;""")
            self.page.wait_for_function("machine.durable === 1")
            with daemon.changed:
                daemon.acknowledges = False
            self.page.evaluate("machine.record({ step: 2 }, { n: 2 })")
            daemon.wait(lambda: len(daemon.entries("m")) == 3)
            with daemon.changed:
                daemon.acknowledges, lost = True, daemon.socket
            lost.close()
            self.assertTrue(self.is_stored())
            self.assertEqual([one["seq"] for one in daemon.entries("m")], [0, 1, 2, 2])

    def test_a_thousand_machines_are_recorded_and_more_are_ignored(self):
        with Daemon(options=["--origin", self.origin]) as daemon:
            stored, ignored = self.run_in_page(daemon, """
              const names = Array.from({ length: 1010 }, (_, n) => `m${n}`);
              const machines = names.map((name, n) => recorder.machine(name, { n }));
              for (const machine of machines) machine.record({ step: 1 }, { n: -1 });
              const stored = await recorder.close(60_000);
              return [stored, machines.filter(({ isOff }) => isOff).length];""",
                secret=(daemon.data / "recorder.secret").read_text())
            self.assertTrue(stored)
            self.assertEqual(ignored, 10)
            self.assertEqual(daemon.json("status")["timelines"], 1_000)


if __name__ == "__main__":
    unittest.main()
