import unittest

from planted import Planted

CHECK = "check-errors"

PAGE = """
| Message | Cause |
|---|---|
| `… is not a file of …. To fix, name another.` | it |
| `"x" is wrong: …` `and this` | `not this one` |
| `There is no swift on the PATH … now` | `debugd list` |
"""


class Errors(Planted):
    def plant_sources(self, verb="is"):
        self.plant("Sources/A.swift", 'let a = """\n  \\(name.map { "(\\($0))" } ?? "") ' + verb
                   + ' not \\\n  a file of \\(other). \\\n  To fix, name another.\n  """\n'
                   'let b = "\\"x\\" is wrong: "\n  + "\\(why)"\n')
        self.plant("web/a.js", "const c = `and ${'this'}`; const d = 'and this';\n")
        self.plant("scripts/a", 'stop "There is no swift on the PATH $(which "$x") now"\n')

    def test_quoted_messages_are_found(self):
        self.plant("docs/troubleshooting.md", PAGE)
        self.plant_sources()
        self.assertClean(CHECK)

    def test_quotes_without_a_message_are_refused(self):
        self.plant("docs/troubleshooting.md", PAGE)
        self.plant_sources(verb="was")
        self.assertRefused(CHECK, "docs/troubleshooting.md:4")

    def test_a_page_without_sentences_is_refused(self):
        self.plant("docs/troubleshooting.md", "nothing\n")
        self.plant_sources()
        lines, status = self.check(CHECK)
        self.assertEqual((lines, status), (["docs/troubleshooting.md quotes nothing"], 1))


if __name__ == "__main__":
    unittest.main()
