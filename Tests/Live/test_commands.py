"""Every command of debugd: with a running daemon, and with the store alone."""

import contextlib
import json
import os
import pathlib
import queue
import signal
import sqlite3
import subprocess
import tempfile
import threading
import time
import unittest

from daemon import BUILD, Daemon
from model import World, same
from peers import Inspector, Recorder, packed, recorded


class Commands(unittest.TestCase):
    def test_output_is_the_same_with_and_without_a_daemon(self):
        with Daemon() as daemon:
            world = recorded(daemon)
            packed(daemon, world)
            live = self.look(daemon, world)
            daemon.stop()
            self.assertEqual(self.look(daemon, world), live)

    def look(self, daemon, world):
        said = []

        def run(*words):
            result = daemon.run(*words)
            said.append(result.stdout)
            return result.stdout

        self.assertEqual(json.loads(run("list", "--json"))["header"], world.header)
        self.assertIn(world.id, run("list", "--names").split())
        for line in daemon.run("list", "--all").stdout.splitlines():
            self.assertEqual(line, line.rstrip())
        self.assertIn(world.id, run("show", "coin"))
        lines = run("entries", "coin", "--from", 0, "--count", 1000, "--json").rstrip("\n").split("\n")
        self.assertEqual(
            [json.loads(line)["seq"] for line in lines], [e["seq"] for e in world.entries if e]
        )
        known = [seq for seq, moment in enumerate(world.moments) if moment]
        first, last = known[0], known[-1]
        # A range beyond the end is empty, and ends there.
        self.assertEqual(run("entries", "coin", "--from", last + 1, "--json"), "")
        value = json.loads(run("state", world.id[:8], last, "--json"))
        self.assertTrue(same(value, world.moments[last]))
        count = json.loads(run("state", "coin", last, "--path", "count", "--json"))
        self.assertEqual(count, world.at(last, "/state/count"))
        self.assertTrue(json.loads(run("diff", "coin", first, last, "--json")))
        self.assertEqual(json.loads(run("diff", "coin", last, f"coin:{last}", "--json")), [])
        changed, _ = world.changes("/outputs/side")
        lines = run("changes", "coin", "/outputs/side", "--after", 0, "--json").rstrip("\n").split("\n")
        self.assertEqual([json.loads(line)["seq"] for line in lines], changed[:20])
        for change in map(json.loads, lines):
            entry = world.entries[change["seq"]]
            self.assertEqual(change.get("event"), entry.get("event"))
        shown = run("changes", "coin", "/outputs/side", "--after", 0, "--limit", 1)
        self.assertRegex(shown, rf"^ +{changed[0]}  .* → .*  {world.name(changed[0])}\b")
        flips = [s for s in range(world.seq + 1) if world.entries[s] and world.name(s) == "flip"]
        lines = run(
            "find", "coin", 'event == "flip"', "--limit", 100, "--json"
        ).rstrip("\n").split("\n")
        self.assertEqual([json.loads(line)["seq"] for line in lines], flips)
        column = run("column", "coin", "/outputs/side", "--from", last, "--count", 1)
        self.assertEqual(
            column.splitlines()[1], f"{last}\t{json.dumps(world.at(last, '/outputs/side'))}"
        )
        overview = json.loads(run("overview", "coin", "--buckets", 4, "--json"))
        self.assertEqual(sum(overview["entries"]), len([e for e in world.entries if e]))
        self.assertIn("all is well", run("check"))
        return said

    def test_a_loss_at_the_end_shows_wherever_the_timeline_does(self):
        sentence = "3 after the last entry: the disk was full"

        def check():
            timeline = json.loads(daemon.run("list", "--json").stdout)
            self.assertEqual(timeline["gap"], {"lost": 3, "why": "the disk was full"})
            self.assertIn("3 lost at its end", daemon.run("list").stdout)
            self.assertIn(sentence, daemon.run("show", world.id).stdout)
            with tempfile.TemporaryDirectory() as folder:
                out = pathlib.Path(folder, "out.timeline")
                self.assertIn(sentence, daemon.run("export", world.id, "-o", out).stderr)
                # An export that ends before the gap has no loss.
                part = daemon.run("export", world.id, "--to", 5, "-o", out, "--force")
                self.assertNotIn("lost", part.stderr)

        with Daemon() as daemon:
            world = World(4)
            with Recorder(daemon.socket) as recorder:
                recorder.open(world.header)
                recorder.append(world.id, world.grow(20))
                recorder.wait_until_durable(world.id, world.seq)
                gap = {"lost": 3, "why": "the disk was full"}
                recorder.close_timeline(world.id, gap=gap)
            with Inspector(daemon.socket) as inspector:
                deadline = time.monotonic() + 60
                while "gap" not in (timeline := inspector.ask("timelines")["timelines"][0]):
                    self.assertLess(time.monotonic(), deadline, "the timeline is not closed")
                self.assertEqual(timeline["gap"], gap)
            check()
            daemon.stop()
            check()

    def test_exported_files_import_unchanged(self):
        with Daemon() as daemon, tempfile.TemporaryDirectory() as place:
            world = recorded(daemon, count=300)
            file = pathlib.Path(place, "coin.timeline")
            daemon.run("export", "coin", "--out", file)
            # Not `splitlines`: recorded text may contain other line separators.
            lines = file.read_text().rstrip("\n").split("\n")
            self.assertEqual(json.loads(lines[0]), world.header)
            self.assertEqual(lines[1:], world.lines)
            self.assertEqual(file.stat().st_mode & 0o777, 0o600)
            refused = daemon.run("export", "coin", "--out", file, check=False)
            self.assertEqual(refused.returncode, 1)
            self.assertIn("--force", refused.stderr)
            table = daemon.run("export", "coin", "--as", "csv", "-p", "/count", "--out", "-").stdout
            self.assertEqual(table.count("\n"), 1 + len(world.lines))
            daemon.run("delete", "coin", "--yes")
            self.assertEqual(daemon.run("list").stdout, "")
            taken = daemon.json("import", file)
            self.assertEqual(daemon.json("show", "coin")["entries"], len(world.lines))
            self.assertEqual(taken["file"], str(file))
            torn = pathlib.Path(place, "torn.timeline")
            torn.write_bytes(file.read_bytes()[:-20])
            daemon.run("delete", "coin", "--yes")
            done = daemon.run("import", torn, check=False)
            self.assertEqual(done.returncode, 3)
            self.assertIn(f"The file ends in the middle of line {len(lines)}.", done.stderr)
            self.assertEqual(daemon.json("show", "coin")["entries"], len(world.lines) - 1)

    def test_exports_follow_no_link(self):
        with Daemon() as daemon, tempfile.TemporaryDirectory() as place:
            recorded(daemon)
            victim, link = pathlib.Path(place, "victim"), pathlib.Path(place, "link.timeline")
            link.symlink_to(victim)
            # A link to a missing file is in the way, too.
            refused = daemon.run("export", "coin", "-o", link, check=False)
            self.assertEqual(refused.returncode, 1)
            self.assertIn("--force", refused.stderr)
            victim.write_text("a secret")
            daemon.run("export", "coin", "-o", link, "--force")
            self.assertEqual(victim.read_text(), "a secret")
            self.assertFalse(link.is_symlink())
            self.assertEqual(link.stat().st_mode & 0o777, 0o600)

    def test_timelines_become_tests_and_files_of_other_tools(self):
        with Daemon() as daemon, tempfile.TemporaryDirectory() as place:
            world = recorded(daemon, count=300)
            tests = pathlib.Path(place, "Tests")
            make = ["--make", "Coin.build()"]
            # More than a hundred events: the source, and next to it the fixture that it replays.
            daemon.run("export", "coin", "--as", "swift-testing", *make, "--out", f"{tests}/")
            names = sorted(file.name for file in tests.iterdir())
            self.assertEqual(names, ["CoinTests.swift", "coin.timeline"])
            source = (tests / "CoinTests.swift").read_text()
            self.assertIn('try replay("coin.timeline", making: Coin.build())', source)
            lines = (tests / "coin.timeline").read_text().rstrip("\n").split("\n")
            self.assertEqual(lines[1:], world.lines)
            refused = daemon.run("export", "coin", "--as", "xctest", *make, check=False)
            self.assertIn("--out FOLDER", refused.stderr)
            self.assertEqual(refused.stdout, "")
            # The same bytes every time, and neither file if one of them cannot be written.
            again = pathlib.Path(place, "Again")
            daemon.run("export", "coin", "--as", "swift-testing", *make, "--out", f"{again}/")
            for name in names:
                self.assertEqual((again / name).read_bytes(), (tests / name).read_bytes())
            (again / "CoinTests.swift").unlink()
            half = daemon.run(
                "export", "coin", "--as", "swift-testing", *make, "--out", f"{again}/", check=False)
            self.assertEqual(half.returncode, 1)
            self.assertIn("coin.timeline", half.stderr)
            self.assertEqual([file.name for file in again.iterdir()], ["coin.timeline"])
            own = pathlib.Path(place, "Own", "mine.swift")
            own.parent.mkdir()
            daemon.run("export", "coin", "--as", "swift-testing", *make, "--out", own)
            self.assertEqual(
                sorted(file.name for file in own.parent.iterdir()), ["coin.timeline", "mine.swift"])
            self.assertEqual(own.read_bytes(), (tests / "CoinTests.swift").read_bytes())
            few = ["--from", 0, "--to", 8, "--assert", "final", "--name", "some flips"]
            daemon.run("export", "coin", "--as", "quick", *make, *few, "-o", f"{place}/one.swift")
            spec = pathlib.Path(place, "one.swift").read_text()
            self.assertIn("final class SomeFlipsSpec: QuickSpec {", spec)
            self.assertIn("try coin.to(", spec)
            lifted = pathlib.Path(place, "state.json")
            daemon.run("export", "coin", "--as", "redux", "--out", lifted)
            staged = json.loads(lifted.read_text())["stagedActionIds"]
            self.assertEqual(len(staged), len(world.lines))
            again = daemon.json("import", lifted)["timeline"]
            self.assertEqual(daemon.json("show", again)["entries"], len(world.lines))
            # The format has no field for outputs.
            states = [json.loads(daemon.run("state", id, 0).stdout) for id in [again, world.id]]
            self.assertEqual(states[0]["state"], states[1]["state"])
            actions = pathlib.Path(place, "actions.json")
            actions.write_text('[{"type":"added"},{"type":"cleared"}]')
            taken = daemon.json("import", actions)["timeline"]
            self.assertEqual(daemon.json("show", taken)["entries"], 3)
            actions.write_text('[{"kind":"added"}]')
            self.assertIn("type", daemon.run("import", actions, check=False).stderr)

    def test_names_marks_and_limits(self):
        with Daemon() as daemon:
            recorded(daemon, name="old", seed=1)
            recorded(daemon, name="new", seed=2)
            daemon.run("rename", "old", "before the crash")
            daemon.run("mark", "before the crash", 3, "here")
            self.assertEqual(
                daemon.json("show", "before the crash")["marks"], [{"seq": 3, "text": "here"}]
            )
            pruned = daemon.json("prune", "--per-app", 1)
            self.assertEqual(pruned["deleted"], [])
            daemon.run("mark", "old", 3, "--remove")
            self.assertEqual(len(daemon.json("prune", "--per-app", 1)["deleted"]), 1)
            self.assertEqual(daemon.json("status")["timelines"], 1)
            self.assertIn("nothing was changed", self.recover(daemon))

    def recover(self, daemon):
        daemon.stop()
        return daemon.run("recover").stdout

    def test_a_damaged_database_is_recovered_with_a_loss(self):
        with Daemon() as daemon:
            packed(daemon, recorded(daemon, count=3000))
            daemon.stop()
            file = max(daemon.data.glob("*.*"), key=lambda file: file.stat().st_size)
            # Sealing leaves empty pages; damage to one of those would not be a loss.
            with contextlib.closing(sqlite3.connect(file)) as database:
                database.execute("VACUUM")
            content = bytearray(file.read_bytes())
            # In the stored entries; the index could be rebuilt without a loss.
            lines = content.find(b"\x28\xb5\x2f\xfd", len(content) // 3) + 16
            self.assertGreater(lines, 16)
            content[lines : lines + 6000] = os.urandom(6000)
            file.write_bytes(content)
            self.assertEqual(daemon.run("check", check=False).returncode, 1)
            result = daemon.run("recover", check=False)
            self.assertEqual(result.returncode, 3, result)
            self.assertEqual(daemon.run("check").returncode, 0)

    def test_following(self):
        with Daemon() as daemon:
            world = World(5)
            with Recorder(daemon.socket) as recorder:
                recorder.open(world.header)
                recorder.append(world.id, world.grow(5))
                recorder.wait_until_durable(world.id, world.seq)
                tail = subprocess.Popen(
                    [BUILD / "debugd", "tail", "coin", "--count", "2", "--json", "--exit"]
                    + ["--data", str(daemon.data)],
                    stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=daemon.environment,
                )
                seen = [json.loads(tail.stdout.readline())["seq"] for _ in range(2)]
                recorder.append(world.id, world.grow(20))
                recorder.wait_until_durable(world.id, world.seq)
                last = seen[-1]
                while last < world.seq:
                    last = json.loads(tail.stdout.readline())["seq"]
                recorder.close_timeline(world.id)
            self.assertEqual(tail.wait(120), 0)
            tail.stdout.close()
            tail.stderr.close()

    def test_watching(self):
        with Daemon() as daemon:
            watch = subprocess.Popen(
                [BUILD / "debugd", "watch", "--json", "--data", str(daemon.data)],
                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=daemon.environment,
            )
            self.addCleanup(watch.stdout.close)
            self.addCleanup(watch.stderr.close)
            self.addCleanup(watch.kill)
            world = recorded(daemon)
            updates = queue.SimpleQueue()
            reader = threading.Thread(target=lambda: [updates.put(line) for line in watch.stdout])
            reader.start()
            self.addCleanup(reader.join)
            self.addCleanup(watch.kill)
            # It is connected for a moment before it watches. What it prints first was reported to it,
            # and so is what follows.
            number = 0
            while updates.empty():
                self.assertIsNone(watch.poll())
                number += 1
                daemon.run("rename", world.id, f"name {number}")
            update = json.loads(updates.get())
            self.assertEqual(update["header"]["timeline"], str(world.id))
            self.assertEqual(daemon.run("delete", str(world.id), "--yes").returncode, 0)
            while "gone" not in (update := json.loads(updates.get(timeout=60))):
                pass
            self.assertEqual(update, {"gone": str(world.id)})
            watch.send_signal(signal.SIGINT)
            watch.wait(120)

    def test_mistakes_are_reported_in_a_sentence(self):
        with Daemon() as daemon:
            recorded(daemon)
            for words, code, sentence in [
                (["entires", "coin"], 2, "Did you mean 'entries'?"),
                (["entries", "con"], 1, "Did you mean 'coin'?"),
                (["find", "coin", "evnt == 1"], 2, "column 1"),
                (["state", "coin", "99999"], 1, "99999"),
                (["state", "coin", "x"], 2, "the number of an entry, or 'last'"),
                (["import", "/nowhere.timeline"], 1, "/nowhere.timeline"),
                (["import", "/dev/null"], 1, "/dev/null"),
                (["revoke", "unknown"], 1,
                 "There is no session unknown. To see which there are, run: debugd status"),
                (["prune"], 2, "--bytes"),
            ]:
                result = daemon.run(*words, check=False)
                self.assertEqual(result.returncode, code, (words, result))
                self.assertIn(sentence, result.stderr, words)
                self.assertNotIn("Fatal", result.stderr)

    def test_help_for_every_command(self):
        help = subprocess.run([BUILD / "debugd", "--help"], capture_output=True, text=True).stdout
        rows = [line.split() for line in help.splitlines() if line.startswith("  ") and line[2] != " "]
        # The first steps are complete commands, and each is listed in a group.
        names = [row[0] for row in rows if row[0] != "debugd"]
        self.assertEqual(len(names), len(set(names)))
        self.assertGreater(len(names), 20)
        steps = [row[1] for row in rows if row[0] == "debugd"]
        self.assertEqual(steps, ["serve", "list", "open", "host"])
        self.assertLessEqual(set(steps), set(names))
        titles = [line for line in help.splitlines() if line.endswith(":") and line[0] != " "]
        self.assertEqual(titles, [
            "First steps:", "Start:", "Look:", "Change the past:", "Verify and export:", "Share:",
            "Live:", "Maintain:"])
        # The earlier spelling is an alias: it works, and is not listed.
        self.assertIn("minimize", names)
        self.assertNotIn("minimise", names)
        for name in names:
            text = subprocess.run(
                [BUILD / "debugd", name, "--help"], capture_output=True, text=True
            ).stdout
            self.assertTrue(text.startswith(f"usage: debugd {name}"), name)
            self.assertLessEqual(max(map(len, text.splitlines())), 100, name)

    def test_a_shell_completes_commands_options_and_timelines(self):
        with Daemon() as daemon:
            recorded(daemon)
            script = subprocess.run(
                [BUILD / "debugd", "completion", "bash"], capture_output=True, text=True
            ).stdout
            for words, expected in [
                ("debugd ent", "entries"), ("debugd entries --fil", "--filter"),
                ("debugd entries co", "coin"), ("debugd overview coin --by s", "seq"),
            ]:
                parts = words.split()
                line = " ".join(f"'{part}'" for part in parts)
                result = subprocess.run(
                    ["bash", "-c", f"{script}\nCOMP_WORDS=({line}); COMP_CWORD={len(parts) - 1}\n"
                     "_debugd; echo \"${COMPREPLY[@]}\""],
                    capture_output=True, text=True,
                    env={**daemon.environment, "DEBUGD_DATA": str(daemon.data),
                         "PATH": f"{BUILD}:{os.environ['PATH']}"},
                )
                self.assertIn(expected, result.stdout.split(), (words, result))


if __name__ == "__main__":
    unittest.main()
