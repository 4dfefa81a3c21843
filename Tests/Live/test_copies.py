"""Copies between two daemons: `debugd push` and `debugd pull`, with keys, TLS, and kills."""

import json
import os
import subprocess
import tempfile
import time
import unittest

from copies import address, copy, exported, key
from daemon import BUILD, Daemon
from model import World
from peers import Inspector, Recorder, Refused, recorded
from ports import free_address


class Copies(unittest.TestCase):
    def test_push_and_pull_copy_entries_branches_marks_and_names(self):
        with Daemon() as laptop, Daemon() as team, Daemon() as other:
            world = recorded(laptop, count=2000)
            with Inspector(laptop.socket) as inspector:
                inspector.ask("mark", timeline=world.id, seq=world.seq, text="here it goes wrong")
                branch = inspector.ask("fork", timeline=world.id, edits=[])["timeline"]
                inspector.ask("rename", timeline=branch, name="idea")
            pushed = copy(laptop, "push", "idea", "--to", address(team), key=key(team, "push"))
            self.assertIn("2 timelines: 2,000 entries copied", pushed.stdout)
            again = copy(laptop, "push", "--all", "--to", address(team), key=key(team, "push"))
            self.assertEqual(again.stdout.count("was there already"), 2)
            self.assertIn("no entries to copy", again.stdout)
            pulled = copy(other, "pull", "--all", "--from", address(team), key=key(team, "pull"))
            self.assertIn("2,000 entries copied", pulled.stdout)
            newest = pulled.stdout.splitlines()[1][:8]
            self.assertIn(
                f"To see it, run: debugd show {newest} --data {other.data}", pulled.stdout)
            self.assertIn(
                f"To see it there, run on that machine: debugd show {branch[:8]}", pushed.stdout)
            shown = pulled.stdout.split("run: ")[1].strip()
            self.assertEqual(other.advised(shown).returncode, 0, shown)
            for daemon in team, other:
                for timeline in world.id, branch:
                    self.assertEqual(exported(daemon, timeline), exported(laptop, timeline))
                with Inspector(daemon.socket) as inspector:
                    summaries = inspector.ask("timelines")["timelines"]
                    for summary in summaries:
                        self.assertEqual(summary["entries"], len([e for e in world.entries if e]))
                    self.assertEqual([s.get("name") for s in summaries].count("idea"), 1)
                    self.assertEqual(
                        [s["marks"][0]["text"] for s in summaries if s.get("marks")],
                        ["here it goes wrong"])
                self.assertIn("all is well", daemon.run("check").stdout)

    def test_a_timeline_that_grows_is_copied_from_where_the_copy_ends(self):
        with Daemon() as laptop, Daemon() as team:
            world = World(5)
            access = key(team, "push")
            with Recorder(laptop.socket) as recorder:
                recorder.open(world.header)
                for count in 30, 500, 1:
                    recorder.append(world.id, world.grow(count))
                    recorder.wait_until_durable(world.id, world.seq)
                    pushed = copy(laptop, "push", "last", "--to", address(team), key=access)
                    self.assertIn(f"{count} entr", pushed.stdout)
                    self.assertEqual(exported(team, world.id), exported(laptop, world.id))

    def test_the_store_is_pushed_without_a_daemon(self):
        with Daemon() as team:
            with Daemon() as laptop:
                world = recorded(laptop)
                laptop.stop()
                copy(laptop, "push", "last", "--to", address(team), key=key(team, "push"))
                self.assertEqual(exported(team, world.id).count("\n"), len(world.lines) + 1)

    def test_another_timeline_with_the_same_id_is_refused_with_what_to_do(self):
        with Daemon() as laptop, Daemon() as team:
            world = recorded(laptop, count=50, seed=4)
            other = World(4)
            lines = [json.dumps(json.loads(line) | {"ns": 1}) for line in other.grow(50)]
            with Recorder(team.socket) as recorder:
                recorder.open(other.header)
                recorder.append(other.id, lines)
                recorder.wait_until_durable(other.id, other.seq)
                access = key(team, "push")
                busy = copy(laptop, "push", "last", "--to", address(team), key=access, check=False)
                self.assertIn("push it once the recorder has ended it", busy.stderr)
                recorder.close_timeline(other.id)
            deadline = time.monotonic() + 60
            while "A recorder is writing" in busy.stderr and time.monotonic() < deadline:
                busy = copy(laptop, "push", "last", "--to", address(team), key=access, check=False)
            self.assertEqual(busy.returncode, 1)
            self.assertIn("exists there with other entries", busy.stderr)
            before = exported(team, world.id)
            advice = "debugd delete " + busy.stderr.split("debugd delete ")[1].strip()
            self.assertEqual(exported(team, world.id), before, "nothing was changed")
            team.run(*advice.split()[1:], "--yes")
            copy(laptop, "push", "last", "--to", address(team), key=access)
            self.assertEqual(exported(team, world.id), exported(laptop, world.id))


