import unittest

from planted import Planted

CHECK = "check-unsafe"
WORDS = (
    "final class A: @unchecked Sendable {}",
    "nonisolated(unsafe) var a = 1",
    "unowned(unsafe) let a: B",
    "let a: Unmanaged<B>",
    "let a = unsafeBitCast(b, to: Int.self)",
    "let a = try! b()",
    "let a = b as! Int",
    'fatalError("no")',
    '@_silgen_name("x") func a()',
    "let a: UnsafePointer<Int>",
    "let a: UnsafeMutableRawBufferPointer",
    "bytes.withUnsafeBytes { _ in }",
    "let a = [Int](unsafeUninitializedCapacity: 1) { _, _ in }",
    "let a = unsafe b.pointee",
    'let a = "\\(try! b())"',
)


class UnsafeWords(Planted):
    def setUp(self):
        super().setUp()
        self.plant("scripts/unsafe-allowed.txt", "Sources/C/* | a wrapper\n"
                   "Sources/JSONCore/Hot.swift | the hot path\n")
        self.plant("Sources/JSONCore/Hot.swift", "let a = 1\n")

    def test_each_word_is_refused_outside_the_allowed_files(self):
        for word in WORDS:
            with self.subTest(word=word):
                self.plant("Sources/JSONCore/A.swift", f"// Safe: it is not.\n{word}\n")
                self.assertRefused(CHECK, "Sources/JSONCore/A.swift:2")

    def test_each_word_needs_a_reason_in_an_allowed_file(self):
        for word in WORDS:
            with self.subTest(word=word):
                self.plant("Sources/C/A.swift", f"{word}\n")
                self.assertRefused(CHECK, "Sources/C/A.swift:1")
                self.plant("Sources/C/A.swift", f"// Safe: nothing else has it.\n{word}\n")
                self.assertClean(CHECK)

    def test_a_claim_needs_a_nearby_reason_and_a_pointer_one_per_file(self):
        far = "// This is safe because it is lent.\n" + "\n" * 6
        self.plant("Sources/C/A.swift", far + "let a = b as! Int\n")
        self.assertRefused(CHECK, "Sources/C/A.swift:8")
        each = "nonisolated(unsafe) var a = 1\n\n"
        self.plant("Sources/C/A.swift", "// Safe: one thread has them all.\n" + each * 9)
        self.assertClean(CHECK)
        self.plant("Sources/C/A.swift", far + "let a: UnsafePointer<Int>\n")
        self.assertClean(CHECK)

    def test_a_reason_in_a_string_does_not_count(self):
        self.plant("Sources/C/A.swift", 'let why = "Safe: yes"\nlet a = b as! Int\n')
        self.assertRefused(CHECK, "Sources/C/A.swift:2")

    def test_comments_strings_and_similar_words_pass(self):
        self.plant("Sources/JSONCore/A.swift",
                   '// try! and as! and UnsafePointer\n/* @unchecked */\nlet a = "try! \\"as! x"\n'
                   'let b = """\n  fatalError(1) " as!\n  """\nlet c = #"\\(try! "as! x)"#\n'
                   "let d = e as? Int\ntry? f()\nlet unsafety = 1\n")
        self.assertClean(CHECK)

    def test_a_row_without_its_file_or_reason_is_refused(self):
        self.plant("scripts/unsafe-allowed.txt", "Sources/Gone.swift | it was fast\n"
                   "Sources/JSONCore/Hot.swift |\n")
        self.assertRefused(
            CHECK, "scripts/unsafe-allowed.txt:1", "scripts/unsafe-allowed.txt:2"
        )


if __name__ == "__main__":
    unittest.main()
