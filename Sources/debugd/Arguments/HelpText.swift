/// Writes the help: of the program, and of each command.
struct HelpText {
  let groups: [CommandGroup]

  /// The four calls that take a newcomer from nothing to a branch.
  static let firstSteps = [
    ("debugd serve", "start the daemon; apps on this machine find it"),
    ("debugd list", "see what your app recorded"),
    ("debugd open", "look at it in the browser"),
    ("debugd host APP", "let the daemon run your reducers, for branches and verification"),
  ]

  /// What `debugd --help` prints.
  var overview: String {
    // One width for all, so that the columns of the groups line up.
    let width = groups.flatMap(\.commands).map(\.name.count).max() ?? 0
    let listed = groups.map { group in
      "\(group.title):\n" + columns(group.commands.map { ($0.name, $0.summary) }, width: width)
    }
    return """
      usage: debugd [COMMAND] [OPTION…]

      Records state machines, and shows and changes what they did: the daemon of Stateline and
      its commands. Without a command, it starts the daemon.

      First steps:
      \(columns(Self.firstSteps))

      \(listed.joined(separator: "\n\n"))

      Run 'debugd COMMAND --help' for one command, and 'debugd --version' for the versions.
      Name a timeline by its machine (the newest of that name), by its id or the beginning of it, or
      by 'last', the newest recording (of the example app, Gallery, only if there are no others).
      'debugd list' shows them all.
      Exit codes: 0 done, 1 failed or nothing found, 2 wrong usage, 3 done with a loss.
      """
  }

  /// What `debugd COMMAND --help` prints.
  func text(of command: CommandSpec) -> String {
    var parts = [usage(of: command), command.summary + "."]
    for paragraph in command.details.split(separator: "\n\n") {
      parts.append(Self.wrapped(String(paragraph), to: Self.width).joined(separator: "\n"))
    }
    if !command.operands.isEmpty {
      parts.append(columns(command.operands.map { ($0.name, $0.summary) }))
    }
    let options = command.options + [.flag("help", "h", "show this help")]
    parts.append("Options:\n" + columns(options.map { (label(of: $0), description(of: $0)) }))
    if !command.examples.isEmpty {
      parts.append(
        "Examples:\n"
          + command.examples.map { "  \($0.call)\n      \($0.meaning)" }.joined(separator: "\n"))
    }
    return parts.joined(separator: "\n\n")
  }

  /// The line that shows how a command is called.
  func usage(of command: CommandSpec) -> String {
    var words = ["usage: debugd", command.name]
    words += command.operands.map { operand in
      let name = operand.repeats ? operand.name + "…" : operand.name
      return operand.isOptional ? "[\(name)]" : name
    }
    for option in command.options where option.isRequired {
      words.append("--\(option.name) \(option.valueName ?? "")")
    }
    if !command.options.isEmpty { words.append("[OPTION…]") }
    return words.joined(separator: " ")
  }

  private func label(of option: OptionSpec) -> String {
    let short = option.short.map { "-\($0), " } ?? "    "
    return short + "--\(option.name)" + (option.valueName.map { " \($0)" } ?? "")
  }

  private func description(of option: OptionSpec) -> String {
    var text = option.summary
    if !option.choices.isEmpty { text += ": " + option.choices.joined(separator: ", ") }
    if let environment = option.environment { text += " (or $\(environment))" }
    return text
  }

  /// What fits a terminal that was not made wide, with some room.
  private static let width = 96

  /// Two columns; a long first one has a line of its own, and no line is wider than a terminal.
  private func columns(_ rows: [(String, String)], width: Int? = nil) -> String {
    let width = width ?? min(26, rows.map(\.0.count).max() ?? 0)
    return rows.map { name, text in
      let lines = Self.wrapped(text, to: Self.width - 4 - width)
      let indent = "\n" + String(repeating: " ", count: width + 4)
      let padding = String(repeating: " ", count: max(0, width - name.count) + 2)
      let gap = name.count > width ? indent : padding
      return "  " + name + gap + lines.joined(separator: indent)
    }.joined(separator: "\n")
  }

  static func wrapped(_ text: String, to width: Int) -> [String] {
    var lines = [""]
    for word in text.split(whereSeparator: { $0 == " " || $0 == "\n" }) {
      let line = lines[lines.count - 1]
      if line.isEmpty {
        lines[lines.count - 1] = String(word)
      } else if line.count + word.count < width {
        lines[lines.count - 1] = line + " " + word
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }
}
