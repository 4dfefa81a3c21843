internal import CLibWebsockets
internal import Synchronization

/// The log of the C library, which is silent by default.
///
/// The library has one log per process, and writes it to standard error until the first loop
/// silences it.
///
///     TransportLog.send(.warnings) { logger.debug($0) }
package enum TransportLog {
  package enum Level: Int32, Sendable {
    case nothing = 0
    case errors = 1
    /// Errors and warnings.
    case warnings = 3
    /// Everything that a bug report about the library needs.
    case everything = 0x1f
  }

  private static let sink = Mutex<(@Sendable (String) -> Void)?>(nil)
  private static let isSilenced = Atomic(false)

  /// Sends lines without their line feeds to a closure, from any thread that runs a loop.
  package static func send(_ level: Level, to receiver: @escaping @Sendable (String) -> Void) {
    sink.withLock { $0 = receiver }
    isSilenced.store(true, ordering: .relaxed)
    lws_set_log_level(level.rawValue, transportLogLine)
  }

  /// Silences the log, unless `send` has been called.
  static func silence() {
    guard !isSilenced.exchange(true, ordering: .relaxed) else { return }
    lws_set_log_level(Level.nothing.rawValue, transportLogLine)
  }

  fileprivate static func forward(_ line: String) {
    let receiver = sink.withLock { $0 }
    receiver?(line)
  }
}

/// The library calls this function with each line.
private func transportLogLine(_ level: Int32, _ line: UnsafePointer<CChar>?) {
  // Safe: the line is terminated with a zero, and valid until this returns.
  guard let line else { return }
  var text = String(cString: line)
  while text.last?.isNewline == true { text.removeLast() }
  TransportLog.forward(text)
}
