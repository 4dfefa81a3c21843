"""Writes the generated regions of docs/protocol.md from the declarations in Sources and the fixtures.

A region is what is between `<!-- generated: KIND NAME… -->` and `<!-- end of generated -->`:

    messages SET      the messages of a set, with their keys, parts, and words
    keys TYPE         the keys of one type
    words TYPE        the words of an enum
    numbers TYPE      the numbers of an enum
    members TYPE      the members that a type writes without a list of keys, such as those of a header
    entry             the keys of an entry: meanings from EntryKey, types from EntryDraft
    capabilities      which requests need which capability
    limits NAME…      the properties of types, all or as TYPE.PROPERTY, with their default values
"""

import os
import re
import sys

import declarations
import sources

PAGE = "docs/protocol.md"
FIXTURES = "docs/protocol/messages/"
FOLDERS = ("Sources/Wire/", "Sources/Timelines/", "Sources/DebugServer/Hub/ServerLimits.swift")
REGION = re.compile(r"^<!-- generated: ([^\n]+) -->\n(.*?)^<!-- end of generated -->$",
                    re.MULTILINE | re.DOTALL)
SETS = {"FromRecorder": "from-recorder", "ToRecorder": "to-recorder",
        "FromInspector": "from-inspector", "ToInspector": "to-inspector"}

# How the document names the types of Swift: one value, and several.
NAMES = {
    "String": ("string", "strings"), "Int64": ("whole number", "whole numbers"),
    "Bool": ("boolean", "booleans"), "TimelineID": ("UUID", "UUIDs"),
    "ProtocolVersion": ("version", "versions"), "RequestID": ("id", "ids"),
    "Pointer": ("pointer", "pointers"), "Predicate": ("predicate", "predicates"),
    "SeqRange": ("`[first,last]`", "`[first,last]`"), "Timestamp": ("RFC 3339 time", ""),
    "DurableSeqs": ("object from UUIDs to whole numbers or `null`", ""),
    "EntryReference": ("`{\"timeline\":…,\"seq\":…}`", ""), "Gap": ("`{\"lost\":…,\"why\":…}`", ""),
    "JSONSlice": ("any JSON", "any JSON"), "EditScript": ("[edit script](#edit-scripts)", ""),
    "EntryCause": ("whole number or string", ""),
    "EntryOrigin": ("string", ""), "[Redaction]": ("object from pointers to strings", ""),
    "[Output]": ("object from names to strings", ""), "[Lane]": ("object from names to strings", ""),
}
# JSON that this document describes, by the key that has it.
DESCRIBED = {
    "header": "[header](#the-header)", "entry": "[entry](#entries)", "lines": "array of [entries](#entries)",
    "entries": "[entries](#entries)", "edits": "[edit script](#edit-scripts)",
    "patch": "patch of RFC 6902", "outputs": "patch of RFC 6902",
    "schema": "[event schema](#event-schemas)", "chart": "[chart](#the-chart)",
}
# The same, where a key has something else than elsewhere.
DESCRIBED_IN = {("ExpandedState", "outputs"): "object from names to values"}
KEY_ROWS = "| key | value | presence | meaning |\n|---|---|---|---|"


