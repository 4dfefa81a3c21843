"""A daemon that a test holds in its hands: it speaks docs/protocol.md, runs one small reducer, and
can be told to be slow, to refuse, or to let another inspector take control."""

import asyncio
import base64
import copy
import http
import json
import mimetypes
import os
import struct
import threading
import uuid

import jsonpatch
from websockets.asyncio.server import serve
from websockets.datastructures import Headers
from websockets.http11 import Response

ROOT = os.path.realpath(os.path.join(os.path.dirname(__file__), "..", "..", ".."))
MAIN = "0b9f3c52-6d1e-4c7a-9a57-1f2e3d4c5b6a"

SCHEMA = {
    "type": "Shop.Event", "encoding": "keyed", "complete": True,
    "cases": [
        {"name": "added", "swift": "added", "payload": [
            {"key": "id", "label": "id", "kind": "string"},
            {"key": "count", "label": "count", "kind": "int"},
            {"key": "gift", "label": "gift", "kind": "bool"},
            {"key": "note", "label": "note", "kind": "optional", "element": {"kind": "string"}},
            {"key": "tags", "label": "tags", "kind": "array", "element": {"kind": "string"}},
            {"key": "size", "label": "size", "kind": "enum", "type": "Shop.Size"},
            {"key": "way", "label": "way", "kind": "enum", "type": "Shop.Way"}]},
        {"name": "removed", "payload": [{"key": "id", "label": "id", "kind": "string"}]},
        {"name": "checkedOut", "payload": []},
        {"name": "signedIn", "payload": [{"key": "token", "label": "token", "kind": "string"}]},
    ],
    "types": {
        "Shop.Size": {"kind": "enum", "values": ["small", "large"]},
        "Shop.Way": {"kind": "enum", "cases": [
            {"name": "pickup", "payload": []},
            {"name": "delivery", "payload": [{"key": "days", "label": "days", "kind": "int"}]}]},
    },
}


def event(name, **payload):
    return {name: payload}


def added(id, count):
    return event("added", id=id, count=count, gift=False, tags=[], size="small",
                 way={"pickup": {}})


def reduce(state, happened):
    """The reducer: what the state is after an event, and the error when it throws."""
    state = copy.deepcopy(state)
    [(name, payload)] = happened.items()
    if name == "added":
        if payload["count"] > 1000:
            return None, "trap"
        state["items"][payload["id"]] = state["items"].get(payload["id"], 0) + payload["count"]
    elif name == "removed":
        if payload["id"] not in state["items"]:
            return state, "ShopError.noSuchItem"
        del state["items"][payload["id"]]
    elif name == "checkedOut":
        state["orders"] += 1
        state["items"] = {}
    elif name == "signedIn":
        state["token"] = payload["token"]
    state["total"] = sum(state["items"].values())
    return state, None


def outputs_of(state):
    outputs = {"badge": state["total"]}
    if state["total"] > 8:
        outputs["showDiscount"] = True
    return outputs


def script(count):
    """What happens in the recording."""
    for seq in range(1, count):
        if seq == 5:
            yield event("signedIn", token="")
        elif seq % 11 == 0:
            yield event("checkedOut")
        elif seq % 7 == 0:
            yield event("removed", id="pear")
        else:
            yield added(["apple", "pear", "plum"][seq % 3], 1 + seq % 4)


class Timeline:
    """Entries with all that they led to."""

    def __init__(self, header, first, outputs=None):
        self.header = header
        self.lines = [{"seq": 0, "t": 0, "state": first,
                       "outputState": outputs_of(first) if outputs is None else outputs}]
        self.states = [first]
        self.name = None
        self.extra = {}
        self.marks = {}

    def add(self, happened, **rest):
        before = self.states[-1]
        state, error = reduce(before, happened)
        if state is None:
            self.extra["ended"] = "trap"
            return False
        line = {"seq": len(self.lines), "t": self.lines[-1]["t"] + 120_000, "event": happened,
                "patch": jsonpatch.make_patch(before, state).patch} | rest
        outputs = jsonpatch.make_patch(outputs_of(before), outputs_of(state)).patch
        if outputs:
            line["outputs"] = outputs
        if error:
            line["error"] = error
        self.lines.append(line)
        self.states.append(state)
        return True

    def moment(self, seq):
        return {"event": self.lines[seq].get("event"), "state": self.states[seq],
                "outputs": outputs_of(self.states[seq])}

    def summary(self):
        last = len(self.lines) - 1
        return {"header": self.header, "entries": len(self.lines), "first": 0, "last": last,
                "durable": last, "bytes": 1000, "duration": self.lines[-1]["t"]} | (
                    {"name": self.name} if self.name else {}) | self.extra | {
                        "marks": [{"seq": s, "text": t} for s, t in self.marks.items()]}


