package import Timelines

/// What an outbox wants to be done next.
package enum OutboxStep: Sendable {
  /// A message to send.
  case frame([UInt8])
  /// Bytes to read from the spill file, for ``Outbox/fetched(_:_:)``.
  case fetch(SpillFetch)
}

/// A piece of the spill file that is needed.
package struct SpillFetch: Sendable {
  /// Whose it is.
  package let timeline: TimelineID
  /// Where it is.
  package let place: SpillPlace
}

// What goes out.
extension Outbox {
  /// The next thing to do at that time, or `nil` when there is nothing.
  ///
  /// Ask as long as the connection takes more.
  package mutating func next(now: Duration) -> OutboxStep? {
    guard link != nil else { return nil }
    return nextOpening() ?? nextEntries(now: now) ?? nextEnd()
  }

  /// When to ask again although nothing came in; `nil` when something must come in first.
  package func deadline(now: Duration) -> Duration? {
    guard let link, link.credit > 0, let since = batch.since, !isDue(now: now) else { return nil }
    return since + limits.batchDelay
  }

  /// Takes a piece of the spill file that was asked for; `nil` for one that could not be read.
  ///
  /// - Returns: The message to send with it.
  package mutating func fetched(_ fetch: SpillFetch, _ bytes: [UInt8]?) -> [UInt8]? {
    guard let maxMessage = link?.maxMessage, let timeline = index(of: fetch.timeline),
      let index = timelines[timeline].index(of: fetch.place)
    else { return nil }
    let stretch = timelines[timeline].stretches[index]
    guard stretch.last > timelines[timeline].position else { return nil }
    let frame = bytes.flatMap {
      timelines[timeline].frame(of: stretch, $0, limits: limits, maxMessage: maxMessage)
    }
    guard let frame else {
      let why = bytes == nil ? "the spill file could not be read" : "a message would be too long"
      counts.dropped += change(timeline) { $0.drop(at: index, why: why) }
      return nil
    }
    note(frame.bytes, through: stretch.last, count: frame.count, of: timeline)
    return frame.bytes
  }

  private mutating func nextOpening() -> OutboxStep? {
    guard let maxMessage = link?.maxMessage else { return nil }
    for index in timelines.indices where !timelines[index].isOpened && !timelines[index].isRefused {
      let header = timelines[index].header
      let frame = Envelope(FromRecorder.open(FromRecorder.Open { $0.header = header })).encoded()
      timelines[index].isOpened = true
      // A header that is longer than any message: the timeline cannot be sent on this connection.
      guard frame.count <= maxMessage else {
        timelines[index].isRefused = true
        continue
      }
      return .frame(frame)
    }
    return nil
  }

  private mutating func nextEntries(now: Duration) -> OutboxStep? {
    guard let link, link.credit > 0, batch.since != nil || batch.isDue, isDue(now: now) else {
      return nil
    }
    batch.isDue = true
    let limits = limits
    for offset in timelines.indices {
      let index = (link.turn + offset) % timelines.count
      guard !timelines[index].isRefused, timelines[index].hasUnsent else { continue }
      let (next, dropped) = change(index) {
        $0.next(limits: limits, maxMessage: link.maxMessage)
      }
      counts.dropped += dropped
      switch next {
      case .nothing: continue
      case .fetch(let place):
        return .fetch(SpillFetch(timeline: timelines[index].id, place: place))
      case .frame(let bytes, let through, let count):
        note(bytes, through: through, count: count, of: index)
        return .frame(bytes)
      }
    }
    batch = Batch()
    return nil
  }

  private mutating func nextEnd() -> OutboxStep? {
    for index in timelines.indices {
      let timeline = timelines[index]
      guard let end = timeline.end, !end.isSent, !timeline.hasUnsent, !timeline.isRefused else {
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
      forgetFinished()
      return .frame(Envelope(FromRecorder.close(close)).encoded())
    }
    return nil
  }

  private func isDue(now: Duration) -> Bool {
    batch.isDue || batch.entries >= limits.batchEntries || batch.bytes >= limits.batchBytes
      || now - (batch.since ?? now) >= limits.batchDelay || !isUnderWay()
  }

  private mutating func note(_ frame: [UInt8], through: Int64, count: Int, of index: Int) {
    timelines[index].noteSent(through: through)
    counts.sent += count
    counts.sentBytes += frame.count
    link?.credit -= Int64(frame.count)
    link?.turn = index + 1
  }
}