class Keys(unittest.TestCase):
    def test_a_key_that_pushes_can_do_nothing_else(self):
        with Daemon() as laptop, Daemon() as team:
            world = recorded(laptop)
            recorded(team, seed=9)
            access = key(team, "push", "--name", "ci")
            where = f"ws://127.0.0.1:{team.port}/"
            requests = [
                ("timelines", {}), ("watch", {}), ("status", {}), ("sessions", {}), ("hosts", {}),
                ("check", {}), ("prune", {"bytes": 0}), ("revoke", {"session": "s1"}),
                ("invite", {}), ("cancel", {"request": 1}),
                ("manifest", {"timeline": world.id}), ("fetch", {"timeline": world.id}),
                ("export", {"timeline": world.id, "format": "timeline"}),
                ("delete", {"timeline": world.id}), ("import", {"name": "a", "bytes": 1}),
                ("mark", {"timeline": world.id, "seq": 0, "text": "a"}),
                ("rename", {"timeline": world.id, "name": "a"}),
                ("host", {"executable": "/bin/true"}),
                ("hold", {"timeline": world.id, "policy": "queue"}),
            ]
            with Inspector(address=where, session=access) as inspector:
                self.assertEqual(inspector.welcome["capabilities"], ["push"])
                for type, keys in requests:
                    with self.assertRaises(Refused, msg=type) as refused:
                        inspector.ask(type, **keys)
                    self.assertEqual(refused.exception.code, "forbidden", type)
                offer = inspector.ask("offer", header=world.header)
                self.assertEqual({"type", "re"}, offer.keys())
            copy(laptop, "push", "last", "--to", address(team), key=access)
            pulled = copy(laptop, "pull", "last", "--from", address(team), key=access, check=False)
            self.assertEqual(pulled.returncode, 1)
            self.assertIn("This key can only push timelines.", pulled.stderr)
            status = team.run("status").stdout
            self.assertIn("s1  push  ci", status)
            self.assertIn("until 20", status)
            self.assertNotIn(access.split(".")[1], status + team.text())
            team.run("revoke", "s1")
            ended = copy(laptop, "push", "last", "--to", address(team), key=access, check=False)
            self.assertIn("The session has ended", ended.stderr)

    def test_a_key_adds_nothing_to_what_others_copied_or_recorded(self):
        with Daemon() as laptop, Daemon() as team:
            world = recorded(laptop)
            own, other = key(team, "push"), key(team, "push")
            copy(laptop, "push", "last", "--to", address(team), key=own)
            local = recorded(team, seed=9)

            chunk = {"first": 20, "last": 20, "bytes": 1, "data": "eA=="}
            requests = {"deposit": {"chunks": [chunk]}, "finish": {"name": "mine", "closed": True}}

            def refusal(session, what, type):
                address = f"ws://127.0.0.1:{team.port}/"
                with Inspector(address=address, session=session) as inspector:
                    inspector.ask("offer", header=what.header)
                    with self.assertRaises(Refused) as refused:
                        inspector.ask(type, timeline=what.id, **requests[type])
                    return refused.exception

            for what in (world, local):
                for type in requests:
                    problem = refusal(other, what, type)
                    self.assertEqual(problem.code, "forbidden")
                    self.assertIn(
                        "this key did not begin its copy. To fix, push it with the key that did.",
                        str(problem))
            # The daemon remembers who began it, and a complete copy needs nothing of another key.
            team.stop()
            team.start()
            self.assertNotEqual(refusal(own, world, "deposit").code, "forbidden")
            copy(laptop, "push", world.id, "--to", address(team), key=other)

    def test_a_key_survives_a_restart_and_ends_when_it_expires(self):
        with Daemon() as laptop, Daemon() as team:
            recorded(laptop)
            made = team.run("open", "--key", "push", "--for", "2d")
            self.assertIn(f"To end it, run: debugd revoke s1 --data {team.data}", made.stderr)
            lasting, short = made.stdout.strip(), key(team, "push", "--for", "1s")
            deadline = time.monotonic() + 60
            while time.monotonic() < deadline:
                late = copy(laptop, "push", "last", "--to", address(team), key=short, check=False)
                if late.returncode:
                    break
            self.assertIn("The key has expired.", late.stderr)
            team.stop()
            team.start()
            copy(laptop, "push", "last", "--to", address(team), key=lasting)
            team.stop()
            away = copy(laptop, "push", "last", "--to", address(team), key=lasting, check=False)
            self.assertEqual(away.returncode, 1)
            self.assertIn("to continue, run the same command again.", away.stderr)
            team.start()
            for words in (["--for", "0s"], ["--for", "9999d"]):
                refused = team.run("open", "--key", "push", *words, check=False)
                self.assertEqual(refused.returncode, 1)
                self.assertIn("A key is valid for 1 second to", refused.stderr)

    def test_a_key_is_read_from_a_private_file_and_never_from_an_argument(self):
        with Daemon() as laptop, Daemon() as team, tempfile.TemporaryDirectory() as place:
            recorded(laptop)
            missing = copy(laptop, "push", "last", "--to", address(team), check=False)
            self.assertIn("There is no key", missing.stderr)
            self.assertIn(
                "To get one, run on the other machine: debugd open --key push", missing.stderr)
            self.assertIn("To get one, run on the other machine: debugd open --key pull", copy(
                laptop, "pull", "last", "--from", address(team), key="c1.abc", check=False).stderr)
            file = f"{place}/key"
            with open(file, "w") as out:
                out.write(key(team, "push") + "\n")
            words = "push", "last", "--to", address(team), "--key-file", file
            os.chmod(file, 0o644)
            self.assertIn("can be read by others", copy(laptop, *words, check=False).stderr)
            os.chmod(file, 0o600)
            copy(laptop, *words)

    def test_another_program_at_the_address_gets_nothing(self):
        with Daemon() as laptop, Daemon() as team, Daemon() as squatter:
            recorded(laptop)
            key(squatter, "push")
            lost = copy(
                laptop, "push", "last", "--to", address(squatter), key=key(team, "push"),
                check=False)
            self.assertEqual(lost.returncode, 1)
            self.assertIn("does not know the key, so it is not the daemon", lost.stderr)
            self.assertEqual(squatter.json("list") if squatter.run("list").stdout else [], [])


