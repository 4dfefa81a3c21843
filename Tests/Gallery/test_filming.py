"""scripts/animation and scripts/screenshots without what they need: they name it, and what to run."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

SCRIPTS = pathlib.Path(__file__).resolve().parents[2] / "scripts"


class FilmingTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "scripts" / "lib").mkdir(parents=True)
        for name in ("animation", "screenshots", "lib/filming.py"):
            shutil.copy(SCRIPTS / name, self.folder / "scripts" / name)

    def has(self, name):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()

    def refusal(self, script):
        """What it says, in a Python that has only the packages made here."""
        own = {key: value for key, value in os.environ.items()
               if key not in ("LIVE_BUILD", "EXAMPLES_BUILD")}
        ran = subprocess.run(
            [sys.executable, "-S", self.folder / "scripts" / script],
            env=own | {"PYTHONPATH": str(self.folder / "packages")}, capture_output=True, text=True)
        self.assertEqual(ran.returncode, 1)
        return ran.stderr.strip()

    def test_each_missing_tool_is_named_with_its_remedy(self):
        for program in ("debugd", "Elsewhere"):
            self.assertEqual(self.refusal("animation"), f"{program} is not built. Run: scripts/run")
            self.has(f".build/debug/{program}")
        self.assertEqual(self.refusal("screenshots"), "Gallery is not built. Run: scripts/run")
        self.has(".build/debug/Gallery")
        for script in ("animation", "screenshots"):
            self.assertEqual(
                self.refusal(script),
                "The Python packages of the browser tests are missing. Run: scripts/test web-browser")
        self.has("packages/playwright/__init__.py")
        if os.path.exists("/usr/bin/chromium"):
            self.assertEqual(self.refusal("animation"),
                             f"Pillow is missing. Run: {sys.executable} -m pip install pillow")
        else:
            self.assertEqual(self.refusal("animation"),
                             "/usr/bin/chromium is missing. Run: scripts/test web-browser")


if __name__ == "__main__":
    unittest.main()