class Tables:
    """Renders regions; collects what the sources lack as findings."""

    def __init__(self, root, findings):
        self.root = root
        self.findings = findings
        self.page = sources.read(root, PAGE) or ""
        self.types = declarations.Declarations(root, FOLDERS)
        self.anchors = self.regions_of_types()
        self.shown = set(self.anchors)
        self.names = set()

    def regions_of_types(self):
        """The anchors of the headings above the regions of single types."""
        anchors, heading = {}, ""
        for line in self.page.splitlines():
            if line.startswith("#"):
                heading = re.sub(r"[^\w\- ]", "", line.lstrip("# ").lower()).replace(" ", "-")
            elif match := re.match(r"<!-- generated: (?:keys|words|numbers|members) (.+) -->$", line):
                anchors.update((name, heading) for name in match[1].split())
        return anchors

    def written(self):
        """The page with every region written again, and the lines of the regions that differ."""
        stale = []

        def region(match):
            kind, *names = match[1].split()
            line = sources.line_of(self.page, match.start())
            method = getattr(self, kind, None)
            if kind not in KINDS or not method:
                self.findings.add(PAGE, line, f"there is no kind of region '{kind}'")
                return match[0]
            body = method(*names)
            if body.strip() != match[2].strip():
                stale.append((line, match[1]))
            return f"<!-- generated: {match[1]} -->\n\n{body.strip()}\n\n<!-- end of generated -->"

        page = REGION.sub(region, self.page)
        present = {match[1] for match in REGION.finditer(self.page)}
        for name in SETS:
            if f"messages {name}" not in present:
                self.findings.add(PAGE, 1, f"there is no region 'messages {name}'")
        self.check_completeness()
        return page, stale

    def check_completeness(self):
        """Every message is in a set or has a region, and every fixture has a message."""
        for declaration in self.types.types.values():
            if "Message" in declaration.conforms and declaration.name not in self.shown:
                self.findings.add(declaration.path, declaration.line,
                                  f"'{declaration.name}' is in no set, and has no region in {PAGE}")
        for path, line in self.types.unread:
            self.findings.add(path, line, "the key cannot be read; write "
                              "'try fields.field(\"key\", &property)' on one line")
        for path in sources.files(self.root):
            if path.startswith(FIXTURES) and path[len(FIXTURES):-len(".json")] not in self.names:
                self.findings.add(path, 1, "there is no such message")

    def find(self, name, scope=""):
        found = self.types.find(name, scope)
        if not found:
            self.findings.add(PAGE, 1, f"the sources have no type '{name}'")
        return found

    # Messages

    def messages(self, name):
        found = self.types.get(name)
        if not found:
            self.findings.add(PAGE, 1, f"the sources have no type '{name}'")
            return ""
        blocks = []
        for case in found.cases:
            message = self.types.find(case.type, name)
            if not message:
                self.findings.add(case.path, case.line, f"the sources have no type '{case.type}'")
                continue
            # Both ends may use one type; what only a request of one of them has is in its extension.
            extended = self.types.get(f"{name}.{case.type}") or message
            blocks += self.message(message, extended, f"{SETS[name]}.{message.constant('type')}")
        return "\n\n".join(block for block in blocks if block)

    def message(self, message, extended, name):
        self.names.add(name)
        blocks = [f"### `{message.constant('type')}`"]
        if message.name in self.anchors:
            blocks.append(f"See [{self.title(message.name)}](#{self.anchors[message.name]}).")
            return [*blocks, self.fixture(message, name)]
        self.shown.add(message.name)
        blocks += [*self.comment(message), self.role(message, extended), self.keys_of(message)]
        blocks.append(self.fixture(message, name))
        return blocks + self.parts(message)

    def title(self, name):
        anchor = self.anchors[name]
        return anchor.replace("-", " ").capitalize()

    def comment(self, declaration):
        if not declaration.comment:
            self.findings.add(declaration.path, declaration.line,
                              f"'{declaration.name}' has no comment")
        return declarations.paragraphs(declaration.comment)

    def role(self, message, extended):
        role = message.constant("role").removeprefix("MessageRole.")
        if role == "reply":
            return "A reply, with `re`."
        if role != "request":
            return ""
        reply = self.types.find(extended.aliases.get("Reply", ""), "")
        if "InspectorRequest" not in extended.conforms or not reply:
            return "A request, with `id`."
        answer = f"`{reply.constant('type')}`" if reply.constant("type") else (
            "a [binary frame](#the-overviews-binary-frame)")
        return f"A request, with `id`; the reply is {answer}. Requires {self.needed(extended)}."

    def needed(self, message):
        item = message.computed.get("capability")
        if not item:
            return "*look*"
        words = re.findall(r"\.(\w+)", item.value)
        if "?" in item.value:
            return f"{self.condition(message)}; otherwise *{words[-1]}*"
        return "*push* or *change*" if words == ["push"] else f"*{words[-1]}*"

    def condition(self, message):
        """When a request needs more: the comment `*change* with this, which …`."""
        item = message.computed["capability"]
        match = re.match(r"\*\w+\* [^,]+", item.comment)
        if not match:
            self.findings.add(item.path, item.line, "the comment does not begin with the condition, "
                              "as in '*change* with `compute`, which …'")
        return match[0] if match else ""

    def fixture(self, message, name):
        text = ""
        try:
            text = (sources.read(self.root, f"{FIXTURES}{name}.json") or "").rstrip("\n")
        except OSError:
            self.findings.add(message.path, message.line, f"there is no fixture {FIXTURES}{name}.json")
        return f"<!-- fixture: {name} -->\n```json\n{text}\n```"

    # Keys

    def keys_of(self, declaration):
        if not declaration.keys:
            return "No keys of its own."
        rows = [KEY_ROWS]
        for key in declaration.keys:
            item = declaration.properties.get(key.property)
            if not item:
                self.findings.add(declaration.path, key.line, f"there is no property '{key.property}'")
                continue
            optional = item.type.endswith("?")
            presence = "optional" if optional else "default `false`" if key.how == "flag" else "always"
            kind = self.type_of(key.name, item.type.removesuffix("?"), declaration.name, item)
            rows.append(self.row(f"`{key.name}`", kind, presence, self.meaning(item)))
        return "\n".join(rows)

    def row(self, *cells):
        return "|" + "|".join(f" {cell} " if cell else " " for cell in cells) + "|"

    def meaning(self, item):
        if not item.comment:
            self.findings.add(item.path, item.line, f"'{item.name}' has no comment")
        return declarations.cell(item.comment)

    def type_of(self, key, kind, scope, item):
        if kind in ("JSONSlice", "ArraySlice<UInt8>"):
            described = DESCRIBED_IN.get((scope.split(".")[-1], key))
            return described or DESCRIBED.get(key, NAMES["JSONSlice"][0])
        if kind in NAMES:
            return NAMES[kind][0]
        if kind.startswith("["):
            inner = kind.strip("[]")
            if inner == "JSONSlice":
                return f"array of {DESCRIBED.get(key, NAMES[inner][1])}"
            if inner in NAMES and NAMES[inner][1]:
                return f"array of {NAMES[inner][1]}"
            return f"array of {self.linked(inner, scope, item)}"
        return self.linked(kind, scope, item)

    def linked(self, kind, scope, item):
        found = self.types.find(kind, scope)
        if not found or not (found.cases or found.keys or found.members):
            self.findings.add(item.path, item.line, f"'{kind}' is a type that the document cannot name; "
                              "add it to scripts/lib/protocol_tables.py")
            return kind
        anchor = self.anchors.get(found.name) or self.short(found).lower()
        if found.cases and found.name not in self.anchors:
            return f"[{', '.join(f'`{word}`' for word, _ in self.words_of(found))}](#{anchor})"
        return f"[{self.short(found)}](#{anchor})"

    def short(self, declaration):
        return declaration.name.rpartition(".")[2]

    def parts(self, declaration):
        """The types in the keys of a message that were not shown before, each under its heading."""
        blocks = []
        for key in declaration.keys:
            item = declaration.properties.get(key.property)
            kind = item.type.strip("?[]") if item else ""
            part = None if kind in NAMES else self.types.find(kind, declaration.name)
            if not part or part.name in self.shown or not (part.cases or part.keys):
                continue
            self.shown.add(part.name)
            table = self.words(part.name) if part.cases else self.keys_of(part)
            blocks += [f"#### {self.short(part)}", *self.comment(part), table, *self.parts(part)]
        return blocks

    # Single types

    def keys(self, name):
        found = self.find(name)
        return self.keys_of(found) if found else ""

    def words_of(self, declaration):
        return [(case.value.strip('"') or case.name, case) for case in declaration.cases]

    def words(self, name):
        found = self.find(name)
        rows = [self.row(f"`{word}`", self.meaning(case)) for word, case in self.words_of(found)] \
            if found else []
        return "\n".join(["| word | meaning |", "|---|---|", *rows])

    def numbers(self, name):
        found = self.find(name)
        rows = [self.row(case.value, self.meaning(case)) for case in found.cases] if found else []
        return "\n".join(["| code | meaning |", "|---|---|", *rows])

    def members(self, name):
        found = self.find(name)
        rows = [KEY_ROWS]
        for member in found.members if found else []:
            words = re.findall(r"\w+", member.property)
            item = next((found.properties[word] for word in words if word in found.properties), None)
            if item:
                rows.append(self.member(member.name, item, name, self.meaning(item)))
            else:
                self.findings.add(found.path, found.line, f"'{member.name}' has no property")
        return "\n".join(rows)

    def entry(self):
        keys, draft = self.find("EntryKey"), self.find("EntryDraft")
        rows = [KEY_ROWS]
        for case in keys.cases if keys and draft else []:
            item = draft.properties.get(case.name) or draft.properties.get(
                "is" + case.name[0].upper() + case.name[1:])
            if item:
                rows.append(self.member(case.name, item, "EntryDraft", self.meaning(case)))
            else:
                self.findings.add(case.path, case.line, f"EntryDraft has no property '{case.name}'")
        return "\n".join(rows)

    def member(self, key, item, scope, meaning):
        """A row of a value that is written by itself: an empty list and `false` are absent instead."""
        kind = item.type.removesuffix("?")
        optional = item.type.endswith("?") or kind.startswith("[") or kind == "Bool"
        value = "`true`" if kind == "Bool" else self.type_of(key, kind, scope, item)
        return self.row(f"`{key}`", value, "optional" if optional else "always", meaning)

    def limits(self, *names):
        rows = ["| what | limit | why |", "|---|---|---|"]
        for name in names:
            owner, _, only = name.partition(".")
            found = self.find(owner)
            items = [item for item in found.properties.values() if not only or item.name == only] \
                if found else []
            if found and not items:
                self.findings.add(PAGE, 1, f"'{owner}' has no property '{only}'")
            rows += [self.limit(item) for item in items]
        return "\n".join(rows)

    def limit(self, item):
        text = self.meaning(item)
        match = re.match(r"(.+?)[.:] (?:(.+) )?Default: (.+?)\.$", text)
        if not match or match[3] not in spellings(item.value):
            self.findings.add(item.path, item.line, f"the comment of '{item.name}' does not end with "
                              f"its default value: Default: {spellings(item.value)[-1]}.")
            return ""
        why = match[2] or ""
        return self.row(match[1], match[3], why[:1].upper() + why[1:])

    def capabilities(self):
        """One sentence for each capability that some requests need."""
        needed = {}
        for case in self.types.made("FromInspector").cases:
            message = self.types.find(case.type, "FromInspector")
            extended = self.types.get(f"FromInspector.{case.type}")
            item = extended.computed.get("capability") if extended else None
            if not item or not message:
                continue
            word = re.search(r"\.(\w+)", item.value)[1]
            condition = self.condition(extended).partition(" ")[2] if "?" in item.value else ""
            needed.setdefault(word, []).append(f"`{message.constant('type')}` {condition}".strip())
        clauses = []
        for case in self.types.made("Capability").cases:
            if case.name in needed:
                names = needed[case.name]
                *first, last = names
                listed = f"{', '.join(first)}{',' if len(first) > 1 else ''} and {last}" if first else last
                word = "*push* or *change*" if case.name == "push" else f"*{case.name}*"
                clauses.append(f"{word} is required for {listed}" if not clauses
                               else f"{word} for {listed}")
        return "; ".join([*clauses, "*look* for everything else."])


KINDS = {"messages", "keys", "words", "numbers", "members", "entry", "capabilities", "limits"}


def spellings(value):
    """How a comment may write a default value: 1 << 20 as 1,048,576 or 1 MiB."""
    if not re.fullmatch(r"\d[\d_]*(?: << \d+)?", value):
        return [value]
    number, _, shift = value.replace("_", "").partition(" << ")
    number = int(number) << int(shift or 0)
    units = [f"{number >> 10 * power} {unit}" for power, unit in enumerate(["KiB", "MiB", "GiB"], 1)
             if number and number % (1 << 10 * power) == 0]
    return [f"{number:,}", *units]


def main():
    """Writes the page again; ends with an error if the sources lack something."""
    root = sources.root_argument(__doc__)
    findings = sources.Findings()
    page, stale = Tables(root, findings).written()
    with open(os.path.join(root, PAGE), "w", encoding="utf-8") as file:
        file.write(page)
    for _, region in stale:
        print(f"wrote the region '{region}' of {PAGE}")
    for path, line, sentence in findings.found:
        print(f"{path}:{line}: {sentence}", file=sys.stderr)
    sys.exit(1 if findings.found else 0)


if __name__ == "__main__":
    main()
