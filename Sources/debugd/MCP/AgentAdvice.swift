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
      .replacing(#/(To [^:.]*), (run: debugd |give the daemon )/#) { match in
        "\(match.1), ask the user to \(match.2)"
      }
  }

  /// A reply with such messages. Other members may be recorded text, which stays as it is.
  static func adapted(_ reply: JSON) -> JSON {
    guard case .object(var object) = reply else { return reply }
    for key in ["note", "message"] {
      object[key] = object[key].map { $0.string.map { .string(adapted($0)) } ?? $0 }
    }
    return .object(object)
  }
}
