import json
import unittest

from planted import Planted

CHECK = "check-whole-modules"


class WholeModules(Planted):
    def plant_module(self, name, text):
        path = f"Sources/{name}/Code.swift"
        self.plant(path, text)
        arguments = ["swiftc", "-module-name", name, "-emit-module", "-DDEBUG",
                     "-c", f"@Sources/{name}/list"]
        self.plant(f"Sources/{name}/list", path + "\n")
        return f"    args: {json.dumps(arguments)}\n"

    def test_code_that_only_a_debug_build_has_is_refused(self):
        good = self.plant_module("Good", "let number = 1\n")
        bad = self.plant_module("Bad", "#if DEBUG\nlet number = 1\n#endif\nlet next = number + 1\n")
        self.plant(".build/debug.yaml", good)
        self.assertClean(CHECK)
        self.plant(".build/debug.yaml", good + bad)
        lines, status = self.check(CHECK)
        self.assertEqual((lines[-1], status), ("Bad: it does not compile as a whole", 1))

    def test_without_a_build_it_says_what_to_run(self):
        lines, status = self.check(CHECK)
        self.assertIn("Build first: swift build --build-tests", lines[0])
        self.assertEqual(status, 1)


if __name__ == "__main__":
    unittest.main()
