"""Misspelled names in predicates whose answer looks right: commands, agents, and editors report them."""

from agents import Agent
from editors import ENTRIES, HEADER, EditorTest
from test_wrong_words import WithRecordings

TYPO = "No entry has outputs.smu; did you mean outputs.sum?"
# The recordings have ten entries, from 0 to 9.
HOLDS = "outputs.smu != 0"
NEVER = "outputs.smu < 0"


class OnTheCommandLine(WithRecordings):
    def test_they_are_reported_next_to_what_was_found(self):
        for words in (("find", "cart", HOLDS), ("entries", "cart", "--filter", HOLDS)):
            ran = self.run_debugd(*words)
            self.assertEqual(ran.returncode, 0, ran.stderr)
            self.assertTrue(ran.stdout)
            self.assertEqual(ran.stderr, TYPO + "\n")
        ran = self.run_debugd("find", "cart", "state.coupon != 1")
        self.assertEqual(ran.stderr, "No entry has state.coupon. state has total, lines.\n")
        for right in ("outputs.sum != 5", "state.lines[*].price != 3", "true"):
            self.assertEqual(self.run_debugd("find", "cart", right).stderr, "")

    def test_they_are_not_explained(self):
        for predicate in HOLDS, NEVER:
            self.assertIn(TYPO, self.refused("explain", "cart", "--predicate", predicate, code=2))

    def test_every_path_of_a_condition_is_checked(self):
        said = self.refused(
            "export", "cart", "--as", "swift-testing", "-o", "x/", "--never",
            f"state.coupon == 1 && {NEVER}", code=2)
        self.assertIn(TYPO, said)

    def test_a_filter_is_kept_with_a_warning(self):
        ran = self.run_debugd("filters", "cart", "bad", HOLDS)
        self.assertEqual((ran.returncode, ran.stderr), (0, TYPO + "\n"))
        self.assertIn(HOLDS, self.run_debugd("filters", "cart").stdout)

    def test_an_invariant_is_kept_with_a_warning(self):
        ran = self.run_debugd("invariants", "cart", "--confirm", HOLDS)
        self.assertEqual((ran.returncode, ran.stderr), (0, TYPO + "\n"))
        self.assertIn(HOLDS, self.run_debugd("invariants", "cart", "--confirmed").stdout)

    def test_a_path_of_coverage_that_names_no_state_is_explained(self):
        self.assertIn(
            "No entry has /outputs/smu; did you mean /outputs/sum?",
            self.refused("coverage", "cart", "--path", "/outputs/smu", code=2))
        ran = self.run_debugd("coverage", "cart", "--path", "/outputs/sum")
        self.assertEqual((ran.returncode, ran.stderr), (0, ""))

    def test_a_constant_is_called_one(self):
        for predicate, words in (
                ('"coffee"', '"coffee" is a constant, which holds at every entry. To find a text, write: '
                             'anywhere contains "coffee"'),
                ("1 == 1", "1 == 1 reads nothing of the entries, so it has the same answer for all."),
                ("1 == 2 || !false",
                 "1 == 2 || !false reads nothing of the entries, so it has the same answer for all.")):
            self.assertEqual(self.run_debugd("find", "cart", predicate).stderr, words + "\n")

    def test_a_word_without_quotes_may_be_a_text(self):
        self.assertIn(
            'To find a text, write: anywhere contains "coffee"',
            self.refused("find", "cart", "coffee", code=2))
        self.assertNotIn("To find a text", self.refused("find", "cart", "totl", code=2))
        self.assertNotIn("To find a text", self.refused("find", "cart", "coffee > 1", code=2))


class ForAgents(WithRecordings):
    def test_they_are_refused_or_noted_as_on_the_command_line(self):
        with Agent(self.daemon) as agent:
            for tool, arguments in (
                    ("export_test", {"never": NEVER}), ("export_test", {"expect": HOLDS}),
                    ("explain", {"predicate": HOLDS})):
                self.assertIn(TYPO, agent.refusal(tool, timeline="cart", **arguments))
            for tool, arguments in (("find", {"predicate": HOLDS}), ("entries", {"filter": HOLDS})):
                reply = agent.call(tool, timeline="cart", **arguments)
                self.assertTrue(reply["entries"])
                self.assertEqual(reply["note"], TYPO)
            # It may be an optional that was never set.
            reply = agent.call("export_test", timeline="cart", never="state.coupon == 1")
            self.assertEqual(reply["note"], "No entry has state.coupon. state has total, lines.")

    def test_links_of_an_explanation_name_entries(self):
        with Agent(self.daemon) as agent:
            found = agent.call("explain", timeline="cart", predicate="state.total > 8")
            self.assertEqual(
                [(link["from"], link["to"]) for link in found["links"]], [(8, 9)])
            self.assertIn(
                "state.total > 8 does not hold after entry 3. To get an entry after which it does, call "
                "find.",
                agent.refusal("explain", timeline="cart", predicate="state.total > 8", seq=3))


