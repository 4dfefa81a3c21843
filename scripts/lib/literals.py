"""The text of string literals as shown: continued lines and sums joined, values as …."""

import re

import sources

_SWIFT = re.compile(r'//[^\n]*|/\*|(#*)("""|")')
_SCRIPT = re.compile(
    r"""'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`""", re.DOTALL)
_PYTHON = re.compile(
    r'''\#[^\n]*|[rfbu]{0,2}("""|\'\'\'|"|')((?:\\.|(?!\1).)*?)\1''', re.DOTALL | re.IGNORECASE)
_ESCAPES = {"n": "\n", "t": "\t", "\n": ""}


def literals(path, text):
    """Pairs of an offset and the text of each literal of a Swift, JavaScript, or Python file."""
    if path.endswith(".swift"):
        found, joint = _Swift(text).found, r"\s*\+\s*"
    elif path.endswith((".js", ".mjs")):
        text = sources.script_code(text)
        found = [(match.start(), match.end(), _value(match[0][1:-1], "${", "}"))
                 for match in _SCRIPT.finditer(text)]
        joint = r"\s*\+\s*"
    elif path.endswith(".py"):
        found = [(match.start(), match.end(), _value(match[2], "{", "}"))
                 for match in _PYTHON.finditer(text) if match[1]]
        joint = r"\s*(\+\s*)?"
    else:
        return []
    joined = []
    for start, end, value in found:
        if joined and joined[-1][1] <= start and re.fullmatch(joint, text[joined[-1][1]:start]):
            joined[-1] = (joined[-1][0], end, joined[-1][2] + value)
        else:
            joined.append((start, end, value))
    return [(start, re.sub(r"\s+", " ", value).strip()) for start, _, value in joined]


def _value(text, opening, closing):
    """A literal of JavaScript or Python without its escapes, and with … for what it interpolates."""
    out, at = [], 0
    while (start := text.find(opening, at)) >= 0:
        out += [text[at:start], "…"]
        depth, at = 1, start + len(opening)
        while depth and at < len(text):
            depth += {opening[-1]: 1, closing: -1}.get(text[at], 0)
            at += 1
    text = "".join(out) + text[at:]
    return re.sub(r"\\(.)", lambda match: _ESCAPES.get(match[1], match[1]), text, flags=re.DOTALL)


class _Swift:
    """Collects the literals of Swift source, also those inside of interpolations."""

    def __init__(self, text):
        self.text = text
        self.found = []
        self._code(0, nested=False)

    def _code(self, at, nested):
        """Reads code to the parenthesis that closes an interpolation, or to the end."""
        depth = 0
        token = re.compile(_SWIFT.pattern + (r"|[()]" if nested else ""))
        while match := token.search(self.text, at):
            at = match.end()
            if match[0] == "(":
                depth += 1
            elif match[0] == ")" and depth:
                depth -= 1
            elif match[0] == ")":
                return match.start()
            elif match[0] == "/*":
                at = sources._comment_end(self.text, at)
            elif not match[0].startswith("//"):
                at = self._string(match.start(), at, match[1], match[2])
        return len(self.text)

    def _string(self, start, at, hashes, quotes):
        """Reads a literal after its opening quotes."""
        value = []
        place = len(self.found)
        self.found.append(None)
        escape = re.escape("\\" + hashes) + r"(\(|.)"
        token = re.compile(
            re.escape(quotes + hashes) + "|" + escape + ("" if quotes == '"""' else r"|\n"), re.DOTALL)
        while match := token.search(self.text, at):
            value.append(self.text[at:match.start()])
            at = match.end()
            if match[1] is None:
                break
            if match[1] == "(":
                value.append("…")
                at = self._code(at, nested=True) + 1
            else:
                value.append(_ESCAPES.get(match[1], match[1]))
        self.found[place] = (start, at, "".join(value))
        return at
