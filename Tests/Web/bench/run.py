#!/usr/bin/env python3
"""The benchmarks of the page.

usage: run.py [--json] [--quick] [--list] [--keep-trace]

Wants optimised debugd and RecorderProbe; their folder is LIVE_BUILD. --keep-trace leaves the trace of
the drag in .build/bench/trace.json, for Chromium's own profiler.
"""

import os
import pathlib
import sys

here = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(here), str(here.parents[1] / "Live")]

import page_metrics  # noqa: E402  (its folder must be known first)

words = sys.argv[1:]
if "--list" in words:
    print(page_metrics.listing())
    sys.exit()
print(f"The machine's load is {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores.", file=sys.stderr)
results = page_metrics.measure("--quick" in words)
print(page_metrics.as_json(results) if "--json" in words else page_metrics.table(results))