class InEditors(EditorTest):
    def launched(self):
        # Without the loss: what entries had that were lost is not known.
        self.write("whole.timeline", HEADER, ENTRIES[:4])
        editor = self.editor()
        editor.launch("whole.timeline", sources=".")
        return editor

    def test_a_breakpoint_says_why_it_is_never_hit(self):
        editor = self.launched()
        path = f"{self.folder}/Sources/Shop/Cart.swift"

        def said(command, **breakpoint):
            more = {"source": {"path": path}} if command == "setBreakpoints" else {}
            (made,) = editor.set(command, breakpoints=[breakpoint], **more)
            self.assertFalse(made["verified"])
            return made["message"]

        never = "but the condition never holds there."
        self.assertEqual(
            said("setDataBreakpoints", dataId="/state/total", condition="state.total > 5000"),
            f"2 entries have a change of /state/total, {never}")
        self.assertEqual(
            said("setFunctionBreakpoints", name="priced", condition="state.total > 5000"),
            f"1 entry has the event priced, {never}")
        self.assertEqual(
            said("setBreakpoints", line=3, condition="state.total > 5000"),
            f"1 entry has an event from Cart.swift:3, {never}")
        typo = "No entry has state.totl; did you mean state.total?"
        self.assertEqual(said("setDataBreakpoints", dataId="/state/totl"), typo)
        for command, where in (("setDataBreakpoints", {"dataId": "/state/total"}),
                               ("setFunctionBreakpoints", {"name": "priced"}),
                               ("setBreakpoints", {"line": 3})):
            self.assertEqual(said(command, condition="state.totl < 0", **where), typo)
        self.assertEqual(
            said("setFunctionBreakpoints", name="absent", condition="state.total > 0"),
            "No entry of the recording is the event absent.")

    def test_a_misspelled_value_is_not_absent(self):
        editor = self.launched()
        self.assertEqual(editor.refusal("evaluate", expression="state.totl"),
                         "No entry has state.totl; did you mean state.total?")
        answer = editor.body("evaluate", expression="state.nothing")
        self.assertRegex(answer["result"], r"^absent\. No entry has state\.nothing\. state has .*total")

    def test_values_before_are_evaluated_as_such(self):
        editor = self.editor()
        editor.launch("cart.timeline", seq=2)
        frame = editor.body("stackTrace", threadId=1)["stackFrames"][0]["id"]
        scopes = {one["name"]: one["variablesReference"]
                  for one in editor.body("scopes", frameId=frame)["scopes"]}

        def check(reference, evaluated):
            for one in editor.body("variables", variablesReference=reference)["variables"]:
                self.assertTrue(one["evaluateName"].startswith("before.state["), one)
                answer = editor.body("evaluate", expression=one["evaluateName"], frameId=frame)
                self.assertEqual(answer["result"], one["value"])
                evaluated[one["evaluateName"]] = one["value"]
                if one["variablesReference"]:
                    check(one["variablesReference"], evaluated)
                    check(answer["variablesReference"], {})

        evaluated = {}
        check(scopes["Before"], evaluated)
        self.assertEqual(evaluated['before.state["total"]'], "500")
        self.assertEqual(evaluated['before.state["user"]["name"]'], '"Ann"')

    def test_a_stop_at_a_change_shows_both_values(self):
        self.write("gone.timeline", HEADER, [*ENTRIES[:2], {
            "seq": 2, "t": 20, "event": "x", "patch": [{"op": "remove", "path": "/total"}]}])
        for name, texts in (
                ("cart.timeline", ["460 → -40", "500 → 450", "0 → 500"]),
                ("gone.timeline", ["500 → absent"])):
            editor = self.editor()
            editor.launch(name, seq=8 if name == "cart.timeline" else 1)
            editor.body("setDataBreakpoints", breakpoints=[{"dataId": "/state/total"}])
            way = "reverseContinue" if name == "cart.timeline" else "continue"
            stops = [editor.stop(way, threadId=1) for _ in texts]
            self.assertEqual(
                [one["description"] for one in stops], [f"a change of /state/total: {t}" for t in texts])