class Secure(unittest.TestCase):
    def test_tls_with_a_fingerprint_or_an_authority(self):
        with tempfile.TemporaryDirectory() as place:
            certificate, private = f"{place}/team.pem", f"{place}/team.key"
            subprocess.run(
                ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj",
                 "/CN=team", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", private, "-out",
                 certificate],
                check=True, capture_output=True)
            printed = subprocess.run(
                ["openssl", "x509", "-in", certificate, "-noout", "-fingerprint", "-sha256"],
                check=True, capture_output=True, text=True).stdout
            fingerprint = printed.strip().split("=")[1]
            options = ["--certificate", certificate, "--key", private]
            with Daemon(options=options) as team, Daemon() as laptop:
                world = recorded(laptop)
                access = key(team, "push")
                words = "push", "last", "--to", address(team)
                for trust in ([], ["--fingerprint", "00" * 32]):
                    refused = copy(laptop, *words, *trust, key=access, check=False)
                    self.assertEqual(refused.returncode, 1)
                    self.assertIn("certificate", refused.stderr)
                    self.assertIn(address(team), refused.stderr)
                copy(laptop, *words, "--fingerprint", fingerprint, key=access)
                self.assertEqual(exported(team, world.id), exported(laptop, world.id))
                copy(laptop, *words, "--authority", certificate, key=access)


