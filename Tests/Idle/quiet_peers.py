"""Clients of several kinds that connect once and then send nothing."""

import base64
import json
import os
import socket
import subprocess
import threading

from daemon import BUILD
from handshake import sign_in
from peers import Inspector


class EmptyPongs:
    """A client over a raw socket that answers each ping with an empty pong."""

    def __init__(self, path=None, port=None, role="inspector.v1", code=None):
        if path:
            self.connection = socket.socket(socket.AF_UNIX)
            self.connection.connect(str(path))
        else:
            self.connection = socket.create_connection(("127.0.0.1", port))
        self.stream = self.connection.makefile("rb")
        key = base64.b64encode(os.urandom(16)).decode()
        host = "localhost" if path else f"127.0.0.1:{port}"
        self.connection.sendall(
            f"GET / HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n"
            f"Sec-WebSocket-Protocol: {role}\r\n\r\n".encode()
        )
        status = self.stream.readline()
        assert status.startswith(b"HTTP/1.1 101 "), status
        while self.stream.readline() != b"\r\n":
            pass
        self.pings = 0
        self.end = None
        if code:
            welcome, _ = sign_in(Messages(self), host, *code.split("."))
        else:
            welcome = Messages(self).ask({"type": "hello", "version": "1.0"})
        assert welcome["type"] == "welcome", welcome
        self.reader = threading.Thread(target=self.listen, daemon=True)
        self.reader.start()

    def send(self, kind, payload):
        length = len(payload)
        head = bytes([0x80 | kind])
        head += bytes([0x80 | length]) if length < 126 else b"\xfe" + length.to_bytes(2, "big")
        self.connection.sendall(head + bytes(4) + payload)

    def frame(self):
        first, length = self.stream.read(2)
        if length == 126:
            length = int.from_bytes(self.stream.read(2), "big")
        elif length == 127:
            length = int.from_bytes(self.stream.read(8), "big")
        return first & 15, self.stream.read(length)

    def listen(self):
        try:
            while True:
                kind, payload = self.frame()
                if kind == 9:
                    self.pings += 1
                    self.send(10, b"")
                elif kind == 8:
                    self.end = payload
                    return
        except (OSError, ValueError) as error:
            self.end = error

    def close(self):
        self.connection.close()


class Messages:
    """Messages in a client's frames, before it only listens."""

    def __init__(self, client):
        self.client = client

    def send(self, message):
        self.client.send(1, json.dumps(message).encode())

    def receive(self):
        kind, payload = self.client.frame()
        assert kind == 1, payload
        return json.loads(payload)

    def ask(self, message):
        self.send(message)
        return self.receive()


class Command:
    """A debugd command that follows a timeline, and the lines it prints."""

    def __init__(self, daemon, *words):
        self.words = words
        self.process = subprocess.Popen(
            [BUILD / "debugd", *words, "--data", str(daemon.data)],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env=daemon.environment,
        )
        self.lines = []
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()

    def read(self):
        for line in self.process.stdout:
            self.lines.append(line)

    @property
    def end(self):
        """Its exit code; `None` while it runs."""
        if self.process.poll() is None:
            return None
        return self.process.returncode, self.process.stderr.read()

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.reader.join()
        self.process.stdout.close()
        self.process.stderr.close()


def invited(daemon):
    """A code for an inspector over TCP, and the address of the page."""
    with Inspector(daemon.socket) as inspector:
        invite = inspector.ask("invite")
    return invite["code"], invite["page"]
