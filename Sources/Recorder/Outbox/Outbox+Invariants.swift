import JSONCore

// What must hold between any two calls; tests ask after each.
extension Outbox {
  /// Stops the program when something that must hold does not.
  package func checkInvariants() {
    precondition(bytes == timelines.reduce(0) { $0 + $1.bytes }, "the account of bytes is wrong")
    precondition(
      bytes <= limits.bytes || timelines.allSatisfy { $0.oldestInMemory == nil },
      "there is too much, and something that could give way")
    precondition(Set(timelines.map(\.id)).count == timelines.count, "a timeline stands here twice")
    ring.checkInvariants()
    for timeline in timelines { timeline.checkInvariants() }
    let places = timelines.flatMap { $0.stretches.compactMap(\.place) }
    precondition(Set(places.map(\.id)).count == places.count, "two stretches share a place")
  }
}

extension OutboxTimeline {
  func checkInvariants() {
    let own = header.range.count + Self.overhead
    precondition(
      bytes == own + stretches.reduce(0) { $0 + $1.bytes }, "the timeline's account is wrong")
    precondition(acknowledged <= position, "more was acknowledged than sent")
    precondition(freed.isEmpty, "a place was freed and not given back")
    var last = acknowledged
    var age = -1
    for stretch in stretches {
      precondition(stretch.count > 0, "an empty stretch")
      precondition(stretch.age >= age, "a stretch is older than the one before it")
      age = stretch.age
      if let run = stretch.run {
        precondition(run.count == stretch.count, "a stretch counts wrongly")
        precondition(run.bytes == run.entries.reduce(0) { $0 + $1.cost }, "a run counts wrongly")
        for entry in run.entries {
          precondition(entry.seq > last, "an entry is out of order, or acknowledged")
          precondition(entry.previous < entry.seq, "an entry comes before its predecessor")
          last = entry.seq
        }
        precondition(run.entries.first?.previous == stretch.previous, "a stretch begins elsewhere")
      }
      precondition(stretch.last >= last, "a stretch ends before its entries")
      last = stretch.last
    }
    precondition(last <= max(lastAppended, acknowledged), "an entry that nobody wrote")
  }
}
