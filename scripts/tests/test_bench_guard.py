"""The comparison of ratios with earlier ones finds planted regressions, and only those."""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
GUARD = ROOT / "scripts" / "lib" / "bench_guard.py"

LISTING = """encode: encoding
  encode.full_vs_jsonencoder  ≥ 4
  encode.patch_ns  ≤ 500
record: recording
  record.send_vs_floor  ≤ 1.6
  record.send_growth  ≤ 1.5
  record.vs_print  """

# Each run prints the next object.
BENCH = """import json, pathlib, sys
place = pathlib.Path(sys.argv[0]).parent
(place / "words").open("a").write(" ".join(sys.argv[1:]) + "\\n")
if "--list" in sys.argv:
    print((place / "listing").read_text())
else:
    runs = json.loads((place / "runs").read_text())
    (place / "runs").write_text(json.dumps(runs[1:]))
    print(json.dumps(runs[0]))
"""

USUAL = [
    {"encode.full_vs_jsonencoder": 5.0, "encode.patch_ns": 400, "record.send_vs_floor": 1.5,
     "record.send_growth": 0.8, "record.vs_print": 0.3},
    {"encode.full_vs_jsonencoder": 5.2, "encode.patch_ns": 440, "record.send_vs_floor": 1.4,
     "record.send_growth": 0.9, "record.vs_print": 0.3},
    {"encode.full_vs_jsonencoder": 4.9, "encode.patch_ns": 380, "record.send_vs_floor": 1.6,
     "record.send_growth": 0.8, "record.vs_print": 0.2},
]


