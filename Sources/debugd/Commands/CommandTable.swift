/// All commands, in the order of the help; a new one is a file beside this one and a line here.
enum CommandTable {
  static let all: [CommandSpec] = [
    .serve, .open, .list, .show, .entries, .state, .diff, .changes, .find, .column, .overview,
    .watch, .tail, .export, .import, .fork, .branches, .compute, .rename, .mark, .delete, .prune,
    .check, .recover, .status,
    .revoke, .completion,
  ]
}

extension OptionSpec {
  /// Prints data for programs.
  static let json = OptionSpec.flag("json", "j", "print JSON, one object or line a result")

  /// Where the recordings are.
  static let data = OptionSpec.value(
    "data", "d", "FOLDER", "the daemon's data directory", environment: "DEBUGD_DATA",
    isConfigurable: true)

  /// Where a stretch begins.
  static let from = OptionSpec.value("from", "f", "SEQ", "the first entry")

  /// How many.
  static let count = OptionSpec.value("count", "n", "N", "how many entries at most")

  /// Only some entries.
  static let filter = OptionSpec.value(
    "filter", nil, "PREDICATE", "only entries for which it holds: 'event == \"flip\"'")
}
