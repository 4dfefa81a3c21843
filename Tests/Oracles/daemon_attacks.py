"""Attacks a daemon with raw sockets and with the library `websockets`.

Each input line is an object: the port, the socket, and the name of an attack. Each output line is the
result, in words.
"""

import asyncio
import base64
import json
import os
import socket
import struct
import sys

import websockets


def raw(port, text, wait=3.0):
    """The status line of the response, and its headers in lower case."""
    with socket.create_connection(("127.0.0.1", port), timeout=wait) as client:
        client.sendall(text if isinstance(text, bytes) else text.encode())
        data = b""
        try:
            while b"\r\n\r\n" not in data:
                more = client.recv(65536)
                if not more:
                    break
                data += more
        except TimeoutError:
            return "silence", {}
        except ConnectionError:
            pass
    head = data.split(b"\r\n\r\n")[0].decode("latin-1").split("\r\n")
    if not head[0]:
        return "closed", {}
    headers = {}
    for line in head[1:]:
        name, _, value = line.partition(":")
        headers[name.strip().lower()] = value.strip()
    return head[0].split(" ")[1], headers


def upgrade(port, host=None, origin=None, path="/", protocol="inspector.v1", extra=""):
    host = f"127.0.0.1:{port}" if host is None else host
    lines = [f"GET {path} HTTP/1.1", "Upgrade: websocket", "Connection: Upgrade"]
    if host:
        lines.append(f"Host: {host}")
    if origin is not None:
        lines.append(f"Origin: {origin}")
    lines.append("Sec-WebSocket-Key: " + base64.b64encode(os.urandom(16)).decode())
    lines.append("Sec-WebSocket-Version: 13")
    if protocol:
        lines.append(f"Sec-WebSocket-Protocol: {protocol}")
    return raw(port, "\r\n".join(lines) + "\r\n" + extra + "\r\n")[0]


def compression(port):
    """How the daemon answers an offer of compression."""
    _, headers = raw(
        port,
        f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\n"
        "Connection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
        "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: inspector.v1\r\n"
        "Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits\r\n\r\n",
    )
    return headers.get("sec-websocket-extensions", "none")


def get(port, path="/", host=None, method="GET", extra=""):
    host = f"127.0.0.1:{port}" if host is None else host
    head = f"{method} {path} HTTP/1.1\r\n" + (f"Host: {host}\r\n" if host else "")
    return raw(port, head + "Connection: close\r\n" + extra + "\r\n")


WANTED = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
}


def headers_of(port, **options):
    """Problems with the headers of a response."""
    status, headers = get(port, **options)
    wrong = [name for name, value in WANTED.items() if headers.get(name) != value]
    policy = headers.get("content-security-policy", "")
    for part in ["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'"]:
        if part not in policy:
            wrong.append(part)
    for name in headers:
        if name.startswith("access-control") or name == "set-cookie":
            wrong.append(name)
    return f"{status} {' '.join(wrong)}".strip()


async def talk(port, frames, protocol="inspector.v1", **options):
    """Sends frames; returns the code of the last error, or of the close."""
    async with websockets.connect(
        f"ws://127.0.0.1:{port}/", subprotocols=[protocol], origin=None, max_size=None, **options
    ) as client:
        heard = []
        try:
            for frame in frames:
                await client.send(frame)
            while True:
                message = json.loads(await asyncio.wait_for(client.recv(), 60))
                heard.append(message.get("code") or message["type"])
        except websockets.ConnectionClosed as closed:
            received = closed.rcvd
            heard.append(str(received.code if received else 1006))
        except TimeoutError:
            heard.append("silence")
        return " ".join(heard)


def frames(port, *parts, protocol="inspector.v1"):
    """Sends raw bytes after an upgrade; returns the code with which the daemon closes."""
    key = base64.b64encode(os.urandom(16)).decode()
    head = (
        f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\n"
        f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n"
        f"Sec-WebSocket-Protocol: {protocol}\r\n\r\n"
    )
    with socket.create_connection(("127.0.0.1", port), timeout=60) as client:
        client.sendall(head.encode())
        data = b""
        while b"\r\n\r\n" not in data:
            data += client.recv(65536)
        data = data.split(b"\r\n\r\n", 1)[1]
        try:
            for part in parts:
                client.sendall(part)
            while not (code := close_code(data)):
                more = client.recv(65536)
                if not more:
                    break
                data += more
        except ConnectionError:
            code = close_code(data)
    return code or "closed"


def close_code(data):
    """The code of the close frame in these frames, if there is one."""
    while len(data) >= 2:
        length, start = data[1] & 127, 2
        if length == 126 and len(data) >= 4:
            length, start = struct.unpack(">H", data[2:4])[0], 4
        if data[0] & 15 == 8 and len(data) >= 4:
            return str(struct.unpack(">H", data[start : start + 2])[0])
        data = data[start + length :]
    return None


def masked(opcode, payload):
    mask = b"\1\2\3\4"
    size = len(payload)
    head = bytes([0x80 | opcode])
    if size < 126:
        head += bytes([0x80 | size])
    elif size < 65536:
        head += bytes([0x80 | 126]) + struct.pack(">H", size)
    else:
        head += bytes([0x80 | 127]) + struct.pack(">Q", size)
    body = bytes(byte ^ mask[index & 3] for index, byte in enumerate(payload))
    return head + mask + body


HELLO = '{"type":"hello","version":"1.0"}'


