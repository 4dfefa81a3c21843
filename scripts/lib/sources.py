"""Shared by the checks: finds files, separates code from comments, and reports findings."""

import os
import re
import subprocess
import sys

ROOT = os.path.realpath(os.path.join(os.path.dirname(__file__), "..", ".."))


def root_argument(usage):
    """The tree to check: this repository, or the given one, such as a tree planted by a test."""
    arguments = sys.argv[1:]
    if not arguments:
        return ROOT
    if len(arguments) == 2 and arguments[0] == "--root":
        return os.path.realpath(arguments[1])
    print(usage.strip())
    sys.exit(0 if arguments in (["-h"], ["--help"]) else 2)


def files(root):
    """The paths of the repository's files, relative to `root`, including uncommitted ones."""
    try:
        listed = subprocess.run(
            ["git", "-C", root, "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            check=True, capture_output=True,
        ).stdout.decode().split("\0")
    except (OSError, subprocess.CalledProcessError):
        listed = []  # Not a checkout: an unpacked archive, or a tree that a test planted.
        for folder, folders, names in os.walk(root):
            folders[:] = [name for name in folders if name not in (".git", ".build")]
            listed += [os.path.relpath(os.path.join(folder, name), root) for name in names]
    return sorted({path for path in listed if path and os.path.isfile(os.path.join(root, path))})


def read(root, path):
    """The text of a file, or None if it is binary."""
    with open(os.path.join(root, path), "rb") as file:
        data = file.read()
    if b"\0" in data:
        return None
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return None


def rows(root, path, columns):
    """The rows of a table: one per line, columns separated by `|`; `#` starts a comment."""
    found = []
    for number, line in enumerate((read(root, path) or "").splitlines(), 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        cells = [cell.strip() for cell in line.split("|", columns - 1)]
        if len(cells) != columns:
            sys.exit(f"{path}:{number}: {columns} columns parted by | are wanted")
        found.append((number, cells))
    return found


class Findings:
    """Collects findings and prints them the way a compiler does."""

    def __init__(self):
        self.checked = set()
        self.found = []

    def add(self, path, line, sentence):
        self.checked.add(path)
        self.found.append((path, line, sentence))

    def finish(self):
        """Prints the findings and, as the last line, the counts of files; ends the process."""
        for path, line, sentence in sorted(self.found):
            print(f"{path}:{line}: {sentence}")
        bad = {path for path, _, _ in self.found}
        print(f"{len(self.checked - bad)} passed, {len(bad)} failed")
        sys.exit(1 if self.found else 0)


def line_of(text, offset):
    return text.count("\n", 0, offset) + 1


def _blank(text):
    return re.sub(r"[^\n]", " ", text)


_SWIFT = re.compile(r'//[^\n]*|/\*|(#*)("""|")')


def swift_code(text):
    """Swift source with comments and the text of strings blanked, every line in its place.

    An interpolation stays: it is code.
    """
    return _swift(text, 0, None)[0]


def _swift(text, start, closing):
    """Blanks from `start` to the parenthesis that closes an interpolation, or to the end."""
    out, at, depth = [], start, 0
    token = re.compile(_SWIFT.pattern + (r"|[()]" if closing else ""))
    while True:
        match = token.search(text, at)
        if not match:
            out.append(text[at:])
            return "".join(out), len(text)
        out.append(text[at:match.start()])
        found = match.group()
        if found == "(":
            depth += 1
            out.append(found)
            at = match.end()
        elif found == ")":
            if depth == 0:
                return "".join(out), match.start()
            depth -= 1
            out.append(found)
            at = match.end()
        elif found.startswith("//"):
            out.append(_blank(found))
            at = match.end()
        elif found == "/*":
            end = _comment_end(text, match.end())
            out.append(_blank(text[match.start():end]))
            at = end
        else:
            inside, at = _string(text, match.end(), match.group(1), match.group(2))
            out.append(" " * len(found) + inside)


def _comment_end(text, at):
    """The end of a block comment; they nest."""
    depth = 1
    for match in re.compile(r"/\*|\*/").finditer(text, at):
        depth += 1 if match.group() == "/*" else -1
        if depth == 0:
            return match.end()
    return len(text)


def _string(text, start, hashes, quotes):
    """Blanks a string literal after its opening quotes, except for interpolated code."""
    out, at = [], start
    escape = "\\" + hashes
    token = re.compile(
        re.escape(quotes + hashes) + "|" + re.escape(escape) + r"(\(|.)"
        + ("" if quotes == '"""' else r"|\n"),
        re.DOTALL,
    )
    while True:
        match = token.search(text, at)
        if not match:
            return "".join(out) + _blank(text[at:]), len(text)
        out.append(_blank(text[at:match.end()]))
        at = match.end()
        if match.group(1) == "(":
            code, at = _swift(text, at, True)
            out.append(code)
        elif match.group(1) is None:
            return "".join(out), at


_SCRIPT = re.compile(
    r"""(//[^\n]*|/\*.*?(?:\*/|\Z))
      |('(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`)
      |((?:(?<=[(,=:\[!&|?{};+\n])|(?<=return)|\A)[ \t]*/(?![/*])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n\[])+/)""",
    re.VERBOSE | re.DOTALL,
)


def script_code(text):
    """JavaScript without its comments, every line in its place; strings stay."""
    return _SCRIPT.sub(lambda match: _blank(match[1]) if match[1] else match[0], text)
