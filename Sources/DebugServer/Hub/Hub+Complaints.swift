internal import Timelines

/// How many messages of peers may go to the log: they cost the peer nothing and the disk their length.
struct ComplaintAllowance: Sendable {
  /// How many are logged in a minute, of all peers together.
  static let ofMinute = 20

  private var minute: Int64?
  private var count = 0
  /// How many were left out since the last one that was logged.
  private var omitted = 0

  /// Whether one more may be logged, and how many were left out before it; `nil` when it may not.
  mutating func take(now: Int64) -> Int? {
    if minute != now / 60_000 { (minute, count) = (now / 60_000, 0) }
    guard count < Self.ofMinute else {
      omitted += 1
      return nil
    }
    count += 1
    defer { omitted = 0 }
    return omitted
  }
}

/// What peers report.
extension Hub {
  /// The beginning of a peer's text, long enough for a name or a sentence.
  static func cut(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.prefix(200)))
  }

  /// Logs an error that a peer reported.
  mutating func logComplaint(
    _ name: String, _ words: String, _ error: ErrorReply, of peer: PeerID
  ) {
    guard let omitted = complaints.take(now: now) else { return }
    var message = words + Self.cut(error.message)
    if omitted > 0 { message += " (\(omitted) more reports were not logged)" }
    log(.warning, name, message, ["peer": peer.number])
  }
}
