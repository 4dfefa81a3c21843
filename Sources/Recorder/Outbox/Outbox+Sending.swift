package import Timelines
import Wire

/// The next thing to do for an outbox.
package enum OutboxStep: Sendable {
  case frame([UInt8])
  /// Read bytes from the spill file, for ``Outbox/fetched(_:_:)``.
  case fetch(SpillFetch)
}

/// A part of the spill file to read.
package struct SpillFetch: Sendable {
  package let timeline: TimelineID
  package let place: SpillPlace
}

// Sending.
extension Outbox {
  /// The next thing to do, or `nil` if there is nothing.
  ///
  /// Call it until the transport is full.
  package mutating func next(now: Duration) -> OutboxStep? {
    guard link != nil else { return nil }
    latest = max(latest, now)
    return nextOpening() ?? nextEntries(now: now) ?? nextEnd()
  }

  /// When to call ``next(now:)`` again without any event; `nil` if an event must come first.
  package func deadline(now: Duration) -> Duration? {
    guard let link else { return nil }
    let look = link.places.isAnyWaiting && link.places.nextLook > now ? link.places.nextLook : nil
    guard link.credit > 0, let since = batch.since, !isDue(now: now) else { return look }
    return min(since + limits.batchDelay, look ?? .seconds(Int64.max))
  }

  /// Accepts bytes from the spill file; `nil` if they could not be read.
  ///
  /// - Returns: The message to send.
  package mutating func fetched(_ fetch: SpillFetch, _ bytes: [UInt8]?) -> [UInt8]? {
    guard let maxMessage = link?.maxMessage, let timeline = index(of: fetch.timeline),
      let index = timelines[timeline].index(of: fetch.place)
    else { return nil }
    let group = timelines[timeline].groups[index]
    guard group.last > timelines[timeline].position else { return nil }
    let frame = bytes.flatMap {
      timelines[timeline].frame(of: group, $0, limits: limits, maxMessage: maxMessage)
    }
    guard let frame else {
      let why = bytes == nil ? "the spill file could not be read" : "a message would be too long"
      counts.dropped += change(timeline) { $0.drop(at: index, why: why) }
      return nil
    }
    recordSent(frame.bytes, through: group.last, count: frame.count, of: timeline)
    return frame.bytes
  }

  private mutating func nextEntries(now: Duration) -> OutboxStep? {
    guard let link, link.credit > 0, batch.since != nil || batch.isDue, isDue(now: now) else {
      return nil
    }
    batch.isDue = true
    let limits = limits
    for offset in timelines.indices {
      let index = (link.turn + offset) % timelines.count
      guard timelines[index].hasUnsent, timelines[index].isSendable else { continue }
      let (next, dropped) = change(index) {
        $0.next(limits: limits, maxMessage: link.maxMessage)
      }
      counts.dropped += dropped
      switch next {
      case .nothing: continue
      case .fetch(let place):
        return .fetch(SpillFetch(timeline: timelines[index].id, place: place))
      case .frame(let bytes, let through, let count):
        recordSent(bytes, through: through, count: count, of: index)
        return .frame(bytes)
      }
    }
    batch = Batch()
    return nil
  }

  private mutating func nextEnd() -> OutboxStep? {
    for index in timelines.indices where timelines[index].end?.isSent == false {
      let timeline = timelines[index]
      guard let end = timeline.end, !end.isSent, !timeline.hasUnsent, timeline.isSendable else {
        continue
      }
      timelines[index].end?.isSent = true
      let own = end.gap?.lost ?? 0
      let (lost, overflow) = (timeline.lastAppended - timeline.position)
        .addingReportingOverflow(own)
      let reasons = [
        timeline.lastAppended > timeline.position ? timeline.lossReason : nil, end.gap?.why,
      ]
      let close = FromRecorder.Close {
        $0.timeline = timeline.id
        guard lost > 0, !overflow else { return }
        $0.gap = Gap(lost: lost, why: reasons.compactMap { $0 }.joined(separator: "; "))
      }
      endGaps[timeline.id] = close.gap?.lost
      sentClose(at: index)
      if timelines[index].isFinished { remove(at: index) }
      return .frame(Envelope(FromRecorder.close(close)).encoded())
    }
    return nil
  }

  private func isDue(now: Duration) -> Bool {
    batch.isDue || batch.entries >= limits.batchEntries || batch.bytes >= limits.batchBytes
      || now - (batch.since ?? now) >= limits.batchDelay || !isUnderWay()
  }

  private mutating func recordSent(_ frame: [UInt8], through: Int64, count: Int, of index: Int) {
    timelines[index].markSent(through: through)
    counts.sent += count
    counts.sentBytes += frame.count
    link?.credit -= Int64(frame.count)
    link?.turn = index + 1
  }
}
