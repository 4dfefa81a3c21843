#!/usr/bin/env python3
"""A host in Python, written only from docs/protocol.md. Requires only Python 3.9.

    host.py vending.timeline            writes a recording of the machine below
    debugd import vending.timeline      gives the recording to the daemon
    debugd host Examples/host.py        lets the daemon run the machine's reducer

Then `debugd fork vending --drop 2`, `verify`, `minimize` and `compare` work as for a Swift app.
"""

import collections
import copy
import itertools
import json
import os
import queue
import resource
import sys
import threading
import time

# The machine: any function of a state and an event.

MAKE = "vending()"
START = {"cents": 0, "tea": 2, "served": 0}


class Refused(Exception):
    """An error that the reducer throws on purpose. Any other exception is a crash."""


class Undecodable(Exception):
    """An event that this version of the machine does not have."""


def reduce(state, event):
    if isinstance(event, dict) and list(event) == ["insert"]:
        state["cents"] += event["insert"]["cents"]
    elif event == "tea":
        if state["cents"] < 80:
            raise Refused(f"tea costs 80, and there are {state['cents']}")
        state["cents"] -= 80
        state["tea"] -= 1  # The bug: it does not check whether any is left.
        state["served"] += 1
    elif event == "refund":
        state["cents"] = 0
    elif event == "kick":
        state["served"] //= state["cents"]
    else:
        raise Undecodable(f"no event of this machine looks like {text(event)}")


def outputs(state):
    return {"display": f"{state['cents']} cents", "isEmpty": state["tea"] <= 0}


# The same for every host.


def text(value):
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def patch(old, new):
    """A JSON Patch from one object to another, member by member."""
    path = {key: "/" + key.replace("~", "~0").replace("/", "~1") for key in {**old, **new}}
    return [{"op": "remove", "path": path[key]} for key in old if key not in new] + [
        {"op": "replace" if key in old else "add", "path": path[key], "value": value}
        for key, value in new.items() if key not in old or text(old[key]) != text(value)
    ]


class Run:
    """The machine during one request: a state, and steps that make entries."""

    def __init__(self, state):
        self.state, self.spent = copy.deepcopy(START if state is None else state), None

    def first(self):
        """Entry 0, which has no event."""
        return {"seq": 0, "t": 0, **self.full()}

    def full(self):
        return {"state": copy.deepcopy(self.state), "outputState": outputs(self.state)}

    def step(self, seq, step, is_wanted=True):
        """Runs a step; returns its entry if it is wanted."""
        old, shown = copy.deepcopy(self.state), outputs(self.state)
        error = None
        if "event" in step:
            try:
                reduce(self.state, step["event"])
            except Refused as problem:
                self.state, error = old, str(problem)
        else:
            self.state = copy.deepcopy(step["state"])
        if not is_wanted:
            return None
        copied = ("event", "was", "t", "cause", "origin", "at")
        entry = {"seq": seq, **{key: step[key] for key in copied if key in step}}
        entry["patch"], changed = patch(old, self.state), patch(shown, outputs(self.state))
        if changed:
            entry["outputs"] = changed
        if error is not None:
            entry["error"] = error
        if "event" not in step:
            entry["jump"] = True
        # A keyframe at first, and again when the patches since the last are as long as the state.
        size = len(text(entry["patch"])) + len(text(changed))
        self.spent = None if self.spent is None else self.spent + size
        if self.spent is None or self.spent >= len(text(self.full())) or "event" not in step:
            entry.update(self.full())
            self.spent = 0
        return entry


class Limits:
    """The limits of a request, checked between two steps."""

    def __init__(self, request, canceled):
        self.id, self.canceled = request["id"], canceled
        self.until = time.monotonic() + request.get("milliseconds", 10_000) / 1000
        self.bytes = request.get("bytes", 1 << 30) + self.memory()

    @staticmethod
    def memory():
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024

    def check(self):
        if self.id in self.canceled:
            raise InterruptedError
        if time.monotonic() > self.until or self.memory() > self.bytes:
            raise TimeoutError("the request exceeded its limit of time or memory")


def ended(seq, problem):
    """Why there is no entry with this seq, from the exception."""
    why = {Undecodable: "undecodable", TimeoutError: "limit"}.get(type(problem), "trap")
    return {"why": why, "seq": seq, "message": f"{type(problem).__name__}: {problem}"}


# Entries and approximate bytes in one reply: a line has a limit.
PART, PART_BYTES = 500, 1 << 20


