"""Generated timeline files for the browser tests."""

import json

TIMELINE = "0b9f3c52-6d1e-4c7a-9a57-1f2e3d4c5b6a"

HEADER = {
    "timeline": TIMELINE,
    "app": {"name": "Commute", "pid": 4121},
    "machine": {"type": "Commute.MyCommuteState", "name": "favorites", "kind": "states"},
    "started": "2026-05-01T08:00:00Z",
    "outputs": {"isLoading": "ui", "syncFavorites": "data"},
    "lanes": {"tapped": "user", "loaded": "network", "failed": "network"},
    "format": 1,
}

# Recorded text that tries to be markup, to break out of its line, and to reverse the text around it.
HOSTILE = '<img src=x onerror="window.hacked=1">\u202e<script>window.hacked=1</script>'


def lines(count):
    """Entries of a small app: taps that change a favorite, a failure, a gap, a stand-in."""
    state = {"favorites": [{"id": "bus-7", "on": False}, {"id": "tram-2", "on": True}],
             "big": 9007199254740993, "title": HOSTILE, "token": "", "n": 0}
    outputs = {"isLoading": False}
    yield {"seq": 0, "t": 0, "state": state, "outputState": outputs}
    seq = 0
    for step in range(1, count):
        seq += 1
        entry = {"seq": seq, "t": step * 10_000, "origin": "app", "at": f"Commute.swift:{step % 90}",
                 "redacted": {"/state/token": "9f2c"}}
        if step == 40:
            seq += 37
            entry |= {"seq": seq, "event": {"loaded": {}}, "state": state, "outputState": outputs,
                      "gap": {"lost": 37, "why": "the outbox was full"}}
        elif step % 3 == 0:
            state["favorites"][0]["on"] = not state["favorites"][0]["on"]
            entry |= {"event": {"tapped": {"id": "bus-7", "on": state["favorites"][0]["on"]}},
                      "patch": [{"op": "replace", "path": "/favorites/0/on",
                                 "value": state["favorites"][0]["on"]}]}
        elif step % 10 == 1:
            entry |= {"event": {"failed": {"_0": HOSTILE}}, "patch": [], "error": HOSTILE}
        else:
            state["n"] = step
            entry |= {"event": {"loaded": {"n": step}}, "cause": seq - 1 if step != 41 else None,
                      "patch": [{"op": "replace", "path": "/n", "value": step}],
                      "outputs": [{"op": "replace", "path": "/isLoading", "value": step % 2 == 0}]}
            if entry["cause"] is None:
                del entry["cause"]
        yield json.loads(json.dumps(entry))


def header(number, name, **keys):
    """A header like the one above, for another timeline."""
    machine = HEADER["machine"] | {"name": name}
    return HEADER | {"timeline": TIMELINE[:-1] + str(number), "machine": machine} | keys


def thinned(count, first, last):
    """Entries of a counter; the states of a range were not captured."""
    yield {"seq": 0, "t": 0, "state": {"n": 0}}
    for seq in range(1, count):
        entry = {"seq": seq, "t": seq * 10_000, "event": {"ticked": {}}}
        if seq == last + 1:
            entry["state"] = {"n": seq}
        elif not first <= seq <= last:
            entry["patch"] = [{"op": "replace", "path": "/n", "value": seq}]
        yield entry


def write(path, count, tail="", header=HEADER, entries=None):
    """Writes a file of so many entries, and perhaps the beginning of one more."""
    with open(path, "w", encoding="utf-8") as file:
        for line in [header, *(lines(count) if entries is None else entries)]:
            file.write(json.dumps(line, ensure_ascii=False) + "\n")
        file.write(tail)
    return path
