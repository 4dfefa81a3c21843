"""Stops a process with all its threads, as a debugger or a suspended machine does."""

import os
import signal
import time


def freeze(process, seconds=60):
    """Stops a process, and waits until none of its threads runs.

    The system gives the signal to one thread; until that thread gets a processor, the others go on.
    """
    process.send_signal(signal.SIGSTOP)
    deadline = time.monotonic() + seconds
    while states(process.pid) != {"T"}:
        if time.monotonic() > deadline:
            raise AssertionError(f"the process {process.pid} does not stop")
        time.sleep(0.005)


def states(pid):
    """The states of a process's threads, as in /proc."""
    found = set()
    for task in os.listdir(f"/proc/{pid}/task"):
        try:
            with open(f"/proc/{pid}/task/{task}/stat", encoding="utf-8", errors="replace") as file:
                found.add(file.read().rsplit(")", 1)[1].split()[0])
        except (FileNotFoundError, ProcessLookupError):
            continue  # the thread has ended
    return found
