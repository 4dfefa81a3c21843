"""What commands report about arguments that do not exist."""

import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import tempfile
import unittest

from daemon import BUILD, Daemon

LAST = 9


def recording(number=1, name="cart", started="2026-03-01T09:30:00Z"):
    """Ten entries that only add up."""
    header = {
        "timeline": f"{number:08x}-0b7e-4d38-9c41-2e5a7b90d1f3", "app": {"name": "shop"},
        "machine": {"type": "Shop.Cart", "name": name, "kind": "states"},
        "started": started, "format": 1,
        "schema": {
            "encoding": "keyed", "complete": True, "type": "Shop.Cart.Event",
            "cases": [{"name": "added"}, {"name": "emptied"}],
        },
    }
    lines = [header, {
        "seq": 0, "t": 0, "state": {"total": 0, "lines": [{"id": 1}]}, "outputState": {"sum": 0}}]
    for seq in range(1, LAST + 1):
        lines.append({
            "seq": seq, "t": seq, "event": {"added": {}},
            "patch": [{"op": "replace", "path": "/total", "value": seq}],
            "outputs": [{"op": "replace", "path": "/sum", "value": seq}]})
    return "".join(json.dumps(line) + "\n" for line in lines)


class Commands(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="wrg"))
        self.addCleanup(shutil.rmtree, self.folder)
        self.environment = {
            key: value for key, value in os.environ.items()
            if not key.startswith("DEBUGD") and key not in ("XDG_RUNTIME_DIR", "STATE_DIRECTORY")
        } | {"HOME": str(self.folder)}

    def run_debugd(self, *words, **environment):
        return subprocess.run(
            [BUILD / "debugd", *map(str, words)], capture_output=True, text=True, timeout=60,
            stdin=subprocess.DEVNULL, cwd=self.folder, env={**self.environment, **environment})

    def refused(self, *words, code=1, **environment):
        """What a command prints on standard error when it fails."""
        ran = self.run_debugd(*words, **environment)
        self.assertEqual(ran.returncode, code, f"{words}: {ran.stdout}{ran.stderr}")
        self.assertNotIn("could not be completed", ran.stderr)
        return ran.stderr.strip()

    def table(self):
        """The kinds of operands of each command, from the completion script."""
        script = self.run_debugd("completion", "bash").stdout
        return re.findall(r"^ +(\S+)\) options='([^']*)'; operands='([^']*)' ;;", script, re.M)


class Files(Commands):
    """Files that are not what they seem."""

    def test_a_pipe_is_refused_without_waiting_for_its_writer(self):
        os.mkfifo(self.folder / "cart.timeline")
        self.assertIn("is not a regular file", self.refused("import", "cart.timeline"))

    def test_states_that_an_import_leaves_out_are_reported(self):
        wrong = recording().replace('"/total", "value": 5', '"/totl", "value": 5')
        (self.folder / "cart.timeline").write_text(wrong)
        said = self.refused("import", "cart.timeline", code=3)
        self.assertIn("5 entries have patches that do not apply", said)


class Nothing(Commands):
    """There is no daemon."""

    # Commands that write, need no data, are not about data, or connect to another daemon first.
    OTHERS = {"serve", "view", "import", "completion", "mcp", "dap", "push", "pull"}
    OPERANDS = {
        "diff": ["x", "1", "2"], "changes": ["x", "/y"], "find": ["x", "true"], "column": ["x", "/y"],
        "rename": ["x", "y"], "mark": ["x", "1"], "host": ["/bin/true"], "revoke": ["s1"],
        "restore": ["x", "1"], "dispatch": ["x", "y"], "minimize": ["x", "--until", "true"],
        "prune": ["--age", "1d"], "delete": ["x", "--yes"],
        "bisect": ["x", "a..b", "--host", "y"],
    }

    def calls(self):
        for names, _, kind in self.table():
            name = names.split("|")[0]
            if name not in self.OTHERS:
                yield name, self.OPERANDS.get(name, ["x"] if kind else [])

    def test_no_command_that_reads_creates_data(self):
        there = self.folder / "there"
        there.mkdir()
        commands = dict(self.calls())
        self.assertIn("recover", commands)
        for name, operands in commands.items():
            for data in (self.folder / "missing", there):
                message = self.refused(name, *operands, "--data", data)
                if not message.startswith(f"debugd: No daemon answers at {data}/run/recorder.sock."):
                    self.assertEqual(
                        message,
                        f"debugd: There is no recorded data in {data}, and no daemon is running there. "
                        "To fix, pass the folder that your daemon uses: --data FOLDER")
                self.assertFalse((self.folder / "missing").exists(), name)
                self.assertEqual(list(there.iterdir()), [], name)

    def test_status_needs_a_daemon(self):
        data = self.folder / "data"
        (self.folder / "x.timeline").write_text(recording())
        self.run_debugd("import", "x.timeline", "--data", data)
        for name in ("status", "hosts", "watch", "open"):
            message = self.refused(name, "--data", data)
            self.assertEqual(
                message,
                f"debugd: No daemon answers at {data}/run/recorder.sock. To fix, start one: "
                f"debugd serve --data {data}")
        self.start(message.split("start one: ")[1], data)
        self.assertIn("daemon", self.run_debugd("status", "--data", data).stdout)

    def start(self, command, data):
        words = shlex.split(command)
        process = subprocess.Popen(
            [BUILD / "debugd", *words[1:], "--listen", "127.0.0.1:0"], stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=self.environment)
        self.addCleanup(process.wait)
        self.addCleanup(process.terminate)
        while self.run_debugd("status", "--data", data).returncode:
            self.assertIsNone(process.poll(), "it ended")


