"""What commands do only on a terminal: they ask before they delete, and give columns titles."""

import os
import pty
import subprocess
import unittest

from daemon import BUILD
from test_wrong_words import Commands, recording


class OnATerminal(Commands):
    def setUp(self):
        super().setUp()
        self.environment["DEBUGD_DATA"] = str(self.folder / "data")
        (self.folder / "cart.timeline").write_text(recording())
        ran = self.run_debugd("import", "cart.timeline")
        self.assertEqual(ran.returncode, 0, ran.stderr)

    def on_terminal(self, *words, answer=None):
        """The exit code of a command on a terminal, and all that it showed there."""
        primary, secondary = pty.openpty()
        process = subprocess.Popen(
            [BUILD / "debugd", *words], stdin=secondary, stdout=secondary, stderr=secondary,
            cwd=self.folder, env={**self.environment, "NO_COLOR": "1", "TERM": "xterm"})
        os.close(secondary)
        shown = b""
        try:
            while True:
                try:
                    part = os.read(primary, 4096)
                except OSError:  # The other end is closed: Linux reports EIO.
                    break
                if not part:
                    break
                shown += part
                if answer is not None and b"[y/N]" in shown:
                    os.write(primary, answer.encode() + b"\n")
                    answer = None
        finally:
            os.close(primary)
        return process.wait(60), shown.decode()

    def another(self, number=2):
        """Imports a second recording."""
        (self.folder / "other.timeline").write_text(recording(number, "other"))
        ran = self.run_debugd("import", "other.timeline")
        self.assertEqual((ran.returncode, self.count()), (0, 2), ran.stderr)

    def count(self):
        return len(self.run_debugd("list", "--json").stdout.splitlines())

    def test_prune_asks_and_deletes_only_after_a_yes(self):
        for answer in ("n", "", "what"):
            code, shown = self.on_terminal("prune", "--per-app", "1", answer=answer)
            self.assertIn(
                "This deletes the oldest of 1 timeline, and their branches, until the rest is within "
                "--per-app 1. Delete them? [y/N]", shown)
            self.assertIn("Nothing was deleted.", shown)
            self.assertEqual((code, self.count()), (1, 1))
        self.another()
        code, shown = self.on_terminal("prune", "--per-app", "1", answer="y")
        self.assertIn("the oldest of 2 timelines", shown)
        self.assertEqual((code, self.count()), (0, 1), shown)

    def test_prune_does_not_ask_when_the_answer_is_known_or_cannot_be_given(self):
        self.another()
        code, shown = self.on_terminal("prune", "--per-app", "1", "--yes")
        self.assertNotIn("[y/N]", shown)
        self.assertEqual((code, self.count()), (0, 1), shown)
        self.another(3)
        ran = self.run_debugd("prune", "--per-app", "1")
        self.assertNotIn("[y/N]", ran.stdout)
        self.assertEqual((ran.returncode, self.count()), (0, 1), ran.stdout + ran.stderr)

    def test_delete_shows_what_it_asks_about(self):
        code, shown = self.on_terminal("delete", "cart", answer="n")
        self.assertRegex(shown, r"cart .*\r\nDelete it\? \[y/N\]")
        self.assertEqual((code, self.count()), (1, 1))
        code, shown = self.on_terminal("delete", "cart", answer="yes")
        self.assertEqual((code, self.count()), (0, 0), shown)

    def test_columns_have_titles_only_on_a_terminal(self):
        for words, titles in (
            (("list",), ["id", "app", "machine", "kind", "entries", "size", "started"]),
            (("entries", "cart"), ["seq", "time", "since", "event"]),
            (("find", "cart", "state.total > 3"), ["seq", "time", "since", "event"]),
            (("changes", "cart", "/total"), ["seq", "old", "→", "new", "event"]),
        ):
            code, shown = self.on_terminal(*words)
            self.assertEqual(code, 0, shown)
            self.assertEqual(shown.splitlines()[0].split(), titles, words)
            piped = self.run_debugd(*words)
            self.assertEqual(piped.returncode, 0, piped.stderr)
            self.assertEqual(
                len(piped.stdout.splitlines()), len(shown.splitlines()) - 1, f"{words}: {piped.stdout}")
            code, shown = self.on_terminal(*words, "--json")
            self.assertTrue(shown.startswith("{"), shown)


if __name__ == "__main__":
    unittest.main()
