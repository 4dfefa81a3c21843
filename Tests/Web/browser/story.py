"""A recording that looks like an afternoon with a real app, for pictures of the inspector."""

import json
import random

from recordings import HEADER

LANES = {
    "tappedFavorite": "user", "tappedRetry": "user", "activatedTab": "user",
    "requestedDepartures": "network", "loadedDepartures": "network", "failedSync": "network",
    "syncedFavorites": "network", "becameVisible": "lifecycle", "wentOffline": "lifecycle",
    "becameOnline": "lifecycle", "secondPassed": "timer",
}
WEIGHTS = [6, 2, 3, 5, 5, 1, 4, 2, 1, 1, 14]
OUTPUTS = {
    "syncFavorites": "data", "activeFavorites": "ui", "isLoading": "ui", "badge": "ui",
    "showStop": "navigation", "banner": "ui", "showError": "ui",
}


class App:
    """The recorded app: its state, its outputs, and how each event changes them."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.state = {
            "isOffline": False,
            "favorites": [
                {"id": "bus-7", "on": False, "departures": [12, 27, 42]},
                {"id": "tram-2", "on": True, "departures": [3, 9]},
                {"id": "train-S1", "on": False, "departures": []},
            ],
            "pendingSync": [], "retries": 2, "token": "", "feedback": None,
            "stops": [{"id": f"stop-{number}", "lines": ["7", "S1"]} for number in range(24)],
        }
        self.outputs = {"isLoading": False, "activeFavorites": 1, "badge": 2}

    def handle(self, name):
        """The event's payload, and the patches of the state and the outputs."""
        patch, outputs = [], []
        put = lambda path, value: patch.append({"op": "replace", "path": path, "value": value})
        give = lambda key, value: outputs.append(
            {"op": "replace" if key in self.outputs else "add", "path": f"/{key}", "value": value}
        ) or self.outputs.__setitem__(key, value)
        payload = {}
        place = self.random.randrange(3)
        favorite = self.state["favorites"][place]
        if name == "tappedFavorite":
            favorite["on"] = not favorite["on"]
            payload = {"id": favorite["id"], "on": favorite["on"]}
            self.state["pendingSync"] = [favorite["id"]]
            put(f"/favorites/{place}/on", favorite["on"])
            put("/pendingSync", [favorite["id"]])
            give("activeFavorites", sum(one["on"] for one in self.state["favorites"]))
            give("syncFavorites", [favorite["id"]])
        elif name == "syncedFavorites":
            payload = {"_0": 3}
            self.state["pendingSync"] = []
            put("/pendingSync", [])
            if self.outputs.pop("syncFavorites", None):
                outputs.append({"op": "remove", "path": "/syncFavorites"})
        elif name == "loadedDepartures":
            favorite["departures"] = sorted(self.random.sample(range(60), 3))
            payload = {"for": favorite["id"]}
            put(f"/favorites/{place}/departures", favorite["departures"])
            if self.outputs["isLoading"]:
                give("isLoading", False)
        elif name == "requestedDepartures":
            if not self.outputs["isLoading"]:
                give("isLoading", True)
        elif name == "failedSync":
            payload = {"_0": "timeout"}
            self.state["retries"] += 1
            put("/retries", self.state["retries"])
        elif name == "activatedTab":
            payload = {"index": self.random.randrange(4)}
        return payload, patch, outputs


def lines(count, seed=7):
    app = App(seed)
    yield {"seq": 0, "t": 0, "state": app.state, "outputState": app.outputs}
    seq = time = 0
    for step in range(1, count):
        seq += 1
        time += int(app.random.expovariate(1 / 6_000)) + app.random.choice([100, 900, 4_100, 33_000])
        name = app.random.choices(list(LANES), WEIGHTS)[0]
        payload, patch, outputs = app.handle(name)
        entry = {"seq": seq, "t": time, "event": {name: payload}}
        if step == count // 2:
            seq += 37
            time += 140_000
            entry |= {"seq": seq, "t": time, "state": app.state, "outputState": app.outputs,
                      "gap": {"lost": 37, "why": "the outbox was full for 1.4 s"}}
        else:
            if step % 200 == 0:
                entry |= {"state": app.state, "outputState": app.outputs}
            entry["patch"] = patch
            if outputs:
                entry["outputs"] = outputs
            if app.random.random() < 0.25 and step != count // 2 + 1:
                entry["cause"] = seq - 1
        if name == "failedSync" and app.random.random() < 0.5:
            entry["error"] = "SyncError.timeout(after: 30)"
        entry |= {"ns": app.random.randrange(300, 4_000), "origin": "app",
                  "at": f"Commute.swift:{app.random.randrange(20, 140)}",
                  "redacted": {"/state/token": "9f2c"}}
        yield json.loads(json.dumps(entry))


def write(path, count):
    header = HEADER | {"lanes": LANES, "outputs": OUTPUTS}
    with open(path, "w", encoding="utf-8") as file:
        for line in [header, *lines(count)]:
            file.write(json.dumps(line) + "\n")
    return path
