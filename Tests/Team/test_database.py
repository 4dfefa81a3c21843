"""A daemon whose timelines are in PostgreSQL: the lease, lost connections, and what it says."""

import contextlib
import os
import pathlib
import random
import shlex
import signal
import subprocess
import tempfile
import time
import unittest

from websockets.exceptions import ConnectionClosed

import cluster
from cluster import Database
from daemon import BUILD, Daemon
from freezing import freeze
from monitor import samples
from model import World
from peers import Inspector, Recorder, recorded
from takeover import line_of


def serving(database, **options):
    """A daemon on a database, in a new data folder."""
    return Daemon(options=["--store", database.address], **options)


def refused(options=(), data=None, **environment):
    """What `debugd serve` says that does not start; its exit code is not 0."""
    with tempfile.TemporaryDirectory(prefix="dbg") as folder:
        clean = {key: value for key, value in os.environ.items() if not key.startswith("DEBUGD")}
        result = subprocess.run(
            [BUILD / "debugd", "serve", "--listen", "127.0.0.1:0", "--data", data or folder, *options],
            capture_output=True, text=True, timeout=120, env=clean | environment,
            stdin=subprocess.DEVNULL)
        assert result.returncode != 0, result.stderr
        return result.stderr


def stored(daemon, world):
    """The entries of a timeline, as lines."""
    # Not `splitlines`, which also splits at separators that a string may have.
    text = daemon.run("export", world.id, "--as", "json-lines").stdout
    return text.removesuffix("\n").split("\n")


class Leases(unittest.TestCase):
    def test_a_second_daemon_says_who_has_the_database_and_until_when(self):
        with Database() as database, serving(database):
            words = refused(["--store", database.address])
            self.assertRegex(
                words,
                r"A daemon on \S+ serves the database; its lease is valid until "
                r"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ unless it is renewed. To fix, use that daemon, or "
                r"stop it first.")

    def test_the_next_daemon_starts_at_once_after_one_that_stopped_or_crashed(self):
        with Database() as database, serving(database) as first:
            world = World(seed=3)
            with Recorder(first.socket) as recorder:
                recorder.open(world.header)
                recorder.append(world.id, world.grow(30))
                recorder.wait_until_durable(world.id, world.seq)
            # The same data folder.
            first.kill()
            first.start()
            self.assertEqual(stored(first, world), world.lines)
            self.assertEqual(first.stop(), 0)
            # Another one.
            with serving(database) as second:
                self.assertEqual(stored(second, world), world.lines)

    def test_a_daemon_that_was_frozen_while_another_took_over_stores_nothing_and_ends(self):
        with Database() as database, serving(database) as frozen:
            world = World(seed=4)
            with Recorder(frozen.socket) as recorder:
                recorder.open(world.header)
                recorder.append(world.id, world.grow(20))
                recorder.wait_until_durable(world.id, world.seq)
                first = list(world.lines)
                freeze(frozen.process)
                recorder.append(world.id, world.grow(20))
                database.expire_lease()
                with serving(database) as next:
                    frozen.process.send_signal(signal.SIGCONT)
                    self.assertNotEqual(frozen.process.wait(120), 0)
                    self.assertIn(
                        "Another daemon has taken over the database, so this one ends. What it had not "
                        "acknowledged, recorders still have. To continue, use the other daemon.",
                        frozen.text())
                    self.assertNotIn("store.recovered", frozen.text())
                    with self.assertRaises(ConnectionClosed):
                        while True:
                            recorder.handle_next()
                    self.assertEqual(recorder.durable[world.id], 19)
                    self.assertEqual(stored(next, world), first)


class Outages(unittest.TestCase):
    def test_recording_waits_for_the_database_and_readers_learn_that(self):
        with Database() as database, serving(database) as daemon:
            world = World(seed=5)
            with Recorder(daemon.socket) as recorder:
                recorder.open(world.header)
                recorder.append(world.id, world.grow(20))
                recorder.wait_until_durable(world.id, world.seq)
                cluster.stop()
                try:
                    recorder.append(world.id, world.grow(20))
                    failed = daemon.run("entries", world.id, check=False)
                    self.assertEqual(failed.returncode, 1)
                    self.assertIn("The database does not answer: ", failed.stderr)
                    self.assertIn("What you see may be out of date", failed.stderr)
                    recorder.poll()
                    self.assertEqual(recorder.durable[world.id], 19)
                finally:
                    cluster.start()
                recorder.wait_until_durable(world.id, world.seq)
            self.assertEqual(stored(daemon, world), world.lines)

    def test_a_database_that_cannot_be_reached_is_one_sentence_with_a_command(self):
        words = refused(["--store", "postgres:///timelines?host=/nowhere"])
        self.assertIn("The database cannot be used: connecting failed: ", words)
        self.assertIn(
            "To fix, make this command work for the daemon's user: "
            "psql 'postgres:///timelines?host=/nowhere'", words)

    def test_nothing_acknowledged_is_lost_when_connections_end_at_random(self):
        chance = random.Random(21)
        worlds = [World(seed=100 + number) for number in range(3)]
        with Database() as database, serving(database) as daemon:
            recorders = [Recorder(daemon.socket) for _ in worlds]
            for recorder, world in zip(recorders, worlds):
                recorder.open(world.header)
            for _ in range(40):
                for recorder, world in zip(recorders, worlds):
                    recorder.append(world.id, world.grow(chance.randint(1, 40)))
                if chance.random() < 0.5:
                    database.end_connections(f"random() < {chance.random():.3f}")
            for recorder, world in zip(recorders, worlds):
                recorder.wait_until_durable(world.id, world.seq)
                recorder.close()
            for world in worlds:
                self.assertEqual(stored(daemon, world), world.lines)


