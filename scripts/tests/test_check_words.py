import unittest

from planted import Planted

CHECK = "check-words"
NOT_YET = "scripts/words-not-yet.txt"


class Words(Planted):
    tables = ("scripts/word-rules.txt",)

    def setUp(self):
        super().setUp()
        self.plant(NOT_YET, "# nothing\n")

    def test_words_in_prose_comments_strings_and_identifiers_are_refused(self):
        for line in (
            "/// The page is told of it.",
            "// Whoever calls this waits.",
            'let text = "That is no path."',
            "let hasToldOfLosses = false",
            "func takeMessages() {}",
            "func tellControl() {}",
            "struct TimelineDesk {}",
            "let mostBytes = 5",
            "// the colour of a row",
            "// it can not be done",
            "// a daemon that is none",
            "// the work was cancelled",
            "/// Who answers there knows the secret.",
        ):
            with self.subTest(line=line):
                self.plant("a.swift", f"// fine\n{line}\n")
                self.assertRefused(CHECK, "a.swift:2")

    def test_file_names_are_refused(self):
        self.plant("Sources/Door.swift", "let a = 1\n")
        self.assertRefused(CHECK, "Sources/Door.swift:1")

    def test_ordinary_english_passes(self):
        self.plant("a.swift", "\n".join((
            "/// It takes five seconds and is no longer needed.",
            "/// A stand-in stands in for the value.",
            "if Task.isCancelled { return }",
            "func receiveMessages() {}",
            "/// Who-set-this finds who set a value.",
            'static let type = "minimise"',
            "case unauthorised",
            'code: "unauthorised"',
            "if path is None: return",
            "/// There is no daemon.",
            "/// A branch that ended as `cancelled` stays.",
            "",
        )))
        self.assertClean(CHECK)

    def test_a_listed_path_is_skipped_until_it_is_clean(self):
        self.plant("old/a.md", "It is told.\n")
        self.plant(NOT_YET, "old\n")
        self.assertClean(CHECK)
        self.plant("old/a.md", "It is reported.\n")
        self.assertRefused(CHECK, f"{NOT_YET}:1")


if __name__ == "__main__":
    unittest.main()
