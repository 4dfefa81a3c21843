"""A coding agent finds the planted bugs of Examples, and ends with a test that fails until the fix."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests" / "Live"))

from agents import Agent
from daemon import Daemon
from patched_build import PatchedBuild

EXAMPLES = pathlib.Path(os.environ["EXAMPLES_BUILD"])


class Investigation:
    """An agent that counts its calls."""

    def __init__(self, daemon):
        self.agent = Agent(daemon)
        self.calls = 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.agent.__exit__()

    def call(self, tool, **arguments):
        self.calls += 1
        return self.agent.call(tool, **arguments)


class PlantedBugs(unittest.TestCase):
    def setUp(self):
        self.daemon = self.enterContext(Daemon())
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def test_the_basket_ends_with_a_test_that_fails_until_the_bug_is_fixed(self):
        subprocess.run(
            [EXAMPLES / "Elsewhere"], check=True, stdout=subprocess.DEVNULL,
            env={**self.daemon.environment, "DEBUGD": f"unix:{self.daemon.socket}"})
        self.daemon.run("host", EXAMPLES / "Elsewhere")
        wrong = "outputs.count == 0 && outputs.total != 0"
        with Investigation(self.daemon) as agent:
            scene = agent.call("scene", timeline="basket")
            self.assertEqual(scene["outputs"], {"total": -300, "count": 0})
            fewest = agent.call("minimize", timeline="basket", predicate=wrong)
            test = agent.call("export_test", timeline=fewest["branch"], max_bytes=60_000)
            self.assertNotIn("next", test)
            self.assertLessEqual(agent.calls, 8)
        [file] = test["files"]
        head, source = test["text"].split("\n", 1)
        self.assertEqual(head, f"// {file['name']}")
        self.assertEqual(len(source.encode()), file["bytes"])
        suite = source[source.index("@Suite"):]
        build = PatchedBuild(self.folder, EXAMPLES)
        passes, said = build.passes(suite)
        self.assertFalse(passes)
        self.assertIn(wrong, said)
        fixed = build.patched(
            "Basket.swift", "state.totalCents -= item.cents",
            "state.totalCents -= item.cents - item.discount")
        passes, said = build.passes(suite, fixed)
        self.assertTrue(passes, said)

    def vending(self):
        """Records the vending machine, whose host is a script, and gives the daemon its reducer."""
        host = ROOT / "Examples" / "host.py"
        recording = self.folder / "vending.timeline"
        subprocess.run([sys.executable, host, recording], check=True, stdout=subprocess.DEVNULL)
        self.daemon.run("import", recording)
        self.daemon.run("host", host)

    def test_the_vending_machine_serves_more_tea_than_it_has(self):
        self.vending()
        with Investigation(self.daemon) as agent:
            agent.call("scene", timeline="vending")
            found = agent.call("find", timeline="vending", predicate="state.tea < 0")["entries"]
            self.assertEqual(found[0]["event"], "tea")
            changes = agent.call("who_set", timeline="vending", path="/tea", limit=1)["changes"]
            self.assertEqual((changes[0]["event"], changes[0]["new"]), ("tea", -3))
            fewest = agent.call("minimize", timeline="vending", predicate="state.tea < 0")
            # Three cups, and the coins for them.
            self.assertEqual([one["event"] for one in fewest["entries"]].count("tea"), 3)
            self.assertEqual(agent.call("verify", timeline=fewest["branch"])["outcome"], "fails")
            test = agent.call(
                "export_test", timeline=fewest["branch"], format="timeline", max_bytes=60_000)
            self.assertLessEqual(agent.calls, 8)
        [file] = test["files"]
        timeline = self.folder / file["name"]
        timeline.write_text(test["text"].split("\n", 1)[1], "utf-8")
        self.assertEqual(timeline.stat().st_size, file["bytes"])
        host = ROOT / "Examples" / "host.py"
        failed = self.daemon.run("verify", timeline, "--host", host, check=False)
        self.assertEqual(failed.returncode, 1)
        self.assertIn("state.tea < 0", failed.stdout)
        passed = self.daemon.run("verify", timeline, "--host", self.fixed(host))
        self.assertRegex(passed.stdout, "^passes ")

    def fixed(self, host):
        """The host with a reducer that refuses to serve tea that it does not have."""
        [bug] = [line for line in host.read_text("utf-8").splitlines() if "# The bug: " in line]
        place = self.folder / "fixed.py"
        # Moved into place by another process: a program that this one has open cannot be run.
        (self.folder / "fixed.txt").write_text(host.read_text("utf-8").replace(
            bug, """        if state["tea"] == 0:
            raise Refused("no tea is left")
        state["tea"] -= 1"""), "utf-8")
        subprocess.run(["install", "-m", "755", self.folder / "fixed.txt", place], check=True)
        return place


if __name__ == "__main__":
    unittest.main()
