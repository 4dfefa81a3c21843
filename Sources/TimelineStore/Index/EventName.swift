internal import JSONCore

/// An event's name, which is its bytes: names that only look alike are two.
struct EventName: Hashable, Sendable {
  /// The name.
  let text: String

  /// Whether both have the same bytes.
  static func == (left: EventName, right: EventName) -> Bool {
    left.text.hasSameBytes(as: right.text)
  }

  /// Feeds the bytes.
  func hash(into hasher: inout Hasher) { text.hashBytes(into: &hasher) }
}
