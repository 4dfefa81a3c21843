"""An app that records: RecorderProbe with one of its scenes, and the lines it prints."""

import json
import os
import pathlib
import signal
import subprocess
import tempfile
import threading
import queue

from daemon import BUILD


class Probe:
    """A scene of RecorderProbe as a process; `with Probe(...) as probe` ends it."""

    def __init__(self, scene, *arguments, debugd=None, **environment):
        own = {
            key: value
            for key, value in os.environ.items()
            if not key.startswith("DEBUGD") and key not in ("XDG_RUNTIME_DIR", "STATE_DIRECTORY")
        }
        if debugd is not None:
            own["DEBUGD"] = debugd
        own.update({key: str(value) for key, value in environment.items()})
        self.process = subprocess.Popen(
            [BUILD / "RecorderProbe", scene, *map(str, arguments)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env=own,
        )
        self.said = []
        self.complaints = []
        self.lines = queue.Queue()
        self.readers = [
            threading.Thread(target=self.read, args=(self.process.stdout, self.lines.put)),
            threading.Thread(target=self.read, args=(self.process.stderr, self.complaints.append)),
        ]
        for reader in self.readers:
            reader.start()

    @staticmethod
    def read(pipe, receive):
        for line in pipe:
            receive(line.rstrip("\n"))
        receive(None)

    def line(self, beginning, seconds=60):
        """The next line with this beginning, without the beginning, as words."""
        while True:
            try:
                line = self.lines.get(timeout=seconds)
            except queue.Empty:
                raise AssertionError(f"the app did not print '{beginning}', but {self.said}")
            if line is None:
                self.process.wait()
                raise AssertionError(
                    f"the app ended with {self.process.returncode} before it printed '{beginning}': "
                    f"{self.said} {self.complaints}"
                )
            self.said.append(line)
            if line.startswith(beginning):
                return line[len(beginning):].split()

    def end(self, seconds=60):
        """Closes its input and waits for it; returns the exit code."""
        self.process.stdin.close()
        return self.process.wait(seconds)

    def words(self):
        """What it printed on standard error, once it has ended."""
        self.process.wait(60)
        for reader in self.readers:
            reader.join()
        return "\n".join(line for line in self.complaints if line is not None)

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        for reader in self.readers:
            reader.join()
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            pipe.close()


class Truth:
    """The file to which the app writes the values of its machines after every step."""

    def __init__(self):
        file, path = tempfile.mkstemp(prefix="truth")
        os.close(file)
        self.path = pathlib.Path(path)

    def moments(self):
        """The states and outputs of each machine in order, by name."""
        result = {}
        with open(self.path, encoding="utf-8") as lines:
            for line in lines:
                moment = json.loads(line)
                result.setdefault(moment["machine"], []).append(
                    {"state": moment["state"], "outputs": moment["outputs"]}
                )
        return result

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.path.unlink(missing_ok=True)
