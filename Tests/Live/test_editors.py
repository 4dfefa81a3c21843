"""Editors: `debugd dap` with whole sessions, step by step, and with messages that are wrong.

The golden session is in Tests/Fixtures/dap. To write it again, set WRITE_GOLDEN=1 and read the
difference.
"""

import json
import os
import pathlib
import tempfile
import unittest

from daemon import ROOT, Daemon
from editors import ENTRIES, HEADER, SESSION, TIMELINE, EditorTest

GOLDEN = ROOT / "Tests" / "Fixtures" / "dap" / "session.json"


class Editors(EditorTest):
    def test_every_request_is_answered_as_in_the_golden_session(self):
        played, _ = self.play()
        if os.environ.get("WRITE_GOLDEN"):
            GOLDEN.parent.mkdir(exist_ok=True)
            lines = ",\n".join(json.dumps(step, ensure_ascii=False) for step in played)
            GOLDEN.write_text(f"[\n{lines}\n]\n")
        golden = json.loads(GOLDEN.read_text())
        for was, now in zip(golden, played, strict=True):
            self.assertEqual(now, was)

    def test_a_bug_is_found_backward_from_the_end(self):
        editor = self.editor()
        editor.launch("cart.timeline", sources=".")
        frame = editor.body("stackTrace", threadId=1)["stackFrames"][0]
        scopes = editor.body("scopes", frameId=frame["id"])["scopes"]
        state = next(one for one in scopes if one["name"] == "State")["variablesReference"]
        total = next(one for one in editor.body("variables", variablesReference=state)["variables"]
                     if one["name"] == "total")
        self.assertEqual(total["value"], "-40")
        data = editor.body("dataBreakpointInfo", variablesReference=state, name="total")["dataId"]
        editor.body("setDataBreakpoints", breakpoints=[
            {"dataId": data, "condition": "state.total < 0"}])
        self.assertEqual(editor.stop("reverseContinue", threadId=1)["reason"], "data breakpoint")
        frames = editor.body("stackTrace", threadId=1)["stackFrames"]
        self.assertEqual([one["name"].split()[0] for one in frames], ["7", "6"])
        self.assertEqual(frames[0]["source"]["path"], f"{self.folder}/Sources/Shop/Cart.swift")
        self.assertEqual(frames[0]["line"], 3)

    def test_lines_and_columns_may_start_at_zero(self):
        for lines, columns in ((False, False), (True, False), (False, True)):
            with self.subTest(lines=lines, columns=columns):
                editor = self.editor()
                editor.body(
                    "initialize", adapterID="x", linesStartAt1=lines, columnsStartAt1=columns)
                editor.body("launch", 1, timeline="cart.timeline", sources=".", seq=7)
                path = f"{self.folder}/Sources/Shop/Cart.swift"
                (made,) = editor.set("setBreakpoints", source={"path": path},
                                     breakpoints=[{"line": 2 + lines}])
                self.assertTrue(made["verified"])
                frame = editor.body("stackTrace", threadId=1)["stackFrames"][0]
                self.assertEqual((frame["line"], frame["column"]), (2 + lines, 0 + columns))

    def test_expressions_without_a_place_are_computed(self):
        editor = self.editor()
        editor.launch("cart.timeline", seq=7)

        def evaluated(expression):
            body = editor.body("evaluate", expression=expression)
            return body["result"], body["type"]

        self.assertEqual(evaluated("before.state.items[*].id"), ("[7,8]", "array"))
        self.assertEqual(evaluated("sum(before.state.items[*].id)"), ("15", "number"))
        self.assertEqual(evaluated("sum(state.total, before.state.total)"), ("420", "number"))
        self.assertEqual(evaluated("state.items.count"), ("1", "number"))
        self.assertEqual(evaluated("outputs.count"), ("1", "number"))
        self.assertEqual(evaluated("name"), ('"removed"', "string"))
        self.assertEqual(evaluated("sum(state.user)"), ("absent", "absent"))
        self.assertEqual(evaluated("sum(state.items[*].id) == 8"), ("true", "bool"))

    def test_a_long_list_has_its_length_and_all_its_pages(self):
        count = 300_000
        self.write("long.timeline", HEADER, [
            {"seq": 0, "t": 0, "state": {"items": list(range(count)), "mark": [{"$cut": 1}]}}])
        editor = self.editor()
        editor.launch("long.timeline")
        frame = editor.body("stackTrace", threadId=1)["stackFrames"][0]
        editor.body("scopes", frameId=frame["id"])
        items, mark = editor.body("variables", variablesReference=2)["variables"]
        self.assertEqual((items["value"], items["indexedVariables"]), ("[300000]", count))
        self.assertEqual(mark["indexedVariables"], 1)
        *first, rest = editor.body(
            "variables", variablesReference=items["variablesReference"])["variables"]
        self.assertEqual([one["value"] for one in first], [str(n) for n in range(len(first))])
        self.assertEqual(
            (rest["name"], rest["value"]), ("…", f"the first {len(first):,} of 300,000"))
        for start, wanted in ((10, range(10, 20)), (count - 5, range(count - 5, count))):
            page = editor.body("variables", variablesReference=items["variablesReference"],
                               start=start, count=len(wanted))["variables"]
            self.assertEqual([one["name"] for one in page], [str(n) for n in wanted])
            self.assertEqual([one["value"] for one in page], [str(n) for n in wanted])

    def test_a_condition_may_be_a_named_filter(self):
        with Daemon() as daemon:
            daemon.run("import", self.folder / "cart.timeline")
            daemon.run("filters", "cart", "debt", "state.total < 0 || state.total == 500")
            editor = self.editor("--data", daemon.data, environment=daemon.environment)
            editor.launch("cart", seq=0)
            debt, dept = editor.set("setFunctionBreakpoints", breakpoints=[
                {"name": "removed", "condition": "@debt"}, {"name": "removed", "condition": "@dept"}])
            self.assertTrue(debt["verified"], debt)
            self.assertIn("There is no filter 'dept'. Did you mean '@debt'?", dept["message"])
            self.assertEqual(
                editor.stop("continue", threadId=1)["hitBreakpointIds"], [debt["id"]])

    def test_sources_are_found_below_the_folder_only_and_never_through_links(self):
        outside = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        (outside / "Secret.swift").write_text("")
        (self.folder / "Sources" / "Linked").symlink_to(outside)
        (self.folder / "Sources" / "Link.swift").symlink_to(outside / "Secret.swift")
        sites = ["Linked/Secret.swift:1", "Shop/Link.swift:1", "/etc/passwd:1", "../x.swift:1",
                 "Shop/../../etc/passwd:1", "Shop/Cart.swift", "Shop/Cart.swift:0", ":1",
                 "Shop/Cart.swift:99999999999999999999", "Nowhere/Twice.swift:1",
                 "Other/Twice.swift:1", "$(touch x)/`touch y`.swift:1", "Prices.swift:2"]
        entries = [ENTRIES[0]] + [
            {"seq": seq, "t": seq, "event": "x", "at": site, "patch": []}
            for seq, site in enumerate(sites, 1)]
        self.write("sites.timeline", HEADER, entries)
        editor = self.editor()
        editor.launch("sites.timeline", sources=".", seq=1)
        found = {}
        for site in sites:
            frame = editor.body("stackTrace", threadId=1)["stackFrames"][0]
            found[site] = frame.get("source", {}).get("path")
            editor.stop("next", threadId=1)
        self.assertEqual({site: path for site, path in found.items() if path}, {
            "Other/Twice.swift:1": f"{self.folder}/Sources/Other/Twice.swift",
            "Prices.swift:2": f"{self.folder}/Sources/Shop/Prices.swift"})

    def test_a_daemons_machines_are_threads(self):
        with Daemon() as daemon:
            other = {**HEADER, "timeline": TIMELINE[:-1] + "4",
                     "machine": {**HEADER["machine"], "name": "login"}}
            stranger = {**HEADER, "timeline": TIMELINE[:-1] + "5", "app": {"name": "Bank", "pid": 7}}
            self.write("login.timeline", other, ENTRIES[:2])
            self.write("bank.timeline", stranger, ENTRIES[:2])
            for name in "cart", "login", "bank":
                daemon.run("import", self.folder / f"{name}.timeline")
            editor = self.editor("--data", daemon.data, environment=daemon.environment)
            editor.launch("login")
            threads = editor.body("threads")["threads"]
            self.assertEqual([one["name"] for one in threads], ["login", "cart"])
            editor.stop("stepBack", threadId=1)
            tops = [editor.body("stackTrace", threadId=one["id"])["stackFrames"][0]["name"]
                    for one in threads]
            self.assertEqual([name.split()[0] for name in tops], ["0", "8"])
            # The message has the command that makes another value.
            self.assertIn("To try another value, fork it: debugd fork 6f1c9a52 --replace SEQ=EVENT",
                          editor.refusal("setVariable", variablesReference=1, name="x", value="1"))

    def test_recorded_text_stays_text(self):
        text = "\u202e\u009b31m\x1b]0;x\x07{boom}%s\u2028\"}]}"
        self.write("hostile.timeline", {**HEADER, "machine": {**HEADER["machine"], "name": text}}, [
            {"seq": 0, "t": 0, "state": {text: text}},
            {"seq": 1, "t": 1, "event": {text: {text: text}}, "error": text, "at": text + ":1",
             "patch": []}])
        editor = self.editor()
        raw = []
        read = editor.process.stdout.read
        editor.process.stdout.read = lambda *count: raw.append(read(*count)) or raw[-1]
        editor.launch("hostile.timeline", sources=".")
        self.assertEqual(editor.body("threads")["threads"][0]["name"], text)
        frame = editor.body("stackTrace", threadId=1)["stackFrames"][0]
        editor.body("scopes", frameId=frame["id"])
        variables = [editor.body("variables", variablesReference=n)["variables"] for n in (1, 2, 5)]
        self.assertEqual(variables[1][0]["name"], text)
        for data in raw:
            self.assertNotRegex(
                data.decode(), "[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")

    def test_numbers_of_a_recording_that_has_moved_are_outdated(self):
        editor = self.editor()
        editor.launch("cart.timeline")

        def numbers():
            frames = editor.body("stackTrace", threadId=1)["stackFrames"]
            scopes = editor.body("scopes", frameId=frames[0]["id"])["scopes"]
            return ([one["id"] for one in frames], [one["variablesReference"] for one in scopes])

        frames, places = numbers()
        editor.stop("stepBack", threadId=1)
        # The editor has new numbers by now, so that the old ones could be mistaken for them.
        newer_frames, newer_places = numbers()
        self.assertEqual(set(frames) & set(newer_frames), set())
        self.assertEqual(set(places) & set(newer_places), set())
        for place in places:
            self.assertEqual(editor.refusal("variables", variablesReference=place),
                             "The recording has moved, so this value is outdated.")
        for frame in frames:
            self.assertEqual(editor.refusal("scopes", frameId=frame),
                             "The recording has moved, so this frame is outdated.")
        for place in newer_places:
            editor.body("variables", variablesReference=place)

    def test_numbers_of_any_size_are_answered(self):
        numbers = [sign * size + more for size in (0, 1 << 31, 1 << 53, 1 << 62, 1 << 63, 1 << 64)
                   for sign in (1, -1) for more in (-1, 0, 1)] + [1.5, 1e300]
        path = f"{self.folder}/Sources/Shop/Cart.swift"
        fields = {
            "stackTrace": ("threadId", "startFrame", "levels"), "scopes": ("frameId",),
            "variables": ("variablesReference", "start", "count"), "exceptionInfo": ("threadId",),
            "next": ("threadId",), "stepBack": ("threadId",), "continue": ("threadId",),
            "reverseContinue": ("threadId",), "pause": ("threadId",)}
        for first_line in (True, False):
            editor = self.editor()
            editor.body("initialize", adapterID="x", linesStartAt1=first_line)
            self.send_anything(editor, "launch", {"timeline": "cart.timeline", "sources": "."})
            frame = self.send_anything(editor, "stackTrace", {"threadId": 1})["body"]["stackFrames"][0]["id"]
            editor.body("scopes", frameId=frame)
            valid = {"threadId": 1, "frameId": frame, "variablesReference": 2, "startFrame": 1,
                     "levels": 1, "start": 1, "count": 1}
            for command, names in fields.items():
                for name in names:
                    for number in numbers:
                        arguments = {one: valid[one] for one in names} | {name: number}
                        self.send_anything(editor, command, arguments)
            for number in numbers:
                for more in ("evaluate", {"expression": "state.total", "frameId": number}), (
                        "dataBreakpointInfo", {"variablesReference": number, "name": "total"}):
                    self.send_anything(editor, *more)
                made = self.send_anything(editor, "setBreakpoints", {
                    "source": {"path": path}, "breakpoints": [{"line": number}, {"line": 3}]})
                bad, good = made["body"]["breakpoints"]
                *_, found = editor.outcomes(made)
                self.assertFalse(bad["verified"])
                self.assertEqual(found["body"]["breakpoint"]["verified"], first_line)
                if not 0 <= number < 1 << 31 or number != int(number):
                    self.assertEqual(bad["message"], "The breakpoint has no line of a file.")
            for number in numbers:
                self.send_anything(editor, "launch", {"timeline": "cart.timeline", "seq": number})
            self.assertEqual(len(self.send_anything(editor, "threads", {})["body"]["threads"]), 1)

    def test_mistakes_are_answered_with_what_would_be_right(self):
        editor = self.editor()
        editor.body("initialize", adapterID="x")
        self.assertTrue(editor.refusal("launch", timeline="").endswith(
            "To fix, add \"timeline\": a machine's name, an id, 'last', or a .timeline file."))
        self.assertEqual(editor.refusal("launch", timeline="cart.timeline", sources="nowhere"),
                         "The folder of sources 'nowhere' cannot be read: No such file or directory. "
                         "To fix, correct the path.")
        self.assertIn("no recording", editor.refusal("attach"))

    def test_causes_that_lead_in_circles_end(self):
        ids = [TIMELINE[:-1] + digit for digit in "12"]
        with Daemon() as daemon:
            for own, other in (ids, reversed(ids)):
                self.write(f"{own}.timeline", {**HEADER, "timeline": own}, [
                    ENTRIES[0],
                    {"seq": 1, "t": 1, "event": "x", "patch": [], "cause": f"{other}:1"}])
                daemon.run("import", self.folder / f"{own}.timeline")
            editor = self.editor("--data", daemon.data, environment=daemon.environment)
            editor.launch(ids[0])
            body = editor.body("stackTrace", threadId=1)
            self.assertEqual((len(body["stackFrames"]), body["totalFrames"]), (2, 2))
            first = editor.body("stackTrace", threadId=1, levels=1)
            self.assertEqual((len(first["stackFrames"]), first["totalFrames"]), (1, 2))

    def test_messages_that_are_wrong_end_nothing_or_the_session(self):
        for wrong in ([], 7, {"type": "request"}, {"type": "request", "seq": "1", "command": "x"},
                      {"type": "event", "seq": 1, "event": "x"}):
            with self.subTest(wrong):
                editor = self.editor()
                editor.write(wrong)
                self.assertIn("supportsStepBack", editor.body("initialize", adapterID="x"))
        for data in (b"Content-Length: -1\r\n\r\n", b"Content-Length: 99999999999999999999\r\n\r\n",
                     b"\r\n\r\n", b"x" * 5000, b"Content-Length: 5000000\r\n\r\n"):
            with self.subTest(data[:40]):
                editor = self.editor()
                message = json.dumps({"seq": 1, "type": "request", "command": "initialize"}).encode()
                editor.process.stdin.write(
                    b"Content-Length: %d\r\n\r\n%s%s" % (len(message), message, data))
                editor.process.stdin.flush()
                self.assertIn("supportsStepBack", editor.read()["body"])
                self.assertEqual(editor.process.wait(timeout=60), 1)
                self.assertEqual(
                    editor.process.stderr.read().decode(),
                    "debugd: Standard input has something other than messages of the Debug Adapter "
                    "Protocol, so the session has ended.\n")
        editor = self.editor()
        editor.launch("cart.timeline")
        for command, _, arguments in SESSION[3:-1]:
            for name in arguments:
                for value in (None, -1, 1 << 62, "x" * 9000, [], {}, [[]], [None], True):
                    events = dict(arguments) | {name: value}
                    if command in ("launch", "attach"):
                        continue
                    self.send_anything(editor, command, events)
        self.assertEqual(len(editor.body("threads")["threads"]), 1)
