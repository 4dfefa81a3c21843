import math
import os
import random
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.realpath(os.path.join(os.path.dirname(__file__), "..", ".."))
sys.path.insert(0, os.path.join(ROOT, "Tests", "Soak"))

import entries  # noqa: E402: the path above leads to it
import judge  # noqa: E402

SECONDS = 540
EVERY = 9


def healthy(seed=1):
    """The samples of a run in which nothing grows: pools fill at the start, and values are noisy."""
    chance = random.Random(seed)
    rows = []
    for at in range(0, SECONDS, EVERY):
        warm = 1 - math.exp(-at / 30)
        for process in ("daemon", "recorders-1", "recorders-2", "tail-1", "watch"):
            rows.append((at, process, "memory_kb", 30_000 + 30_000 * warm + chance.gauss(0, 150)))
            rows.append((at, process, "descriptors", 83))
            rows.append((at, process, "threads", chance.choice([11, 11, 11, 12])))
        # The sawtooth of a garbage collector, and sometimes a peak.
        rows.append((at, "page", "heap_kb", 6_000 + at * 7 % 900 + 5_000 * (at % 180 == 0)))
        rows.append((at, "page", "nodes", 2_200 + chance.randint(-30, 30)))
        rows.append((at, "page", "listeners", 148))
    return rows


def changed(process, metric, change):
    """A healthy run in which one metric of one process is `change(seconds, value)`."""
    return [
        (at, name, what, change(at, value) if (name, what) == (process, metric) else value)
        for at, name, what, value in healthy()
    ]


def refused(rows):
    return [verdict.name for verdict in judge.judge(rows) if verdict.problem]


class Verdicts(unittest.TestCase):
    def test_a_run_in_which_nothing_grows_passes(self):
        for seed in range(20):
            self.assertEqual(refused(healthy(seed)), [])

    def test_a_leak_in_each_metric_of_each_process_fails(self):
        for process, metric, each_minute, name in (
            ("daemon", "memory_kb", 1_500, "memory of daemon"),
            ("recorders-2", "memory_kb", 400, "memory of recorders"),
            ("tail-1", "memory_kb", 400, "memory of tail"),
            ("watch", "memory_kb", 400, "memory of watch"),
            ("page", "heap_kb", 400, "heap of page"),
            ("page", "nodes", 40, "nodes of page"),
            ("page", "listeners", 4, "listeners of page"),
        ):
            with self.subTest(process=process, metric=metric):
                rows = changed(process, metric, lambda at, value: value + each_minute * at / 60)
                self.assertEqual(refused(rows), [name])

    def test_a_leak_that_begins_late_fails(self):
        for process, metric, each_second, name in (
            ("daemon", "memory_kb", 280, "memory of daemon"),
            ("recorders-2", "memory_kb", 70, "memory of recorders"),
            ("page", "nodes", 8, "nodes of page"),
        ):
            with self.subTest(process=process, metric=metric):
                rows = changed(
                    process, metric, lambda at, value: value + each_second * max(0, at - 432))
                self.assertEqual(refused(rows), [name])

    def test_a_leak_that_is_collected_only_in_part_fails(self):
        rows = changed("page", "heap_kb", lambda at, value: value + at * 8 - at * 8 % 600)
        self.assertEqual(refused(rows), ["heap of page"])

    def test_the_problem_names_the_process_and_how_much_it_grew(self):
        rows = changed("recorders-2", "memory_kb", lambda at, value: value + 600 * at / 60)
        problem = next(one.problem for one in judge.judge(rows) if one.problem)
        self.assertRegex(problem, r"^recorders-2 grew \+[34]\d\d\d KB of memory in 6\.\d minutes")

    def test_one_more_descriptor_or_three_more_threads_fail_even_late(self):
        for metric, most in ("descriptors", 0), ("threads", 2):
            for moment in 250, 420:
                with self.subTest(metric=metric, moment=moment):
                    for more, found in (most, []), (most + 1, [f"{metric} of daemon"]):
                        rows = changed(
                            "daemon", metric, lambda at, _: 80 + more * (at >= moment))
                        self.assertEqual(refused(rows), found)

    def test_a_swing_of_descriptors_fails_even_when_they_come_back(self):
        rows = changed("recorders-1", "descriptors", lambda at, value: value + 2 * (at == 297))
        self.assertEqual(refused(rows), ["descriptors of recorders"])

    def test_a_leak_in_the_warm_up_alone_passes(self):
        rows = changed("daemon", "memory_kb", lambda at, value: value + 100 * min(at, 130))
        self.assertEqual(refused(rows), [])

    def test_a_missing_metric_fails(self):
        rows = [row for row in healthy() if row[1] != "page"]
        self.assertEqual(refused(rows), ["heap of page", "nodes of page", "listeners of page"])
        rows = [row for row in healthy() if row[1] != "watch" or row[0] > 500]
        self.assertEqual(
            refused(rows), ["memory of watch", "descriptors of watch", "threads of watch"])
        self.assertEqual(len(refused([])), len(judge.judge([])))


