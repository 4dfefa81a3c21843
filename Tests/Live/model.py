"""Random timelines, and the expected answers about them: computed naively, and checked by `jsonpatch`."""

import copy
import json
import random
import uuid

import jsonpatch
import jsonpointer

WORDS = ["flip", "tick", "typed", "loaded", "a b", "größe", "x/y", "m~n"]
KEYS = ["count", "items", "user", "a/b", "m~n", "ü", ""]


def dumps(value):
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


class World:
    """A timeline that is generated entry by entry."""

    def __init__(self, seed, name="coin", app="Live"):
        self.random = random.Random(seed)
        self.id = str(uuid.UUID(int=self.random.getrandbits(128), version=4))
        self.header = {
            "timeline": self.id,
            "app": {"name": app, "pid": 1},
            "machine": {"type": "Live.Coin", "name": name, "kind": "states"},
            "started": "2026-05-01T08:00:00Z",
            "outputs": {"side": "ui", "sync": "data"},
            "format": 1,
        }
        self.lines = []
        self.entries = []
        self.moments = []
        self.state = {"count": 0, "items": [], "user": {"name": "x"}}
        self.outputs = {"side": "Heads"}
        self.known = False
        self.t = 0
        self.seq = -1

    def grow(self, count):
        """Adds entries; returns their lines."""
        return [self.step() for _ in range(count)]

    def step(self):
        chance = self.random
        entry = {"seq": self.seq + 1, "t": self.t}
        if self.seq >= 0 and chance.random() < 0.01:
            lost = chance.randint(1, 5)
            entry["seq"] += lost
            entry["gap"] = {"lost": lost, "why": "the outbox was full"}
            self.known = False
            for _ in range(lost):
                self.moments.append(None)
                self.entries.append(None)
        if self.seq >= 0:
            self.t += chance.randint(0, 5000)
            entry["t"] = self.t
            name = chance.choice(WORDS)
            entry["event"] = name if chance.random() < 0.3 else {name: {"_0": self.value(2)}}
        before = (copy.deepcopy(self.state), copy.deepcopy(self.outputs))
        if self.seq >= 0:
            self.change()
        thinned = self.seq >= 0 and chance.random() < 0.03
        if thinned:
            self.known = False
        else:
            if self.known:
                entry["patch"] = self.patch(before[0], self.state)
                outputs = self.patch(before[1], self.outputs)
                if outputs:
                    entry["outputs"] = outputs
            if not self.known or chance.random() < 0.02:
                entry["state"] = copy.deepcopy(self.state)
                entry["outputState"] = copy.deepcopy(self.outputs)
            self.known = True
        if self.seq >= 0 and chance.random() < 0.02:
            entry["error"] = "it went wrong"
        if self.seq >= 0:
            entry["origin"] = chance.choice(["app", "timer", "loop:search"])
        self.seq = entry["seq"]
        self.entries.append(entry)
        self.moments.append(
            None if thinned else {
                "state": copy.deepcopy(self.state), "outputs": copy.deepcopy(self.outputs)
            }
        )
        line = dumps(entry)
        self.lines.append(line)
        return line

    @staticmethod
    def patch(old, new):
        """A patch of only add, remove and replace, as in entries, and exact: in Python, `1 == True`."""
        patch = jsonpatch.make_patch(old, new).patch
        plain = all(operation["op"] in ("add", "remove", "replace") for operation in patch)
        if plain and same(jsonpatch.apply_patch(old, patch), new):
            return copy.deepcopy(patch)
        return [{"op": "replace", "path": "", "value": copy.deepcopy(new)}]

    def change(self):
        chance = self.random
        kind = chance.randrange(7)
        items = self.state.setdefault("items", [])
        if not isinstance(items, list):
            self.state["items"] = items = []
        if kind == 0:
            items.insert(chance.randint(0, len(items)), {"id": chance.randint(0, 9), "on": False})
        elif kind == 1 and items:
            items.pop(chance.randrange(len(items)))
        elif kind == 2 and items:
            items[chance.randrange(len(items))] = {"id": chance.randint(0, 9), "on": True}
        elif kind == 3:
            self.state["count"] = chance.choice([0, 1, 2, 2**53 + 1, -7, 1.5, None])
        elif kind == 4:
            self.state[chance.choice(KEYS)] = self.value(3)
            if chance.random() < 0.3:
                self.state.pop(chance.choice(KEYS), None)
        elif kind == 5:
            self.outputs["side"] = chance.choice(["Heads", "Tails"])
        if chance.random() < 0.1:
            self.outputs["sync"] = {}
        else:
            self.outputs.pop("sync", None)

    def value(self, depth):
        chance = self.random
        kind = chance.randrange(7 if depth else 5)
        return [
            lambda: chance.randint(-5, 5),
            lambda: chance.choice(["", "a", "<b>", "größe", "\u2028", "\\"]),
            lambda: None,
            lambda: chance.random() < 0.5,
            lambda: 2**60 + chance.randint(0, 9),
            lambda: [self.value(depth - 1) for _ in range(chance.randint(0, 3))],
            lambda: {chance.choice(KEYS): self.value(depth - 1) for _ in range(chance.randint(0, 3))},
        ][kind]()

    # The expected answers.

    def at(self, seq, path=""):
        """The value at a path after an entry; a missing one is `MISSING`."""
        value = self.moments[seq]
        for token in jsonpointer.JsonPointer(path).parts:
            # Not `resolve_pointer`, which finds letters in strings.
            if isinstance(value, dict) and token in value:
                value = value[token]
            elif isinstance(value, list) and token.isdecimal() and int(token) < len(value):
                value = value[int(token)]
            else:
                return MISSING
        return value

    def paths(self):
        """Paths that exist in some entry."""
        result = ["/state", "/outputs", "/outputs/side", "/outputs/sync", "/state/count"]
        for index in range(3):
            result += [f"/state/items/{index}", f"/state/items/{index}/on"]
        return result + ["/state/" + jsonpointer.escape(key) for key in KEYS]

    def changes(self, path):
        """The seqs at which a value changed, and those at which that is unknown."""
        changed, unknown = [], []
        for seq in range(1, len(self.moments)):
            if self.moments[seq] is None or self.moments[seq - 1] is None:
                unknown.append(seq)
            elif not same(self.at(seq, path), self.at(seq - 1, path)):
                changed.append(seq)
        return changed, unknown

    def name(self, seq):
        entry = self.entries[seq]
        event = entry.get("event") if entry else None
        return next(iter(event)) if isinstance(event, dict) else event


class Missing:
    def __repr__(self):
        return "missing"


MISSING = Missing()


def same(a, b):
    """Equal as JSON: true is not 1."""
    if a is MISSING or b is MISSING:
        return a is b
    return json.dumps(a, sort_keys=True) == json.dumps(b, sort_keys=True)
