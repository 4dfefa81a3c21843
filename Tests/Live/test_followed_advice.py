"""The commands that messages of the daemon, the recorder, and `debugd mcp` advise are run, and help."""

import hashlib
import json
import pathlib
import re
import secrets
import socket
import ssl
import subprocess
import unittest

from advice import AdviceTest, advice
from agents import Agent
from daemon import BUILD, ROOT
from peers import Inspector, Peer, Refused, recorded
from ports import free_port
from probe import Probe, Truth
from websockets.sync.client import connect

VENDING = {
    "timeline": "0d9e3c52-6d1e-4c7a-9a57-1f2e3d4c5b6a", "app": {"name": "Vending"},
    "machine": {"type": "Vending", "name": "vending"}, "started": "2026-05-01T08:00:00Z", "format": 1,
}
HOST = ROOT / "Examples" / "host.py"


class SignIn(AdviceTest):
    def setUp(self):
        super().setUp()
        self.address = f"ws://127.0.0.1:{self.daemon.port}/"

    def code(self, command):
        """The code in the page that a command writes."""
        page = pathlib.Path(self.works(command + " --print").strip())
        return re.search(r'#code=([^"&]+)', page.read_text())[1]

    def sign_in(self, command):
        """A session with the code of a suggested command."""
        inspector = Inspector(address=self.address, code=self.code(command))
        self.addCleanup(inspector.close)
        return inspector

    def refused(self, action):
        """Why something is refused."""
        with self.assertRaises(Refused) as caught:
            action()
        return str(caught.exception)

    def hello(self, *messages):
        """The last reply to a first message and those after it."""
        with Peer(connect(self.address, subprotocols=["inspector.v1"])) as peer:
            for message in messages:
                peer.send({"type": "hello", "version": "1.0", **message})
                reply = peer.receive()
        return reply["message"]

    def test_signing_in(self):
        nonce = secrets.token_hex(16)
        command = advice(
            "Sign in with a code or a session. To get a code, run: debugd open", self.hello({}))
        code = self.code(command)
        Inspector(address=self.address, code=code).close()
        command = advice(
            "The code was used or has expired. To get a new one, run: debugd open",
            self.hello({"key": code.split(".")[0], "nonce": nonce}))
        session = self.sign_in(command)
        name = session.session.split(".")[0]
        command = advice(
            "The proof is wrong. To sign in again, run: debugd open",
            self.hello({"key": name, "nonce": nonce}, {"proof": "0" * 64}))
        self.assertIn("session", self.sign_in(command).welcome)
        command = advice(
            "Codes are issued only on the daemon's machine. To get one, run there: debugd open",
            self.refused(lambda: session.ask("invite")))
        self.assertIn("session", self.sign_in(command).welcome)
        session.ask("revoke", session=name)
        command = advice(
            "The session has ended. To open a new one, run: debugd open",
            self.hello({"key": name, "nonce": nonce}))
        self.assertEqual(self.sign_in(command).ask("timelines")["timelines"], [])

    def test_a_session_that_is_unknown(self):
        with Inspector(self.daemon.socket) as local:
            code = local.ask("invite")["code"]
            Inspector(address=self.address, code=code).close()
            command = advice(
                "There is no session s99. To see which there are, run: debugd status",
                self.refused(lambda: local.ask("revoke", session="s99")))
        self.assertIn("s1", self.works(command))

    def test_sessions_that_may_not(self):
        timeline = recorded(self.daemon).id
        with Inspector(self.daemon.socket) as local:
            codes = {word: local.ask("invite", capabilities=[word])["code"]
                     for word in ("look", "change")}
        look, change = (Inspector(address=self.address, code=codes[word])
                        for word in ("look", "change"))
        self.addCleanup(look.close)
        self.addCleanup(change.close)
        state = {"type": "state", "timeline": timeline, "seq": 1}
        command = advice(
            "cannot read recordings. To open one that can, run: debugd open",
            self.refused(lambda: change.ask(**state)))
        self.assertEqual(self.sign_in(command).ask(**state)["type"], "state")
        rename = {"type": "rename", "timeline": timeline, "name": "renamed"}
        command = advice(
            "can only look. To open one that can change recordings, run: debugd open",
            self.refused(lambda: look.ask(**rename)))
        self.assertEqual(self.sign_in(command).ask(**rename)["type"], "done")
        hold = {"type": "hold", "timeline": timeline, "policy": "queue"}
        command = advice(
            "cannot control machines. To open one that can, run: debugd open",
            self.refused(lambda: look.ask(**hold)))
        session = self.sign_in(command)
        # The session may, although this timeline has no app.
        self.assertNotIn("cannot control", self.refused(lambda: session.ask(**hold)))
        host = {"type": "host", "executable": str(BUILD / "RecorderProbe"), "arguments": ["host"]}
        command = advice(
            "cannot start hosts. To open one that can, run: debugd open --host",
            self.refused(lambda: session.ask(**host)))
        self.assertIn(self.sign_in(command).ask(**host)["type"], ("done", "hosts"))