class WithRecordings(Commands):
    """There is a daemon, with two recordings."""

    def setUp(self):
        super().setUp()
        self.daemon = Daemon()
        self.daemon.start()
        self.addCleanup(self.daemon.__exit__, None, None, None)
        self.environment["DEBUGD_DATA"] = str(self.daemon.data)
        (self.folder / "old.timeline").write_text(recording(1, "old"))
        (self.folder / "cart.timeline").write_text(recording(2, started="2026-03-02T09:30:00Z"))
        ran = self.run_debugd("import", "old.timeline", "cart.timeline")
        self.assertEqual(ran.returncode, 0, ran.stderr)


class Wrong(WithRecordings):
    # A call of each command that accepts a recording, whether it works or not.
    CALLS = {
        "open": ["--print"],
        "show": [], "entries": [], "state": [], "diff": ["1", "last:2"], "changes": ["total"],
        "find": ["true"], "filters": [], "column": ["total"], "overview": [], "source": [], "growth": [],
        "fork": ["--drop", "1"],
        "branches": [], "compute": [], "compare": ["last"], "minimize": ["--until", "true"],
        "explain": ["--recorded"],
        "explore": ["--seconds", "1"], "invariants": [], "coverage": [],
        "export": ["--as", "csv", "-p", "total"], "tail": ["--exit"], "hold": [], "step": [],
        "dispatch": ["added"], "restore": ["1", "--of", "last"], "resume": [], "capture": [],
        "rename": ["cart"], "mark": ["1"], "verify": [], "delete": ["--yes"],
    }

    def test_last_is_the_newest_recording_in_every_command(self):
        kinds = {names.split("|")[0]: kind for names, _, kind in self.table()}
        takes = {name for name, kind in kinds.items() if kind.startswith("timelines")} | {"verify"}
        # test_copies tries them, with a daemon to copy to.
        copies = {"push", "pull"}
        self.assertEqual(takes - copies, set(self.CALLS))
        self.assertIn("machine    cart", self.run_debugd("show", "last").stdout)
        for name, more in self.CALLS.items():
            ran = self.run_debugd(name, "last", *more)
            said = ran.stdout + ran.stderr
            self.assertNotIn("No timeline is called", said, name)
            self.assertNotEqual(ran.returncode, 2, f"{name}: {said}")
        # The last call deleted it.
        self.assertIn("machine    old", self.run_debugd("show", "last").stdout)

    def test_entries_that_do_not_exist(self):
        known = f"the timeline has entries 0 to {LAST}."
        for words in (
            "entries cart --from 99", "entries cart --from 99 --backward", "find cart true --from 99",
            "column cart total --from 99", "overview cart --from 99", "overview cart --to 99",
            "minimize cart --until state.total>3 --through 99",
            "compute cart --from 99", "export cart --from 99 --as csv", "changes cart total --after 99",
        ):
            self.assertIn(known, self.refused(*words.split(), code=2), words)
        for words in ("state cart 99", "diff cart 1 99", "mark cart 99 x"):
            self.assertIn(known, self.refused(*words.split()), words)
        # The next entry, which a script may wait for.
        ran = self.run_debugd("entries", "cart", "--from", LAST + 1)
        self.assertEqual((ran.returncode, ran.stdout), (0, ""))
        self.assertIn(
            "--from 5 is after --to 3.",
            self.refused(*"overview cart --from 5 --to 3".split(), code=2))

    def test_edits_that_cannot_be_made(self):
        choose = f"there is no entry 99. Choose one from 0 to {LAST}"
        for words in (
            "--drop 99", "--drop 3-99", "--replace 99=added", "--insert 99=added", "--move 99=1",
            "--move 1=99", "--cut 99", "--start 99", "--repeat 99", "--redispatch 99",
            "--drop 1 --through 99",
        ):
            message = self.refused("fork", "cart", *words.split(), code=2)
            self.assertIn(choose, message, words)
            self.assertRegex(message, r"^debugd: --\w+ 99: ")
        for words in ("--drop 0", "--replace 0=added", "--move 0=3", "--repeat 0"):
            message = self.refused("fork", "cart", *words.split(), code=2)
            self.assertIn(
                "entry 0 is the start, and has no event. To begin with another state, use --start SEQ "
                "or --start-state JSON.", message)
        for words, expected in (
            ("--move 3=3", "--move 3=3 moves entry 3 before itself, which changes nothing."),
            ("--drop 5-3", "--drop takes entries, such as 12, 12-15, or 7,12-15, not '5-3'."),
            ("--drop 5-", "--drop takes entries, such as 12"),
            ("--drop 5,", "--drop takes entries, such as 12, 12-15, or 7,12-15, not ''."),
            ("--cut x", "--cut takes the number of an entry, not 'x'."),
            ("--start-state {", "--start-state: '{' is not JSON: "),
        ):
            self.assertIn(expected, self.refused("fork", "cart", *words.split(), code=2))
        # The daemon's own message names the option, too.
        self.assertIn(
            "--cut 2: ", self.refused(*"fork cart --drop 2 --cut 2".split()))

    def test_misspelled_paths(self):
        for words in [
            ("column", "cart", "/totl"), ("state", "cart", "--path", "/totl"),
            ("diff", "cart", "1", "2", "--path", "/totl"),
            ("export", "cart", "--as", "csv", "--path", "/totl", "--out", "-"),
        ]:
            said = self.refused(*words, code=2)
            self.assertIn("No entry has /state/totl; did you mean /state/total?", said, words)
            right = [word.replace("totl", "total") for word in words]
            self.assertEqual(self.run_debugd(*right).returncode, 0, right)

    def test_sockets_and_commands_in_the_wrong_place(self):
        del self.environment["DEBUGD_DATA"]
        self.assertIn("No daemon answers at /nope.", self.refused("list", "--socket", "/nope"))
        self.assertIn("Options come after the command: debugd list",
                      self.refused("--data", self.daemon.data, "list", code=2))
        self.assertIn("--listen takes ADDRESS:PORT",
                      self.refused("serve", "--listen", "http://127.0.0.1:7357", code=2))

    def test_names_that_do_not_occur(self):
        for words, expected in (
            (("entries", "cart", "--filter", "state.totl > 3"),
             "No entry has state.totl; did you mean state.total?"),
            (("entries", "cart", "--filter", "outputs.snm > 3 && state.total > 1"),
             "No entry has outputs.snm; did you mean outputs.sum?"),
            (("entries", "cart", "--filter", "state.lines[0].price > 3"),
             "No entry has state.lines[0].price. state.lines[0] has id."),
            (("entries", "cart", "--filter", 'event == "aded"'),
             "The machine has no event 'aded'. Did you mean 'added'?"),
            (("entries", "cart", "--filter", "state.total > 99"), "No entries match 'state.total > 99'."),
            (("entries", "cart", "--filter", "state.lines.count > 99"), "No entries match"),
            (("find", "cart", "state.totl > 3"), "No entry has state.totl; did you mean state.total?"),
            (("find", "cart", "state.count > 3"), "No entry has state.count. state has "),
            (("find", "cart", "state.sum > 3"), "No entry has state.sum; did you mean outputs.sum?"),
            (("find", "cart", 'event == "aded"'),
             "The machine has no event 'aded'. Did you mean 'added'?"),
            (("find", "cart", "state.total > 99"), "No entry was found."),
            (("changes", "cart", "/totl"), "No entry has /state/totl; did you mean /state/total?"),
            (("changes", "cart", "/lines/0/id"), "No entry changed '/state/lines/0/id'."),
        ):
            self.assertIn(expected, self.refused(*words))
            ran = self.run_debugd(*words, "--json")
            self.assertEqual((ran.returncode, ran.stdout), (1, ""))
        for words, expected in (
            ("total > 3", "no value is called 'total'; did you mean 'state.total'?"),
            ("smu > 3", "no value is called 'smu'; did you mean 'outputs.sum'?"),
            ("added", "no value is called 'added'; did you mean 'event == \"added\"'?"),
            ("price", "no value is called 'price'; there is state.total, state.lines, outputs.sum"),
        ):
            for before in (
                ("entries", "cart", "--filter"), ("find", "cart"), ("minimize", "cart", "--until"),
            ):
                self.assertIn(expected, self.refused(*before, words, code=2))

    def test_changes_are_reported(self):
        for words, expected in (
            ("rename cart trolley", "00000002  is now called 'trolley'\n"),
            ("rename cart ''", "00000002  has no name of its own now\n"),
            ("mark cart 3 here", "marked  entry 3 of 00000002\n"),
            ("mark cart 3 --remove", "unmarked  entry 3 of 00000002\n"),
            ("prune --age 99999d", "Nothing was deleted: everything is within the limits.\n"),
        ):
            ran = self.run_debugd(*shlex.split(words))
            self.assertEqual((ran.returncode, ran.stdout), (0, expected), ran.stderr)
        self.assertIn(
            "To see live machines, run: debugd list --live", self.refused("hold", "cart"))
        self.assertEqual(
            self.refused("delete", "cart"),
            "Nothing was deleted. To delete without confirmation, add --yes.")

    def test_a_name_of_one_letter_is_a_file_like_any_other(self):
        (self.folder / "c").write_text("nothing\n")
        for words, codes in (
            (("verify", "cart", "--junit", "x"), (1, 3)), (("export", "cart", "-o", "y"), (0,)),
            (("export", "cart", "--as", "swift-testing", "-o", "z"), (0, 1)),
            (("entries", "q"), (1,)), (("open", "q"), (1,)), (("serve", "--config", "c"), (1, 2)),
        ):
            ran = self.run_debugd(*words)
            self.assertIn(ran.returncode, codes, f"{words}: {ran.stdout}{ran.stderr}")

    def test_an_app_is_not_a_timeline(self):
        self.assertIn(
            "'Shop' is an app. Name a machine of it: 'shop/cart', 'shop/old'.",
            self.refused("entries", "Shop"))
        self.assertEqual(self.run_debugd("entries", "shop/cart").returncode, 0)

    def test_explained_paths_are_those_of_predicates(self):
        (self.folder / "list.timeline").write_text("".join(json.dumps(line) + "\n" for line in (
            {"timeline": "00000003-0b7e-4d38-9c41-2e5a7b90d1f3", "app": {"name": "shop"},
             "machine": {"type": "List", "name": "list", "kind": "states"},
             "started": "2026-03-03T09:30:00Z", "format": 1},
            {"seq": 0, "t": 0, "state": {"items": ["a"]}},
            {"seq": 1, "t": 1, "event": "added",
             "patch": [{"op": "add", "path": "/items/1", "value": "b"}]})))
        self.assertIn("state.items[1]", self.run_debugd("explain", "list.timeline", "--recorded").stdout)

    def test_files_that_cannot_be_read_or_written(self):
        folder = self.folder / "folder"
        folder.mkdir()
        named = self.folder / "named.timeline"
        named.mkdir()
        report = self.folder / "no" / "report.xml"
        for words, expected in (
            (("import", "gone.timeline"), "There is no file 'gone.timeline'."),
            (("import", folder), f"The folder '{folder}' has no .timeline file."),
            (("show", named), f"'{named}' is a folder. To fix, name the files in it."),
            (("show", folder), f"'{folder}' is a folder. To fix, name the files in it."),
            (("verify", "cart", "--junit", report), f"'{report}' cannot be written, because there is no "
             f"folder '{report.parent}'. To fix, run: mkdir -p {report.parent}"),
            (("export", "cart", "-o", report), "To fix, run: mkdir -p"),
            (("export", "cart", "-o", "cart.timeline/x"),
             "cannot be written: part of the path is a file. To fix, name a folder."),
            (("export", "cart", "-o", folder), "cannot be written: it is a folder. To fix, name a file in it."),
            (("import", "/dev/null"),
             "'/dev/null' is not a regular file. To fix, write it into one, and name that."),
            (("serve", "--config", "gone"), "There is no file 'gone'."),
            (("serve", "--data", folder / "d", "--web", "gone"),
             "The inspector's page cannot be served: the folder gone cannot be read: No such file or "
             "directory. To fix, pass the folder 'web' of Stateline's source: --web FOLDER"),
        ):
            self.assertIn(expected, self.refused(*words), words)
        # As the message advises.
        command = self.refused("export", "cart", "-o", report).split("run: ")[1]
        subprocess.run(command, shell=True, check=True)
        self.assertEqual(self.run_debugd("export", "cart", "-o", report).returncode, 0)


if __name__ == "__main__":
    unittest.main()
