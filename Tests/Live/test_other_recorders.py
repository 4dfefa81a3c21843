"""The recorders of Examples/ in other languages, with the real daemon and a real browser."""

import hmac
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import unittest

import handshake
from daemon import BUILD, ROOT, Daemon
from fake_daemon import CHALLENGE, SECRET, WELCOME, FakeDaemon
from ports import free_address
from recorder_page import PageTest

EXAMPLES = ROOT / "Examples"
sys.dont_write_bytecode = True
sys.path.insert(0, str(EXAMPLES))
import recorder as python_recorder  # noqa: E402

# Runs counter.py. A busy machine may need longer than the five seconds that it waits at its end.
PATIENT = f"""
import runpy, sys
sys.path.insert(0, {str(EXAMPLES)!r})
import recorder
recorder.Recorder.close.__defaults__ = 60,
runpy.run_path({str(EXAMPLES / "counter.py")!r}, run_name="__main__")
"""

STRANGE = {"": 1, "a/b~c": [1, {"é": None}], "kept": "x" * 200, "truth": True}
PRETENSES = [WELCOME], [CHALLENGE, WELCOME]
LATER = {"a/b~c": [1, {"é": False}], "kept": "x" * 200, "truth": 1, "new": {"deep": {}}}


def environment(**more):
    kept = {key: value for key, value in os.environ.items() if not key.startswith("DEBUGD")}
    kept.pop("XDG_RUNTIME_DIR", None)
    return {**kept, **more}


