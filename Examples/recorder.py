"""A recorder in Python, written only from docs/protocol.md. Requires `websockets` 11 or newer.

It finds the daemon of this machine. To use another, set DEBUGD=ws://address:port, or wss://, and
DEBUGD_SECRET_FILE. A background thread sends and receives, so `record` never waits for the network.
Call `close` before the process ends. A forked child process records nothing.
"""

import collections
import datetime
import hmac
import json
import os
import secrets
import threading
import time
import uuid

from websockets.exceptions import WebSocketException
from websockets.sync.client import connect, unix_connect

BATCH_BYTES, BATCH_ENTRIES, TIMELINES = 256 << 10, 1000, 1000
LARGEST = 4 << 20  # characters per entry: the daemon refuses messages over 16 MiB
ALWAYS = 1 << 60  # more patch bytes than any state: the next entry is a keyframe

Line = collections.namedtuple("Line", "seq text is_keyframe")


def text(value):
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def patch(old, new):
    """A JSON Patch from one object to another, member by member."""
    path = {key: "/" + key.replace("~", "~0").replace("/", "~1") for key in {**old, **new}}
    return [{"op": "remove", "path": path[key]} for key in old if key not in new] + [
        {"op": "replace" if key in old else "add", "path": path[key], "value": value}
        for key, value in new.items() if key not in old or text(old[key]) != text(value)
    ]


class Machine:
    """A machine whose states are objects: its timeline, and its entries that are not durable."""

    def __init__(self, recorder, name, state, make):
        self.kind = {"type": name, "name": name, **({"make": make} if make else {})}
        self.recorder, self.name, self.id, self.refused, self.is_off = recorder, name, "", 0, False
        self.waiting, self.sending, self.bytes = collections.deque(), collections.deque(), 0
        self.begin(json.loads(text(state)))

    def begin(self, state):
        """Begins a timeline, or a new one if the daemon deleted it or refused it three times."""
        self.clear()
        self.recorder.by_id.pop(self.id, None)
        self.id, self.seq = str(uuid.uuid4()), -1
        self.recorder.by_id[self.id] = self
        self.began, self.durable, self.sent, self.is_open = time.monotonic(), -1, -1, False
        started = datetime.datetime.now(datetime.timezone.utc).isoformat().replace("+00:00", "Z")
        self.header = {"timeline": self.id, "app": self.recorder.app, "machine": self.kind,
                       "started": started, "format": 1}
        self.add({}, state)

    def record(self, event, state):
        """Records an event and the state after it. Both are JSON values, and are copied."""
        state, entry = json.loads(text(state)), {"event": json.loads(text(event))}
        with self.recorder.changed:
            if not self.is_off:
                self.add(entry, state, patch(self.state, state))
                self.recorder.make_room()
                self.recorder.changed.notify_all()

    def add(self, entry, state, change=None):
        self.state, self.seq = state, self.seq + 1
        entry = {"seq": self.seq, "t": int((time.monotonic() - self.began) * 1e6), **entry}
        if change is not None:
            entry["patch"], self.spent = change, self.spent + len(text(change))
        # A keyframe follows when the patches since the last one are as long as the state.
        is_keyframe = change is None or self.spent >= len(text(state))
        if is_keyframe:
            entry["state"], self.spent = state, 0
        line = Line(self.seq, text(entry), is_keyframe)
        if len(line.text) <= LARGEST:
            self.waiting.append(line)
            self.count(len(line.text))
        else:
            self.spent = ALWAYS

    def count(self, size):
        self.bytes, self.recorder.bytes = self.bytes + size, self.recorder.bytes + size

    def first(self):
        return (self.sending or self.waiting or [None])[0]

    def pop(self):
        self.count(-len((self.sending or self.waiting).popleft().text))

    def clear(self):
        while self.first():
            self.pop()

    def refuse(self):
        """After three refusals, begins a new timeline; after three more, stops recording."""
        self.refused += 1
        if self.refused == 3:
            self.begin(self.state)
        elif self.refused == 6:
            self.end()

    def end(self):
        self.is_off = True
        self.clear()
        self.recorder.by_id.pop(self.id, None)

    def drop_group(self):
        """Drops the oldest entries up to a keyframe. Without one, the next entry becomes one."""
        self.pop()
        while self.first() and not self.first().is_keyframe:
            self.pop()
        if not self.first():
            self.spent = ALWAYS

    def stored(self, durable):
        if durable > self.durable:
            self.durable, self.refused = durable, 0
        while self.first() and self.first().seq <= durable:
            self.pop()

    def resume(self, durable):
        """Continues after the last durable entry, on a new connection."""
        self.stored(durable)
        self.waiting, self.sending = self.sending + self.waiting, collections.deque()
        self.durable = self.sent = durable
        if self.first() and self.first().seq > durable + 1 and not self.first().is_keyframe:
            self.drop_group()

    def gap(self, seq):
        return {"lost": seq - self.sent - 1, "why": "the recorder had no room for them"}

    def batch(self):
        """The next entries as one message."""
        lines, size = [], 0
        while self.waiting and len(lines) < BATCH_ENTRIES:
            line, written = self.waiting[0], self.waiting[0].text
            if lines and size + len(written.encode()) > BATCH_BYTES:
                break
            if line.seq > self.sent + 1:
                # A keyframe. Its patch has nothing to apply to.
                entry = {**json.loads(written), "gap": self.gap(line.seq)}
                entry.pop("patch", None)
                written = text(entry)
            self.sending.append(self.waiting.popleft())
            self.sent, size = line.seq, size + len(written.encode()) + 1
            lines.append(written)
        return f'{{"type":"append","timeline":"{self.id}","entries":[{",".join(lines)}]}}'


