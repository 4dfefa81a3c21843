"""What the tests of backups share: the commands of the documentation, and a recorder that does not pause."""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading

from daemon import ROOT
from peers import Inspector, Recorder

# What the program of the package does with a database and a statement.
SQLITE = f"""#!{sys.executable}
import sqlite3, sys
sqlite3.connect(sys.argv[1], isolation_level=None).execute(sys.argv[2])
"""


def commands(page, first, **values):
    """The block of a page that contains a text, with other values for its variables."""
    blocks = re.findall(r"^```\w*\n(.*?)^```$", (ROOT / "docs" / page).read_text(), re.M | re.S)
    [block] = [block for block in blocks if first in block]
    for name, value in values.items():
        block, count = re.subn(rf"^{name}=.*$", f"{name}={value}", block, flags=re.M)
        assert count == 1, (name, block)
    return block


def run(block):
    """Runs commands as a user would type them; the first that fails ends them."""
    with tempfile.TemporaryDirectory() as folder:
        environment = None
        if not shutil.which("sqlite3"):
            program = pathlib.Path(folder, "sqlite3")
            program.write_text(SQLITE)
            program.chmod(0o755)
            environment = {"PATH": f"{folder}:/usr/bin:/bin"}
        result = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", block], capture_output=True, text=True,
            stdin=subprocess.DEVNULL, timeout=300, env=environment)
        assert result.returncode == 0, result.stderr


class Writer:
    """Records a timeline without a pause, on a thread; `with` ends it."""

    def __init__(self, daemon, world):
        self.recorder = Recorder(daemon.socket)
        self.recorder.open(world.header)
        self.world = world
        self.ended = threading.Event()
        self.problem = None
        self.grown = threading.Condition()
        self.thread = threading.Thread(target=self.record)

    def record(self):
        try:
            while not self.ended.is_set():
                self.recorder.append(self.world.id, self.world.grow(40))
                self.recorder.poll()
                with self.grown:
                    self.grown.notify_all()
            self.recorder.wait_until_durable(self.world.id, self.world.seq)
        except Exception as error:  # the test's thread raises it again
            self.problem = error
        with self.grown:
            self.grown.notify_all()

    @property
    def durable(self):
        """The last acknowledged entry."""
        return self.recorder.durable.get(self.world.id, -1)

    def wait_beyond(self, seq):
        """Waits until an entry after one is acknowledged; returns its number."""
        with self.grown:
            while self.durable <= seq and not self.problem:
                self.grown.wait(60)
        if self.problem:
            raise self.problem
        return self.durable

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.ended.set()
        self.thread.join()
        self.recorder.close()
        if self.problem:
            raise self.problem


def lines(daemon, timeline):
    """The stored entries of a timeline."""
    text = daemon.run("export", timeline, "--as", "json-lines", timeout=300).stdout
    return text.removesuffix("\n").split("\n")


def facts(daemon, world):
    """What the list of timelines says about one that does not change."""
    with Inspector(daemon.socket) as inspector:
        [summary] = [one for one in inspector.ask("timelines")["timelines"]
                     if one["header"]["timeline"] == world.id]
    return {key: summary[key] for key in ("name", "marks", "entries", "last") if key in summary}


def check_prefix(test, stored, world, acknowledged):
    """Checks that stored entries are the first of those that were recorded, and no fewer than those that
    were acknowledged before the backup."""
    test.assertEqual(stored, world.lines[:len(stored)])
    # Entries that are lost have numbers and no lines.
    wanted = sum(1 for entry in world.entries[:acknowledged + 1] if entry)
    test.assertGreaterEqual(len(stored), wanted)
