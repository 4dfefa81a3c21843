import unittest

from planted import Planted

CHECK = "check-commands"

COMMANDS = """
extension CommandSpec {
  static let list = CommandSpec(
    name: "list", aliases: ["ls"], summary: "list",
    options: [.flag("live", nil, "only what is live"), .value("app", "a", "NAME", "x"), .json]
  ) { _, _ in .done }
  static let serve = CommandSpec(name: "serve", options: [.data] + more) { _, _ in .done }
}
extension OptionSpec {
  static let json = OptionSpec.flag("json", "j", "print JSON")
  static let data = OptionSpec.value("data", "d", "FOLDER", "where")
  private let more: [OptionSpec] = [
    .value("web", "w", "FOLDER", "the page")
  ]
}
"""

PAGE = """# debugd

| option | default |
|---|---|
| `-d`, `--data FOLDER` | |
| `-w`, `--web FOLDER` | |

| command | what it does | its own options |
|---|---|---|
| `list TIMELINE` | lists, like `ls --all` | `--app NAME`, `--live` |

| table | of another kind |
|---|---|
| `lost` | `--gone` |
"""


class Commands(Planted):
    def test_the_manual_lists_each_command_with_its_options(self):
        self.plant("Sources/debugd/Commands/List.swift", COMMANDS)
        self.plant("docs/debugd.md", PAGE)
        self.assertClean(CHECK)
        for old, new, line in [
            (", `--live`", "", 10),  # an option missing from the manual
            ("`--live`", "`--live`, `--gone`", 10),  # one that the command does not have
            ("| `-w`, `--web FOLDER` | |\n", "", 5),
            ("`list TIMELINE`", "`lost TIMELINE`", 10),
            ("\n| table", "| `list` | again | `--app NAME`, `--live` |\n\n| table", 11),
        ]:
            with self.subTest(new=new):
                self.plant("docs/debugd.md", PAGE.replace(old, new, 1))
                lines, status = self.check(CHECK)
                self.assertIn(f"docs/debugd.md:{line}", [":".join(one.split(":")[:2]) for one in lines])
                self.assertEqual(status, 1)

    def test_a_command_without_a_row_is_refused(self):
        self.plant("Sources/debugd/Commands/List.swift", COMMANDS)
        self.plant("docs/debugd.md", PAGE.replace("`list TIMELINE`", "list"))
        self.assertRefused(CHECK, "docs/debugd.md:1")


if __name__ == "__main__":
    unittest.main()
