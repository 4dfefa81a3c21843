"""Judges the samples of a soak: which metric of which process grew beyond its limit.

usage: judge.py FILE

FILE has lines `seconds,process,metric,value`. A process is called ROLE or ROLE-NUMBER; the limits
below are by role. The last line is the count.
"""

import csv
import statistics
import sys

# Caches fill and pools grow at the start of a run; that is not a trend.
WARM_UP = 0.25
# With fewer samples, a trend is a guess.
LEAST_SAMPLES = 8

# How much a metric may grow from the end of the warm-up to the end of the run, in its unit. Growth is
# the trend, not the last value, so that one high sample does not matter. A longer run has the same
# limits, so it finds smaller leaks.
MAXIMUM_GROWTH = {
    ("daemon", "memory_kb"): 8_192,
    ("recorders", "memory_kb"): 2_048,
    ("watch", "memory_kb"): 2_048,
    ("tail", "memory_kb"): 2_048,
    ("page", "heap_kb"): 2_048,
    ("page", "nodes"): 200,
    ("page", "listeners"): 20,
}
# How far the end may be above the level after the warm-up, as a multiple of the limits above. A trend
# misses growth that begins in the last quarter, and two levels of a few samples vary more than a trend.
LATE_FACTOR = 2
# How much the median may rise: a thread pool grows when the machine is busy.
MAXIMUM_RISE = {"descriptors": 0, "threads": 2}
# How far one sample may be from the median.
MAXIMUM_SWING = {
    ("daemon", "descriptors"): 4,
    ("daemon", "threads"): 4,
    ("recorders", "descriptors"): 0,
    ("recorders", "threads"): 4,
    ("watch", "descriptors"): 0,
    ("watch", "threads"): 4,
    ("tail", "descriptors"): 0,
    ("tail", "threads"): 4,
}
UNITS = {"memory_kb": "KB of memory", "heap_kb": "KB of heap"}


class Verdict:
    """What was judged, and its problem; `problem` is None when there is none."""

    def __init__(self, name, detail, problem=None):
        self.name = name
        self.detail = detail
        self.problem = problem

    def __str__(self):
        if self.problem is None:
            return f"ok      {self.name}: {self.detail}"
        return f"FAILED  {self.name}: {self.problem}"


def growth(samples):
    """How much a series grew from its first to its last sample: the median of the slopes of all pairs.

    A least-squares line follows single high samples; this one ignores them until they are a third.
    """
    slopes = [
        (later - earlier) / (end - begin)
        for index, (begin, earlier) in enumerate(samples)
        for end, later in samples[index + 1 :]
        if end > begin
    ]
    return statistics.median(slopes) * (samples[-1][0] - samples[0][0]) if slopes else 0


def late_growth(samples):
    """How far the median of the last tenth is above that of the first tenth."""
    return end_change(samples, max(1, len(samples) // 10))


def after_warm_up(samples):
    begin, end = samples[0][0], samples[-1][0]
    return [one for one in samples if one[0] >= begin + WARM_UP * (end - begin)]


def level_change(samples):
    """The difference between the medians of the last third and the first third."""
    return end_change(samples, max(1, len(samples) // 3))


def end_change(samples, count):
    values = [value for _, value in samples]
    return statistics.median(values[-count:]) - statistics.median(values[:count])


def swing(samples):
    """How far the most distant sample is from the median."""
    values = [value for _, value in samples]
    level = statistics.median(values)
    return max(abs(value - level) for value in values)


def judge_growth(name, metric, series, bound):
    """`series`: the samples of each process of a role."""
    process, most = max(
        ((one, growth(samples)) for one, samples in series.items()), key=lambda pair: pair[1])
    unit = UNITS.get(metric, metric)
    detail = f"{process} grew {most:+.0f} {unit}, {bound} allowed; it has {last(series[process])}"
    if most <= bound:
        return judge_late_growth(name, unit, series, bound * LATE_FACTOR) or Verdict(name, detail)
    minutes = (series[process][-1][0] - series[process][0][0]) / 60
    return Verdict(
        name, detail,
        f"{process} grew {most:+.0f} {unit} in {minutes:.1f} minutes after the warm-up, "
        f"more than {bound}; it has {last(series[process])}")


def judge_late_growth(name, unit, series, bound):
    """A verdict on the process that rose the most above its start; None when that is allowed."""
    process, most = max(
        ((one, late_growth(samples)) for one, samples in series.items()), key=lambda pair: pair[1])
    if most <= bound:
        return None
    return Verdict(
        name, "",
        f"{process} ended {most:+.0f} {unit} from its level after the warm-up, more than {bound}, "
        f"without a steady trend; it has {last(series[process])}")


def judge_level(name, metric, series, bound):
    for process, samples in series.items():
        change, most = level_change(samples), swing(samples)
        if change > MAXIMUM_RISE[metric]:
            return Verdict(name, "", f"{process} went up by {change:g} {metric}, to {last(samples)}; "
                                     f"{MAXIMUM_RISE[metric]} more are allowed")
        if most > bound:
            return Verdict(name, "", f"{process} was {most:g} {metric} away from its usual number, "
                                     f"more than {bound}")
    usual = sorted({statistics.median(value for _, value in one) for one in series.values()})
    return Verdict(name, f"{' or '.join(f'{one:g}' for one in usual)} {metric}")


def last(samples):
    return f"{samples[-1][1]:g}"


def judge(rows):
    """A verdict for each rule. `rows`: (seconds, process, metric, value)."""
    series = {}
    for seconds, process, metric, value in rows:
        key = (process.split("-")[0], metric)
        series.setdefault(key, {}).setdefault(process, []).append((float(seconds), float(value)))
    verdicts = []
    for bounds, check in ((MAXIMUM_GROWTH, judge_growth), (MAXIMUM_SWING, judge_level)):
        for (role, metric), bound in bounds.items():
            name = f"{metric.removesuffix('_kb')} of {role}"
            found = series.get((role, metric), {})
            found = {process: after_warm_up(samples) for process, samples in found.items()}
            short = [one for one, samples in found.items() if len(samples) < LEAST_SAMPLES]
            if not found:
                verdicts.append(Verdict(name, "", "it was not measured"))
            elif short:
                verdicts.append(Verdict(
                    name, "", f"{short[0]} has fewer than {LEAST_SAMPLES} samples after the warm-up"))
            else:
                verdicts.append(check(name, metric, found, bound))
    return verdicts


def count(verdicts):
    failed = sum(one.problem is not None for one in verdicts)
    return f"{len(verdicts) - failed} passed, {failed} failed"


def main(path):
    try:
        with open(path, encoding="utf-8", newline="") as file:
            rows = [(float(row[0]), row[1], row[2], float(row[3])) for row in csv.reader(file)]
    except (OSError, ValueError, IndexError) as error:
        sys.exit(f"{path} does not hold the samples of a soak: {error}\n"
                 "A run writes them to .build/soak/samples.csv.")
    verdicts = judge(rows)
    print(*verdicts, count(verdicts), sep="\n")
    return any(one.problem for one in verdicts)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
