#!/usr/bin/env python3
"""A host in Python, written from docs/protocol.md alone; it needs nothing but Python 3.9.

    host.py vending.timeline            writes a recording of the machine below
    debugd import vending.timeline      so that the daemon has it
    debugd host Examples/host.py        and this program runs its reducer for the daemon

Then `debugd fork vending --drop 2`, `verify`, `minimise` and `compare` work as for an app in Swift.
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

# The machine: any function of a state and an event will do.

MAKE = "vending()"
START = {"cents": 0, "tea": 2, "served": 0}


class Refused(Exception):
    """An error of the reducer, which it reports and survives. Any other exception is a crash."""


class Undecodable(Exception):
    """An event that this version of the machine does not know."""


def reduce(state, event):
    if isinstance(event, dict) and list(event) == ["insert"]:
        state["cents"] += event["insert"]["cents"]
    elif event == "tea":
        if state["cents"] < 80:
            raise Refused(f"tea costs 80, and there are {state['cents']}")
        state["cents"] -= 80
        state["tea"] -= 1  # The bug: nothing looks whether there is any.
        state["served"] += 1
    elif event == "refund":
        state["cents"] = 0
    elif event == "kick":
        state["served"] //= state["cents"]
    else:
        raise Undecodable(f"no event of this machine looks like {text(event)}")


def outputs(state):
    return {"display": f"{state['cents']} cents", "isEmpty": state["tea"] <= 0}


# What every host does.


def text(value):
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def patch(old, new):
    """From one object to the other, member by member."""
    path = {key: "/" + key.replace("~", "~0").replace("/", "~1") for key in {**old, **new}}
    return [{"op": "remove", "path": path[key]} for key in old if key not in new] + [
        {"op": "replace" if key in old else "add", "path": path[key], "value": value}
        for key, value in new.items() if key not in old or text(old[key]) != text(value)
    ]


class Run:
    """The machine in one request: a state, and the entries that come out of steps."""

    def __init__(self, state):
        self.state, self.spent = copy.deepcopy(START if state is None else state), None

    def first(self):
        """Entry 0, which no step makes."""
        return {"seq": 0, "t": 0, **self.full()}

    def full(self):
        return {"state": copy.deepcopy(self.state), "outputState": outputs(self.state)}

    def step(self, seq, step, is_wanted=True):
        """Runs a step; its entry, where that is wanted."""
        old, said = copy.deepcopy(self.state), outputs(self.state)
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
        entry["patch"], changed = patch(old, self.state), patch(said, outputs(self.state))
        if changed:
            entry["outputs"] = changed
        if error is not None:
            entry["error"] = error
        if "event" not in step:
            entry["jump"] = True
        # The first is a keyframe, and one at which the patches since then are as long as the state.
        size = len(text(entry["patch"])) + len(text(changed))
        self.spent = None if self.spent is None else self.spent + size
        if self.spent is None or self.spent >= len(text(self.full())) or "event" not in step:
            entry.update(self.full())
            self.spent = 0
        return entry


class Limits:
    """What ends a request early, looked at between two steps."""

    def __init__(self, request, cancelled):
        self.id, self.cancelled = request["id"], cancelled
        self.until = time.monotonic() + request.get("milliseconds", 10_000) / 1000
        self.bytes = request.get("bytes", 1 << 30) + self.memory()

    @staticmethod
    def memory():
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024

    def check(self):
        if self.id in self.cancelled:
            raise InterruptedError
        if time.monotonic() > self.until or self.memory() > self.bytes:
            raise TimeoutError("the request took more time or memory than it may")


def ended(seq, problem):
    """Why no entry has this number: what the exception means."""
    why = {Undecodable: "undecodable", TimeoutError: "limit"}.get(type(problem), "trap")
    return {"why": why, "seq": seq, "message": f"{type(problem).__name__}: {problem}"}


PART = 500  # entries in one answer


def answer_reduce(request, limits, say):
    run, answer = Run(request.get("state")), {}
    # Entry 0 comes before any step: the first one then makes entry 1.
    entries, first = ([], request["seq"]) if request["seq"] else ([run.first()], 1)
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
        if len(entries) == PART:
            say({"type": "reduced", "re": request["id"], "entries": entries, "more": True})
            entries = []
    if request.get("snapshot") and "ended" not in answer:
        answer.update(run.full())
    say({"type": "reduced", "re": request["id"], "entries": entries, **answer})


def answer_confirm(request, limits, say):
    """How many recorded entries come out again as they were recorded."""
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
            return say({"type": "reduced", "re": request["id"], **what})
        # They were written by the same functions, so equal texts are equal bytes.
        keys = ("patch", "outputs", "error")
        if text([entry.get(key) for key in keys]) != text([line.get(key) for key in keys]):
            break
        count += 1
    say({"type": "confirmed", "re": request["id"], "entries": count})


def serve():
    # What a reducer prints or reads must not get between the messages.
    lines, replies = os.fdopen(os.dup(0)), os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)

    def say(message):
        replies.write(text(message) + "\n")
        replies.flush()

    offer = {"place": "process", "makes": [MAKE], "confirms": True}
    say({"type": "hello", "version": "1.0", "can": {"host": offer}})
    requests, cancelled = queue.Queue(), collections.deque(maxlen=100)

    def read():
        # A thread of its own, so that `cancel` is read while a request runs.
        for message in map(json.loads, lines):
            if message["type"] == "cancel":
                cancelled.append(message["request"])
            elif message["type"] in ("reduce", "confirm"):
                requests.put(message)
        requests.put(None)

    threading.Thread(target=read, daemon=True).start()
    answers = {"reduce": answer_reduce, "confirm": answer_confirm}
    while request := requests.get():
        try:
            if request["make"] != MAKE:
                problem = f"This host makes {MAKE}, not {request['make']}."
                say({"type": "error", "re": request["id"], "code": "no-host", "message": problem})
                continue
            answers[request["type"]](request, Limits(request, cancelled), say)
        except InterruptedError:
            what = {"code": "cancelled", "message": "The request was cancelled."}
            say({"type": "error", "re": request["id"], **what})


def record(file, events):
    """A recording as a recorder would send it: a header, and an entry a line."""
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


# The machine is given 420 cents, and serves four cups of two.
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
