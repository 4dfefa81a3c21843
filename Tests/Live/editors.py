"""An editor's side of `debugd dap`: messages of the Debug Adapter Protocol on standard streams."""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest

from daemon import BUILD


class Editor:
    """`debugd dap` as a process that a test talks to."""

    def __init__(self, *options, environment=None, cwd=None):
        self.process = subprocess.Popen(
            [BUILD / "debugd", "dap", *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, env=environment or os.environ, cwd=cwd)
        self.seq = 0
        self.messages = []
        # What the last searches for breakpoints found, by the breakpoints' ids.
        self.searched = {}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()
        self.process.stderr.close()

    def write(self, message):
        data = json.dumps(message).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(data), data))
        self.process.stdin.flush()

    def read(self):
        """The next message that is not about a breakpoint; those may come at any time."""
        while (message := self.read_any()).get("event") == "breakpoint":
            self.remember(message)
        return message

    def remember(self, message):
        self.searched[message["body"]["breakpoint"]["id"]] = message

    def read_any(self):
        length = None
        while (line := self.process.stdout.readline()) not in (b"\r\n", b""):
            name, value = line.decode().split(":")
            if name.lower() == "content-length":
                length = int(value)
        message = json.loads(self.process.stdout.read(length))
        self.messages.append(message)
        return message

    def ask(self, command, events=0, **arguments):
        """The response to a request, and so many events after it."""
        self.seq += 1
        self.write({"seq": self.seq, "type": "request", "command": command,
                    "arguments": arguments})
        response = self.read()
        assert response["request_seq"] == self.seq, response
        if not response["success"]:
            events = 0
        return response, [self.read() for _ in range(events)]

    def outcomes(self, response):
        """Waits for the searches that a response announces; their events, in the order of the ids."""
        pending = [one["id"] for one in response["body"]["breakpoints"]
                   if one.get("reason") == "pending"]
        while not self.searched.keys() >= set(pending):
            self.remember(self.read_any())
        return [self.searched[one] for one in pending]

    def set(self, command, **arguments):
        """Sets breakpoints; what became of each once the recording was searched."""
        response, _ = self.ask(command, **arguments)
        assert response["success"], response
        found = {event["body"]["breakpoint"]["id"]: event["body"]["breakpoint"]
                 for event in self.outcomes(response)}
        return [found.get(one.get("id"), one) for one in response["body"]["breakpoints"]]

    def body(self, command, events=0, **arguments):
        response, _ = self.ask(command, events, **arguments)
        assert response["success"], response
        return response.get("body")

    def stop(self, command, **arguments):
        """Moves; the body of the event that it stopped."""
        response, events = self.ask(command, 1, **arguments)
        assert response["success"], response
        (stopped,) = events
        assert stopped["event"] == "stopped", stopped
        return stopped["body"]

    def refusal(self, command, **arguments):
        response, _ = self.ask(command, **arguments)
        assert not response["success"], response
        return response["message"]

    def launch(self, timeline, **arguments):
        self.body("initialize", adapterID="stateline")
        response, _ = self.ask("launch", 1, timeline=str(timeline), **arguments)
        assert response["success"], response
        self.stop("configurationDone")


TIMELINE = "6f1c9a52-0b7e-4d38-9c41-2e5a7b90d1f3"

HEADER = {
    "timeline": TIMELINE, "format": 1, "app": {"name": "Shop", "pid": 7},
    "machine": {"type": "Shop.Cart", "name": "cart", "kind": "states"},
    "started": "2026-05-01T08:00:00Z"}

ENTRIES = [
    {"seq": 0, "t": 0, "state": {"items": [], "total": 0, "user": {"name": "Ann", "age": 30}},
     "outputState": {"count": 0}},
    {"seq": 1, "t": 10, "event": {"added": {"id": 7, "cents": 500}}, "at": "Shop/Cart.swift:3",
     "patch": [{"op": "add", "path": "/items/0", "value": {"id": 7}},
               {"op": "replace", "path": "/total", "value": 500}],
     "outputs": [{"op": "replace", "path": "/count", "value": 1}]},
    {"seq": 2, "t": 20, "event": "priced", "cause": 1, "at": "Shop/Prices.swift:2",
     "patch": [{"op": "replace", "path": "/total", "value": 450}]},
    {"seq": 3, "t": 30, "event": {"failed": {}}, "cause": 2, "error": "no stock", "patch": []},
    {"seq": 6, "t": 60, "gap": {"lost": 2, "why": "the outbox was full"},
     "event": {"added": {"id": 8, "cents": 10}}, "at": "Elsewhere/Cart.swift:1",
     "state": {"items": [{"id": 7}, {"id": 8}], "total": 460, "user": {"name": "Ann", "age": 30}},
     "outputState": {"count": 2}},
    {"seq": 7, "t": 70, "event": {"removed": {"id": 7}}, "cause": 6, "at": "Shop/Cart.swift:3",
     "patch": [{"op": "remove", "path": "/items/0"},
               {"op": "replace", "path": "/total", "value": -40}],
     "outputs": [{"op": "replace", "path": "/count", "value": 1}]},
    {"seq": 8, "t": 80, "event": "paid", "error": "trapped",
     "patch": []},
]

SOURCES = {
    "Sources/Shop/Cart.swift": "one\ntwo\nthree\n", "Sources/Shop/Prices.swift": "one\ntwo\n",
    "Sources/Elsewhere/Cart.swift": "one\n", "Sources/Other/Twice.swift": "",
    "Tests/Twice.swift": ""}

