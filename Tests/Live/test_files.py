"""Files without a daemon: debugd view in a real browser, and commands that read files."""

import gzip
import json
import os
import pathlib
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest
import uuid

from advice import advice
from chromium import launch
from daemon import BUILD, ROOT, Daemon
from editors import Editor
from playwright.sync_api import expect, sync_playwright

HOST = ROOT / "Examples" / "host.py"
sys.dont_write_bytecode = True
sys.path.insert(0, str(HOST.parent))
import host  # noqa: E402

OTHER = "11111111-2222-4333-8444-555555555555"


class Files(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        for name in ("home", "run", "temporary"):
            (self.folder / name).mkdir(mode=0o700)
        self.file = self.folder / "bug.timeline"
        with open(self.file, "w") as file:
            host.record(file, host.SESSION)
        # Another session of the same machine, which ends earlier.
        with open(self.folder / "other.timeline", "w") as file:
            host.record(file, host.SESSION[:4])
        text = (self.folder / "other.timeline").read_text()
        header = json.loads(text.splitlines()[0])
        (self.folder / "other.timeline").write_text(text.replace(header["timeline"], OTHER))

    @property
    def environment(self):
        clean = {key: value for key, value in os.environ.items() if not key.startswith("DEBUGD")}
        clean.pop("DISPLAY", None)
        return {**clean, "HOME": str(self.folder / "home"),
                "XDG_RUNTIME_DIR": str(self.folder / "run"),
                "TMPDIR": str(self.folder / "temporary")}

    def debugd(self, *words, code=0):
        done = subprocess.run(
            [BUILD / "debugd", *map(str, words)], cwd=self.folder, text=True, capture_output=True,
            timeout=120, env=self.environment)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stderr if code else done.stdout

    def leaves_nothing(self):
        self.assertEqual(list((self.folder / "home").iterdir()), [])
        self.assertEqual(list((self.folder / "run").iterdir()), [])
        self.assertEqual(list((self.folder / "temporary").glob("debugd-*")), [])


class Paths(Files):
    def test_without_a_daemon_a_path_in_place_of_a_timeline_is_explained(self):
        folder = self.folder / "recordings"
        folder.mkdir()
        for words in (("entries", "recordings"), ("fork", folder, "--drop", 1)):
            self.assertIn(
                f"'{words[1]}' is a folder. To fix, name the files in it.",
                self.debugd(*words, code=1))
        said = self.debugd("fork", "other.timeline", "--drop", 1, code=1)
        self.assertIn("'other.timeline' is a file, and only a daemon can do this.", said)
        self.leaves_nothing()
        command = advice(
            "… is a file, and only a daemon can do this. To fix, start one with 'debugd serve', and "
            "run: debugd import …", said)
        self.debugd(*command.split()[1:])
        self.assertIn(OTHER, self.debugd("list", "--json"))


    def test_a_path_that_does_not_exist_is_not_taken_for_a_timeline(self):
        (self.folder / "recordings").mkdir()
        self.assertIn(
            "There is no file 'recordings/other.timelin'.",
            self.debugd("entries", "recordings/other.timelin", code=1))
        self.assertIn("There is no recorded data", self.debugd("entries", "app/machine", code=1))


class Reading(Files):
    """Commands that read answer the same about a file as about the timeline in a daemon."""

    def test_each_reading_command_answers_as_a_daemon_does(self):
        calls = [
            ["show"], ["entries"], ["entries", "--filter", "event == 'tea'"], ["state", 5],
            ["state"], ["diff", 1, 5], ["changes", "/tea"], ["find", "state.tea < 0"],
            ["column", "/tea"], ["export", "--as", "csv", "-p", "/tea"],
            ["export", "--as", "json-lines"],
        ]
        with Daemon(environment=self.environment) as daemon:
            daemon.run("import", self.file)
            for name, *rest in calls:
                with self.subTest(name):
                    words = ["--json"] if name not in ("export",) else []
                    wanted = daemon.run(name, "vending", *rest, *words).stdout
                    found = self.debugd(name, "bug.timeline", *rest, *words)
                    if name == "show":
                        wanted, found = map(json.loads, (wanted, found))
                        # The size on the disk, and what depends on the time of the import.
                        self.assertEqual(wanted["header"], found["header"])
                        self.assertEqual(wanted["entries"], found["entries"])
                    else:
                        self.assertEqual(found, wanted)
        self.leaves_nothing()

    def test_the_commit_of_the_code_is_shown(self):
        self.assertNotIn("commit", self.debugd("show", "bug.timeline"))
        header, entries = self.file.read_text().split("\n", 1)
        header = json.loads(header)
        header["app"]["commit"] = "8f3c2d1\u202e"
        self.file.write_text(json.dumps(header) + "\n" + entries)
        self.assertRegex(self.debugd("show", "bug.timeline"), r"(?m)^commit +8f3c2d1\\u")

    def test_two_files_are_compared(self):
        found = json.loads(self.compared())
        self.assertEqual((found["equal"], found["differing"], found["alone"]), (5, 0, 9))
        # Entry 5 of one, and entry 4 of the other.
        patch = json.loads(self.debugd("diff", "bug.timeline", 5, "other.timeline:4", "--json"))
        [change] = patch
        self.assertEqual(change["value"]["state"], {"cents": 120, "tea": 2, "served": 0})
        self.leaves_nothing()

    def compared(self):
        done = subprocess.run(
            [BUILD / "debugd", "compare", "bug.timeline", "other.timeline", "--json"],
            cwd=self.folder, text=True, capture_output=True, timeout=120, env=self.environment)
        self.assertEqual(done.returncode, 1, done.stderr)
        return done.stdout

    def test_a_file_is_compared_with_a_timeline_of_the_daemon(self):
        apart = self.compared()
        with Daemon() as daemon:
            daemon.run("import", self.folder / "bug.timeline")
            name = json.loads((self.folder / "bug.timeline").read_text().splitlines()[0])["timeline"]
            for words in ((name, self.folder / "other.timeline"), (self.folder / "other.timeline", name)):
                compared = daemon.run("compare", *words, "--json", check=False)
                self.assertEqual(compared.returncode, 1, compared.stderr)
                if words[0] == name:
                    self.assertEqual(json.loads(compared.stdout), json.loads(apart))
            same = daemon.run("compare", name, self.folder / "bug.timeline", check=False)
            self.assertIn("are recordings of one timeline", same.stderr)
            # Nothing was imported for it.
            self.assertEqual(len(daemon.run("list", "--all").stdout.splitlines()), 1)
        self.leaves_nothing()

    def test_recordings_of_different_machines_are_called_so(self):
        lines = (self.folder / "other.timeline").read_text().splitlines(keepends=True)
        header = json.loads(lines[0])
        header["machine"]["type"] = "Other"
        (self.folder / "strange.timeline").write_text(json.dumps(header) + "\n" + "".join(lines[1:]))
        self.assertIn(
            "These are recordings of different machines: ",
            self.debugd("compare", "bug.timeline", "strange.timeline", code=1))
        self.assertNotIn("different", self.debugd("compare", "bug.timeline", "other.timeline", code=1))

    def test_mistakes_have_answers(self):
        shutil.copy(self.file, self.folder / "copy.timeline")
        sentence = self.debugd("compare", "bug.timeline", "copy.timeline", code=1)
        self.assertIn("'bug.timeline' and 'copy.timeline' are recordings of one timeline", sentence)
        self.assertIn("To compare it with today's code, run: debugd verify FILE --host EXE", sentence)
        self.assertIn("There is no recorded data in ",
                      self.debugd("compare", "bug.timeline", "x", code=1))
        self.assertIn("'x' is not a file: name files or timelines, not both.",
                      self.debugd("diff", "bug.timeline", 1, "x:1", code=1))
        self.assertIn("There is no file 'none.timeline'.",
                      self.debugd("entries", "none.timeline", code=1))
        (self.folder / "empty.timeline").write_text("")
        self.debugd("entries", "empty.timeline", code=1)
        (self.folder / "folder.timeline").mkdir()
        self.assertIn("'folder.timeline' is a folder. To fix, name the files in it.",
                      self.debugd("entries", "folder.timeline", code=1))
        self.leaves_nothing()

    def test_a_file_compressed_with_gzip_is_answered_with_the_program_that_unpacks_it(self):
        packed = self.folder / "bug.timeline.gz"
        packed.write_bytes(gzip.compress(self.file.read_bytes()))
        for words in ["show"], ["changes", "/tea"], ["export"]:
            said = self.debugd(words[0], "bug.timeline.gz", *words[1:], code=1)
            self.assertIn(
                "the file is compressed; to fix, unpack it: gunzip FILE.timeline.gz", said)
        self.file.unlink()
        subprocess.run(["gunzip", packed], check=True, timeout=60)
        self.assertIn("vending", self.debugd("show", "bug.timeline"))

    def test_names_with_slashes_still_mean_timelines(self):
        """Also where the working folder has something of that name."""
        text = self.file.read_text()
        (self.folder / "slashes.timeline").write_text(
            text.replace('"name":"vending"', '"name":"hall/east"'))
        (self.folder / "Vending" / "vending").mkdir(parents=True)
        with Daemon(environment=self.environment) as daemon:
            daemon.run("import", self.folder / "slashes.timeline")
            daemon.run("import", self.folder / "other.timeline")
            data = ("--data", daemon.data)
            for word in ("hall/east", "Vending/hall/east"):
                self.assertIn("hall/east", self.debugd("show", word, *data))
            self.assertIn("vending", self.debugd("show", "Vending/vending", *data))
            (self.folder / "Vending" / "vending").rmdir()
            (self.folder / "Vending" / "vending").write_text("not a recording")
            self.assertIn("vending", self.debugd("show", "Vending/vending", *data))

    def test_a_file_that_was_cut_off_is_read_as_far_as_it_goes(self):
        text = self.file.read_bytes()
        self.file.write_bytes(text[:-20])
        done = subprocess.run(
            [BUILD / "debugd", "entries", "bug.timeline", "--json"], cwd=self.folder, text=True,
            capture_output=True, timeout=120, env=self.environment)
        self.assertEqual(json.loads(done.stdout.splitlines()[-1])["seq"], len(host.SESSION) - 1)
        self.assertIn("bug.timeline: ", done.stderr)


class Viewing(Files):
    def view(self, *words):
        """Starts `debugd view`; the file that leads to the page."""
        self.viewer = subprocess.Popen(
            [BUILD / "debugd", "view", *map(str, words), "--print"], cwd=self.folder, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=self.environment)
        self.addCleanup(self.viewer.stdout.close)
        self.addCleanup(self.viewer.stderr.close)
        self.addCleanup(self.viewer.kill)
        line = self.viewer.stdout.readline()
        found = re.search(r"Open this file in a browser within \d+ s: (/.*)\n", line)
        self.assertTrue(found, line + (self.viewer.stderr.read() if not line else ""))
        return found.group(1)

    def end(self, number=signal.SIGINT):
        self.viewer.send_signal(number)
        code = self.viewer.wait(120)
        said = self.viewer.stderr.read()
        self.assertEqual(code, 0, said)
        self.leaves_nothing()
        return said

    def test_open_leads_to_view(self):
        said = self.debugd("open", "other.timeline", "--print", code=1)
        command = advice(
            "… is not in the daemon. To look at files in the browser, run: debugd view …", said)
        self.assertTrue(self.view(*command.split()[2:]))
        self.end()

    def test_an_editor_says_how_to_try_another_value(self):
        with Editor(environment=self.environment, cwd=self.folder) as editor:
            editor.launch("bug.timeline")
            said = editor.refusal("setVariable", variablesReference=1, name="x", value="1")
        command = advice(
            "A recording does not change. To try another value, change an event in the browser: debugd "
            "view … --host EXE", said, EXE=HOST)
        self.assertTrue(self.view(*command.split()[2:]))
        self.end()

    def test_the_page_shows_the_first_file_and_its_reducer_makes_branches(self):
        file = self.view("bug.timeline", "other.timeline", "--host", HOST)
        with sync_playwright() as playwright:
            browser = launch(playwright)
            page = browser.new_page()
            page.set_default_timeout(60_000)
            page.goto(f"file://{file}")
            refund = page.locator(".row:visible", has_text="refund")
            refund.click()
            recorded = json.loads(self.file.read_text().splitlines()[0])["timeline"]
            # The page's security policy does not let a test evaluate strings.
            page.wait_for_url(lambda url: f"timeline={recorded}" in url and "code=" not in url)
            # The reducer makes a branch without the selected event.
            page.locator("button.line[aria-label=Skip]:visible").click()
            # Looked for at once, because it goes away by itself.
            page.locator(
                ".notice", has_text="debugd view forgets branches when it ends. To keep this one, "
                "press Shift+E, and export it.").wait_for()
            page.wait_for_url(lambda url: recorded not in url)
            # The rows of the recording, which has an insert, too, are there until those of the branch.
            expect(refund).to_have_count(0, timeout=60_000)
            page.locator(".row:visible", has_text="insert").first.wait_for()
            self.assertEqual(refund.count(), 0)
            browser.close()
        said = self.end()
        self.assertIn(
            "The branch that you made is not kept. To keep the next ones, import the files into a "
            "running daemon: debugd import bug.timeline other.timeline\n", said)

    def test_the_page_says_how_to_view_a_file_with_a_host(self):
        file = self.view("bug.timeline")
        with sync_playwright() as playwright:
            browser = launch(playwright)
            page = browser.new_page()
            page.set_default_timeout(60_000)
            page.goto(f"file://{file}")
            page.locator(".row:visible", has_text="refund").wait_for()
            page.locator("tt-toolbar .host").click()
            page.locator(
                "tt-hosts .window-answer", has_text="This page cannot start hosts. To open your "
                "files with one, run: debugd view FILE --host EXE").wait_for()
            page.locator(
                "tt-hosts .note", has_text="Then run: debugd view FILE --host EXE").wait_for()
            browser.close()
        self.end()

    def test_a_folder_stands_for_the_timelines_in_it(self):
        (self.folder / "recordings/deep").mkdir(parents=True)
        (self.folder / "bug.timeline").rename(self.folder / "recordings/bug.timeline")
        (self.folder / "other.timeline").rename(self.folder / "recordings/deep/other.timeline")
        (self.folder / "recordings/notes.txt").write_text("no timeline")
        self.view("recordings")
        self.assertEqual(self.end(), "")
        with Daemon() as daemon:
            self.assertEqual(len(daemon.run("import", self.folder / "recordings").stdout.split()), 4)
            self.assertEqual(len(daemon.run("list", "--names").stdout.split()), 3)
            self.imports_only_what_is_new(daemon)
        (self.folder / "empty").mkdir()
        for command in ("view", "import"):
            self.assertIn(
                "The folder 'empty' has no .timeline file.", self.debugd(command, "empty", code=1))

    def imports_only_what_is_new(self, daemon):
        folder = self.folder / "recordings"
        new = json.loads((folder / "bug.timeline").read_text().splitlines()[0])
        new["timeline"] = str(uuid.uuid4())
        lines = (folder / "bug.timeline").read_text().splitlines(keepends=True)[1:]
        (folder / "new.timeline").write_text(json.dumps(new) + "\n" + "".join(lines))
        refused = daemon.run("import", folder / "bug.timeline", check=False)
        self.assertEqual(refused.returncode, 1)
        self.assertIn("already exists", refused.stderr)
        for _ in range(2):
            done = daemon.run("import", folder, "--skip-existing")
            self.assertEqual(done.stderr, "")
            self.assertEqual(len(done.stdout.splitlines()), 3)
            self.assertIn(f"{new['timeline']}  {folder / 'new.timeline'}", done.stdout)
        self.assertEqual(done.stdout.count("  (already there)\n"), 3)
        # Only that is skipped.
        (folder / "torn.timeline").write_text("{")
        torn = daemon.run("import", folder, "--skip-existing", check=False)
        self.assertEqual(torn.returncode, 1)
        self.assertIn("torn.timeline", torn.stderr)

    def test_every_way_to_end_leaves_nothing_behind(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            with self.subTest(number):
                self.view("bug.timeline")
                # The socket's, and the recording's, which may be too large for memory.
                for place in ("run", "temporary"):
                    self.assertEqual(
                        [path.stat().st_mode & 0o777
                         for path in (self.folder / place).glob("debugd-*")], [0o700], place)
                self.end(number)

    def test_a_page_is_for_a_browser(self):
        (self.folder / "bug.html").write_text("<!DOCTYPE html>\n<title>x</title>")
        words = "'bug.html' is an HTML file. If debugd exported it, open it in a browser."
        for command in ("view", "import"):
            self.assertIn(words, self.debugd(command, "bug.html", code=1))
        with Daemon() as daemon:
            self.assertIn(words, self.debugd("entries", "bug.html", "--data", daemon.data, code=1))

    def test_a_timeline_of_the_daemon_is_opened_otherwise(self):
        with Daemon() as daemon:
            daemon.run("import", self.folder / "bug.timeline")
            app, machine = [json.loads((self.folder / "bug.timeline").read_text().splitlines()[0])[key]["name"]
                            for key in ("app", "machine")]
            said = self.debugd("view", f"{app}/{machine}", code=1)
            command = advice("To open a timeline of a running daemon, run: debugd open …", said)
            self.assertIn("open.html", daemon.run(*shlex.split(command)[1:], "--print").stdout)

    def test_mistakes_end_it_with_an_answer(self):
        self.assertIn("view needs FILE", self.debugd("view", code=2))
        self.assertIn("There is no file 'none'. To open a timeline of a running daemon, run: debugd open none",
                      self.debugd("view", "none", code=1))
        for path in "none.timeline", "/none", "./none", "none.json":
            self.assertEqual(self.debugd("view", path, code=1), f"debugd: There is no file '{path}'.\n")
        (self.folder / "text").write_text("hello")
        self.assertIn("debugd: ", self.debugd("view", "text", code=1))
        self.debugd("view", "bug.timeline", "bug.timeline", code=1)
        self.leaves_nothing()


if __name__ == "__main__":
    unittest.main()
