import json
import os
import shutil
import signal
import stat
import subprocess
import tempfile
import time
import unittest

SCRIPTS = os.path.realpath(os.path.join(os.path.dirname(__file__), ".."))
LISTENING = json.dumps(
    {"level": "info", "event": "listening", "address": "http://127.0.0.1:1/",
     "message": "The inspector is at http://127.0.0.1:1/."}, separators=(",", ":"))


class Run(unittest.TestCase):
    """scripts/run with a `swift` that builds nothing, and programs that a test supplies."""

    def setUp(self):
        self.root = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.root)
        shutil.copytree(SCRIPTS, os.path.join(self.root, "scripts"))
        needs = os.path.join(self.root, "scripts", "needs")
        for name in os.listdir(needs):
            with open(os.path.join(needs, name), "w", encoding="utf-8") as file:
                file.write("purpose=a\npackages=b\nprobe() { :; }\n")
        self.program("swift", 'case "$*" in *--version*) echo "Swift version 6.3";; '
                     f"*--show-bin-path*) echo {self.root};; esac")
        self.program("Gallery", "exec sleep 60")
        self.daemon(f"echo '{LISTENING}'; exec sleep 60")

    def program(self, name, body):
        path = os.path.join(self.root, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"#!{shutil.which('bash')}\n{body}\n")
        os.chmod(path, os.stat(path).st_mode | stat.S_IXUSR)

    def daemon(self, body):
        self.program("debugd", f'[ "$1" != --version ] || {{ echo "debugd 1"; exit; }}\n{body}')

    def start(self, *arguments):
        run = subprocess.Popen(
            [os.path.join(self.root, "scripts", "run"), *arguments], stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True,
            env={**os.environ, "PATH": self.root + os.pathsep + os.environ["PATH"]},
        )
        self.addCleanup(self.end, run)
        return run

    def end(self, run):
        try:
            os.killpg(run.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        run.wait()
        run.stdout.close()

    def finish(self, run):
        """Its output and status. No process that it started may be left."""
        output = run.communicate(timeout=60)[0]
        deadline = time.monotonic() + 60
        while True:
            try:
                os.killpg(run.pid, 0)
            except ProcessLookupError:
                return output, run.returncode
            self.assertLess(time.monotonic(), deadline, "something was left behind")

    def until(self, run, words):
        for line in run.stdout:
            if words in line:
                return
        self.fail(f"it never says '{words}'")

    def test_an_interruption_ends_everything(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            with self.subTest(signal=number):
                run = self.start()
                self.until(run, "The inspector is at http://127.0.0.1:1/")
                self.until(run, "Ctrl-C")
                run.send_signal(number)
                self.assertEqual(self.finish(run)[1], 0)

    def test_the_reason_why_a_daemon_does_not_start_is_shown(self):
        refusal = json.dumps({"level": "error", "message": "Another daemon (process 7) holds it."},
                             separators=(",", ":"))
        for words in (refusal, "debugd: Another daemon (process 7) holds it."):
            self.daemon(f"echo '{words}' >&2; exit 1")
            output, status = self.finish(self.start())
            self.assertEqual(status, 1)
            self.assertRegex(output, r"\n(debugd: )?Another daemon \(process 7\) holds it\.\n")
            self.assertIn("debugd did not start", output)

    def test_when_one_program_dies_the_other_is_stopped(self):
        self.program("Gallery", "echo it was an accident; exit 3")
        output, status = self.finish(self.start())
        self.assertEqual(status, 1)
        self.assertIn("it was an accident", output)
        self.assertIn("The gallery ended by itself, with status 3", output)
        self.program("Gallery", f"touch {self.root}/begun; exec sleep 60")
        self.daemon(f"echo '{LISTENING}'; until [ -e {self.root}/begun ]; do sleep 0.1; done; "
                    "sleep 1; exit 4")
        output, status = self.finish(self.start())
        self.assertEqual(status, 1)
        self.assertIn("debugd ended by itself, with status 4", output)

    def test_arguments_are_refused(self):
        output, status = self.finish(self.start("fast"))
        self.assertEqual(status, 1)
        self.assertIn("takes no argument 'fast'", output)
        self.assertEqual(self.finish(self.start("--help"))[1], 0)


if __name__ == "__main__":
    unittest.main()
