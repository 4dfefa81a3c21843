import JSONCore

// Invariants between any two calls. Tests check them after each.
extension Outbox {
  /// Traps if an invariant does not hold.
  package func checkInvariants() {
    precondition(bytes == timelines.reduce(0) { $0 + $1.bytes }, "the byte count is wrong")
    precondition(
      bytes <= limits.bytes || timelines.allSatisfy { $0.oldestInMemory == nil },
      "the limit is exceeded although entries could be evicted")
    precondition(Set(timelines.map(\.id)).count == timelines.count, "a timeline is listed twice")
    precondition(
      timelines.indices.allSatisfy { index(of: timelines[$0].id) == $0 }, "an index is wrong")
    if let places = link?.places {
      let open = timelines.filter { $0.place != .none }
      precondition(open.allSatisfy { places.has($0.id) }, "a timeline is open without a place")
      precondition(places.count <= places.maximum, "there are more timelines than places")
    }
    ring.checkInvariants()
    for timeline in timelines { timeline.checkInvariants() }
    let places = timelines.flatMap { $0.groups.compactMap(\.place) }
    precondition(Set(places.map(\.id)).count == places.count, "two groups share a place")
  }
}

extension OutboxTimeline {
  func checkInvariants() {
    let own = header.range.count + Self.overhead
    precondition(
      bytes == own + groups.reduce(0) { $0 + $1.bytes }, "the timeline's byte count is wrong")
    precondition(acknowledged <= position, "more was acknowledged than sent")
    precondition(freed.isEmpty, "a freed place was not returned to the ring")
    var last = acknowledged
    var age = -1
    for group in groups {
      precondition(group.count > 0, "a group is empty")
      precondition(group.age >= age, "a group is older than the one before it")
      age = group.age
      if let buffer = group.buffer {
        precondition(buffer.count == group.count, "a group has a wrong count")
        precondition(
          buffer.bytes == buffer.entries.reduce(0) { $0 + $1.cost },
          "a group has a wrong byte count")
        for entry in buffer.entries {
          precondition(entry.seq > last, "an entry is out of order, or acknowledged")
          precondition(entry.previous < entry.seq, "an entry comes before its predecessor")
          last = entry.seq
        }
        precondition(
          buffer.entries.first?.previous == group.previous, "a group has a wrong predecessor")
      }
      precondition(group.last >= last, "a group ends before its entries")
      last = group.last
    }
    precondition(last <= max(lastAppended, acknowledged), "an entry was never appended")
  }
}
