"""docs/troubleshooting.md quotes messages as they are printed. Each test here provokes some of them."""

import ast
import base64
import http.client
import os
import pathlib
import re
import shutil
import socket
import sqlite3
import subprocess
import tempfile
import time
import unittest

from daemon import BUILD, ROOT, Daemon
from peers import Inspector, Refused
from probe import Probe
from provoked_elsewhere import ELSEWHERE

EXAMPLES = pathlib.Path(os.environ["EXAMPLES_BUILD"])


def quoted():
    """The messages that the page quotes, as patterns: … matches anything on one line."""
    page = (ROOT / "docs" / "troubleshooting.md").read_text("utf-8")
    rows = [line.split(" | ")[0] for line in page.splitlines() if line.startswith("| ")]
    found = [text for row in rows for text in re.findall(r"`([^`]+)`", row)]
    return {text: re.compile(".+?".join(map(re.escape, text.strip("… ").split("…")))) for text in found}


QUOTED = quoted()

# Printed by the compiler where a package is missing that every test machine has.
FOREIGN = {"fatal error: 'libwebsockets.h' file not found"}
# Quoted on the page, but not a message.
NOT_MESSAGES = {"debugd list", "… or newer"}


TROUBLED = """\
{"timeline":"6f1c9a52-0b7e-4d38-9c41-2e5a7b90d1f3","app":{"name":"probe"},"machine":{"type":"RecorderProbe.Troubled","name":"troubled","kind":"states","make":"RecorderProbe.Troubled.self"},"started":"2026-03-01T09:30:00Z","format":1}
{"seq":0,"t":0,"state":{"total":0,"notes":[]},"outputState":{"isEven":true}}
"""


