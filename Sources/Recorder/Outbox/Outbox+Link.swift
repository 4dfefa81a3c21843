package import Timelines

// Messages of the daemon.
extension Outbox {
  /// Whether a connection was accepted.
  package var isConnected: Bool { link != nil }

  /// Handles an accepted connection: timelines continue after what the daemon has stored.
  ///
  /// If it throws, nothing has changed.
  package mutating func connect(
    credit: Int64, maxMessage: Int64, maxTimelines: Int64? = nil,
    durable: [(timeline: TimelineID, last: Int64?)]
  ) throws(OutboxRefusal) {
    guard credit >= 0 else { throw .impossible("credit", credit) }
    // A smaller message has no room for an event and its frame.
    guard maxMessage >= 4_096 else { throw .impossible("greatest message", maxMessage) }
    if let maxTimelines, maxTimelines < 1 {
      throw .impossible("number of timelines", maxTimelines)
    }
    for (id, last) in durable {
      guard let index = index(of: id) else { throw .unknown(id) }
      if let last { try check(last, of: timelines[index], sent: timelines[index].greatestSent) }
    }
    let known = Dictionary(durable.map { ($0.timeline, $0.last) }) { first, _ in first }
    for index in timelines.indices {
      let last = known[timelines[index].id]
      counts.acknowledged += change(index) { timeline in
        let before = timeline.count
        if last == nil, maxTimelines != nil {
          timeline.connectUnknown()
        } else {
          timeline.connect(durable: last ?? nil)
        }
        return before - timeline.count
      }
    }
    link = Link(
      credit: credit, maxMessage: Int(clamping: min(maxMessage, 1 << 30)),
      places: OutboxPlaces(maxTimelines, limits: limits))
    batch.isDue = true
    forgetFinished()
    queueAll()
  }

  /// Handles the end of the connection. Unacknowledged entries will be sent again.
  package mutating func disconnect() {
    link = nil
    // A `close` can only be refused on the connection on which it was sent.
    endGaps = [:]
    for index in timelines.indices.reversed() where isForgettable(timelines[index]) {
      remove(at: index)
    }
  }

  /// Handles an acknowledgment: the entries of a timeline up to a seq are durable.
  ///
  /// - Parameters:
  /// - seq: The last durable entry; -1 for none.
  /// - isClosed: Whether it confirms the `close`.
  package mutating func acknowledge(
    _ id: TimelineID, through seq: Int64, isClosed: Bool = false
  ) throws(OutboxRefusal) {
    guard link != nil else { return }
    link?.places.lookSoon()
    let hadPlace = link?.places.has(id) == true
    if isClosed { try confirmClose(id) }
    guard let index = index(of: id) else {
      if hadPlace || finished.contains(id) || gone.contains(id) { return }
      throw .unknown(id)
    }
    if case .opening = timelines[index].place, try confirmOpen(index, durable: seq) { return }
    // The answer to the `open` of a timeline that was closed meanwhile, or to that `close`.
    if seq == -1, hadPlace, timelines[index].acknowledged < 0 { return }
    // Entries that were sent over an earlier connection may become durable after `welcome`.
    try check(seq, of: timelines[index], sent: timelines[index].greatestSent)
    let before = timelines[index].acknowledged
    guard seq >= before else { throw .backwards(id, durable: seq, before: before) }
    counts.acknowledged += change(index) { $0.acknowledge(through: seq) }
    if timelines[index].isFinished { remove(at: index) }
  }

  /// Adds credit.
  package mutating func credit(_ bytes: Int64) throws(OutboxRefusal) {
    guard bytes >= 0 else { throw .impossible("credit", bytes) }
    guard let credit = link?.credit else { return }
    let (sum, overflow) = credit.addingReportingOverflow(bytes)
    link?.credit = overflow ? .max : sum
  }

  /// Handles that the daemon deleted a timeline: drops its entries, and requests a new timeline
  /// from the pipeline.
  package mutating func gone(_ id: TimelineID) throws(OutboxRefusal) {
    let hadPlace = freePlace(of: id)
    guard let index = index(of: id) else {
      if hadPlace || finished.contains(id) || gone.contains(id) { return }
      throw .unknown(id)
    }
    if timelines[index].end == nil {
      gone.insert(id)
      reopened.append(id)
    }
    counts.dropped += timelines[index].count
    counts.abandoned += timelines[index].count
    remove(at: index)
  }

  /// Handles that the daemon refused a message of a timeline. Nothing more of it is sent on this
  /// connection.
  ///
  /// After three refusals without progress the timeline is abandoned as if it had been deleted.
  package mutating func refuse(_ id: TimelineID) -> RefusalOutcome {
    freePlace(of: id)
    guard let index = index(of: id) else {
      // Everything was acknowledged except the message that ended it.
      return .over(unreported: endGaps.removeValue(forKey: id) ?? 0)
    }
    timelines[index].isRefused = true
    timelines[index].refusals += 1
    guard timelines[index].refusals >= 3 else { return .connectAgain }
    let answer = RefusalOutcome.abandoned(
      kept: timelines[index].count, lost: timelines[index].unacknowledged)
    try? gone(id)
    return answer
  }

  func check(
    _ seq: Int64, of timeline: OutboxTimeline, sent: Int64
  ) throws(OutboxRefusal) {
    guard seq >= 0, seq <= sent else { throw .beyond(timeline.id, durable: seq, sent: sent) }
  }

  func isUnderWay() -> Bool { timelines.contains { $0.isUnderWay } }

  mutating func forgetFinished() {
    for index in timelines.indices.reversed() where timelines[index].isFinished {
      remove(at: index)
    }
  }
}
