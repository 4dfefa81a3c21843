"""A daemon that stores nothing and counts messages. A test decides what it refuses and acknowledges.

With `instead`, it is a program that does not know the secret: it answers `hello` with those messages.
"""

import hmac
import json
import secrets
import threading

from websockets.exceptions import ConnectionClosed
from websockets.sync.server import serve

SECRET = "5" * 64
WELCOME = {"type": "welcome", "version": "1.0", "credit": 1 << 30, "durable": {}}
CHALLENGE = {"type": "challenge", "nonce": "00" * 16, "proof": "00" * 32}


class FakeDaemon:
    """Speaks to recorders over TCP; `with FakeDaemon() as daemon` ends it."""

    def __init__(self, credit=1 << 30, acknowledges=True, port=0, refuses=(),
                 instead=None):
        self.credit, self.acknowledges, self.refuses = credit, acknowledges, set(refuses)
        self.instead = instead
        self.changed = threading.Condition()
        self.connections, self.messages, self.sizes, self.durable = [], [], [], {}
        self.names, self.socket = {}, None
        self.server = serve(self.receive, "127.0.0.1", port, subprotocols=["recorder.v1"],
                            compression=None, max_size=1 << 24)
        self.port = self.server.socket.getsockname()[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.shutdown()

    def wait(self, condition, seconds=60):
        with self.changed:
            if not self.changed.wait_for(condition, seconds):
                raise AssertionError("it did not happen in time")

    def of(self, kind):
        return [message for message in self.messages if message["type"] == kind]

    def entries(self, name):
        """All entries received for a machine, including those sent twice."""
        return [entry for message in self.of("append")
                if self.names.get(message["timeline"]) == name for entry in message["entries"]]

    def send(self, type, **keys):
        self.socket.send(json.dumps({"type": type, **keys}))

    def greet(self, socket):
        key = SECRET.encode()
        nonces = f"{json.loads(socket.recv())['nonce']} {(own := secrets.token_hex(16))}"
        proof = lambda who: hmac.digest(
            key, f"states-debugger/1 {who} {nonces}".encode(), "sha256").hex()
        socket.send(json.dumps({"type": "challenge", "nonce": own, "proof": proof("daemon")}))
        frame = socket.recv()
        hello = json.loads(frame)
        assert hello["proof"] == proof("recorder")
        with self.changed:
            self.socket = socket
            self.connections.append(len(frame))
            durable = {one: self.durable.get(one) for one in hello["timelines"]}
            self.send("welcome", version="1.0", credit=self.credit, durable=durable)
            self.changed.notify_all()

    def pretend(self, socket):
        for frame in socket:
            with self.changed:
                self.messages.append(json.loads(frame))
                self.changed.notify_all()
            for message in self.instead:
                socket.send(json.dumps(message))

    def receive(self, socket):
        try:
            if self.instead is not None:
                return self.pretend(socket)
            self.greet(socket)
            for frame in socket:
                with self.changed:
                    self.hear(json.loads(frame), len(frame.encode()))
                    self.changed.notify_all()
        except ConnectionClosed:
            pass

    def hear(self, message, size):
        self.messages.append(message)
        if message["type"] == "open":
            header = message["header"]
            self.names[header["timeline"]] = header["machine"]["name"]
            if header["machine"]["name"] in self.refuses:
                self.send("error", code="wrong-value", message="No.", timeline=header["timeline"])
        elif message["type"] == "append":
            self.sizes.append(size)
            if self.acknowledges and self.names[message["timeline"]] not in self.refuses:
                last = message["entries"][-1]["seq"]
                self.durable[message["timeline"]] = last
                self.send("ack", timeline=message["timeline"], durable=last)