class Entries(unittest.TestCase):
    """The output of `debugd export`: entry 0 is the start, entry N the event N."""

    @staticmethod
    def exported(numbers):
        return "".join(
            '{"seq":%d,"event":{"beat":{"_0":%d}}}\n' % (number, number) if number else '{"seq":0}\n'
            for number in numbers)

    def test_all_entries_once_and_in_order_pass(self):
        self.assertEqual(entries.timeline_problems("a", self.exported(range(6)), 5), [])

    def test_missing_duplicate_and_swapped_entries_fail(self):
        for numbers in ([], [0, 1, 2, 3, 4], [0, 1, 3, 4, 5], [0, 1, 1, 2, 3, 4, 5],
                        [0, 2, 1, 3, 4, 5], [1, 2, 3, 4, 5], range(7)):
            with self.subTest(numbers=list(numbers)):
                text = self.exported(numbers)
                self.assertEqual(len(entries.timeline_problems("a", text, 5)), 1)

    def test_another_event_at_the_right_place_fails(self):
        text = self.exported(range(6)).replace('"_0":3', '"_0":2')
        self.assertEqual(len(entries.timeline_problems("a", text, 5)), 1)

    def test_lines_of_tail_begin_with_the_number_of_the_entry(self):
        self.assertEqual(entries.seqs(["     2      0.5 s  beat\n", "no number\n", "13 x\n"]), [2, 13])


class Command(unittest.TestCase):
    def soak(self, *words, **environment):
        ran = subprocess.run(
            [os.path.join(ROOT, "scripts", "soak"), *words], capture_output=True, text=True,
            stdin=subprocess.DEVNULL, env={**os.environ, **environment},
        )
        return ran.returncode, ran.stdout, ran.stderr

    def samples(self, rows):
        file = tempfile.NamedTemporaryFile("w", suffix=".csv", encoding="utf-8")
        self.addCleanup(file.close)
        for row in rows:
            print(*row, sep=",", file=file)
        file.flush()
        return file.name

    def test_it_judges_the_samples_of_an_earlier_run(self):
        status, out, _ = self.soak("--judge", self.samples(healthy()))
        self.assertEqual((status, out.splitlines()[-1]), (0, "15 passed, 0 failed"))
        leaking = changed("daemon", "memory_kb", lambda at, value: value + 30 * at)
        status, out, _ = self.soak("--judge", self.samples(leaking))
        self.assertEqual((status, out.splitlines()[-1]), (1, "14 passed, 1 failed"))
        self.assertIn("FAILED  memory of daemon: daemon grew ", out)

    def test_wrong_arguments_are_reported_with_a_fix(self):
        text = self.samples([("not", "a", "sample")])
        for words, environment, said in (
            (["1h"], {}, "For an hour, run: scripts/soak 60"),
            (["1"], {}, "A trend needs at least 2 minutes"),
            (["5", "6"], {}, "takes one number of minutes, not '5' and '6'"),
            (["--minutes", "5"], {}, "scripts/soak has no option '--minutes'"),
            (["--rate"], {}, "--rate needs a value"),
            (["--rate", "fast"], {}, "--rate is a number from 1 to 100"),
            (["--recorders", "0"], {}, "--recorders is a number from 1 to 500"),
            (["--judge", "/nowhere"], {}, "A run writes .build/soak/samples.csv"),
            (["--judge", text], {}, "does not hold the samples of a soak"),
            ([], {"LIVE_BUILD": "/nowhere"}, "To build it, run: swift build --product debugd"),
        ):
            with self.subTest(words=words):
                status, out, error = self.soak(*words, **environment)
                self.assertNotEqual(status, 0)
                self.assertEqual(out, "")
                self.assertIn(said, error)
                self.assertNotIn("Traceback", error)

    def test_its_help_names_every_option(self):
        status, out, _ = self.soak("--help")
        self.assertEqual(status, 0)
        for option in "--recorders", "--rate", "--judge", "MINUTES":
            self.assertIn(option, out)


if __name__ == "__main__":
    unittest.main()
