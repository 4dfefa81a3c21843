"""What commands report about names that cannot be used."""

import os
import unittest

from daemon import Daemon
from test_wrong_words import Commands, WithRecordings, recording


class Given(WithRecordings):
    def test_a_name_that_already_means_something_is_not_given(self):
        for words in (
            "rename old last", "fork old --drop 1 --name last", "minimize old --until true --name last",
        ):
            self.assertIn(
                "'last' already means the newest recording. To fix, choose another name.",
                self.refused(*words.split(), code=2))
        self.assertIn("machine    cart", self.run_debugd("show", "last").stdout)

    def test_a_test_is_not_written_into_a_file_of_another_kind(self):
        message = self.refused("export", "cart", "--as", "json", "-o", "cart.json")
        self.assertIn(
            "A test in Swift needs a name that ends in .swift, and 'cart.json' does not. To fix, name a "
            "folder: --out FOLDER/. For the recorded entries alone, use --as timeline or --as "
            "json-lines.", message)
        self.assertFalse((self.folder / "cart.json").exists())
        ran = self.run_debugd("export", "cart", "--as", "json", "-o", "new/")
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertEqual(
            sorted(os.listdir(self.folder / "new")), ["CartTests.swift", "cart.json"])
        message = self.refused("export", "cart", "--as", "json", "-o", "new")
        self.assertIn(
            "'new/CartTests.swift' already exists. To keep it, add --name NAME; to replace it, --force.",
            message)
        ran = self.run_debugd("export", "cart", "--as", "json", "-o", "newer")
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertEqual(
            sorted(os.listdir(self.folder / "newer")), ["CartTests.swift", "cart.json"])
        ran = self.run_debugd("export", "cart", "--as", "json-lines", "-o", "lines.json")
        self.assertEqual(ran.returncode, 0, ran.stderr)

    def test_an_id_in_upper_case_names_its_timeline(self):
        text = recording(0xABC, "loud").replace("00000abc-0b7e-4d38", "00000ABC-0B7E-4D38")
        (self.folder / "loud.timeline").write_text(text)
        self.assertIn("00000ABC", text)
        self.assertEqual(self.run_debugd("import", "loud.timeline").returncode, 0)
        for words in (("show", "loud"), ("state", "00000abc"), ("entries", "loud", "--from", "1")):
            ran = self.run_debugd(*words)
            self.assertEqual((ran.returncode, ran.stderr), (0, ""), words)
        self.assertIn("00000abc", self.run_debugd("list").stdout)


class Served(Commands):
    def test_names_and_origins_that_no_browser_sends_are_refused(self):
        name = "--name takes a host name without scheme and port, such as box.example or [fd00::1], not "
        origin = (
            "--origin takes SCHEME://HOST:PORT in lower case and without a path, such as "
            "http://localhost:8000, not ")
        for option, expected, words in (
            ("--name", name, ["a/b", "", "http://box", "box:80", "fd00::1", "[box"]),
            ("--origin", origin, ["foo", "", "http://", "http://box/", "http://Box", "null", "://box"]),
        ):
            for word in words:
                message = self.refused(
                    "serve", "--data", self.folder / "d", "--listen", "127.0.0.1:0", option, word, code=2)
                self.assertIn(f"{expected}'{word}'.", message)
        right = ["--name", "box.example", "--name", "[fd00::1]", "--origin", "http://localhost:8000"]
        with Daemon(options=right):
            pass


if __name__ == "__main__":
    unittest.main()
