"""Markdown for the checks: anchors, links, and blocks."""

import re

LINK = re.compile(r"!?\[[^\]\n]*\]\(\s*<?([^)\s>]+)>?(?:\s+\"[^\"\n]*\")?\s*\)|^\[[^\]]+\]:\s+(\S+)",
                  re.MULTILINE)


def headings(text):
    """The anchors of a Markdown file, named as code hosts name them."""
    found = set()
    for title in re.findall(r"^#{1,6}\s+(.+?)\s*#*$", without_blocks(text), re.MULTILINE):
        title = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", title)
        anchor = re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")
        count = 1
        while (anchor if count == 1 else f"{anchor}-{count - 1}") in found:
            count += 1
        found.add(anchor if count == 1 else f"{anchor}-{count - 1}")
    return found


def blank(match):
    return re.sub(r"[^\n]", " ", match[0])


def without_blocks(text):
    return re.sub(
        r"^([ ]*)(```+|~~~+).*?^\1\2[ ]*$", blank, text, flags=re.MULTILINE | re.DOTALL
    )


def links(text):
    """The targets of the links and pictures, with the offset of each, except those in code."""
    bare = re.sub(r"`[^`\n]+`", blank, without_blocks(text))
    return [(match.start(), match[1] or match[2]) for match in LINK.finditer(bare)]


def blocks(text, words):
    """The lines of the fenced blocks in these languages, each with its number."""
    inside = None
    for number, line in enumerate(text.splitlines(), 1):
        fence = re.match(r"\s*(`{3,})\s*(.*?)\s*$", line)
        if inside is None and fence:
            inside, wanted = fence[1], fence[2] in words
        elif fence and fence[1] == inside and not fence[2]:
            inside = None
        elif inside is not None and wanted:
            yield number, line