class Recorder:
    """An app. Keeps the entries of its machines until the daemon has stored them."""

    def __init__(self, app, memory=32 << 20):
        """`memory` limits the bytes of waiting entries; beyond it, the oldest are dropped."""
        folder = os.environ.get("XDG_RUNTIME_DIR")
        state = os.environ.get("XDG_STATE_HOME") or os.path.expanduser("~/.local/state")
        standard = f"unix:{folder or state}/debugd/{'' if folder else 'run/'}recorder.sock"
        named = os.environ.get("DEBUGD_SOCKET")
        self.address = os.environ.get("DEBUGD") or (f"unix:{named}" if named else standard)
        self.memory, self.bytes, self.problem = memory, 0, None
        # Identifies this recorder when the daemon has not noticed that the last connection is lost.
        self.app = {"name": app, "pid": os.getpid(), "run": secrets.token_hex(16)}
        self.machines, self.by_id, self.socket = [], {}, None
        self.changed, self.is_closed, self.is_lost = threading.Condition(), False, True
        threading.Thread(target=self.run, daemon=True).start()

    def machine(self, name, state, make=None):
        """Starts recording, unless there are a thousand machines. For `make`: see host.py."""
        with self.changed:
            machine = Machine(self, name, state, make)
            self.machines.append(machine) if len(self.machines) < TIMELINES else machine.end()
            self.changed.notify_all()
            return machine

    def make_room(self):
        while self.bytes > self.memory:
            max(self.machines, key=lambda machine: machine.bytes).drop_group()

    def flush(self, seconds=5):
        """Waits until everything is stored; returns whether it is."""
        with self.changed:
            return self.changed.wait_for(lambda: self.bytes == 0, seconds)

    def close(self, seconds=5):
        """Waits until everything is stored, and ends; returns whether it is."""
        is_stored = self.flush(seconds)
        with self.changed:
            is_connected, self.is_closed = not self.is_lost, True
            self.changed.notify_all()
        try:
            for machine in self.machines if is_connected else []:
                lost = machine.seq > machine.sent
                gap = {"gap": machine.gap(machine.seq + 1)} if lost else {}
                if not machine.is_off:
                    self.send("close", timeline=machine.id, **gap)
            if self.socket:
                self.socket.close()
        except (OSError, WebSocketException) as problem:
            self.problem = problem
        return is_stored

    def run(self):
        while not self.is_closed:
            try:
                self.connect()
                threading.Thread(target=self.listen, args=[self.socket], daemon=True).start()
                while messages := self.next_messages():
                    for message in messages:
                        self.socket.send(message)
            except (OSError, WebSocketException, ValueError, KeyError) as problem:
                self.problem = problem
            with self.changed:
                self.is_lost = True
                self.changed.wait_for(lambda: self.is_closed, timeout=0.5)

    def next_messages(self):
        """Waits for messages to send. Returns None once the connection is lost or closed."""
        with self.changed:
            while not (self.is_lost or self.is_closed):
                messages = []
                # In turns, so that no machine starves when the credit is too small for all.
                self.machines = self.machines[1:] + self.machines[:1]
                for machine in self.machines:
                    if not machine.is_open:
                        messages.append(text({"type": "open", "header": machine.header}))
                        machine.is_open = True
                    if machine.waiting and self.credit > 0:
                        messages.append(machine.batch())
                        self.credit -= len(messages[-1].encode())
                if messages:
                    return messages
                self.changed.wait()

    def connect(self):
        options = {"subprotocols": ["recorder.v1"], "compression": None, "open_timeout": 5}
        with self.changed:
            named = [machine.id for machine in self.machines if not machine.is_off]
        hello = {"version": "1.0", "run": self.app["run"], "timelines": named}
        if self.address.startswith("unix:"):
            self.socket = unix_connect(self.address[5:], uri="ws://localhost/", **options)
        else:
            self.socket = connect(self.address, **options)
            with open(os.environ["DEBUGD_SECRET_FILE"], "rb") as file:
                key, nonce = file.read().rstrip(b"\n"), secrets.token_hex(16)
            self.send("hello", version="1.0", nonce=nonce)
            challenge = self.read()
            proven = f"states-debugger/1 %s {nonce} {challenge['nonce']}"
            proof = lambda who: hmac.digest(key, (proven % who).encode(), "sha256").hex()
            if not hmac.compare_digest(proof("daemon"), challenge["proof"]):
                raise ValueError("The daemon at that address does not know the secret.")
            hello["proof"] = proof("recorder")
        self.send("hello", **hello)
        welcome = self.read()
        with self.changed:
            self.credit, self.is_lost = welcome["credit"], False
            for machine in self.machines:
                durable = welcome["durable"].get(machine.id)
                machine.resume(-1 if durable is None else durable)
                machine.is_open = machine.is_off

    def listen(self, socket):
        try:
            for frame in socket:
                with self.changed:
                    self.receive(json.loads(frame))
                    self.changed.notify_all()
        except (WebSocketException, ValueError, KeyError) as problem:
            self.problem = problem
        with self.changed:
            self.is_lost = self.is_lost or socket is self.socket
            self.changed.notify_all()
        socket.close()

    def receive(self, message):
        machine = self.by_id.get(message.get("timeline"))
        if message["type"] == "credit":
            self.credit += message["bytes"]
        elif message["type"] == "ack" and machine:
            machine.stored(message["durable"])
        elif message["type"] == "gone" and machine:
            machine.begin(machine.state)
        elif message["type"] == "error":
            if machine:
                machine.refuse()
            raise ValueError(message["message"])

    def send(self, type, **keys):
        self.socket.send(text({"type": type, **keys}))

    def read(self):
        message = json.loads(self.socket.recv(timeout=5))
        if message["type"] == "error":
            raise ValueError(message["message"])
        return message
