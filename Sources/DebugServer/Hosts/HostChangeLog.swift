internal import Wire

/// Logs when hosts start and fail.
///
/// A host that ends at every request, or that is rebuilt in a loop, must not fill the disk with the
/// daemon's log: beyond a limit, events are omitted, and the next one counts them.
struct HostChangeLog {
  /// The maximum number of events logged in a minute, for all hosts together.
  static let eventsOfMinute = 60

  private let log: any Log
  private var allowance = LogAllowance(ofMinute: eventsOfMinute)

  init(_ log: any Log) { self.log = log }

  /// Logs what has changed; `now` is in milliseconds.
  mutating func write(
    from old: [ToInspector.HostSummary], to new: [ToInspector.HostSummary], at now: Int64
  ) {
    for host in new {
      let before = old.first { $0.name == host.name }
      if let problem = host.problem, problem != before?.problem {
        write(.warning, "host.failed", "\(host.name): \(problem)", at: now)
      } else if let started = host.started, started != before?.started {
        let makes = host.makes.isEmpty ? "nothing" : host.makes.joined(separator: ", ")
        let why = host.restarted.map { " \($0)" } ?? ""
        write(.info, "host.started", "\(host.name) makes \(makes).\(why)", at: now)
      }
    }
  }

  private mutating func write(_ level: LogLevel, _ name: String, _ message: String, at now: Int64) {
    guard let omitted = allowance.request(now: now) else { return }
    let count = omitted > 0 ? " (\(omitted) more events were not logged)" : ""
    log.write(LogEvent(level, name, message + count))
  }
}
