"""A backup that is made while an app records, with the commands of docs/operate.md, and restored."""

import pathlib
import re
import stat
import tempfile
import unittest

from backups import Writer, check_prefix, commands, facts, lines, run
from daemon import Daemon
from model import World
from peers import Inspector, Recorder, recorded


class Backups(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory(prefix="bak")
        self.addCleanup(place.cleanup)
        self.place = pathlib.Path(place.name)

    def restored(self, backup):
        """A daemon on the files of a backup."""
        data = self.place / "restored"
        block = commands("operate.md", "cp -p /srv/backup")
        block = block.replace("~/.local/state/debugd", str(data))
        block = block.replace("/srv/backup/debugd-2026-05-01", str(backup))
        # The last two lines run debugd, which the test does.
        copying, checking, serving = block.strip().rsplit("\n", 2)
        self.assertEqual((checking, serving), ("debugd check", "debugd serve"))
        run(copying)
        return Daemon(data=data)

    def test_it_has_what_was_acknowledged_and_opens_with_the_old_keys(self):
        backup = self.place / "backup"
        with Daemon() as daemon:
            finished = recorded(daemon, count=300, seed=5)
            daemon.run("rename", finished.id, "before the crash")
            daemon.run("mark", finished.id, "12", "here it goes wrong")
            page = daemon.run("open", "--print").stdout.strip()
            code = re.search('#code=([^"&]*)', pathlib.Path(page).read_text())[1]
            with Inspector(address=f"ws://127.0.0.1:{daemon.port}/", code=code) as inspector:
                session = inspector.session
            world = World(seed=6)
            with Writer(daemon, world) as writer:
                acknowledged = writer.wait_beyond(400)
                run(commands("operate.md", "VACUUM INTO", data=daemon.data, backup=backup))
                # Recording continued.
                writer.wait_beyond(max(acknowledged, writer.durable) + 1)
            kept = facts(daemon, finished)
            secret = (daemon.data / "recorder.secret").read_bytes()
        for path in backup.iterdir():
            self.assertEqual(stat.S_IMODE(path.stat().st_mode), 0o600, path)
        with self.restored(backup) as again:
            self.assertEqual(again.run("check").returncode, 0)
            self.assertEqual(lines(again, finished.id), finished.lines)
            self.assertEqual(facts(again, finished), kept)
            check_prefix(self, lines(again, world.id), world, acknowledged)
            self.assertEqual((again.data / "recorder.secret").read_bytes(), secret)
            address = f"ws://127.0.0.1:{again.port}/"
            with Inspector(address=address, session=session) as inspector:
                self.assertEqual(len(inspector.ask("timelines")["timelines"]), 2)

    def test_a_restored_daemon_continues_the_timeline(self):
        backup = self.place / "backup"
        with Daemon() as daemon:
            world = World(seed=7)
            with Writer(daemon, world) as writer:
                writer.wait_beyond(200)
                run(commands("operate.md", "VACUUM INTO", data=daemon.data, backup=backup))
        with self.restored(backup) as again, Recorder(again.socket) as recorder:
            stored = len(lines(again, world.id))
            recorder.open(world.header)
            for first in range(stored, len(world.lines), 500):
                recorder.append(world.id, world.lines[first:first + 500])
            recorder.wait_until_durable(world.id, world.seq)
            self.assertEqual(lines(again, world.id), world.lines)


if __name__ == "__main__":
    unittest.main()
