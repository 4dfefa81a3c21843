"""Branches, as a daemon computes them: edits of a timeline, rerun by the stand-in's reducer."""

import asyncio
import uuid

from refusal import Refusal
from shop import Timeline


class Branching:
    """The part of the stand-in that makes branches. A subclass has `loop`, `slow`, `timelines`,
    `may_go_on`, `timeline`, `broadcast`."""

    def stall(self):
        """Branches that are computed step by step wait after a step, until `go_on`."""
        self.loop.call_soon_threadsafe(self.may_go_on.clear)

    def go_on(self):
        self.loop.call_soon_threadsafe(self.may_go_on.set)

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
        if "failure" in message:
            header["parent"]["failure"] = message["failure"]
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
                await self.broadcast({"type": "timeline", "timeline": branch.summary()})
                await asyncio.sleep(0.15 if self.slow.get("branch") else 0)
                await self.may_go_on.wait()
        branch.extra.pop("computing", None)
        await self.broadcast({"type": "timeline", "timeline": branch.summary()})
