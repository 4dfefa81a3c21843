"""Examples/host.py, a host in another language: it forks, verifies, compares, and minimizes."""

import copy
import io
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
import pathlib

from daemon import BUILD, ROOT, Daemon

HOST = ROOT / "Examples" / "host.py"
sys.dont_write_bytecode = True
sys.path.insert(0, str(HOST.parent))
import host  # noqa: E402


def states(events):
    """The states after each event, computed with the reducer alone."""
    state, found = copy.deepcopy(host.START), []
    for event in [None, *events]:
        try:
            if event is not None:
                host.reduce(state, event)
        except host.Refused:
            pass
        found.append(copy.deepcopy(state))
    return found


def written(events):
    file = io.StringIO()
    host.record(file, events)
    return file.getvalue()


def talk(messages):
    """The host's replies to messages on its standard input."""
    said = subprocess.run(
        [HOST], input="".join(json.dumps(one) + "\n" for one in messages), text=True, check=True,
        capture_output=True, timeout=60, env={**os.environ, "STATES_HOST": "1"}).stdout
    return [json.loads(line) for line in said.splitlines()]


class ForeignHost(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def daemon(self, events=host.SESSION, program=HOST):
        """A daemon with a recording of these events, and a host that makes its machine."""
        file = self.folder / "vending.timeline"
        file.write_text(written(events))
        daemon = Daemon(options=["--host", str(program)])
        self.addCleanup(daemon.__exit__, None, None, None)
        daemon.start().run("import", file)
        return daemon

    def fork(self, daemon, *edits):
        made = daemon.run("fork", "vending", *edits, "--json").stdout.splitlines()[-1]
        return json.loads(made)["header"]["timeline"]

    def check(self, daemon, branch, events):
        for seq, state in enumerate(states(events)):
            self.assertEqual(daemon.json("state", branch, seq)["state"], state, f"entry {seq}")

    def changed(self, old, new):
        """A host whose source differs in one line."""
        program = self.folder / "host.py"
        source = HOST.read_text()
        self.assertEqual(source.count(old), 1)
        program.write_text(source.replace(old, new))
        program.chmod(0o755)
        return program

    def test_an_answer_that_is_not_valid_ends_the_branch_with_the_mistake(self):
        write = 'replies.write(text(message) + "\\n")'
        mistakes = {
            ('"re":', '"re"'): "The message is not JSON",
            ('"re":', '"of":'): "The key 're' is missing.",
            ('"re":', '"re":9'): "The key 're' cannot be this: it is the 'id' of the request",
            ('"entries":', '"entries":7,"x":'): "The key 'entries' must be an array, not a number.",
            ('"reduced"', '"reduce"'): "There is no message of type 'reduce' in this direction.",
        }
        for (old, new), sentence in mistakes.items():
            with self.subTest(sentence):
                wrong = f'replies.write(text(message).replace({old!r}, {new!r}) + "\\n")'
                daemon = self.daemon(program=self.changed(write, wrong))
                made = daemon.run("fork", "vending", "--drop", 5, check=False)
                self.assertEqual(made.returncode, 3, made.stderr)
                self.assertIn("The host's answer is not valid. " + sentence, made.stderr)
                self.assertIn("To fix, have it answer with a message as the protocol describes it.",
                              made.stderr)
                daemon.__exit__(None, None, None)

    def test_it_computes_branches(self):
        daemon = self.daemon()
        events = host.SESSION
        branch = self.fork(daemon, "--drop", 5)
        self.check(daemon, branch, events[:4] + events[5:])
        again = self.fork(daemon, "--replace", '1={"insert":{"cents":7}}', "--append", '"refund"')
        self.check(daemon, again, [{"insert": {"cents": 7}}, *events[1:], "refund"])
        # An entry records the error that the reducer throws, and the rest follows.
        entries = daemon.run("entries", branch, "--from", 0, "--json").stdout.splitlines()
        self.assertEqual(json.loads(entries[1])["error"], "tea costs 80, and there are 0")

    def test_a_crash_ends_the_branch_before_it_and_an_unknown_event_makes_none(self):
        daemon = self.daemon()
        made = daemon.run("fork", "vending", "--insert", '9="kick"', "--json", check=False)
        self.assertIn("ZeroDivisionError", made.stderr)
        branch = json.loads(made.stdout.splitlines()[-1])["header"]["timeline"]
        self.assertEqual(daemon.json("show", branch)["last"], 8)
        self.assertEqual(daemon.json("state", branch, 8)["state"], states(host.SESSION)[8])
        unknown = ("fork", "vending", "--insert", '9={"shake":{}}')
        refused = daemon.run(*unknown, check=False)
        self.assertEqual(refused.returncode, 1)
        self.assertRegex(refused.stderr, "so there is no branch.*shake")
        made = daemon.run(*unknown, "--drop", "5", "--json", check=False)
        self.assertRegex(made.stderr, "The host says: .*shake")
        branch = json.loads(made.stdout.splitlines()[-1])["header"]["timeline"]
        self.assertEqual(daemon.json("show", branch)["last"], 7)

    def test_it_verifies_short_and_long_recordings(self):
        daemon = self.daemon(host.SESSION * 400)
        self.assertIn("same", daemon.run("verify", "vending").stdout)
        self.assertIn("same", daemon.run("verify", "vending", "--processes", 2).stdout)
        file = self.folder / "vending.timeline"
        said = subprocess.run(
            [BUILD / "debugd", "verify", file, "--host", HOST], text=True, capture_output=True)
        self.assertEqual((said.returncode, said.stdout[:4]), (0, "same"), said.stderr)

    def test_it_finds_what_a_code_change_changes(self):
        program = self.changed("        state[\"tea\"] -= 1  #", "        state[\"tea\"] -= 2  #")
        daemon = self.daemon(program=program)
        said = daemon.run("verify", "vending", check=False)
        self.assertIn("first difference at 5", said.stdout)
        compared = json.loads(daemon.run("compare", "vending", "--json", check=False).stdout)
        self.assertEqual(compared["a"]["seq"], 5)

    def test_it_minimizes(self):
        daemon = self.daemon()
        found = json.loads(daemon.run(
            "minimize", "vending", "--until", "state.tea < 0", "--json").stdout)
        self.assertTrue(found["minimal"])
        entries = [json.loads(line) for line in daemon.run(
            "entries", found["timeline"], "--from", 0, "--json").stdout.splitlines()]
        events = [entry["event"] for entry in entries[1:]]
        self.assertEqual(len(events), found["events"])
        self.assertEqual(events.count("tea"), 3)
        self.assertLess(states(events)[-1]["tea"], 0)
        # There is no Swift test to export: the suggested command works.
        said = daemon.run("minimize", "vending", "--until", "state.tea < 0").stderr
        self.assertIn("there is no test to export", said)
        self.assertIn(
            "To keep these events in a file for 'debugd verify', run: debugd export ID -o ID.timeline",
            said.replace(said.split("debugd export ")[1].split()[0], "ID"))
        words = re.search(r"run: debugd (export .*)", said)[1].split()
        out = self.folder / "kept.timeline"
        words[words.index("-o") + 1] = str(out)
        daemon.run(*[word for word in words if word not in ("--data", str(daemon.data))])
        kept = subprocess.run(
            [BUILD / "debugd", "verify", out, "--host", HOST], text=True, capture_output=True)
        self.assertEqual((kept.returncode, kept.stdout[:5]), (1, "fails"), kept.stderr)

    def test_limits_and_cancel_end_a_request(self):
        steps = [{"event": "refund", "t": seq} for seq in range(1, 1_200)]
        ask = {"type": "reduce", "make": host.MAKE, "seq": 0, "steps": steps}
        _, *parts = talk([{**ask, "id": 1}])
        self.assertEqual([len(part["entries"]) for part in parts], [500, 500, 200])
        seqs = [entry["seq"] for part in parts for entry in part["entries"]]
        self.assertEqual(seqs, list(range(1_200)))
        self.assertEqual([part.get("more") for part in parts], [True, True, None])
        _, late = talk([{**ask, "id": 1, "milliseconds": 0}])
        self.assertEqual((len(late["entries"]), late["ended"]["why"], late["ended"]["seq"]),
                         (1, "limit", 1))
        _, other = talk([{**ask, "id": 1, "make": "another()"}])
        self.assertEqual((other["type"], other["re"]), ("error", 1))
        # The canceled request is still in the queue when `cancel` is read.
        _, *replies = talk([{**ask, "id": 1, "steps": steps * 100},
                            {**ask, "id": 2}, {"type": "cancel", "request": 2}])
        self.assertEqual([one["code"] for one in replies if one["re"] == 2], ["cancelled"])

    def test_it_skips_quiet_entries_and_returns_a_snapshot(self):
        steps = [{"event": {"insert": {"cents": cents}}, "t": cents} for cents in (1, 2, 3)]
        _, said = talk([{"type": "reduce", "id": 7, "make": host.MAKE, "seq": 41, "quiet": 2,
                         "state": {"cents": 10, "tea": 1, "served": 1}, "steps": steps,
                         "snapshot": True}])
        self.assertEqual([entry["seq"] for entry in said["entries"]], [43])
        self.assertEqual(said["entries"][0]["state"]["cents"], 16)
        self.assertEqual(said["entries"][0]["patch"],
                         [{"op": "replace", "path": "/cents", "value": 16}])
        self.assertEqual(said["outputState"], {"display": "16 cents", "isEmpty": False})

    def test_it_confirms_entries_up_to_the_first_difference(self):
        _, *lines = map(json.loads, written(host.SESSION).splitlines())
        ask = {"type": "confirm", "id": 1, "make": host.MAKE, "state": host.START, "seq": 1}
        count = len(lines) - 1
        self.assertEqual(talk([{**ask, "lines": lines[1:]}])[1]["entries"], count)
        for seq, change in ((5, {"patch": []}), (1, {"error": "no"}), (3, {"event": "shake"}),
                            (7, {"gap": {"lost": 1, "why": "x"}})):
            wrong = [{**line, **change} if line["seq"] == seq else line for line in lines[1:]]
            self.assertEqual(talk([{**ask, "lines": wrong}])[1]["entries"], seq - 1)
        crash = [{**lines[1], "event": "kick"}]
        said = talk([{**ask, "lines": crash}])[1]
        self.assertEqual((said["type"], said["entries"], said["ended"]["why"]),
                         ("reduced", [], "trap"))

    def test_the_dialogue_in_the_protocol_is_real(self):
        text = (ROOT / "docs/protocol.md").read_text()
        [block] = re.findall(r"^## Write your own host\n.*?```text\n(.*?)```", text,
                             re.DOTALL | re.MULTILINE)
        lines = block.splitlines()
        sent = [json.loads(line[2:]) for line in lines if line.startswith("> ")]
        shown = [json.loads(line[2:]) for line in lines if line.startswith("< ")]
        self.assertEqual(len(sent) + len(shown), len(lines))
        self.assertEqual(talk(sent), shown)

    def test_it_stays_small(self):
        lines = HOST.read_text().splitlines()
        self.assertLess(len(lines), 260)
        self.assertLessEqual(max(map(len, lines)), 100)


if __name__ == "__main__":
    unittest.main()
