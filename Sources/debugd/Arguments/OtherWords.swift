/// Words of other tools, and of the page, that are neither commands nor options here.
enum OtherWords {
  /// What to type instead of a word that is not a command, as a sentence; `nil` if it is not known.
  static func sentence(forCommand word: String) -> String? {
    switch word.lowercased() {
    case "record": return "Apps record themselves: they link Recorder, and find the daemon."
    case "stop", "quit", "exit", "kill": return "The daemon ends at Ctrl-C where it runs."
    default: return commands[word.lowercased()].map { "Did you mean '\($0)'?" }
    }
  }

  /// The option of a command that means the same as a word.
  static func option(for word: String, of command: CommandSpec) -> String? {
    (options[word.lowercased()] ?? []).first { command.option(named: $0) != nil }
  }

  private static let commands = [
    "ls": "list", "timelines": "list", "recordings": "list",
    "start": "serve", "run": "serve", "daemon": "serve",
    "log": "entries", "logs": "entries", "events": "entries", "history": "entries",
    "inspect": "open", "page": "open", "ui": "open", "browser": "open",
    "get": "state", "print": "state",
    "who": "changes", "blame": "changes", "set-by": "changes",
    "search": "find", "grep": "find", "query": "find", "filter": "entries --filter",
    "skip": "fork --drop", "drop": "fork --drop", "edit": "fork --replace",
    "replace": "fork --replace", "insert": "fork --insert", "move": "fork --move",
    "branch": "fork", "undo": "fork", "replay": "verify", "rerun": "verify",
    "reduce": "minimize", "shrink": "minimize", "why": "explain",
    "test": "export --as swift-testing", "save": "export", "load": "import",
    "pause": "hold", "continue": "resume", "send": "dispatch",
    "rm": "delete", "remove": "delete", "mv": "rename", "version": "--version",
  ]

  private static let options = [
    "skip": ["drop"], "remove": ["drop"], "edit": ["replace"], "change": ["replace"],
    "last": ["count", "limit"], "tail": ["count", "limit"], "max": ["count", "limit"],
    "output": ["out"], "file": ["out"], "format": ["as"], "type": ["as"],
    "predicate": ["until", "filter"], "condition": ["until", "never"],
    "where": ["filter", "until"],
    "port": ["listen"], "executable": ["host"], "exe": ["host"], "read-only": ["look"],
    "dir": ["data"], "directory": ["data"],
  ]
}
