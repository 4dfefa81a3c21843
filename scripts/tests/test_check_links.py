import unittest

from planted import Planted

CHECK = "check-links"

COMMANDS = """
extension CommandSpec {
  static let list = CommandSpec(
    name: "list", aliases: ["ls"], summary: "list with --nothing",
    options: [.flag("live", nil, "only what is live"), .json],
    examples: [("debugd list --gone", "")]
  ) { arguments, terminal in .value("gone") }
  static let serve = CommandSpec(name: "serve", options: [.json] + more) { _, _ in .done }
}
extension OptionSpec {
  static let json = OptionSpec.flag("json", "j", "print JSON")
  private let more: [OptionSpec] = [
    .value("web", "w", "FOLDER", "the page")
  ]
}
"""


class Links(Planted):
    def test_links_must_have_a_target(self):
        self.plant("docs/a.md", "# First part\n\n[b](b.md) [up](../a.md) [self](#first-part)\n"
                   "[there](b.md#the-api-of-b) [web](https://example.org)\n"
                   "`[code](gone.md)`\n\n```\n[code](gone.md)\n```\n")
        self.plant("docs/b.md", "## The `API` of B!\n")
        self.plant("a.md", "")
        self.assertClean(CHECK)
        self.plant("docs/c.md", "[b](gone.md)\n[b](b.md#gone)\n[b](#gone)\n![p](p.png)\n"
                   "[out](../../x.md)\n[named]: gone.md\n")
        self.assertRefused(CHECK, *(f"docs/c.md:{line}" for line in range(1, 7)))

    def test_rows_of_a_table_have_the_same_cells(self):
        self.plant("docs/a.md", "| a | b |\n|---|---|\n| `x \\| y` | 2 |\n\n| one |\n|---|\n\n"
                   "```\n| a |\n| b | c |\n```\n")
        self.assertClean(CHECK)
        self.plant("docs/b.md", "| a | b |\n|---|---|\n| 1 | 2 | 3 |\n| 1 |\n| `x | y` | 2 |\n| 1 | 2 |\n")
        self.assertRefused(CHECK, *(f"docs/b.md:{line}" for line in (3, 4, 5)))

    def test_the_architecture_links_every_folder_with_sources(self):
        self.plant("Sources/A/One/a.swift", "")
        self.plant("Sources/A/central.swift", "")
        self.plant("Sources/A/A.docc/Resources/a.swift", "")
        self.plant("Sources/CThing/shim.swift", "")
        self.plant("web/model/live/a.js", "")
        self.plant("web/app.js", "")
        page = "| [`A/One`](../Sources/A/One) | a |\n| [`live`](../web/model/live) | b |\n"
        self.plant("docs/architecture.md", page)
        self.assertClean(CHECK)
        self.plant("Sources/A/Two/a.swift", "")
        self.plant("web/base/a.js", "")
        lines, status = self.check(CHECK)
        self.assertEqual(status, 1)
        self.assertEqual([line.rpartition(" ")[2] for line in lines], ["Sources/A/Two", "web/base"])

    def test_the_types_in_the_architecture_exist(self):
        self.plant("Sources/StatesCore/a.swift", "final class TimelineWriter {}\nstruct Append {}\n")
        link = "[core](../Sources/StatesCore)\n"
        self.plant("docs/architecture.md", link + "`TimelineWriter`, `StatesCore`, `WITHOUT_ROW`,\n"
                   "`a/OldName.swift`, OldName\n```\nTimelineWriter ──▶ page\n```\n"
                   "```json\n{\"OldName\":1}\n```\n")
        self.assertClean(CHECK)
        self.plant("docs/architecture.md", link + "`OldName`\n\n```\nTimelineWriter\nOldWriter.Append\n```\n")
        self.assertRefused(CHECK, "docs/architecture.md:2", "docs/architecture.md:6")

    def test_pictures_must_be_pictures(self):
        self.plant("docs/a.md", "![a](a.svg)\n![b](b.png)\n")
        self.plant("docs/a.svg", "<svg/>")
        self.plant("docs/b.png", "no picture")
        self.assertRefused(CHECK, "docs/a.md:2")

    def test_commands_must_exist_with_their_options(self):
        self.plant("Sources/debugd/Commands/List.swift", COMMANDS)
        self.plant("scripts/run", "")
        self.plant("docs/a.md", "`debugd ls --live`, `debugd list --json`, `debugd --web x`, `scripts/run`, "
                   "`scripts/NAME`\n"
                   "```console\n$ debugd list --live 'with --gone' | head --gone\ndebugd 0.1.0\n"
                   "$ debugd lost\ndebugd: debugd has no command 'lost'.\n```\n"
                   "```swift\ndebugd lost\n```\n`debugd has found nothing.`\n")
        self.assertClean(CHECK)
        self.plant("docs/b.md", "`debugd lost`\n`debugd ls --gone`\n```\nX=1 build/debugd lost\n"
                   "debugd serve --live\n```\n`scripts/gone`\n")
        self.assertRefused(CHECK, *(f"docs/b.md:{line}" for line in (1, 2, 4, 5, 7)))

    def test_a_session_must_be_marked_as_one(self):
        self.plant("docs/a.md", "```console\n$ ls\n```\n```console example\n$ ls\n```\n")
        self.assertClean(CHECK)
        self.plant("docs/b.md", "```\n$ ls\na\n```\n")
        self.assertRefused(CHECK, "docs/b.md:2")

    def test_the_index_lists_each_decision_by_its_heading(self):
        listed = "- [0001: Keep `it`](0001-keep-it.md)\n"
        self.plant("docs/decisions/README.md", listed)
        self.plant("docs/decisions/0001-keep-it.md", "# 0001: Keep `it`\n")
        self.assertClean(CHECK)
        self.plant("docs/decisions/README.md", listed + "- [0002: Old title](0002-new-title.md)\n"
                   "- [0004: Other](0003-other-number.md)\n")
        self.plant("docs/decisions/0002-new-title.md", "# 0002: New title\n")
        self.plant("docs/decisions/0003-other-number.md", "# 0004: Other\n")
        self.plant("docs/decisions/0005-not-listed.md", "# 0005: Not listed\n")
        self.plant("docs/decisions/0006-old-form.md", "# 6. Old form\n")
        self.assertRefused(CHECK, *(f"docs/decisions/{name}.md:1" for name in (
            "0002-new-title", "0003-other-number", "0005-not-listed", "0006-old-form")))


if __name__ == "__main__":
    unittest.main()
