import unittest

from planted import Planted

CHECK = "check-remedies"
TABLE = "scripts/remedies-untested.txt"
NOT_FOLLOWED = "scripts/remedies-not-followed.txt"

SOURCE = """
enum Problem {
  static func words(_ path: String) -> String {
    \"\"\"
    \\(path) is \\(path.isEmpty ? "gone (\\(path))" : "there"). To fix, \\
    look for \\(path) elsewhere.
    \"\"\"
  }
  // "To fix, a comment is not a message."
  static let other = "It is closed. " + "To open it, run: open it yourself"
  static let none = "It runs: nothing is advised, and it goes to somewhere else, too."
}
"""

QUOTES = """
let words = "x is gone. To fix, look for \\(place) elsewhere."
let other = \"\"\"
  To open it, \\
  run: open it yourself
  \"\"\"
"""

COMMANDS = """
extension CommandSpec {
  static let open = CommandSpec(
    name: "open", summary: "opens", options: [.flag("look", nil, "only look")]
  ) { _, _ in }
}
"""


class Remedies(Planted):
    def setUp(self):
        super().setUp()
        self.plant(TABLE, "# none\n")

    def test_a_message_quoted_by_a_test_passes(self):
        self.plant("Sources/A/A.swift", SOURCE)
        self.plant("Tests/A/Tests.swift", QUOTES)
        self.assertClean(CHECK)

    def test_a_message_without_a_test_is_refused(self):
        self.plant("Sources/A/A.swift", SOURCE)
        self.plant("Tests/A/Tests.swift", QUOTES.replace("look for", "search for"))
        self.assertRefused(CHECK, "Sources/A/A.swift:4")
        self.plant("Tests/A/Tests.swift", QUOTES.replace("yourself", "alone"))
        self.assertRefused(CHECK, "Sources/A/A.swift:10")

    def test_a_comment_of_a_test_quotes_nothing(self):
        self.plant("web/a.js", "const why = `${name} is old. To open it, get a newer ${tool}.`;\n")
        self.plant("Tests/Web/a.test.js", "// To open it, get a newer browser.\n")
        self.assertRefused(CHECK, "web/a.js:1")
        self.plant("Tests/Web/a.test.js", 'const why = "To open it, get a newer " + "browser";\n')
        self.assertClean(CHECK)

    def test_python_and_terminal_sessions_quote(self):
        self.plant("web/a.js", 'const a = "It waits. To fix, let it go on by itself.";\n')
        self.plant("Tests/a.py", 'WANTED = (\n    "To fix, let it "\n    "go on by itself.")\n')
        self.assertClean(CHECK)
        self.plant("Tests/a.py", "")
        self.plant("docs/a.md", "```console\n$ run\nTo fix, let it go on by itself.\n```\n")
        self.assertClean(CHECK)
        self.plant("docs/a.md", "To fix, let it go on by itself.\n")
        self.assertRefused(CHECK, "web/a.js:1")

    def test_a_remedy_of_several_messages_is_quoted_with_each(self):
        self.plant("web/a.js", 'const a = "One is there. To fix, take the other one away.";\n'
                               'const b = "Two are there. To fix, take the other one away.";\n')
        self.plant("Tests/a.py", 'A = "One is there. To fix, take the other one away."\n')
        self.assertRefused(CHECK, "web/a.js:2")

    def test_a_message_that_cannot_be_provoked_is_listed_with_a_reason(self):
        self.plant("Sources/A/A.swift", SOURCE)
        self.plant("Tests/A/Tests.swift", QUOTES.replace("look for", "search for"))
        message = "… is …. To fix, look for … elsewhere."
        self.plant(TABLE, f"{message} | not testable\n")
        self.assertClean(CHECK)
        self.plant(TABLE, f"{message} | not testable\nIt is open. To fix, close it. | gone\n")
        self.assertRefused(CHECK, f"{TABLE}:2")

    def test_a_listed_message_that_a_test_quotes_is_refused(self):
        self.plant("Sources/A/A.swift", SOURCE)
        self.plant("Tests/A/Tests.swift", QUOTES)
        self.plant(TABLE, "… is …. To fix, look for … elsewhere. | not testable\n")
        self.assertRefused(CHECK, f"{TABLE}:1")

    def test_suggested_commands_exist_with_their_options(self):
        self.plant("Sources/debugd/Commands/Open.swift", COMMANDS)
        for command, is_there in [("open --look", True), ("open --host", False), ("opn", False)]:
            advice = f"It is closed. To open it, run: debugd {command}"
            self.plant("Sources/A/A.swift", f'let a = "{advice}"\n')
            self.plant("Tests/a.py", f'run(advice("{advice}", said))\n')
            with self.subTest(command):
                if is_there:
                    self.assertClean(CHECK)
                else:
                    self.assertRefused(CHECK, "Sources/A/A.swift:1")

    def test_a_command_is_run_by_a_test_or_listed_with_a_reason(self):
        self.plant("Sources/debugd/Commands/Open.swift", COMMANDS)
        message = "It is closed. To open it, run: debugd open --look"
        self.plant("Sources/A/A.swift", f'let a = "{message}"\n')
        self.plant("Tests/a.py", f'A = "{message}"\n')
        self.assertRefused(CHECK, "Sources/A/A.swift:1")
        self.plant(NOT_FOLLOWED, f"{message} | needs a screen\n")
        self.assertClean(CHECK)
        self.plant("Tests/a.py", f'run(advice(\n    "{message}", said))\n')
        self.assertRefused(CHECK, f"{NOT_FOLLOWED}:1")
        self.plant(NOT_FOLLOWED, "It is shut. To open it, run: debugd open | gone\n")
        self.assertRefused(CHECK, f"{NOT_FOLLOWED}:1")
        self.plant(NOT_FOLLOWED, "# none\n")
        self.assertClean(CHECK)

    def test_help_is_not_a_message(self):
        self.plant("Sources/A/A.swift", 'let a = f(\n  details: "To see more, say more, and more.")\n'
                                        'let b = "It is shut. To fix, open the door again."\n')
        self.plant("Tests/a.py", 'A = "To fix, open the door again."\n')
        self.assertClean(CHECK)

    def test_a_tree_without_messages_is_refused(self):
        lines, status = self.check(CHECK)
        self.assertEqual((lines, status), ([], 1))


if __name__ == "__main__":
    unittest.main()
