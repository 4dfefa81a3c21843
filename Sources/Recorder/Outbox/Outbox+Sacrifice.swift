package import Timelines

/// Bytes that belong into the spill file.
package struct SpillOrder: Sendable {
  /// The timeline.
  package let timeline: TimelineID
  /// Where they go.
  package let place: SpillPlace
  /// What goes there.
  package let bytes: [UInt8]
}

// Giving way: by whole keyframe groups, the oldest first.
extension Outbox {
  /// Gives way until what is kept fits.
  mutating func makeRoom() -> [SpillOrder] {
    var orders: [SpillOrder] = []
    while bytes > limits.bytes {
      if let (timeline, index) = oldest(\.oldestToThin) {
        let limits = limits
        counts.thinned += change(timeline) { $0.thin(at: index, limits: limits) }
      } else if let (timeline, index) = oldest(\.oldestInMemory) {
        let length = timelines[timeline].stretches[index].joinedBytes
        if let place = ring.take(length) {
          let lines = change(timeline) { $0.spill(at: index, to: place) }
          orders.append(SpillOrder(timeline: timelines[timeline].id, place: place, bytes: lines))
        } else if length > ring.capacity || !dropOldestSpilled() {
          drop(timeline, index, why: "the outbox was full")
        }
      } else {
        // Headers alone: as many as the app has live machines.
        break
      }
    }
    return orders
  }

  /// Tells how writing to the spill file went; what could not be written is lost.
  package mutating func spilled(_ order: SpillOrder, problem: String? = nil) {
    guard let timeline = index(of: order.timeline),
      let index = timelines[timeline].index(of: order.place)
    else {
      // It was forgotten while it was being written.
      ring.free(order.place)
      return
    }
    if let problem {
      ring.free(order.place)
      drop(timeline, index, why: "the spill file could not be written: \(problem)")
    } else {
      counts.spilled += timelines[timeline].stretches[index].count
      change(timeline) { $0.settle(at: index) }
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

  /// Lets the oldest in the file go; false when it is on its way there just now.
  private mutating func dropOldestSpilled() -> Bool {
    guard let place = ring.oldest else { return false }
    for timeline in timelines.indices {
      guard let index = timelines[timeline].index(of: place) else { continue }
      guard case .spilled = timelines[timeline].stretches[index].contents else { return false }
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
