/// What a command was called with.
struct ParsedArguments: Sendable {
  let command: CommandSpec
  /// The words other than options, in order.
  var operands: [String] = []
  /// The values of the options by their long names, in the order in which they were given.
  var values: [String: [String]] = [:]
  /// The options that have a value, in the order in which they were given.
  var order: [(name: String, value: String)] = []

  /// Whether a flag was given.
  func has(_ name: String) -> Bool { values[name] != nil }

  /// The value of an option; the last one counts.
  func value(_ name: String) -> String? { values[name]?.last }

  func operand(_ index: Int) -> String? {
    operands.indices.contains(index) ? operands[index] : nil
  }

  /// The value of an option as a whole number.
  func int(_ name: String, _ range: ClosedRange<Int64> = 0...Int64.max) throws -> Int64? {
    guard let text = value(name) else { return nil }
    guard let number = Int64(text), range.contains(number) else {
      throw error(
        """
        --\(name) takes a whole number\(Self.words(for: range)), \
        not \(Escaped.quoted(text)).
        """)
    }
    return number
  }

  /// An operand as an entry's number; nil stands for the last entry.
  func seq(at index: Int) throws -> Int64? {
    guard let text = operand(index), text != "last" else { return nil }
    guard let number = Int64(text), number >= 0 else {
      throw error("SEQ is the number of an entry, or 'last', not \(Escaped.quoted(text)).")
    }
    return number
  }

  /// A sentence about how the command was called.
  func error(_ sentence: String) -> ArgumentError {
    ArgumentError(sentence, command: command.name)
  }

  private static func words(for range: ClosedRange<Int64>) -> String {
    if range == 0...Int64.max { return "" }
    return range.upperBound == Int64.max
      ? " from \(range.lowerBound) on" : " from \(range.lowerBound) to \(range.upperBound)"
  }
}
