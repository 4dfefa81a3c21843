internal import Timelines

/// Which events of a minimization were caused by others among them.
///
/// A response without its request, or half of what a handler sent, cannot happen in the app, so an
/// event is removed together with everything it caused.
struct CausedEvents: Sendable {
  /// By entry of the recording: the entry that caused it.
  private let causes: [Int64: Int64]

  /// No event caused another one.
  static let none = CausedEvents(causes: [:])

  /// The recorded causes among the entries of a timeline.
  init(among entries: some Collection<Entry>, of timeline: TimelineID) {
    let first = entries.first?.seq ?? 0
    var causes: [Int64: Int64] = [:]
    for entry in entries {
      // What an earlier entry caused stays on its own: its cause cannot be removed.
      if let cause = entry.cause(in: timeline), cause >= first { causes[entry.seq] = cause }
    }
    self.causes = causes
  }

  private init(causes: [Int64: Int64]) { self.causes = causes }

  /// Whether a candidate has an event that another one caused.
  func hasEffects(of item: Candidate.Item, in candidate: Candidate) -> Bool {
    candidate.items.contains { causes[$0.entry.seq] == item.entry.seq }
  }

  /// Removes a range of events and, recursively, what these caused.
  func remove(_ range: Range<Int>, from candidate: inout Candidate) {
    guard !causes.isEmpty else { return candidate.items.removeSubrange(range) }
    var removed = Set(candidate.items[range].lazy.map(\.entry.seq))
    candidate.items.removeSubrange(range)
    // Causes precede their effects, so one pass finds all of them.
    candidate.items.removeAll { item in
      guard let cause = causes[item.entry.seq], removed.contains(cause) else { return false }
      removed.insert(item.entry.seq)
      return true
    }
  }
}
