"""Two daemons on one database, and a program that records to whichever serves it."""

import json
import subprocess
import time

from daemon import BUILD, Daemon


def line_of(daemon, *events, **fields):
    """Waits for a line in the log since the last start, about one of some events."""
    while True:
        for line in daemon.lines():
            if line.get("event") in events and fields.items() <= line.items():
                return line
        if daemon.process.poll() is not None:
            raise AssertionError(f"debugd ended:\n{daemon.text()}")
        time.sleep(0.01)


class Pair:
    """Two daemons on one database; the first one serves it, the second one is its standby."""

    def __init__(self, database):
        self.daemons = [
            Daemon(options=["--store", database.address, "--standby"]) for _ in range(2)]

    def __enter__(self):
        self.daemons[0].start()
        self.wait_as_standby(self.daemons[1])
        return self

    def __exit__(self, *rest):
        for daemon in self.daemons:
            daemon.__exit__(*rest)

    def wait_as_standby(self, daemon):
        """Starts a daemon, and waits until it waits."""
        daemon.start(wait=False)
        line_of(daemon, "standby")

    @property
    def addresses(self):
        return ",".join(f"unix:{daemon.socket}" for daemon in self.daemons)


class Program:
    """A program with one machine that is recorded while it runs."""

    def __init__(self, addresses, rate=2000, environment=None):
        self.process = subprocess.Popen(
            [BUILD / "RecorderProbe", "takeover", str(rate)], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env={"DEBUGD": addresses, **(environment or {})})

    def ask(self, command):
        """Sends a command; returns the words of its answer."""
        self.process.stdin.write(command + "\n")
        self.process.stdin.flush()
        return self.process.stdout.readline().split()

    @property
    def acknowledged(self):
        return int(self.ask("count")[1])

    def wait_until_acknowledged(self, count):
        while (acknowledged := self.acknowledged) < count:
            time.sleep(0.01)
        return acknowledged

    def rest(self):
        """Waits until everything is stored; returns how many events were sent."""
        words = self.ask("rest")
        assert words[2:] == ["lost", "0", "thinned", "0"], words
        return int(words[1])

    def go(self):
        self.process.stdin.write("go\n")
        self.process.stdin.flush()

    def end(self):
        """Ends it; returns what it logged."""
        return self.process.communicate(timeout=120)[1]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.communicate()


def entries(daemon, timeline="counter"):
    """The stored entries of the program's machine."""
    text = daemon.run("export", timeline, "--as", "json-lines").stdout
    return [json.loads(line) for line in text.splitlines()]


def problem(stored, sent):
    """Why these are not all entries of a program that has sent so many events, each once."""
    seqs = [entry["seq"] for entry in stored]
    if seqs != list(range(sent + 1)):
        wrong = next((n for n, seq in enumerate(seqs) if seq != n), len(seqs))
        return f"{len(seqs)} of {sent + 1} entries, and number {wrong} is {seqs[wrong:wrong + 3]}"
    for entry in stored[1:]:
        if "gap" in entry or entry["event"] != {"counted": {"_0": entry["seq"]}}:
            return f"the entry {entry['seq']} is {entry}"
    return None
