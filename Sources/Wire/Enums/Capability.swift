/// The capability of a session.
package enum Capability: String, MessageWord {
  /// Reads everything.
  case look
  /// Fork, rename, mark, delete, import.
  case change
  /// Drive live apps that opted in.
  case control
  /// Start executables as hosts.
  case host

  /// The end of a sentence about a session without it, with the remedy.
  package var refusal: String {
    switch self {
    case .look: "cannot read recordings. To open one that can, run: debugd open"
    case .change: "can only look. To open one that can change recordings, run: debugd open"
    case .control: "cannot control machines. To open one that can, run: debugd open"
    case .host: "cannot start hosts. To open one that can, run: debugd open --host"
    }
  }
}
