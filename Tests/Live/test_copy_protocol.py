"""Copies between daemons by clients in Python: one that follows docs/protocol.md, and hostile ones."""

import base64
import hashlib
import subprocess
import tempfile
import unittest
import uuid

from copies import exported, key
from daemon import Daemon
from model import World
from peers import Inspector, Refused, recorded


def frame(text):
    """A zstd frame as the daemon makes it."""
    # A frame must state the size of its content, which zstd does not know of a pipe.
    with tempfile.NamedTemporaryFile() as file:
        file.write(text)
        file.flush()
        packed = subprocess.run(
            ["zstd", "-q", "-3", "-c", "--check", file.name], capture_output=True, check=True)
    return packed.stdout


def chunk(lines, first, **changes):
    text = "".join(line + "\n" for line in lines).encode()
    return {"first": first, "last": first + len(lines) - 1, "bytes": len(text),
            "data": base64.b64encode(frame(text)).decode()} | changes


class Protocol(unittest.TestCase):
    """A client that follows only docs/protocol.md, and one that does not."""

    def test_a_client_in_python_copies_a_timeline_in_parts_and_compares_digests(self):
        with Daemon() as laptop, Daemon() as team:
            world = recorded(laptop, count=400)
            access = key(team, "push")
            with Inspector(laptop.socket) as source, Inspector(
                address=f"ws://127.0.0.1:{team.port}/", session=access
            ) as target:
                manifest = source.ask("manifest", timeline=world.id)
                extent = {"first": manifest["first"], "last": manifest["last"]}
                self.assertNotIn("last", target.ask("offer", header=manifest["header"], **extent))
                copied = {}
                while copied.get("seq", -1) < manifest["last"]:
                    after = {"after": copied["seq"]} if copied else {}
                    for one in source.ask("fetch", timeline=world.id, **after)["chunks"]:
                        data = base64.b64decode(one["data"])
                        middle = len(data) // 2
                        for start, end in (0, middle), (middle, len(data)):
                            part = one | {"size": len(data), "offset": start, "data":
                                          base64.b64encode(data[start:end]).decode()}
                            copied = target.ask("deposit", timeline=world.id, chunks=[part])
                        self.assertEqual(copied["seq"], one["last"])
                offer = target.ask("offer", header=manifest["header"], **extent)
                self.assertEqual(offer["compared"], [manifest["first"], manifest["last"]])
                lines = "".join(line + "\n" for line in world.lines)
                self.assertEqual(offer["digest"], hashlib.sha256(lines.encode()).hexdigest())
            self.assertEqual(exported(team, world.id), exported(laptop, world.id))

    def test_hostile_requests_are_refused_and_change_nothing(self):
        with Daemon() as team:
            access = key(team, "push")
            world = World(8)
            good = ['{"seq":0,"t":0,"state":{"n":1}}', '{"seq":1,"t":1,"event":"a","patch":[]}']
            bomb = frame(b" " * (40 << 20))
            stranger = str(uuid.uuid4())
            parent = {"timeline": stranger, "through": 5, "start": 3, "edits": []}
            own = parent | {"timeline": world.id}
            hostile = [
                ("deposit", {"timeline": stranger, "chunks": [chunk(good, 0)]}),
                ("deposit", {"chunks": [chunk(good, 0, last=2)]}),
                ("deposit", {"chunks": [chunk(good, 0, bytes=1)]}),
                ("deposit", {"chunks": [chunk(good, 0, bytes=(1 << 53) - 1)]}),
                ("deposit", {"chunks": [chunk(good, 1)]}),
                ("deposit", {"chunks": [chunk(good, (1 << 53) - 2)]}),
                ("deposit", {"chunks": [chunk(good[1:], 0)]}),
                ("deposit", {"chunks": [chunk(good, 0, data="AAAA")]}),
                ("deposit", {"chunks": [chunk(good, 0, data="A")]}),
                ("deposit", {"chunks": [chunk(good, 0, size=(1 << 53) - 1)]}),
                ("deposit", {"chunks": [chunk(good, 0, size=9999, offset=5)]}),
                ("deposit", {"chunks": [chunk(good, 0, size=3)]}),
                ("deposit", {"chunks": [{"first": 0, "last": 0, "bytes": 40 << 20, "data":
                                         base64.b64encode(bomb).decode()}]}),
                ("deposit", {"chunks": [chunk(good, 0)] * 300}),
                ("deposit", {"chunks": [chunk(good, 0), chunk(good, 0)]}),
                ("finish", {"marks": [{"seq": 7, "text": "nowhere"}]}),
                ("finish", {"name": "n" * 2000}),
                ("finish", {"gap": {"lost": 0, "why": "nothing"}}),
                ("offer", {"header": world.header | {"timeline": "no"}}),
                ("offer", {"header": []}),
                ("offer", {"header": world.header, "first": 5, "last": 1}),
                ("offer", {"header": world.header, "first": 5}),
                ("offer", {"header": world.header | {"machine": {"type": "B", "name": "b"}}}),
                ("offer", {"header": world.header | {"timeline": stranger, "parent": own},
                           "shares": True}),
                ("offer", {"header": world.header | {"parent": own}, "shares": True}),
                ("offer", {"header": world.header | {"timeline": str(uuid.uuid4()),
                                                     "parent": parent}, "shares": True}),
                ("offer", {"header": world.header | {"timeline": str(uuid.uuid4())},
                           "shares": True}),
            ]
            with Inspector(
                address=f"ws://127.0.0.1:{team.port}/", session=access
            ) as inspector:
                inspector.ask("offer", header=world.header)
                for type, keys in hostile:
                    if type != "offer":
                        keys = {"timeline": world.id} | keys
                    with self.assertRaises(Refused, msg=str(keys)[:200]):
                        inspector.ask(type, **keys)
                done = inspector.ask("deposit", timeline=world.id, chunks=[chunk(good, 0)])
                self.assertEqual(done["seq"], 1)
                with self.assertRaises(Refused):
                    inspector.ask("deposit", timeline=world.id, chunks=[chunk(good, 0)])
            self.assertEqual(exported(team, world.id).count("\n"), 3)
            with Inspector(team.socket) as inspector:
                self.assertEqual(len(inspector.ask("timelines")["timelines"]), 1)
            self.assertIn("all is well", team.run("check").stdout)


if __name__ == "__main__":
    unittest.main()
