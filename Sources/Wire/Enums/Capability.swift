/// The capability of a session.
package enum Capability: String, MessageWord {
  /// Everything that only reads.
  case look
  /// Making and changing recordings, and everything that runs an app's code.
  case change
  /// Controlling live apps that opted in.
  case control
  /// Starting executables as hosts.
  case host
  /// Adding copies of timelines, and nothing else.
  case push

  /// A sentence for a session without it, with the remedy.
  package func refusal(for session: Set<Capability>) -> String {
    session == [.push]
      ? "This key can only push timelines. To get a session that can do more, run: debugd open"
      : "This session \(refusal)"
  }

  private var refusal: String {
    switch self {
    case .look: "cannot read recordings. To open one that can, run: debugd open"
    case .change: "can only look. To open one that can change recordings, run: debugd open"
    case .control: "cannot control machines. To open one that can, run: debugd open"
    case .push: "cannot add timelines. To get a key that can, run: debugd open --key push"
    case .host: "cannot start hosts. To open one that can, run: debugd open --host"
    }
  }
}

extension Set<Capability> {
  /// Whether they permit what needs a capability. A session that may import may also push.
  package func permit(_ needed: Capability) -> Bool {
    contains(needed) || needed == .push && contains(.change)
  }
}