class Python(unittest.TestCase):
    def count(self, count, **variables):
        result = subprocess.run(
            [sys.executable, "-B", "-c", PATIENT, str(count)], text=True, capture_output=True,
            timeout=120, env=environment(**variables),
        )
        self.assertEqual((result.returncode, result.stderr), (0, ""))

    def check_counter(self, daemon, count):
        self.assertEqual(daemon.json("state", "counter", count)["state"],
                         {"n": count, "even": count % 2 == 0})
        half = count // 2
        self.assertEqual(daemon.json("state", "counter", half, "--path", "n"), half)
        self.assertFalse(daemon.json("list").get("live"))
        self.assertIn("all is well", daemon.run("check").stdout)

    def test_it_records_through_the_socket(self):
        with Daemon() as daemon:
            self.count(3000, DEBUGD=f"unix:{daemon.socket}")
            self.check_counter(daemon, 3000)

    def test_it_finds_the_socket_that_debugd_finds(self):
        with Daemon() as daemon:
            self.count(50, DEBUGD_SOCKET=str(daemon.socket))
            self.check_counter(daemon, 50)

    def test_it_records_over_tcp_with_a_secret(self):
        with Daemon() as daemon:
            self.count(50, DEBUGD=f"ws://127.0.0.1:{daemon.port}",
                       DEBUGD_SECRET_FILE=str(daemon.data / "recorder.secret"))
            self.check_counter(daemon, 50)

    def test_a_host_runs_what_it_records_if_both_name_the_same_make(self):
        with Daemon(options=["--host", str(EXAMPLES / "host.py")]) as daemon:
            recorder = self.recorder(f"unix:{daemon.socket}")
            start = {"cents": 0, "tea": 2, "served": 0}
            for name, make in ("named", "vending()"), ("bare", None):
                machine = recorder.machine(name, start, make)
                machine.record({"insert": {"cents": 30}}, {**start, "cents": 30})
                machine.record({"insert": {"cents": 50}}, {**start, "cents": 80})
            self.assertTrue(recorder.close(60), recorder.problem)
            made = daemon.run("fork", "named", "--drop", 1, "--json").stdout.splitlines()[-1]
            branch = json.loads(made)["header"]["timeline"]
            self.assertEqual(daemon.json("state", branch)["state"], {**start, "cents": 50})
            for words in ("fork", "bare", "--drop", 1), ("verify", "bare"):
                refused = daemon.run(*words, check=False)
                self.assertNotEqual(refused.returncode, 0)
                self.assertIn(
                    "The header of the timeline has no 'make' in its 'machine', so no host can be "
                    "chosen. To fix, record it again with a text there, such as \"bare()\", and run a "
                    "host that makes the same text, such as your copy of Examples/host.py: debugd host "
                    "FILE", refused.stdout + refused.stderr)

    def test_it_finds_the_default_socket(self):
        with Daemon() as daemon:
            state = daemon.data / "state" / "debugd"
            state.mkdir(parents=True)
            (state / "run").symlink_to(daemon.socket.parent)
            self.count(2, XDG_STATE_HOME=str(daemon.data / "state"))
            self.check_counter(daemon, 2)

    def recorder(self, address):
        os.environ["DEBUGD"] = address
        self.addCleanup(os.environ.pop, "DEBUGD", None)
        return python_recorder.Recorder("App")

    def test_a_wrong_secret_is_reported(self):
        with Daemon() as daemon:
            wrong = daemon.data / "wrong"
            wrong.write_text("0" * 64)
            os.environ["DEBUGD_SECRET_FILE"] = str(wrong)
            self.addCleanup(os.environ.pop, "DEBUGD_SECRET_FILE")
            recorder = self.recorder(f"ws://127.0.0.1:{daemon.port}")
            recorder.machine("counter", {"n": 0})
            deadline = time.monotonic() + 60
            while "does not know the secret" not in str(recorder.problem):
                self.assertLess(time.monotonic(), deadline, recorder.problem)
                time.sleep(0.01)
            self.assertFalse(recorder.close(0))

    def test_it_sends_a_program_that_proved_nothing_a_nonce_only(self):
        with tempfile.NamedTemporaryFile("w", suffix=".secret") as secret:
            secret.write(SECRET)
            secret.flush()
            os.environ["DEBUGD_SECRET_FILE"] = secret.name
            self.addCleanup(os.environ.pop, "DEBUGD_SECRET_FILE")
            for instead in PRETENSES:
                with self.subTest(instead=instead), FakeDaemon(instead=instead) as daemon:
                    recorder = self.recorder(f"ws://127.0.0.1:{daemon.port}")
                    recorder.machine("counter", {"n": 0})
                    daemon.wait(lambda: len(daemon.messages) > 2)
                    self.assertFalse(recorder.close(0))
                    self.assertEqual({tuple(one) for one in daemon.messages},
                                     {("type", "version", "nonce")})

    def test_it_waits_for_the_daemon_and_continues_after_a_crash(self):
        daemon = Daemon()
        with daemon:
            recorder = self.recorder(f"unix:{daemon.socket}")
            machine = recorder.machine("m", STRANGE)
            machine.record({"early": {}}, LATER)
            for n in range(300):
                if n == 150:
                    daemon.kill()
                    daemon.start()
                machine.record({"step": n}, {**STRANGE, "n": n})
            self.assertTrue(recorder.close(60), recorder.problem)
            entries = daemon.run("entries", "m", "--from", 0, "--count", 1000, "--json").stdout
            self.assertEqual(len(entries.splitlines()), 302)
            # Entries carry patches, not the whole state each time.
            self.assertLess(daemon.run("export", "m").stdout.count('"state":'), 100)
            self.assertEqual(daemon.json("state", "m", 0)["state"], STRANGE)
            self.assertIs(type(daemon.json("state", "m", 1)["state"]["truth"]), int)
            self.assertEqual(daemon.json("state", "m", 301)["state"], {**STRANGE, "n": 299})
            self.assertIn("all is well", daemon.run("check").stdout)

    def test_it_reconnects_before_the_daemon_notices_the_lost_connection(self):
        with Daemon() as daemon:
            recorder = self.recorder(f"unix:{daemon.socket}")
            machine = recorder.machine("m", {"n": 0})
            self.assertTrue(recorder.flush(60))
            # Like a network that drops every packet: the daemon's end stays open.
            lost, name = recorder.socket, machine.id
            self.addCleanup(lost.close)
            with recorder.changed:
                recorder.is_lost = True
                recorder.changed.notify_all()
            machine.record({"add": 1}, {"n": 1})
            self.assertTrue(recorder.flush(60), recorder.problem)
            self.assertIsNot(recorder.socket, lost)
            self.assertTrue(recorder.close(60), recorder.problem)
            self.assertEqual(machine.id, name)
            self.assertEqual(daemon.json("state", name, 1)["state"], {"n": 1})
            self.assertEqual(len(daemon.run("list", "--json").stdout.splitlines()), 1)

    def test_a_deleted_timeline_begins_again(self):
        with Daemon() as daemon:
            recorder = self.recorder(f"unix:{daemon.socket}")
            machine = recorder.machine("m", {"n": 0})
            first = machine.id
            self.assertTrue(recorder.flush(120))
            daemon.run("delete", first, "--yes")
            with recorder.changed:
                recorder.changed.wait_for(lambda: machine.id != first, 120)
            machine.record({"add": 1}, {"n": 1})
            self.assertTrue(recorder.close(60), recorder.problem)
            self.assertEqual(daemon.json("state", machine.id, 1)["state"], {"n": 1})


