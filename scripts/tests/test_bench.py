"""The benchmarks of the page: they run rarely, so a name that is gone would stay unnoticed."""

import ast
import builtins
import importlib
import json
import pathlib
import re
import sys
import types
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BENCH = ROOT / "Tests" / "Web" / "bench"


def page_floor():
    """The module, without a browser and its driver."""
    browsing = types.ModuleType("browsing")
    browsing.ROOT = ROOT
    sys.modules["browsing"] = browsing
    sys.path.insert(0, str(BENCH))
    try:
        return importlib.import_module("page_floor")
    finally:
        sys.path.remove(str(BENCH))
        del sys.modules["browsing"]


def names_of(tree):
    """What a module defines or imports, at its top level."""
    for node in tree.body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            yield node.name
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            yield from (alias.asname or alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.Assign):
            yield from (name.id for target in node.targets for name in ast.walk(target)
                        if isinstance(name, ast.Name))


class Names(unittest.TestCase):
    def test_what_a_module_imports_from_another_is_there(self):
        trees = {path.stem: ast.parse(path.read_text()) for path in BENCH.glob("*.py")}
        self.assertIn("page_metrics", trees)
        for module, tree in trees.items():
            for node in ast.walk(tree):
                if isinstance(node, ast.ImportFrom) and node.module in trees:
                    for alias in node.names:
                        with self.subTest(f"{module} imports {alias.name}"):
                            self.assertIn(alias.name, set(names_of(trees[node.module])))

    def test_what_a_module_calls_is_there(self):
        for path in BENCH.glob("*.py"):
            tree = ast.parse(path.read_text())
            known = set(names_of(tree)) | set(dir(builtins)) | {
                node.id for node in ast.walk(tree)
                if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)} | {
                argument.arg for argument in ast.walk(tree) if isinstance(argument, ast.arg)} | {
                node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)} | {
                alias.name for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)
                for alias in node.names}
            for node in ast.walk(tree):
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                    with self.subTest(f"{path.name}: {node.func.id}"):
                        self.assertIn(node.func.id, known)


class Floor(unittest.TestCase):
    """What the inspector is compared with does as much as the inspector, and no more."""

    def test_it_asks_what_the_inspector_asked_before_it_had_the_state(self):
        asked = page_floor().questions([
            ("sent", '{"type":"hello","version":"1.0"}'),
            ("received", '{"type":"welcome"}'),
            ("sent", '{"type":"timelines","id":1}'),
            ("received", '{"type":"timelines","re":1}'),
            ("sent", '{"type":"state","id":2,"seq":9}'),
            ("received", '{"type":"state","re":2}'),
            ("sent", '{"type":"find","id":3}'),
        ])
        self.assertEqual(asked, [{"type": "timelines"}, {"type": "state", "seq": 9}])

    def test_an_inspector_without_a_state_is_an_error(self):
        with self.assertRaises(AssertionError):
            page_floor().questions([("sent", '{"type":"timelines","id":1}')])

    def test_it_loads_as_many_bytes_as_the_inspector(self):
        floor = page_floor()
        with floor.site() as folder:
            opened = {"questions": [{"type": "timelines"}], "rows": 28, "lines": 31}
            # Twice: a second run does not count the first one's ballast.
            for _ in range(2):
                floor.write_task(folder, opened, 1_000_000, 99)
            loaded = [*(folder / floor.PLACE).iterdir(),
                      *(folder / "web" / module for module in floor.MODULES)]
            size = sum(file.stat().st_size for file in loaded)
            task = json.loads((folder / floor.PLACE / "task.json").read_text())
        self.assertTrue(0 <= size - 1_000_000 < 100, size)
        self.assertEqual((task["rows"], task["lines"], task["last"]), (28, 31, 99))

    def test_all_modules_that_it_imports_are_served(self):
        floor = page_floor()
        with floor.site() as folder:
            page = folder / floor.PAGE
            modules = [page.parent / "floor.js",
                       *(folder / "web" / module for module in floor.MODULES)]
            for module in modules:
                for imported in re.findall(r'^import .* from "(.*)";', module.read_text(), re.M):
                    self.assertIn((module.parent / imported).resolve(), modules, module)
            for preload in re.findall(r'modulepreload" href="/(.*)"', page.read_text()):
                self.assertIn(folder / preload, modules)


if __name__ == "__main__":
    unittest.main()
