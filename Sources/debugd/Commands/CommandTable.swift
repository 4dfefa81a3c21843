/// All commands, in the groups and the order of the help. To add one, write a file next to this one,
/// and name the command here.
enum CommandTable {
  static let groups: [CommandGroup] = [
    CommandGroup("Start", [.serve, .open, .view, .status]),
    CommandGroup(
      "Look",
      [
        .list, .show, .entries, .state, .diff, .changes, .source, .find, .filters, .column, .growth,
        .overview,
      ]),
    CommandGroup("Change the past", [.host, .hosts, .fork, .branches, .compute]),
    CommandGroup(
      "Verify and export",
      [
        .verify, .bisect, .compare, .minimize, .explain, .explore, .invariants, .coverage,
        .export, .import,
        .mcp, .dap,
      ]),
    CommandGroup("Share", [.push, .pull]),
    CommandGroup(
      "Live", [.watch, .tail, .hold, .step, .dispatch, .restore, .resume, .capture]),
    CommandGroup(
      "Maintain",
      [.rename, .mark, .delete, .prune, .check, .recover, .revoke, .completion]),
  ]

  static let all = groups.flatMap(\.commands)
}

/// Commands that belong together, under a title in the help.
struct CommandGroup: Sendable {
  let title: String
  let commands: [CommandSpec]

  init(_ title: String, _ commands: [CommandSpec]) {
    self.title = title
    self.commands = commands
  }
}

extension OptionSpec {
  static let host = OptionSpec.value(
    "host", nil, "EXE",
    "an executable that runs reducers: 'EXE', 'EXE ARGUMENT…', 'APP=EXE …' or 'APP@VERSION=EXE …'",
    repeats: true, isConfigurable: true)

  static let hostTime = OptionSpec.value(
    "host-time", nil, "TIME", "the time limit of a host for a request (default: 10s)",
    isConfigurable: true)

  /// How much memory they may take.
  static let hostMemory = OptionSpec.value(
    "host-memory", nil, "BYTES", "the memory limit of a host (default: 1G)",
    isConfigurable: true)

  static let json = OptionSpec.flag("json", "j", "print JSON, one line for each result")

  static let data = OptionSpec.value(
    "data", "d", "FOLDER", "the daemon's data directory", environment: "DEBUGD_DATA",
    isConfigurable: true)

  /// Where the daemon listens for recorders and commands.
  static let socket = OptionSpec.value(
    "socket", nil, "PATH", "the Unix socket of recorders and commands",
    environment: "DEBUGD_SOCKET", isConfigurable: true)

  static let from = OptionSpec.value("from", "f", "SEQ", "the first entry")

  static let count = OptionSpec.value("count", "n", "N", "the maximum number of entries")
    .called("limit")

  static let filter = OptionSpec.value(
    "filter", nil, "PREDICATE", "only entries that match: 'event == \"flip\"'")
}
