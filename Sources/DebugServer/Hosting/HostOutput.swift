internal import Synchronization

/// Logs what hosts write to their standard error streams, some lines a minute: a host that writes
/// endlessly must not fill the disk with the daemon's log.
final class HostOutput: Sendable {
  /// How many lines are logged in a minute, of all hosts together.
  static let linesOfMinute = 200

  private let log: any Log
  private let now: @Sendable () -> ContinuousClock.Instant
  private let begin: ContinuousClock.Instant
  private let allowance = Mutex(LogAllowance(ofMinute: linesOfMinute))

  /// Lines go to that log.
  init(_ log: any Log, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
    self.log = log
    self.now = now
    begin = now()
  }

  /// Logs a line of a host, or counts it.
  func write(_ line: String, of host: String) {
    guard let omitted = allowance.withLock({ $0.take(now: milliseconds) }) else { return }
    if omitted > 0 { tell(omitted) }
    log.write(LogEvent(.info, "host.output", "\(host) wrote: \(line)", ["host": host]))
  }

  /// Logs how many lines were left out, once the minute is over in which that was.
  func flush() {
    if let omitted = allowance.withLock({ $0.takeOmitted(now: milliseconds) }) { tell(omitted) }
  }

  private func tell(_ omitted: Int) {
    log.write(
      LogEvent(
        .warning, "host.output", "\(omitted) more lines that hosts wrote were not logged."))
  }

  private var milliseconds: Int64 {
    let (seconds, attoseconds) = (now() - begin).components
    return seconds * 1_000 + attoseconds / 1_000_000_000_000_000
  }
}
