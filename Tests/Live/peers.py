"""A recorder and an inspector over a WebSocket library that is not ours: Python's `websockets`.

They follow only docs/protocol.md.
"""

import itertools
import json
import time

from handshake import sign_in
from model import World
from websockets.sync.client import connect, unix_connect


# A busy machine may need longer than the library waits by itself.
PATIENCE = {"open_timeout": 60, "ping_timeout": 60}


class Refused(Exception):
    """The daemon replied with an error."""

    def __init__(self, error):
        super().__init__(error["message"])
        self.code = error["code"]
        self.error = error


class Peer:
    def __init__(self, socket):
        self.socket = socket
        self.others = []

    def send(self, message):
        self.socket.send(json.dumps(message, separators=(",", ":")))

    def receive(self, seconds=60):
        frame = self.socket.recv(timeout=seconds)
        return json.loads(frame) if isinstance(frame, str) else frame

    def close(self):
        self.socket.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


class Recorder(Peer):
    """Sends entries, and tracks which are durable."""

    def __init__(self, path, timelines=()):
        super().__init__(
            unix_connect(
                str(path), uri="ws://localhost/", subprotocols=["recorder.v1"], compression=None,
                max_size=None, **PATIENCE,
            )
        )
        hello = {"type": "hello", "version": "1.0"}
        if timelines:
            hello["timelines"] = list(timelines)
        self.send(hello)
        self.welcome = self.receive()
        if self.welcome["type"] != "welcome":
            raise Refused(self.welcome)
        self.credit = self.welcome["credit"]
        self.durable = {k: v for k, v in self.welcome.get("durable", {}).items() if v is not None}
        self.errors = []
        self.notices = []

    def open(self, header):
        self.send({"type": "open", "header": header})

    def append(self, timeline, lines):
        """Sends lines (JSON texts) unchanged, as soon as there is credit."""
        text = '{"type":"append","timeline":"%s","entries":[%s]}' % (timeline, ",".join(lines))
        while self.credit <= 0:
            self.handle_next()
        self.credit -= len(text.encode())
        self.socket.send(text)

    def close_timeline(self, timeline, **keys):
        self.send({"type": "close", "timeline": timeline} | keys)

    def handle_next(self, seconds=60):
        """Receives and handles one message."""
        message = self.receive(seconds)
        if message["type"] == "ack":
            self.durable[message["timeline"]] = message["durable"]
        elif message["type"] == "credit":
            self.credit += message["bytes"]
        elif message["type"] == "error":
            self.errors.append(message)
        elif message["type"] == "notice":
            self.notices.append(message)
        return message

    def poll(self):
        """Handles the messages that have already arrived."""
        try:
            while True:
                self.handle_next(seconds=0)
        except TimeoutError:
            pass

    def wait_until_durable(self, timeline, seq):
        """Waits until an entry is durable."""
        while self.durable.get(timeline, -1) < seq:
            message = self.handle_next()
            if message["type"] == "error":
                raise Refused(message)


class Inspector(Peer):
    """Sends requests, and returns the replies."""

    def __init__(self, path=None, address=None, code=None, session=None, **options):
        subprotocols = ["inspector.v1"]
        options = PATIENCE | options
        if path:
            socket = unix_connect(
                str(path), uri="ws://localhost/", subprotocols=subprotocols, compression=None,
                max_size=None, **options,
            )
        else:
            socket = connect(
                address, subprotocols=subprotocols, compression=None, max_size=None, **options
            )
        super().__init__(socket)
        self.ids = itertools.count(1)
        # The name and secret of the session, for reconnecting.
        self.session = None
        if key := code or session:
            name, secret = key.split(".")
            host = address.split("/")[2]
            self.welcome, secret = sign_in(self, host, name, secret, client="a test")
            self.session = f"{self.welcome.get('session')}.{secret}"
        else:
            self.send({"type": "hello", "version": "1.0", "client": "a test"})
            self.welcome = self.receive()
        if self.welcome["type"] != "welcome":
            raise Refused(self.welcome)

    def begin(self, type, **keys):
        """Sends a request; returns its id."""
        id = next(self.ids)
        keys = {key: value for key, value in keys.items() if value is not None}
        self.send({"type": type, "id": id, **keys})
        return id

    def answer(self, id):
        """The reply to a request; messages that arrive before it are kept in `others`."""
        while True:
            message = self.receive()
            if isinstance(message, bytes):
                length = int.from_bytes(message[:4], "little")
                head = json.loads(message[4 : 4 + length])
                if head.get("re") == id:
                    return head, message[4 + length :]
                continue
            if message.get("re") != id or message["type"] == "progress":
                self.others.append(message)
                continue
            if message["type"] == "error":
                raise Refused(message)
            return message

    def ask(self, type, **keys):
        return self.answer(self.begin(type, **keys))


def recorded(daemon, count=60, seed=21, **options):
    """A generated timeline that the daemon has stored."""
    world = World(seed, **options)
    with Recorder(daemon.socket) as recorder:
        recorder.open(world.header)
        recorder.append(world.id, world.grow(count))
        recorder.wait_until_durable(world.id, world.seq)
        recorder.close_timeline(world.id)
    return world


def packed(daemon, world, seconds=120):
    """Waits until the daemon has packed the lines of a timeline, which it does beside other work."""
    # The reported size shrinks then.
    lines = sum(len(json.dumps(entry)) for entry in world.entries if entry)
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        with Inspector(daemon.socket) as inspector:
            for summary in inspector.ask("timelines")["timelines"]:
                if summary["header"]["timeline"] == world.id and summary["bytes"] <= lines / 2:
                    return
        time.sleep(0.05)
    raise AssertionError(f"the lines are not packed after {seconds} seconds")


def completed(daemon, branch, seconds=120):
    """The daemon's reply about a branch once it is computed."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        with Inspector(daemon.socket) as inspector:
            for summary in inspector.ask("timelines")["timelines"]:
                if summary["header"]["timeline"] == branch and "computing" not in summary:
                    return summary
        time.sleep(0.05)
    raise AssertionError(f"the branch {branch} is not complete after {seconds} seconds")
