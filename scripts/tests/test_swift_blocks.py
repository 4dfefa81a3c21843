import os
import sys
import unittest

SCRIPTS = os.path.realpath(os.path.join(os.path.dirname(__file__), ".."))
sys.path.insert(0, os.path.join(SCRIPTS, "lib"))
import swift_blocks


class Examples(unittest.TestCase):
    """The Swift examples that scripts/check-examples finds, and their programs."""

    def found(self, path, text):
        return [(block.line, block.lines) for block in swift_blocks.blocks(path, text)]

    def test_only_blocks_of_swift_are_examples(self):
        text = ("```swift\nlet a = 1\n\n```\n```\nlet b\n```\n```json\n{}\n```\n"
                "```swift sketch\nlet c\n```\n````swift\n```\nlet d\n````\n`` ```swift ``\n")
        self.assertEqual(
            self.found("a.md", text), [(2, ["let a = 1"]), (15, ["```", "let d"])])

    def test_a_program_of_the_page_is_an_example(self):
        text = "const a = `${b}`;\nconst c = `import A\nlet a = 1\n`;\nconst d = `let e`;\n"
        self.assertEqual(self.found("web/a.js", text), [(2, ["import A", "let a = 1"])])

    def test_a_block_in_a_comment_ends_with_the_comment(self):
        text = ("/// One:\n///\n/// ```swift\n/// if a {\n///   b()\n/// }\n/// ```\nlet a = 1\n"
                "  /// ```swift\n  ///   c()\n  /// ```\n  // ```swift\n/// ```swift\n/// d()\nlet e\n")
        self.assertEqual(
            self.found("a.swift", text), [(4, ["if a {", "  b()", "}"]), (10, ["c()"])])

    def test_an_example_becomes_a_function_that_knows_its_place(self):
        block = swift_blocks.blocks("docs/a-b.md", "```swift\nimport B\nlet a = 1\n```\n")[0]
        self.assertEqual(swift_blocks.name(block), "docs_a_b_2")
        self.assertEqual(block.modules, ["B"])
        block.modules = ["B", "C"]
        self.assertEqual(
            block.source("f"),
            'import B\nimport C\n\nfunc f() throws {\n#sourceLocation(file: "docs/a-b.md", line: 2)\n'
            "\nlet a = 1\n#sourceLocation()\n}\n")
        block = swift_blocks.blocks("a.md", "```swift\nawait a()\n```\n")[0]
        self.assertIn("func f() async throws {", block.source("f"))

    def test_a_main_is_a_file_next_to_the_example_above_it(self):
        text = "```swift\nimport B\nlet a = 1\n```\nThen:\n```swift main\nimport C\nb(a)\n```\n"
        first, main = swift_blocks.blocks("a.md", text)
        self.assertEqual((first.modules, main.modules), (["B"], ["C"]))
        self.assertEqual((main.line, main.last_line), (7, 8))
        self.assertEqual(
            main.above.file(), '#sourceLocation(file: "a.md", line: 2)\nimport B\nlet a = 1\n')
        self.assertEqual(
            main.file(), '#sourceLocation(file: "a.md", line: 7)\nimport C\nb(a)\n')


if __name__ == "__main__":
    unittest.main()
