import unittest

from planted import Planted

CHECK = "check-style"


class Style(Planted):
    tables = ("scripts/style-rules.txt",)

    def test_a_file_may_have_400_lines(self):
        self.plant("Sources/A/A.swift", "// a\n" * 400)
        self.plant("docs/long.md", "a\n" * 900)
        self.assertClean(CHECK)
        self.plant("Sources/A/A.swift", "// a\n" * 401)
        self.plant("scripts/long", "# a\n" * 401)
        self.assertRefused(CHECK, "Sources/A/A.swift:401", "scripts/long:401")

    def test_trailing_white_space_is_refused(self):
        self.plant("web/a.css", "a {}  \n\tb {}\nc {}")
        self.assertRefused(CHECK, "web/a.css:1", "web/a.css:2", "web/a.css:3")

    def test_each_rule_refuses_what_it_describes(self):
        for path, line in (
            ("Sources/JSONCore/A.swift", "print(1)"),
            ("Tests/ATests/A.swift", "try await Task.sleep(for: .seconds(1))"),
            ("Tests/ATests/A.swift", "#expect(true)"),
            ("Tests/ATests/A.swift", "@Test(.disabled()) func a() {}"),
            ("Tests/Live/a.py", 'tempfile.mkdtemp(prefix="a", dir="/tmp")'),
            ("Package.swift", 'swiftSettings: [.unsafeFlags(["-O"])]'),
            ("Package.swift", '.systemLibrary(name: "A", pkgConfig: "a")'),
            ("Sources/Recorder/A.swift", "let lock = NSLock()"),
            ("Sources/Wire/A.swift", 'let shown = text.count > 80 ? text.prefix(79) + "…" : text'),
            ("Sources/Wire/A.swift", 'if name.count > Self.most { name = name.prefix(9) + "…" }'),
            ("web/elements/a.js", "customElements.define('a-b', A);"),
            ("web/elements/a.js", "this.innerHTML = text;"),
            ("web/model/a.js", "eval(text);"),
            ("web/style/a.css", "  animation: breathe 2s ease-in-out infinite;"),
            ("web/index.html", '<script src="https://example.org/a.js"></script>'),
        ):
            with self.subTest(line=line):
                self.plant(path, f"\n{line}\n")
                self.assertRefused(CHECK, f"{path}:2")
                self.plant(path, "")

    def test_a_state_machine_lists_every_case(self):
        switch = """func receive(_ input: Input) {
  switch input {
  case .opened, .text,
    .closed:
    if isOpen { close() }

    // a comment
  %s
  }
}
"""
        for folder in ("Recorder", "PostgresStore", "Exploring", "TimelineStore/Copying", "debugd/DAP"):
            self.plant(f"Sources/{folder}/A.swift", switch % "default: break")
            self.assertRefused(CHECK, f"Sources/{folder}/A.swift:2")
            self.plant(f"Sources/{folder}/A.swift", "")
        for end in ("case .failed: break", 'case _ where isOpen: break\n  default: break'):
            self.plant("Sources/Recorder/A.swift", switch % end)
            self.assertClean(CHECK)
        self.plant("Sources/Recorder/A.swift", "")
        self.plant("Sources/DebugServer/A.swift", "switch byte {\ncase 0: true\ndefault: false\n}\n")
        self.assertClean(CHECK)

    def test_comments_and_other_files_are_not_checked(self):
        self.plant("Sources/JSONCore/A.swift", "// print(1)\nlet a = \"print(1)\"\nfingerprint(1)\n")
        self.plant("Sources/debugd/A.swift", "print(1)\n")
        self.plant("web/app.js", "customElements.define('a-b', A);\n// eval(1)\n")
        self.assertClean(CHECK)


if __name__ == "__main__":
    unittest.main()
