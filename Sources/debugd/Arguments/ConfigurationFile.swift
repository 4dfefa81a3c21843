/// The settings of a configuration file: `name = value` on a line each, `#` begins a comment.
///
/// The names are those of the options, so that what works on the command line works here.
///
/// ```
/// # Where the inspector is served.
/// listen = 127.0.0.1:7420
/// retain-bytes = 20G
/// ```
struct ConfigurationFile: Equatable {
  /// Why a line cannot be understood.
  struct Problem: Error, Equatable, CustomStringConvertible {
    /// The line, counted from 1.
    let line: Int
    /// What is wrong with it.
    let sentence: String

    var description: String { "line \(line): \(sentence)" }
  }

  /// The values by the names of the options.
  private(set) var values: [String: [String]] = [:]

  /// Reads a file's text, by the options that a file may give.
  init(reading text: String, options: [OptionSpec]) throws(Problem) {
    let known = options.filter(\.isConfigurable)
    for (index, line) in text.split(whereSeparator: \.isNewline, keepingEmpty: true).enumerated() {
      let content = Self.trimmed(line)
      guard !content.isEmpty, content.first != "#" else { continue }
      let problem = { Problem(line: index + 1, sentence: $0) }
      guard let equals = content.firstIndex(of: "=") else {
        throw problem("a setting is 'name = value', not \(Escaped.quoted(String(content))).")
      }
      let name = String(Self.trimmed(content[..<equals]))
      let value = String(Self.trimmed(content[content.index(after: equals)...]))
      guard let option = known.first(where: { $0.name == name }) else {
        let guess = Suggestion.sentence(for: name, among: known.map(\.name))
        throw problem("there is no setting \(Escaped.quoted(name)).\(guess)")
      }
      try add(value, of: option, problem)
    }
  }

  private mutating func add(
    _ value: String, of option: OptionSpec, _ problem: (String) -> Problem
  ) throws(Problem) {
    let name = option.name
    if option.valueName == nil {
      guard ["true", "false", "yes", "no", "on", "off"].contains(value) else {
        throw problem("'\(name)' is true or false, not \(Escaped.quoted(value)).")
      }
      if ["true", "yes", "on"].contains(value) { values[name] = [] }
      return
    }
    guard !value.isEmpty else { throw problem("'\(name)' has no value.") }
    guard option.choices.isEmpty || option.choices.contains(value) else {
      throw problem(
        "'\(name)' is one of \(option.choices.joined(separator: ", ")), not \(Escaped.quoted(value))."
      )
    }
    guard values[name] == nil || option.repeats else { throw problem("'\(name)' is there twice.") }
    values[name, default: []].append(value)
  }

  private static func trimmed(_ text: Substring) -> Substring {
    var text = text.drop(while: \.isWhitespace)
    while let last = text.last, last.isWhitespace { text = text.dropLast() }
    return text
  }
}

extension ParsedArguments {
  /// Adds what neither the command line nor the environment says.
  mutating func fill(from file: ConfigurationFile) {
    for (name, given) in file.values where !has(name) { values[name] = given }
  }
}

extension String {
  fileprivate func split(
    whereSeparator isSeparator: (Character) -> Bool, keepingEmpty: Bool
  ) -> [Substring] {
    split(omittingEmptySubsequences: !keepingEmpty, whereSeparator: isSeparator)
  }
}
