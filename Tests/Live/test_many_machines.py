"""A program with more machines than a recorder may have timelines open."""

import unittest

from daemon import Daemon
from peers import Inspector
from probe import Probe


class ManyMachines(unittest.TestCase):
    def test_more_machines_than_open_timelines_are_recorded_across_a_restart(self):
        count = 1_050
        with Daemon() as daemon:
            with Probe("crowd", count, debugd=f"unix:{daemon.socket}") as app:
                self.assertEqual(app.line("ready"), ["true"])
                with Inspector(daemon.socket) as page:
                    timelines = page.ask("timelines")["timelines"]
                    self.assertEqual(len(timelines), count)
                    self.assertTrue(all(one.get("live") for one in timelines))
                # Machines that were parked, and others.
                print("7", file=app.process.stdin, flush=True)
                app.line("stored")
                daemon.kill()
                print("50", file=app.process.stdin, flush=True)
                daemon.start()
                app.line("stored")
                print("1", file=app.process.stdin, flush=True)
                app.line("stored")
                app.process.stdin.close()
                counts = app.line("closed")
            entries = count + len(range(0, count, 7)) + len(range(0, count, 50)) + count
            self.assertEqual(
                counts, ["true", "recorded", str(entries), "acknowledged", str(entries),
                         "lost", "0", "thinned", "0"])
            with Inspector(daemon.socket) as page:
                timelines = page.ask("timelines")["timelines"]
            for one in timelines:
                number = int(one["header"]["machine"]["name"][1:])
                expected = 2 + (number % 7 == 0) + (number % 50 == 0)
                self.assertEqual((one["entries"], one.get("live")), (expected, None), number)


if __name__ == "__main__":
    unittest.main()
