internal import CLibWebsockets
internal import Synchronization

/// What the C library has to say, which is nothing until somebody asks.
///
/// The library has one log for the process, and by default writes it to standard error; the first
/// loop silences it.
///
///     TransportLog.send(.warnings) { logger.debug($0) }
package enum TransportLog {
  /// How much of it.
  package enum Level: Int32, Sendable {
    /// Nothing at all.
    case nothing = 0
    /// What it could not do.
    case errors = 1
    /// What it could do, but does not like.
    case warnings = 3
    /// All that a report of a bug in it needs.
    case everything = 0x1f
  }

  private static let sink = Mutex<(@Sendable (String) -> Void)?>(nil)
  private static let isSilenced = Atomic(false)

  /// Sends its lines, without their ends, to a closure, from any thread that runs a loop.
  package static func send(_ level: Level, to receiver: @escaping @Sendable (String) -> Void) {
    sink.withLock { $0 = receiver }
    isSilenced.store(true, ordering: .relaxed)
    lws_set_log_level(level.rawValue, transportLogLine)
  }

  /// Silences it, unless somebody asked for it.
  static func silence() {
    guard !isSilenced.exchange(true, ordering: .relaxed) else { return }
    lws_set_log_level(Level.nothing.rawValue, transportLogLine)
  }

  /// Hands one line on.
  fileprivate static func hand(_ line: String) {
    let receiver = sink.withLock { $0 }
    receiver?(line)
  }
}

/// The function that the library gives its lines to.
private func transportLogLine(_ level: Int32, _ line: UnsafePointer<CChar>?) {
  // Safe: the library ends the line with a zero and keeps it until this returns.
  guard let line else { return }
  var text = String(cString: line)
  while text.last?.isNewline == true { text.removeLast() }
  TransportLog.hand(text)
}
