internal import Predicates
internal import Timelines

/// The invariants that timelines were found to break, so that none is reported twice.
///
/// It keeps those of a limited number of timelines: the oldest are dropped. For them, the marks in the
/// timeline remain.
struct BrokenInvariants: Sendable {
  private let maximum: Int
  private var predicates: [TimelineID: Set<Predicate>] = [:]
  /// The timelines in the order in which they were added.
  private var order: [TimelineID] = []

  /// - Parameter maximum: the maximum number of timelines.
  init(maximum: Int = 4_096) {
    self.maximum = maximum
  }

  /// The number of timelines.
  var count: Int { predicates.count }

  func contains(_ predicate: Predicate, in timeline: TimelineID) -> Bool {
    predicates[timeline]?.contains(predicate) ?? false
  }

  mutating func insert(_ predicate: Predicate, in timeline: TimelineID) {
    if predicates[timeline] == nil {
      if order.count >= maximum { predicates[order.removeFirst()] = nil }
      order.append(timeline)
    }
    predicates[timeline, default: []].insert(predicate)
  }
}