def attack(name, port, path):
    evil = "evil.example"
    run = lambda *said, **options: asyncio.run(talk(port, list(said), **options))
    attacks = {
        "own name": lambda: upgrade(port),
        "own origin": lambda: upgrade(port, origin=f"http://127.0.0.1:{port}"),
        "another name": lambda: upgrade(port, host=f"{evil}:{port}"),
        "another port": lambda: upgrade(port, host="127.0.0.1:80"),
        "no port": lambda: upgrade(port, host="127.0.0.1"),
        "another address": lambda: upgrade(port, host=f"127.0.0.2:{port}"),
        "a longer name": lambda: upgrade(port, host=f"localhost.{evil}:{port}"),
        "two names": lambda: upgrade(port, extra=f"Host: {evil}\r\n"),
        "a zero in the name": lambda: upgrade(port, host=f"127.0.0.1\0:{port}"),
        "a zero before the name": lambda: upgrade(port, host=f"\0127.0.0.1:{port}"),
        "another name after a zero": lambda: upgrade(port, host=f"127.0.0.1:{port}\0.{evil}"),
        "no name": lambda: upgrade(port, host=""),
        "name for the page": lambda: get(port, host=f"{evil}:{port}")[0],
        "no name for the page": lambda: get(port, host="")[0],
        "name in the request line": lambda: get(port, path=f"http://{evil}/", host=evil)[0],
        "origin null": lambda: upgrade(port, origin="null"),
        "another origin": lambda: upgrade(port, origin=f"http://{evil}"),
        "origin of another port": lambda: upgrade(port, origin="http://127.0.0.1:1"),
        "origin with a tail": lambda: upgrade(port, origin=f"http://127.0.0.1:{port}.{evil}"),
        "two origins": lambda: upgrade(
            port, origin=f"http://127.0.0.1:{port}", extra=f"Origin: http://{evil}\r\n"),
        "offered compression": lambda: compression(port),
        "another path": lambda: upgrade(port, path="/socket"),
        "no subprotocol": lambda: upgrade(port, protocol=None),
        "another subprotocol": lambda: upgrade(port, protocol="chat"),
        "POST": lambda: get(port, method="POST", extra="Content-Length: 0\r\n")[0],
        "OPTIONS": lambda: get(port, method="OPTIONS")[0],
        "headers of the page": lambda: headers_of(port),
        "headers of a miss": lambda: headers_of(port, path="/none.js"),
        "headers of a refusal": lambda: headers_of(port, host=evil),
        "path upwards": lambda: get(port, path="/../../../../etc/passwd")[0],
        "escaped path upwards": lambda: get(port, path="/%2e%2e/%2e%2e/%2e%2e/etc/passwd")[0],
        "absolute path": lambda: get(port, path="//etc/passwd")[0],
        "a link": lambda: get(port, path="/link")[0],
        "a hidden file": lambda: get(port, path="/.hidden")[0],
        "the secret": lambda: get(port, path="/recorder.secret")[0],
        "a huge header": lambda: get(port, extra="X: " + "x" * 200_000 + "\r\n")[0],
        "many headers": lambda: get(
            port, extra="".join(f"X{i}: y\r\n" for i in range(20_000)))[0],
        "no code": lambda: run(HELLO),
        "a wrong code": lambda: run(
            '{"type":"hello","version":"1.0","key":"c9","nonce":"' + "ab" * 16 + '"}'),
        "a wrong session": lambda: run(
            '{"type":"hello","version":"1.0","key":"s9","nonce":"' + "ab" * 16 + '"}'),
        "a question first": lambda: run('{"type":"timelines","id":1}'),
        "a newer version": lambda: run('{"type":"hello","version":"9.0"}'),
        "no proof": lambda: run(HELLO, protocol="recorder.v1"),
        "a wrong proof": lambda: run(
            '{"type":"hello","version":"1.0","nonce":"' + "ab" * 16 + '"}',
            '{"type":"hello","version":"1.0","proof":"' + "ab" * 32 + '"}',
            protocol="recorder.v1"),
        "silence": lambda: run(),
        "not JSON": lambda: run("hello"),
        "deep nesting": lambda: run("[" * 50_000),
        "a long number": lambda: run('{"type":"hello","version":' + "1" * 10_000 + "}"),
        "duplicate keys": lambda: run('{"type":"hello","type":"hello","version":"1.0"}'),
        "a binary frame": lambda: run(b"\0\1"),
        "too long": lambda: run("x" * (1 << 20) + "x"),
        "too long for a stranger": lambda: run("x" * ((64 << 10) + 1)),
        "too long for a strange recorder": lambda: run(
            "x" * ((64 << 10) + 1), protocol="recorder.v1"),
        "announced too long": lambda: frames(
            port, b"\x81\xff" + struct.pack(">Q", 1 << 40) + b"\1\2\3\4", b"x" * 1000),
        "negative length": lambda: frames(
            port, b"\x81\xff" + struct.pack(">Q", (1 << 64) - 1) + b"\1\2\3\4"),
        "not masked": lambda: frames(port, b"\x81\x05hello"),
        "not UTF-8": lambda: frames(port, masked(1, b"\xff\xfe")),
        "an unknown opcode": lambda: frames(port, masked(3, b"x")),
        "a long ping": lambda: frames(port, masked(9, b"x" * 200)),
        "modes": lambda: " ".join(
            f"{entry}={os.stat(os.path.join(path, entry)).st_mode & 0o777:o}"
            for entry in [".", "recorder.secret", "run", "run/recorder.sock", "timelines.sqlite"]),
        "still there": lambda: headers_of(port),
    }
    return attacks[name]()


for line in open(sys.argv[1], encoding="utf-8"):
    asked = json.loads(line)
    try:
        print(attack(asked["attack"], asked["port"], asked["data"]), flush=True)
    except Exception as error:  # The exception is the result.
        print(f"{type(error).__name__}: {error}".replace("\n", " "), flush=True)
