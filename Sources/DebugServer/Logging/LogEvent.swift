/// Something that happened in the daemon, as data: a log decides how it is written.
///
/// Tokens, codes and recorded values never go into one.
package struct LogEvent: Hashable, Sendable {
  /// How much it matters.
  package var level: LogLevel
  /// What sort of thing happened, for programs: `recorder.connected`.
  package var name: String
  /// What happened, for people.
  package var message: String
  /// What belongs to it, in the order in which it is written.
  package var fields: [Field]

  /// Something that happened.
  package init(
    _ level: LogLevel, _ name: String, _ message: String,
    _ fields: KeyValuePairs<String, any CustomStringConvertible & Sendable> = [:]
  ) {
    self.level = level
    self.name = name
    self.message = message
    self.fields = fields.map { Field(key: $0.key, value: $0.value.description) }
  }

  /// A word with its value.
  package struct Field: Hashable, Sendable {
    /// The word.
    package var key: String
    /// The value.
    package var value: String
  }
}

/// How much a log event matters.
package enum LogLevel: String, Comparable, Sendable, CaseIterable {
  /// For those who look for a fault in the daemon.
  case debug
  /// What the daemon does.
  case info
  /// Something will go wrong when nothing is done.
  case warning
  /// Something has gone wrong.
  case error

  package static func < (left: LogLevel, right: LogLevel) -> Bool {
    let order = allCases
    return (order.firstIndex(of: left) ?? 0) < (order.firstIndex(of: right) ?? 0)
  }
}

/// Where log events go.
package protocol Log: Sendable {
  /// Writes an event, or leaves it out.
  func write(_ event: LogEvent)
}

/// A log that writes nothing.
package struct SilentLog: Log {
  /// A log that writes nothing.
  package init() {}

  package func write(_ event: LogEvent) {}
}
