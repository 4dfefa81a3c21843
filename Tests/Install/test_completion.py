"""How shells use debugd's completions, and that no recorded name is ever run as a command."""

import json
import os
import pty
import re
import select
import shlex
import subprocess
import tempfile
import time
import unittest

from daemon import BUILD, Daemon

# Typed words, and what the completions must include; None where files are offered.
CASES = [
    ("debugd ent", "entries"),
    ("debugd entries --filt", "--filter"),
    ("debugd overview fir --by s", "seq"),
    ("debugd completion f", "fish"),
    ("debugd export --as xc", "xctest"),
    ("debugd verify some", "some.timeline"),
    ("debugd export fir --out some", "some.timeline"),
    ("debugd show fir", "first"),
    ("debugd entries some.", "some.timeline"),
    ("debugd view some", "some.timeline"),
]

# Names that bash splits into several words.
GLUED = [
    ("debugd show mach", "machine"), ("debugd show machine:", "machine:1"),
    ("debugd show machine@", "machine@home"), ("debugd show machine@h", "machine@home"),
    ("debugd show App/", "App/other"),
]

# Names that some shell could run, expand, or read as an option. Each would run `touch`.
HOSTILE = [
    "<({touch,OWNED})", ">({touch,OWNED})", "$(touch${IFS}OWNED)", "`touch\tOWNED`", "x;{touch,OWNED}",
    "x&{touch,OWNED}", "x|{touch,OWNED}", "x\n{touch,OWNED}", "x\r{touch,OWNED}", "*", "?", "[a-z]*",
    "~", "~root", "{a,b}", "-rf", "--data=/", "'x", '"x', "x\\", "x y", "!!", "#x", "=ls", "%1", "^x^y",
    "x\u202ey", "\u202e;{touch,OWNED}", "\u009b31m", "\u00a0x", "größe", "x\u007f", "(x)", "x>OWNED",
    "$HOME", "$'x'", "x,y",
]

# The completions that every shell reads as one word.
HARMLESS = ["first", "machine:1", "machine@home", "App/other"]

TIMELINE = """{"timeline":"%s","app":{"name":"Coins"},"machine":{"type":"Coins.Coin","name":%s},"started":"2026-03-01T09:30:00Z","format":1}
{"seq":0,"t":0,"state":1}
"""


