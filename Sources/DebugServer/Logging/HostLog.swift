internal import Reruns
internal import Synchronization
package import Wire

/// Logs what happens to hosts, and what they write to standard error.
///
/// Both are limited to some a minute: a host that writes endlessly, ends at every request, or is
/// rebuilt in a loop must not fill the disk with the daemon's log.
package final class HostLog: HostObserver {
  /// The maximum number of lines logged in a minute, for all hosts together.
  static let linesOfMinute = 200
  /// The maximum number of starts and failures logged in a minute; the next one counts the others.
  static let eventsOfMinute = 60

  private let log: any Log
  private let output: any Log
  private let now: @Sendable () -> ContinuousClock.Instant
  private let begin: ContinuousClock.Instant
  private let allowance = Mutex(LogAllowance(ofMinute: linesOfMinute))
  private let eventAllowance = Mutex(LogAllowance(ofMinute: eventsOfMinute))

  /// - Parameter output: where the lines of hosts go; `nil` for the log.
  init(
    _ log: any Log, output: (any Log)? = nil,
    now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
  ) {
    self.log = log
    self.output = output ?? log
    self.now = now
    begin = now()
  }

  package func started(_ host: ToInspector.HostSummary) {
    let makes = host.makes.isEmpty ? "nothing" : host.makes.joined(separator: ", ")
    let why = host.restarted.map { " \($0)" } ?? ""
    write(.info, "host.started", "\(host.name) makes \(makes).\(why)")
  }

  package func failed(_ host: ToInspector.HostSummary, problem: String) {
    write(.warning, "host.failed", "\(host.name): \(problem)")
  }

  private func write(_ level: LogLevel, _ name: String, _ message: String) {
    guard let omitted = eventAllowance.withLock({ $0.request(now: milliseconds) }) else { return }
    let count = omitted > 0 ? " (\(omitted) more events were not logged)" : ""
    log.write(LogEvent(level, name, message + count))
  }

  /// Logs a line of a host, or counts it if the limit is reached.
  package func wrote(_ line: String, host: String) {
    guard let omitted = allowance.withLock({ $0.request(now: milliseconds) }) else { return }
    if omitted > 0 { logOmission(omitted) }
    output.write(LogEvent(.info, "host.output", "\(host) wrote: \(line)", ["host": host]))
  }

  /// Logs how many lines were omitted, once their minute is over.
  package func flush() {
    if let omitted = allowance.withLock({ $0.removeOmitted(now: milliseconds) }) {
      logOmission(omitted)
    }
  }

  private func logOmission(_ omitted: Int) {
    output.write(
      LogEvent(
        .warning, "host.output", "\(omitted) more lines that hosts wrote were not logged."))
  }

  private var milliseconds: Int64 {
    let (seconds, attoseconds) = (now() - begin).components
    return seconds * 1_000 + attoseconds / 1_000_000_000_000_000
  }
}
