package import Timelines

/// Bytes to write to the spill file.
package struct SpillOrder: Sendable {
  package let timeline: TimelineID
  package let place: SpillPlace
  package let bytes: [UInt8]
}

// Eviction: by whole keyframe groups, the oldest first.
extension Outbox {
  /// Evicts entries until the outbox is within its limit.
  mutating func makeRoom() -> [SpillOrder] {
    var orders: [SpillOrder] = []
    while bytes > limits.bytes {
      if let (timeline, index) = oldest(\.oldestToThin) {
        let limits = limits
        counts.thinned += change(timeline) { $0.thin(at: index, limits: limits) }
      } else if let (timeline, index) = oldest(\.oldestInMemory) {
        let length = timelines[timeline].groups[index].joinedBytes
        if let place = ring.allocate(length) {
          let lines = change(timeline) { $0.spill(at: index, to: place) }
          orders.append(SpillOrder(timeline: timelines[timeline].id, place: place, bytes: lines))
        } else if length > ring.capacity || !dropOldestSpilled() {
          drop(timeline, index, why: "the outbox was full")
        }
      } else {
        // Only headers are left, one for each live machine.
        break
      }
    }
    return orders
  }

  /// Reports the result of writing to the spill file. Entries that could not be written are lost.
  package mutating func spilled(_ order: SpillOrder, problem: String? = nil) {
    guard let timeline = index(of: order.timeline),
      let index = timelines[timeline].index(of: order.place)
    else {
      // The timeline was removed while the file was being written.
      ring.free(order.place)
      return
    }
    if let problem {
      ring.free(order.place)
      drop(timeline, index, why: "the spill file could not be written: \(problem)")
    } else {
      counts.spilled += timelines[timeline].groups[index].count
      change(timeline) { $0.markSpilled(at: index) }
      batch.isDue = true
    }
  }

  private func oldest(
    _ candidate: (OutboxTimeline) -> (index: Int, age: Int)?
  ) -> (timeline: Int, index: Int)? {
    var oldest: (timeline: Int, index: Int, age: Int)?
    for (place, timeline) in timelines.enumerated() {
      guard let found = candidate(timeline), found.age < oldest?.age ?? .max else { continue }
      oldest = (place, found.index, found.age)
    }
    return oldest.map { ($0.timeline, $0.index) }
  }

  /// Drops the oldest entries in the file; false if they are still being written.
  private mutating func dropOldestSpilled() -> Bool {
    guard let place = ring.oldest else { return false }
    for timeline in timelines.indices {
      guard let index = timelines[timeline].index(of: place) else { continue }
      guard case .spilled = timelines[timeline].groups[index].contents else { return false }
      drop(timeline, index, why: "the spill file was full")
      return true
    }
    return false
  }

  private mutating func drop(_ timeline: Int, _ index: Int, why: String) {
    counts.dropped += change(timeline) { $0.drop(at: index, why: why) }
    if isForgettable(timelines[timeline]) { remove(at: timeline) }
  }
}
