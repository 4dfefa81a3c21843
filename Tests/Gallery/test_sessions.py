"""The terminal sessions of the documents, typed again: each command says what the document shows."""

import os
import pathlib
import re
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


# What a user has there: `swift run NAME` runs a program that is built already.
SWIFT = """#!/bin/sh
for name; do :; done
DEBUGD=${DEBUGD:-$RECORD_TO} exec .build/debug/"$name"
"""


class Sessions(unittest.TestCase):
    def play(self, program, document, before="", until=None, leave=0):
        """Types what a document shows, after `before`, up to a command that contains `until`, or but for
        the last ones."""
        folder = pathlib.Path(tempfile.mkdtemp(prefix="said", dir="/tmp"))
        self.addCleanup(shutil.rmtree, folder)
        self.folder = folder
        daemon = Daemon(options=["--host", str(EXAMPLES / program)]).start()
        self.addCleanup(daemon.__exit__, None, None, None)
        (folder / ".build").mkdir()
        (folder / ".build" / "debug").symlink_to(EXAMPLES)
        (folder / "bin").mkdir()
        (folder / "bin" / "swift").write_text(SWIFT)
        (folder / "bin" / "swift").chmod(0o755)
        environment = {
            **daemon.environment, "DEBUGD_DATA": str(daemon.data), "HOME": str(folder),
            "RECORD_TO": f"unix:{daemon.socket}",
            "PATH": f"{folder / 'bin'}:{BUILD}:{os.environ['PATH']}",
        }

        def run(command, shown=()):
            ran = subprocess.run(
                ["bash", "-c", command], cwd=folder, capture_output=True, text=True, timeout=120,
                stdin=subprocess.DEVNULL, env=environment)
            # What is to be refused is refused in the words of the document. 1 says that what was
            # compared differs.
            if not any(line.startswith("debugd: ") for line in shown):
                self.assertIn(ran.returncode, (0, 1), f"{document}: {command}: {ran.stderr}")
                self.assertNotIn("debugd:", ran.stderr, f"{document}: {command}")
            # As a terminal shows them.
            return [line for line in (ran.stdout + ran.stderr).splitlines() if line]

        # The identifiers of this run by those of the document.
        known = {}
        run(before)
        played = 0
        commands = sessions(document)
        for command, shown in commands[:len(commands) - leave]:
            if until and until in command:
                break
            shown = [line for line in shown if line]
            said = run(IDENTIFIER.sub(lambda found: known.get(found[0], found[0]), command), shown)
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

    def play_all(self, *arguments, **options):
        self.assertEqual(self.play(*arguments, **options), len(sessions(arguments[1])))

    def test_the_readme(self):
        self.play_all("Coin", "README.md", before="swift run Coin")

    def test_the_manual_of_the_daemon(self):
        self.play_all("Coin", "docs/debugd.md", before="swift run Coin")

    def test_the_command_line_tool(self):
        self.play_all("Coin", "docs/use/command-line.md")

    def test_the_walkthrough(self):
        # What follows needs the mended program.
        played = self.play("Elsewhere", "docs/walkthrough.md", until="--again")
        self.assertGreater(played, 10)
        # The test that is shown is the one that was written.
        [written] = [path.read_text("utf-8") for path in self.folder.glob("*.swift")]
        text = (ROOT / "docs" / "walkthrough.md").read_text("utf-8")
        shown = text.split("```swift example\n")[1].split("```")[0]
        self.assertEqual(written[written.index("@Suite"):], shown)

    def test_continuous_integration(self):
        # A recording of the basket that verifies; the last session is after a change of the program.
        recorded = "mkdir -p Tests/CoinTests; DEBUGD=file:Tests/Timelines swift run Elsewhere"
        tidy = "; rm -f Tests/Timelines/*total*; mv Tests/Timelines/* Tests/Timelines/basket.timeline"
        played = self.play(
            "Coin", "docs/use/continuous-integration.md",
            before=f"swift run Coin; {recorded}{tidy}",
            leave=1)
        self.assertEqual(played, 4)


if __name__ == "__main__":
    unittest.main()
