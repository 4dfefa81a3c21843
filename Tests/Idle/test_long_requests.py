"""A peer waits minutes for one answer: its connection stays open, even if it answers no pings."""

import json
import pathlib
import sys
import tempfile
import unittest

from daemon import ROOT, Daemon
from quiet_peers import EmptyPongs

sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "Examples"))
import host  # noqa: E402: the path above leads to it

# The daemon pings after 20 seconds of silence, and gives up 20 seconds later: the second ping shows
# that it would have.
PINGS = 2

# Each run of the reducer, so that a minimization has to wait for long.
DELAY = "time.sleep(2)\n    "


class Deaf(EmptyPongs):
    """A client that is busy until its answer arrives: it answers no pings."""

    def listen(self):
        """Reads nothing until it asks."""

    def ask(self, message):
        self.send(1, json.dumps(message).encode())
        while True:
            kind, payload = self.frame()
            if kind == 9:
                self.pings += 1
            elif kind == 8:
                self.end = payload
                return None
            elif (answer := json.loads(payload)).get("re") == message["id"] \
                    and answer["type"] != "progress":
                return answer


class LongRequests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def slow_host(self):
        """The example of a host, with a reducer that takes its time."""
        source = (ROOT / "Examples" / "host.py").read_text()
        place = "run, answer = Run(request.get(\"state\")), {}"
        self.assertEqual(source.count(place), 1)
        program = self.folder / "host.py"
        program.write_text(source.replace(place, DELAY + place))
        program.chmod(0o755)
        return program

    def test_a_request_of_minutes_finishes_although_pings_are_not_answered(self):
        with Daemon(options=["--host", str(self.slow_host())]) as daemon:
            file = self.folder / "vending.timeline"
            with open(file, "w", encoding="utf-8") as recording:
                host.record(recording, host.SESSION)
            timeline = daemon.run("import", file).stdout.split()[0]
            deaf = Deaf(path=daemon.socket)
            self.addCleanup(deaf.close)
            answer = deaf.ask({
                "type": "minimise", "id": 1, "timeline": timeline, "predicate": "state.tea < 0",
                "seconds": 600})
            self.assertIsNone(deaf.end, "the connection was closed while its request ran")
            self.assertNotEqual(answer["type"], "error", answer)
            self.assertGreaterEqual(deaf.pings, PINGS, "no pings, nothing tested")


if __name__ == "__main__":
    unittest.main()
