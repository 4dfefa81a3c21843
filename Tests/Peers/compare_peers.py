#!/usr/bin/env python3
"""Records the same entries with Stateline and with peers, in turns.

usage: compare_peers.py [--json] [--quick] [--list]

Wants an optimized debugd; its folder is LIVE_BUILD. The interpreter needs rerun-sdk and websockets.
"""

import json
import pathlib
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[0] / "Web" / "bench")]

import contenders  # noqa: E402  (its folder must be known first)
import report  # noqa: E402

FIGURES = {
    "entries_per_s": "entries a second until all are saved",
    "bytes": "bytes on disk per entry",
    "mb": "megabytes of memory for recording",
}

PEERS = [name for name in contenders.CONTENDERS if name != "stateline"]

METRICS = {
    **{f"peers.speed_vs_{peer}": (
        f"times as many entries a second as {peer}: "
        + contenders.CONTENDERS[peer].__doc__.rstrip("."), None) for peer in PEERS},
    **{f"peers.size_vs_{peer}": ("times as many bytes an entry", None) for peer in PEERS},
    **{f"peers.{name}_{figure}": (what, None)
       for name in contenders.CONTENDERS for figure, what in FIGURES.items()},
}


def run(name, count):
    with tempfile.TemporaryDirectory(prefix="peer") as folder:
        result = subprocess.run(
            [sys.executable, HERE / "contenders.py", name, str(count), folder],
            check=True, stdout=subprocess.PIPE, text=True)
    return json.loads(result.stdout)


def measure(is_quick):
    count, rounds = (5_000, 1) if is_quick else (200_000, 3)
    results = {name: [] for name in contenders.CONTENDERS}
    for _ in range(rounds):
        for name in contenders.CONTENDERS:
            results[name].append(run(name, count))
    return figures(results)


def figures(results):
    """The medians of each contender, and their ratios."""
    values = {
        f"peers.{name}_{figure}": statistics.median(one[figure] for one in runs)
        for name, runs in results.items() for figure in FIGURES
    }
    for peer in PEERS:
        for ratio, figure in [("speed", "entries_per_s"), ("size", "bytes")]:
            values[f"peers.{ratio}_vs_{peer}"] = (
                values[f"peers.stateline_{figure}"] / values[f"peers.{peer}_{figure}"])
    return values


def main(words):
    if "--list" in words:
        print(report.listing("peers: other programs that record the same entries", METRICS))
        return
    results = measure("--quick" in words)
    print(report.as_json(results) if "--json" in words else report.table(METRICS, results))


if __name__ == "__main__":
    main(sys.argv[1:])
