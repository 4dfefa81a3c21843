import importlib.machinery
import importlib.util
import os
import unittest

SCRIPTS = os.path.realpath(os.path.join(os.path.dirname(__file__), ".."))


def script():
    """The check as a module. Its name has no suffix, so it is loaded by hand."""
    loader = importlib.machinery.SourceFileLoader(
        "check_refused", os.path.join(SCRIPTS, "check-refused"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


class Refused(unittest.TestCase):
    """How scripts/check-refused judges a program and the compiler's errors."""

    PROGRAM = "let a = 1\na.send()  // refused: not Sendable\n"

    def found(self, errors, program=PROGRAM):
        return [line for line, _ in script().findings(program, errors)]

    def test_an_announced_error_is_not_a_finding(self):
        self.assertEqual(self.found({2: ["other", "'a' is not Sendable"]}), [])

    def test_a_program_that_compiles_is_found(self):
        self.assertEqual(self.found({}), [2])

    def test_another_error_does_not_count(self):
        self.assertEqual(self.found({2: ["cannot find 'a'"]}), [2])

    def test_an_error_in_another_line_is_found(self):
        self.assertEqual(self.found({1: ["typo"], 2: ["not Sendable"]}), [1])

    def test_a_program_that_announces_nothing_is_found(self):
        self.assertEqual(self.found({}, "let a = 1\n"), [1])


if __name__ == "__main__":
    unittest.main()
