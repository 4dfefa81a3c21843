import StatesCore

/// The events of an expectation, with the outputs that each changed.
struct EventHistory: CustomStringConvertible {
  private var names: [String] = []
  private var lines: [String]

  init<State: Reducible>(start: State) {
    let outputs = State.outputs.map { "\($0.name) = \($0.value(in: start).text)" }
    lines = ["  start: " + (outputs.isEmpty ? describe(start) : outputs.joined(separator: ", "))]
  }

  mutating func add<State: Reducible>(event: State.Event, from old: State, to new: State) {
    let name = describe(event)
    names.append(name)
    let changes = State.outputs.compactMap { output -> String? in
      let before = output.value(in: old).text
      let after = output.value(in: new).text
      return before == after ? nil : "\(output.name): \(before) -> \(after)"
    }
    let what: String
    if State.outputs.isEmpty {
      what = describe(new)
    } else {
      what = changes.isEmpty ? "no output changed" : changes.joined(separator: ", ")
    }
    lines.append("  \(names.count). \(name): \(what)")
  }

  /// The events as part of a sentence.
  var events: String {
    names.isEmpty ? "at the start" : "after " + names.joined(separator: ", ")
  }

  var description: String { lines.joined(separator: "\n") }
}

/// A value as one line of text.
///
/// Truncated, so that a long list does not bury the rest of the message.
func describe(_ value: Any) -> String {
  let text: String
  if let string = value as? String { text = "\"\(string)\"" } else { text = "\(value)" }
  return shortened(text)
}

/// The properties in which two values differ, one per line.
func differences<Value>(from expected: Value, to found: Value) -> String {
  let lines = differingLines(from: expected, to: found, path: "")
  return lines.isEmpty
    ? "    found \(describe(found)), expected \(describe(expected))"
    : lines.joined(separator: "\n")
}

private func differingLines(from expected: Any, to found: Any, path: String) -> [String] {
  guard String(reflecting: expected) != String(reflecting: found) else { return [] }
  let expectedParts = Array(Mirror(reflecting: expected).children)
  let foundParts = Array(Mirror(reflecting: found).children)
  let isStructure = Mirror(reflecting: expected).displayStyle == .struct
  guard isStructure, expectedParts.count == foundParts.count else {
    let name = path.isEmpty ? "value" : path
    return ["    \(name): found \(describe(found)), expected \(describe(expected))"]
  }
  return zip(expectedParts, foundParts).flatMap { expected, found in
    let label = expected.label ?? "?"
    return differingLines(
      from: expected.value, to: found.value, path: path.isEmpty ? label : "\(path).\(label)")
  }
}
