package import Timelines

/// Which inspector may control which machine, and until when: one lease for each machine.
///
/// It has no clock and no thread; callers pass in the time.
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

  /// The outcome of a request to hold.
  package enum Grant: Hashable, Sendable {
    /// The lease is valid now, and may have ended another one.
    case granted(takenFrom: String?)
    case renewed
    case refused
  }

  package struct Ended: Hashable, Sendable {
    package let timeline: TimelineID
    /// The lease's id.
    package let lease: String
    /// How long it was valid without renewal.
    package let time: Duration
  }

  private var leases: [TimelineID: Lease] = [:]

  package init() {}

  /// Grants or renews a lease. Ends another lease only if `takes` is true.
  package mutating func hold(
    _ timeline: TimelineID, lease: String, for time: Duration, takes: Bool, at now: Duration
  ) -> Grant {
    let old = leases[timeline].flatMap { $0.deadline > now ? $0.id : nil }
    if let old, old != lease, !takes { return .refused }
    leases[timeline] = Lease(id: lease, time: time, deadline: now + time)
    return old == lease ? .renewed : .granted(takenFrom: old)
  }

  /// Whether this is the machine's lease, and it has not ended.
  package func isValid(_ lease: String, for timeline: TimelineID, at now: Duration) -> Bool {
    leases[timeline].map { $0.id == lease && $0.deadline > now } ?? false
  }

  /// Whether the lease's time is over, but it was not removed yet.
  package func isOverdue(_ lease: String, for timeline: TimelineID, at now: Duration) -> Bool {
    leases[timeline].map { $0.id == lease && $0.deadline <= now } ?? false
  }

  /// Ends the machine's lease, and returns its id.
  @discardableResult
  package mutating func end(_ timeline: TimelineID) -> String? {
    leases.removeValue(forKey: timeline)?.id
  }

  /// Ends all leases, and returns their timelines.
  package mutating func endAll() -> [TimelineID] {
    defer { leases = [:] }
    return Array(leases.keys)
  }

  /// Moves a lease to its machine's new timeline.
  package mutating func move(_ old: TimelineID, to new: TimelineID) {
    if let lease = leases.removeValue(forKey: old) { leases[new] = lease }
  }

  /// Removes and returns the expired leases.
  package mutating func expire(at now: Duration) -> [Ended] {
    let over = leases.filter { $0.value.deadline <= now }
    for (timeline, _) in over { leases[timeline] = nil }
    return over.map { Ended(timeline: $0.key, lease: $0.value.id, time: $0.value.time) }
      .sorted { $0.timeline.text < $1.timeline.text }
  }

  package var nextDeadline: Duration? { leases.values.map(\.deadline).min() }
}
