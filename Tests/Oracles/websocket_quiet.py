"""An idle WebSocket client, and how long a server keeps it.

A request is {"port": … or "path": …, "answers": "full" | "empty" | "pings" | "text" | "part" |
"nothing", "pings": how many pings of the server to wait for}. With "full", the client answers pings as
the protocol requires; with "empty", by empty pongs; with "pings", by empty pings of its own; with
"text", by messages; with "part", by parts of one message that does not end. With "unread": true, it
looks at what the server sends, but leaves it in the socket, as the system sees it.
The client closes after that many pings. The answer is the payloads of the pings as text,
then "kept", or the code with which the server closed.
"""

import json
import pathlib
import socket
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from websocket_frames import Reader, handshake, masked


class Unread:
    """Receives without removing anything from the socket."""

    # Missing in Python's module: each look continues where the last one ended.
    SO_PEEK_OFF = 42

    def __init__(self, connection):
        self.connection = connection
        connection.setsockopt(socket.SOL_SOCKET, self.SO_PEEK_OFF, 0)

    def recv(self, count):
        return self.connection.recv(count, socket.MSG_PEEK)


def fragment(payload, is_first):
    """A part of a text, which is not its last."""
    return bytes([1 if is_first else 0]) + masked(1, payload)[1:]


def answer(question):
    pings = []
    if "path" in question:
        connection = socket.socket(socket.AF_UNIX)
        connection.settimeout(60)
        connection.connect(question["path"])
    else:
        connection = socket.create_connection(("127.0.0.1", question["port"]), timeout=60)
    with connection:
        reader = Reader(Unread(connection) if question.get("unread") else connection)
        handshake(connection, reader, question.get("port", 0))
        while len(pings) < question["pings"]:
            _, kind, payload = reader.frame()
            if kind == "close":
                return pings + [int.from_bytes(payload[:2], "big")]
            if kind != "ping":
                continue
            pings.append(payload.decode())
            match question["answers"]:
                case "full":
                    connection.sendall(masked(10, payload))
                case "empty":
                    connection.sendall(masked(10, b""))
                case "pings":
                    connection.sendall(masked(9, b""))
                case "text":
                    connection.sendall(masked(1, b"still here"))
                case "part":
                    connection.sendall(fragment(b"still here", is_first=len(pings) == 1))
    return pings + ["kept"]


for line in open(sys.argv[1], encoding="utf-8"):
    print(json.dumps(answer(json.loads(line))))
