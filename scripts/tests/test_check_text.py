import unittest

from planted import Planted

CHECK = "check-text"


class Text(Planted):
    tables = ("scripts/text-rules.txt",)

    def test_each_rule_refuses_what_it_describes(self):
        # Written in halves, so that this file passes the check.
        for line in (
            "in /ho" + "me/someone/project",
            "see /wo" + "rk/main",
            "path=/Us" + "ers/someone",
            "#!/op" + "t/swift/usr/bin/swift",
            "// TO" + "DO: more",
            "FIX" + "ME later",
            "lorem ip" + "sum",
            "Not imple" + "mented",
            "a place" + "holder",
            "https://py" + "pi.org/simple",
            "registry.np" + "mjs.org",
            "https://cra" + "tes.io",
            "fixes #" + "12",
            "see issue" + " 3",
            "as in iss" + "ues/4",
        ):
            with self.subTest(line=line):
                self.plant("docs/a.txt", f"fine\n{line}\n")
                self.assertRefused(CHECK, "docs/a.txt:2")

    def test_ordinary_text_passes(self):
        self.plant("a.md", "The framework/home page, ~/work/x, https://example.org/home/page,\n"
                   "`${#list[@]}`, `$#`, the pointer `/work`, a todo list, 3 issues.\n")
        self.plant("a.css", "a { color: #" + "123; }\ninput::place" + "holder { color: #fff; }\n")
        self.plant("a.swift", 'let raw = #"1"#\n')
        self.assertClean(CHECK)

    def test_binary_files_are_skipped(self):
        self.plant("a.bin", "TO" + "DO\0")
        self.assertClean(CHECK)


if __name__ == "__main__":
    unittest.main()
