/// An option that a command takes: `--limit 10`, `--limit=10`, or a flag such as `--json`.
struct OptionSpec: Sendable {
  /// The long name, without hyphens.
  let name: String
  /// The one-letter name, where there is one.
  let short: Character?
  /// What stands for the value in the help; nil for a flag.
  let valueName: String?
  /// One line for the help.
  let summary: String
  /// The only values it takes; empty when there are too many to list.
  let choices: [String]
  /// Whether it may be given more than once.
  let repeats: Bool
  /// The environment variable that gives it when the command line does not.
  let environment: String?
  /// Whether the configuration file may give it.
  let isConfigurable: Bool
  /// Whether the command does nothing without it.
  var isRequired = false
  /// Other names that are accepted, such as what a similar command calls it.
  var aliases: [String] = []

  static func flag(
    _ name: String, _ short: Character? = nil, _ summary: String, environment: String? = nil,
    isConfigurable: Bool = false
  ) -> OptionSpec {
    OptionSpec(
      name: name, short: short, valueName: nil, summary: summary, choices: [], repeats: false,
      environment: environment, isConfigurable: isConfigurable)
  }

  /// The same option, also by other names.
  func called(_ names: String...) -> OptionSpec {
    var option = self
    option.aliases = names
    return option
  }

  /// An option with a value.
  static func value(
    _ name: String, _ short: Character? = nil, _ valueName: String, _ summary: String,
    choices: [String] = [], repeats: Bool = false, environment: String? = nil,
    isConfigurable: Bool = false, isRequired: Bool = false
  ) -> OptionSpec {
    OptionSpec(
      name: name, short: short, valueName: valueName, summary: summary, choices: choices,
      repeats: repeats, environment: environment, isConfigurable: isConfigurable,
      isRequired: isRequired)
  }
}