class Guard(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.place = pathlib.Path(place.name)
        (self.place / "bench.py").write_text(BENCH)
        (self.place / "listing").write_text(LISTING)

    def guard(self, runs, *words):
        (self.place / "runs").write_text(json.dumps(runs))
        return subprocess.run(
            [sys.executable, GUARD, *words, "--", sys.executable, self.place / "bench.py"],
            capture_output=True, text=True)

    def save(self, runs=USUAL):
        result = self.guard(runs, "--save", self.place / "saved.json")
        self.assertEqual(result.returncode, 0, result.stderr)
        return result

    def against(self, runs, *words):
        return self.guard(runs, "--against", self.place / "saved.json", *words)

    def changed(self, **values):
        """The usual runs, with ratios of the group `record` multiplied."""
        return [{name: value * values.get(name.split(".")[1], 1) for name, value in run.items()}
                for run in USUAL]

    def test_it_saves_only_ratios(self):
        self.assertIn("Saved 4 ratios of 3 runs", self.save().stdout)
        saved = json.loads((self.place / "saved.json").read_text())
        self.assertEqual(saved["ratios"]["encode.full_vs_jsonencoder"], [5.0, 5.2, 4.9])
        self.assertNotIn("encode.patch_ns", saved["ratios"])

    def test_the_same_runs_pass(self):
        self.save()
        result = self.against(USUAL)
        self.assertEqual(result.returncode, 0, result.stdout)
        self.assertIn("4 passed, 0 failed", result.stdout)

    def test_a_ratio_that_should_be_low_and_grew_fails(self):
        self.save()
        result = self.against(self.changed(send_vs_floor=1.35))
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stdout, r"record\.send_vs_floor .* \+35 % +WORSE")
        self.assertIn("3 passed, 1 failed", result.stdout)

    def test_a_ratio_that_should_be_high_and_fell_fails(self):
        self.save()
        result = self.against(self.changed(full_vs_jsonencoder=0.8))
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stdout, r"encode\.full_vs_jsonencoder .* -20 % +WORSE")

    def test_better_ratios_pass(self):
        self.save()
        better = self.changed(full_vs_jsonencoder=2, send_vs_floor=0.5, send_growth=0.5)
        self.assertEqual(self.against(better).returncode, 0)

    def test_one_slow_run_of_three_passes(self):
        self.save()
        runs = [*self.changed(send_vs_floor=3)[:1], *USUAL[1:]]
        self.assertEqual(self.against(runs).returncode, 0)

    def test_worse_by_less_than_the_saved_spread_passes(self):
        self.save([run | {"record.send_growth": growth}
                   for run, growth in zip(USUAL, (0.8, 1.2, 1.4))])
        self.assertEqual(self.against(self.changed(send_growth=1.7)).returncode, 0)

    def test_times_and_ratios_without_a_goal_are_not_judged(self):
        self.save()
        result = self.against(self.changed(patch_ns=9, vs_print=9))
        self.assertEqual(result.returncode, 0, result.stdout)
        self.assertNotIn("patch_ns", result.stdout)

    def test_a_ratio_that_is_no_longer_measured_fails(self):
        self.save()
        runs = [{name: value for name, value in run.items() if name != "record.send_growth"}
                for run in USUAL]
        result = self.against(runs)
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stdout, r"record\.send_growth .* NOT MEASURED")

    def test_groups_that_do_not_run_are_not_missing(self):
        self.save()
        runs = [{name: value for name, value in run.items() if name.startswith("record")}
                for run in USUAL]
        self.assertEqual(self.against(runs).returncode, 0)

    def test_a_new_ratio_passes(self):
        self.save()
        runs = [run | {"record.new_vs_old": 1} for run in USUAL]
        result = self.against(runs)
        self.assertEqual(result.returncode, 0)
        self.assertRegex(result.stdout, r"record\.new_vs_old .* new")

    def test_quick_runs_are_not_compared_with_others(self):
        self.save()
        result = self.against(USUAL, "--quick")
        self.assertEqual(result.returncode, 2)
        self.assertIn("was saved without --quick", result.stderr)

    def test_options_reach_the_benchmarks(self):
        self.guard(USUAL, "--save", self.place / "saved.json", "--quick", "--runs", "1")
        words = (self.place / "words").read_text().splitlines()
        self.assertEqual(words, ["--list", "--json --quick"])

    def test_a_missing_file_is_named_with_the_command_that_makes_it(self):
        result = self.against(USUAL)
        self.assertEqual(result.returncode, 2)
        self.assertIn("scripts/bench --save", result.stderr)

    def test_a_foreign_file_is_an_error(self):
        for text in ("no JSON", "[]", "{}", '{"quick": false}'):
            with self.subTest(text):
                (self.place / "saved.json").write_text(text)
                result = self.against(USUAL)
                self.assertEqual(result.returncode, 2, result.stderr)
                self.assertIn("was not written by scripts/bench --save", result.stderr)

    def test_a_failing_benchmark_does_not_count_as_a_regression(self):
        self.save()
        (self.place / "bench.py").write_text("raise SystemExit(1)")
        self.assertEqual(self.against(USUAL).returncode, 2)


class Options(unittest.TestCase):
    def bench(self, *words):
        return subprocess.run([ROOT / "scripts" / "bench", *words], capture_output=True, text=True)

    def test_an_option_without_its_file_is_an_error(self):
        result = self.bench("--against")
        self.assertEqual(result.returncode, 1)
        self.assertIn("--against needs a value", result.stderr)

    def test_a_path_is_relative_to_the_folder_of_the_caller(self):
        with tempfile.TemporaryDirectory() as place:
            result = subprocess.run(
                [ROOT / "scripts" / "bench", "encode", "--against", "gone.json"], cwd=place,
                capture_output=True, text=True)
            self.assertEqual(result.returncode, 2)
            self.assertIn(f"{pathlib.Path(place).resolve()}/gone.json", result.stderr)

    def test_other_forms_of_results_do_not_go_with_a_comparison(self):
        result = self.bench("encode", "--json", "--save", "/tmp/never.json")
        self.assertEqual(result.returncode, 1)
        self.assertIn("--json does not go with", result.stderr)


if __name__ == "__main__":
    unittest.main()
