"""The terminal sessions in the documents, run again: each command prints what the document shows."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "Tests" / "Live"), str(ROOT / "scripts" / "lib")]

import markdown
from daemon import BUILD, Daemon
from patched_build import PatchedBuild

WALKTHROUGH = "docs/walkthrough.md"
EXAMPLES = pathlib.Path(os.environ["EXAMPLES_BUILD"])

# What differs between runs: identifiers, times, durations, sizes, processes.
IDENTIFIER = re.compile(r"\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b|\b[0-9a-f]{8}\b")
VARYING = [
    (re.compile(r"\d{4}-\d\d-\d\d[ T][\d:.]+Z?"), "WHEN"),
    (re.compile(r"[+]?\d+(\.\d+)? (ns|µs|ms|s|B|kB)(?= |$)"), "SOME"),
    (re.compile(r"process \d+ on .*"), "PROCESS"),
    (re.compile(r" +"), " "),
]


def sessions(document):
    """The commands of a document's sessions, each with the lines below it."""
    commands = []
    for block in snippets(document, "console"):
        for line in block.splitlines():
            if line.startswith("$ "):
                commands.append((line[2:], []))
            else:
                commands[-1][1].append(line)
    return commands


def plain(line):
    """A line without what differs between runs."""
    line = IDENTIFIER.sub("ID", line)
    for expression, word in VARYING:
        line = expression.sub(word, line)
    return line.strip()


# What a user has there: `swift run NAME` and `NAME` alone both run a program that is already built,
# which finds the daemon of the test.
RUN = """#!/bin/sh
DEBUGD=${DEBUGD:-$RECORD_TO} exec .build/debug/%s
"""
SWIFT = "#!/bin/sh\nfor name; do :; done\nexec \"$name\"\n"
PROGRAMS = ("Coin", "Elsewhere", "Gallery")


def snippets(document, kind):
    """The contents of the blocks of a kind."""
    text = (ROOT / document).read_text("utf-8")
    blocks = re.findall(rf"^( *)```{kind}\n(.*?)^\1```", text, re.DOTALL | re.MULTILINE)
    # A block in a list is indented.
    return [re.sub(rf"^{indent}", "", block, flags=re.MULTILINE) for indent, block in blocks]


def shown_commands(text):
    """The debugd commands in the blocks that are not sessions, as they would be typed, without their
    explanations."""
    lines = "\n".join(line for _, line in markdown.blocks(text, ("", "console example")))
    for line in re.sub(r"\\\n\s*", " ", lines).splitlines():
        line = line.removeprefix("$ ")
        if re.match(r"debugd( |$)", line):
            yield re.split(r"\s{2,}|\s#", line)[0].replace("…", "1")


DOCUMENTS = {
    "README.md", "docs/getting-started.md", "docs/debugd.md", "docs/use/command-line.md", "docs/walkthrough.md",
    "docs/use/continuous-integration.md",
}


