"""The Swift examples of the documentation: blocks that begin with ```swift, and one of KINDS."""

import os
import re
import textwrap


# The word after ```swift: none for an example that runs as written, "compiled" for one that would
# need files or a daemon to run, "test" for a suite of tests as debugd exports it, "main" for the
# main.swift next to a file with the example above it.
KINDS = ("", "compiled", "test", "main")
# The module of the machines in such tests, and the module that all exported tests import.
TEST_MODULES = ["Machines", "StatesTesting"]


class Block:
    """One example and its location."""

    def __init__(self, path, line, lines, kind="", above=None):
        self.above = above if kind == "main" else None
        self.path = path
        self.line = line  # of the example's own first line
        self.lines = lines
        self.kind = kind
        self.modules = self.imports()  # explicit and implicit imports

    @property
    def last_line(self):
        return self.line + len(self.lines) - 1

    def imports(self):
        """The modules that the example imports explicitly."""
        found = [line.split()[1] for line in self.lines if re.match(r"import \w", line)]
        return found + (TEST_MODULES if self.kind == "test" else [])

    def source(self, name):
        """The example as a function in a file of its own.

        Imports, which a function cannot contain, move to the top. Every other line carries its location
        in the documentation for the compiler's errors. The tests of a suite are called directly; its
        attributes have no effect.
        """
        imports = [f"import {module}" for module in self.modules]
        body = self.without_imports()
        end = []
        if self.kind == "test":
            text = "\n".join(body)
            suite = re.search(r"^struct (\w+)", text, re.MULTILINE)[1]
            end = [f"try {suite}().{test}()" for test in re.findall(r"^  func (\w+)\(\)", text, re.MULTILINE)]
            body = [re.sub(r"^\s*@(Suite|Test)\b.*", "", line) for line in body]
        effects = "async throws" if re.search(r"\bawait\b", "\n".join(body)) else "throws"
        return "\n".join([
            *sorted(set(imports)), "", f"func {name}() {effects} {{", self.location(), *body,
            "#sourceLocation()", *end, "}", "",
        ])

    def file(self):
        """The example as a file of its own, exactly as it is written."""
        return "\n".join([self.location(), *self.lines, ""])

    def without_imports(self):
        return ["" if re.match(r"import \w", line) else line for line in self.lines]

    def location(self):
        return f'#sourceLocation(file: "{self.path}", line: {self.line})'


def programs(path, text):
    """The examples in a module of the page: template literals that begin with an import."""
    return [
        Block(path, text.count("\n", 0, match.start(1)) + 1, match[1].splitlines())
        for match in re.finditer(r"`(import \w+\n[^`]*)`", text)]


def blocks(path, text):
    """The examples in a Markdown file, or in the documentation comments of a Swift file."""
    if path.endswith(".js"):
        return programs(path, text)
    found, opened, fence, kind, lines = [], None, None, "", []
    for number, line in enumerate(text.splitlines(), 1):
        if path.endswith(".swift"):
            comment = re.match(r"\s*/// ?(.*)$", line)
            if not comment:
                opened = fence = None
                continue
            line = comment[1]
        mark = re.match(r"\s*(`{3,})\s*(.*?)\s*$", line)
        if fence is None and mark:
            fence, lines = mark[1], []
            kind = mark[2].removeprefix("swift").strip()
            is_example = mark[2].startswith("swift") and kind in KINDS
            opened = number if is_example else None
        elif mark and mark[1] == fence and not mark[2]:
            if opened is not None:
                body = textwrap.dedent("\n".join(lines)).splitlines()
                found.append(Block(path, opened + 1, body, kind, found[-1] if found else None))
            opened = fence = None
        elif fence is not None:
            lines.append(line)
    return found


def name(block):
    """The name of an example's function and file: its location in letters that Swift allows."""
    stem = re.sub(r"\W", "_", os.path.splitext(block.path)[0])
    return f"{stem}_{block.line}"
