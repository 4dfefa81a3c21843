#!/usr/bin/env python3
"""The benchmarks of the page.

usage: run.py [inspector] [replay] [--json] [--quick] [--list] [--keep-trace]

Wants optimized debugd and RecorderProbe; their folder is LIVE_BUILD. --keep-trace leaves the trace of
the drag in .build/bench/trace.json, for Chromium's own profiler.
"""

import os
import pathlib
import sys

here = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(here), str(here.parents[1] / "Live")]

import page_metrics  # noqa: E402  (its folder must be known first)
import report  # noqa: E402
import undo_metrics  # noqa: E402

GROUPS = {
    "inspector": ("inspector: the page in a browser, at ten million entries", page_metrics),
    "replay": ("replay: undo, as it is seen in a browser", undo_metrics),
}

words = sys.argv[1:]
groups = [GROUPS[word] for word in words if word in GROUPS] or list(GROUPS.values())
if "--list" in words:
    print("\n".join(report.listing(title, group.METRICS) for title, group in groups))
    sys.exit()
print(f"The machine's load is {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores.", file=sys.stderr)
metrics, results = {}, {}
for _, group in groups:
    metrics |= group.METRICS
    results |= group.measure("--quick" in words)
print(report.as_json(results) if "--json" in words else report.table(metrics, results))
