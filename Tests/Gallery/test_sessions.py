"""The terminal sessions of the documents, typed again: each command says what the document shows."""

import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests" / "Live"))

from daemon import BUILD, Daemon

EXAMPLES = pathlib.Path(os.environ["EXAMPLES_BUILD"])

# What differs each time: identifiers, moments, durations, sizes, processes.
IDENTIFIER = re.compile(r"\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b|\b[0-9a-f]{8}\b")
VARYING = [
    (re.compile(r"\d{4}-\d\d-\d\d[ T][\d:.]+Z?"), "WHEN"),
    (re.compile(r"[+]?\d+(\.\d+)? (ns|µs|ms|s|B|kB)(?= |$)"), "SOME"),
    (re.compile(r"process \d+ on .*"), "PROCESS"),
    (re.compile(r" +"), " "),
]


def sessions(document):
    """The commands of a document's sessions, each with the lines below it."""
    text = (ROOT / document).read_text("utf-8")
    commands = []
    for block in re.findall(r"^```console\n(.*?)^```", text, re.DOTALL | re.MULTILINE):
        for line in block.splitlines():
            if line.startswith("$ "):
                commands.append((line[2:], []))
            else:
                commands[-1][1].append(line)
    return commands


def plain(line):
    """A line without what differs each time."""
    line = IDENTIFIER.sub("ID", line)
    for expression, word in VARYING:
        line = expression.sub(word, line)
    return line.strip()


class Sessions(unittest.TestCase):
    def play(self, program, document, until=None):
        folder = pathlib.Path(tempfile.mkdtemp(prefix="said", dir="/tmp"))
        self.addCleanup(shutil.rmtree, folder)
        daemon = Daemon(options=["--host", str(EXAMPLES / program)]).start()
        self.addCleanup(daemon.__exit__, None, None, None)
        environment = {
            **daemon.environment, "DEBUGD_DATA": str(daemon.data), "HOME": str(folder),
            "PATH": f"{BUILD}:{os.environ['PATH']}",
        }

        def run(*words):
            ran = subprocess.run(
                list(map(str, words)), cwd=folder, capture_output=True, text=True, timeout=120,
                stdin=subprocess.DEVNULL,
                env={**environment, "DEBUGD": f"unix:{daemon.socket}"} if words[0] != "debugd"
                else environment)
            # 1 says that what was compared differs.
            self.assertIn(ran.returncode, (0, 1), f"{document}: {words}: {ran.stderr}")
            self.assertNotIn("debugd:", ran.stderr, f"{document}: {words}")
            # As a terminal shows them.
            return [line for line in (ran.stdout + ran.stderr).splitlines() if line]

        # The identifiers of this run by those of the document.
        known = {}
        commands = sessions(document)
        if not commands[0][0].startswith("swift run"):
            run(EXAMPLES / program)
        played = 0
        for command, shown in commands:
            if until and until in command:
                break
            words = [known.get(word, word) for word in shlex.split(command)]
            if words[:3] == ["swift", "run", "--package-path"]:
                words = [EXAMPLES / words[4]]
            shown = [line for line in shown if line]
            said = run(*words)
            for wanted, got in zip(shown, said):
                for one, other in zip(IDENTIFIER.finditer(wanted), IDENTIFIER.finditer(got)):
                    known[one[0]] = other[0]
            if "…" in shown:
                shown = shown[:shown.index("…")]
                said = said[:len(shown)]
            self.assertEqual(
                list(map(plain, said)), list(map(plain, shown)), f"{document}: {command}")
            played += 1
        return played

    def test_the_readme(self):
        self.assertEqual(self.play("Coin", "README.md"), len(sessions("README.md")))

    def test_the_walkthrough(self):
        # What follows needs the mended program.
        self.assertGreater(self.play("Elsewhere", "docs/walkthrough.md", until="--again"), 10)


if __name__ == "__main__":
    unittest.main()
