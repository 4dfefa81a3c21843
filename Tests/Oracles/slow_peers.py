"""Slow recorders, and many recorders.

A line `{"socket":…,"connections":n}` opens n connections that send a message byte by byte for two
seconds; `{"socket":…,"recorders":n}` has n recorders write twenty entries each at the same time;
`{"socket":…,"beyond":n}` connects n times to a daemon that has reached its limit of connections.
"""

import asyncio
import base64
import json
import os
import socket
import struct
import sys
import time
import uuid

import websockets

HELLO = b'{"type":"hello","version":"1.0"}'


def masked(opcode, payload):
    head = bytes([0x80 | opcode, 0x80 | 126]) + struct.pack(">H", len(payload)) + b"\0\0\0\0"
    return head + payload


def trickle(path, count):
    """Sends a hello, announces 16 MB, and sends one byte of it now and then."""
    peers = []
    for _ in range(count):
        client = socket.socket(socket.AF_UNIX)
        client.settimeout(60)
        client.connect(path)
        key = base64.b64encode(os.urandom(16)).decode()
        client.sendall(
            (
                "GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n"
                f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\n"
                "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: recorder.v1\r\n\r\n"
            ).encode()
        )
        data = b""
        while b"\r\n\r\n" not in data:
            data += client.recv(4096)
        client.sendall(masked(1, HELLO))
        client.recv(4096)
        client.sendall(b"\x81\xff" + struct.pack(">Q", 16_000_000) + b"\0\0\0\0")
        peers.append(client)
    deadline = time.monotonic() + 2
    while time.monotonic() < deadline:
        for client in peers:
            client.sendall(b"x")
        time.sleep(0.05)
    alive = 0
    for client in peers:
        client.setblocking(False)
        try:
            alive += 1 if client.recv(1) else 0
        except BlockingIOError:
            alive += 1
        client.close()
    return f"{alive} still open"


def beyond(path, count):
    """Connects beyond the limit; returns how many were refused."""
    away = 0
    for _ in range(count):
        with socket.socket(socket.AF_UNIX) as client:
            client.settimeout(60)
            try:
                client.connect(path)
                client.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
                away += 0 if client.recv(4096) else 1
            except ConnectionError:
                away += 1
    return f"{away} sent away"


async def record(path):
    async with websockets.unix_connect(
        path, "ws://localhost/", subprotocols=["recorder.v1"], compression=None
    ) as client:
        name = str(uuid.uuid4())
        header = {
            "timeline": name,
            "app": {"name": "many"},
            "machine": {"type": "A.B", "name": "b"},
            "started": "2026-05-01T08:00:00Z",
            "format": 1,
        }
        await client.send(HELLO.decode())
        await client.recv()
        await client.send(json.dumps({"type": "open", "header": header}))
        for seq in range(20):
            entry = {"seq": seq, "t": seq}
            if seq == 0:
                entry["state"] = {"n": 0}
            else:
                entry["event"] = {"add": {}}
                entry["patch"] = [{"op": "replace", "path": "/n", "value": seq}]
            await client.send(
                json.dumps({"type": "append", "timeline": name, "entries": [entry]})
            )
        while True:
            message = json.loads(await asyncio.wait_for(client.recv(), 60))
            if message["type"] == "error":
                return 0
            if message["type"] == "ack" and message["durable"] == 19:
                return 1


async def many(path, count):
    return sum(await asyncio.gather(*(record(path) for _ in range(count))))


for line in open(sys.argv[1], encoding="utf-8"):
    asked = json.loads(line)
    if "connections" in asked:
        print(trickle(asked["socket"], asked["connections"]), flush=True)
    elif "beyond" in asked:
        print(beyond(asked["socket"], asked["beyond"]), flush=True)
    else:
        done = asyncio.run(many(asked["socket"], asked["recorders"]))
        print(f"{done} acknowledged", flush=True)
