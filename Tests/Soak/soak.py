"""Runs everything for some minutes, measures, and counts. Called by scripts/soak."""

import argparse
import collections
import contextlib
import json
import sys
import time

import entries
import judge
from judge import Verdict
from parts import Broken, Parts

# Samples per run, at least five seconds apart.
SAMPLES = 60
# How many times per second the threads of an idle process may wake up.
IDLE_WAKEUPS = {"daemon": 20, "recorders": 20, "watch": 5, "tail": 5}
# Per minute without entries. Every two seconds, the page asks for the lengths of other timelines.
IDLE_MESSAGES = 40
IDLE_STYLES = 60


class Soak:
    def __init__(self, options, parts, out):
        self.options = options
        self.parts = parts
        self.out = out
        self.rows = []
        self.verdicts = []
        self.began = time.monotonic()

    @property
    def elapsed(self):
        return time.monotonic() - self.began

    def check(self, name, detail, problem=None):
        self.verdicts.append(Verdict(name, detail, problem))

    def run(self):
        """Runs the whole soak; returns its verdicts."""
        seconds = self.options.minutes * 60
        idle = min(120, max(20, seconds / 10))
        before = self.parts.connections()
        self.record(seconds - idle)
        sent = self.stop_recording()
        self.rest(idle)
        self.compare_connections(before)
        self.count_entries(sent)
        self.end()
        return judge.judge(self.rows) + self.verdicts

    def record(self, seconds):
        """Records continuously, takes samples, and prints a line each minute."""
        parts = self.parts
        self.began = time.monotonic()
        parts.send_to_probes("go")
        every = max(5, seconds / SAMPLES)
        due, minute, used = 0, 1, self.processor_seconds()
        while self.elapsed < seconds:
            parts.page.wait(min(max(0, due - self.elapsed), max(0, seconds - self.elapsed)))
            parts.check_alive()
            self.sample()
            due = self.elapsed + every
            if self.elapsed >= minute * 60:
                now = self.processor_seconds()
                self.print_line(minute, {role: now[role] - used[role] for role in now})
                minute, used = int(self.elapsed // 60) + 1, now

    def sample(self):
        at = self.elapsed
        found = [(one.name, one.metrics()) for one in self.parts.watched]
        found.append(("page", self.parts.page.metrics()))
        for name, metrics in found:
            for metric, value in metrics.items():
                self.rows.append((at, name, metric, value))
                print(f"{at:.1f},{name},{metric},{value:g}", file=self.out, flush=True)

    def processor_seconds(self):
        used = collections.Counter()
        for one in self.parts.watched:
            used[one.role] += one.processor_seconds()
        used["page"] = self.parts.page.processor_seconds()
        return used

    def print_line(self, minute, used):
        newest = {(process, metric): value for _, process, metric, value in self.rows}

        def highest(role, metric):
            return max(value for (process, what), value in newest.items()
                       if process.split("-")[0] == role and what == metric)

        memory = ", ".join(
            f"{role} {highest(role, 'memory_kb') / 1_024:.1f}"
            for role in ("daemon", "recorders", "tail", "watch"))
        processor = ", ".join(f"{role} {seconds:.1f}" for role, seconds in used.items())
        print(
            f"{minute:4d} min  {self.parts.stored()} entries; MB: {memory}, page's heap "
            f"{highest('page', 'heap_kb') / 1_024:.1f}; daemon: "
            f"{highest('daemon', 'descriptors'):g} descriptors, {highest('daemon', 'threads'):g} "
            f"threads; processor seconds: {processor}", flush=True)

    def stop_recording(self):
        """Stops the recorders; returns how many events each process sent to each of its machines."""
        self.parts.send_to_probes("rest")
        reports = self.parts.reports("resting")
        for key, name, good in (("stored", "recorders have everything acknowledged", "true"),
                                ("lost", "recorders lost nothing", "0")):
            wrong = [f"recorders-{number}: {key} {one[key]}"
                     for number, one in enumerate(reports, 1) if one[key] != good]
            self.check(name, f"{len(reports)} processes", ", ".join(wrong) or None)
        thinned = sum(int(one["thinned"]) for one in reports)
        print(f"{thinned} entries were recorded without their state for lack of room")
        return [int(one["beats"]) for one in reports]

    def rest(self, seconds):
        """Records nothing: no process should wake up often."""
        parts = self.parts
        self.check("the page shows the newest entry", "", parts.page.shows(self.beats("pulse-0")))
        parts.page.wait(5)
        parts.page.count_messages()
        began, used = time.monotonic(), self.processor_seconds()
        woken = {one.name: one.wakeups() for one in parts.watched}
        styles = parts.page.metric("RecalcStyleCount")
        parts.page.wait(seconds)
        parts.check_alive()
        took = time.monotonic() - began
        now = self.processor_seconds()
        print(f"idle for {took:.0f} s; processor seconds: "
              + ", ".join(f"{role} {now[role] - used[role]:.2f}" for role in now))
        rates = collections.defaultdict(list)
        for one in parts.watched:
            rates[one.role].append((one.wakeups() - woken[one.name]) / took)
        for role, bound in IDLE_WAKEUPS.items():
            most = max(rates[role])
            self.check(f"wakeups of idle {role}", f"{most:.1f} in a second, {bound} allowed",
                       f"{most:.1f} in a second, more than {bound}" if most > bound else None)
        minutes = max(1, took / 60)
        styles = parts.page.metric("RecalcStyleCount") - styles
        for name, number, bound in (
            ("messages to the idle page", parts.page.received, IDLE_MESSAGES * minutes),
            ("style calculations of the idle page", styles, IDLE_STYLES * minutes),
        ):
            self.check(name, f"{number:g}, {bound:.0f} allowed",
                       f"{number:g}, more than {bound:.0f}" if number > bound else None)

    def beats(self, machine):
        """The newest entry of a machine, from the daemon's list."""
        summaries = self.parts.reader.ask("timelines")["timelines"]
        return next(one["last"] for one in summaries
                    if one["header"]["machine"]["name"] == machine)

    def compare_connections(self, before):
        after = self.parts.connections()
        self.check("connections", ", ".join(f"{name} {number}" for name, number in after.items()),
                   None if after == before else f"before {before}, after {after}")

    def count_entries(self, sent):
        """Counts the output of `debugd export` and of `debugd tail`."""
        problems = entries.problems(self.parts, sent)
        self.check("entries", f"{sum(sent) and self.parts.stored()} stored, each once and in order",
                   "; ".join(problems[:5]) or None)
        problems = entries.tail_problems(self.parts, sent)
        self.check("debugd tail printed each entry once", f"{len(self.parts.tails)} timelines",
                   "; ".join(problems[:5]) or None)

    def end(self):
        """Stops the recorders, then the daemon."""
        parts = self.parts
        wrong = [f"recorders-{number} ended with {status}"
                 for number, status in enumerate((one.end(180) for one in parts.probes), 1)
                 if status != 0]
        complaints = [json.dumps(line) for line in parts.complaints()]
        status = parts.daemon.stop(180)
        if status != 0:
            wrong.append(f"the daemon ended with {status}")
        self.check("everything ended in order", "", "; ".join(wrong) or None)
        self.check("the daemon logged no warning", "", "; ".join(complaints[:3]) or None)
        self.check("the page had no error", "", "; ".join(parts.page.errors[:3]) or None)


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("minutes", type=float)
    parser.add_argument("recorders", type=int)
    parser.add_argument("rate", type=float)
    parser.add_argument("samples")
    return parser.parse_args()


def main():
    options = arguments()
    with contextlib.ExitStack() as stack:
        out = stack.enter_context(open(options.samples, "w", encoding="utf-8"))
        soak = None
        try:
            soak = Soak(options, Parts(options.recorders, options.rate, stack), out)
            verdicts = soak.run()
        except (Broken, AssertionError) as error:
            verdicts = [*(soak.verdicts if soak else []),
                        Verdict("the soak came to its end", "", str(error))]
        except KeyboardInterrupt:
            sys.exit("Stopped before its end; nothing was judged.")
        print(*verdicts, judge.count(verdicts), sep="\n", flush=True)
    return any(one.problem for one in verdicts)


if __name__ == "__main__":
    sys.exit(main())
