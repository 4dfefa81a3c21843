"""What the shells make of debugd's completions: asked of the shells themselves."""

import os
import pty
import re
import select
import subprocess
import tempfile
import time
import unittest

from daemon import BUILD, Daemon

# Typed words, and what has to be among the answers; None where files are offered.
CASES = [
    ("debugd ent", "entries"),
    ("debugd entries --filt", "--filter"),
    ("debugd overview fir --by s", "seq"),
    ("debugd completion f", "fish"),
    ("debugd export --as xc", "xctest"),
    ("debugd verify some", "some.timeline"),
    ("debugd export fir --out some", "some.timeline"),
    ("debugd show fir", "first"),
]

TIMELINE = """{"timeline":"6f1c9a52-0b7e-4d38-9c41-2e5a7b90d1f3","app":{"name":"Coins"},"machine":{"type":"Coins.Coin","name":"first"},"started":"2026-03-01T09:30:00Z","format":1}
{"seq":0,"t":0,"state":1}
"""


class Completion(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.daemon = cls.enterClassContext(Daemon())
        cls.folder = cls.enterClassContext(tempfile.TemporaryDirectory())
        with open(f"{cls.folder}/some.timeline", "w") as file:
            file.write(TIMELINE)
        cls.environment = {
            **cls.daemon.environment, "DEBUGD_DATA": str(cls.daemon.data), "TERM": "dumb",
            "PATH": f"{BUILD}:{os.environ['PATH']}", "HOME": cls.folder, "LC_ALL": "C.UTF-8",
        }
        cls.ask("debugd", "import", "some.timeline")

    @classmethod
    def ask(cls, *words):
        ran = subprocess.run(
            words, capture_output=True, text=True, env=cls.environment, cwd=cls.folder, timeout=60)
        if ran.returncode:
            raise AssertionError(f"{words}: {ran.stderr}")
        return ran.stdout

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
        script = self.script("zsh")
        self.ask("zsh", "-n", script)
        terminal = Terminal(["zsh", "-f", "-i"], self.environment, self.folder)
        self.addCleanup(terminal.close)
        terminal.type("unsetopt zle_bracketed_paste prompt_sp; PS1='READY> '; PS2=\n")
        terminal.type(f"autoload -U compinit; compinit -u -D; source {script}; echo LOA''DED\n")
        terminal.wait("LOADED")
        for typed, wanted in CASES:
            # The line as it is after Tab, put on the screen by the shell and not run.
            terminal.type(f"\x15{typed}\t")
            completed = re.escape(" ".join([*typed.split()[:-1], wanted]))
            terminal.wait(completed + r" ?(?![\w-])", typed)


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
        end = time.monotonic() + 30
        while not re.search(expression, self.said):
            if time.monotonic() > end:
                raise AssertionError(f"{what!r}: no {expression!r} in {self.said!r}")
            if select.select([self.file], [], [], 0.2)[0]:
                text = os.read(self.file, 65536).decode(errors="replace")
                # A completed word may be written behind what stands there.
                self.said += re.sub(r"\x1b\[[\d;?]*[A-Za-z]|\r|\x07", "", text)

    def close(self):
        os.kill(self.process, 9)
        os.waitpid(self.process, 0)
        os.close(self.file)


if __name__ == "__main__":
    unittest.main()
