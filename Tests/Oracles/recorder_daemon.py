"""A daemon for recorders, written from docs/protocol.md with the library websockets.

It stores each timeline as DIR/<id>.timeline and acknowledges what it has written there. On request it
misbehaves: with a seed it drops connections, delays and repeats acknowledgments, sends wrong ones,
gives little credit, and sends nonsense; or it accepts only so many entries per second; or it deletes the first
timeline. It prints "ready" and the port, and then every violation of the protocol by a recorder.
"""

import argparse
import asyncio
import hashlib
import hmac
import json
import os
import random
import secrets
import ssl
import sys

import websockets
from websockets.asyncio.server import serve, unix_serve

MAX_MESSAGE = 16 << 20


class Timeline:
    """One timeline: the lines that are written, and those that are not yet."""

    def __init__(self, directory, name):
        self.path = os.path.join(directory, f"{name}.timeline")
        self.header, self.durable, self.pending, self.closed = None, -1, [], None
        if os.path.exists(self.path):
            with open(self.path, encoding="utf-8") as lines:
                self.header = lines.readline().rstrip("\n")
                for line in lines:
                    self.durable = json.loads(line)["seq"]

    @property
    def last(self):
        return self.pending[-1][0] if self.pending else self.durable

    def append(self, entry):
        """Adds an entry; returns the message of the refusal if it is not allowed."""
        seq, expected = entry["seq"], self.last + 1
        if seq < expected:
            return None
        lost = entry.get("gap", {}).get("lost", 0)
        if seq != expected + lost:
            return f"{seq} follows {self.last} with a gap of {lost}"
        text = json.dumps(entry, separators=(",", ":"), ensure_ascii=False)
        self.pending.append((seq, text))
        return None

    def commit(self):
        if self.pending:
            with open(self.path, "a", encoding="utf-8") as file:
                if self.durable < 0 and file.tell() == 0:
                    file.write(self.header + "\n")
                file.writelines(text + "\n" for _, text in self.pending)
            self.durable = self.pending[-1][0]
            self.pending = []
        return self.durable


