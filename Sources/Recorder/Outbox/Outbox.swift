package import Timelines

/// Entries of many timelines on their way, kept until the other end has them for good.
///
/// A value without clock, thread or socket: what comes in changes it, and whoever owns it asks what
/// to do next. It is bounded by bytes. When there is no room it gives way by whole keyframe groups,
/// the oldest first, whosoever they are: their states go, then they go to the spill file where there
/// is one, then altogether, and the next entry that is sent says how many were lost.
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
  /// What it may keep.
  package let limits: OutboxLimits
  /// What it did so far.
  package internal(set) var counts = OutboxCounts()
  /// What keeping it all in memory takes.
  package internal(set) var bytes = 0

  var timelines: [OutboxTimeline] = []
  var ring: SpillRing
  var link: Link?
  var nextAge = 0
  /// What the pipeline is asked for and was not told yet, beside keyframes.
  var reopened: [TimelineID] = []
  /// Timelines that are over: an acknowledgement that comes late for one is no lie.
  var finished: [TimelineID] = []
  /// How many losses the end of a timeline reported that is over, for when that end is refused.
  var endGaps: [TimelineID: Int64] = [:]
  /// Timelines that the other end deleted, which the pipeline goes on with for a moment.
  var gone: Set<TimelineID> = []
  var batch = Batch()

  /// What a connection allows.
  struct Link: Sendable {
    var credit: Int64
    var maxMessage: Int
    /// The timeline whose turn it is to send.
    var turn = 0
  }

  /// What waits to be sent together.
  struct Batch: Sendable {
    var since: Duration?
    var entries = 0
    var bytes = 0
    /// Whether sending has begun, and goes on until nothing is left.
    var isDue = false
  }

  /// An outbox that keeps nothing yet.
  package init(_ limits: OutboxLimits) {
    self.limits = limits
    ring = SpillRing(capacity: limits.spillBytes)
  }

  /// The timelines that it knows and that are not over: what `hello` names.
  package var openTimelines: [TimelineID] { timelines.map(\.id) }

  /// Whether everything was acknowledged and each end told.
  package var isSettled: Bool {
    timelines.allSatisfy { $0.stretches.isEmpty && $0.end?.isSent != false }
  }

  /// Whether something waits to be sent that this connection takes.
  package var hasUnsent: Bool {
    timelines.contains { !$0.isRefused && ($0.hasUnsent || $0.end?.isSent == false) }
  }

  /// The number of entries that are kept.
  package var count: Int { timelines.reduce(0) { $0 + $1.count } }
}

// What the pipeline brings.
extension Outbox {
  /// Begins a timeline; one that it knows goes on.
  package mutating func open(_ header: Header) {
    guard index(of: header.timeline) == nil, !gone.contains(header.timeline) else { return }
    let timeline = OutboxTimeline(header)
    timelines.append(timeline)
    bytes += timeline.bytes
    if link != nil { timelines[timelines.count - 1].connect(durable: nil) }
  }

  /// Takes entries. What must go to the spill file now is the answer.
  ///
  /// Entries of a timeline that was not opened, or that is over, are counted as dropped.
  package mutating func append(
    _ entries: ArraySlice<WrittenEntry>, to id: TimelineID, now: Duration
  ) -> [SpillOrder] {
    guard let index = index(of: id), timelines[index].end == nil else {
      counts.dropped += entries.count
      if gone.contains(id) { counts.abandoned += entries.count }
      return []
    }
    counts.recorded += entries.count
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
    batch.since = batch.since ?? now
    batch.entries += entries.count
    batch.bytes += max(0, bytes - before)
    return makeRoom()
  }

  /// Ends a timeline; the gap says what the pipeline lost at its end.
  package mutating func close(_ id: TimelineID, gap: Gap?) {
    gone.remove(id)
    guard let index = index(of: id), timelines[index].end == nil else { return }
    timelines[index].end = OutboxTimeline.End(gap: gap)
    if link == nil, isForgettable(timelines[index]) { remove(at: index) }
  }

  /// What the pipeline is asked for since it was asked last.
  package mutating func takeRequests() -> [SinkRequest] {
    var requests = reopened.map(SinkRequest.reopen)
    reopened = []
    for index in timelines.indices where timelines[index].mustAsk {
      timelines[index].mustAsk = false
      requests.append(.keyframe(timelines[index].id))
    }
    return requests
  }

  /// Sends what waits without waiting for more.
  package mutating func hurry() { batch.isDue = true }
}

extension Outbox {
  func index(of id: TimelineID) -> Int? { timelines.firstIndex { $0.id == id } }

  /// Changes a timeline, and keeps the account of bytes and of places in the spill file.
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

  /// Whether nobody ever heard of a timeline of which nothing is left.
  func isForgettable(_ timeline: OutboxTimeline) -> Bool {
    timeline.end != nil && timeline.stretches.isEmpty && timeline.greatestSent < 0
      && timeline.lastAppended >= 0
  }

  /// Forgets a timeline and what is kept of it.
  mutating func remove(at index: Int) {
    change(index) { timeline in
      while !timeline.stretches.isEmpty { _ = timeline.drop(at: 0, why: "") }
    }
    bytes -= timelines[index].bytes
    // As many as one connection could be asked about late; it is only told apart from lies.
    if finished.count >= 1_024 {
      for id in finished.prefix(512) { endGaps[id] = nil }
      finished.removeFirst(512)
    }
    finished.append(timelines[index].id)
    timelines.remove(at: index)
  }
}
