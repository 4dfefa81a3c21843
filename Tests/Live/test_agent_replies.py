"""What `debugd mcp` replies: true sentences, within the budget, with how to get the rest."""

import json

from agents import AgentCase
from basket import with_basket
from peers import recorded
from probe import Probe


class AgentReplies(AgentCase):
    def test_entries_of_one_side_only_are_a_difference(self):
        with_basket(self.daemon)
        agent = self.agent()
        events = agent.call("entries", timeline="basket", **{"from": 0})["entries"]
        longer = agent.call(
            "fork", timeline="basket", edits=[{"append": events[1]["event"]}], keep=True)
        self.assertEqual((longer["differing"], longer["alone"]), (0, 1))
        self.assertNotIn("note", longer)
        reply = agent.call("diff", timeline="basket", other=longer["branch"])
        self.assertEqual((reply["differing"], reply["alone"]), (0, 1))
        self.assertNotIn("note", reply)
        compared = self.daemon.run("compare", "basket", longer["branch"], check=False)
        self.assertIn("1 on one side only", compared.stdout)
        same = agent.call("diff", timeline="basket", other="basket")
        self.assertEqual(same["note"], "Their entries are the same.")

    def test_an_empty_list_of_recordings_says_why(self):
        agent = self.agent()

        def reason(**arguments):
            reply = agent.call("timelines", **arguments)
            self.assertEqual(reply["timelines"], [])
            return reply["note"]

        self.assertEqual(reason(), "Nothing is recorded.")
        self.imported("one", [{"seq": 0, "t": 0, "state": {}}])
        self.assertEqual(reason(live=True), "Nothing is live.")
        self.assertEqual(reason(app="b"), "Nothing is recorded of an app with this name.")
        self.assertEqual(reason(machine="b"), "1 recording, but none of a machine with this name.")
        self.assertEqual(reason(errors=True), "1 recording matches, but has no errors.")
        self.imported("two", [{"seq": 0, "t": 0, "state": {}}])
        self.assertEqual(reason(errors=True), "2 recordings match, but none has errors.")
        self.assertEqual(
            agent.refusal("timelines", after="elsewhere"),
            "'after' names no recording of this list. To begin again, call timelines without 'after'.")

    def test_a_machine_that_cannot_be_driven_is_refused_for_what_it_is(self):
        recorded(self.daemon)
        agent = self.agent("--allow", "control")
        self.assertEqual(
            agent.refusal("dispatch", timeline="coin", event="flip"),
            "No machine is live. Ask the user to start the app.")
        with Probe("control", "allowed", 20, debugd=f"unix:{self.daemon.socket}") as probe:
            probe.line("ready")
            while not agent.call("timelines", live=True, machine="clock")["timelines"]:
                pass
            self.assertEqual(
                agent.refusal("dispatch", timeline="coin", event="flip"),
                "'coin' is not live. To list the machines that are, call timelines with live=true.")
            self.assertEqual(
                agent.refusal("dispatch", timeline="clok", event="flip"),
                "No timeline is called 'clok'. Did you mean 'clock'? To list them, call timelines.")
            probe.end()

    def test_a_list_that_is_cut_says_how_to_get_the_rest(self):
        self.imported("many", [
            {"seq": 0, "t": 0, "state": {"n": 0}},
            *({"seq": n, "t": n, "event": "step", "patch": [
                {"op": "replace", "path": "/n", "value": n % 2}]} for n in range(1, 77))])
        agent = self.agent()
        for direction in ({}, {"backward": True}):
            with self.subTest(direction):
                found, start, note = [], {}, None
                while start is not None:
                    page = agent.call(
                        "find", timeline="many", predicate="state.n == 1", **direction, **start)
                    found += [entry["seq"] for entry in page["entries"]]
                    self.assertLessEqual(len(page["entries"]), 5)
                    start = {"from": page["next"]} if "next" in page else None
                    note = note or page.get("note")
                self.assertEqual(sorted(found), list(range(1, 77, 2)))
                self.assertEqual(note, "More entries match. To see them, pass 'next' as 'from'.")
        # Exactly as many as are shown: nothing follows.
        whole = agent.call("find", timeline="many", predicate="state.n == 1", limit=38)
        self.assertEqual((len(whole["entries"]), whole.get("next"), whole.get("note")), (38, None, None))

    def test_a_scene_with_more_gaps_than_it_lists_says_how_to_see_them(self):
        def gaps(name, count):
            self.imported(name, [
                {"seq": 0, "t": 0, "state": {"n": 0}},
                *({"seq": 2 * n, "t": n, "event": "step", "state": {"n": n},
                   "gap": {"lost": 1, "why": "overload"}} for n in range(1, count + 1))])

        gaps("few", 5)
        gaps("more", 6)
        agent = self.agent()
        few, more = (agent.call("scene", timeline=name) for name in ("few", "more"))
        self.assertEqual((len(few["gaps"]), few.get("note")), (5, None))
        self.assertEqual(len(more["gaps"]), 5)
        self.assertEqual(
            more["note"], "More gaps: to see all, call 'find' with the predicate gap != null.")
        self.assertEqual(
            len(agent.call("find", timeline="more", predicate="gap != null", limit=9)["entries"]), 6)

    def long_recording(self, count):
        """A recording whose keys, names, call sites, and texts are long, and grow as escapes."""
        keys = [f"{n} " + "ключ \u202e" * 30 for n in range(30)]
        site = "Module/" + "folder \u202e" * 60 + "/File.swift:7"

        def change(key, n):
            return {"op": "add", "path": f"/{key}", "value": "\u202e" * 90 + str(n)}

        def entry(n):
            return {
                "seq": n, "t": n, "event": {f"{n} " + "событие \u202e" * 20: {"text": "\u202e" * 900}},
                "at": site, "error": "\u0001" * 900,
                "patch": [change(key, n) for key in keys] + [
                    {"op": "replace", "path": "/n", "value": n}],
                "outputs": [change(key, n) for key in keys]}

        self.imported("long", [
            {"seq": 0, "t": 0, "state": {"n": 0}},
            *(entry(n) | ({"cause": n - 1} if n > 1 else {}) for n in range(1, count))], kind="reducer", make="App.A.self")

    def test_a_search_that_is_cut_has_all_entries_in_a_larger_reply(self):
        self.imported("long", [{"seq": 0, "t": 0, "state": {}}] + [
            {"seq": seq, "t": seq, "event": {"said": "x" * 400}, "patch": []}
            for seq in range(1, 60)])
        agent = self.agent()
        short = agent.call("find", timeline="long", predicate="seq > 0", limit=100)
        self.assertIn("next", short)
        whole = agent.call(
            "find", timeline="long", predicate="seq > 0", limit=100, max_bytes=262_144)
        self.assertNotIn("next", whole)
        self.assertEqual([one["seq"] for one in whole["entries"]], list(range(1, 60)))

    def test_an_unknown_filter_is_refused_with_what_an_agent_can_do(self):
        self.imported("long", [{"seq": 0, "t": 0, "state": {}}])
        self.assertRegex(
            self.agent().refusal("find", timeline="long", predicate="@debt"),
            "^There is no filter 'debt'. To see all, ask the user to run: debugd filters ")

    def test_long_keys_and_call_sites_fit_into_the_reply(self):
        self.long_recording(12)
        agent = self.agent()
        for tool, arguments in (
                ("scene", {}), ("entries", {"from": 1}), ("state", {}),
                ("find", {"predicate": "state.n > 3", "limit": 100}),
                ("who_set", {"path": "/n", "limit": 50}), ("diff", {"a": 1, "b": 11}),
                ("explain", {"seq": 11, "predicate": "state.n > 3"})):
            # 'find' has no 'max_bytes': its 'limit' is of entries.
            for limit in (8192,) if tool == "find" else (8192, 1024):
                asked = {} if limit == 8192 else {"max_bytes": limit}
                with self.subTest(tool, limit=limit):
                    text, is_error = agent.text(tool, timeline="long", **arguments, **asked)
                    self.assertFalse(is_error, text)
                    self.assertLessEqual(len(text.encode()), limit)
                    if limit == 8192:
                        self.assertGreater(len(text.encode()), 1024, "more would have fit")

    def test_the_parts_of_an_exported_test_are_the_whole_when_joined(self):
        self.long_recording(3)
        agent = self.agent()
        parts, offset = [], 0
        while offset is not None:
            text, is_error = agent.text(
                "export_test", timeline="long", offset=offset, max_bytes=20_000)
            self.assertFalse(is_error, text)
            self.assertLessEqual(len(text.encode()), 20_000)
            page = json.loads(text)
            parts.append(page["text"])
            offset = page.get("next")
        exported = self.daemon.run("export", "long", "--as", "swift-testing").stdout
        self.assertGreater(len(parts), 2)
        self.assertIn(exported, "".join(parts))