def answer_reduce(request, limits, send):
    run, answer = Run(request.get("state")), {}
    # Entry 0 comes before any step; the first step makes entry 1.
    entries, first = ([], request["seq"]) if request["seq"] else ([run.first()], 1)
    size = 0
    for seq, step in enumerate(request["steps"], first):
        try:
            limits.check()
            entry = run.step(seq, step, seq - first >= request.get("quiet", 0))
        except InterruptedError:
            raise
        except Exception as problem:
            answer["ended"] = ended(seq, problem)
            break
        entries += [entry] if entry else []
        size += len(text(entry))
        if len(entries) >= PART or size >= PART_BYTES:
            send({"type": "reduced", "re": request["id"], "entries": entries, "more": True})
            entries, size = [], 0
    if request.get("snapshot") and "ended" not in answer:
        answer.update(run.full())
    send({"type": "reduced", "re": request["id"], "entries": entries, **answer})


def answer_confirm(request, limits, send):
    """Counts the recorded entries that the reducer makes again, up to the first that differs."""
    run, count = Run(request["state"]), 0
    for line in request["lines"]:
        if "patch" not in line or {"gap", "restored", "jump"} & set(line) \
                or line.get("error") == "trapped":
            break
        try:
            limits.check()
            entry = run.step(line["seq"], line)
        except InterruptedError:
            raise
        except Undecodable:
            break
        except Exception as problem:
            what = {"entries": [], "ended": ended(line["seq"], problem)}
            return send({"type": "reduced", "re": request["id"], **what})
        # The same functions wrote both, so equal texts are equal bytes.
        keys = ("patch", "outputs", "error")
        if text([entry.get(key) for key in keys]) != text([line.get(key) for key in keys]):
            break
        count += 1
    send({"type": "confirmed", "re": request["id"], "entries": count})


def serve():
    # A reducer that prints or reads must not disturb the messages.
    lines, replies = os.fdopen(os.dup(0)), os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)

    def send(message):
        replies.write(text(message) + "\n")
        replies.flush()

    offer = {"place": "process", "makes": [MAKE], "confirms": True}
    send({"type": "hello", "version": "1.0", "can": {"host": offer}})
    requests, canceled = queue.Queue(), collections.deque(maxlen=100)

    def read():
        # In a thread, so that `cancel` is read while a request runs.
        for message in map(json.loads, lines):
            if message["type"] == "cancel":
                canceled.append(message["request"])
            elif message["type"] in ("reduce", "confirm"):
                requests.put(message)
        requests.put(None)

    threading.Thread(target=read, daemon=True).start()
    answers = {"reduce": answer_reduce, "confirm": answer_confirm}
    while request := requests.get():
        try:
            if request["make"] != MAKE:
                problem = f"This host makes {MAKE}, not {request['make']}."
                send({"type": "error", "re": request["id"], "code": "no-host", "message": problem})
                continue
            answers[request["type"]](request, Limits(request, canceled), send)
        except InterruptedError:
            what = {"code": "cancelled", "message": "The request was canceled."}
            send({"type": "error", "re": request["id"], **what})


def record(file, events):
    """Writes a recording as a recorder would send it: a header, then one entry per line."""
    header = {
        "timeline": "5d0c7a3e-2f41-4b8e-9a6d-c1e2f3a4b5d6", "app": {"name": "Vending"},
        "machine": {"type": "Vending", "name": "vending", "kind": "reducer", "make": MAKE},
        "started": "2026-05-01T08:00:00Z", "outputs": {"display": "ui", "isEmpty": "data"},
        "format": 1,
    }
    run = Run(None)
    steps = ({"event": event, "t": 1000 * seq} for seq, event in enumerate(events, 1))
    entries = (run.step(seq, step) for seq, step in enumerate(steps, 1))
    for line in itertools.chain([header, run.first()], entries):
        file.write(text(line) + "\n")


# The machine gets 420 cents, and serves four cups although it has two.
COINS = [{"insert": {"cents": cents}} for cents in (50, 20, 50, 100, 200)]
SESSION = ["tea", *COINS[:3], "tea", COINS[3], "tea", "refund", *COINS[3:], "tea", "tea", "tea"]

if __name__ == "__main__":
    if os.environ.get("STATES_HOST"):
        serve()
    elif len(sys.argv) == 2:
        with open(sys.argv[1], "w", encoding="utf-8") as file:
            record(file, SESSION)
    else:
        sys.exit(__doc__)
