import os
import shutil
import signal
import stat
import subprocess
import tempfile
import time
import unittest

SCRIPTS = os.path.realpath(os.path.join(os.path.dirname(__file__), ".."))


class Runner(unittest.TestCase):
    """scripts/test with planted suites."""

    def setUp(self):
        # A copy of the scripts, so that the logs of the real run stay untouched.
        self.root = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.root)
        shutil.copytree(SCRIPTS, os.path.join(self.root, "scripts"))
        self.suites = os.path.join(self.root, "scripts", "suites")
        shutil.rmtree(self.suites)
        os.mkdir(self.suites)

    def suite(self, name, body):
        path = os.path.join(self.suites, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"#!/usr/bin/env bash\n# Suite: planted\n# Needs:\n{body}\n")
        os.chmod(path, os.stat(path).st_mode | stat.S_IXUSR)

    def run_test(self, *arguments, **environment):
        ran = subprocess.run(
            [os.path.join(self.root, "scripts", "test"), *arguments],
            env={**os.environ, **environment}, stdin=subprocess.DEVNULL,
            capture_output=True, text=True,
        )
        return ran.stdout.splitlines(), ran.returncode

    def test_the_last_line_has_the_sums_of_the_counts(self):
        self.suite("10-one", "echo '2 passed, 0 failed'")
        self.suite("20-two.sh", "echo detail; echo '3 passed, 0 failed, 1 skipped'")
        lines, status = self.run_test()
        self.assertEqual((lines[-1], status), ("5 passed, 0 failed, 1 skipped", 0))
        self.assertNotIn("  | detail", lines)
        self.assertIn("  | detail", self.run_test("-v")[0])

    def test_a_failure_is_shown_and_does_not_stop_the_others(self):
        self.suite("10-one", "echo what went wrong; echo '1 passed, 2 failed'; exit 1")
        self.suite("20-two", "echo '3 passed, 0 failed'")
        lines, status = self.run_test()
        self.assertEqual((lines[-1], status), ("4 passed, 2 failed", 1))
        self.assertIn("  | what went wrong", lines)

    def test_a_suite_that_ran_nothing_is_a_failure(self):
        for body in (
            "echo '0 passed, 0 failed'",
            "echo '0 passed, 0 failed, 4 skipped'",
            "true",
            "exit 3",
            "echo '1 passed, 0 failed'; exit 1",
            "echo '1 passed, 0 failed'; echo more",
        ):
            with self.subTest(body=body):
                self.suite("10-one", body)
                lines, status = self.run_test()
                self.assertRegex(lines[-1], r"^\d passed, 1 failed(, \d skipped)?$")
                self.assertEqual(status, 1)

    def test_a_suite_that_hangs_is_stopped(self):
        self.suite("10-one", "sleep 60")
        lines, status = self.run_test(SUITE_SECONDS="1")
        self.assertEqual((lines[-1], status), ("0 passed, 1 failed", 1))
        self.assertIn("one: stopped after 1 seconds", "\n".join(lines))

    def test_a_waiting_suite_runs_next_to_the_others(self):
        # Each waits for the other: in sequence, they would never end.
        meet = "touch here.{0}; until [ -e here.{1} ]; do sleep 0.1; done; echo '1 passed, 0 failed'"
        self.suite("10-first", "echo '1 passed, 0 failed'")
        self.suite("20-one", meet.format("one", "two"))
        self.suite("30-two", "# Lane: waiting\n" + meet.format("two", "one"))
        self.suite("40-three", "# Lane: waiting\necho '0 passed, 1 failed'")
        lines, status = self.run_test(SUITE_SECONDS="120")
        self.assertEqual((lines[-1], status), ("3 passed, 1 failed", 1))
        self.assertIn("failed: three (logs in .build/tests)", lines)

    def test_an_idle_suite_runs_next_to_both_lanes(self):
        # All three wait for one another.
        meet = "touch here.{0}; until [ -e here.{1} -a -e here.{2} ]; do sleep 0.1; done; "
        meet += "echo '1 passed, 0 failed'"
        self.suite("20-one", meet.format("one", "two", "three"))
        self.suite("30-two", "# Lane: waiting\n" + meet.format("two", "one", "three"))
        self.suite("40-three", "# Lane: idle\n" + meet.format("three", "one", "two"))
        lines, status = self.run_test(SUITE_SECONDS="120")
        self.assertEqual((lines[-1], status), ("3 passed, 0 failed", 0))

    def test_checks_before_the_build_run_next_to_it(self):
        meet = "touch here.{0}; until [ -e here.{1} ]; do sleep 0.1; done; echo '1 passed, 0 failed'"
        self.suite("10-text", meet.format("text", "build"))
        self.suite("18-build", meet.format("build", "text"))
        self.suite("20-built", "[ -n \"$BUILT\" ] && echo '1 passed, 0 failed'")
        lines, status = self.run_test(SUITE_SECONDS="120")
        self.assertEqual((lines[-1], status), ("3 passed, 0 failed", 0))

    def test_an_empty_lane_runs_suites_of_the_other(self):
        # The last two suites that compute wait for each other, so both lanes have to run one.
        meet = "touch here.{0}; until [ -e here.{1} ]; do sleep 0.1; done; echo '1 passed, 0 failed'"
        self.suite("18-build", "echo '1 passed, 0 failed'")
        self.suite("20-one", meet.format("one", "two"))
        self.suite("30-two", meet.format("two", "one"))
        self.suite("40-three", "# Lane: waiting\necho '1 passed, 0 failed'")
        lines, status = self.run_test(SUITE_SECONDS="120")
        self.assertEqual((lines[-1], status), ("4 passed, 0 failed", 0))
        # Named suites run one after another.
        self.suite("20-one", "touch here.done; echo '1 passed, 0 failed'")
        self.suite("30-two", "[ -e here.done ] && echo '1 passed, 0 failed'")
        lines, status = self.run_test("one", "two")
        self.assertEqual((lines[-1], status), ("2 passed, 0 failed", 0))

    def test_failed_tests_are_named_again_at_the_end(self):
        issue = "✘ Test f() recorded an issue at F.swift:1:2: Expectation failed"
        self.suite("10-one", f"echo '{issue}'; seq 50; echo '1 passed, 1 failed'")
        self.suite("20-two", "echo 'FAIL: test_x (a.B.test_x)'; echo '0 passed, 1 failed'")
        self.suite("30-three", "echo 'FAIL: said, and none'; echo '1 passed, 0 failed'")
        lines, _ = self.run_test()
        self.assertEqual(lines[-5:-2], [
            f"  one: {issue}", "  two: FAIL: test_x (a.B.test_x)",
            "failed: one two (logs in .build/tests)"])
        self.assertEqual(lines[-1], "2 passed, 2 failed")

    def test_a_failed_test_fails_the_run_and_its_command_is_printed(self):
        self.suite("10-one", "[ -n \"${1:-}\" ] && { echo \"ran $1\"; echo '1 passed, 0 failed'; exit; }\n"
                   "echo 'again: a.b c'; echo '5 passed, 1 failed'; exit 1")
        self.suite("20-two", "echo '1 passed, 0 failed'")
        lines, status = self.run_test()
        self.assertEqual((lines[-1], status), ("6 passed, 1 failed", 1))
        command = "  To run it alone: scripts/test 'one:a.b c'"
        self.assertIn(command, lines)
        ran = subprocess.run(
            command.split(": ", 1)[1] + " -v", shell=True, cwd=self.root, capture_output=True, text=True)
        self.assertIn("  | ran a.b c", ran.stdout.splitlines())

    def test_processor_time_includes_child_processes(self):
        burn = "python3 -c 'import time\nwhile time.process_time() < 1.1: pass'"
        self.suite("10-one", f"{burn}; echo '1 passed, 0 failed'")
        self.suite("20-two", "sleep 1; echo '1 passed, 0 failed'")
        self.run_test()
        with open(os.path.join(self.root, ".build", "tests", "times")) as file:
            times = {name: int(cpu) for name, _, cpu in map(str.split, file)}
        self.assertGreaterEqual(times["one"], 1)
        self.assertEqual(times["two"], 0)

    def test_suites_have_a_temporary_folder_that_is_removed(self):
        self.suite("10-one", 'touch "$TMPDIR/left"; echo "$TMPDIR"; echo "1 passed, 0 failed"')
        with tempfile.TemporaryDirectory() as parent:
            lines, status = self.run_test("-v", TMPDIR=parent)
            used = next(line for line in lines if line.startswith("  | "))[4:]
            self.assertEqual((os.path.dirname(used), status), (parent, 0))
            self.assertEqual(os.listdir(parent), [])
            # A long path would leave no room for the paths of sockets.
            deep = os.path.join(parent, "x" * 80)
            os.mkdir(deep)
            self.assertNotIn(deep, "".join(self.run_test("-v", TMPDIR=deep)[0]))

    def test_an_interrupted_run_stops_its_suites_and_removes_its_folder(self):
        for number, lane in enumerate(("", "# Lane: waiting")):
            for stop in signal.SIGINT, signal.SIGTERM:
                with self.subTest(lane=lane, signal=stop), tempfile.TemporaryDirectory() as parent:
                    began = os.path.join(self.root, f"began{number}{stop}")
                    self.suite("18-build", "echo '1 passed, 0 failed'")
                    self.suite("20-long", f"{lane}\necho $$ >{began}; sleep 300; sleep 300")
                    run = subprocess.Popen(
                        [os.path.join(self.root, "scripts", "test")],
                        env={**os.environ, "TMPDIR": parent}, stdin=subprocess.DEVNULL,
                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                    self.wait_for(lambda: os.path.exists(began) and os.path.getsize(began))
                    run.send_signal(stop)
                    self.assertEqual(run.wait(120), 130)
                    with open(began, encoding="utf-8") as file:
                        self.assertFalse(os.path.exists(f"/proc/{file.read().strip()}"))
                    self.assertEqual(os.listdir(parent), [])

    def wait_for(self, condition):
        deadline = time.monotonic() + 120
        while not condition():
            self.assertLess(time.monotonic(), deadline, "it did not happen")
            time.sleep(0.05)

    def test_quick_and_long_select_suites(self):
        ran = "echo \"ran '${1:-}'\"; echo '1 passed, 0 failed'"
        self.suite("10-plain", ran)
        self.suite("20-both", "# Quick: all\n" + ran)
        self.suite("30-part", "# Quick: Some Tests\n" + ran)
        self.suite("40-slow", "# Long: 12\n" + ran)
        self.suite("50-slower", "# Long: 30\n" + ran)
        for arguments, expected in (
            ([], ["plain", "both", "part"]),
            (["--quick"], ["both", "part"]),
            (["--long"], ["slow", "slower"]),
            (["slow"], ["slow"]),
        ):
            with self.subTest(arguments=arguments):
                lines, status = self.run_test("-v", *arguments)
                self.assertEqual(
                    ([line.split()[0] for line in lines if " ok: " in line], status), (expected, 0))
                self.assertEqual("  | ran 'Some Tests'" in lines, arguments == ["--quick"])
        for arguments in (["--long", "slow"], ["--quick", "both"]):
            self.assertEqual(self.run_test(*arguments)[1], 1)

    def test_a_long_run_first_prints_how_long_it_takes(self):
        self.suite("40-slow", "# Long: 12\necho '1 passed, 0 failed'")
        self.suite("50-slower", "# Long: 30\necho '1 passed, 0 failed'")
        ran = subprocess.run(
            [os.path.join(self.root, "scripts", "test"), "--long"], capture_output=True, text=True)
        self.assertIn("about 42 minutes on two idle cores", ran.stderr)
        self.assertRegex(ran.stderr, r"12 min  slow +planted")

    def test_existing_builds_are_not_repeated(self):
        report = "echo built: ${BUILT:-no}; echo '1 passed, 0 failed'"
        self.suite("20-after", report)
        self.suite("30-beside", "# Lane: waiting\n" + report)
        for outcome, expected in (("1 passed, 0 failed", "1"), ("0 passed, 1 failed", "no")):
            self.suite("10-build", f"echo built: ${{BUILT:-no}}; echo '{outcome}'")
            lines, _ = self.run_test("-v", BUILT="")
            self.assertEqual([line for line in lines if "built:" in line],
                             ["  | built: no"] + [f"  | built: {expected}"] * 2)

    def test_filters_select_suites_and_their_tests(self):
        self.suite("10-one", "echo \"one got '${1:-}'\"; echo '1 passed, 0 failed'")
        self.suite("20-swift", "echo \"swift got '${1:-}'\"; echo '1 passed, 0 failed'")
        for arguments, expected in (
            (["one"], ["one got ''"]),
            (["one:a b"], ["one got 'a b'"]),
            (["swift:Pointer"], ["swift got 'Pointer'"]),
            (["Pointer/.*"], ["swift got 'Pointer/.*'"]),
            (["swift", "one"], ["swift got ''", "one got ''"]),
        ):
            with self.subTest(arguments=arguments):
                lines, status = self.run_test("-v", *arguments)
                got = [line[4:] for line in lines if line.startswith("  | ") and "got" in line]
                self.assertEqual((got, status), (expected, 0))

    def test_it_needs_no_terminal_and_explains_itself(self):
        self.assertIn("usage: scripts/test", self.run_test("--help")[0][0])
        self.suite("10-one", "")
        self.assertEqual(self.run_test("--list"), (["one          planted"], 0))
        self.assertEqual(self.run_test("--nonsense")[1], 1)


class SwiftCounts(unittest.TestCase):
    """Counts from the output of `swift test`."""

    REPORT = """<testsuites><testsuite>
        <testcase name="a()"/><testcase classname="M.S" name="b()"><failure message="&#8594;"/></testcase>
        <testcase name="c()"><skipped>because</skipped></testcase></testsuite></testsuites>"""
    OUTPUT = """Test Case 'B.a' started at 1\nTest Case 'B.a' passed (0.0 seconds)
Test Case 'B.b' started at 1\nTest Case 'B.b' failed (0.0 seconds)
Test Case 'B.c' started at 1\nTest Case 'B.c' skipped (0.0 seconds)
◇ Test run started.\n◇ Test "adds (2)" started.\n◇ Test dies() started.
◇ Test case passing 1 argument i → 1 to "adds (2)" started.
✔ Test "adds (2)" with 3 test cases passed after 0.001 seconds.\n"""

    def count(self, status, output, report):
        with tempfile.TemporaryDirectory() as folder:
            paths = [os.path.join(folder, name) for name in ("output", "report")]
            for path, text in zip(paths, (output, report)):
                with open(path, "w", encoding="utf-8") as file:
                    file.write(text)
            script = os.path.join(SCRIPTS, "lib", "count_swift_tests.py")
            ran = subprocess.run(["python3", script, str(status), *paths], capture_output=True,
                                 text=True)
        return ran.stdout.splitlines(), ran.returncode

    def test_both_libraries_are_added(self):
        lines, status = self.count(1, self.OUTPUT, self.REPORT)
        self.assertEqual((lines[-1], status), ("2 passed, 2 failed, 2 skipped", 1))
        self.assertIn("again: M.S/b", lines)

    def test_a_crash_is_a_failure_that_names_its_tests(self):
        lines, status = self.count(1, self.OUTPUT, "<testsuites>\n<testsu")
        self.assertEqual((lines[-1], status), ("2 passed, 2 failed, 1 skipped", 1))
        self.assertIn("  dies()", lines)
        self.assertNotIn('  "adds (2)"', lines)

    def test_a_status_without_a_failure_is_passed_on(self):
        report = '<testsuites><testcase name="a()"/></testsuites>'
        self.assertEqual(self.count(1, "", report), (["1 passed, 0 failed"], 1))

    def test_only_useful_output_is_shown(self):
        printed = (
            self.OUTPUT + "[1/1] Planning build\n↳ Testing Library Version: 6\n"
            "✘ Test f() recorded an issue at F.swift:1:2: Expectation failed: 1 == 2\n↳ seed 7\n"
            "Test Suite 'B' passed at 1\n\t Executed 2 tests, with 0 failures (0 unexpected)\n\n"
            "B.swift:3: error: B.b : XCTAssertEqual failed\n")
        with tempfile.TemporaryDirectory() as root:
            shutil.copytree(SCRIPTS, os.path.join(root, "scripts"))
            os.makedirs(os.path.join(root, ".build", "tests"))
            with open(os.path.join(root, "printed"), "w", encoding="utf-8") as file:
                file.write(printed)
            fake = os.path.join(root, "swift")
            with open(fake, "w", encoding="utf-8") as file:
                file.write("#!/bin/sh\n[ \"$1\" = build ] || { cat printed; exit 1; }\n")
            os.chmod(fake, 0o755)
            ran = subprocess.run(
                [os.path.join(root, "scripts", "suites", "20-swift")], cwd=root,
                env={**os.environ, "PATH": root + os.pathsep + os.environ["PATH"]},
                capture_output=True, text=True)
        lines = ran.stdout.splitlines()
        self.assertEqual(lines[:4], [
            "Test Case 'B.b' failed (0.0 seconds)", "Test Case 'B.c' skipped (0.0 seconds)",
            "✘ Test f() recorded an issue at F.swift:1:2: Expectation failed: 1 == 2", "↳ seed 7"])
        self.assertEqual(lines[4], "B.swift:3: error: B.b : XCTAssertEqual failed")
        self.assertRegex(lines[-1], r"^2 passed, 2 failed, 1 skipped$")
        self.assertEqual(ran.returncode, 1)


if __name__ == "__main__":
    unittest.main()