class StartingDaemons(AdviceTest):
    def setUp(self):
        super().setUp()
        # Its secret stays.
        self.daemon.stop()

    def record(self, address, seconds=2, **environment):
        """Plays an app to its end, which may wait for so long to be recorded; returns what it logs."""
        secret = str(self.daemon.data / "recorder.secret")
        with Truth() as truth, Probe("truth", truth.path, 5, 20, 0, seconds, debugd=address,
                                     DEBUGD_SECRET_FILE=secret, **environment) as probe:
            return probe.words()

    def is_recorded(self, command, address, **environment):
        self.start(command)
        self.assertEqual(self.record(address, seconds=60, **environment), "")
        listed = self.works("debugd list" + (command[command.index(" --socket"):]
                                             if " --socket" in command else ""))
        self.assertIn("truth", listed)

    def test_a_recorder_whose_socket_has_no_daemon(self):
        address = f"unix:{self.folder / 'own.sock'}"
        self.is_recorded(
            advice("To fix, start it: debugd serve --socket …", self.record(address)), address)

    def test_a_recorder_whose_port_has_no_daemon(self):
        address = f"ws://127.0.0.1:{free_port()}"
        self.is_recorded(
            advice("To fix, start it there: debugd serve --listen …", self.record(address)), address)

    def test_a_recorder_whose_port_has_no_daemon_with_tls(self):
        certificate, key = self.folder / "box.pem", self.folder / "box.key"
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj",
             "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out",
             certificate], check=True, capture_output=True)
        encoded = ssl.PEM_cert_to_DER_cert(certificate.read_text())
        trust = {"DEBUGD_FINGERPRINT": hashlib.sha256(encoded).hexdigest()}
        address = f"wss://127.0.0.1:{free_port()}"
        command = advice(
            "To fix, start it there: debugd serve --listen … --certificate FILE --key FILE",
            self.record(address, **trust))
        first, second = command.split(" --key ")
        command = (first.replace("FILE", str(certificate)) + " --key "
                   + second.replace("FILE", str(key)))
        self.is_recorded(command, address, **trust)

    def test_a_socket_of_another_program(self):
        with socket.socket(socket.AF_UNIX) as server:
            place = self.folder / "taken.sock"
            server.bind(str(place))
            server.listen()
            said = self.fails(f"debugd serve --listen 127.0.0.1:0 --socket {place}")
            self.start(advice(
                "… is in use by another program. To fix, use the daemon that listens there, or give "
                "this one its own data: debugd serve --data FOLDER", said, FOLDER=self.daemon.data))

    def test_a_database_that_was_moved_aside(self):
        self.daemon.start()
        recorded(self.daemon)
        self.daemon.stop()
        file = self.daemon.data / "timelines.sqlite"
        aside = file.with_name("timelines.sqlite.damaged-2026-05-01T08-00-00Z")
        file.rename(aside)
        command = advice(
            "… is missing, and there is a damaged one next to it. To fix, rename … to … and run "
            "debugd recover", self.fails("debugd list"))
        aside.rename(file)
        self.works(command, (0, 3))
        self.assertIn("coin", self.works("debugd list"))


class Hosts(AdviceTest):
    def write(self, name, **machine):
        header = {**VENDING, "machine": {**VENDING["machine"], **machine}}
        states = [{"cents": cents, "tea": 2, "served": 0} for cents in (0, 30, 80)]
        lines = [header, {"seq": 0, "t": 0, "state": states[0]}]
        for seq, cents in (1, 30), (2, 50):
            patch = [{"op": "replace", "path": "/cents", "value": states[seq]["cents"]}]
            lines.append({"seq": seq, "t": seq, "event": {"insert": {"cents": cents}}, "patch": patch})
        text = "".join(json.dumps(line) + "\n" for line in lines)
        (self.folder / name).write_text(text)
        return name

    def test_a_machine_of_another_language(self):
        self.works(f"debugd import {self.write('bare.timeline')}")
        command = advice(
            "The header of the timeline has no 'make' in its 'machine', so no host can be chosen. To "
            "fix, record it again with a text there, such as \"…()\", and run a host that makes the "
            "same text, such as your copy of Examples/host.py: debugd host FILE",
            self.fails("debugd fork vending --drop 1"), FILE=HOST)
        self.works("debugd delete vending --yes")
        self.works(f"debugd import {self.write('made.timeline', make='vending()', kind='reducer')}")
        other = advice(
            "To fix, give the daemon the executable that makes it: debugd host PATH… (in Swift, PATH is "
            "like .build/debug/App, and its main calls ReducerHost.runIfAsked(…) first), or run the "
            "app.", self.fails("debugd fork vending --drop 1"), PATH=HOST)
        self.assertEqual(other.split()[:3], command.split()[:3])
        self.works(other)
        self.works("debugd fork vending --drop 1")

    def test_events_that_are_kept_of_a_machine_in_another_language(self):
        self.works(f"debugd import {self.write('made.timeline', make='vending()')}")
        self.works(f"debugd host {HOST}")
        command = advice(
            "The machine is not one in Swift, so there is no test to export. To keep these events in a "
            "file for 'debugd verify', run: debugd export … -o ….timeline…",
            self.works("debugd minimize vending --until 'state.cents >= 30'"))
        self.works(command)
        files = {path.name for path in self.folder.glob("*.timeline")} - {"made.timeline"}
        self.assertEqual(len(files), 1)
        # It fails as long as its failure happens.
        self.works(f"debugd verify {files.pop()} --host {HOST}", (1,))

    def test_an_agent_that_recomputes(self):
        self.works(f"debugd import {self.write('made.timeline', make='vending()')}")
        with Agent(self.daemon) as agent:
            said, is_error = agent.text("verify", timeline="vending")
            self.assertTrue(is_error)
            self.works(advice(
                "No host can run reducers, so nothing can be recomputed. Ask the user to run: debugd "
                "host PATH_OF_THE_APP", said, PATH_OF_THE_APP=HOST))
            agent.call("verify", timeline="vending")


if __name__ == "__main__":
    unittest.main()
