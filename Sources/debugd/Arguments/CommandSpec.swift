import DebugServer

/// A command of the command line: what it takes, what its help says, and what it does.
struct CommandSpec: Sendable {
  /// Does the command's work; the answer is the exit code.
  typealias Action = @Sendable (ParsedArguments, Terminal) async throws -> ExitCode

  let name: String
  var aliases: [String] = []
  /// One line for the list of commands.
  let summary: String
  /// What it takes, in order.
  var operands: [Operand] = []
  /// The options that it takes, besides `--help`.
  var options: [OptionSpec] = []
  /// What there is to know beyond the summary.
  var details = ""
  /// What has to be there: most commands read recorded data.
  var need = Backends.Need.data
  /// Calls one can copy, each with what it does.
  var examples: [(call: String, meaning: String)] = []
  let action: Action

  func isCalled(_ word: String) -> Bool { name == word || aliases.contains(word) }

  /// The option of that long name.
  func option(named name: String) -> OptionSpec? {
    options.first { $0.name == name || $0.aliases.contains(name) }
  }

  func option(lettered letter: Character) -> OptionSpec? { options.first { $0.short == letter } }
}

/// How a command ends, for scripts.
enum ExitCode: Int32, Sendable {
  /// It did what it was asked.
  case done = 0
  /// It went wrong, or nothing was found.
  case failed = 1
  /// It was called wrongly.
  case usage = 2
  /// It succeeded, and something was lost on the way.
  case loss = 3
  /// `git bisect run` skips the commit.
  case untestable = 125
  /// `git bisect run` stops: it was called wrongly, which says nothing about any commit.
  case abortedBisect = 129
}
