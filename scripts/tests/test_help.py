"""Each script explains itself."""

import os
import subprocess
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))


class Help(unittest.TestCase):
    def test_every_script_prints_its_usage_and_does_nothing(self):
        for entry in sorted(os.scandir(f"{ROOT}/scripts"), key=lambda entry: entry.name):
            if not entry.is_file() or not os.access(entry.path, os.X_OK):
                continue
            for option in "--help", "-h":
                with self.subTest(script=entry.name, option=option):
                    ran = subprocess.run(
                        [entry.path, option], cwd=ROOT, capture_output=True, text=True, timeout=120,
                        stdin=subprocess.DEVNULL)
                    self.assertEqual(ran.returncode, 0, ran.stdout + ran.stderr)
                    self.assertTrue(
                        ran.stdout.lower().startswith(f"usage: scripts/{entry.name}"), ran.stdout)


if __name__ == "__main__":
    unittest.main()
