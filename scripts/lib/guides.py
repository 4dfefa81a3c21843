"""Turns the documents into a DocC catalog: guides.py CATALOG.

Each page of docs/ becomes an article, and docs/README.md the page that leads to them. Links between
pages stay links; links to other files of the repository become their text, because the site does not
have them. scripts/docs builds the catalog.
"""

import itertools
import os
import posixpath
import re
import shutil
import sys

sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))
import markdown
import sources

HOME = "docs/README.md"
LINK = re.compile(r"(!?)\[([^\]\n]*)\]\(([^)\s]+)\)")
FENCE = re.compile(r"^([ ]*)(`{3,})[ ]*(\w*).*?\n(.*?)^\1\2[ ]*$", re.MULTILINE | re.DOTALL)


def article(path):
    """The name of a page's article: "use-server" for docs/use/server.md."""
    name = path.removeprefix("docs/").removesuffix(".md").removesuffix("/README")
    return "Guides" if path == HOME else name.replace("/", "-")


def anchor(text, fragment):
    """DocC's name of the heading that code hosts name `fragment`; nothing without one."""
    for title in re.findall(r"^#{2,6}\s+(.+?)\s*#*$", markdown.without_blocks(text), re.MULTILINE):
        title = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", title)
        if re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") == fragment:
            return re.sub(r"[^\w\- ]", "", title).strip().replace(" ", "-")
    return None


def converted(path, texts):
    """A page as an article, and the pictures it shows."""
    pictures = set()

    def link(match):
        target, _, fragment = match[3].partition("#")
        if re.match(r"[a-z]+:", target):
            return match[0]
        place = posixpath.normpath(posixpath.join(posixpath.dirname(path), target)) if target else path
        if match[1]:
            pictures.add(place)
            return f"![{match[2]}]({posixpath.basename(place)})"
        place = place if place in texts else f"{place}/README.md"
        if place not in texts:
            return match[2]
        heading = anchor(texts[place], fragment) if fragment else None
        return f"[{match[2]}](doc:{article(place)}{'#' + heading if heading else ''})"

    text = re.sub(r"<!--.*?-->\n?", "", texts[path], flags=re.DOTALL)
    out, end = [], 0
    for block in FENCE.finditer(text):
        out += [LINK.sub(link, text[end:block.start()]),
                f"{block[1]}{block[2]}{block[3]}\n{block[4]}{block[1]}{block[2]}"]
        end = block.end()
    return "".join(out) + LINK.sub(link, text[end:]), pictures


def home(text, paths):
    """The first page: its lists are what DocC calls topics. Other pages are topics by their folders."""
    introduction, *groups = re.split(r"^## (.*)$", text, flags=re.MULTILINE)
    title, _, introduction = introduction.partition("\n")
    topics, notes = [], []
    for name, body in zip(groups[::2], groups[1::2]):
        names = re.findall(r"\]\(doc:([\w-]+)\)", body)
        topics.append(f"### {name}\n\n" + "\n".join(f"- <doc:{one}>" for one in names))
        notes.append(f"**{name}**\n{body.rstrip()}")
    known = set(re.findall(r"<doc:([\w-]+)>", "\n".join(topics))) | {"Guides"}
    for folder, group in itertools.groupby(sorted(paths, key=posixpath.split), posixpath.dirname):
        names = [article(path) for path in group if article(path) not in known]
        title = posixpath.basename(folder).capitalize() if folder != "docs" else "More"
        if names:
            topics.append(f"### {title}\n\n" + "\n".join(f"- <doc:{one}>" for one in names))
    return "\n".join(["# Guides", introduction.strip(), "", "@Metadata {\n  @TechnologyRoot\n}", "",
                      "## Overview", "", "\n\n".join(notes), "", "## Topics", "", "\n\n".join(topics), ""])


def write(root, catalog):
    texts = {path: sources.read(root, path) for path in sources.files(root)
             if path.startswith("docs/") and path.endswith(".md")}
    os.makedirs(catalog)
    for path in texts:
        text, pictures = converted(path, texts)
        text = home(text, texts) if path == HOME else text
        with open(os.path.join(catalog, article(path) + ".md"), "w", encoding="utf-8") as file:
            file.write(text)
        for picture in pictures:
            shutil.copy(os.path.join(root, picture), catalog)


if __name__ == "__main__":
    write(sources.ROOT, sys.argv[1])
