"""A backup of a database that is made while an app records, with the commands of docs/team.md."""

import pathlib
import tempfile
import unittest

from backups import Writer, check_prefix, commands, facts, lines, run
from cluster import Database
from daemon import Daemon
from model import World
from peers import recorded


class DatabaseBackups(unittest.TestCase):
    def test_it_has_what_was_acknowledged(self):
        with tempfile.TemporaryDirectory(prefix="bak") as place, Database() as database:
            backup, data = pathlib.Path(place, "backup"), pathlib.Path(place, "data")
            with Daemon(options=["--store", database.address]) as daemon:
                finished = recorded(daemon, count=300, seed=5)
                daemon.run("mark", finished.id, "12", "here it goes wrong")
                world = World(seed=6)
                with Writer(daemon, world) as writer:
                    acknowledged = writer.wait_beyond(400)
                    run(commands("team.md", "pg_dump --format", data=daemon.data, backup=backup,
                                 store=f"'{database.address}'"))
                    writer.wait_beyond(max(acknowledged, writer.durable) + 1)
                secret = (daemon.data / "recorder.secret").read_bytes()
            with Database() as empty:
                data.mkdir(mode=0o700)
                run(commands("team.md", "pg_restore", data=data, backup=backup,
                             store=f"'{empty.address}'"))
                with Daemon(data=data, options=["--store", empty.address]) as again:
                    self.assertEqual(again.run("check").returncode, 0)
                    self.assertEqual(lines(again, finished.id), finished.lines)
                    check_prefix(self, lines(again, world.id), world, acknowledged)
                    self.assertEqual((data / "recorder.secret").read_bytes(), secret)
                    self.assertEqual(
                        facts(again, finished)["marks"], [{"seq": 12, "text": "here it goes wrong"}])


if __name__ == "__main__":
    unittest.main()
