internal import Synchronization

/// Logs what hosts write to standard error, limited to some lines a minute: a host that writes
/// endlessly must not fill the disk with the daemon's log.
final class HostOutput: Sendable {
  /// The maximum number of lines logged in a minute, for all hosts together.
  static let linesOfMinute = 200

  private let log: any Log
  private let now: @Sendable () -> ContinuousClock.Instant
  private let begin: ContinuousClock.Instant
  private let allowance = Mutex(LogAllowance(ofMinute: linesOfMinute))

  init(_ log: any Log, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
    self.log = log
    self.now = now
    begin = now()
  }

  /// Logs a line of a host, or counts it if the limit is reached.
  func write(_ line: String, of host: String) {
    guard let omitted = allowance.withLock({ $0.request(now: milliseconds) }) else { return }
    if omitted > 0 { logOmission(omitted) }
    log.write(LogEvent(.info, "host.output", "\(host) wrote: \(line)", ["host": host]))
  }

  /// Logs how many lines were omitted, once their minute is over.
  func flush() {
    if let omitted = allowance.withLock({ $0.removeOmitted(now: milliseconds) }) {
      logOmission(omitted)
    }
  }

  private func logOmission(_ omitted: Int) {
    log.write(
      LogEvent(
        .warning, "host.output", "\(omitted) more lines that hosts wrote were not logged."))
  }

  private var milliseconds: Int64 {
    let (seconds, attoseconds) = (now() - begin).components
    return seconds * 1_000 + attoseconds / 1_000_000_000_000_000
  }
}
