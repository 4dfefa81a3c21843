"""scripts/docs: the guides, the tutorial, and the reference of the libraries as one site."""

import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

from daemon import BUILD, ROOT


# The libraries in the order of the manifest; a type that each has, and its article.
LIBRARIES = {
    "StatesCore": ("Machine", "choosingamachine"),
    "JSONCore": ("JSON", "comparingvalues"),
    "Timelines": ("Timeline", "readingarecording"),
    "Predicates": ("Predicate", "askingquestions"),
    "Replaying": ("Replay", "makingamachinereplayable"),
    "Recorder": ("StateRecorder", "choosingadestination"),
    "StatesTesting": ("ReplayedMachine", "keepingabugfixed"),
    "TestSource": ("TestExport", "exportingfromcode"),
}
TUTORIAL = ROOT / "Sources/Recorder/Recorder.docc/Tutorials"


class Docs(unittest.TestCase):
    def make(self, *words):
        return subprocess.run(
            [ROOT / "scripts/docs", *words], capture_output=True, text=True, timeout=300,
            env={**os.environ, "DOCS_MODULES": str(BUILD / "Modules")})

    def test_one_site_has_the_guides_the_tutorial_and_every_library(self):
        with tempfile.TemporaryDirectory() as place:
            made = self.make("--out", place)
            self.assertEqual(made.returncode, 0, made.stderr)
            # A broken link, or any other warning of docc.
            self.assertEqual(re.findall(r"(\w+): (\d+) warnings", made.stderr),
                             [(name, "0") for name in ["Guides", *LIBRARIES]], made.stderr)
            index = pathlib.Path(made.stdout.strip())
            links = re.findall('href="([^"]+)"', index.read_text())
            self.assertEqual(len(links), len(LIBRARIES) + 2)
            for link in links:
                self.assertTrue((index.parent / link / "index.html").is_file(), link)
            pages = {path.relative_to(index.parent / "data").with_suffix("").as_posix(): path.read_text()
                     for path in index.parent.glob("data/**/*.json")}
            for library, (type, article) in LIBRARIES.items():
                home = f"documentation/{library.lower()}"
                names = {name.rsplit("/", 1)[1] for name in json.loads(pages[home])["references"]
                         if "/" in name}
                self.assertIn(type, names)
                self.assertIn(f"{home}/{article}", pages)
            self.assertIn("tutorials/recorder/meettherecorder", pages)
            self.check_guides(pages)
            for name, text in pages.items():
                self.assertNotIn(str(ROOT), text, name)

    def check_guides(self, pages):
        """Every page of docs/ is there, and its links lead to pages of the site."""
        guides = {name: json.loads(text) for name, text in pages.items()
                  if name.startswith("documentation/guides")}
        self.assertEqual(len(guides), len(list((ROOT / "docs").rglob("*.md"))))
        links = 0
        for name, page in guides.items():
            for reference in page["references"].values():
                if reference["type"] in ("topic", "section"):
                    target = reference["url"].partition("#")[0].strip("/")
                    self.assertIn(target, pages, name)
                    links += 1
                if reference["type"] == "link":
                    self.assertRegex(reference["url"], "^https?:", name)
        self.assertGreater(links, 300)

    def test_a_folder_with_other_files_is_not_replaced(self):
        with tempfile.TemporaryDirectory() as place:
            kept = pathlib.Path(place, "mine")
            kept.touch()
            made = self.make("--out", place)
            self.assertEqual(made.returncode, 1)
            self.assertIn(f"{place} has other files. To fix, choose a new folder.", made.stderr)
            self.assertTrue(kept.exists())

    def test_an_unknown_library_is_named(self):
        made = self.make("Timeline")
        self.assertEqual(made.returncode, 1)
        self.assertIn("There is no library 'Timeline'. There are: ", made.stderr)


class Tutorial(unittest.TestCase):
    """What the tutorial shows is what other tests run: an example, and sessions of the documents."""

    def files(self):
        """The files that the steps show, in their order."""
        text = (TUTORIAL / "MeetTheRecorder.tutorial").read_text()
        return re.findall(r'@Code\(name: "([^"]+)", file: "([^"]+)"\)', text)

    def shown(self, file):
        return (TUTORIAL / "Resources" / file).read_text()

    def test_each_step_adds_to_the_program_and_the_last_is_the_example(self):
        steps = [self.shown(file).splitlines() for name, file in self.files() if name == "main.swift"]
        self.assertEqual(steps[-1], (ROOT / "Examples/Sources/Coin/main.swift").read_text().splitlines())
        words = [" ".join(step).replace("(", " ").replace(")", " ").replace(",", " ").split()
                 for step in steps]
        for before, after in zip(words, words[1:]):
            self.assertLess(len(before), len(after))
            rest = iter(after)
            self.assertEqual([word for word in before if word not in rest], [])

    def test_the_sessions_are_those_of_the_documents(self):
        documents = [ROOT / "README.md", ROOT / "docs/getting-started.md", ROOT / "docs/walkthrough.md"]
        text = "\n".join(path.read_text() for path in documents)
        files = [file for name, file in self.files() if name == "Terminal"]
        self.assertGreater(len(files), 5)
        for file in files:
            for session in re.findall(r"^\$ .*\n(?:(?!\$ ).*\n)*", self.shown(file), re.MULTILINE):
                self.assertIn("\n" + session, text, file)

    def test_the_test_is_that_of_the_walkthrough(self):
        [test] = [file for name, file in self.files() if name == "EmptyBasketTests.swift"]
        _, _, suite = self.shown(test).partition("\n\n")
        self.assertIn(f"```swift example\n{suite}```", (ROOT / "docs/walkthrough.md").read_text())

    def test_every_file_is_shown(self):
        files = {path.name for path in (TUTORIAL / "Resources").iterdir()} - {"coin.svg"}
        self.assertEqual({file for _, file in self.files()}, files)


if __name__ == "__main__":
    unittest.main()
