"""A daemon under a test's control: it follows docs/protocol.md, runs one small reducer, and can be
made slow, made to refuse requests, or made to give control to another inspector."""

import asyncio
import base64
import contextlib
import http
import json
import os
import struct
import sys
import threading

import jsonpatch
from websockets.asyncio.server import ServerConnection, serve
from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Response
from websockets.protocol import State

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "Live"))

from branching import Branching  # noqa: E402: the path above leads to some of these
from handshake import Keeper
from holding import Holding
from refusal import Refusal
from searching import Searching
from series import series, value_at
from served import file_at
from shop import Timeline, recorded


# The protocol's spelling of a request, and the method's.
SPELLED = {"minimise": "minimize"}


class StandIn(Branching, Holding, Searching):
    """The daemon; `with StandIn() as daemon`, the page is at `daemon.address`."""

    def __init__(self, timelines=None, hosts=None, capabilities=None):
        self.timelines = {one.header["timeline"]: one for one in timelines or [recorded()]}
        self.hosts = [{"name": "Shop", "place": "process", "makes": ["Cart()"]}] \
            if hosts is None else hosts
        self.capabilities = capabilities or ["look", "change", "control", "host"]
        self.keeper = Keeper()
        self.sockets = {}
        self.accepted = []
        self.asked = []
        self.slow = {}
        self.refuse = {}
        self.thinned = set()
        self.held = None
        self.paused = set()
        self.may_go_on = asyncio.Event()
        self.may_go_on.set()

    def __enter__(self):
        self.loop = asyncio.new_event_loop()
        ready = threading.Event()
        self.thread = threading.Thread(target=self.run, args=(ready,), daemon=True)
        self.thread.start()
        ready.wait(60)
        return self

    def run(self, ready):
        asyncio.set_event_loop(self.loop)

        async def main():
            self.stopped = asyncio.Event()
            async with serve(self.serve, "127.0.0.1", 0, process_request=self.page,
                             subprotocols=["inspector.v1"], max_size=None,
                             create_connection=self.accept, ping_interval=None) as server:
                self.server = server
                port = server.sockets[0].getsockname()[1]
                self.address = f"http://127.0.0.1:{port}/#code={Keeper.CODE}"
                ready.set()
                await self.stopped.wait()
                # Chromium keeps connections of files, and opens some in advance. The server would wait
                # ten seconds for each to end.
                for connection in self.accepted:
                    if connection.state is not State.OPEN and hasattr(connection, "transport"):
                        connection.transport.abort()

        self.loop.run_until_complete(main())
        self.loop.close()

    def __exit__(self, *_):
        for task in asyncio.all_tasks(self.loop):
            if task.get_coro().__name__ in ("grow", "answer"):
                self.loop.call_soon_threadsafe(task.cancel)
        self.loop.call_soon_threadsafe(self.stopped.set)
        self.thread.join(60)

    def accept(self, *arguments, **options):
        connection = ServerConnection(*arguments, **options)
        self.accepted.append(connection)
        return connection

    def page(self, _, request):
        if request.headers.get("Upgrade", "").lower() == "websocket":
            return None
        file, kind = file_at(request.path)
        if file is None:
            return Response(404, "Not Found", Headers(), b"")
        body = file.read_bytes()
        return Response(http.HTTPStatus.OK.value, "OK", Headers(
            [("Content-Type", kind), ("Content-Length", str(len(body))),
             ("Cache-Control", "no-store")]), body)

    async def serve(self, socket):
        self.sockets[socket] = None
        connection = {"host": socket.request.headers["Host"]}
        try:
            async for frame in socket:
                message = json.loads(frame)
                if message["type"] == "hello":
                    answer = self.keeper.answer(message, connection)
                    if answer["type"] == "welcome":
                        answer |= {"capabilities": self.capabilities, "maxMessage": 1 << 20}
                    await self.send(socket, answer)
                    continue
                self.asked.append(message)
                asyncio.ensure_future(self.answer(socket, message))
        finally:
            del self.sockets[socket]
            if self.held and self.held["socket"] is socket:
                await self.release("Its inspector left.")

    async def answer(self, socket, message):
        kind = message["type"]
        try:
            # As long as the test keeps it slow.
            step = 0
            while step < (steps := self.slow.get(kind, 0)):
                await self.send(socket, {"type": "progress", "re": message["id"], "done": step * 100,
                                        "of": steps * 100, "message": "Replaying"})
                await asyncio.sleep(0.1)
                step += 1
                if any(one["type"] == "cancel" and one["request"] == message["id"]
                       for one in self.asked):
                    return
            if kind in self.refuse:
                raise self.refuse[kind]
            reply = await getattr(self, "do_" + SPELLED.get(kind, kind))(socket, message)
        except Refusal as refusal:
            reply = refusal.answer
        if isinstance(reply, bytes):
            return await self.send_bytes(socket, reply)
        await self.send(socket, (reply or {"type": "done"}) | {"re": message["id"]})

    async def send(self, socket, message):
        await self.transmit(socket, json.dumps(message))

    async def send_bytes(self, socket, frame):
        await self.transmit(socket, frame)

    @staticmethod
    async def transmit(socket, frame):
        # A page that reloads no longer waits for its answers.
        with contextlib.suppress(ConnectionClosed):
            await socket.send(frame)

    async def broadcast(self, message):
        for socket in list(self.sockets):
            await self.send(socket, message)

    def now(self, coroutine):
        """Runs a coroutine of the daemon from the test."""
        return asyncio.run_coroutine_threadsafe(coroutine, self.loop).result(60)

    def of(self, kind):
        """The requests of one type."""
        return [message for message in self.asked if message["type"] == kind]

    def timeline(self, message, key="timeline"):
        found = self.timelines.get(message[key])
        if not found:
            raise Refusal("not-found", "There is no such timeline.")
        return found

    async def do_timelines(self, *_):
        # A copy: a test may add one meanwhile.
        return {"type": "timelines",
                "timelines": [one.summary() for one in list(self.timelines.values())]}

    async def do_watch(self, socket, message):
        if "timeline" in message and "stop" not in message:
            await self.send_control(message["timeline"])

    async def do_hosts(self, *_):
        return {"type": "hosts", "hosts": self.hosts}

    async def do_entries(self, _, message):
        lines = self.timeline(message).lines
        chosen = lines[message["from"]:]
        if message.get("direction") == "backward":
            chosen = lines[message["from"]::-1]
        if message.get("filter", "").startswith("cause >= "):
            least = int(message["filter"].split()[-1])
            chosen = [line for line in chosen if line.get("cause", -1) >= least]
        elif message.get("filter") == "error != null":
            chosen = [line for line in chosen if "error" in line]
        elif "filter" in message:
            chosen = []
        shown = [{key: value for key, value in line.items() if key not in ("state", "outputState")}
                 for line in chosen[:message["count"]]]
        rest = chosen[message["count"]:]
        return {"type": "entries", "timeline": message["timeline"], "entries": shown} | (
            {"next": rest[0]["seq"]} if rest else {})

    async def do_state(self, _, message):
        timeline, seq = self.timeline(message), message["seq"]
        computed = (message["timeline"], seq) in self.thinned
        if computed and not message.get("compute"):
            raise Refusal("thinned", "It was not captured.")
        value = timeline.moment(seq)
        for token in message.get("path", "").split("/")[1:]:
            value = value[token] if isinstance(value, dict) else value[int(token)]
        return {"type": "state", "timeline": message["timeline"], "seq": seq, "value": value} | (
            {"computed": True} if computed else {})

    async def do_compute(self, _, message):
        self.thinned -= {(message["timeline"], seq)
                         for seq in range(message["from"], message["to"] + 1)}

    async def do_raw(self, _, message):
        return {"type": "raw", "timeline": message["timeline"],
                "entry": self.timeline(message).lines[message["seq"]]}

    async def do_diff(self, _, message):
        a, b = [self.timelines[message[side]["timeline"]].moment(message[side]["seq"])
                for side in ("a", "b")]
        del a["event"], b["event"]
        return {"type": "diff", "patch": jsonpatch.make_patch(a, b).patch}

    async def do_filters(self, *_):
        return {"type": "filters", "filters": []}

    async def do_changes(self, *_):
        return {"type": "changes", "changes": []}

    async def do_find(self, *_):
        return {"type": "find", "seqs": [], "unknownCount": 0}

    async def do_column(self, _, message):
        timeline, first = self.timeline(message), message["from"]
        end = min(first + message["count"], len(timeline.lines))
        return {"type": "column", "from": first, "columns": [
            [value_at(timeline.moment(seq), path) for seq in range(first, end)]
            for path in message["paths"]]}

    async def do_series(self, _, message):
        timeline = self.timeline(message)
        return {"type": "series", "through": len(timeline.lines) - 1,
                "paths": [series(timeline.lines, timeline.moment, path, message)
                          for path in message["paths"]]}

    async def do_overview(self, _, message):
        lines, buckets = self.timeline(message).lines, message["buckets"]
        size = message["to"] - message["from"] + 1
        counts = [[0] * buckets for _ in range(6)]
        for line in lines:
            place = (line[message["by"]] - message["from"]) * buckets // size
            if 0 <= place < buckets:
                counts[0][place] += 1
                counts[5][place] += 1
                counts[1][place] += "error" in line
        head = json.dumps({"type": "overview", "re": message["id"], "timeline": message["timeline"],
                           "by": message["by"], "from": message["from"], "to": message["to"],
                           "buckets": buckets, "lanes": ["events"]})
        head += " " * (-len(head) % 4)
        return struct.pack("<I", len(head)) + head.encode() + b"".join(
            struct.pack(f"<{buckets}I", *column) for column in counts)

    async def do_rename(self, _, message):
        timeline = self.timeline(message)
        timeline.name = message["name"]
        await self.broadcast({"type": "timeline", "timeline": timeline.summary()})

    async def do_delete(self, _, message):
        below = [id for id, one in list(self.timelines.items())
                 if one.header.get("parent", {}).get("timeline") == message["timeline"]]
        if below and not message.get("cascade"):
            raise Refusal("conflict", "It has branches.")
        for id in below:
            await self.do_delete(_, {"timeline": id, "cascade": True})
        del self.timelines[message["timeline"]]
        await self.broadcast({"type": "gone", "timeline": message["timeline"]})

    async def do_mark(self, _, message):
        timeline = self.timeline(message)
        if "text" in message:
            timeline.marks[message["seq"]] = message["text"]
        else:
            timeline.marks.pop(message["seq"], None)
        await self.broadcast({"type": "timeline", "timeline": timeline.summary()})

    async def do_compare(self, _, message):
        a, b = self.timeline(message), self.timeline(message, "with")
        origins = [{line.get("was", seq): seq for seq, line in enumerate(side.lines)
                    if "was" in line or "parent" not in side.header
                    or seq < side.header["parent"]["start"]} for side in (a, b)]
        pairs = [(origins[0][was], seq) for was, seq in origins[1].items() if was in origins[0]]
        unequal = [(x, y) for x, y in pairs if a.states[x] != b.states[y]]
        reply = {"type": "compare", "equal": len(pairs) - len(unequal), "differing": len(unequal)}
        if unequal:
            x, y = unequal[0]
            reply |= {"a": {"timeline": message["timeline"], "seq": x},
                      "b": {"timeline": message["with"], "seq": y},
                      "paths": [{"path": "/state/total", "entries": len(unequal)}]}
        return reply

    async def do_verify(self, _, message):
        if message.get("processes", 1) > 1:
            return {"type": "verify", "outcome": "impure", "entries": 12, "seq": 12,
                    "patch": [{"op": "replace", "path": "/state/total", "value": 20}]}
        return {"type": "verify", "outcome": "same", "entries": len(self.timeline(message).lines)}

    async def do_minimize(self, socket, message):
        reply = await self.do_fork(socket, {
            "timeline": message["timeline"], "failure": message["predicate"], "name": "the fewest",
            "edits": [{"cut": message.get("through", 58)}, {"drop": [2, 30]}]})
        return {"type": "minimise", "timeline": reply["timeline"], "events": 3, "runs": 212,
                "minimal": True}

    async def do_export(self, _, message):
        text = {"swift-testing": 'import Testing\n\n// It replays.\n@Test("cart")\nfunc cart() '
                                 'throws {\n  #expect(try replay("cart.timeline") == 12)\n}\n',
                "json": '{"events":[1,true,null,"x"]}\n'}.get(message["format"], "seq,t\n0,0\n")
        return {"type": "export", "name": f"Cart.{message['format']}", "media": "text/plain",
                "offset": 0, "data": base64.b64encode(text.encode()).decode()}

    async def do_host(self, _, message):
        if not os.path.basename(message["executable"]).startswith("Shop"):
            raise Refusal("failed", f"There is no file {message['executable']}.")
        self.hosts = [{"name": "Shop", "place": "process", "makes": ["Cart()"]}]
        await self.broadcast({"type": "hosts", "hosts": self.hosts})

    async def do_cancel(self, *_):
        return None
