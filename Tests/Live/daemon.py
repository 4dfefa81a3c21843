"""A debugd with its own data directory that a test starts, stops, and kills."""

import http.client
import json
import os
import pathlib
import shlex
import shutil
import signal
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("LIVE_BUILD", ROOT / ".build" / "debug"))


class Daemon:
    """debugd on port 0 with an empty data directory; `with Daemon() as daemon` ends it."""

    def __init__(self, data=None, options=(), environment=None, listen="127.0.0.1:0"):
        self.owned = data is None
        # Short: the path of a Unix socket has at most 107 bytes.
        self.data = pathlib.Path(data or tempfile.mkdtemp(prefix="dbg"))
        self.options = list(options)
        self.listen = listen
        self.environment = {
            key: value
            for key, value in os.environ.items()
            if not key.startswith("DEBUGD") and key not in ("XDG_RUNTIME_DIR", "STATE_DIRECTORY")
        }
        self.environment.update(environment or {})
        self.process = None
        self.log = self.data.parent / (self.data.name + ".log")

    @property
    def socket(self):
        return self.data / "run" / "recorder.sock"

    def start(self, wait=True):
        """Starts it, and waits until it logs that it listens."""
        with open(self.log, "ab") as log:
            self.offset = self.log.stat().st_size
            self.process = subprocess.Popen(
                [BUILD / "debugd", "serve", "--data", self.data, "--listen", self.listen]
                + self.options,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env=self.environment,
            )
        if wait:
            self.wait()
        return self

    def wait(self, seconds=60):
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            for line in self.lines():
                if line.get("event") == "listening" and "http" in line.get("address", ""):
                    self.address = line["address"]
                    return
            if self.process.poll() is not None:
                break
            time.sleep(0.01)
        raise AssertionError(f"debugd did not begin to listen:\n{self.text()}")

    def reload(self):
        """Has it reload its configuration; returns what it logs about that."""
        count = len(self.lines())
        self.process.send_signal(signal.SIGHUP)
        while True:
            for line in self.lines()[count:]:
                if line.get("event", "").startswith("reload"):
                    return line
            if self.process.poll() is not None:
                raise AssertionError(f"debugd ended:\n{self.text()}")

    def status(self, host):
        """The status of a request for the page under another host name."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        connection.request("GET", "/", headers={"Host": f"{host}:{self.port}"})
        status = connection.getresponse().status
        connection.close()
        return status

    def lines(self):
        """The lines logged since it was started. They are JSON, because it logs to a file."""
        result = []
        for line in self.text().splitlines():
            try:
                result.append(json.loads(line))
            except ValueError:
                result.append({"message": line})
        return result

    def text(self):
        with open(self.log, "rb") as log:
            log.seek(self.offset)
            return log.read().decode("utf-8", "replace")

    @property
    def port(self):
        return int(self.address.rstrip("/").rsplit(":", 1)[1])

    def kill(self):
        """Kills it with a signal that no process can handle."""
        self.process.kill()
        self.process.wait()

    def stop(self, seconds=60):
        """Shuts it down; returns the exit code."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(seconds)

    def run(self, *words, check=True, input=None, timeout=60):
        """Runs a command on the same data directory."""
        result = subprocess.run(
            [BUILD / "debugd", *map(str, words), "--data", str(self.data)],
            capture_output=True,
            text=True,
            env=self.environment,
            input=input,
            timeout=timeout,
        )
        if check and result.returncode != 0:
            raise AssertionError(f"debugd {words} ended with {result.returncode}: {result.stderr}")
        return result

    def advised(self, command, timeout=60):
        """Runs a command that a message suggested, exactly as printed."""
        words = shlex.split(command)
        if words[0] != "debugd":
            raise AssertionError(f"not a command of debugd: {command}")
        return subprocess.run(
            [BUILD / "debugd", *words[1:]], capture_output=True, text=True, env=self.environment,
            stdin=subprocess.DEVNULL, timeout=timeout)

    def json(self, *words):
        """The JSON that a command prints."""
        return json.loads(self.run(*words, "--json").stdout)

    def __enter__(self):
        return self.start()

    def __exit__(self, *_):
        if self.process and self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        if self.owned:
            shutil.rmtree(self.data, ignore_errors=True)
            self.log.unlink(missing_ok=True)
