import JSONCore

/// The advice of messages for people at a terminal, as what an agent can do: call a tool, or ask the
/// user.
enum AgentAdvice {
  /// A message whose commands are the user's, or tools.
  static func adapted(_ message: String) -> String {
    message
      .replacing(TimelineChoice.listAdvice, with: "To list them, call timelines.")
      .replacing(#/run: debugd list --live( --data ('[^']*'|\S+))?/#) { _ in
        "call timelines with live=true"
      }
      .replacing(#/run: debugd show [0-9a-f]+( --data ('[^']*'|\S+))?/#) { _ in "call timelines" }
      .replacing(#/run: debugd find [0-9a-f]+ 'PART'/#) { _ in "call find with that part" }
      .replacing(#/run: debugd verify [0-9a-f]+( --data ('[^']*'|\S+))?/#) { _ in "call verify" }
      .replacing(#/(To [^:.]*), (run: debugd |give the daemon )/#) { match in
        "\(match.1), ask the user to \(match.2)"
      }
  }

  /// An object whose members with these names are such messages, or lists of them. Other members may be
  /// recorded text, which stays as it is.
  static func adapted(_ whole: JSON, members: [String] = ["note", "message"]) -> JSON {
    guard case .object(var object) = whole else { return whole }
    for name in members {
      if let list = object[name]?.array {
        object[name] = .array(list.map(adaptedText))
      } else {
        object[name] = object[name].map(adaptedText)
      }
    }
    return .object(object)
  }

  private static func adaptedText(_ value: JSON) -> JSON {
    value.string.map { .string(adapted($0)) } ?? value
  }
}
