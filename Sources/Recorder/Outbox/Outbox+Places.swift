import JSONCore
package import Timelines
import Wire

// Places: a daemon lets a recorder have a limited number of timelines open. With more machines, the
// timelines of those that send nothing are parked, and opened again when they send.
extension Outbox {
  /// Queues all timelines of a new connection: first those with something to send, then the others,
  /// the least recently used first, because the last ones to be opened keep their places.
  mutating func queueAll() {
    for index in timelines.indices { requestPlace(index) }
    let idle = timelines.filter { $0.waitingSince == nil }
    let isFull = timelines.count > link?.places.maximum ?? .max
    for timeline in isFull ? idle.sorted(by: { $0.lastUsed < $1.lastUsed }) : idle {
      link?.places.others.append(timeline.id)
    }
  }

  /// Queues a timeline that has something to send, unless it is open.
  mutating func requestPlace(_ index: Int) {
    guard link != nil, timelines[index].needsPlace(at: latest) else { return }
    timelines[index].waitingSince = latest
    link?.places.urgent.append(timelines[index].id)
  }

  /// Records that a timeline is used.
  mutating func use(_ index: Int, now: Duration) {
    latest = max(latest, now)
    timelines[index].lastUsed = latest
  }

  /// Keeps a timeline open for some time, because a command for its machine arrived.
  package mutating func hold(_ id: TimelineID, for time: Duration, now: Duration) {
    guard let index = index(of: id) else { return }
    use(index, now: now)
    timelines[index].heldUntil = max(timelines[index].heldUntil, latest + time)
    timelines[index].stay()
    requestPlace(index)
  }

  /// Lets timelines be parked although they were used a moment ago.
  mutating func hurry() {
    guard link?.places.isAnyWaiting == true, link?.places.isHurried == false else { return }
    link?.places.hurry()
  }

  /// Opens the next timeline that waits, or parks one to make room.
  mutating func nextOpening() -> OutboxStep? {
    while let index = nextWaiting() {
      let bytes = timelines[index].header.range.count
      guard link?.places.isFree(forHeader: bytes) == true else { return nextParking(for: index) }
      timelines[index].wasTried = true
      removeFirstWaiting()
      timelines[index].waitingSince = nil
      let header = timelines[index].header
      let frame = Envelope(FromRecorder.open(FromRecorder.Open { $0.header = header })).encoded()
      // The header is longer than a message, so the timeline cannot be sent on this connection.
      guard frame.count <= link?.maxMessage ?? 0 else {
        timelines[index].isRefused = true
        continue
      }
      let isConfirmed = link?.places.isParkingPossible == true
      timelines[index].place = isConfirmed ? .opening(since: latest) : .open(since: latest)
      link?.places.assign(timelines[index].id, headerBytes: bytes)
      if timelines[index].hasUnsent { batch.isDue = true }
      return .frame(frame)
    }
    link?.places.isHurried = false
    return nil
  }

  /// The timeline that gets the next place.
  private mutating func nextWaiting() -> Int? {
    while let id = link?.places.urgent.first {
      if let index = index(of: id), timelines[index].place == .none, !timelines[index].isRefused {
        return index
      }
      link?.places.urgent.removeFirst()
    }
    while let id = link?.places.others.first {
      if let index = index(of: id), timelines[index].place == .none, !timelines[index].isRefused,
        !timelines[index].wasTried
      {
        return index
      }
      link?.places.others.removeFirst()
    }
    return nil
  }

  private mutating func removeFirstWaiting() {
    if link?.places.urgent.isEmpty == false {
      link?.places.urgent.removeFirst()
    } else {
      link?.places.others.removeFirst()
    }
  }

  /// Frees the place of a timeline. Returns whether it had one.
  @discardableResult
  mutating func freePlace(of id: TimelineID) -> Bool {
    guard link?.places.has(id) == true else { return false }
    link?.places.free(id)
    if let index = index(of: id) { timelines[index].place = .none }
    return true
  }
}
