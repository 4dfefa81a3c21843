"""Sends requests without reading the responses, then sends one more and reads.

A request is {"port": …, "unread": how many}. The answer is {"read": the bytes of the body that were read,
"cut": how many of the other responses were cut off}.

With {"port": …, "trickle": true} it sends a body byte by byte: "ended" or "stays".
"""

import json
import select
import socket
import sys


def ask(port):
    client = socket.create_connection(("127.0.0.1", port), timeout=120)
    client.sendall(f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
    # The response has begun, so the next one comes later.
    begun = client.recv(8)
    return client, begun


def finish(client, begun):
    """The bytes of the body that arrived, and the length that was announced."""
    received = bytearray(begun)
    try:
        while piece := client.recv(1 << 20):
            received += piece
    except ConnectionError:
        pass
    client.close()
    head, _, body = bytes(received).partition(b"\r\n\r\n")
    announced = next(
        (int(line.split(b":")[1]) for line in head.split(b"\r\n")
         if line.lower().startswith(b"content-length")), -1)
    return len(body), announced


def trickle(port):
    """Sends a body byte by byte, for at most a minute: "ended" if the server closes, else "stays"."""
    with socket.create_connection(("127.0.0.1", port), timeout=60) as client:
        head = f"POST / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Length: 1000\r\n\r\n"
        client.sendall(head.encode())
        try:
            for _ in range(60):
                client.sendall(b"x")
                # The server gets a second to close.
                if select.select([client], [], [], 1)[0]:
                    return "ended" if client.recv(1) == b"" else "answered"
        except ConnectionError:
            return "ended"
        return "stays"


def answer(question):
    if question.get("trickle"):
        return trickle(question["port"])
    unread = [ask(question["port"]) for _ in range(question["unread"])]
    read, _ = finish(*ask(question["port"]))
    lengths = [finish(*asked) for asked in unread]
    return {"cut": sum(body < announced or announced < 0 for body, announced in lengths), "read": read}


for line in open(sys.argv[1], encoding="utf-8"):
    print(json.dumps(answer(json.loads(line))))
