/// An event of the daemon as data; a log decides how it is written.
///
/// It never contains tokens, codes, or recorded values.
package struct LogEvent: Hashable, Sendable {
  package var level: LogLevel
  /// The sort of event, for programs: `recorder.connected`.
  package var name: String
  package var message: String
  /// Details, in the order in which they are written.
  package var fields: [Field]

  package init(
    _ level: LogLevel, _ name: String, _ message: String,
    _ fields: KeyValuePairs<String, any CustomStringConvertible & Sendable> = [:]
  ) {
    self.level = level
    self.name = name
    self.message = message
    self.fields = fields.map { Field(key: $0.key, value: $0.value.description) }
  }

  package struct Field: Hashable, Sendable {
    package var key: String
    package var value: String
  }
}

/// How much a log event matters.
package enum LogLevel: String, Comparable, Sendable, CaseIterable {
  /// For finding faults in the daemon.
  case debug
  case info
  /// Something will go wrong unless someone acts.
  case warning
  case error

  package static func < (left: LogLevel, right: LogLevel) -> Bool {
    let order = allCases
    return (order.firstIndex(of: left) ?? 0) < (order.firstIndex(of: right) ?? 0)
  }
}

package protocol Log: Sendable {
  /// Writes an event, or ignores it.
  func write(_ event: LogEvent)
}

package struct SilentLog: Log {
  package init() {}

  package func write(_ event: LogEvent) {}
}
