"""The commands in messages, for tests that run them. scripts/check-remedies reads the calls of advice()."""

import os
import pathlib
import re
import shlex
import shutil
import subprocess
import tempfile
import unittest

from daemon import BUILD, Daemon

# A command ends with its sentence.
COMMAND = re.compile(r"\bdebugd [a-z-]+(?:[^.;,()\n]|[.,](?=\S))*")


def advice(message, said, **values):
    """The command in a message that a program printed, with values for the words in capitals.

    The message is quoted in full, or from its remedy on, with … for each value, as
    scripts/check-remedies prints it.
    """
    # The last one: others are explanations.
    *_, place = [None, *COMMAND.finditer(message)]
    if not place:
        raise AssertionError(f"no command in: {message}")
    head, command, tail = message[:place.start()], place[0].rstrip(), message[place.end():]
    inside = re.escape(command)
    if not tail:
        # A value at the end is a word; two are any words, or none.
        inside = re.sub(r"(?:\\ )?……$", r"[^\\n]*", inside)
        inside = re.sub("…$", r"\\S*", inside)
    inside = inside.replace("…", r"[^\n]*?")
    # Messages add how to find the daemon.
    expression = f"{loose(head)}({inside}(?: --(?:data|socket) \\S+)?)\\s*{loose(tail)}"
    found = re.search(expression, said, re.DOTALL)
    if not found:
        raise AssertionError(f"'{message}' is not in: {said}")
    advised = found[1].strip()
    for word, value in values.items():
        advised = re.sub(rf"\b{word}\b", lambda _: str(value), advised)
    return advised


def loose(text):
    """An expression for a text with any values, and any white space between words."""
    words = re.escape(text).replace("…", r".*?")
    return re.sub(r"(?:\\ |\s)+", r"\\s+", words)


class AdviceTest(unittest.TestCase):
    """A daemon, and the folder of a user's package with an app that is a host."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="rem"))
        self.addCleanup(shutil.rmtree, self.folder)
        self.daemon = Daemon()
        self.daemon.start()
        self.addCleanup(self.daemon.__exit__, None, None, None)
        build = self.folder / ".build" / "debug"
        build.mkdir(parents=True)
        for name in ("App", "RecorderProbe"):
            (build / name).write_text(f"#!/bin/sh\nexec {BUILD / 'RecorderProbe'} host\n")
            (build / name).chmod(0o755)

    @property
    def environment(self):
        return {
            **self.daemon.environment, "DEBUGD_DATA": str(self.daemon.data),
            "PATH": f"{BUILD}:{os.environ['PATH']}", "HOME": str(self.folder),
        }

    def shell(self, command):
        """Runs a command as a user pastes it."""
        return subprocess.run(
            command, shell=True, cwd=self.folder, capture_output=True, text=True, timeout=60,
            stdin=subprocess.DEVNULL, env=self.environment)

    def works(self, command, codes=(0,)):
        ran = self.shell(command)
        self.assertIn(ran.returncode, codes, f"{command}: {ran.stderr}")
        return ran.stdout + ran.stderr

    def fails(self, command, codes=(1, 2)):
        return self.works(command, codes)

    def start(self, command):
        """Runs a suggested `debugd serve` until the end of the test."""
        process = subprocess.Popen(
            shlex.split(command), cwd=self.folder, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env={**self.environment, "DEBUGD_LISTEN": "127.0.0.1:0"})
        self.addCleanup(process.wait)
        self.addCleanup(process.terminate)
        socket = re.search(r" --socket (\S+)", command)
        status = "debugd status" + (socket[0] if socket else "")
        while self.shell(status).returncode:
            self.assertIsNone(process.poll(), f"{command}: it ended")
        return process
