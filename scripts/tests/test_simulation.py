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
    """The faults of the simulation, and scripts/mutants with planted ones."""

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

    def call(self, *command, **environment):
        ran = subprocess.run(
            command, cwd=self.root, stdin=subprocess.DEVNULL, capture_output=True, text=True,
            env={**os.environ, **environment})
        return ran.stdout.splitlines(), ran.returncode, ran.stderr

    def mutants(self, outcome, *names):
        """Plants two faults, and a compiler whose program ends as `outcome` says."""
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

    def test_a_simulation_that_fails_without_a_fault_finds_nothing(self):
        lines, status, said = self.mutants('echo "seed 1: rule: always"; exit 1')
        self.assertEqual((lines, status), ([], 1))
        self.assertIn("The simulation fails without a fault", said)

    def test_every_fault_still_applies(self):
        patches = sorted(glob.glob(os.path.join(MUTANTS, "*.patch")))
        self.assertGreater(len(patches), 10)
        for patch in patches:
            with self.subTest(patch=os.path.basename(patch)):
                # Outside of a repository, git looks at the files alone.
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
