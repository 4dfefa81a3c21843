internal import JSONCore

/// An event's name, compared by bytes: names that only look alike differ.
struct EventName: Hashable, Sendable {
  let text: String

  /// Whether both have the same bytes.
  static func == (left: EventName, right: EventName) -> Bool {
    left.text.hasSameBytes(as: right.text)
  }

  func hash(into hasher: inout Hasher) { text.hashBytes(into: &hasher) }
}