class Kills(unittest.TestCase):
    def record(self, daemon):
        """A timeline that takes a dozen messages to copy."""
        world = World(3)
        random = world.random
        lines = world.grow(1)
        for seq in range(1, 3000):
            text = "%0500x" % random.getrandbits(2000)
            entry = {"seq": seq, "t": seq * 1000, "event": {"typed": {"_0": text}}, "patch": []}
            lines.append(json.dumps(entry))
        with Recorder(daemon.socket) as recorder:
            recorder.open(world.header)
            for start in range(0, len(lines), 500):
                recorder.append(world.id, lines[start:start + 500])
            recorder.wait_until_durable(world.id, 2999)
            recorder.close_timeline(world.id)
        return world.id

    def entries(self, daemon):
        with Inspector(daemon.socket) as inspector:
            return sum(one["entries"] for one in inspector.ask("timelines")["timelines"])

    def kill_often(self, push, victim, team):
        """Kills a daemon when the push is connected, and then each time that the copy has grown."""
        def is_connected():
            return any(line.get("event") == "inspector.connected" for line in victim.lines())

        while push.poll() is None and not is_connected():
            pass
        kills = 0
        while push.poll() is None and kills < 4:
            before = self.entries(team)
            victim.kill()
            victim.start()
            kills += 1
            while push.poll() is None and self.entries(team) == before:
                pass
        return kills

    def check(self, end):
        # On a busy machine, a push may end before it is seen.
        while self.killed(end) == 0:
            pass

    def killed(self, end):
        """Pushes, and kills one of both daemons meanwhile; returns how often."""
        with Daemon() as laptop, Daemon(listen=free_address()) as team:
            timeline = self.record(laptop)
            laptop.environment["DEBUGD_KEY"] = key(team, "push")
            push = subprocess.Popen(
                [BUILD / "debugd", "push", "--all", "--to", address(team), "--data", laptop.data],
                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=laptop.environment)
            kills = self.kill_often(push, laptop if end == "source" else team, team)
            out, err = push.communicate(timeout=300)
            # A kill before the first message ends the push; the next one continues. One after the
            # last message does so, too; then everything is there.
            if push.returncode:
                out = copy(
                    laptop, "push", "--all", "--to", address(team), key=key(team, "push")).stdout
            self.assertRegex(out, "copied|was there already", err)
            self.assertEqual(exported(team, timeline), exported(laptop, timeline), err)
            self.assertIn("all is well", team.run("check").stdout)
            return kills

    def test_the_source_may_be_killed_at_any_time(self):
        self.check("source")

    def test_the_target_may_be_killed_at_any_time(self):
        self.check("target")

    def test_the_push_itself_may_be_killed_and_the_next_one_sends_only_the_rest(self):
        with Daemon() as laptop, Daemon() as team:
            timeline = self.record(laptop)
            laptop.environment["DEBUGD_KEY"] = key(team, "push")
            words = "push", "--all", "--to", address(team)
            push = subprocess.Popen(
                [BUILD / "debugd", *words, "--data", laptop.data],
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=laptop.environment)
            while push.poll() is None and self.entries(team) == 0:
                pass
            push.kill()
            push.wait()
            had = self.entries(team)
            self.assertGreater(had, 0)
            report = json.loads(laptop.run(*words, "--json").stdout)
            # A message that was on its way may have arrived after the count.
            self.assertLessEqual(report["entries"], 3000 - had)
            self.assertEqual(exported(team, timeline), exported(laptop, timeline))


if __name__ == "__main__":
    unittest.main()
