import unittest

from planted import Planted

CHECK = "check-waits"


class Waits(Planted):
    tables = ("scripts/waits-allowed.txt",)

    def setUp(self):
        super().setUp()
        # The exceptions of this repository do not apply to planted files.
        self.plant("scripts/waits-allowed.txt", "# none\n")

    def test_short_limits_and_elapsed_times_are_refused(self):
        for path, line in (
            ("Tests/Live/a.py", "process.wait(20)"),
            ("Tests/Live/a.py", "client.settimeout(5)"),
            ("Tests/Live/a.py", "self.assertTrue(recorder.flush(20), recorder.problem)"),
            ("Tests/Live/a.py", "recorder.close(30)"),
            ("Tests/Live/a.py", "daemon.wait(lambda: machine.is_off, 20)"),
            ("Tests/Live/a.py", "run(words, timeout=8)"),
            ("Tests/Live/a.py", "locator.click(timeout=5_000)"),
            ("Tests/Live/a.py", "connect(address, open_timeout=20)"),
            ("Tests/Live/a.py", "options = {'open_timeout': 20}"),
            ("Tests/Live/a.py", "def until(condition, seconds=59.5):"),
            ("Tests/Live/a.py", "await asyncio.wait_for(client.recv(), 8)"),
            ("Tests/Live/a.py", "end = time.monotonic() + 30"),
            ("Tests/Live/a.py", "self.assertLess(time.monotonic() - began, 90)"),
            ("Tests/Live/a.py", "self.assertLess(elapsed, 90)"),
            ("Tests/ATests/A.swift", "recorder.flush(within: .seconds(20))"),
            ("Tests/ATests/A.swift", "#expect(loop.stop(within: .milliseconds(300)))"),
            ("Tests/ATests/A.swift", "func run(milliseconds: Int64 = 5_000) {}"),
            ("Tests/ATests/A.swift", "stopWithin: Duration = .seconds(5)"),
            ("Tests/ATests/A.swift", "eventually(within: 10) { true }"),
            ("Tests/ATests/A.swift", "let end = ContinuousClock.now + .seconds(30)"),
            ("Tests/ATests/A.swift", "#expect(clock.now - start < .seconds(90))"),
            ("Tests/Web/a.test.js", "await until(isShown, { timeout: 5_000 });"),
            ("Tests/Web/a.test.js", "assert(performance.now() - began < 1);"),
        ):
            with self.subTest(line=line):
                self.plant(path, f"\n{line}\n")
                self.assertRefused(CHECK, f"{path}:2")
                self.plant(path, "")

    def test_long_limits_pauses_and_guards_pass(self):
        self.plant("Tests/Live/a.py", """
process.wait(60)
locator.click(timeout=60_000)
page.wait_for_timeout(50)
self.comes(page, appears, seconds=3 * LIMIT)
deadline = time.monotonic() + seconds
self.assertLess(time.monotonic(), deadline)
recorder.take(seconds=0)
recorder.close(0)
self.assertEqual(process.wait(60), 1)
client.recv(4096)
""")
        self.plant("Tests/ATests/A.swift", """
// flush(within: .seconds(2))
recorder.flush(within: .seconds(120))
recorder.flush(within: .seconds(3_600))
await loop.stop(within: .zero)
clock.advance(by: .seconds(1))
""")
        self.plant("Tests/Web/bench/a.py", "process.wait(20)\n")
        self.assertClean(CHECK)

    def test_an_exception_names_a_file_and_a_line_and_must_be_needed(self):
        self.plant("Tests/Live/a.py", "recorder.take(seconds=1)\n")
        self.plant("scripts/waits-allowed.txt", "Tests/Live/a.py | take(seconds=1) | a pause\n")
        self.assertClean(CHECK)
        self.plant("Tests/Live/a.py", "recorder.take(seconds=2)\n")
        self.assertRefused(CHECK, "Tests/Live/a.py:1", "scripts/waits-allowed.txt:1")


if __name__ == "__main__":
    unittest.main()
