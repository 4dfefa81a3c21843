"""debugd bisect, and verify --bisect with git itself, on a repository that the test makes."""

import os
import re
import shutil
import signal
import subprocess
import unittest

from bisecting import BROKEN, BUG, BUILDS, Bisecting, HOST, Repository, UNDECODABLE, has_ended
from daemon import BUILD, Daemon


class Bisect(Bisecting):
    def test_finds_the_seventh_of_twelve_commits(self):
        before = self.repository.git("status", "--porcelain", "--branch")
        found = self.lines(self.run_it(words=["--json"]))
        commits = self.repository.commits
        self.assertEqual(found[-1]["first"], commits[BUG])
        self.assertEqual(found[-1]["seq"], 5)
        self.assertEqual(
            found[-1]["lines"],
            ["~ /state/tea  1 → 0", "~ /outputs/isEmpty  false → true"])
        tested = {one["commit"]: one["outcome"] for one in found[:-1]}
        for commit, outcome in tested.items():
            number = commits.index(commit)
            wanted = ("untestable" if number in (BROKEN, UNDECODABLE)
                      else "differs" if number >= BUG else "same")
            self.assertEqual(outcome, wanted, f"commit {number + 1}")
        # Both ends, and a logarithm of what is between them.
        self.assertLessEqual(len(tested), 2 + 4 + 2)
        self.assertEqual(self.repository.git("status", "--porcelain", "--branch"), before)

    def test_says_in_words_what_it_found_and_what_to_do_next(self):
        text = self.run_it().stdout
        commit = self.repository.git("rev-parse", "--short", self.repository.commits[BUG])
        self.assertIn(f"The first commit that behaves differently: {commit} Change 7\n", text)
        self.assertIn("  by someone@example.org, ", text)
        self.assertIn("  first difference at entry 5:\n    ~ /state/tea  1 → 0\n", text)
        self.assertIn(f"To see what it changed, run: git show {commit}\n", text)
        self.assertRegex(text, r"same +\w+ Change 1\n")
        self.assertRegex(text, r"differs +\w+ Change 12\n  at entry 5\n")
        self.assertRegex(text, r"\(about 2 steps left\)")
        # Which commits git skips to depends on their hashes, and so do the later numbers.
        self.assertRegex(text, r"\((about 1 step left|last step)\)")

    def test_skips_commits_that_do_not_build_or_decode(self):
        commits = self.repository.commits
        done = self.run_it(first=commits[BROKEN - 1], last=commits[BROKEN + 1], check=False)
        self.assertEqual(done.returncode, 1)
        self.assertIn("Both ends of the range do what was recorded", done.stderr)
        self.assertIn("To fix, end with a later commit, which behaves differently.", done.stderr)
        done = self.run_it(first=commits[BUG], last=commits[BUG + 1], check=False)
        self.assertIn("Both ends of the range differ from the recording at the same entry, in the same "
                      "way, so no commit between them is to blame. To fix, begin with an earlier commit.",
                      done.stderr)
        # The range begins and ends beside what cannot be tested, so that both are tried.
        done = self.run_it(first=commits[BUG - 1], last=commits[UNDECODABLE + 1], words=["--json"])
        tested = {one.get("commit"): one for one in self.lines(done)}
        self.assertEqual(self.lines(done)[-1]["first"], commits[BUG])
        done = self.run_it(first=commits[BROKEN], check=False)
        self.assertEqual(done.returncode, 1)
        self.assertIn("cannot be tested: It does not build. The build says: SyntaxError", done.stderr)
        self.assertIn("To fix, name another commit that builds and runs the recording.", done.stderr)
        done = self.run_it(last=commits[UNDECODABLE], check=False)
        self.assertIn("cannot be tested: The event or state can no longer be decoded.", done.stderr)
        self.assertNotIn(commits[BROKEN], tested)

    def test_lists_the_commits_among_which_it_cannot_decide(self):
        # The commit with the bug cannot be tested either.
        repository = Repository.__new__(Repository)
        repository.folder = self.folder / "other"
        repository.folder.mkdir()
        repository.git("init", "--quiet")
        self.repository = repository
        repository.commits = [
            repository.commit(number) for number in (0, BROKEN, UNDECODABLE, BUG, BUG + 1)]
        done = self.run_it(check=False)
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn("is one of these, but not all can be tested:", done.stdout)
        listed = done.stdout.split("can be tested:\n")[1].splitlines()
        self.assertEqual(sorted(line.split()[-1] for line in listed), ["5", "7", "9"])

    def test_finds_the_commit_that_began_to_do_what_was_recorded(self):
        # Recorded with the bug.
        commits = self.repository.commits
        self.repository.git("checkout", "--quiet", commits[-1])
        subprocess.run([self.repository.folder / "app", self.file], check=True)
        text = self.run_it().stdout
        self.assertIn("The first commit that does what was recorded:", text)
        self.assertIn(" Change 7\n", text)

    def test_continues_after_an_interruption_and_repeats_nothing(self):
        first = self.lines(self.run_it(words=["--json"]))
        count = len((self.tree / "builds").read_text().split())
        again = self.lines(self.run_it(words=["--json"]))
        self.assertEqual([one.get("first") for one in again], [one.get("first") for one in first])
        known = {one["known"] for one in again[:-1] if one["outcome"] != "untestable"}
        self.assertEqual(known, {True})
        # Only what could not be tested is built again, in the same tree.
        untestable = [one for one in again if one["outcome"] == "untestable"]
        built = [one for one in untestable if one["commit"] != self.repository.commits[BROKEN]]
        self.assertEqual(len((self.tree / "builds").read_text().split()), count + len(built))
        # The same from another folder.
        commits = self.repository.commits
        elsewhere = subprocess.run(
            self.command(self.file, commits[0], commits[-1], "--json", "--repository",
                         self.repository.folder),
            cwd=self.folder, text=True, capture_output=True, timeout=300, check=True,
            env=self.environment())
        known = {one["known"] for one in self.lines(elsewhere)[:-1]
                 if one["outcome"] != "untestable"}
        self.assertEqual(known, {True})
        # Another host, another build, or another recording is another question.
        other = self.lines(self.run_it(words=["--json", "--to", "7"]))
        self.assertEqual({one["known"] for one in other[:-1]}, {False})

    def test_an_interruption_ends_the_build_and_the_next_run_goes_on(self):
        fifo = self.folder / "fifo"
        os.mkfifo(fifo)
        words = self.command(self.file, self.repository.commits[0], self.repository.commits[-1])
        # A build that names its process, never ends, and survives the first signal.
        words[words.index(BUILDS)] = (
            f"trap 'trap - TERM; sleep 100000' TERM; echo $$ > {fifo}; sleep 100000")
        running = subprocess.Popen(
            words, cwd=self.repository.folder, text=True, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, env=self.environment())
        build = int(fifo.read_text())
        running.send_signal(signal.SIGINT)
        _, errors = running.communicate(timeout=120)
        self.assertEqual(running.returncode, 1)
        self.assertIn("Interrupted.", errors)
        self.assertTrue(has_ended(build))
        self.assertEqual(
            self.lines(self.run_it(words=["--json"]))[-1]["first"], self.repository.commits[BUG])

    def test_two_runs_in_one_repository_do_not_build_in_the_same_folder(self):
        fifo = self.folder / "fifo"
        os.mkfifo(fifo)
        words = self.command(self.file, self.repository.commits[0], self.repository.commits[-1])
        words[words.index(BUILDS)] = f"echo . > {fifo}; sleep 100000"
        running = subprocess.Popen(
            words, cwd=self.repository.folder, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, env=self.environment())
        try:
            fifo.read_text()
            done = self.run_it(check=False)
            self.assertEqual(done.returncode, 1)
            self.assertIn("Another bisect runs in this repository", done.stderr)
            self.assertIn("To fix, wait until it ends.", done.stderr)
        finally:
            running.terminate()
            running.wait()
        self.run_it()

    def test_a_timeline_of_the_daemon_is_as_good_as_a_file(self):
        with Daemon() as daemon:
            daemon.run("import", self.file)
            done = self.run_it(
                "vending", words=["--json", "--data", str(daemon.data)])
            self.assertEqual(self.lines(done)[-1]["first"], self.repository.commits[BUG])

    def test_git_runs_verify(self):
        """The oracle is git's own search."""
        commits = self.repository.commits
        # The commit in the middle does not build.
        self.repository.git("bisect", "start", commits[BUG], commits[BROKEN - 2])
        verify = f"{BUILDS} || exit 125; {BUILD}/debugd verify --bisect {self.file} --host ./app"
        self.repository.git("bisect", "run", "sh", "-c", verify)
        self.assertEqual(self.repository.git("rev-parse", "refs/bisect/bad"), commits[BUG])
        skipped = self.repository.git("bisect", "log")
        self.assertIn(f"git bisect skip {commits[BROKEN]}", skipped)

    def test_verify_exits_as_git_expects(self):
        def code(source, *words):
            app = self.folder / "app"
            app.write_text(source)
            app.chmod(0o755)
            return subprocess.run(
                [BUILD / "debugd", "verify", "--bisect", self.file, "--host", app, *words],
                capture_output=True, timeout=120).returncode

        good = HOST.read_text()
        self.assertEqual(code(good), 0)
        self.assertEqual(code(good.replace('state["tea"] -= 1 ', 'state["tea"] -= 2 ')), 1)
        self.assertEqual(code(good.replace('state["tea"] -= 1 ', 'raise ValueError ')), 1)
        self.assertEqual(code(good.replace('event == "refund"', 'event == "other"')), 125)
        self.assertEqual(code(good.replace('"vending()"', '"other()"')), 125)
        self.assertEqual(code("#!/bin/sh\n"), 125)
        # What git takes for neither a good nor a bad commit.
        self.assertEqual(code(good, "--to", "x"), 129)
        self.assertEqual(code(good, "--hots", "x"), 129)

    def test_the_users_worktrees_stay_known_and_a_deleted_cache_is_made_again(self):
        # As on a disk that is not attached.
        place = self.folder / "mine"
        self.repository.git("worktree", "add", "--detach", place)
        place.rename(self.folder / "elsewhere")
        first = self.lines(self.run_it(words=["--json"]))[-1]["first"]
        shutil.rmtree(self.caches)
        again = self.lines(self.run_it(words=["--json"]))[-1]["first"]
        self.assertEqual((first, again), (self.repository.commits[BUG],) * 2)
        self.assertIn(str(place), self.repository.git("worktree", "list", "--porcelain"))

    def test_git_stops_at_a_mistake_in_the_command(self):
        commits = self.repository.commits
        self.repository.git("bisect", "start", commits[BUG], commits[0])
        run = subprocess.run(
            ["git", "bisect", "run", BUILD / "debugd", "verify", "--bisect", self.file, "--hots", "x"],
            cwd=self.repository.folder, capture_output=True, text=True, timeout=120,
            env=self.environment())
        self.assertNotEqual(run.returncode, 0, run)
        log = self.repository.git("bisect", "log").splitlines()
        self.assertEqual([line for line in log if line.startswith("git bisect bad")], [])

    def test_git_stops_where_no_commit_can_be_tested(self):
        commits = self.repository.commits
        for missing in "none.timeline", "./none", f"{self.folder}/none":
            self.repository.git("bisect", "start", commits[BUG], commits[0])
            ran = subprocess.run(
                ["git", "bisect", "run", BUILD / "debugd", "verify", "--bisect", missing, "--host",
                 "./app"], cwd=self.repository.folder, capture_output=True, text=True, timeout=300)
            # git names the status with which it gives up.
            self.assertIn("129", ran.stdout + ran.stderr)
            self.assertIn(f"There is no file '{missing}'.", ran.stdout + ran.stderr)
            self.assertNotIn("skip", self.repository.git("bisect", "log"))
            self.repository.git("bisect", "reset")

    def test_mistakes_have_answers(self):
        commits = self.repository.commits
        cases = [
            ((self.file, "HEAD"), 2, "bisect takes two commits with two periods between them"),
            ((self.file, "HEAD...main"), 2, "bisect takes two commits with two periods"),
            ((self.file, "v1", "main"), 2,
             "bisect takes both commits as one argument. To fix, write v1..main."),
            ((self.file, "nothing..main"), 1, "git knows no commit 'nothing'."),
            ((self.file, "--output=x..main"), 2, ""),
            ((self.file, "main..main"), 2, "has no commits"),
            ((self.file, f"{commits[3]}..{commits[1]}"), 2, "has no commits"),
            ((self.folder / "none.timeline", "HEAD~1..HEAD"), 1, "There is no file"),
            ((self.file,), 2, "bisect needs GOOD..BAD"),
        ]
        for words, code, sentence in cases:
            with self.subTest(sentence):
                done = subprocess.run(
                    [BUILD / "debugd", "bisect", *words, "--host", "./app"], text=True,
                    cwd=self.repository.folder, capture_output=True, timeout=120,
                    env=self.environment())
                self.assertEqual(done.returncode, code, done.stderr)
                self.assertIn(sentence, done.stderr)
        done = subprocess.run(
            [BUILD / "debugd", "bisect", self.file, "HEAD~1..HEAD", "--host", "./app"], text=True,
            cwd=self.folder, capture_output=True, timeout=120, env=self.environment())
        self.assertIn("is not in a git repository. To fix, name the repository of your app: "
                      "--repository FOLDER", done.stderr)
        done = subprocess.run(
            [BUILD / "debugd", "bisect", self.file, "HEAD~1..HEAD"], text=True,
            cwd=self.repository.folder, capture_output=True, timeout=120, env=self.environment())
        self.assertIn("--host .build/debug/App", done.stderr)
        done = subprocess.run(
            [BUILD / "debugd", "bisect", self.file, "HEAD~1..HEAD", "--host", HOST], text=True,
            cwd=self.repository.folder, capture_output=True, timeout=120, env=self.environment())
        self.assertEqual(done.returncode, 2)
        self.assertIn("is the same program for every commit. To fix, name the one that each commit "
                      "has, as its path in the repository: --host .build/debug/App", done.stderr)

    def test_a_program_that_no_build_makes_is_explained_once(self):
        commits = self.repository.commits

        def said(*words):
            done = subprocess.run(
                [BUILD / "debugd", "bisect", self.file, f"{commits[0]}..{commits[-1]}", *words],
                text=True, cwd=self.repository.folder, capture_output=True, timeout=120,
                env=self.environment())
            self.assertEqual(done.returncode, 1)
            return done.stdout + done.stderr

        text = said("--host", ".build/debug/App")
        self.assertIn("because nothing builds the commit. To fix, add the command that does: --build "
                      "'swift build'\n", text)
        self.assertEqual(text.count("/.build/debug/App"), 1, text)
        self.assertEqual(text.count("To fix"), 1, text)
        # Nothing is tried at the other end.
        self.assertEqual(text.count("untestable"), 1, text)
        self.assertIn("/tree/tools/replay.py. To fix, name a script that each of the commits has, as its "
                      "path in the repository: --host scripts/host.py\n",
                      said("--host", "tools/replay.py"))
        text = said("--host", ".build/debug/App", "--build", "true")
        self.assertIn("/tree/.build/debug/App. To fix, name the program that it makes, as its path in "
                      "the worktree: --host .build/debug/App\n", text)
        self.assertIn("The build says nothing, and exits with 7.", said("--host", "x", "--build", "exit 7"))

    def test_a_system_without_git_home_or_place_gets_an_answer(self):
        tools = self.folder / "tools"
        tools.mkdir()
        done = self.run_it(check=False, PATH=str(tools))
        self.assertIn("git is not installed. To fix, install it, for example: apt install git",
                      done.stderr)
        done = self.run_it(check=False, HOME="", XDG_CACHE_HOME="")
        self.assertIn("To fix, set XDG_CACHE_HOME to a folder.", done.stderr)
        self.run_it()
        # Something else lies where the worktree should be.
        tree = self.tree
        shutil.rmtree(tree)
        tree.write_text("")
        done = self.run_it(check=False, words=["--to", "9"])
        folder, words = re.search(r"git -C ('.*?') (.*)", done.stderr).groups()
        self.assertIn(f"git failed. To see why, run: git -C {folder} {words}", done.stderr)
        again = subprocess.run(
            f"git -C {folder} {words}", shell=True, capture_output=True, text=True, check=False)
        self.assertIn("already exists", again.stderr)


if __name__ == "__main__":
    unittest.main()