class JavaScript(PageTest):
    def setUp(self):
        super().setUp()
        # The page's own clock: what arrives here may arrive late.
        self.page.add_init_script("""
          window.connected = [];
          window.WebSocket = class extends WebSocket {
            constructor(...options) {
              super(...options);
              connected.push(performance.now() / 1000);
            }
          };""")

    def open(self, daemon):
        self.page.goto(f"{self.origin}/recorder.html")
        self.page.fill("#address", f"ws://127.0.0.1:{daemon.port}/")
        self.page.fill("#secret", (daemon.data / "recorder.secret").read_text())
        self.page.click("#connect button")

    def test_a_page_with_an_allowed_origin_records(self):
        with Daemon(options=["--origin", self.origin], listen=free_address()) as daemon:
            self.open(daemon)
            for _ in range(5):
                self.page.click("#add")
            self.page.wait_for_function("document.querySelector('#status').value.startsWith('6 ')")
            self.assertEqual(daemon.json("state", "counter", 5)["state"], {"n": 5, "even": False})
            made = self.page.evaluate(
                """async ([address, secret, first, later]) => {
                  const { Recorder } = await import("./recorder.js");
                  const recorder = new Recorder("Strange", address, secret);
                  const machine = recorder.machine("strange", first);
                  for (let n = 0; n < 2000; n += 1) machine.record({ n }, n % 2 ? first : later);
                  window.machine = machine;
                }""",
                [f"ws://127.0.0.1:{daemon.port}/", (daemon.data / "recorder.secret").read_text(),
                 STRANGE, LATER])
            self.assertIsNone(made)
            self.page.wait_for_function("machine.lines.length === 0")
            self.assertEqual(daemon.json("state", "strange", 0)["state"], STRANGE)
            self.assertEqual(daemon.json("state", "strange", 1999)["state"], LATER)
            self.assertEqual(daemon.json("state", "strange", 2000)["state"], STRANGE)
            self.assertIn("all is well", daemon.run("check").stdout)
            # What was not durable when the daemon died is sent to the next one on that port.
            daemon.kill()
            self.page.click("#add")
            daemon.start()
            self.page.wait_for_function("document.querySelector('#status').value.startsWith('7 ')")
            self.assertEqual(daemon.json("state", "counter", 6)["state"], {"n": 6, "even": True})

    def test_a_host_runs_what_it_records_if_both_name_the_same_make(self):
        options = ["--origin", self.origin, "--host", str(EXAMPLES / "host.py")]
        with Daemon(options=options) as daemon:
            self.page.goto(f"{self.origin}/recorder.html")
            start = {"cents": 0, "tea": 2, "served": 0}
            stored = self.page.evaluate(
                """async ([address, secret, start]) => {
                  const { Recorder } = await import("./recorder.js");
                  const recorder = new Recorder("Vending", address, secret);
                  for (const [name, make] of [["named", "vending()"], ["bare"]]) {
                    const machine = recorder.machine(name, start, make);
                    machine.record({ insert: { cents: 30 } }, { ...start, cents: 30 });
                    machine.record({ insert: { cents: 50 } }, { ...start, cents: 80 });
                  }
                  return await recorder.close(60_000);
                }""",
                [daemon.address.replace("http", "ws"), (daemon.data / "recorder.secret").read_text(), start])
            self.assertTrue(stored)
            made = daemon.run("fork", "named", "--drop", 1, "--json").stdout.splitlines()[-1]
            branch = json.loads(made)["header"]["timeline"]
            self.assertEqual(daemon.json("state", branch)["state"], {**start, "cents": 50})
            refused = daemon.run("verify", "bare", check=False)
            self.assertIn("has no 'make' in its 'machine'", refused.stdout + refused.stderr)

    def test_a_page_of_another_origin_is_refused(self):
        with Daemon() as daemon:
            with self.page.expect_console_message(lambda said: "403" in said.text):
                self.open(daemon)
            self.page.click("#add")
            self.assertNotIn("stored", self.page.evaluate("document.all.status.value"))
            self.assertEqual(daemon.run("list").stdout.strip(), "")

    def greetings(self, instead, count):
        """Records to a program that proves nothing. Returns the waits between the connections."""
        with FakeDaemon(instead=instead) as daemon:
            self.run_in_page(daemon, """
              recorder.machine("m", { n: 0 });
              window.recorder = recorder;""")
            daemon.wait(lambda: len(daemon.messages) >= count)
            self.assertFalse(self.page.evaluate("recorder.close(100)"))
            self.assertEqual({tuple(one) for one in daemon.messages},
                             {("type", "version", "nonce")})
            times = self.page.evaluate("connected")
            return [later - one for one, later in zip(times, times[1:])]

    def test_it_sends_a_program_that_proved_nothing_a_nonce_only_and_ever_less_often(self):
        for instead in PRETENSES:
            with self.subTest(instead=instead):
                waits = self.greetings(instead, 4)
                self.assertGreater(waits[2], 1.9)
                self.assertIn("secret", self.page.evaluate("recorder.problem.message"))

    def test_a_greeting_has_a_time_limit(self):
        self.assertGreater(self.greetings([], 2)[0], 5)

    def test_batches_are_small_and_memory_is_bounded(self):
        with FakeDaemon() as daemon:
            largest, stored = self.run_in_page(daemon, """
              const machine = recorder.machine("m", { n: 0 });
              let largest = 0;
              for (let n = 1; n <= 3000; n += 1) {
                machine.record({ step: n }, { n, text: "x".repeat(400) });
                largest = Math.max(largest, recorder.size);
              }
              return [largest, await recorder.close(60_000)];""", memory=200_000)
            self.assertTrue(stored)
            self.assertLessEqual(largest, 200_000)
            self.assertLessEqual(max(daemon.sizes), 256 * 1024 + 200)
            first, *entries = daemon.entries("m")
            self.assertEqual(first["gap"]["lost"], first["seq"])
            self.assertIn("state", first)
            self.assertEqual([entry["seq"] for entry in entries],
                             list(range(first["seq"] + 1, 3_001)))
            daemon.wait(lambda: daemon.of("close"))

    def test_a_refused_timeline_is_not_sent_forever(self):
        with FakeDaemon(refuses=["bad"]) as daemon:
            stored = self.run_in_page(daemon, """
              recorder.machine("bad", { n: 0 });
              recorder.machine("good", { n: 0 }).record({ step: 1 }, { n: 1 });
              return await recorder.close(60_000);""")
            self.assertTrue(stored)
            opened = [one["header"]["timeline"] for one in daemon.of("open")
                      if one["header"]["machine"]["name"] == "bad"]
            self.assertEqual([opened.count(one) for one in dict.fromkeys(opened)], [3, 3])
            self.assertEqual({entry["seq"] for entry in daemon.entries("good")}, {0, 1})

    def test_a_big_integer_stays_exact(self):
        with FakeDaemon() as daemon:
            self.run_in_page(daemon, """
              recorder.machine("m", { id: 0n })
                .record({ set: 9007199254740993n }, { id: 9007199254740993n });
              return await recorder.close(60_000);""")
            self.assertEqual(daemon.entries("m")[1]["event"], {"set": 9007199254740993})
            self.assertEqual(daemon.entries("m")[1]["patch"][0]["value"], 9007199254740993)


