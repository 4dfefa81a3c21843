"""What Linux reports about a process: memory, descriptors, threads, processor time, wakeups."""

import os
import pathlib
import re

TICKS = os.sysconf("SC_CLK_TCK")


def status(path, key):
    """The number of a key in a `status` file of /proc."""
    found = re.search(rf"^{key}:\s*(\d+)", path.read_text(), re.MULTILINE)
    return int(found.group(1)) if found else 0


class Watched:
    """A measured process of the soak."""

    def __init__(self, name, process):
        self.name = name
        self.process = process
        self.folder = pathlib.Path("/proc", str(process.pid))

    @property
    def role(self):
        return self.name.split("-")[0]

    def metrics(self):
        return {
            "memory_kb": status(self.folder / "status", "VmRSS"),
            "descriptors": len(os.listdir(self.folder / "fd")),
            "threads": len(os.listdir(self.folder / "task")),
        }

    def processor_seconds(self):
        # The name is in parentheses and may contain anything; numbers follow.
        fields = (self.folder / "stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / TICKS

    def wakeups(self):
        """How many times its threads resumed after waiting."""
        return sum(
            status(task / "status", "voluntary_ctxt_switches")
            for task in (self.folder / "task").iterdir()
        )