class Daemon:
    def __init__(self, options):
        self.options = options
        self.random = random.Random(options.chaos)
        self.timelines = {}
        self.secret = None
        if options.secret:
            with open(options.secret, "rb") as file:
                self.secret = file.read()

    def complain(self, words):
        print("complaint:", words, flush=True)

    def chance(self, probability):
        return self.options.chaos is not None and self.random.random() < probability

    def timeline(self, name):
        if name not in self.timelines:
            self.timelines[name] = Timeline(self.options.directory, name)
        return self.timelines[name]

    def proof(self, end, nonces):
        text = f"states-debugger/1 {end} {' '.join(nonces)}"
        return hmac.new(self.secret, text.encode(), hashlib.sha256).hexdigest()

    async def send(self, socket, **message):
        await socket.send(json.dumps(message))

    async def greet(self, socket):
        """The handshake; returns the names of the recorder's timelines, or None."""
        hello = json.loads(await socket.recv())
        if self.options.version:
            await self.send(socket, type="welcome", version=self.options.version, credit=1,
                           maxMessage=MAX_MESSAGE, durable={})
            return None
        if self.secret is not None:
            if set(hello) - {"type", "version", "nonce"}:
                self.complain(f"the first hello says {sorted(hello)}")
            nonces = [hello["nonce"], secrets.token_hex(16)]
            await self.send(socket, type="challenge", nonce=nonces[1],
                           proof=self.proof("daemon", nonces))
            hello = json.loads(await socket.recv())
            if not hmac.compare_digest(hello.get("proof", ""), self.proof("recorder", nonces)):
                await socket.close(4001, "That proves nothing.")
                return None
        return hello.get("timelines", [])

    async def serve(self, socket):
        if self.chance(0.2):
            await socket.close(1001, "Not today.")
            return
        if self.options.stall == "hello":
            await asyncio.Event().wait()
        names = await self.greet(socket)
        if names is None:
            return
        for name in names:
            # Unwritten entries are lost, as in a crash.
            self.timelines.pop(name, None)
        self.credit = self.random.choice([4_000, 100_000]) if self.chance(1) else 8 << 20
        if self.options.pace:
            self.credit = 200_000
        durable = {name: self.timeline(name).durable for name in names}
        await self.send(socket, type="welcome", version="1.0", credit=self.credit,
                       maxMessage=MAX_MESSAGE,
                       durable={n: None if d < 0 else d for n, d in durable.items()})
        if self.options.stall == "append":
            await asyncio.Event().wait()
        opened, waiting, count = set(), set(), 0
        async for frame in socket:
            count += 1
            if not isinstance(frame, str):
                self.complain("a binary frame")
            message = json.loads(frame)
            await self.receive(socket, frame, message, opened, waiting)
            if self.chance(0.01):
                await socket.send('{"type":"sing","id":7}')
            if self.chance(0.01):
                await asyncio.sleep(self.random.uniform(0, 0.2))
            if self.chance(0.02):
                break
            if self.chance(0.5):
                continue
            await self.acknowledge(socket, waiting)

    async def receive(self, socket, frame, message, opened, waiting):
        kind, name = message["type"], message.get("timeline")
        if kind == "open":
            header = message["header"]
            opened.add(header["timeline"])
            self.timeline(header["timeline"]).header = json.dumps(header, separators=(",", ":"))
        elif kind == "append":
            if self.credit <= 0:
                self.complain("an append beyond the credit")
            if self.options.most is not None and len(message["entries"]) > self.options.most:
                self.complain(f"an append of {len(message['entries'])} entries")
            self.credit -= len(frame.encode())
            if name not in opened:
                self.complain(f"an append to {name} without open")
                return
            for entry in message["entries"]:
                wrong = self.timeline(name).append(entry)
                if wrong:
                    self.complain(wrong)
            waiting.add(name)
            if self.options.delete is not None and self.timeline(name).last >= self.options.delete:
                self.options.delete = None
                await self.send(socket, type="gone", timeline=name)
            if self.options.pace:
                # It gives no credit meanwhile, so that the recorder has to keep its entries.
                await asyncio.sleep(len(message["entries"]) / self.options.pace)
            if self.credit < 50_000:
                more = 200_000 - min(0, self.credit)
                self.credit += more
                await self.send(socket, type="credit", bytes=more)
        elif kind == "close":
            self.timeline(name).closed = message.get("gap") or {}
            print("closed:", name, json.dumps(message.get("gap")), flush=True)
        elif kind != "error":
            self.complain(f"a message of type {kind}")

    async def acknowledge(self, socket, waiting):
        for name in sorted(waiting):
            durable = self.timeline(name).commit()
            if self.chance(0.02):
                durable += 1_000_000
            for _ in range(2 if self.chance(0.1) else 1):
                await self.send(socket, type="ack", timeline=name, durable=durable)
            if self.chance(0.01):
                await self.send(socket, type="ack", timeline=name, durable=0)
        waiting.clear()


async def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("directory")
    parser.add_argument("--socket")
    parser.add_argument("--secret")
    parser.add_argument("--chaos", type=int)
    parser.add_argument("--stall", choices=["hello", "append"])
    parser.add_argument("--pace", type=int, help="entries a second")
    parser.add_argument("--most", type=int, help="entries in an append")
    parser.add_argument("--delete", type=int, help="the last entry before it deletes a timeline")
    parser.add_argument("--version")
    parser.add_argument("--certificate")
    parser.add_argument("--key")
    options = parser.parse_args()
    daemon = Daemon(options)

    async def handle(socket):
        try:
            await daemon.serve(socket)
        except websockets.ConnectionClosed:
            pass

    common = {"subprotocols": ["recorder.v1"], "max_size": MAX_MESSAGE, "compression": None}
    if options.socket:
        if os.path.exists(options.socket):
            os.unlink(options.socket)
        server = await unix_serve(handle, options.socket, **common)
        port = 0
    else:
        if options.certificate:
            common["ssl"] = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            common["ssl"].load_cert_chain(options.certificate, options.key)
        server = await serve(handle, "127.0.0.1", 0, **common)
        port = server.sockets[0].getsockname()[1]
    print("ready", port, flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    # The parent process holds the other end of standard input: when that closes, this process ends.
    import threading

    def watch():
        sys.stdin.buffer.read()
        os._exit(0)

    threading.Thread(target=watch, daemon=True).start()
    asyncio.run(main())
