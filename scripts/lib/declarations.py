"""Reads Swift declarations with their documentation comments, for the tables of docs/protocol.md.

It relies on the layout of swift-format: one declaration on a line, and a scope ends with a brace in the
column where its declaration begins.
"""

import dataclasses
import re

import sources

ACCESS = r"(?:(?:package|public|private|fileprivate|internal|static|final|indirect|mutating) )*"
SCOPE = re.compile(r"( *)" + ACCESS + r"(struct|enum|extension|protocol|class|func|init|subscript)\b"
                   r" ?([\w.`]+)?(?:<\w+>)?(.*)$")
PROPERTY = re.compile(r" *" + ACCESS + r"var (\w+)(?:: ([^={]+?))?(?: = ([^{]+?))?$")
KEY = re.compile(r' *try fields\.(field|flag|list)\("(\w+)", &(\w+)\)$')
ANY_KEY = re.compile(r"\bfields\.(?:field|flag|list)\(")
CASE = re.compile(r" *case (?:`(\w+)`|(\w+))(?:\((.+)\))?(?: = (\S+))?$")
CONSTANT = re.compile(r" *" + ACCESS + r"let (\w+)(?:: \w+)? = (.+)$")
ALIAS = re.compile(r" *" + ACCESS + r"typealias (\w+) = ([\w.]+)$")
COMPUTED = re.compile(r" *" + ACCESS + r"var (\w+): (\w+) \{ (.+) \}$")
MEMBER = re.compile(r'.*\btext\.member\("(\w+)"')


@dataclasses.dataclass
class Item:
    """A property, a case, or a computed property: its type or value, comment, and place."""

    name: str
    type: str
    value: str
    comment: str
    path: str
    line: int


@dataclasses.dataclass
class Key:
    """A key that `fields` reads and writes: with which method, and the property that has its value.

    A member, which a type writes by itself, has its whole line in place of the property.
    """

    how: str
    name: str
    property: str
    line: int


@dataclasses.dataclass
class Declaration:
    """A type with everything that its declaration and extensions say."""

    name: str
    path: str = ""
    line: int = 0
    comment: str = ""
    conforms: set = dataclasses.field(default_factory=set)
    properties: dict = dataclasses.field(default_factory=dict)
    computed: dict = dataclasses.field(default_factory=dict)
    cases: list = dataclasses.field(default_factory=list)
    keys: list = dataclasses.field(default_factory=list)
    members: list = dataclasses.field(default_factory=list)
    constants: dict = dataclasses.field(default_factory=dict)
    aliases: dict = dataclasses.field(default_factory=dict)

    def constant(self, name):
        return self.constants.get(name, "").strip('"')


class Declarations:
    """All types in some folders, by their full names, such as `FromRecorder.Hello`."""

    def __init__(self, root, folders):
        self.types = {}
        self.unread = []  # paths and lines of keys that are not on one line
        for path in sources.files(root):
            if path.startswith(folders) and path.endswith(".swift"):
                _Reader(self, path).read(sources.read(root, path) or "")

    def get(self, name):
        return self.types.get(name)

    def made(self, name):
        return self.types.setdefault(name, Declaration(name))

    def find(self, name, scope):
        """The type that a name means inside another type; follows type aliases."""
        scopes = scope.split(".")
        for length in range(len(scopes), -1, -1):
            outer = ".".join(scopes[:length])
            if outer in self.types and name in self.types[outer].aliases:
                return self.find(self.types[outer].aliases[name], outer)
            full = f"{outer}.{name}" if outer else name
            if full in self.types:
                return self.types[full]
        return None


class _Reader:
    def __init__(self, declarations, path):
        self.declarations = declarations
        self.path = path
        self.scopes = []  # indentation, kind, full name
        self.comment = []

    def read(self, text):
        for number, line in enumerate(text.splitlines(), 1):
            stripped = line.strip()
            if stripped.startswith("///"):
                self.comment.append(stripped[3:].removeprefix(" "))
                continue
            if self.scopes and stripped.startswith("}") and line.index("}") == self.scopes[-1][0]:
                self.scopes.pop()
            elif stripped and not stripped.startswith(("//", "@")):
                self.declaration(line, number)
            if not stripped.startswith(("//", "@")):
                self.comment = []

    def declaration(self, line, number):
        match = SCOPE.match(line)
        if match:
            self.scope(match, number)
        elif self.scopes and self.scopes[-1][1] in ("struct", "enum", "extension", "class"):
            self.item(line, number, self.declarations.made(self.scopes[-1][2]))
        else:
            self.inside(line, number)

    def scope(self, match, number):
        indentation, kind, name, rest = match.groups()
        outer = next((one[2] for one in reversed(self.scopes) if one[2]), "")
        full = f"{outer}.{name}" if outer else name
        if kind in ("func", "init", "subscript"):
            full = outer
        elif kind != "protocol":
            conforms = set(re.findall(r"[\w.]+", rest.split(" where ")[0].split("{")[0]))
            found = self.declarations.made(full)
            found.conforms |= conforms
            if kind != "extension" or self.comment and not found.comment:
                found.path, found.line = self.path, number
                found.comment = "\n".join(self.comment)
        if not re.search(r"\}\s*$", rest):
            self.scopes.append((len(indentation), kind, full))

    def item(self, line, number, owner):
        if len(line) - len(line.lstrip()) > self.scopes[-1][0] + 2:
            self.inside(line, number)  # the body of a computed property
            return
        comment = "\n".join(self.comment)
        for pattern, target in ((COMPUTED, owner.computed), (PROPERTY, owner.properties)):
            if match := pattern.match(line):
                name, kind, value = match.groups()
                target[name] = Item(name, kind or made_type(value), value or "", comment, self.path,
                                    number)
                return
        if match := CASE.match(line):
            name = match[1] or match[2]
            owner.cases.append(Item(name, match[3] or "", match[4] or "", comment, self.path, number))
        elif match := CONSTANT.match(line):
            owner.constants[match[1]] = match[2]
        elif match := ALIAS.match(line):
            owner.aliases[match[1]] = match[2]

    def inside(self, line, number):
        owner = next((one[2] for one in reversed(self.scopes) if one[2]), None)
        if not owner:
            return
        if match := KEY.match(line):
            self.declarations.made(owner).keys.append(Key(*match.groups(), number))
        elif ANY_KEY.search(line):
            self.declarations.unread.append((self.path, number))
        elif match := MEMBER.match(line):
            self.declarations.made(owner).members.append(Key("member", match[1], line, number))


def made_type(value):
    """The type of a default value, as in `= TimelineID.zero` or `= [String]()`."""
    value = (value or "").strip()
    for pattern, kind in ((r'"', "String"), (r"(?:true|false)$", "Bool"), (r"[\d_]", "Int")):
        if re.match(pattern, value):
            return kind
    match = re.match(r"(\[[\w.]+\]|[A-Z]\w*(?:\.[A-Z]\w*)*)(?:\.[a-z]\w*)?(?:\(.*\))?$", value)
    return match[1] if match else ""


def paragraphs(comment):
    """The paragraphs of a comment; one sentence on each line, as the documents have them."""
    found = []
    for block in re.split(r"\n\s*\n", comment.strip()):
        joined = " ".join(line.strip() for line in block.splitlines()).replace("``", "`")
        if joined:
            found.append(re.sub(r"(?<=[.!?]) (?=[A-Z`\"*])", "\n", joined))
    return found


def cell(comment):
    """A comment as the cell of a table."""
    return " ".join(paragraphs(comment)).replace("\n", " ").replace("|", "\\|")
