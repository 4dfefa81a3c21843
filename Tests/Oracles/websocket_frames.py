"""Sends bytes to a WebSocket server on 127.0.0.1, and reports the frames that come back.

A request is {"port": …, "chunks": ["hexadecimal digits", …], "wanted": number of frames}. Each
chunk is written separately after the handshake. With "hangUp", the client ends its side after it has
answered a close. The answer is a list of [kind, payload], with
"end" or "reset" if the connection ended; it is complete with the wanted number, or at the end.
Text and the reasons of closes are shown as text, other payloads as hexadecimal digits. The client
answers a close, as the protocol requires.
"""

import base64
import hashlib
import json
import os
import socket
import sys

KINDS = {0: "continuation", 1: "text", 2: "binary", 8: "close", 9: "ping", 10: "pong"}


class Reader:
    def __init__(self, connection):
        self.connection = connection
        self.bytes = b""

    def read(self, count):
        while len(self.bytes) < count:
            more = self.connection.recv(65536)
            if not more:
                raise EOFError
            self.bytes += more
        taken, self.bytes = self.bytes[:count], self.bytes[count:]
        return taken

    def line(self):
        while b"\r\n" not in self.bytes:
            more = self.connection.recv(65536)
            if not more:
                raise EOFError
            self.bytes += more
        line, self.bytes = self.bytes.split(b"\r\n", 1)
        return line.decode("latin-1")

    def frame(self):
        first, second = self.read(2)
        assert second & 0x80 == 0, "a server does not mask"
        assert first & 0x70 == 0, "no extension was agreed on"
        length = second & 0x7F
        if length == 126:
            length = int.from_bytes(self.read(2), "big")
            assert length > 125, "the shortest form must be used"
        elif length == 127:
            length = int.from_bytes(self.read(8), "big")
            assert length > 65535, "the shortest form must be used"
        return bool(first & 0x80), KINDS[first & 15], self.read(length)


def handshake(connection, reader, port):
    key = base64.b64encode(os.urandom(16)).decode()
    connection.sendall(
        f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\n"
        f"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n\r\n"
        .encode())
    status = reader.line()
    assert status.startswith("HTTP/1.1 101 "), status
    headers = {}
    while line := reader.line():
        name, _, value = line.partition(":")
        headers[name.lower()] = value.strip()
    digest = hashlib.sha1((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").encode()).digest()
    assert headers["sec-websocket-accept"] == base64.b64encode(digest).decode()
    assert headers["upgrade"].lower() == "websocket"


def masked(opcode, payload):
    """A control frame of a client."""
    return bytes([0x80 | opcode, 0x80 | len(payload), 0, 0, 0, 0]) + payload


def shown(kind, payload):
    if kind == "close":
        if not payload:
            return ["close"]
        return ["close", int.from_bytes(payload[:2], "big"), payload[2:].decode("utf-8", "replace")]
    return [kind, payload.decode() if kind == "text" else payload.hex()]


def answer(question):
    answers, message, kind_of_message = [], b"", None
    with socket.create_connection(("127.0.0.1", question["port"]), timeout=60) as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        reader = Reader(connection)
        handshake(connection, reader, question["port"])
        is_closed = False
        try:
            for chunk in question["chunks"]:
                connection.sendall(bytes.fromhex(chunk))
        except OSError:
            pass
        try:
            while len(answers) < question["wanted"]:
                is_final, kind, payload = reader.frame()
                if kind in ("close", "ping", "pong"):
                    answers.append(shown(kind, payload))
                    if kind == "close" and not is_closed:
                        is_closed = True
                        connection.sendall(masked(8, payload))
                        if question.get("hangUp"):
                            connection.shutdown(socket.SHUT_WR)
                    continue
                kind_of_message = kind if kind != "continuation" else kind_of_message
                message += payload
                if is_final:
                    answers.append(shown(kind_of_message, message))
                    message = b""
        except EOFError:
            answers.append("end")
        except TimeoutError:
            answers.append("silence")
        except OSError:
            answers.append("reset")
    return answers


if __name__ == "__main__":
    for line in open(sys.argv[1], encoding="utf-8"):
        print(json.dumps(answer(json.loads(line)), ensure_ascii=True))