class Errors(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="err"))
        self.addCleanup(shutil.rmtree, self.folder)
        self.daemon = Daemon(options=["--web", str(ROOT / "web")]).start()
        self.addCleanup(self.daemon.__exit__, None, None, None)
        ran = self.app("Elsewhere")
        self.assertEqual(ran.returncode, 0, ran.stderr)

    def environment(self, **more):
        mine = {key: value for key, value in self.daemon.environment.items()}
        return {**mine, "DEBUGD_DATA": str(self.daemon.data), "HOME": str(self.folder), **more}

    def app(self, name, **environment):
        environment = {"DEBUGD": f"unix:{self.daemon.socket}", **environment}
        return subprocess.run(
            [EXAMPLES / name], capture_output=True, text=True, timeout=60,
            stdin=subprocess.DEVNULL, env=self.environment(**environment))

    def error_of(self, *words, **environment):
        """What debugd prints on standard error when a command fails."""
        ran = subprocess.run(
            [BUILD / "debugd", *map(str, words)], capture_output=True, text=True, timeout=60,
            stdin=subprocess.DEVNULL, env=self.environment(**environment), cwd=self.folder)
        self.assertNotEqual(ran.returncode, 0, f"{words} went well: {ran.stdout}")
        return ran.stderr

    def assertOnPage(self, sentence, said):
        """Checks that the page quotes the message, and that it was printed."""
        self.assertIn(sentence, QUOTED)
        self.assertRegex(said, QUOTED[sentence])

    def test_every_quoted_message_is_provoked_here_or_elsewhere(self):
        tree = ast.parse(pathlib.Path(__file__).read_text("utf-8"))
        made = {
            call.args[0].value for call in ast.walk(tree)
            if isinstance(call, ast.Call) and getattr(call.func, "attr", "") == "assertOnPage"
            and isinstance(call.args[0], ast.Constant)}
        self.assertEqual(set(QUOTED) - NOT_MESSAGES - FOREIGN - set(ELSEWHERE), made)
        for sentence, (file, words) in ELSEWHERE.items():
            self.assertIn(sentence, QUOTED)
            self.assertIn(words, sentence)
            self.assertIn(words, (ROOT / file).read_text("utf-8"))

    def test_starting(self):
        # What scripts/run prints when the daemon does not start.
        home = self.folder / "home"
        home.mkdir()
        ran = subprocess.run(
            [ROOT / "scripts" / "run"], capture_output=True, text=True, timeout=300,
            stdin=subprocess.DEVNULL,
            env=self.environment(HOME=str(home), DEBUGD_DATA=str(self.daemon.data)))
        self.assertEqual(ran.returncode, 1)
        self.assertOnPage("debugd did not start, see above.", ran.stderr)
        other = ["serve", "--data", self.folder / "other"]
        message = self.error_of(*other, "--listen", f"127.0.0.1:{self.daemon.port}")
        self.assertOnPage("… is in use by another program.", message)
        self.assertOnPage("To fix, stop that program, or listen on a free port: --listen …", message)
        self.assertOnPage(
            "The data in … is held by process … since …. To fix, use that daemon, or stop it first.",
            self.error_of("serve", "--data", self.daemon.data, "--listen", "127.0.0.1:0"))
        self.assertOnPage(
            "Other machines would reach … without TLS. To fix, give --certificate and --key. Only in a "
            "network where everyone may read the recordings, use --insecure.", self.error_of(*other, "--listen", "0.0.0.0:0"))
        self.assertOnPage("the folder … cannot be read: …", self.error_of(
            *other, "--listen", "127.0.0.1:0", "--web", self.folder / "gone"))
        self.assertOnPage("debugd has no command ….", self.error_of("lst"))
        self.daemon.stop()
        with sqlite3.connect(self.daemon.data / "timelines.sqlite") as database:
            database.execute("PRAGMA user_version = 9999")
        database.close()
        self.assertOnPage(
            "The data has format …; this build knows formats up to …. To fix, use a newer build, or "
            "another data directory.",
            self.error_of("serve", "--data", self.daemon.data, "--listen", "127.0.0.1:0"))

    def test_naming(self):
        self.assertOnPage("No timeline is called ….", self.error_of("show", "unknown"))
        self.assertOnPage("That is not a predicate: …", self.error_of("find", "basket", "x =="))
        self.assertOnPage(
            "There is no recorded data in …, and no daemon is running there. To fix, …",
            self.error_of("list", DEBUGD_DATA=str(self.folder / "none")))
        self.run_debugd("export", "basket", "-o", "b.timeline")
        head, *entries = (self.folder / "b.timeline").read_text().splitlines(keepends=True)
        head = head.replace('"name":"Elsewhere"', '"name":"Here"')
        head = re.sub(r'"timeline":"[0-9a-f]{8}', '"timeline":"00000000', head)
        (self.folder / "other.timeline").write_text("".join([head, *entries]))
        self.run_debugd("import", "other.timeline")
        self.assertOnPage("Several apps have a machine ….", self.error_of("show", "basket"))
        with Daemon() as empty:
            self.assertOnPage(
                "There are no timelines yet.",
                self.run_debugd("list", DEBUGD_DATA=str(empty.data)))

    def run_debugd(self, *words, **environment):
        """What debugd prints when a command succeeds."""
        ran = subprocess.run(
            [BUILD / "debugd", *map(str, words)], capture_output=True, text=True, timeout=60,
            stdin=subprocess.DEVNULL, env=self.environment(**environment), cwd=self.folder)
        self.assertEqual(ran.returncode, 0, f"{words}: {ran.stderr}")
        return ran.stdout + ran.stderr

    def get(self, daemon, path="/", **headers):
        """The status and body of a response to a browser."""
        connection = http.client.HTTPConnection("127.0.0.1", daemon.port, timeout=60)
        connection.request("GET", path, headers=headers)
        answer = connection.getresponse()
        text = answer.read().decode()
        connection.close()
        return answer.status, text

    def test_the_page(self):
        status, text = self.get(self.daemon, Host="elsewhere.example")
        self.assertEqual(status, 421)
        self.assertOnPage("Unknown host name.", text)
        key = base64.b64encode(bytes(16)).decode()
        status, text = self.get(self.daemon, "/", **{
            "Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Key": key,
            "Sec-WebSocket-Version": "13", "Sec-WebSocket-Protocol": "inspector.v1",
            "Origin": "https://elsewhere.example"})
        self.assertEqual(status, 403)
        self.assertOnPage("Origin not allowed.", text)
        opening = pathlib.Path(self.run_debugd("open", "--print").strip()).read_text("utf-8")
        code = re.search(r"#code=([\w.-]+)", opening)[1]
        address = f"ws://127.0.0.1:{self.daemon.port}/"
        Inspector(address=address, code=code).socket.close()
        with self.assertRaises(Refused) as refused:
            Inspector(address=address, code=code)
        self.assertOnPage(
            "The code was used or has expired. To get a new one, run: debugd open",
            str(refused.exception))
        # A copy of the binary alone, in another folder.
        (self.folder / "bin").mkdir()
        binary = shutil.copy(BUILD / "debugd", self.folder / "bin" / "debugd")
        log = open(self.folder / "log", "w+")
        alone = subprocess.Popen(
            [binary, "serve", "--data", self.folder / "alone", "--listen", "127.0.0.1:0"],
            cwd=self.folder, env=self.environment(), stdout=log, stderr=log)
        self.addCleanup(log.close)
        self.addCleanup(alone.wait)
        self.addCleanup(alone.terminate)
        while not (found := re.search(r"http://127.0.0.1:(\d+)", pathlib.Path(log.name).read_text())):
            self.assertIsNone(alone.poll(), "it ended")
        alone.port = int(found[1])
        page = self.get(alone)[1].replace("\n", " ")
        self.assertOnPage("debugd … is running, and has found no inspector page.", page)
        self.assertIn(
            "To fix, say where its files are: debugd serve --web FOLDER, or the variable DEBUGD_WEB. "
            "They are the folder 'web' of the source, or share/debugd/web next to the folder of the binary.", page)

    def test_opening(self):
        closed = Daemon(listen="").start(wait=False)
        self.addCleanup(closed.__exit__, None, None, None)
        # The file of the socket is there before it listens.
        while not any(line.get("event") == "listening" for line in closed.lines()):
            self.assertIsNone(closed.process.poll(), "it ended")
        self.assertOnPage(
            "The daemon listens on no port. To fix, start it with --listen 127.0.0.1:7357.",
            self.error_of("open", DEBUGD_DATA=str(closed.data)))
        self.daemon.stop()
        self.assertOnPage("No daemon answers at …. To fix, start one: …", self.error_of("open"))

    def test_recording(self):
        message = self.app("Coin", DEBUGD="daemon").stderr
        self.assertOnPage(
            "DEBUGD=… is invalid and ignored. To fix, set it to off, unix:/path, ws://host:port, "
            "wss://host:port, or file:/path.", message)
        self.assertOnPage(
            "DEBUGD_SOCKET=… is invalid and ignored. To fix, set it to the absolute path of the daemon's "
            "socket.", self.app("Coin", DEBUGD="", DEBUGD_SOCKET="d.sock").stderr)
        port = f"ws://127.0.0.1:{self.daemon.port}"
        self.assertOnPage(
            "Recording over a network needs a secret of at least 16 bytes, and this one has …. "
            "To fix, set DEBUGD_SECRET_FILE to the path of the daemon's secret.", self.app("Coin", DEBUGD=port).stderr)
        secret = self.folder / "secret"
        secret.write_text("0123456789abcdef")
        secret.chmod(0o644)
        self.assertOnPage(
            "Other users can read it. To fix, run: chmod 600 …",
            self.app("Coin", DEBUGD=port, DEBUGD_SECRET_FILE=str(secret)).stderr)
        secret.chmod(0o600)
        self.assertOnPage(
            "The process on that port does not know the secret. To fix, give the recorder the daemon's "
            "secret, or stop the other process.",
            self.last_error("refused", DEBUGD=port, DEBUGD_SECRET_FILE=secret))
        self.assertOnPage(
            "The certificate fingerprint … is invalid. To fix, pass the SHA-256 fingerprint: 64 hexadecimal digits.",
            self.last_error(DEBUGD=port.replace("ws:", "wss:"), DEBUGD_SECRET_FILE=secret,
                            DEBUGD_FINGERPRINT="12:34"))
        self.assertOnPage(
            "There is no socket at ….", self.last_error(DEBUGD=f"unix:{self.folder}/none.sock"))
        open_to_all = self.folder / "open"
        open_to_all.mkdir()
        open_to_all.chmod(0o777)
        os.link(self.daemon.socket, open_to_all / "recorder.sock")
        self.assertOnPage(
            "Other users can write to …, so the socket may not be yours.",
            self.last_error(DEBUGD=f"unix:{open_to_all}/recorder.sock"))

        if os.getuid() == 0:
            # Only root can change a file's owner.
            theirs = self.folder / "theirs.sock"
            with socket.socket(socket.AF_UNIX) as listening:
                listening.bind(str(theirs))
                os.chown(theirs, 65534, 65534)
                self.assertOnPage(
                    "The socket at … belongs to another user. To fix, record to the socket of your own daemon.",
                    self.last_error(DEBUGD=f"unix:{theirs}"))

    def last_error(self, *refused, **environment):
        """recorder.statistics.lastError when the app ends, or what the app printed."""
        seconds = 60 if refused else 1
        with Probe("truth", self.folder / "truth", 1, 5, 0, seconds, *refused, **environment) as probe:
            probe.line("stored", 120)
            probe.process.wait(60)
            for reader in probe.readers:
                reader.join()
            said = [line for line in [*probe.said, *probe.complaints] if line]
            while not probe.lines.empty():
                said.append(probe.lines.get() or "")
            return "\n".join(said)

    def test_changing(self):
        self.assertOnPage("No host can run … of the app ….", self.error_of("fork", "basket", "--drop", "1"))
        self.assertOnPage(
            "The timeline does not say how its machine is made. To fix, record it again with "
            "'madeBy:' and a Replayable type that makes the machine, or record a Reducible state.",
            self.error_of("fork", "total", "--drop", "1"))
        self.assertOnPage("A branch needs an edit, such as --drop SEQ or --cut SEQ.",
                          self.error_of("fork", "basket"))
        self.assertOnPage("No connected app writes the timeline ….", self.error_of("hold", "basket"))
        self.assertOnPage("There are no hosts.", self.error_of("hosts"))
        self.daemon.stop()
        self.assertOnPage("Only a running daemon can …. To fix, start it: …",
                          self.error_of("fork", "basket", "--drop", "1"))

    def test_driving(self):
        place = f"unix:{self.daemon.socket}"
        with Probe("control", "closed", 5, debugd=place) as probe:
            probe.line("ready")
            self.wait_for("clock")
            self.assertOnPage("The program did not opt in to control.", self.error_of("hold", "clock"))
        with Probe("control", "allowed", 5, debugd=place) as probe:
            probe.line("ready")
            self.wait_for("control  clock", "--live")
            with Inspector(path=self.daemon.data / "run" / "recorder.sock") as one:
                [clock] = [
                    summary["header"]["timeline"] for summary in one.ask("timelines")["timelines"]
                    if summary.get("live") and summary["header"]["machine"]["name"] == "clock"]
                one.ask("hold", timeline=clock, policy="queue")
                self.assertOnPage(
                    "The machine is held by …. To fix, take over control", self.error_of("hold", clock))
        gallery = subprocess.Popen(
            [EXAMPLES / "Gallery"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, env=self.environment(DEBUGD=place))
        self.addCleanup(gallery.wait)
        self.addCleanup(gallery.kill)
        self.wait_for("Gallery  basket", "--live")
        self.assertOnPage(
            "… can be inspected but not controlled: it is recorded with wrap, or by hand.", self.error_of("hold", "Gallery/basket"))

    def test_hosts(self):
        ran = subprocess.run(
            [BUILD / "RecorderProbe", "host"], capture_output=True, text=True, timeout=60,
            stdin=subprocess.DEVNULL)
        self.assertOnPage(
            "… cannot run in a host, because its state or its events are not Codable. To fix, "
            "make both Codable.", ran.stderr)
        self.assertOnPage("… cannot run in a host, because it does not make a machine.", ran.stderr)
        with Daemon(options=["--host", f"{BUILD / 'RecorderProbe'} host"]) as daemon:
            recording = self.folder / "troubled.timeline"
            recording.write_text(TROUBLED)
            where = {"DEBUGD_DATA": str(daemon.data)}
            self.run_debugd("import", recording, **where)
            message = self.error_of("fork", "troubled", "--append", '{"trapped":{}}', **where)
            self.assertOnPage("The branch ends at entry …, before all edits were applied: …", message)
            self.assertOnPage(
                "the reducer trapped on the next event. To fix, correct the reducer, rebuild the host, "
                "and run '…'; or leave that event out.", message)

    def wait_for(self, machine, *words):
        """Waits until the daemon has a machine's timeline."""
        deadline = time.monotonic() + 120
        while time.monotonic() < deadline:
            if machine in re.sub(" +", "  ", self.run_debugd("list", *words)):
                return
        self.fail(f"{machine} was not recorded")

    def test_proving(self):
        empty = self.folder / "empty"
        empty.mkdir()
        self.assertOnPage("The folder … has no .timeline file.",
                          self.error_of("verify", empty, "--host", EXAMPLES / "Elsewhere"))
        self.assertOnPage(
            "To verify files, name the program that runs their machines: --host .build/debug/App.",
            self.error_of("verify", ROOT / "docs" / "troubleshooting.md"))
        self.assertOnPage("minimize needs --until PREDICATE, the failure condition.",
                          self.error_of("minimize", "basket"))
        self.assertOnPage(
            "The recording of … does not say how the machine is made.",
            self.error_of("export", "total", "--as", "xctest", "-o", "x.swift"))
        self.assertOnPage("The file is not a timeline: …",
                          self.error_of("import", ROOT / "docs" / "troubleshooting.md"))
        exported = subprocess.run(
            [BUILD / "debugd", "export", "basket", "-o", "b.timeline"], cwd=self.folder,
            env=self.environment(), capture_output=True, text=True, timeout=60)
        self.assertEqual(exported.returncode, 0, exported.stderr)
        self.assertOnPage("… already exists. To replace it, add --force.",
                          self.error_of("export", "basket", "-o", "b.timeline"))
        message = self.error_of("verify", "b.timeline", "--host", "/bin/true")
        self.assertOnPage("The executable is not a host: it …", message)
        self.assertOnPage(
            "To fix, call ReducerHost.run(…) or ReducerHost.runIfAsked(…) first in its main.",
            message)
        self.assertOnPage(
            "The test needs a fixture, which is a second file. To fix, name a folder for both: --out FOLDER.",
            self.error_of("export", "basket", "--as", "json"))
        (self.folder / "reflected.timeline").write_text(
            TROUBLED.replace('"kind"', '"encoding":"reflected","kind"'))
        self.run_debugd("import", "reflected.timeline")
        self.assertOnPage(
            "… was recorded by reflection, so its events cannot be run again. To fix, make its types "
            "Codable.", self.error_of("export", "troubled", "--as", "xctest", "-o", "x.swift"))
        (self.folder / "textual.timeline").write_text(
            TROUBLED.replace('"kind"', '"encoding":"reflected","kind"').replace("6f1c9a52", "7a1c9a52")
            .replace(',"make":"RecorderProbe.Troubled.self"', "").replace('"troubled"', '"textual"'))
        self.run_debugd("import", "textual.timeline")
        self.assertOnPage(
            "The machine was recorded as text, so it can only be viewed: its states or events are not "
            "Codable, or the type in 'madeBy:' makes another machine. To fix, correct what the "
            "recorder logged at the start of the recording, and record it again.",
            self.error_of("fork", "textual", "--append", '{"trapped":{}}'))
        self.assertOnPage("The host could not be started: …",
                          self.error_of("verify", "b.timeline", "--host", "gone"))


if __name__ == "__main__":
    unittest.main()
