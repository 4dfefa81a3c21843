"""Lines around call sites: only from the folders that the daemon was started with."""

import json
import os
import pathlib
import tempfile
import unittest

from agents import Agent
from daemon import Daemon
from peers import Inspector, Refused

ID = "0000005c-0b7e-4d38-9c41-2e5a7b90d1f3"
HOSTILE = [
    "../Secret.swift:1", "/etc/passwd:1", "Shop/../../Secret.swift:1", "Secret.swift:1",
    "Link.swift:1", "Linked/Secret.swift:1", "Shop/Cart.swift:99999999999999999999",
    "Shop/Cart.swift:9223372036854775807", "Shop/Cart.swift\u0000:1", "secrets.json:1", ".env:1",
    "Shop/$(touch pwned).swift:1", "\u001b]0;x\u0007.swift:1", "\u202eShop/Trac.swift:1",
]


class Sources(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.sources = self.folder / "sources"
        module = self.sources / "Sources" / "Shop"
        module.mkdir(parents=True)
        self.file = module / "Cart.swift"
        self.file.write_text("".join(f"line {number}\n" for number in range(1, 31)))
        (self.folder / "Secret.swift").write_text("the secret\n")
        for name in ("secrets.json", ".env"):
            (self.sources / name).write_text("the secret\n")
        os.symlink(self.folder / "Secret.swift", self.sources / "Link.swift")
        os.symlink(self.folder, self.sources / "Linked")

    def recording(self):
        """An entry for each call site; the first one is honest."""
        header = {
            "timeline": ID, "app": {"name": "shop"}, "machine": {"type": "Cart", "name": "cart"},
            "started": "2026-03-01T09:30:00Z", "format": 1}
        lines = [header, {"seq": 0, "t": 0, "state": {"n": 0}}]
        for seq, at in enumerate(["Shop/Cart.swift:12", *HOSTILE], 1):
            lines.append({"seq": seq, "t": seq, "event": {"set": {}}, "at": at, "patch": [
                {"op": "replace", "path": "/n", "value": seq}]})
        path = self.folder / "cart.timeline"
        path.write_text("".join(json.dumps(line) + "\n" for line in lines))
        return path

    def daemon(self, *options):
        daemon = self.enterContext(Daemon(options=options))
        daemon.run("import", self.recording())
        return daemon

    def test_the_page_commands_and_agents_get_the_same_lines(self):
        daemon = self.daemon("--source", str(self.sources), "--editor", "zed")
        with Inspector(daemon.socket) as inspector:
            found = inspector.ask("source", timeline=ID, seq=1, around=1)
        self.assertEqual(
            (found["at"], found["file"], found["line"], found["first"], found["lines"]),
            ("Shop/Cart.swift:12", str(self.file.resolve()), 12, 11,
             ["line 11", "line 12", "line 13"]))
        self.assertEqual(found["editor"], "zed://file{file}:{line}")
        printed = json.loads(
            daemon.run("source", "cart", 1, "--around", 1, "--json").stdout)
        self.assertEqual(printed, {key: found[key] for key in printed})
        self.assertEqual(set(printed), {"at", "file", "line", "first", "lines"})
        shown = daemon.run("source", "cart", 1, "--around", 1).stdout.splitlines()
        self.assertEqual(shown[0], f"Shop/Cart.swift:12  {self.file.resolve()}")
        self.assertEqual(shown[1:], ["      11  line 11", ">     12  line 12", "      13  line 13"])
        with Agent(daemon) as agent:
            changes = agent.call("who_set", timeline="cart", path="/n", limit=1, before=2)["changes"]
        self.assertEqual(changes[0]["source"]["file"], found["file"])
        self.assertEqual(
            changes[0]["source"]["lines"],
            {"10": "line 10", "11": "line 11", "12": "line 12", "13": "line 13", "14": "line 14"})

    def test_no_recorded_text_leads_out_of_the_folders(self):
        daemon = self.daemon("--source", str(self.sources))
        with Inspector(daemon.socket) as inspector:
            for seq, at in enumerate(HOSTILE, 2):
                with self.subTest(at), self.assertRaises(Refused) as refused:
                    inspector.ask("source", timeline=ID, seq=seq)
                self.assertEqual(refused.exception.code, "not-found")
                self.assertNotIn("the secret", str(refused.exception.error))
        for seq in range(2, len(HOSTILE) + 2):
            for options in ((), ("--source", self.sources)):
                ran = daemon.run("source", "cart", seq, *options, check=False)
                self.assertEqual((ran.returncode, ran.stdout), (1, ""), ran.stderr)
                self.assertNotIn("\u001b", ran.stderr)
                self.assertNotIn("\u202e", ran.stderr)
        self.assertFalse((self.folder / "pwned").exists())

    def test_a_command_reads_the_folder_that_it_names(self):
        daemon = self.daemon()
        refused = daemon.run("source", "cart", 1, check=False)
        self.assertEqual(refused.returncode, 1)
        self.assertIn("add --source FOLDER to the command that you ran: serve, view, or source.", refused.stderr)
        named = daemon.run("source", "cart", 1, "--around", 0, "--source", self.sources).stdout
        self.assertEqual(named.splitlines()[1:], [">     12  line 12"])
        daemon.stop()
        # Without a daemon, and for a file.
        for word in ("cart", self.folder / "cart.timeline"):
            again = daemon.run("source", word, 1, "--around", 0, "--source", self.sources).stdout
            self.assertEqual(again, named)
        self.assertIn("has no call site", daemon.run(
            "source", "cart", 0, "--source", self.sources, check=False).stderr)

    def test_an_advised_restart_shows_the_lines(self):
        daemon = self.daemon()
        self.assertEqual(daemon.run("source", "cart", 1, check=False).returncode, 1)
        daemon.stop()
        daemon.options += ["--source", str(self.sources)]
        daemon.start()
        self.assertIn("line 12", daemon.run("source", "cart", 1).stdout)

    def test_mistakes_are_refused_before_the_daemon_serves(self):
        daemon = self.enterContext(Daemon())
        for options, code, words in (
                (("--source", self.folder / "gone"), 1, "To fix, name one with --source."),
                (("--source", self.file), 1, "There is no folder"),
                (("--source", self.sources, "--editor", "code -g {file}"), 2, "is not an editor. Use vscode"),
                (("--source", self.sources, "--editor", "javascript://{file}"), 2, "is not an editor"),
                (("--editor", "vscode"), 2, "--editor needs the folder of the sources")):
            ran = daemon.run("serve", *options, check=False)
            self.assertEqual(ran.returncode, code, ran.stderr)
            self.assertIn(words, ran.stderr)


if __name__ == "__main__":
    unittest.main()