class Pools(unittest.TestCase):
    def test_two_connections_serve_recorders_and_long_searches_at_once(self):
        with Database() as database, Daemon(options=["--store", database.pooled]) as daemon:
            searched = recorded(daemon, count=2000, seed=31)
            last = searched.seq
            worlds = [World(seed=40 + number) for number in range(4)]
            with contextlib.ExitStack() as open:
                inspectors = [open.enter_context(Inspector(daemon.socket)) for _ in range(6)]
                recorders = [open.enter_context(Recorder(daemon.socket)) for _ in worlds]
                for recorder, world in zip(recorders, worlds):
                    recorder.open(world.header)
                for _ in range(10):
                    # More searches than readers: each reader has a transaction, and some wait.
                    asked = [
                        inspector.begin(
                            "find", timeline=searched.id, predicate=f"seq == {last}", **{"from": 0})
                        for inspector in inspectors
                    ]
                    for recorder, world in zip(recorders, worlds):
                        recorder.append(world.id, world.grow(20))
                    for inspector, id in zip(inspectors, asked):
                        found = inspector.answer(id)
                        self.assertEqual(found["seqs"], [last])
                for recorder, world in zip(recorders, worlds):
                    recorder.wait_until_durable(world.id, world.seq)
            for world in worlds:
                self.assertEqual(stored(daemon, world), world.lines)


class Facts(unittest.TestCase):
    def test_status_says_which_store_it_is_and_on_how_many_machines_an_entry_is(self):
        with Database() as database, serving(database) as daemon:
            line_of(daemon, "durability", machines="1")
            status = daemon.json("status")
            self.assertEqual(status["store"], database.address)
            self.assertEqual(status["machines"], 1)
            self.assertRegex(daemon.run("status").stdout, r"saved on +1 machine\n")
            # No standby is connected, so nothing may be committed until the end.
            try:
                cluster.query("postgres", "ALTER SYSTEM SET synchronous_standby_names = '*'")
                cluster.query("postgres", "SELECT pg_reload_conf()")
                line_of(daemon, "durability", machines="2")
                self.assertEqual(daemon.json("status")["machines"], 2)
            finally:
                cluster.query("postgres", "ALTER SYSTEM RESET synchronous_standby_names")
                cluster.query("postgres", "SELECT pg_reload_conf()")

    def test_metrics_show_the_lease_and_no_disk_of_this_machine(self):
        with Database() as database, Daemon(
            options=["--store", database.address, "--metrics", "0"]) as daemon:
            line_of(daemon, "durability", machines="1")
            values = samples(daemon)
            self.assertEqual(values[("debugd_saved_copies",)], 1)
            renewed = values[("debugd_lease_renewed_timestamp_seconds",)]
            self.assertGreaterEqual(renewed, int(values[("process_start_time_seconds",)]))
            self.assertLessEqual(renewed, time.time())
            self.assertNotIn(("debugd_database_bytes",), values)

    def test_sqlite_is_one_machine(self):
        with Daemon() as daemon:
            status = daemon.json("status")
            self.assertEqual((status["store"], status["machines"]), ("SQLite", 1))

    def test_the_data_folder_has_no_database_and_is_not_used_without_the_other_one(self):
        with Database() as database, serving(database) as daemon:
            daemon.stop()
            names = {path.name for path in daemon.data.iterdir()}
            self.assertFalse({name for name in names if "sqlite" in name}, names)
            for words in (["list"], ["import", "none.timeline"]):
                failed = daemon.run(*words, check=False)
                self.assertIn("are in a database, and no daemon serves it here.", failed.stderr)
            self.assertIn("are in a database", refused(data=daemon.data))
            recovered = daemon.run("recover", check=False)
            self.assertIn(
                "so there is nothing to recover here. To fix, restore the database from its own backup.",
                recovered.stderr)
            self.assertEqual({path.name for path in daemon.data.iterdir()}, names)
            command = f"debugd serve --data {daemon.data} --store '{database.address}'"
            self.assertIn(
                f"The timelines of {daemon.data} are in a database, and no daemon serves it here. "
                f"To fix, run: debugd serve --data {daemon.data} --store '{database.address}'",
                failed.stderr)
            # The advice works as it is printed.
            daemon.options = shlex.split(command)[4:]
            daemon.start()
            self.assertIn("is held by process", refused(data=daemon.data))

    def test_recordings_in_the_data_folder_are_not_hidden(self):
        with Database() as database, Daemon() as daemon:
            daemon.stop()
            self.assertIn(
                "it has recordings of its own. To fix, use another one for the database: --data FOLDER",
                refused(["--store", database.address], data=daemon.data))


class Addresses(unittest.TestCase):
    def test_a_password_is_refused_and_not_repeated(self):
        address = "postgres://team:hunter2@db.example/timelines"
        for words in (refused(["--store", address]), refused(DEBUGD_STORE=address)):
            self.assertIn(
                "it has a password, which other users of this machine could read; put it into "
                "~/.pgpass, the file that PGPASSFILE names, or a service file", words)
            self.assertNotIn("hunter2", words)

    def test_it_comes_from_a_service_file_or_the_environment(self):
        with Database() as database, tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "services")
            file.write_text(
                f"[timelines]\nhost={cluster.FOLDER}\nuser=tests\ndbname={database.name}\n")
            environment = {"PGSERVICEFILE": str(file), "DEBUGD_STORE": "service=timelines"}
            with Daemon(environment=environment) as daemon:
                self.assertEqual(daemon.json("status")["store"], "service=timelines")
                self.assertEqual(database.run("SELECT count(*) FROM lease"), ["1"])


if __name__ == "__main__":
    unittest.main()
