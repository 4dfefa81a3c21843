"""A small app to test time travel with: its reducer, its schema, and its events."""

import copy

import jsonpatch

MAIN = "0b9f3c52-6d1e-4c7a-9a57-1f2e3d4c5b6a"
OTHER = MAIN[:-1] + "b"

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
    """The reducer: the state after an event, and the error if it throws."""
    state = copy.deepcopy(state)
    [(name, payload)] = happened.items()
    if name == "added":
        count = payload.get("count", 1)
        if count > 1000:
            return None, "trap"
        state["items"][payload["id"]] = state["items"].get(payload["id"], 0) + count
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
    """The events of the recording."""
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
    """Entries with their states and outputs."""

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


def orders():
    """A machine with the same paths, whose values change differently."""
    header = recorded().header | {
        "timeline": OTHER, "machine": {"type": "Shop.Orders", "name": "orders", "kind": "states"}}
    timeline = Timeline(header, {"items": {}, "orders": 0, "token": "", "total": 0})
    for _ in range(4):
        timeline.add(event("checkedOut"))
    return timeline
