"""Control of a live app, as a daemon keeps it: one lease, and every inspector is notified of its holder."""

import uuid

from refusal import Refusal
from shop import event


class Holding:
    """The part of the stand-in that holds apps. A subclass has `sockets`, `timelines`, `held`,
    `paused`, `send`, `broadcast`."""

    async def send_control(self, timeline, why=None):
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
            await self.send(socket, message)

    async def release(self, why):
        timeline, self.held = self.held["timeline"], None
        await self.send_control(timeline, why)

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
            raise Refusal("conflict", "The machine is held by another. To fix, take over control.")
        self.held = {"timeline": message["timeline"], "policy": message["policy"], "queued": 0,
                     "socket": socket, "lease": uuid.uuid4().hex, "holder": "Chromium on Debian"}
        await self.send_control(message["timeline"])
        return {"type": "done", "lease": self.held["lease"]}

    async def queue(self, count):
        self.held["queued"] = count
        await self.send_control(self.held["timeline"])

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

    async def do_capture(self, _, message):
        if message.get("allow") == []:
            self.paused.add(message["timeline"])
        else:
            self.paused.discard(message["timeline"])

    async def happen(self, id, happened):
        timeline = self.timelines[id]
        if id in self.paused:
            return len(timeline.lines) - 1
        timeline.add(happened, origin="inspector")
        await self.grew(timeline)
        return len(timeline.lines) - 1

    async def grew(self, timeline):
        line = timeline.lines[-1]
        shown = {key: value for key, value in line.items() if key not in ("state", "outputState")}
        await self.broadcast({"type": "live", "timeline": timeline.header["timeline"],
                         "last": line["seq"], "t": line["t"], "durable": line["seq"],
                         "from": line["seq"], "entries": [shown]})
