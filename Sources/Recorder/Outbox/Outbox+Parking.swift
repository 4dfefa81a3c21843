import Timelines
import Wire

// Parking: closing the timeline of a machine that runs on, because others wait for its place.
//
// If there are more busy machines than places, parking a timeline as soon as another one waits would
// only open and close timelines. So a timeline keeps its place for a time after it was used, and a
// busy one for the same time after it was opened. A timeline that waits for the first time on a
// connection, and all of them at the end of a recording, need not wait for that: each of them is
// opened once.
extension Outbox {
  /// The `close` messages that may be unconfirmed, which bounds the work of one pass.
  private static let maximumClosing = 64

  /// Parks a timeline to make room for one that waits.
  mutating func nextParking(for waiting: Int) -> OutboxStep? {
    if let step = parkNext() { return step }
    let closing = link?.places.closing.count ?? 0
    guard closing < Self.maximumClosing, latest >= link?.places.nextLook ?? .zero else {
      return nil
    }
    let count = timelines.count { $0.isWaitingForPlace }
    let wanted = min(count, Self.maximumClosing) - closing
    let found = parkable(for: timelines[waiting]).prefix(max(0, wanted))
    for index in found { link?.places.leaving.append(timelines[index].id) }
    if found.isEmpty { retireBusy(for: timelines[waiting], wanted) }
    let parkableFrom = parkableFrom(for: timelines[waiting])
    let overdue = timelines[waiting].waitingSince.map { $0 + limits.placeTime }
    link?.places.looked(
      at: latest, found: !found.isEmpty, parkableFrom: parkableFrom, overdue: overdue,
      limits: limits)
    return parkNext()
  }

  private mutating func parkNext() -> OutboxStep? {
    while let id = link?.places.leaving.first {
      link?.places.leaving.removeFirst()
      guard let index = index(of: id), timelines[index].isParkable,
        timelines[index].heldUntil <= latest
      else { continue }
      timelines[index].place = .closing
      link?.places.closing.insert(id)
      let close = FromRecorder.Close {
        $0.timeline = id
        $0.parks = true
      }
      return .frame(Envelope(FromRecorder.close(close)).encoded())
    }
    return nil
  }

  /// The timelines that may be parked for one that waits, the least recently used first.
  private func parkable(for waiting: OutboxTimeline) -> [Int] {
    let isEager = link?.places.isHurried == true || !waiting.wasTried
    let isOverdue = isOverdue(waiting)
    return timelines.indices.filter { index in
      let timeline = timelines[index]
      guard timeline.isParkable, timeline.heldUntil <= latest else { return false }
      guard case .open(let since) = timeline.place else { return true }
      return isEager || latest - timeline.lastUsed >= limits.placeTime
        || isOverdue && latest - since >= limits.placeTime
    }.sorted { timelines[$0].lastUsed < timelines[$1].lastUsed }
  }

  /// Lets the busy timelines that were opened first send nothing more, so that they can be parked.
  private mutating func retireBusy(for waiting: OutboxTimeline, _ count: Int) {
    guard isOverdue(waiting) else { return }
    var busy: [(index: Int, since: Duration)] = []
    var leaving = 0
    for index in timelines.indices {
      switch timelines[index].place {
      case .leaving: leaving += 1
      case .open(let since):
        guard timelines[index].end == nil, timelines[index].heldUntil <= latest,
          latest - since >= limits.placeTime
        else { continue }
        busy.append((index, since))
      case .none, .opening, .closing: continue
      }
    }
    for (index, since) in busy.sorted(by: { $0.since < $1.since }).prefix(max(0, count - leaving)) {
      timelines[index].place = .leaving(since: since)
    }
  }

  private func isOverdue(_ waiting: OutboxTimeline) -> Bool {
    waiting.waitingSince.map { latest - $0 >= limits.placeTime } ?? false
  }

  /// When a timeline can be parked at the earliest.
  private func parkableFrom(for waiting: OutboxTimeline) -> Duration {
    guard link?.places.isHurried == false, waiting.wasTried, let since = waiting.waitingSince
    else { return latest }
    let firstIdle = timelines.lazy.filter(\.isParkable).map(\.lastUsed).min()
    return min(since, firstIdle ?? since) + limits.placeTime
  }
}

// What the daemon confirms.
extension Outbox {
  /// Handles the answer to an `open`. Returns false if it is an acknowledgment like any other.
  mutating func confirmOpen(_ index: Int, durable: Int64) throws(OutboxRefusal) -> Bool {
    let timeline = timelines[index]
    guard case .opening(let since) = timeline.place else { return false }
    if timeline.isPositionKnown {
      guard durable == -1 else {
        timelines[index].place = .open(since: since)
        return false
      }
      guard timeline.acknowledged < 0 else {
        throw .backwards(timeline.id, durable: durable, before: timeline.acknowledged)
      }
    } else {
      if durable != -1 { try check(durable, of: timeline, sent: timeline.greatestSent) }
      counts.acknowledged += change(index) { timeline in
        let before = timeline.count
        timeline.resume(after: durable)
        return before - timeline.count
      }
      batch.isDue = true
    }
    timelines[index].place = .open(since: since)
    return true
  }

  /// Records that the `close` of an ended timeline was sent.
  mutating func sentClose(at index: Int) {
    guard link?.places.isParkingPossible == true else {
      freePlace(of: timelines[index].id)
      return
    }
    timelines[index].place = .closing
    link?.places.closing.insert(timelines[index].id)
  }

  /// Handles the answer to a `close`: its place is free.
  mutating func confirmClose(_ id: TimelineID) throws(OutboxRefusal) {
    guard link?.places.closing.contains(id) == true else { throw .notClosed(id) }
    freePlace(of: id)
    // Entries may have been appended since.
    if let index = index(of: id) { requestPlace(index) }
  }
}