class Completion(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.daemon = cls.enterClassContext(Daemon())
        cls.folder = cls.enterClassContext(tempfile.TemporaryDirectory())
        cls.ids = []
        for name in ["first", *HARMLESS[1:], *HOSTILE]:
            cls.ids.append(f"{len(cls.ids) + 0x10000000:08x}-0b7e-4d38-9c41-2e5a7b90d1f3")
            with open(f"{cls.folder}/{len(cls.ids)}.timeline", "w") as file:
                file.write(TIMELINE % (cls.ids[-1], json.dumps(name)))
        files = [f"{index + 1}.timeline" for index in range(len(cls.ids))]
        cls.environment = {
            **cls.daemon.environment, "DEBUGD_DATA": str(cls.daemon.data), "TERM": "dumb",
            "PATH": f"{BUILD}:{os.environ['PATH']}", "HOME": cls.folder, "LC_ALL": "C.UTF-8",
        }
        cls.ask("debugd", "import", *files)
        for file in files[1:]:
            os.remove(f"{cls.folder}/{file}")
        os.rename(f"{cls.folder}/{files[0]}", f"{cls.folder}/some.timeline")

    @classmethod
    def ask(cls, *words):
        ran = subprocess.run(
            words, capture_output=True, text=True, env=cls.environment, cwd=cls.folder, timeout=60)
        if ran.returncode:
            raise AssertionError(f"{words}: {ran.stderr}")
        return ran.stdout

    def tearDown(self):
        left = sorted(os.listdir(self.folder))
        self.assertNotIn("OWNED", left, "a recorded name was run")

    def terminal(self, words):
        """A shell on a terminal, with the completions loaded and a prompt that can be waited for."""
        shell = os.path.basename(words[0])
        terminal = Terminal(words, self.environment, self.folder)
        self.addCleanup(terminal.close)
        if shell == "zsh":
            terminal.type("unsetopt zle_bracketed_paste prompt_sp; PS1='READY> '; PS2=\n")
            terminal.type("autoload -U compinit; compinit -u -D\n")
        else:
            terminal.type("bind 'set enable-bracketed-paste off'; PS1='READY> '\n")
            terminal.type("bind 'set completion-query-items 0'; bind 'set page-completions off'\n")
        terminal.type(f"source {self.script(shell)}; echo LOA''DED\n")
        terminal.wait("LOADED")
        return terminal

    def check_terminal(self, terminal):
        for typed, wanted in CASES + GLUED:
            # The line after Tab, which the shell shows but does not run.
            terminal.type(f"\x15{typed}\t")
            completed = re.escape(" ".join([*typed.split()[:-1], wanted]))
            terminal.wait(completed + r" ?(?![\w-])", typed)

    def check_enter(self, terminal, turn):
        """Presses Tab, then Enter on the completed line.

        Each line runs debugd three times, so each of the three shells has a third of the ids. All
        of them have all ids when TEST_ROUNDS is `all`.
        """
        ids = self.ids if os.environ.get("TEST_ROUNDS") == "all" else self.ids[turn::3]
        for typed in ["", "x", "gr", "ma", *(text[:8] for text in ids)]:
            terminal.type(f"\x15debugd show {typed}\t\t\n")
        for typed in ["'x", "'<(", "\\<\\(", "'$(", '"x', "\\*", "{", "~", "\\{"]:
            # The typed text is not a word by itself, so that Enter would only run that.
            terminal.type(f"\x15debugd show {typed}\t\t\x15")
        terminal.type("\x15echo DO''NE\n")
        terminal.wait("DONE")

    def script(self, shell):
        path = f"{self.folder}/{shell}"
        with open(path, "w") as file:
            file.write(self.ask("debugd", "completion", shell))
        return path

    def test_bash(self):
        script = self.script("bash")
        self.ask("bash", "-n", script)
        for typed, wanted in CASES:
            *words, last = typed.split()
            line = f"COMP_WORDS=({' '.join(words)} '{last}'); COMP_CWORD={len(words)}"
            said = self.ask("bash", "-c", f"source {script}; {line}; _debugd; echo \"${{COMPREPLY[@]}}\"")
            self.assertEqual(said.split(), [wanted], typed)

    def test_fish(self):
        script = self.script("fish")
        self.ask("fish", "--no-config", "-n", script)
        for typed, wanted in CASES:
            said = self.ask("fish", "--no-config", "-c", f"source {script}; complete -C '{typed}'")
            self.assertEqual([line.split("\t")[0] for line in said.splitlines()], [wanted], typed)

    def test_zsh(self):
        self.ask("zsh", "-n", self.script("zsh"))
        terminal = self.terminal(["zsh", "-f", "-i"])
        self.check_terminal(terminal)
        self.check_enter(terminal, 0)

    def test_bash_on_a_terminal(self):
        terminal = self.terminal(["bash", "--norc", "--noprofile", "-i"])
        self.check_terminal(terminal)
        self.check_enter(terminal, 1)

    def test_bash_without_newer_builtins(self):
        # As bash 3.2 of macOS.
        terminal = self.terminal(["bash", "--norc", "--noprofile", "-i"])
        terminal.type("enable -n compopt mapfile readarray\n")
        self.check_terminal(terminal)
        self.check_enter(terminal, 2)

    def test_bash_offers_only_harmless_words(self):
        script = self.script("bash")
        offered = self.ask(
            "bash", "-c", f"source {script}; COMP_WORDS=(debugd show ''); COMP_CWORD=2; _debugd;"
            " printf '%s\\n' \"${COMPREPLY[@]}\"").splitlines()
        self.assertEqual(sorted(offered), sorted(HARMLESS + self.ids))
        for name in HOSTILE:
            line = f"source {script}; COMP_WORDS=(debugd show {shlex.quote(name)}); COMP_CWORD=2; _debugd;"
            said = self.ask("bash", "-c", line + " printf '%s\\n' \"${COMPREPLY[@]}\"")
            self.assertIn(said, ("\n", "[a-z]*"), name)

    def test_bash_keeps_names_of_another_debugd_from_running(self):
        # A debugd on the PATH that is older than the script may print anything.
        with tempfile.TemporaryDirectory() as folder:
            with open(f"{folder}/debugd", "w") as file:
                names = "".join(name.replace("\n", "") + "\n" for name in HOSTILE + HARMLESS)
                file.write(f"#!/bin/sh\ncat <<'END OF NAMES'\n{names}END OF NAMES\n")
            os.chmod(f"{folder}/debugd", 0o755)
            said = self.ask(
                "env", f"PATH={folder}:/usr/bin:/bin", "bash", "-c",
                f"source {self.script('bash')}; COMP_WORDS=(debugd show ''); COMP_CWORD=2; _debugd;"
                " printf '%s\\n' \"${COMPREPLY[@]}\"")
        self.assertEqual(said.splitlines(), HARMLESS)

    def test_fish_offers_only_harmless_words(self):
        said = self.ask(
            "fish", "--no-config", "-c", f"source {self.script('fish')}; complete -C 'debugd show '")
        offered = [line.split("\t")[0] for line in said.splitlines()]
        self.assertEqual(sorted(offered), sorted(HARMLESS + self.ids))

    def test_files_with_hostile_names_are_quoted(self):
        with tempfile.TemporaryDirectory(dir=self.folder) as folder:
            name = "it's;{touch,OWNED}.timeline"
            with open(f"{folder}/{name}", "w") as file:
                file.write("")
            for words in (["bash", "--norc", "--noprofile", "-i"], ["zsh", "-f", "-i"]):
                terminal = self.terminal(words)
                terminal.type(f"cd {folder}; echo THE''RE\n")
                terminal.wait("THERE")
                terminal.type("debugd import it\t\n")
                terminal.wait("READY> ")
                terminal.type("echo DO''NE\n")
                terminal.wait("DONE")
                self.assertEqual(os.listdir(folder), [name], words[0])


class Terminal:
    """A program on a terminal of its own."""

    def __init__(self, words, environment, folder):
        self.said = ""
        self.process, self.file = pty.fork()
        if self.process == 0:
            os.chdir(folder)
            os.execvpe(words[0], words, environment)

    def type(self, text):
        self.said = ""
        os.write(self.file, text.encode())

    def wait(self, expression, what=""):
        """Waits until the terminal shows it."""
        end = time.monotonic() + 120
        while not re.search(expression, self.said):
            if time.monotonic() > end:
                raise AssertionError(f"{what!r}: no {expression!r} in {self.said!r}")
            if select.select([self.file], [], [], 0.2)[0]:
                text = os.read(self.file, 65536).decode(errors="replace")
                # The terminal may show a completed word after text that is already there.
                self.said += re.sub(r"\x1b\[[\d;?]*[A-Za-z]|\r|\x07", "", text)

    def close(self):
        os.kill(self.process, 9)
        os.waitpid(self.process, 0)
        os.close(self.file)


if __name__ == "__main__":
    unittest.main()
