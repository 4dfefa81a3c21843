"""Entries that replace the whole state: what they changed is what is different."""

import json
import unittest

from agents import Agent
from daemon import Daemon
from editors import HEADER, EditorTest

STATES = [
    {"items": [1], "total": 0, "user": {"name": "Ann"}},
    {"items": [1, 2], "total": 7, "user": {"name": "Ann"}},
    {"items": [1, 2], "total": 9, "user": {"name": "Ann"}},
]
ENTRIES = [
    {"seq": 0, "t": 0, "state": STATES[0], "outputState": {"count": 1, "sum": 0}},
    {"seq": 1, "t": 1, "event": "added", "patch": [{"op": "replace", "path": "", "value": STATES[1]}],
     "outputs": [{"op": "replace", "path": "", "value": {"count": 2, "sum": 0}}]},
    {"seq": 2, "t": 2, "event": "priced", "patch": [{"op": "replace", "path": "/total", "value": 9}]},
]


class WholeStates(EditorTest):
    def setUp(self):
        super().setUp()
        self.write("whole.timeline", HEADER, ENTRIES)

    def test_editors_show_what_is_different(self):
        editor = self.editor()
        editor.launch("whole.timeline", seq=1)
        frame = editor.body("stackTrace", threadId=1)["stackFrames"][0]["id"]
        [changed] = [one["variablesReference"] for one in editor.body("scopes", frameId=frame)["scopes"]
                     if one["name"] == "Changed here"]
        shown = editor.body("variables", variablesReference=changed)["variables"]
        self.assertEqual(
            {one["name"]: one["value"] for one in shown},
            {"/state/items/1": "2", "/state/total": "7", "/outputs/count": "2"})

    def test_agents_and_explanations_name_what_is_different(self):
        with Daemon() as daemon, Agent(daemon) as agent:
            daemon.run("import", self.folder / "whole.timeline")
            changed = [["/state/items/1", "/state/total", "/outputs/count"], ["/state/total"]]
            scene = agent.call("scene", timeline="cart")
            self.assertEqual([one.get("changed", []) for one in scene["last_entries"]], [[], *changed])
            for tool, words in (("entries", {}), ("find", {"predicate": "seq > 0"})):
                found = agent.call(tool, timeline="cart", **words)["entries"]
                self.assertEqual([one["changed"] for one in found if one["seq"] > 0], changed)
            found = json.loads(daemon.run("explain", "cart", "1", "--json").stdout)
            values = {one["path"]: (one["before"], one["value"]) for one in found["values"]}
            self.assertEqual(
                values, {"state.items[1]": (None, 2), "state.total": (0, 7), "outputs.count": (1, 2)})


if __name__ == "__main__":
    unittest.main()
