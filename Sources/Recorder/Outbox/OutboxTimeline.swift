import JSONCore
import Timelines

/// One timeline in the outbox: its buffered entries, and how much of it the daemon has.
struct OutboxTimeline: Sendable {
  /// The memory of a timeline in addition to its header and entries.
  static let overhead = 512

  let id: TimelineID
  let header: JSONSlice
  /// The buffered entries, in order. Acknowledged ones are removed.
  private(set) var groups: [EvictionGroup] = []
  /// The memory that it needs in bytes.
  private(set) var bytes: Int
  /// The last entry that the pipeline appended.
  private(set) var lastAppended: Int64 = -1
  /// Whether the next entry must be a keyframe, because its predecessor is gone.
  private(set) var needsKeyframe = false
  /// Whether the pipeline was not asked for a keyframe yet.
  var mustRequestKeyframe = false
  /// How it ended, if it has.
  var end: End?
  var lossReason = "the outbox was full"
  /// Places in the spill file that can be freed.
  var freed: [SpillPlace] = []

  /// The greatest seq that was ever sent.
  private(set) var greatestSent: Int64 = -1
  /// The last entry that the daemon has received, as far as this connection knows.
  private(set) var position: Int64 = -1
  /// The last entry that the daemon acknowledged.
  private(set) var acknowledged: Int64 = -1
  /// Its place on this connection.
  var place = Place.none
  /// Whether it was opened on this connection, or its header was too long for that.
  var wasTried = false
  /// Whether `position` is what the daemon has. If it is not, the answer to `open` says it.
  private(set) var isPositionKnown = true
  /// When it was last appended to, opened, or sent a command.
  var lastUsed = Duration.zero
  /// It keeps its place until then, because its machine is controlled.
  var heldUntil = Duration.zero
  /// Since when it has waited for a place to send something.
  var waitingSince: Duration?
  /// Whether the daemon refused a message of it on this connection.
  var isRefused = false
  /// How many times that happened since an entry was last acknowledged.
  var refusals = 0
  /// The number of entries that did not fit into a message since the last one that did.
  private var omittedInARow = 0

  struct End: Sendable {
    /// What the pipeline lost at its end.
    var gap: Gap?
    /// Whether `close` was sent on this connection.
    var isSent = false
  }

  init(_ header: Header) {
    id = header.timeline
    self.header = header.line
    bytes = header.line.range.count + Self.overhead
  }

  /// Whether there are entries to send.
  var hasUnsent: Bool { (groups.last?.last ?? -1) > position }

  /// Whether entries were sent but not acknowledged.
  var isUnderWay: Bool { position > acknowledged }

  /// Whether it has ended, and everything is acknowledged.
  var isFinished: Bool { end?.isSent == true && groups.isEmpty }

  /// Whether the daemon does not have all of it.
  var isWaiting: Bool { !groups.isEmpty || end?.isSent == false }

  /// The number of entries that the daemon has not stored, including dropped ones and those that
  /// the pipeline lost at the end.
  var unacknowledged: Int64 {
    let (lost, overflow) = (lastAppended - acknowledged).addingReportingOverflow(
      end?.gap?.lost ?? 0)
    return overflow ? .max : lost
  }

  var count: Int { groups.reduce(0) { $0 + $1.count } }

  /// The number of buffered entries that were never sent.
  var unsentCount: Int {
    groups.reduce(0) {
      $0
        + ($1.buffer?.entries(after: greatestSent).count
          ?? ($1.last > greatestSent ? $1.count : 0))
    }
  }
}

