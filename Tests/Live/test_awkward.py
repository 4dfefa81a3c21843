"""debugd under awkward conditions: a reader that pauses, files with one name."""

import json
import os
import subprocess
import tempfile
import unittest

from daemon import BUILD, Daemon
from model import World
from peers import Inspector, Recorder, recorded


class Awkward(unittest.TestCase):
    def test_a_test_and_its_fixture_have_names_of_their_own(self):
        with Daemon() as daemon, tempfile.TemporaryDirectory() as place:
            recorded(daemon, count=20)
            make = ["--make", "Coin.build()", "--as", "json"]
            refused = daemon.run(
                "export", "coin", *make, "-o", f"{place}/coin.json", check=False)
            self.assertIn(
                f"A test in Swift needs a name that ends in .swift, and '{place}/coin.json' does not. "
                "To fix, name a folder: --out FOLDER/", refused.stderr)
            self.assertEqual(os.listdir(place), [])
            daemon.run("export", "coin", *make, "-o", f"{place}/CoinTests.swift")
            self.assertEqual(sorted(os.listdir(place)), ["CoinTests.swift", "coin.json"])

    def test_a_tail_whose_reader_pauses_shows_every_entry(self):
        with Daemon() as daemon:
            world = World(34)
            with Recorder(daemon.socket) as recorder, Inspector(daemon.socket) as inspector:
                recorder.open(world.header)
                recorder.append(world.id, world.grow(5))
                recorder.wait_until_durable(world.id, world.seq)
                tail = subprocess.Popen(
                    [BUILD / "debugd", "tail", "coin", "--json", "--exit"]
                    + ["--data", str(daemon.data)],
                    stdout=subprocess.PIPE, text=True, env=daemon.environment,
                )
                self.addCleanup(tail.stdout.close)
                self.addCleanup(tail.kill)
                seen = [tail.stdout.readline()]
                # More than the pipe holds, so that it blocks; then more updates than it buffers.
                for _ in range(10):
                    recorder.append(world.id, world.grow(200))
                recorder.wait_until_durable(world.id, world.seq)
                inspector.ask("watch", timeline=world.id)
                messages = 0
                while messages < 150:
                    recorder.append(world.id, world.grow(1))
                    while inspector.receive()["type"] != "live":
                        pass
                    messages += 1
                recorder.wait_until_durable(world.id, world.seq)
                recorder.close_timeline(world.id)
            seen = [json.loads(line)["seq"] for line in seen + tail.stdout.readlines()]
            self.assertEqual(seen, [seq for seq, entry in enumerate(world.entries) if entry])
            self.assertEqual(tail.wait(60), 0)
