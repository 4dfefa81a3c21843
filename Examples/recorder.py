"""A recorder in Python, by docs/protocol.md and nothing else; needs `websockets` 11 or newer.

It finds the daemon of this machine by itself; for one elsewhere set DEBUGD=ws://address:port, or
wss://, and DEBUGD_SECRET_FILE. Nothing is sent while nobody calls: a clock may call `push`.
"""

import datetime
import hmac
import json
import os
import secrets
import time
import uuid

from websockets.exceptions import WebSocketException
from websockets.sync.client import connect, unix_connect


def text(value):
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def patch(old, new):
    """From one object to the other, member by member."""
    path = {key: "/" + key.replace("~", "~0").replace("/", "~1") for key in {**old, **new}}
    return [{"op": "remove", "path": path[key]} for key in old if key not in new] + [
        {"op": "replace" if key in old else "add", "path": path[key], "value": value}
        for key, value in new.items() if key not in old or text(old[key]) != text(value)
    ]


class Machine:
    """A machine whose states are objects: its timeline, and the entries that are not stored yet."""

    def __init__(self, recorder, name, state):
        self.recorder, self.name = recorder, name
        self.begin(json.loads(text(state)))

    def begin(self, state):
        """Begins a timeline; once more when the daemon's was deleted."""
        self.id, self.state, self.seq, self.spent = str(uuid.uuid4()), state, 0, 0
        self.began, self.sent = time.monotonic(), -1
        started = datetime.datetime.now(datetime.timezone.utc).isoformat().replace("+00:00", "Z")
        self.header = {
            "timeline": self.id, "app": {"name": self.recorder.app, "pid": os.getpid()},
            "machine": {"type": self.name, "name": self.name}, "started": started, "format": 1,
        }
        self.lines = [(0, text({"seq": 0, "t": 0, "state": state}))]

    def record(self, event, state):
        """The event, and the state after it: JSON both, and copied."""
        state, change, self.seq = json.loads(text(state)), patch(self.state, state), self.seq + 1
        t = int((time.monotonic() - self.began) * 1e6)
        entry = {"seq": self.seq, "t": t, "event": event, "patch": change}
        # A keyframe when the patches since the last one are as long as the state.
        self.state, self.spent = state, self.spent + len(text(change))
        if self.spent >= len(text(state)):
            entry["state"], self.spent = state, 0
        self.lines.append((self.seq, text(entry)))
        self.recorder.push()

    def stored(self, durable, is_gone=False):
        self.lines = [line for line in self.lines if durable is None or line[0] > durable]
        if is_gone:
            self.begin(self.state)


class Recorder:
    """An app; what its machines record is kept until the daemon has stored it."""

    def __init__(self, app):
        folder = os.environ.get("XDG_RUNTIME_DIR")
        state = os.environ.get("XDG_STATE_HOME") or os.path.expanduser("~/.local/state")
        standard = f"unix:{folder or state}/debugd/{'' if folder else 'run/'}recorder.sock"
        self.address = os.environ.get("DEBUGD") or standard
        self.app, self.machines, self.socket, self.next_try, self.problem = app, [], None, 0, None

    def machine(self, name, state):
        self.machines.append(Machine(self, name, state))
        self.push()
        return self.machines[-1]

    def close(self, seconds=5):
        """Waits until everything is durable, and ends; answers whether it is."""
        deadline = time.monotonic() + seconds
        while any(machine.lines for machine in self.machines) and time.monotonic() < deadline:
            self.push(wait=0.05)
        for machine in self.machines if self.socket else []:
            self.say("close", timeline=machine.id)
        return not any(machine.lines for machine in self.machines)

    def push(self, wait=0):
        """Sends what the credit allows and takes what came; connects when it is not connected."""
        try:
            if not self.socket:
                if time.monotonic() < self.next_try:
                    return time.sleep(wait)
                self.next_try = time.monotonic() + 0.5
                self.connect()
            for machine in self.machines:
                lines = [line for line in machine.lines if line[0] > machine.sent][:1000]
                if lines and self.credit > 0:
                    self.say("open", header=machine.header)
                    head = f'{{"type":"append","timeline":"{machine.id}","entries":['
                    frame = head + ",".join(line for _, line in lines) + "]}"
                    self.socket.send(frame)
                    machine.sent, self.credit = lines[-1][0], self.credit - len(frame.encode())
            while message := self.hear(wait):
                self.credit += message["bytes"] if message["type"] == "credit" else 0
                for machine in self.machines:
                    if machine.id == message.get("timeline"):
                        machine.stored(message.get("durable"), message["type"] == "gone")
        except TimeoutError:
            pass
        except (OSError, WebSocketException, ValueError) as problem:
            self.socket, self.problem = None, problem

    def connect(self):
        options = {"subprotocols": ["recorder.v1"], "compression": None, "open_timeout": 5}
        hello = {"version": "1.0", "timelines": [machine.id for machine in self.machines]}
        if self.address.startswith("unix:"):
            self.socket = unix_connect(self.address[5:], uri="ws://localhost/", **options)
        else:
            self.socket = connect(self.address, **options)
            with open(os.environ["DEBUGD_SECRET_FILE"], "rb") as file:
                key, nonce = file.read().rstrip(b"\n"), secrets.token_hex(16)
            self.say("hello", version="1.0", nonce=nonce)
            challenge = self.hear(5)
            words = f"states-debugger/1 %s {nonce} {challenge['nonce']}"
            proof = lambda who: hmac.digest(key, (words % who).encode(), "sha256").hex()
            if not hmac.compare_digest(proof("daemon"), challenge["proof"]):
                raise ValueError("Who answers there does not know the secret.")
            hello["proof"] = proof("recorder")
        self.say("hello", **hello)
        welcome = self.hear(5)
        self.credit = welcome["credit"]
        for machine in self.machines:
            machine.sent = -1
            machine.stored(welcome["durable"].get(machine.id))

    def say(self, type, **keys):
        self.socket.send(text({"type": type, **keys}))

    def hear(self, seconds):
        message = json.loads(self.socket.recv(timeout=seconds))
        if message["type"] == "error":
            raise ValueError(message["message"])
        return message
