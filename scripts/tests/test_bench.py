"""The benchmarks of the page: they run rarely, so a name that is gone would stay unnoticed."""

import ast
import builtins
import pathlib
import unittest

BENCH = pathlib.Path(__file__).resolve().parents[2] / "Tests" / "Web" / "bench"


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


if __name__ == "__main__":
    unittest.main()
