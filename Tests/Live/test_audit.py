"""The audit file of a running daemon: who did what, and nothing that was recorded."""

import json
import pathlib
import re
import stat
import unittest

from daemon import Daemon
from peers import Inspector, recorded


class Audit(unittest.TestCase):
    def test_it_says_who_did_what(self):
        with Daemon() as daemon:
            world = recorded(daemon, count=20, seed=8)
            file = daemon.data / "audit.log"
            self.assertFalse(file.exists(), "recording is not a deed of a session")
            page = daemon.run("open", "--print").stdout.strip()
            code = re.search('#code=([^"&]*)', pathlib.Path(page).read_text())[1]
            with Inspector(address=f"ws://127.0.0.1:{daemon.port}/", code=code) as inspector:
                inspector.ask("watch", timeline=world.id)
                inspector.ask("mark", timeline=world.id, seq=3, text="a secret remark")
                inspector.ask("entries", timeline=world.id, count=5, **{"from": 0})
            daemon.run("export", world.id, "--out", "-")
            daemon.run("delete", world.id, "--yes")
            self.assertEqual(daemon.stop(), 0)
            lines = [json.loads(line) for line in file.read_text().splitlines()]
            self.assertEqual(
                [(line["session"], line["event"]) for line in lines if line["event"] != "session.opened"],
                [("local", "code.issued"), ("s1", "timeline.viewed"), ("s1", "entry.marked"),
                 ("local", "timeline.exported"), ("local", "timeline.deleted")])
            self.assertEqual(
                [line["session"] for line in lines if line["event"] == "session.opened"], ["s1"])
            self.assertEqual({line.get("timeline") for line in lines}, {None, world.id})
            self.assertEqual(stat.S_IMODE(file.stat().st_mode), 0o600)
            self.assertNotIn("remark", file.read_text())
            self.assertNotIn(code.split(".")[1], file.read_text())


if __name__ == "__main__":
    unittest.main()