class Documents(unittest.TestCase):
    def test_the_protocol_s_example_of_a_proof_is_right(self):
        text = (ROOT / "docs/protocol.md").read_text()
        said = dict(re.findall(r"^\| ([a-z' ]+) \| `([0-9a-f]+)` \|$", text, re.MULTILINE))
        nonces = " ".join(said[f"the {who}'s nonce"] for who in ("recorder", "daemon"))
        for who in ("daemon", "recorder"):
            words = f"states-debugger/1 {who} {nonces}".encode()
            proof = hmac.digest(said["secret"].encode(), words, "sha256").hex()
            self.assertEqual(said[f"the {who}'s proof"], proof)

    def test_the_protocol_s_example_of_an_inspector_is_right(self):
        page = (ROOT / "docs/protocol.md").read_text()
        said = dict(re.findall(r"^\| inspector: ([a-z' ]+) \| `([0-9a-f]+)` \|$", page, re.MULTILINE))
        key, secret = re.search(r"^\| the code \| `(\w+)\.(\w+)` \|$", page, re.MULTILINE).groups()
        host = re.search(r"for the host `([^`]+)`:$", page, re.MULTILINE)[1]
        texts = host, key, said["nonce"], said["daemon's nonce"]
        for name, purpose in [("daemon's proof", "daemon-to-inspector"),
                              ("proof", "inspector-to-daemon"), ("session's secret", "session")]:
            self.assertIn(f"states-debugger/1 {purpose} <host> <key> ", page)
            self.assertEqual(said[name], handshake.proof(secret, handshake.text(purpose, *texts)))
        self.assertEqual(
            said["key for this boot"],
            handshake.proof(said["session's secret"], f"states-debugger/1 boot {said['boot']}"))

    def test_every_option_of_the_daemon_is_in_the_reference(self):
        helped = subprocess.run([BUILD / "debugd", "serve", "--help"], text=True,
                                capture_output=True, check=True).stdout
        options = helped.split("Options:\n")[1].split("\n\n")[0]
        text = (ROOT / "docs/operate.md").read_text().split("\n## Configuration\n")[1]
        text = text.split("\n## ")[0]
        documented = set(re.findall(r"^\| `.*?(--[\w-]+(?: [A-Z]+)?)`", text, re.MULTILINE))
        wanted = set(re.findall(r"^  (?:-\w, |    )(--[\w-]+(?: [A-Z]+)?)", options, re.MULTILINE))
        self.assertGreater(len(wanted), 15)
        self.assertEqual(documented, wanted)
        for option, row in re.findall(r"^  (?:-\w, |    )(--[\w-]+)(.*(?:\n {10}.*)*)", options,
                                      re.MULTILINE):
            for variable in re.findall(r"\$(\w+)", row):
                self.assertRegex(text, f"(?m)^\\|.*{option} .*`{variable}`")

    def test_the_example_configuration_file_is_accepted(self):
        text = (ROOT / "docs/operate.md").read_text()
        block = re.search(r"```\n(# ~/.config/debugd/config.*?)```", text, re.DOTALL)[1]
        with tempfile.TemporaryDirectory() as place:
            pathlib.Path(place, "config").write_text(block)
            with Daemon(options=["--config", f"{place}/config"]) as daemon:
                self.assertEqual(daemon.json("status")["timelines"], 0)


class Small(unittest.TestCase):
    def test_each_has_at_most_300_lines(self):
        for name in ("recorder.py", "recorder.js"):
            lines = pathlib.Path(EXAMPLES, name).read_text().splitlines()
            self.assertLessEqual(len(lines), 300, name)
            self.assertLessEqual(max(map(len, lines)), 100, name)


if __name__ == "__main__":
    unittest.main()
