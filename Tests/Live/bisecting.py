"""A repository with a bug in the seventh of its twelve commits, and debugd bisect in it."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

from daemon import BUILD, ROOT

HOST = ROOT / "Examples" / "host.py"
sys.dont_write_bytecode = True
sys.path.insert(0, str(HOST.parent))
import host  # noqa: E402

# What the twelve commits change. The bug comes with the seventh.
BUG = 6
BROKEN = 4
UNDECODABLE = 8
BUILDS = "python3 -c 'compile(open(\"app\").read(), \"app\", \"exec\")' && echo . >> builds"


def has_ended(process):
    """Whether a process is gone, or only waits for the system to forget it."""
    try:
        status = pathlib.Path(f"/proc/{process}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return True
    return status.rsplit(")", 1)[1].split()[0] == "Z"


class Repository:
    """A machine's repository with twelve commits."""

    def __init__(self, folder):
        self.folder = folder
        self.git("init", "--quiet", "--initial-branch", "main")
        self.commits = [self.commit(number) for number in range(12)]

    def git(self, *words):
        identity = {f"GIT_{who}_{what}": "someone@example.org" for who in ("AUTHOR", "COMMITTER")
                    for what in ("NAME", "EMAIL")}
        return subprocess.run(
            ["git", "-C", self.folder, *words], check=True, text=True, capture_output=True,
            env={**os.environ, **identity, "GIT_CONFIG_GLOBAL": "/dev/null"}).stdout.strip()

    def commit(self, number):
        source = HOST.read_text() + f"# Commit {number + 1}\n"
        if number >= BUG:
            source = source.replace('state["tea"] -= 1 ', 'state["tea"] -= 2 ')
        if number == BROKEN:
            source += "def broken(:\n"
        if number == UNDECODABLE:
            source = source.replace('list(event) == ["insert"]', 'list(event) == ["put"]')
        (self.folder / "app").write_text(source)
        (self.folder / "app").chmod(0o755)
        self.git("add", "app")
        self.git("commit", "--quiet", "--message", f"Change {number + 1}")
        return self.git("rev-parse", "HEAD")


class Bisecting(unittest.TestCase):
    """A repository, a recording of its bug, and the command."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "repository").mkdir()
        self.repository = Repository(self.folder / "repository")
        self.file = self.folder / "bug.timeline"
        with open(self.file, "w") as file:
            host.record(file, host.SESSION)
        self.caches = self.folder / "caches"

    @property
    def tree(self):
        [tree] = (self.caches / "debugd" / "bisect").glob("*/tree")
        return tree

    def environment(self, **others):
        return {**os.environ, "XDG_CACHE_HOME": str(self.caches), **others}

    def command(self, recording, first, last, *words, build=BUILDS):
        return [BUILD / "debugd", "bisect", recording, f"{first}..{last}", "--build", build,
                "--host", "./app", *words]

    def run_it(self, recording=None, first=None, last=None, words=(), check=True, build=BUILDS,
               **environment):
        commits = self.repository.commits
        done = subprocess.run(
            self.command(recording or self.file, first or commits[0], last or commits[-1], *words,
                         build=build),
            cwd=self.repository.folder, text=True, capture_output=True, timeout=300,
            env=self.environment(**environment))
        if check:
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done

    def lines(self, done):
        return [json.loads(line) for line in done.stdout.splitlines()]
