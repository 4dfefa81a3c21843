internal import Timelines

/// How many events of one sort may go to the log: they cost the peer nothing and the disk their length.
struct LogAllowance: Sendable {
  /// How many are logged in a minute, of all peers together.
  let ofMinute: Int

  private var minute: Int64?
  private var count = 0
  /// How many were left out since the last one that was logged.
  private var omitted = 0

  init(ofMinute: Int) {
    self.ofMinute = ofMinute
  }

  /// Whether one more may be logged, and how many were left out before it; `nil` when it may not.
  mutating func take(now: Int64) -> Int? {
    if minute != now / 60_000 { (minute, count) = (now / 60_000, 0) }
    guard count < ofMinute else {
      omitted += 1
      return nil
    }
    count += 1
    defer { omitted = 0 }
    return omitted
  }

  /// How many were left out in a minute that is over; `nil` when that is none.
  mutating func takeOmitted(now: Int64) -> Int? {
    guard omitted > 0, minute != now / 60_000 else { return nil }
    defer { omitted = 0 }
    return omitted
  }
}

/// One allowance for each sort of event that peers cause, so that strangers who fill theirs hide nothing
/// that recorders and inspectors report.
struct LogAllowances: Sendable {
  /// What peers report.
  var reports = LogAllowance(ofMinute: 20)
  /// Peers that were not let in.
  var rejections = LogAllowance(ofMinute: 20)
  /// Entries that the store refused.
  var refusals = LogAllowance(ofMinute: 20)
  /// Peers that come and go: a test run may well start hundreds of recorders.
  var arrivals = LogAllowance(ofMinute: 600)
}

/// What peers cause the log to say.
extension Hub {
  /// The beginning of a peer's text, long enough for a name or a sentence.
  static func cut(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.prefix(200)))
  }

  /// Logs an event that a peer can cause as often as it likes.
  mutating func log(
    _ level: LogLevel, _ name: String, _ message: String,
    _ fields: KeyValuePairs<String, any CustomStringConvertible & Sendable> = [:],
    within allowance: WritableKeyPath<LogAllowances, LogAllowance>
  ) {
    guard let omitted = allowances[keyPath: allowance].take(now: now) else { return }
    log(
      level, name, omitted > 0 ? message + " (\(omitted) more reports were not logged)" : message,
      fields)
  }

  /// Logs an error that a peer reported.
  mutating func logComplaint(
    _ name: String, _ words: String, _ error: ErrorReply, of peer: PeerID
  ) {
    log(
      .warning, name, words + Self.cut(error.message), ["peer": peer.number], within: \.reports)
  }
}
