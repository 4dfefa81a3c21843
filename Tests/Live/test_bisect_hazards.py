"""debugd bisect after a crash, and with builds that misbehave."""

import contextlib
import os
import shutil
import signal
import subprocess
import unittest

from bisecting import BUG, BUILDS, Bisecting, has_ended
from daemon import Daemon


class Hazards(Bisecting):
    def test_goes_on_after_git_was_killed_while_it_made_the_worktree(self):
        self.run_it()
        [worktree] = (self.repository.folder / ".git" / "worktrees").iterdir()
        # What a power failure leaves: git locks a worktree until it is complete.
        (worktree / "locked").write_text("initializing")
        shutil.rmtree(self.tree)
        shutil.rmtree(self.caches)
        self.run_it()

    def test_does_not_wait_for_what_a_build_leaves_running(self):
        left = self.folder / "left"
        build = f"{BUILDS} && (sleep 3600 & echo $! >> {left})"
        try:
            done = self.run_it(first="HEAD~2", last="HEAD", build=build, check=False)
        finally:
            processes = left.read_text().split()
            for process in processes:
                os.kill(int(process), signal.SIGKILL)
        self.assertEqual(len(processes), 2)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn("Both ends of the range differ from the recording", done.stderr)
        for end in ("Change 10", "Change 12"):
            self.assertRegex(done.stdout, rf"differs +\w+ {end}\n")

    def interrupted(self, build=BUILDS, **environment):
        """Interrupts a run once its program has named its process; returns the process."""
        fifo = self.folder / "fifo"
        os.mkfifo(fifo)
        commits = self.repository.commits
        running = subprocess.Popen(
            self.command(self.file, commits[0], commits[-1], build=build), text=True,
            cwd=self.repository.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env=self.environment(FIFO=str(fifo), **environment))
        process = int(fifo.read_text())
        running.send_signal(signal.SIGINT)
        _, errors = running.communicate(timeout=300)
        self.assertIn("Interrupted.", errors)
        self.assertTrue(has_ended(process))

    def test_an_interruption_ends_a_build_that_ignores_requests_to_end(self):
        self.interrupted('trap "" TERM INT; echo $$ > "$FIFO"; while :; do sleep 1; done')

    def test_an_interruption_ends_git(self):
        folder = self.folder / "bin"
        folder.mkdir()
        real = shutil.which("git")
        git = folder / "git"
        git.write_text(f"""#!/bin/sh
case "$*" in
*worktree*) echo $$ > "$FIFO"; sleep 100000 ;;
*) exec {real} "$@" ;;
esac
""")
        git.chmod(0o755)
        self.interrupted(PATH=f"{folder}:{os.environ['PATH']}")

    def test_many_open_files_do_not_hinder_a_build(self):
        # The shell of Debian knows no redirection of a number with two digits.
        files = [os.open("/dev/null", os.O_RDONLY) for _ in range(12)]
        try:
            commits = self.repository.commits
            done = subprocess.run(
                self.command(self.file, commits[0], commits[-1], "--json"), text=True,
                cwd=self.repository.folder, capture_output=True, timeout=300,
                env=self.environment(), pass_fds=files)
        finally:
            for file in files:
                os.close(file)
        self.assertEqual(self.lines(done)[-1]["first"], commits[BUG])

    def test_a_long_output_of_a_build_is_neither_read_nor_shown_whole(self):
        build = "printf error; head -c 50000000 /dev/zero | tr '\\0' e; exit 1"
        done = self.run_it(build=build, check=False)
        self.assertIn("The build says: eeee", done.stdout + done.stderr)
        self.assertLess(len(done.stdout + done.stderr), 5_000)

    def end(self, group):
        # The system may have ended it, as a stopped group whose parent is gone.
        with contextlib.suppress(ProcessLookupError):
            os.killpg(group, signal.SIGKILL)

    def test_a_second_interruption_leaves_no_copy_of_the_daemons_recording(self):
        fifo, temporary = self.folder / "fifo", self.folder / "temporary"
        os.mkfifo(fifo)
        temporary.mkdir()
        build = (f"trap 'echo stopping > {fifo}' TERM; echo $$ > {fifo}; "
                 "while :; do sleep 0.1; done")
        environment = self.environment(TMPDIR=str(temporary))
        environment.pop("XDG_RUNTIME_DIR", None)
        with Daemon() as daemon:
            daemon.run("import", self.file)
            commits = self.repository.commits
            words = self.command(
                "vending", commits[0], commits[-1], "--data", str(daemon.data), build=build)
            running = subprocess.Popen(
                words, cwd=self.repository.folder, stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL, env=environment)
            self.addCleanup(running.wait)
            self.addCleanup(running.kill)
            group = int(fifo.read_text())
            self.addCleanup(self.end, group)
            self.assertEqual(len(list(temporary.glob("debugd-*"))), 1)
            running.send_signal(signal.SIGINT)
            self.assertIn("stopping\n", fifo.read_text())
            running.send_signal(signal.SIGINT)
            # On a busy machine, the first signal may have ended it before the second.
            self.assertIn(running.wait(120), (-signal.SIGINT, 1))
        self.assertEqual(list(temporary.glob("debugd-*")), [])


if __name__ == "__main__":
    unittest.main()
