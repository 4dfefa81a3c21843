package import Timelines

/// Buffers entries of many timelines until the daemon has stored them.
///
/// A value without a clock, a thread, or a socket: its owner passes in events, and asks what to do
/// next. It is limited by bytes. When it is full it evicts whole keyframe groups, the oldest first,
/// of any timeline: first it drops their states, then it moves them to the spill file if there is
/// one, then it drops them, and the next entry that is sent has a gap with their number.
///
/// ```
/// var outbox = Outbox(OutboxLimits())
/// outbox.open(header)
/// let orders = outbox.append(entries, to: header.timeline, now: clock)
/// try outbox.connect(credit: 8 << 20, maxMessage: 16 << 20, durable: [:])
/// while case .frame(let bytes)? = outbox.next(now: clock) { socket.send(bytes) }
/// try outbox.acknowledge(header.timeline, through: 41)
/// ```
package struct Outbox: Sendable {
  package let limits: OutboxLimits
  package internal(set) var counts = OutboxCounts()
  /// The memory that it needs in bytes.
  package internal(set) var bytes = 0

  var timelines: [OutboxTimeline] = []
  /// Where each timeline is in `timelines`.
  private var indices: [TimelineID: Int] = [:]
  var ring: SpillRing
  var link: Link?
  var nextAge = 0
  /// Timelines to reopen, which the pipeline has not been asked for yet.
  var reopened: [TimelineID] = []
  /// Ended timelines: a late acknowledgment for one is not a protocol violation.
  var finished: [TimelineID] = []
  /// The losses that the `close` of an ended timeline reported, in case it is refused.
  var endGaps: [TimelineID: Int64] = [:]
  /// Timelines that the daemon deleted, to which the pipeline still appends for a moment.
  var gone: Set<TimelineID> = []
  var batch = Batch()
  /// The latest time that the owner passed in.
  var latest = Duration.zero

  /// What the current connection allows.
  struct Link: Sendable {
    var credit: Int64
    var maxMessage: Int
    /// The timeline to send from next, in round-robin order.
    var turn = 0
    /// Which timelines may be open.
    var places: OutboxPlaces
  }

  /// The entries that wait to be sent together.
  struct Batch: Sendable {
    var since: Duration?
    var entries = 0
    var bytes = 0
    /// Whether sending has begun, and continues until nothing is left.
    var isDue = false
  }

  package init(_ limits: OutboxLimits) {
    self.limits = limits
    ring = SpillRing(capacity: limits.spillBytes)
  }

  /// The timelines that `hello` names: all of them, or as many as it may, those with entries first.
  package var openTimelines: [TimelineID] {
    guard timelines.count > limits.namedTimelines else { return timelines.map(\.id) }
    return timelines.sorted {
      let (first, second) = ($0.isWaiting, $1.isWaiting)
      return first == second ? $0.lastUsed > $1.lastUsed : first
    }.prefix(limits.namedTimelines).map(\.id)
  }

  /// Whether everything was acknowledged, and the end of each ended timeline sent.
  package var isFullyAcknowledged: Bool {
    timelines.allSatisfy { $0.groups.isEmpty && $0.end?.isSent != false }
  }

  /// Whether something waits that this connection accepts.
  package var hasUnsent: Bool {
    timelines.contains { !$0.isRefused && ($0.hasUnsent || $0.end?.isSent == false) }
  }

  /// The number of buffered entries.
  package var count: Int { timelines.reduce(0) { $0 + $1.count } }

  /// The number of buffered entries that were never sent.
  package var unsentCount: Int { timelines.reduce(0) { $0 + $1.unsentCount } }
}

// Calls of the pipeline.
extension Outbox {
  /// Opens a timeline, unless it is open already.
  package mutating func open(_ header: Header) {
    guard index(of: header.timeline) == nil, !gone.contains(header.timeline) else { return }
    var timeline = OutboxTimeline(header)
    timeline.lastUsed = latest
    indices[header.timeline] = timelines.count
    timelines.append(timeline)
    bytes += timeline.bytes
    link?.places.others.append(header.timeline)
  }

  /// Appends entries. Returns what must be written to the spill file now.
  ///
  /// Entries of a timeline that is not open are counted as dropped.
  package mutating func append(
    _ entries: ArraySlice<WrittenEntry>, to id: TimelineID, now: Duration
  ) -> [SpillOrder] {
    guard let index = index(of: id), timelines[index].end == nil else {
      counts.dropped += entries.count
      if gone.contains(id) { counts.abandoned += entries.count }
      return []
    }
    counts.recorded += entries.count
    use(index, now: now)
    let (age, limits) = (nextAge, limits)
    nextAge += entries.count
    let before = bytes
    let refused = change(index) { timeline in
      var refused = 0
      for (place, entry) in entries.enumerated()
      where !timeline.append(entry, age: age + place, limits: limits) {
        refused += 1
      }
      return refused
    }
    counts.dropped += refused
    requestPlace(index)
    batch.since = batch.since ?? now
    batch.entries += entries.count
    batch.bytes += max(0, bytes - before)
    return makeRoom()
  }

  /// Ends a timeline. The gap has what the pipeline lost at its end.
  package mutating func close(_ id: TimelineID, gap: Gap?) {
    gone.remove(id)
    guard let index = index(of: id), timelines[index].end == nil else { return }
    timelines[index].end = OutboxTimeline.End(gap: gap)
    timelines[index].stay()
    if link == nil, isForgettable(timelines[index]) { return remove(at: index) }
    requestPlace(index)
  }

  /// Returns and removes the requests to the pipeline.
  package mutating func drainRequests() -> [SinkRequest] {
    var requests = reopened.map(SinkRequest.reopen)
    reopened = []
    for index in timelines.indices where timelines[index].mustRequestKeyframe {
      timelines[index].mustRequestKeyframe = false
      requests.append(.keyframe(timelines[index].id))
    }
    return requests
  }

  /// Makes waiting entries due, without waiting for a full batch.
  package mutating func flushSoon() {
    batch.isDue = true
    hurry()
  }
}

extension Outbox {
  func index(of id: TimelineID) -> Int? { indices[id] }

  /// Changes a timeline, and updates the byte count and the spill ring.
  @discardableResult
  mutating func change<Result>(
    _ index: Int, _ body: (inout OutboxTimeline) -> Result
  ) -> Result {
    let before = timelines[index].bytes
    let result = body(&timelines[index])
    bytes += timelines[index].bytes - before
    if !timelines[index].freed.isEmpty {
      for place in timelines[index].freed { ring.free(place) }
      timelines[index].freed = []
    }
    return result
  }

  /// Whether an ended timeline was never sent, and nothing of it is left.
  func isForgettable(_ timeline: OutboxTimeline) -> Bool {
    timeline.end != nil && timeline.groups.isEmpty && timeline.greatestSent < 0
      && timeline.lastAppended >= 0
  }

  /// Removes a timeline and its entries. The last timeline takes its index.
  mutating func remove(at index: Int) {
    change(index) { timeline in
      while !timeline.groups.isEmpty { _ = timeline.drop(at: 0, why: "") }
    }
    bytes -= timelines[index].bytes
    // More than can be acknowledged late on one connection; used only to distinguish those from
    // protocol violations.
    if finished.count >= 1_024 {
      for id in finished.prefix(512) { endGaps[id] = nil }
      finished.removeFirst(512)
    }
    finished.append(timelines[index].id)
    indices[timelines[index].id] = nil
    timelines.swapAt(index, timelines.count - 1)
    timelines.removeLast()
    if index < timelines.count { indices[timelines[index].id] = index }
  }
}
