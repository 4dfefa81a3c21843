"""A recorder in Python, written from docs/protocol.md alone; needs `websockets` 11 or newer.

It finds the daemon of this machine by itself. For another one set DEBUGD=ws://address:port, or
wss://, and DEBUGD_SECRET_FILE. A thread of its own sends and receives, so `record` never waits for
the network. Call `close` before the process ends; a forked child records nothing.
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
LARGEST = 4 << 20  # characters of an entry: the daemon refuses messages of more than 16 MiB
ALWAYS = 1 << 60  # so many bytes of patches that the next entry is a keyframe

Line = collections.namedtuple("Line", "seq text is_keyframe")


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
        self.recorder, self.name, self.id, self.refused, self.is_off = recorder, name, "", 0, False
        self.waiting, self.sending, self.bytes = collections.deque(), collections.deque(), 0
        self.begin(json.loads(text(state)))

    def begin(self, state):
        """Begins a timeline; again when the daemon's was deleted, or was refused three times."""
        self.clear()
        self.recorder.by_id.pop(self.id, None)
        self.id, self.seq = str(uuid.uuid4()), -1
        self.recorder.by_id[self.id] = self
        self.began, self.durable, self.sent, self.is_open = time.monotonic(), -1, -1, False
        started = datetime.datetime.now(datetime.timezone.utc).isoformat().replace("+00:00", "Z")
        self.header = {
            "timeline": self.id, "app": self.recorder.app,
            "machine": {"type": self.name, "name": self.name}, "started": started, "format": 1,
        }
        self.add({}, state)

    def record(self, event, state):
        """The event, and the state after it: JSON both, and copied."""
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
        # A keyframe when the patches since the last one are as long as the state.
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
        """A timeline that is refused three times begins again; if that is refused too, it ends."""
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
        """Drops the oldest entries up to a keyframe; where none follows the next entry is one."""
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
        """Goes on after what the daemon has, on a new connection."""
        self.stored(durable)
        self.waiting, self.sending = self.sending + self.waiting, collections.deque()
        self.durable = self.sent = durable
        if self.first() and self.first().seq > durable + 1 and not self.first().is_keyframe:
            self.drop_group()

    def gap(self, seq):
        return {"lost": seq - self.sent - 1, "why": "the recorder had no room for them"}

    def batch(self):
        """The next entries as a message."""
        lines, size = [], 0
        while self.waiting and len(lines) < BATCH_ENTRIES:
            line, said = self.waiting[0], self.waiting[0].text
            if lines and size + len(said.encode()) > BATCH_BYTES:
                break
            if line.seq > self.sent + 1:
                # A keyframe, whose patch has nothing to apply to.
                entry = {**json.loads(said), "gap": self.gap(line.seq)}
                entry.pop("patch", None)
                said = text(entry)
            self.sending.append(self.waiting.popleft())
            self.sent, size = line.seq, size + len(said.encode()) + 1
            lines.append(said)
        return f'{{"type":"append","timeline":"{self.id}","entries":[{",".join(lines)}]}}'


class Recorder:
    """An app; what its machines record is kept until the daemon has stored it."""

    def __init__(self, app, memory=32 << 20):
        """`memory` is how many bytes of entries may wait for the daemon; then the oldest go."""
        folder = os.environ.get("XDG_RUNTIME_DIR")
        state = os.environ.get("XDG_STATE_HOME") or os.path.expanduser("~/.local/state")
        standard = f"unix:{folder or state}/debugd/{'' if folder else 'run/'}recorder.sock"
        self.address = os.environ.get("DEBUGD") or standard
        self.memory, self.bytes, self.problem = memory, 0, None
        # The daemon knows this recorder by it when the network lost the last connection unnoticed.
        self.app = {"name": app, "pid": os.getpid(), "run": secrets.token_hex(16)}
        self.machines, self.by_id, self.socket = [], {}, None
        self.changed, self.is_closed, self.is_lost = threading.Condition(), False, True
        threading.Thread(target=self.run, daemon=True).start()

    def machine(self, name, state):
        """A machine that is recorded from now on; one beyond the thousandth is not."""
        with self.changed:
            machine = Machine(self, name, state)
            self.machines.append(machine) if len(self.machines) < TIMELINES else machine.end()
            self.changed.notify_all()
            return machine

    def make_room(self):
        while self.bytes > self.memory:
            max(self.machines, key=lambda machine: machine.bytes).drop_group()

    def flush(self, seconds=5):
        """Waits until everything is stored; answers whether it is."""
        with self.changed:
            return self.changed.wait_for(lambda: self.bytes == 0, seconds)

    def close(self, seconds=5):
        """Waits until everything is stored, and ends; answers whether it is."""
        is_stored = self.flush(seconds)
        with self.changed:
            is_connected, self.is_closed = not self.is_lost, True
            self.changed.notify_all()
        try:
            for machine in self.machines if is_connected else []:
                lost = machine.seq > machine.sent
                gap = {"gap": machine.gap(machine.seq + 1)} if lost else {}
                if not machine.is_off:
                    self.say("close", timeline=machine.id, **gap)
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
        """Waits for what may be sent; nothing once the connection is lost or closed."""
        with self.changed:
            while not (self.is_lost or self.is_closed):
                messages = []
                # Each machine has its turn, also where the credit never lasts for all.
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
            self.say("hello", version="1.0", nonce=nonce)
            challenge = self.hear()
            words = f"states-debugger/1 %s {nonce} {challenge['nonce']}"
            proof = lambda who: hmac.digest(key, (words % who).encode(), "sha256").hex()
            if not hmac.compare_digest(proof("daemon"), challenge["proof"]):
                raise ValueError("The daemon at that address does not know the secret.")
            hello["proof"] = proof("recorder")
        self.say("hello", **hello)
        welcome = self.hear()
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
                    self.take(json.loads(frame))
                    self.changed.notify_all()
        except (WebSocketException, ValueError, KeyError) as problem:
            self.problem = problem
        with self.changed:
            self.is_lost = self.is_lost or socket is self.socket
            self.changed.notify_all()
        socket.close()

    def take(self, message):
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

    def say(self, type, **keys):
        self.socket.send(text({"type": type, **keys}))

    def hear(self):
        message = json.loads(self.socket.recv(timeout=5))
        if message["type"] == "error":
            raise ValueError(message["message"])
        return message
