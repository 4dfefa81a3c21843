/// Where an event came from.
public enum EntryOrigin: Hashable, Sendable {
  /// The app's own code.
  case app
  /// A feedback loop, by name.
  case loop(String)
  /// A timer.
  case timer
  /// The inspector.
  case inspector
  /// An unknown origin from a newer recorder.
  case other(String)

  /// Parses the text in an entry.
  public init(_ text: String) {
    switch text {
    case "app": self = .app
    case "timer": self = .timer
    case "inspector": self = .inspector
    case _ where text.hasPrefix("loop:"): self = .loop(String(text.dropFirst("loop:".count)))
    default: self = .other(text)
    }
  }

  /// The text in an entry.
  public var text: String {
    switch self {
    case .app: "app"
    case .loop(let name): "loop:\(name)"
    case .timer: "timer"
    case .inspector: "inspector"
    case .other(let text): text
    }
  }
}
