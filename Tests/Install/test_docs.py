"""scripts/docs: the reference of a library as pages that stand alone."""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest

from daemon import BUILD, ROOT


class Docs(unittest.TestCase):
    def make(self, *words):
        return subprocess.run(
            [ROOT / "scripts/docs", *words], capture_output=True, text=True, timeout=120,
            env={**os.environ, "DOCS_MODULES": str(BUILD / "Modules")})

    def test_a_library_s_pages_are_made(self):
        with tempfile.TemporaryDirectory() as place:
            made = self.make("--out", place, "Timelines")
            self.assertEqual(made.returncode, 0, made.stderr)
            index = pathlib.Path(made.stdout.strip())
            link = index.read_text().split('href="')[1].split('"')[0]
            self.assertTrue((index.parent / link / "index.html").is_file(), link)
            data = json.loads(
                (pathlib.Path(place) / "Timelines/data/documentation/timelines.json").read_text())
            names = {name.rsplit("/", 1)[1] for name in data["references"] if "/" in name}
            self.assertIn("Timeline", names)
            self.assertNotIn(str(ROOT), json.dumps(data))

    def test_an_unknown_library_is_told(self):
        made = self.make("Timeline")
        self.assertEqual(made.returncode, 1)
        self.assertIn("There is no library 'Timeline'. There are: ", made.stderr)


if __name__ == "__main__":
    unittest.main()
