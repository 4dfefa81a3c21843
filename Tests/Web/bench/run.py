#!/usr/bin/env python3
"""The benchmarks of the page.

usage: run.py [inspector] [replay] [many] [large] [html] [--json] [--quick] [--huge] [--list] [--keep-trace]

Wants optimized debugd and RecorderProbe; their folder is LIVE_BUILD. --keep-trace leaves the trace of
the drag in .build/bench/trace.json, for Chromium's own profiler.
"""

import os
import pathlib
import sys

here = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(here), str(here.parents[1] / "Live")]

import html_metrics  # noqa: E402  (its folder must be known first)
import large_metrics  # noqa: E402
import many_metrics  # noqa: E402
import page_metrics  # noqa: E402
import report  # noqa: E402
import undo_metrics  # noqa: E402

GROUPS = {
    "inspector": (
        "inspector: the page in a browser, at ten million entries",
        page_metrics.METRICS, page_metrics.measure),
    "replay": (
        "replay: undo, as it is seen in a browser", undo_metrics.METRICS, undo_metrics.measure),
    "many": (
        "many: the page with a hundred thousand timelines",
        many_metrics.METRICS, many_metrics.measure),
    "large": (
        "large: the page with a state of 100 MB", large_metrics.METRICS, large_metrics.measure),
    "html": ("html: a timeline in one HTML file", html_metrics.METRICS, html_metrics.measure),
}

HUGE_GROUPS = {
    "inspector": (
        "inspector: the page in a browser, at a hundred million entries",
        page_metrics.HUGE_METRICS, page_metrics.measure_huge),
}

words = sys.argv[1:]
all_groups = HUGE_GROUPS if "--huge" in words else GROUPS
groups = [all_groups[word] for word in words if word in all_groups] or list(all_groups.values())
if "--list" in words:
    print("\n".join(report.listing(title, metrics) for title, metrics, _ in groups))
    sys.exit()
print(f"The machine's load is {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores.", file=sys.stderr)
metrics, results = {}, {}
for _, of_group, measure in groups:
    metrics |= of_group
    results |= measure("--quick" in words)
print(report.as_json(results) if "--json" in words else report.table(metrics, results))
