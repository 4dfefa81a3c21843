internal import Timelines
internal import Wire

/// One allowance for each sort of event that peers cause, so that unauthenticated peers cannot
/// crowd out the reports of recorders and inspectors.
struct LogAllowances: Sendable {
  /// Errors that peers report.
  var reports = LogAllowance(ofMinute: 20)
  /// Rejected peers.
  var rejections = LogAllowance(ofMinute: 20)
  /// Entries that the store refused.
  var refusals = LogAllowance(ofMinute: 20)
  /// Connects and disconnects: a test run may well start hundreds of recorders.
  var arrivals = LogAllowance(ofMinute: 600)
  /// Lines of the audit file about what any session may do: without a limit, one that can only look
  /// could push everything else out of the file.
  var views = LogAllowance(ofMinute: 30)
}

extension Hub {
  /// The start of a peer's text, long enough for a name or a sentence.
  static func cut(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.prefix(200)))
  }

  /// Logs an event that a peer can cause as often as it likes.
  mutating func log(
    _ level: LogLevel, _ name: String, _ message: String,
    _ fields: KeyValuePairs<String, any CustomStringConvertible & Sendable> = [:],
    within allowance: WritableKeyPath<LogAllowances, LogAllowance>
  ) {
    guard let omitted = allowances[keyPath: allowance].request(now: now) else { return }
    log(
      level, name, omitted > 0 ? message + " (\(omitted) more events were not logged)" : message,
      fields)
  }

  /// Logs an error that a peer reported.
  mutating func logPeerError(
    _ name: String, _ words: String, _ error: ErrorReply, of peer: PeerID
  ) {
    log(
      .warning, name, words + Self.cut(error.message), ["peer": peer.number], within: \.reports)
  }
}