// Appending.
extension OutboxTimeline {
  /// Appends an entry. Returns false if it is out of order.
  mutating func append(_ written: WrittenEntry, age: Int, limits: OutboxLimits) -> Bool {
    guard written.seq > lastAppended else { return false }
    var entry = BufferedEntry(
      seq: written.seq, previous: lastAppended, line: written.line,
      kind: written.isKeyframe ? .keyframe : .change)
    lastAppended = written.seq
    if written.isKeyframe {
      needsKeyframe = false
      mustRequestKeyframe = false
    } else if needsKeyframe {
      guard let thinned = entry.thinned() else { return true }
      entry = thinned
    }
    if var last = groups.popLast() {
      if isRoom(in: last, for: entry, limits: limits) {
        last.change { $0.append(entry) }
        bytes += entry.cost
        groups.append(last)
        return true
      }
      groups.append(last)
    }
    groups.append(
      EvictionGroup(
        age: age, EntryBuffer(CollectionOfOne(entry)), isThinned: entry.kind == .thinned))
    bytes += entry.cost
    return true
  }

  private func isRoom(in last: EvictionGroup, for entry: BufferedEntry, limits: OutboxLimits)
    -> Bool
  {
    guard last.buffer != nil, last.isThinned == (entry.kind == .thinned) else { return false }
    if last.isThinned {
      return last.count < limits.batchEntries && last.bytes + entry.cost <= limits.batchBytes
    }
    return entry.kind != .keyframe || last.bytes < limits.groupBytes
  }
}

// Eviction.
extension OutboxTimeline {
  /// The oldest group in memory that is not thinned.
  var oldestToThin: (index: Int, age: Int)? {
    groups.firstIndex { !$0.isThinned && $0.buffer != nil }.map { ($0, groups[$0].age) }
  }

  var oldestInMemory: (index: Int, age: Int)? {
    groups.firstIndex { $0.buffer != nil }.map { ($0, groups[$0].age) }
  }

  /// Removes the states of a group. Returns the number of its entries.
  mutating func thin(at index: Int, limits: OutboxLimits) -> Int {
    let group = groups[index]
    guard let buffer = group.buffer else { return 0 }
    var pieces: [EntryBuffer] = []
    var piece = EntryBuffer()
    for entry in buffer.entries {
      guard let thinned = entry.thinned() else { continue }
      if piece.count >= limits.batchEntries
        || !piece.isEmpty && piece.bytes + thinned.cost > limits.batchBytes
      {
        pieces.append(piece)
        piece = EntryBuffer()
      }
      piece.append(thinned)
    }
    if !piece.isEmpty { pieces.append(piece) }
    bytes -= buffer.bytes
    bytes += pieces.reduce(0) { $0 + $1.bytes }
    if index == groups.count - 1 { needKeyframe() }
    groups.replaceSubrange(
      index...index, with: pieces.map { EvictionGroup(age: group.age, $0, isThinned: true) })
    return buffer.count
  }

  /// Drops a group. Returns the number of its entries.
  mutating func drop(at index: Int, why: String) -> Int {
    if index == groups.count - 1 { needKeyframe() }
    let group = groups.remove(at: index)
    bytes -= group.bytes
    if case .spilled(let place) = group.contents { freed.append(place) }
    lossReason = why
    return group.count
  }

  /// Starts to move a group to the spill file. Returns its lines, separated by commas.
  mutating func spill(at index: Int, to place: SpillPlace) -> [UInt8] {
    guard let buffer = groups[index].buffer else { return [] }
    bytes -= buffer.bytes
    groups[index].contents = .spilling(place)
    return Array(buffer.entries.lazy.map(\.line).joined(separator: CollectionOfOne(0x2C)))
  }

  /// Requires a keyframe, because the next entry has no base.
  mutating func needKeyframe() {
    guard !needsKeyframe else { return }
    needsKeyframe = true
    mustRequestKeyframe = end == nil
  }

  /// The index of the group at a place in the spill file.
  func index(of place: SpillPlace) -> Int? {
    groups.firstIndex { $0.place?.id == place.id }
  }

  /// Marks a group as written to the file.
  mutating func markSpilled(at index: Int) {
    if case .spilling(let place) = groups[index].contents {
      groups[index].contents = .spilled(place)
    }
  }
}

// What the daemon has.
extension OutboxTimeline {
  /// Handles a new connection: the daemon has the entries up to `durable`, or nothing.
  mutating func connect(durable: Int64?) {
    resetLink()
    resume(after: durable ?? -1)
  }

