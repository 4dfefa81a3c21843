import glob
import os
import re
import shutil
import stat
import subprocess
import tempfile
import unittest

SCRIPTS = os.path.realpath(os.path.join(os.path.dirname(__file__), ".."))
MUTANTS = os.path.join(SCRIPTS, "..", "Tests", "Simulation", "Mutants")


class Simulation(unittest.TestCase):
    """scripts/simulate, its suite, and scripts/mutants, with planted programs."""

    def setUp(self):
        self.root = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.root)
        shutil.copytree(SCRIPTS, os.path.join(self.root, "scripts"))

    def plant(self, path, text):
        place = os.path.join(self.root, path)
        os.makedirs(os.path.dirname(place), exist_ok=True)
        with open(place, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(place, os.stat(place).st_mode | stat.S_IXUSR)

    def simulate(self, body):
        """A program that gets its options as variables: $seed, $seeds, $first, $note."""
        self.plant(".build/debug/simulate", """#!/bin/sh
while [ $# -gt 0 ]; do
  case $1 in --*) name=${1#--}; export "$name=${2-}"; echo "--$name ${2-}" >>calls ;; esac
  shift
done
""" + body)

    def call(self, *command, **environment):
        ran = subprocess.run(
            command, cwd=self.root, stdin=subprocess.DEVNULL, capture_output=True, text=True,
            env={**os.environ, "BUILT": "1", **environment})
        return ran.stdout.splitlines(), ran.returncode, ran.stderr

    def suite_without_needs(self):
        # A planted program does not have these needs.
        suites = os.path.join(self.root, "scripts", "suites")
        name = "21-simulation"
        with open(os.path.join(suites, name), encoding="utf-8") as file:
            text = re.sub(r"(?m)^# Needs:.*$", "# Needs:", file.read())
        shutil.rmtree(suites)
        self.plant(f"scripts/suites/{name}", text)

    def test_the_command_that_repeats_a_seed_runs_it(self):
        self.suite_without_needs()
        self.simulate("""[ "${seed-}" != 42 ] || { echo "seed 42: passed"; exit 0; }
echo "again: 42"; echo "0 passed, 1 failed"; exit 1""")
        lines, status, _ = self.call("scripts/test", "simulation")
        self.assertEqual(status, 1)
        command = "  To run it alone: scripts/test 'simulation:42'"
        self.assertIn(command, lines)
        lines, status, _ = self.call("bash", "-c", command.split(": ", 1)[1] + " -v")
        self.assertEqual((lines[-1], status), ("1 passed, 0 failed", 0))
        self.assertIn("  | seed 42: passed", lines)

    def test_a_trap_names_its_seed(self):
        self.simulate("""echo "$first" >"$note"; echo "seed 3: early: It was found."
echo "Fatal error: Index out of range" >&2; kill -ILL $$""")
        lines, status, _ = self.call("scripts/simulate", "--first", "7", "--processes", "1")
        self.assertEqual((lines[-1], status), ("0 passed, 1 failed", 1))
        for line in ("seed 3: early: It was found.", "Fatal error: Index out of range", "again: 7",
                     "To repeat it, run: scripts/simulate --seed 7 --trace"):
            self.assertIn(line, lines)

    def test_counts_of_all_processes_are_added(self):
        self.simulate("""echo "$first" >"$note"; [ "$first" != 2 ] || kill -KILL $$
echo "seed $first: some-rule: It failed."; echo "$seeds passed, 1 failed"; exit 1""")
        lines, status, _ = self.call("scripts/simulate", "--seeds", "10", "--processes", "3")
        self.assertEqual((lines[-1], status), ("7 passed, 3 failed", 1))
        self.assertIn("again: 2", lines)
        self.assertEqual(sum("some-rule" in line for line in lines), 2)

    def mutants(self, outcome, *names):
        """Plants two faults, and a compiler whose program ends with `outcome`."""
        for folder in ("Sources", "Tests", "Fuzz"):
            self.plant(f"{folder}/code", "sound\n")
        self.plant("Package.swift", "")
        for name in ("one", "two"):
            self.plant(f"Tests/Simulation/Mutants/{name}.patch", f"""--- a/Sources/code
+++ b/Sources/code
@@ -1 +1 @@
-sound
+{name}
""")
        self.plant("bin/swift", f"""#!/bin/sh
mkdir -p .build/debug
cat >.build/debug/simulate <<'END'
#!/bin/sh
code=$(cat "$(dirname "$0")/../../Sources/code")
{outcome}
END
chmod +x .build/debug/simulate
""")
        path = os.path.join(self.root, "bin") + os.pathsep + os.environ["PATH"]
        return self.call("scripts/mutants", "simulation", *names, PATH=path)

    FOUND = 'case $code in sound) echo "500 passed, 0 failed" ;; *) echo "seed 7: rule: $code"; exit 1 ;; esac'

    def test_faults_that_are_found_pass(self):
        lines, status, _ = self.mutants(self.FOUND)
        self.assertEqual(lines, ["one: seed 7: rule: one", "two: seed 7: rule: two",
                                 "2 passed, 0 failed"])
        self.assertEqual(status, 0)
        self.assertEqual(self.mutants(self.FOUND, "two")[0],
                         ["two: seed 7: rule: two", "1 passed, 0 failed"])
        self.assertIn("no fault three", self.mutants(self.FOUND, "three")[2])

    def test_a_fault_that_is_not_found_fails(self):
        for end in ('echo "500 passed, 0 failed"', 'echo "seeds: none"; kill -ILL $$'):
            with self.subTest(end=end):
                lines, status, _ = self.mutants(f"[ $code != two ] || {{ {end}; exit; }}\n{self.FOUND}")
                self.assertEqual((lines[-1], status), ("1 passed, 1 failed", 1))
                self.assertIn("again: two", lines)

    def test_a_simulation_that_fails_without_a_fault_proves_nothing(self):
        lines, status, said = self.mutants('echo "seed 1: rule: always"; exit 1')
        self.assertEqual((lines, status), ([], 1))
        self.assertIn("The simulation fails without a fault", said)

    def test_every_fault_still_applies(self):
        patches = sorted(glob.glob(os.path.join(MUTANTS, "*.patch")))
        self.assertGreater(len(patches), 10)
        for patch in patches:
            with self.subTest(patch=os.path.basename(patch)):
                # Outside a repository, git only checks the files.
                with open(patch, encoding="utf-8") as file:
                    changed = re.findall(r"(?m)^--- a/(.*)$", file.read())
                self.assertGreater(len(changed), 0)
                for path in changed:
                    with open(os.path.join(SCRIPTS, "..", path), encoding="utf-8") as file:
                        self.plant(path, file.read())
                ran = subprocess.run(
                    ["git", "apply", "--check", patch], cwd=self.root, capture_output=True,
                    text=True, env={**os.environ, "GIT_CEILING_DIRECTORIES": self.root})
                self.assertEqual((ran.stderr, ran.returncode), ("", 0))


if __name__ == "__main__":
    unittest.main()
