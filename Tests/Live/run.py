#!/usr/bin/env python3
"""Runs the live tests: all of them, or those whose name contains the filter.

usage: run.py [--in FOLDER] [FILTER]

Tests in another folder find the helpers in this one. The last line is the count in the form that
scripts/test reads.
"""

import pathlib
import resource
import signal
import sys
import unittest

# Far above the time of any test on a busy machine, and far below the limit of the suite: a test that
# hangs fails with a traceback, and the others still run.
LIMIT = 600

# How many tests to list, beginning with the one that used the most processor time.
NAMED = 8

words = sys.argv[1:]
folder = str(pathlib.Path(__file__).parent)
sys.path.insert(0, folder)
if words[:1] == ["--in"]:
    folder, words = words[1], words[2:]


def flatten(suite):
    for test in suite:
        if isinstance(test, unittest.TestSuite):
            yield from flatten(test)
        else:
            yield test


class Hung(Exception):
    """A test took too long."""


def stop(*_):
    raise Hung(f"the test was stopped after {LIMIT} seconds")


def processor_seconds():
    """The processor time of this process and of the child processes that have ended."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


class Result(unittest.TextTestResult):
    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.seconds = {}

    def startTest(self, test):
        super().startTest(test)
        self.seconds[test.id()] = -processor_seconds()
        signal.alarm(LIMIT)

    def stopTest(self, test):
        signal.alarm(0)
        self.seconds[test.id()] += processor_seconds()
        super().stopTest(test)


signal.signal(signal.SIGALRM, stop)
found = unittest.defaultTestLoader.discover(folder)
wanted = words[0] if words else ""
suite = unittest.TestSuite(test for test in flatten(found) if wanted in test.id())
result = unittest.TextTestRunner(verbosity=2, stream=sys.stderr, resultclass=Result).run(suite)
for test, _ in result.failures + result.errors:
    # Without the name of a subtest.
    print(f"again: {test.id().split()[0]}")
for name in sorted(result.seconds, key=result.seconds.get, reverse=True)[:NAMED]:
    print(f"{result.seconds[name]:6.1f} s of processor time  {name}")
failed = len(result.failures) + len(result.errors)
skipped = len(result.skipped)
passed = result.testsRun - failed - skipped
print(f"{max(passed, 0)} passed, {failed} failed" + (f", {skipped} skipped" if skipped else ""))
sys.exit(1 if failed or result.testsRun == 0 else 0)