  /// Handles a new connection whose daemon has not said what it has.
  mutating func connectUnknown() {
    resetLink()
    position = acknowledged
    isPositionKnown = greatestSent < 0
  }

  private mutating func resetLink() {
    place = .none
    wasTried = false
    waitingSince = nil
    isPositionKnown = true
    isRefused = false
    end?.isSent = false
  }

  /// Handles that the daemon has the entries up to `durable`; -1 for nothing.
  mutating func resume(after durable: Int64) {
    isPositionKnown = true
    position = durable
    if durable < acknowledged {
      // Acknowledged entries are gone here; a daemon that lost them has no base for what follows.
      lossReason = "the daemon no longer has what it acknowledged"
      if groups.isEmpty { needKeyframe() }
    }
    acknowledged = durable
    removeDurable()
  }

  /// Handles an acknowledgment up to a seq. Returns the number of removed entries.
  mutating func acknowledge(through seq: Int64) -> Int {
    let before = count
    if seq > acknowledged { refusals = 0 }
    acknowledged = seq
    // Durable entries need not be sent again.
    position = max(position, seq)
    removeDurable()
    return before - count
  }

  mutating func markSent(through seq: Int64) {
    position = seq
    greatestSent = max(greatestSent, seq)
  }

  private mutating func removeDurable() {
    let gone = groups.firstIndex { $0.last > acknowledged } ?? groups.count
    for group in groups[..<gone] {
      bytes -= group.bytes
      if case .spilled(let place) = group.contents { freed.append(place) }
    }
    groups.removeFirst(gone)
    guard let first = groups.first, first.buffer != nil, first.previous < acknowledged else {
      return
    }
    let durable = acknowledged
    change(at: 0) { $0.removeFirst(through: durable) }
  }

  /// Changes the entries of a group in memory, and removes the group if it becomes empty.
  mutating func change(at index: Int, _ body: (inout EntryBuffer) -> Void) {
    bytes -= groups[index].bytes
    groups[index].change(body)
    bytes += groups[index].bytes
    if groups[index].count == 0 { groups.remove(at: index) }
  }

  /// Removes the states of an entry that is too large for a message, and of those that build on it.
  /// Removes an entry that requires its state.
  mutating func shrink(_ seq: Int64, at index: Int) {
    var isFirst = true
    var reachedEnd = true
    change(at: index) { buffer in
      buffer.replace(after: seq - 1) { entry in
        defer { isFirst = false }
        if isFirst {
          // Without a state it is too long by its event alone.
          guard entry.kind != .thinned else { return .nothing }
          return entry.thinned(isTooLarge: true).map { .by($0) } ?? .nothing
        }
        guard entry.kind != .keyframe else {
          reachedEnd = false
          return .stop
        }
        return entry.thinned().map { .by($0) } ?? .nothing
      }
    }
    lossReason = "an entry was longer than the daemon accepts"
    omittedInARow += 1
    guard reachedEnd, index >= groups.count - 1 else { return }
    // A state that does not fit will not fit the next time either, so keyframes are requested less
    // and less often.
    let wasAsked = mustRequestKeyframe
    needKeyframe()
    if omittedInARow & (omittedInARow - 1) != 0 { mustRequestKeyframe = wasAsked }
  }

  /// Removes entries that have no base in the daemon. Returns their number.
  mutating func discardBaseless(at index: Int) -> Int {
    let before = groups[index].count
    var reachedEnd = true
    var discarded = 0
    let isLast = index == groups.count - 1
    let position = position
    change(at: index) { buffer in
      buffer.replace(after: position) { entry in
        guard entry.kind == .change else {
          reachedEnd = false
          return .stop
        }
        discarded += 1
        return .nothing
      }
    }
    lossReason = "the daemon no longer has what they build on"
    if reachedEnd, isLast { needKeyframe() }
    return min(before, discarded)
  }

  /// Records that an entry with its state fitted into a message.
  mutating func resetOmissions() { omittedInARow = 0 }
}
