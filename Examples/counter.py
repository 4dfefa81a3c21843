#!/usr/bin/env python3
"""usage: counter.py [COUNT]: a Python machine that counts, recorded with recorder.py."""

import sys

from recorder import Recorder

recorder = Recorder("Counter")
counter = recorder.machine("counter", {"n": 0, "even": True})
for n in range(1, int(sys.argv[1]) + 1 if len(sys.argv) > 1 else 4):
    counter.record({"add": {"by": 1}}, {"n": n, "even": n % 2 == 0})
sys.exit(None if recorder.close() else f"Not everything was stored: {recorder.problem}")
