"""The commands of debugd and their options, read from its sources."""

import re

import sources

COMMANDS = "Sources/debugd/Commands/"


def listed(root):
    """The sources that list the commands, as one text."""
    return "\n".join(sources.read(root, path) or "" for path in sources.files(root)
                     if path.startswith(COMMANDS) and path.endswith(".swift"))


def aliases(root):
    """The other names that commands have."""
    lists = re.findall(r"\baliases: \[(.*?)\]", listed(root))
    return {name for names in lists for name in re.findall(r"\"([\w-]+)\"", names)}


def commands(root):
    """The options of each command of debugd, read from its sources."""
    text = listed(root)
    made = r"\.(?:value|flag)\(\s*\"([\w-]+)\""
    # Named options and lists of options that several commands share.
    shared = {name: {option} for name, option in
              re.findall(r"static let (\w+) = OptionSpec" + made, text)}

    def options(specs):
        bare = re.sub(r"\"(?:\\.|[^\"\\\n])*\"", "", specs)
        return set(re.findall(made, specs)).union(
            *(shared.get(word, set()) for word in re.findall(r"\w+", bare)))

    for name, specs in re.findall(r"let (\w+): \[OptionSpec\] = \[(.*?)^ *\]", text,
                                   re.DOTALL | re.MULTILINE):
        shared[name] = options(specs)
    found = {}
    for spec in re.split(r"= CommandSpec\(", text)[1:]:
        name = re.match(r"\s*name: \"([\w-]+)\"", spec)
        head = re.split(r"^ *\) \{|\b(?:details|examples): ", spec, maxsplit=1, flags=re.MULTILINE)[0]
        if name:
            taken = {"help"} | options(head.partition("options: ")[2])
            aliases = re.search(r"aliases: \[(.*?)\]", head)
            for word in [name[1], *re.findall(r"\"([\w-]+)\"", aliases[1] if aliases else "")]:
                found[word] = taken
    return found


def check(words, known, path, line, findings):
    """One call of debugd: `words` is what follows its name."""
    words = re.split(r"\s[|;&]\s|\s#\s|\s{3,}", words)[0]
    # A quoted word is a value, whatever it begins with.
    words = re.sub(r"'[^']*'|\"[^\"]*\"", "''", words).split()
    if not words or words[0] in ("--help", "--version", "help"):
        return
    name, options = ("serve", words) if words[0].startswith("-") else (words[0], words[1:])
    if not re.fullmatch(r"[a-z][a-z-]*", name):
        return  # "debugd COMMAND --help", "debugd 0.1.0"
    if name not in known:
        findings.add(path, line, f"debugd has no command '{name}'")
        return
    for option in options:
        match = re.match(r"--([a-z][a-z-]*)", option)
        if match and match[1] not in known[name]:
            findings.add(path, line, f"debugd {name} has no option '--{match[1]}'")