# Every request, in the order of a session; each with the number of events that follow.
SESSION = [
    ("threads", 0, {}),
    ("initialize", 0, {"adapterID": "stateline", "linesStartAt1": True, "pathFormat": "path"}),
    ("launch", 1, {"timeline": "cart.timeline", "sources": "."}),
    ("setBreakpoints", 0, {"source": {"path": "ROOT/Sources/Shop/Cart.swift"}, "breakpoints": [
        {"line": 3}, {"line": 3, "condition": "state.total < 0"}, {"line": 1},
        {"line": 3, "condition": "total <"}]}),
    ("setFunctionBreakpoints", 0, {"breakpoints": [
        {"name": "priced"}, {"name": "added", "condition": "event.added.cents < 100"},
        {"name": "absent"}]}),
    ("setExceptionBreakpoints", 0, {"filters": ["error", "trap", "gap"]}),
    ("configurationDone", 1, {}),
    ("threads", 0, {}),
    ("stackTrace", 0, {"threadId": 1}),
    ("exceptionInfo", 0, {"threadId": 1}),
    ("reverseContinue", 1, {"threadId": 1}),
    ("stackTrace", 0, {"threadId": 1, "startFrame": 0, "levels": 20}),
    ("scopes", 0, {"frameId": 2}),
    ("variables", 0, {"variablesReference": 1}),
    ("variables", 0, {"variablesReference": 2}),
    ("variables", 0, {"variablesReference": 5}),
    ("variables", 0, {"variablesReference": 2, "start": 1, "count": 1}),
    ("dataBreakpointInfo", 0, {"variablesReference": 2, "name": "total"}),
    ("dataBreakpointInfo", 0, {"variablesReference": 1, "name": "removed"}),
    ("dataBreakpointInfo", 0, {"name": "state.total"}),
    ("setDataBreakpoints", 0, {"breakpoints": [
        {"dataId": "/state/total", "accessType": "write"},
        {"dataId": "/state/user/name"}, {"dataId": "~"}]}),
    ("evaluate", 0, {"expression": "state.user", "frameId": 2, "context": "watch"}),
    ("evaluate", 0, {"expression": "before.state.total", "frameId": 2}),
    ("evaluate", 0, {"expression": "state.total < 0 && changed(state.items)", "frameId": 2}),
    ("evaluate", 0, {"expression": "state.total > 0", "frameId": 2, "context": "hover"}),
    ("evaluate", 0, {"expression": "stat.total", "frameId": 2}),
    ("evaluate", 0, {"expression": "state.nothing", "frameId": 2}),
    ("setVariable", 0, {"variablesReference": 2, "name": "total", "value": "1"}),
    ("reverseContinue", 1, {"threadId": 1}),
    ("exceptionInfo", 0, {"threadId": 1}),
    ("variables", 0, {"variablesReference": 1}),
    ("stepBack", 1, {"threadId": 1}),
    ("next", 1, {"threadId": 1}),
    ("reverseContinue", 1, {"threadId": 1}),
    ("reverseContinue", 1, {"threadId": 1}),
    ("reverseContinue", 1, {"threadId": 1}),
    ("stepBack", 1, {"threadId": 1}),
    ("next", 1, {"threadId": 1}),
    ("stepIn", 1, {"threadId": 1}),
    ("stepOut", 1, {"threadId": 1}),
    ("exceptionInfo", 0, {"threadId": 1}),
    ("continue", 1, {"threadId": 1}),
    ("continue", 1, {"threadId": 1}),
    ("continue", 1, {"threadId": 1}),
    ("continue", 1, {"threadId": 1}),
    ("pause", 1, {"threadId": 1}),
    ("next", 1, {"threadId": 9}),
    ("restartFrame", 0, {"frameId": 1}),
    ("terminate", 1, {}),
    ("attach", 1, {"timeline": "cart.timeline", "seq": 2}),
    ("stackTrace", 0, {"threadId": 1}),
    ("launch", 0, {"timeline": "cart.timeline", "seq": 5000}),
    ("launch", 0, {}),
    ("launch", 0, {"timeline": "missing.timeline"}),
    ("disconnect", 1, {"terminateDebuggee": False}),
]


class EditorTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(
            os.path.realpath(self.enterContext(tempfile.TemporaryDirectory())))
        self.write("cart.timeline", HEADER, ENTRIES)
        for name, text in SOURCES.items():
            (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
            (self.folder / name).write_text(text)

    def write(self, name, header, entries):
        text = "".join(json.dumps(line) + "\n" for line in [header, *entries])
        (self.folder / name).write_text(text)

    def editor(self, *options, **more):
        return self.enterContext(Editor(*options, cwd=self.folder, **more))

    def placed(self, value):
        """A value with the folder's real name in place of ROOT."""
        return json.loads(json.dumps(value).replace("ROOT", str(self.folder)))

    def play(self):
        """The golden session as it is now: each request, and what the adapter writes."""
        editor = self.editor()
        played = []
        for command, events, arguments in SESSION:
            response, more = editor.ask(command, events, **self.placed(arguments))
            if response["success"] and "breakpoints" in response.get("body", {}):
                more = editor.outcomes(response)
                # Searches end in any order.
                for event, seq in zip(more, sorted(event["seq"] for event in more)):
                    event["seq"] = seq
            wrote = json.loads(
                json.dumps([response, *more]).replace(str(self.folder), "ROOT"))
            played.append({"command": command, "arguments": arguments, "wrote": wrote})
        self.assertEqual(editor.process.wait(timeout=60), 0)
        return played, editor.messages

    def send_anything(self, editor, command, arguments):
        """Sends a request; reads messages up to its response, which may be an error."""
        editor.seq += 1
        editor.write({"seq": editor.seq, "type": "request", "command": command,
                      "arguments": self.placed(arguments)})
        while True:
            message = editor.read()
            if message.get("request_seq") == editor.seq:
                return message
