package import Timelines

/// Who may drive which machine, until when: one lease a machine.
///
/// It knows no clock and no thread; whoever asks gives the time.
///
/// ```
/// var leases = LeaseTable()
/// let outcome = leases.hold(timeline, lease: "c81f", for: .seconds(15), takes: false, at: now)
/// assert(outcome == .granted(takenFrom: nil))
/// ```
package struct LeaseTable: Sendable {
  private struct Lease {
    var id: String
    var time: Duration
    var deadline: Duration
  }

  /// What became of a request to hold.
  package enum Grant: Hashable, Sendable {
    /// The lease is valid now; it may have ended another one.
    case granted(takenFrom: String?)
    /// The lease is valid longer now.
    case renewed
    /// Another lease is valid.
    case refused
  }

  /// A lease that has ended by itself.
  package struct Ended: Hashable, Sendable {
    /// The machine's timeline.
    package let timeline: TimelineID
    /// The lease.
    package let lease: String
    /// The time without renewal that it had.
    package let time: Duration
  }

  private var leases: [TimelineID: Lease] = [:]

  /// No lease yet.
  package init() {}

  /// Grants a lease, or renews it; another one is only ended by who `takes` it explicitly.
  package mutating func hold(
    _ timeline: TimelineID, lease: String, for time: Duration, takes: Bool, at now: Duration
  ) -> Grant {
    let old = leases[timeline].flatMap { $0.deadline > now ? $0.id : nil }
    if let old, old != lease, !takes { return .refused }
    leases[timeline] = Lease(id: lease, time: time, deadline: now + time)
    return old == lease ? .renewed : .granted(takenFrom: old)
  }

  /// Whether a lease is the machine's, and has not ended.
  package func isValid(_ lease: String, for timeline: TimelineID, at now: Duration) -> Bool {
    leases[timeline].map { $0.id == lease && $0.deadline > now } ?? false
  }

  /// Whether a lease's time is over, and nobody has ended it yet.
  package func isOverdue(_ lease: String, for timeline: TimelineID, at now: Duration) -> Bool {
    leases[timeline].map { $0.id == lease && $0.deadline <= now } ?? false
  }

  /// Ends the machine's lease, whoever has it; answers which it was.
  @discardableResult
  package mutating func end(_ timeline: TimelineID) -> String? {
    leases.removeValue(forKey: timeline)?.id
  }

  /// Ends all leases; answers whose they were.
  package mutating func endAll() -> [TimelineID] {
    defer { leases = [:] }
    return Array(leases.keys)
  }

  /// Moves a lease to the timeline in which its machine goes on.
  package mutating func move(_ old: TimelineID, to new: TimelineID) {
    if let lease = leases.removeValue(forKey: old) { leases[new] = lease }
  }

  /// Ends the leases whose time is over.
  package mutating func expire(at now: Duration) -> [Ended] {
    let over = leases.filter { $0.value.deadline <= now }
    for (timeline, _) in over { leases[timeline] = nil }
    return over.map { Ended(timeline: $0.key, lease: $0.value.id, time: $0.value.time) }
      .sorted { $0.timeline.text < $1.timeline.text }
  }

  /// When the next lease ends without renewal.
  package var nextDeadline: Duration? { leases.values.map(\.deadline).min() }
}