class Sessions(unittest.TestCase):
    def play(self, document, program=None, before="", changes={}, with_gallery=False):
        """Runs the commands of a document, after `before`, against a daemon with a program as its host,
        and next to the gallery. `changes` has functions by the number of the command before which
        they run."""
        folder = pathlib.Path(tempfile.mkdtemp(prefix="said"))
        self.addCleanup(shutil.rmtree, folder)
        self.folder = folder
        # Links, so that one of the programs can be rebuilt.
        programs = folder / ".build" / "debug"
        programs.mkdir(parents=True)
        (folder / "Examples" / "Tests" / "MachinesTests").mkdir(parents=True)
        for package in (folder, folder / "Examples"):
            (package / "Package.swift").touch()
        bin = folder / "bin"
        bin.mkdir()
        for name in PROGRAMS:
            (programs / name).symlink_to(EXAMPLES / name)
            (bin / name).write_text(RUN % name)
        (bin / "swift").write_text(SWIFT)
        for file in bin.iterdir():
            file.chmod(0o755)
        daemon = Daemon(options=["--host", str(programs / program)] if program else []).start()
        self.addCleanup(daemon.__exit__, None, None, None)
        environment = {
            **daemon.environment, "DEBUGD_DATA": str(daemon.data), "HOME": str(folder),
            "RECORD_TO": f"unix:{daemon.socket}",
            # The sessions show no commit, and a CI server sets one.
            "DEBUGD_COMMIT": "",
            "PATH": f"{bin}:{BUILD}:{os.environ['PATH']}",
        }

        def run(command, shown=()):
            ran = subprocess.run(
                ["bash", "-c", command], cwd=folder, capture_output=True, text=True, timeout=120,
                stdin=subprocess.DEVNULL, env=environment)
            # If the document shows an error, the command must fail with it. Status 1 says that two
            # timelines differ.
            if not any(line.startswith("debugd: ") for line in shown):
                self.assertIn(ran.returncode, (0, 1), f"{document}: {command}: {ran.stderr}")
                self.assertNotIn("debugd:", ran.stderr, f"{document}: {command}")
            # In the order of a terminal.
            return [line for line in (ran.stdout + ran.stderr).splitlines() if line]

        self.run_command = run

        if with_gallery:
            gallery = subprocess.Popen(
                [bin / "Gallery"], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            self.addCleanup(gallery.wait)
            self.addCleanup(gallery.kill)
            while not {"coin", "basket"} <= set(" ".join(run("debugd list --app Gallery")).split()):
                self.assertIsNone(gallery.poll(), "the gallery ended")

        # The identifiers of the document, and those of this run.
        known = {}
        # A program waits one second for its recording when it ends: too little on a busy machine.
        for _ in range(9 if before else 0):
            run(before)
            listed = run(f"debugd list --json --app {before.split(';')[0]}")
            if any(line.startswith("{") for line in listed):
                break
        played = 0
        for number, (command, shown) in enumerate(sessions(document)):
            if number in changes:
                changes[number]()
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
        self.assertEqual(played, len(sessions(document)))

    def test_no_session_is_left_out(self):
        documents = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
        names = {str(path.relative_to(ROOT)) for path in documents}
        self.assertEqual({name for name in names if sessions(name)}, DOCUMENTS)

    def test_debugd_accepts_every_command_that_is_shown(self):
        folder = pathlib.Path(tempfile.mkdtemp(prefix="said"))
        self.addCleanup(shutil.rmtree, folder)
        environment = {"HOME": str(folder), "PATH": f"{BUILD}:{os.environ['PATH']}",
                       "DEBUGD_DATA": str(folder / "data")}
        count = 0
        for document in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]:
            for command in shown_commands(document.read_text("utf-8")):
                # A command that would start a daemon only prints its help; all others find no data.
                if re.match(r"debugd( serve| *$)", command):
                    command += " --help"
                ran = subprocess.run(
                    ["bash", "-c", command], cwd=folder, capture_output=True, text=True, timeout=60,
                    stdin=subprocess.DEVNULL, env=environment)
                self.assertNotEqual(ran.returncode, 2, f"{document.name}: {command}: {ran.stderr}")
                self.assertNotEqual(ran.returncode, 127, f"{document.name}: {command}: {ran.stderr}")
                count += 1
        self.assertGreater(count, 20)

    def test_the_readme(self):
        self.play("README.md", "Elsewhere", before="Elsewhere", with_gallery=True)

    def test_the_readme_shows_a_piece_of_the_walkthroughs_test(self):
        [shown] = snippets("README.md", "swift example")
        self.assertIn(shown, snippets(WALKTHROUGH, "swift example")[0])

    def test_getting_started(self):
        self.play("docs/getting-started.md", before="Coin", with_gallery=True)

    def test_the_manual_of_the_daemon(self):
        self.play("docs/debugd.md", "Coin", before="Coin")

    def test_the_command_line_tool(self):
        self.play("docs/use/command-line.md", "Coin")

    def fix_bug(self):
        """Fixes the basket as the walkthrough says, and rebuilds the program that runs it. Returns the
        objects of its machines."""
        _, line = snippets(WALKTHROUGH, "swift example")
        build = PatchedBuild(self.folder, EXAMPLES)
        machines = build.patched("Basket.swift", "state.totalCents -= item.cents", line)
        program = self.folder / ".build" / "debug" / "Elsewhere"
        build.link("Elsewhere", machines, f"{program}.new")
        os.replace(f"{program}.new", program)
        return machines

    def export_the_fall(self):
        """Minimizes to the question "When did it fall below 0?" of the page; returns the exported test."""
        fall = "state.totalCents < 0 && !(before.state.totalCents < 0)"
        self.run_command(f"debugd minimize shopping --until '{fall}' --name fall")
        return "\n".join(self.run_command("debugd export fall --as swift-testing"))

    def test_the_walkthrough(self):
        built, falls = [], []

        def fix():
            # While the bug is there: later, nothing leads to the failure.
            falls.append(self.export_the_fall())
            built.extend(self.fix_bug())

        commands = [command for command, _ in sessions(WALKTHROUGH)]
        [fixed] = [number for number, command in enumerate(commands) if "--again" in command]
        self.play(WALKTHROUGH, changes={fixed: fix}, with_gallery=True)
        # The document shows the test that was written.
        [written] = [path.read_text("utf-8") for path in self.folder.glob("Examples/Tests/*/*.swift")]
        shown, _ = snippets(WALKTHROUGH, "swift example")
        self.assertEqual(written[written.index("@Suite"):], shown)
        self.assertIn("// This test fails until the bug is fixed:", written)
        self.assertIn("simplified payloads", written)
        # As written, it fails with the bug, with the message shown, and passes without the bug.
        build = PatchedBuild(self.folder, EXAMPLES)
        passes, said = build.passes(written[written.index("@Suite"):])
        self.assertFalse(passes)
        [story] = snippets(WALKTHROUGH, "text")
        self.assertIn(story, said)
        passes, said = build.passes(written[written.index("@Suite"):], built)
        self.assertTrue(passes, said)
        # Another question about the same bug: its test needs the removal, too.
        [fall] = falls
        fall = fall[fall.index("@Suite"):]
        self.assertIn(".removed(", fall)
        passes, said = build.passes(fall)
        self.assertFalse(passes, fall)
        passes, said = build.passes(fall, built)
        self.assertTrue(passes, f"{fall}\n{said}")

    def test_continuous_integration(self):
        # A recording of the basket that verifies. The second verification runs after the program changed.
        recorded = "mkdir -p Tests/CoinTests; DEBUGD=file:Tests/Timelines swift run Elsewhere"
        tidy = "; rm -f Tests/Timelines/*total*; mv Tests/Timelines/* Tests/Timelines/basket.timeline"
        job = "; mkdir -p recordings; cp Tests/Timelines/basket.timeline recordings"
        document = "docs/use/continuous-integration.md"
        commands = [command for command, _ in sessions(document)]
        _, changed = [place for place, command in enumerate(commands) if "verify" in command]
        self.play(
            document, "Coin", before=f"Coin; {recorded}{tidy}{job}", changes={changed: self.fix_bug})


if __name__ == "__main__":
    unittest.main()
