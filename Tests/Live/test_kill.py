"""`kill -9` of the daemon at random moments: no acknowledged entry is lost, and none is duplicated.

LIVE_ROUNDS is the number of rounds; scripts/crash-rounds plays hundreds.
"""

import os
import random
import shutil
import sqlite3
import tempfile
import threading
import time
import unittest

from daemon import Daemon
from model import World
from peers import Inspector, Recorder

ROUNDS = int(os.environ.get("LIVE_ROUNDS", "10"))


class Kills(unittest.TestCase):
    def test_nothing_acknowledged_is_lost(self):
        chance = random.Random(42)
        worlds = [World(100 + index, name=f"machine {index}") for index in range(3)]
        acknowledged = {world.id: -1 for world in worlds}
        with Daemon() as daemon:
            for number in range(ROUNDS):
                with self.subTest(round=number):
                    self.play(daemon, worlds, acknowledged, chance)
                    daemon.start()
                    self.check(daemon, worlds, acknowledged)
            daemon.stop()
            self.assertEqual(daemon.run("check", check=False).returncode, 0)

    def play(self, daemon, worlds, acknowledged, chance):
        """Records until the daemon dies, at a random moment."""
        delay = chance.choice([0.0, 0.01, 0.05, 0.2, 0.5]) * (0.5 + chance.random())
        killer = threading.Timer(delay, daemon.process.kill)
        recorder = Recorder(daemon.socket, [world.id for world in worlds])
        self.assertEqual(
            recorder.welcome["durable"],
            {id: seq if seq >= 0 else None for id, seq in self.durable.items()}
            if hasattr(self, "durable") else {world.id: None for world in worlds},
        )
        for world in worlds:
            recorder.open(world.header)
        killer.start()
        try:
            self.resend(recorder, worlds)
            while True:
                world = chance.choice(worlds)
                recorder.append(world.id, world.grow(chance.choice([1, 20, 200])))
                recorder.poll()
                acknowledged.update(recorder.durable)
        except Exception:
            # The connection is lost; what was acknowledged before counts.
            try:
                while True:
                    recorder.handle_next(seconds=1)
            except Exception:
                pass
        acknowledged.update(recorder.durable)
        self.assertEqual(recorder.errors, [])
        killer.join()
        daemon.process.wait()

    def resend(self, recorder, worlds):
        """Sends everything that is not known to be durable again; sending too much does no harm."""
        for world in worlds:
            durable = recorder.durable.get(world.id, -1)
            lines = [
                line for entry, line in zip([e for e in world.entries if e], world.lines)
                if entry["seq"] > durable - 3
            ]
            for start in range(0, len(lines), 500):
                recorder.append(world.id, lines[start : start + 500])

    def check(self, daemon, worlds, acknowledged):
        self.durable = {}
        with Inspector(daemon.socket) as inspector:
            known = {
                summary["header"]["timeline"]: summary
                for summary in inspector.ask("timelines")["timelines"]
            }
            for world in worlds:
                last = known.get(world.id, {}).get("last", -1)
                self.durable[world.id] = last
                self.assertGreaterEqual(last, acknowledged[world.id], "an acknowledged entry is gone")
                expected = [e["seq"] for e in world.entries if e and e["seq"] <= last]
                found, at = [], 0
                while at is not None and world.id in known:
                    answer = inspector.ask(
                        "entries", timeline=world.id, **{"from": at}, count=1000
                    )
                    found += [entry["seq"] for entry in answer["entries"]]
                    at = answer.get("next")
                self.assertEqual(found, expected, "entries are doubled or missing")

    def test_killed_while_the_database_is_created(self):
        half = 0
        for number in range(60):
            # Some before the file exists, the others soon after.
            daemon = Daemon()
            try:
                daemon.start(wait=False)
                file = daemon.data / "timelines.sqlite"
                while number >= 3 and not file.exists():
                    self.assertIsNone(daemon.process.poll(), daemon.text())
                time.sleep(number % 6 * 0.0005)
                daemon.kill()
                half += self.is_half_made(daemon.data)
                daemon.start()
                with Recorder(daemon.socket) as recorder:
                    world = World(1)
                    recorder.open(world.header)
                    recorder.append(world.id, world.grow(5))
                    recorder.wait_until_durable(world.id, world.seq)
            finally:
                daemon.__exit__()
            if half >= 3 and number >= 8:
                break
        self.assertGreater(half, 0, "no kill came in time")

    def is_half_made(self, data):
        """Whether the database lacks its tables; checked in a copy."""
        if not (data / "timelines.sqlite").exists():
            return False
        with tempfile.TemporaryDirectory() as place:
            for file in data.glob("timelines.sqlite*"):
                shutil.copy(file, place)
            database = sqlite3.connect(f"{place}/timelines.sqlite")
            try:
                return database.execute("PRAGMA user_version").fetchone()[0] == 0
            finally:
                database.close()
