"""Runs the browser tests, all of them or those whose name contains the argument.

The classes run in a few processes at a time, as each mostly waits for its browser:
BROWSER_WORKERS says in how many. The slowest tests are named; the last line counts all in the form
that scripts/test reads.
"""

import concurrent.futures
import glob
import io
import multiprocessing
import os
import sys
import tempfile
import time
import unittest

HERE = os.path.dirname(os.path.realpath(__file__))
WORKERS = int(os.environ.get("BROWSER_WORKERS", "2"))

# How many of the slowest tests to list.
NAMED = 8


class Timed(unittest.TextTestResult):
    """Measures how long each test takes."""

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.times = {}

    def startTest(self, test):
        self.times[test.id()] = -time.monotonic()
        super().startTest(test)

    def stopTest(self, test):
        self.times[test.id()] += time.monotonic()
        super().stopTest(test)


def classes(suite):
    """The names of the classes with tests to run, and of modules that cannot be imported."""
    for test in suite:
        if isinstance(test, unittest.TestSuite):
            yield from classes(test)
        else:
            yield type(test)


def load(pattern):
    sys.path.insert(0, HERE)
    loader = unittest.TestLoader()
    if pattern:
        loader.testNamePatterns = [f"*{pattern}*"]
    return loader.discover(HERE)


def those_of(suite, name):
    """The tests of a class, in one suite: it is prepared once for all of them."""
    for part in suite:
        if not isinstance(part, unittest.TestSuite):
            if name_of(type(part)) == name:
                yield part
        else:
            yield from those_of(part, name)


def name_of(one):
    return f"{one.__module__}.{one.__qualname__}"


def processor_time():
    """The processor seconds of this process and its descendants, including those that have ended."""
    parents, ticks = {}, {}
    for path in glob.glob("/proc/[0-9]*/stat"):
        try:
            with open(path) as file:
                fields = file.read().rpartition(")")[2].split()
        except OSError:
            continue  # it ended meanwhile; its parent counts it
        pid = int(path.split("/")[2])
        parents[pid], ticks[pid] = int(fields[1]), sum(map(int, fields[11:15]))
    own = {os.getpid()}
    while found := {pid for pid, parent in parents.items() if parent in own} - own:
        own |= found
    return sum(ticks.get(pid, 0) for pid in own) / os.sysconf("SC_CLK_TCK")


def run(name, pattern):
    """Runs a class; returns its report and its results."""
    output = io.StringIO()
    runner = unittest.TextTestRunner(stream=output, verbosity=1, resultclass=Timed)
    began, used = time.monotonic(), processor_time()
    result = runner.run(unittest.TestSuite(those_of(load(pattern), name)))
    broken = {test.id() for test, _ in result.failures + result.errors}
    return {
        "name": name,
        "seconds": time.monotonic() - began,
        "used": processor_time() - used,
        "report": output.getvalue() if broken else "",
        "ran": result.testsRun,
        "broken": sorted(broken),
        "skipped": len(result.skipped),
        "times": result.times,
    }


def main():
    pattern = sys.argv[1] if len(sys.argv) > 1 else None
    sys.path.insert(0, HERE)
    with tempfile.TemporaryDirectory() as folder:
        from live import page_daemon
        from served import join

        with page_daemon() as daemon:
            join(daemon, folder)
        run_all(pattern)


def run_all(pattern):
    counts = {}
    for one in classes(load(pattern)):
        counts[name_of(one)] = counts.get(name_of(one), 0) + 1
    passed, failed, skipped, times = 0, 0, 0, {}
    context = multiprocessing.get_context("spawn")
    with concurrent.futures.ProcessPoolExecutor(WORKERS, context) as pool:
        # Those with the most tests first, so that none of them runs alone at the end.
        asked = {pool.submit(run, name, pattern): name
                 for name in sorted(counts, key=counts.get, reverse=True)}
        for future in concurrent.futures.as_completed(asked):
            try:
                done = future.result()
            except Exception as error:
                print(f"{asked[future]}: it could not be run: {error!r}", flush=True)
                failed += 1
                continue
            # If the setup of a class fails, it runs no test.
            passed += max(0, done["ran"] - len(done["broken"]) - done["skipped"])
            failed += len(done["broken"])
            for test in done["broken"]:
                # What a part of a test is called is not a part of the test's name.
                print(f"again: {test.split()[0]}", flush=True)
            skipped += done["skipped"]
            times |= done["times"]
            print(f'{done["name"]}: {done["ran"]} tests, {done["seconds"]:.1f} s, '
                  f'{done["used"]:.1f} s of processor time', flush=True)
            print(done["report"], end="", flush=True)
    for name in sorted(times, key=times.get, reverse=True)[:NAMED]:
        print(f"{times[name]:6.1f} s  {name}")
    print(f"{passed} passed, {failed} failed" + (f", {skipped} skipped" if skipped else ""))
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
