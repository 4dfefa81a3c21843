/// Reads a command line by the table of commands.
///
/// Options may come before, between, and after operands; `--` ends them.
struct ArgumentParser {
  /// What a command line asks for.
  enum Request {
    case run(ParsedArguments)
    case help(CommandSpec?)
    case version
  }

  /// All commands; the first one is meant when none is named.
  let commands: [CommandSpec]

  /// Reads the words behind the program's name.
  func parse(
    _ words: [String], environment: [String: String] = [:]
  ) throws(ArgumentError) -> Request {
    var words = words[...]
    if words.first == "--version" { return .version }
    if words.first == "help" {
      guard let name = words.dropFirst().first else { return .help(nil) }
      return .help(try command(named: name))
    }
    // `debugd --help` is about everything, `debugd serve --help` about serving.
    if words.first == "--help" || words.first == "-h" { return .help(nil) }
    let command: CommandSpec
    if let first = words.first, !first.hasPrefix("-") {
      command = try self.command(named: first)
      words = words.dropFirst()
    } else {
      command = commands[0]
    }
    guard let parsed = try read(words, for: command) else { return .help(command) }
    return .run(try complete(parsed, environment))
  }

  func command(named name: String) throws(ArgumentError) -> CommandSpec {
    if let command = commands.first(where: { $0.isCalled(name) }) { return command }
    let guess =
      OtherWords.sentence(forCommand: name).map { " " + $0 }
      ?? Suggestion.sentence(for: name, among: commands.map(\.name))
    throw ArgumentError("debugd has no command \(Escaped.quoted(name)).\(guess)")
  }

  /// The arguments of a command; nil when its help was asked for.
  private func read(
    _ words: ArraySlice<String>, for command: CommandSpec
  ) throws(ArgumentError) -> ParsedArguments? {
    var parsed = ParsedArguments(command: command)
    var rest = words
    var areOptionsOver = false
    while let word = rest.popFirst() {
      if areOptionsOver || word == "-" || !word.hasPrefix("-") {
        parsed.operands.append(word)
      } else if word == "--" {
        areOptionsOver = true
      } else if word == "--help" || word == "-h" {
        return nil
      } else if word.hasPrefix("--") {
        try readLong(word.dropFirst(2), &rest, &parsed)
      } else {
        try readShort(word.dropFirst(), &rest, &parsed)
      }
    }
    return parsed
  }

  private func readLong(
    _ word: Substring, _ rest: inout ArraySlice<String>, _ parsed: inout ParsedArguments
  ) throws(ArgumentError) {
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts[0])
    guard let option = parsed.command.option(named: name) else {
      let names = parsed.command.options.map(\.name) + ["help"]
      let meant =
        OtherWords.option(for: name, of: parsed.command)
        ?? Suggestion.nearest(to: name, among: names)
      let guess = meant.map { " Did you mean '--\($0)'?" }
      throw parsed.error(
        "\(parsed.command.name) has no option \(Escaped.quoted("--" + name)).\(guess ?? "")")
    }
    let given = parts.count > 1 ? String(parts[1]) : nil
    if option.valueName == nil {
      guard given == nil else { throw parsed.error("--\(name) takes no value.") }
      parsed.values[option.name] = []
    } else {
      try add(given ?? rest.popFirst(), to: option, &parsed)
    }
  }

  private func readShort(
    _ word: Substring, _ rest: inout ArraySlice<String>, _ parsed: inout ParsedArguments
  ) throws(ArgumentError) {
    var letters = word
    while let letter = letters.popFirst() {
      guard let option = parsed.command.option(lettered: letter) else {
        let isNumber = word.allSatisfy { $0.isASCII && $0.isNumber }
        let hint = isNumber ? " Entries are numbered from 0, and the last one is 'last'." : ""
        throw parsed.error(
          "\(parsed.command.name) has no option \(Escaped.quoted("-" + String(letter))).\(hint)")
      }
      if option.valueName == nil {
        parsed.values[option.name] = []
      } else {
        let value = letters.isEmpty ? rest.popFirst() : String(letters)
        letters = ""
        try add(value, to: option, &parsed)
      }
    }
  }

  private func add(
    _ value: String?, to option: OptionSpec, _ parsed: inout ParsedArguments
  ) throws(ArgumentError) {
    guard let value else {
      throw parsed.error("--\(option.name) needs a value: --\(option.name) \(option.valueName!)")
    }
    try check(value, of: option, in: parsed)
    if parsed.has(option.name), !option.repeats {
      throw parsed.error("--\(option.name) was given twice.")
    }
    parsed.values[option.name, default: []].append(value)
    parsed.order.append((option.name, value))
  }

  private func check(
    _ value: String, of option: OptionSpec, in parsed: ParsedArguments
  ) throws(ArgumentError) {
    guard !option.choices.isEmpty, !option.choices.contains(value) else { return }
    let guess = Suggestion.sentence(for: value, among: option.choices)
    throw parsed.error(
      """
      --\(option.name) is one of \(option.choices.joined(separator: ", ")), \
      not \(Escaped.quoted(value)).\(guess)
      """)
  }

  /// Adds what the environment says, and counts the operands.
  private func complete(
    _ given: ParsedArguments, _ environment: [String: String]
  ) throws(ArgumentError) -> ParsedArguments {
    var parsed = given
    for option in parsed.command.options where !parsed.has(option.name) {
      guard let variable = option.environment, let value = environment[variable], !value.isEmpty
      else { continue }
      if option.valueName == nil {
        if !["0", "false", "no", "off"].contains(value.lowercased()) {
          parsed.values[option.name] = []
        }
      } else {
        try check(value, of: option, in: parsed)
        parsed.values[option.name] = [value]
      }
    }
    let operands = parsed.command.operands
    if let missing = operands.dropFirst(parsed.operands.count).first(where: { !$0.isOptional }) {
      throw parsed.error("\(parsed.command.name) needs \(missing.name): \(missing.summary).")
    }
    if parsed.operands.count > operands.count, operands.last?.repeats != true {
      let extra = parsed.operands[operands.count]
      if parsed.command.name == "serve", commands.contains(where: { $0.isCalled(extra) }) {
        throw parsed.error(
          "Options come after the command: debugd \(extra) …, not debugd … \(extra).")
      }
      if parsed.command.name == "bisect", let first = parsed.operand(1), !first.contains("..") {
        throw parsed.error(
          "bisect takes both commits as one argument. To fix, write "
            + "\(Escaped.text("\(first)..\(extra)")).")
      }
      let none = operands.isEmpty ? "only options" : "no further argument"
      let isFile = parsed.command.option(named: "out") != nil && !parsed.has("out")
      throw parsed.error(
        "\(parsed.command.name) takes \(none), so remove \(Escaped.quoted(extra))"
          + (isFile ? ", or write -o before it." : "."))
    }
    return parsed
  }
}
