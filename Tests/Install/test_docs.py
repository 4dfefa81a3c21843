"""scripts/docs: the reference of a library as pages that stand alone."""

import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

from daemon import BUILD, ROOT


# The libraries in the order of the manifest, and a type that each has.
TYPES = {
    "StatesCore": "Machine", "JSONCore": "JSON", "Timelines": "Timeline", "Replaying": "Replay",
    "Recorder": "StateRecorder", "StatesTesting": "ReplayedMachine", "TestSource": "TestExport",
}
ORDER = list(TYPES)


class Docs(unittest.TestCase):
    def make(self, *words):
        return subprocess.run(
            [ROOT / "scripts/docs", *words], capture_output=True, text=True, timeout=300,
            env={**os.environ, "DOCS_MODULES": str(BUILD / "Modules")})

    def test_the_pages_of_every_library_are_made(self):
        with tempfile.TemporaryDirectory() as place:
            made = self.make("--out", place)
            self.assertEqual(made.returncode, 0, made.stderr)
            index = pathlib.Path(made.stdout.strip())
            links = re.findall('href="([^"]+)"', index.read_text())
            self.assertEqual({link.split("/")[0] for link in links}, set(TYPES))
            for link in links:
                self.assertTrue((index.parent / link / "index.html").is_file(), link)
            for library, wanted in TYPES.items():
                data = json.loads(pathlib.Path(
                    place, library, "data/documentation", f"{library.lower()}.json").read_text())
                names = {name.rsplit("/", 1)[1] for name in data["references"] if "/" in name}
                self.assertIn(wanted, names)
                self.assertNotIn(str(ROOT), json.dumps(data))
            # A link in a comment that leads nowhere, or anything else that docc has to say.
            self.assertEqual(re.findall(r"(\w+): (\d+) warnings", made.stderr),
                             [(library, "0") for library in ORDER], made.stderr)

    def test_an_unknown_library_is_told(self):
        made = self.make("Timeline")
        self.assertEqual(made.returncode, 1)
        self.assertIn("There is no library 'Timeline'. There are: ", made.stderr)


if __name__ == "__main__":
    unittest.main()
