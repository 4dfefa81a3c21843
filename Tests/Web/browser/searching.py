"""What the stand-in for the daemon finds out about a recording."""


class Searching:
    async def do_explore(self, socket, message):
        events = [{"added": {"id": 1, "cents": 0}}, {"removed": {"id": 1}}]
        reply = await self.do_fork(socket, {
            "timeline": message["timeline"], "edits": [{"append": event} for event in events],
            "name": "found: 2 events"})
        return {"type": "explore", "end": "found", "states": 73, "sent": 136, "depth": 3,
                "findings": [
                    {"cause": "predicate", "events": events, "timeline": reply["timeline"],
                     "minimal": True},
                    {"cause": "trap", "events": events[1:], "message": "signal 5"}],
                "events": [{"name": "added", "sent": 50, "effects": 50, "failures": 0},
                           {"name": "removed", "sent": 86, "effects": 9, "failures": 1}],
                "missing": ["imported"], "edges": 3, "untaken": ["root/open --lock--> root/closed"]}

    async def do_explain(self, _, message):
        first = {"seq": message["seq"], "name": "removed", "event": {"removed": {"id": 1}}}
        second = {"seq": 2, "name": "discounted", "event": {"discounted": {"cents": 50}},
                  "at": "Basket.swift:41"}
        return {"type": "explain", "since": 7, "entries": [first, second],
                **{key: message[key] for key in ("predicate",) if key in message},
                "links": [{"from": 1, "to": 0, "reason": "earlier", "path": "outputs.total",
                           "label": "inferred"}],
                "values": [{"path": "outputs.total", "value": -50, "before": 450,
                            "seq": message["seq"], "label": "recorded"}],
                "healthy": {"timeline": "7c1d2e3f-4a5b-4c6d-8e7f-901a2b3c4d5e", "entry": second, "label": "inferred"},
                **({"fewest": {"entries": [second, first], "minimal": True, "label": "inferred"}}
                   if message.get("fewest") else {}),
                "missing": ["More values or causes led to it than are listed."]}
