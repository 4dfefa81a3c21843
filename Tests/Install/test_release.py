"""scripts/release: which files a version is published with."""

import pathlib
import re
import shutil
import subprocess
import tarfile
import tempfile
import unittest

from daemon import BUILD, ROOT

VERSION = re.search(
    r'current = "(.*)"', (ROOT / "Sources/Timelines/ProductVersion.swift").read_text())[1]


class Release(unittest.TestCase):
    def setUp(self):
        self.place = pathlib.Path(tempfile.mkdtemp(prefix="release"))
        self.addCleanup(shutil.rmtree, self.place)
        self.tree = self.place / "tree"
        # The current files, in one commit.
        shutil.copytree(ROOT, self.tree, symlinks=True, ignore=shutil.ignore_patterns(
            ".git", ".build", "__pycache__"))
        self.git("init", "--quiet")
        self.git("add", "--all")
        self.git("-c", "user.name=test", "-c", "user.email=test@localhost", "commit", "--quiet",
                 "--message", "as it is")

    def git(self, *words):
        subprocess.run(["git", *words], cwd=self.tree, check=True)

    def release(self):
        return subprocess.run(
            ["scripts/release", "--binary", BUILD / "debugd", "--shared-swift", "--out",
             self.place / "out"], cwd=self.tree, capture_output=True, text=True)

    def test_it_packs_the_sources_and_the_daemon_with_their_checksums(self):
        made = self.release()
        self.assertEqual(made.returncode, 0, made.stderr)
        archive, package, sums = map(pathlib.Path, made.stdout.split())
        self.assertEqual(archive.name, f"stateline-{VERSION}.tar.gz")
        self.assertRegex(package.name, f"^debugd_{re.escape(VERSION)}_[a-z0-9]+[.]deb$")
        with tarfile.open(archive) as packed:
            names = packed.getnames()
        self.assertIn(f"stateline-{VERSION}/Package.swift", names)
        self.assertIn(f"stateline-{VERSION}/web/samples/basket.timeline.gz", names)
        subprocess.run(["sha256sum", "--check", "--quiet", sums.name], cwd=sums.parent, check=True)
        # The same commit makes the same archive.
        first = archive.read_bytes()
        self.assertEqual(self.release().returncode, 0)
        self.assertEqual(archive.read_bytes(), first)

    def test_it_refuses_uncommitted_changes_and_another_version(self):
        (self.tree / "new.txt").write_text("new\n")
        made = self.release()
        self.assertEqual(made.returncode, 1)
        self.assertIn("There are uncommitted changes", made.stderr)
        (self.tree / "new.txt").unlink()
        (self.tree / "CHANGELOG.md").write_text("# Changelog\n\n## 0.0.1\n")
        made = self.release()
        self.assertEqual(made.returncode, 1)
        self.assertIn("The documents name another version", made.stderr)


if __name__ == "__main__":
    unittest.main()