class Refusal(Exception):
    def __init__(self, code, message, **rest):
        super().__init__(message)
        self.answer = {"type": "error", "code": code, "message": message} | rest


def recorded(count=60, live=True):
    header = {"timeline": MAIN, "app": {"name": "Shop", "pid": 77},
              "machine": {"type": "Shop.Cart", "name": "cart", "kind": "states", "make": "Cart()"},
              "started": "2026-05-01T08:00:00Z", "schema": SCHEMA,
              "outputs": {"badge": "ui", "showDiscount": "navigation"}, "format": 1}
    timeline = Timeline(header, {"items": {}, "orders": 0, "token": "", "total": 0})
    for seq, happened in enumerate(script(count), 1):
        rest = {"origin": "app", "at": f"Shop.swift:{seq}"}
        if seq == 5:
            rest["redacted"] = {"/event/signedIn/token": "9f2c", "/state/token": "9f2c"}
        if seq % 4 == 2:
            rest["cause"] = seq - 1
        timeline.add(happened, **rest)
    timeline.extra = {"live": True, "controllable": True} if live else {}
    return timeline


class StandIn:
    """The daemon; `with StandIn() as daemon`, the page is at `daemon.address`."""

    def __init__(self, timelines=None, hosts=None, capabilities=None):
        self.timelines = {one.header["timeline"]: one for one in timelines or [recorded()]}
        self.hosts = [{"name": "Shop", "place": "process", "makes": ["Cart()"]}] \
            if hosts is None else hosts
        self.capabilities = capabilities or ["look", "change", "control", "host"]
        self.sockets = {}
        self.asked = []
        self.slow = {}
        self.refuse = {}
        self.thinned = set()
        self.held = None

    def __enter__(self):
        self.loop = asyncio.new_event_loop()
        ready = threading.Event()
        self.thread = threading.Thread(target=self.run, args=(ready,), daemon=True)
        self.thread.start()
        ready.wait(10)
        return self

    def run(self, ready):
        asyncio.set_event_loop(self.loop)

        async def main():
            self.stopped = asyncio.Event()
            async with serve(self.serve, "127.0.0.1", 0, process_request=self.page,
                             subprotocols=["inspector.v1"], max_size=None) as server:
                self.server = server
                self.address = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/"
                ready.set()
                await self.stopped.wait()

        self.loop.run_until_complete(main())
        self.loop.close()

    def __exit__(self, *_):
        for task in asyncio.all_tasks(self.loop):
            if task.get_coro().__name__ in ("grow", "answer"):
                self.loop.call_soon_threadsafe(task.cancel)
        self.loop.call_soon_threadsafe(self.stopped.set)
        self.thread.join(10)

    def page(self, _, request):
        if request.headers.get("Upgrade", "").lower() == "websocket":
            return None
        path = os.path.join(ROOT, "web", request.path.split("?")[0].lstrip("/") or "index.html")
        if not os.path.isfile(path):
            return Response(404, "Not Found", Headers(), b"")
        with open(path, "rb") as file:
            body = file.read()
        kind = mimetypes.guess_type(path)[0] or "text/plain"
        return Response(http.HTTPStatus.OK.value, "OK", Headers(
            [("Content-Type", kind), ("Content-Length", str(len(body))),
             ("Cache-Control", "no-store")]), body)

    async def serve(self, socket):
        self.sockets[socket] = None
        try:
            async for frame in socket:
                message = json.loads(frame)
                if message["type"] == "hello":
                    await self.say(socket, {
                        "type": "welcome", "version": "1.0", "daemon": "0.1.0", "session": "s",
                        "capabilities": self.capabilities, "maxMessage": 1 << 20})
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
            for step in range(self.slow.get(kind, 0)):
                await self.say(socket, {"type": "progress", "re": message["id"], "done": step * 100,
                                        "of": self.slow[kind] * 100, "message": "Replaying"})
                await asyncio.sleep(0.1)
                if any(one["type"] == "cancel" and one["request"] == message["id"]
                       for one in self.asked):
                    return
            if kind in self.refuse:
                raise self.refuse[kind]
            reply = await getattr(self, "do_" + kind)(socket, message)
        except Refusal as refusal:
            reply = refusal.answer
        if isinstance(reply, bytes):
            return await socket.send(reply)
        await self.say(socket, (reply or {"type": "done"}) | {"re": message["id"]})

    async def say(self, socket, message):
        await socket.send(json.dumps(message))

    async def tell(self, message):
        for socket in list(self.sockets):
            await self.say(socket, message)

    def now(self, coroutine):
        """Runs something of the daemon's from the test."""
        return asyncio.run_coroutine_threadsafe(coroutine, self.loop).result(10)

    def of(self, kind):
        """What was asked for of one type."""
        return [message for message in self.asked if message["type"] == kind]

    def timeline(self, message, key="timeline"):
        found = self.timelines.get(message[key])
        if not found:
            raise Refusal("not-found", "There is no such timeline.")
        return found

    async def do_timelines(self, *_):
        return {"type": "timelines", "timelines": [one.summary() for one in self.timelines.values()]}

    async def do_watch(self, socket, message):
        if "timeline" in message and "stop" not in message:
            await self.tell_control(message["timeline"])

    async def do_hosts(self, *_):
        return {"type": "hosts", "hosts": self.hosts}

    async def do_entries(self, _, message):
        lines = self.timeline(message).lines
        chosen = lines[message["from"]:]
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

    async def do_changes(self, *_):
        return {"type": "changes", "changes": []}

    async def do_find(self, *_):
        return {"type": "find", "seqs": [], "unknownCount": 0}

    async def do_column(self, _, message):
        return {"type": "column", "from": message["from"], "columns": [[] for _ in message["paths"]]}

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

    async def do_fork(self, _, message):
        parent = self.timeline(message)
        through = message.get("through", len(parent.lines) - 1)
        order = list(range(through + 1))
        first = parent.states[0]
        new = {}
        for index, edit in enumerate(message["edits"]):
            at = lambda seq: len(order) if seq > through else order.index(seq)
            try:
                if "drop" in edit:
                    low, high = edit["drop"] if isinstance(edit["drop"], list) else [edit["drop"]] * 2
                    for seq in range(low, high + 1):
                        order.remove(seq)
                elif "replace" in edit:
                    order.index(edit["replace"])
                    new[edit["replace"]] = edit["event"]
                elif "insert" in edit:
                    order.insert(at(edit["before"]), edit["insert"])
                elif "append" in edit:
                    order.append(edit["append"])
                elif "move" in edit:
                    order.remove(edit["move"])
                    order.insert(at(edit["before"]), edit["move"])
                elif "cut" in edit:
                    del order[at(edit["cut"]) + 1:]
                elif "start" in edit:
                    del order[:at(edit["start"]["seq"])]
                    first = parent.states[order[0]]
            except ValueError:
                raise Refusal("wrong-value", "The entry does not take part.", at=index)
        start = next((place for place, what in enumerate(order)
                      if what != place or what in new), len(order))
        header = parent.header | {"timeline": str(uuid.uuid4()), "started": "2026-05-02T08:00:00Z",
                                  "parent": {"timeline": message["timeline"], "through": through,
                                             "start": start, "edits": message["edits"],
                                             "name": message.get("name", "")}}
        branch = Timeline(header, first)
        plan = []
        for what in order[1:]:
            was = what if isinstance(what, int) else None
            plan.append((new.get(what, parent.lines[what]["event"]) if was is not None else what,
                         {"was": was} if was is not None and len(plan) + 1 >= start else
                         {} if was is not None else {"origin": "inspector"}))
        self.timelines[header["timeline"]] = branch
        asyncio.ensure_future(self.grow(branch, plan, start))
        return {"type": "fork", "timeline": header["timeline"], "start": start,
                "parent": message["timeline"]}

    async def grow(self, branch, plan, start):
        """Computes a branch: all at once, or in steps that can be watched."""
        steps = self.slow.get("branch", 0)
        every = max(1, len(plan) // steps) if steps else len(plan) + 1
        for place, (happened, rest) in enumerate(plan, 1):
            if not branch.add(happened, **rest):
                break
            if steps and place >= start and place % every == 0:
                branch.extra["computing"] = len(branch.lines) - 1
                await self.tell({"type": "timeline", "timeline": branch.summary()})
                await asyncio.sleep(0.15)
        branch.extra.pop("computing", None)
        await self.tell({"type": "timeline", "timeline": branch.summary()})

    async def do_rename(self, _, message):
        timeline = self.timeline(message)
        timeline.name = message["name"]
        await self.tell({"type": "timeline", "timeline": timeline.summary()})

    async def do_delete(self, _, message):
        below = [id for id, one in self.timelines.items()
                 if one.header.get("parent", {}).get("timeline") == message["timeline"]]
        if below and not message.get("cascade"):
            raise Refusal("conflict", "It has branches.")
        for id in below:
            await self.do_delete(_, {"timeline": id, "cascade": True})
        del self.timelines[message["timeline"]]
        await self.tell({"type": "gone", "timeline": message["timeline"]})

    async def do_mark(self, _, message):
        timeline = self.timeline(message)
        if "text" in message:
            timeline.marks[message["seq"]] = message["text"]
        else:
            timeline.marks.pop(message["seq"], None)
        await self.tell({"type": "timeline", "timeline": timeline.summary()})

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

    async def do_minimise(self, socket, message):
        reply = await self.do_fork(socket, {
            "timeline": message["timeline"], "edits": [{"drop": [2, 30]}], "name": "the fewest"})
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
        await self.tell({"type": "hosts", "hosts": self.hosts})

    # Control.

    async def tell_control(self, timeline, why=None):
        for socket in list(self.sockets):
            held = self.held if self.held and self.held["timeline"] == timeline else None
            message = {"type": "control", "timeline": timeline}
            if held:
                message |= {"held": True, "policy": held["policy"], "queued": held["queued"],
                            "holder": held["holder"]}
                if held["socket"] is socket:
                    message["yours"] = True
            elif why:
                message["why"] = why
            await self.say(socket, message)

    async def release(self, why):
        timeline, self.held = self.held["timeline"], None
        await self.tell_control(timeline, why)

    def lease(self, socket, message):
        if not self.held or self.held["socket"] is not socket or \
                self.held["lease"] != message["lease"]:
            raise Refusal("conflict", "The machine is not held by this lease.")
        return self.held

    async def do_hold(self, socket, message):
        if "lease" in message:
            self.lease(socket, message)
            return {"type": "done", "lease": message["lease"]}
        if self.held and not message.get("take"):
            raise Refusal("conflict", "The machine is held by another. To fix, take it over.")
        self.held = {"timeline": message["timeline"], "policy": message["policy"], "queued": 0,
                     "socket": socket, "lease": uuid.uuid4().hex, "holder": "Chromium on Debian"}
        await self.tell_control(message["timeline"])
        return {"type": "done", "lease": self.held["lease"]}

    async def queue(self, count):
        self.held["queued"] = count
        await self.tell_control(self.held["timeline"])

    async def do_resume(self, socket, message):
        self.lease(socket, message)
        await self.release("It was let go.")

    async def do_step(self, socket, message):
        held = self.lease(socket, message)
        await self.happen(held["timeline"], event("checkedOut"))
        await self.queue(held["queued"] - 1)

    async def do_dispatch(self, socket, message):
        held = self.lease(socket, message)
        return {"type": "done", "seq": await self.happen(held["timeline"], message["event"])}

    async def do_restore(self, socket, message):
        held = self.lease(socket, message)
        timeline = self.timelines[held["timeline"]]
        state = self.timelines[message["from"]["timeline"]].states[message["from"]["seq"]]
        timeline.lines.append({"seq": len(timeline.lines), "t": timeline.lines[-1]["t"] + 50_000,
                               "restored": message["from"], "state": state, "patch": []})
        timeline.states.append(state)
        await self.grew(timeline)
        return {"type": "done", "seq": len(timeline.lines) - 1}

    async def happen(self, id, happened):
        timeline = self.timelines[id]
        timeline.add(happened, origin="inspector")
        await self.grew(timeline)
        return len(timeline.lines) - 1

    async def grew(self, timeline):
        line = timeline.lines[-1]
        shown = {key: value for key, value in line.items() if key not in ("state", "outputState")}
        await self.tell({"type": "live", "timeline": timeline.header["timeline"],
                         "last": line["seq"], "t": line["t"], "durable": line["seq"],
                         "from": line["seq"], "entries": [shown]})

    async def do_cancel(self, *_):
        return None
