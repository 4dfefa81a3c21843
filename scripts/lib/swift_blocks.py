"""The Swift examples of the documentation: blocks that begin with ```swift, and nothing behind it."""

import os
import re
import textwrap


class Block:
    """One example, and where it stands."""

    def __init__(self, path, line, lines):
        self.path = path
        self.line = line  # of the example's own first line
        self.lines = lines
        self.modules = self.imports()  # what it imports, said or not

    @property
    def last_line(self):
        return self.line + len(self.lines) - 1

    def imports(self):
        """The modules that the example says it imports."""
        return [line.split()[1] for line in self.lines if re.match(r"import \w", line)]

    def source(self, name):
        """The example as a function in a file of its own.

        Imports, which a function cannot hold, move to the top; every other line tells the compiler
        where it stands in the documentation.
        """
        imports = [f"import {module}" for module in self.modules]
        body = ["" if re.match(r"import \w", line) else line for line in self.lines]
        effects = "async throws" if re.search(r"\bawait\b", "\n".join(body)) else "throws"
        return "\n".join([
            *sorted(set(imports)), "", f"func {name}() {effects} {{",
            f'#sourceLocation(file: "{self.path}", line: {self.line})', *body, "#sourceLocation()",
            "}", "",
        ])


def blocks(path, text):
    """The examples in a Markdown file, or in the documentation comments of a Swift file."""
    found, opened, fence, lines = [], None, None, []
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
            opened = number if mark[2] == "swift" else None
        elif mark and mark[1] == fence and not mark[2]:
            if opened is not None:
                body = textwrap.dedent("\n".join(lines)).splitlines()
                found.append(Block(path, opened + 1, body))
            opened = fence = None
        elif fence is not None:
            lines.append(line)
    return found


def name(block):
    """The name of an example's function and file: the place, in letters that Swift allows."""
    stem = re.sub(r"\W", "_", os.path.splitext(block.path)[0])
    return f"{stem}_{block.line}"
