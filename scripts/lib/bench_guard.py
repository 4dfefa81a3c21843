#!/usr/bin/env python3
"""Compares the ratios of benchmarks with earlier ones.

usage: bench_guard.py (--save | --against) FILE [--runs COUNT] -- COMMAND…

COMMAND is scripts/bench with its groups. It runs COUNT times (default: 3), so that the spread of each
ratio is known. --save writes the ratios to FILE. --against compares them with those in FILE: a ratio
has become worse if its best run is more than a tenth worse than the worst saved run. Only ratios are
compared, because times differ from machine to machine. The status is 1 if a ratio has become worse or
is no longer measured, and 2 if nothing can be compared.
"""

import argparse
import json
import pathlib
import re
import statistics
import subprocess
import sys

# A ratio's name says so: vs_floor, growth, share, fresh.
RATIO = re.compile(r"[._](vs_\w+|\w*growth|\w*share|fresh)$|_vs_")
# Other programs on the machine change ratios by this part, docs/performance.md.
MARGIN = 0.1


class Problem(Exception):
    """Nothing can be compared."""


def goals(listing):
    """Whether each metric of `scripts/bench --list` should be high (≥) or low (≤), if it has a goal."""
    return dict(re.findall(r"^  (\S+)  ([≥≤])", listing, re.M))


def measure(command, runs, quick):
    """The goals, and the values of each ratio in all runs."""
    listing = output(command + ["--list"])
    options = ["--json"] + (["--quick"] if quick else [])
    values = {}
    for number in range(runs):
        print(f"Run {number + 1} of {runs}.", file=sys.stderr, flush=True)
        for name, value in json.loads(output(command + options)).items():
            if RATIO.search(name) and value is not None:
                values.setdefault(name, []).append(value)
    if not values:
        raise Problem("These groups have no ratios. To see the metrics, run: scripts/bench --list")
    return goals(listing), values


def output(command):
    result = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    if result.returncode:
        raise Problem("A benchmark failed, see above.")
    return result.stdout


def load(path):
    try:
        saved = json.loads(path.read_text())
        return saved["quick"], saved["ratios"]
    except FileNotFoundError:
        raise Problem(f"There is no file {path}. To make it, run: scripts/bench --save {path}")
    except (ValueError, KeyError, TypeError):
        raise Problem(f"{path} was not written by scripts/bench --save. To replace it, run: "
                      f"scripts/bench --save {path}")


def is_worse(side, before, now):
    """Whether even the best run is worse than the worst earlier one, by more than the margin."""
    if side == "≥":
        return max(now) < min(before) * (1 - MARGIN)
    return side == "≤" and min(now) > max(before) * (1 + MARGIN)


def compare(sides, before, now):
    """Rows of text, and the names of ratios that are worse or missing."""
    rows, failures = [], []
    for name, values in now.items():
        if name not in before:
            rows.append((name, "", spread(values), "", "new"))
            continue
        old, new = statistics.median(before[name]), statistics.median(values)
        change = f"{(new - old) / abs(old) * 100:+.0f} %" if old else ""
        worse = is_worse(sides.get(name), before[name], values)
        if worse:
            failures.append(name)
        rows.append((name, spread(before[name]), spread(values), change, "WORSE" if worse else ""))
    groups = {name.split(".")[0] for name in now}
    for name, values in before.items():
        if name not in now and name.split(".")[0] in groups:
            failures.append(name)
            rows.append((name, spread(values), "", "", "NOT MEASURED"))
    return rows, failures


def spread(values):
    return f"{statistics.median(values):.3g} ({min(values):.3g} to {max(values):.3g})"


def table(rows):
    rows = [("ratio", "saved", "now", "change", ""), *rows]
    widths = [max(len(row[column]) for row in rows) for column in range(5)]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows)


def main(words):
    parser = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1], add_help=False)
    action = parser.add_mutually_exclusive_group(required=True)
    action.add_argument("--save", type=pathlib.Path)
    action.add_argument("--against", type=pathlib.Path)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("command", nargs="+")
    wanted = parser.parse_args(words)
    if wanted.save:
        _, values = measure(wanted.command, wanted.runs, wanted.quick)
        wanted.save.write_text(
            json.dumps({"quick": wanted.quick, "ratios": values}, indent=2) + "\n")
        print(f"Saved {len(values)} ratios of {wanted.runs} runs in {wanted.save}.")
        return 0
    quick, before = load(wanted.against)
    if quick != wanted.quick:
        raise Problem(
            f"{wanted.against} was saved {'with' if quick else 'without'} --quick. "
            f"To compare, run {'with' if quick else 'without'} it, too.")
    sides, now = measure(wanted.command, wanted.runs, wanted.quick)
    rows, failures = compare(sides, before, now)
    print(table(rows))
    # The counts that scripts/test reads.
    print(f"{len(now) - sum(name in now for name in failures)} passed, {len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except Problem as problem:
        print(problem, file=sys.stderr)
        sys.exit(2)
