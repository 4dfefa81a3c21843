import JSONCore
import Timelines

/// One timeline in the outbox: what is kept of it, and how far the other end has got.
struct OutboxTimeline: Sendable {
  /// What a timeline costs beside its header and entries.
  static let overhead = 512

  /// The timeline.
  let id: TimelineID
  /// Its header.
  let header: JSONSlice
  /// What is kept, in order; what was acknowledged is gone.
  private(set) var stretches: [Stretch] = []
  /// What keeping it in memory takes.
  private(set) var bytes: Int
  /// The last entry that the pipeline wrote.
  private(set) var lastAppended: Int64 = -1
  /// Whether the next entry has no base unless it is a keyframe.
  private(set) var needsKeyframe = false
  /// Whether the pipeline was not told of that yet.
  var mustAsk = false
  /// How it ended, once it has.
  var end: End?
  /// Why entries were lost that are gone now.
  var lossReason = "the outbox was full"
  /// Places in the spill file that are not needed any more.
  var freed: [SpillPlace] = []

  /// The greatest seq that was ever sent.
  private(set) var greatestSent: Int64 = -1
  /// The last entry that the other end has, as far as this connection knows.
  private(set) var position: Int64 = -1
  /// The last entry that it acknowledged.
  private(set) var acknowledged: Int64 = -1
  /// Whether `open` was sent on this connection.
  var isOpened = false
  /// Whether the other end refused something of it on this connection.
  var isRefused = false
  /// How often that happened without an entry being acknowledged in between.
  var refusals = 0
  /// How many entries did not fit into a message since the last one that did.
  private var omittedInARow = 0

  /// How a timeline ended.
  struct End: Sendable {
    /// What the pipeline lost at its end.
    var gap: Gap?
    /// Whether `close` was sent on this connection.
    var isSent = false
  }

  /// A timeline without entries.
  init(_ header: Header) {
    id = header.timeline
    self.header = header.line
    bytes = header.line.range.count + Self.overhead
  }

  /// Whether there is something to send.
  var hasUnsent: Bool { (stretches.last?.last ?? -1) > position }

  /// Whether something was sent that is not acknowledged.
  var isUnderWay: Bool { position > acknowledged }

  /// Whether everything of it is over and done with.
  var isFinished: Bool { end?.isSent == true && stretches.isEmpty }

  /// How many entries the other end does not have, including what was dropped and what the pipeline
  /// lost at the end.
  var unacknowledged: Int64 {
    let (lost, overflow) = (lastAppended - acknowledged).addingReportingOverflow(
      end?.gap?.lost ?? 0)
    return overflow ? .max : lost
  }

  /// The number of entries that are kept.
  var count: Int { stretches.reduce(0) { $0 + $1.count } }
}

// Taking entries in.
extension OutboxTimeline {
  /// Takes an entry; whether it was one that could follow.
  mutating func append(_ written: WrittenEntry, age: Int, limits: OutboxLimits) -> Bool {
    guard written.seq > lastAppended else { return false }
    var entry = KeptEntry(
      seq: written.seq, previous: lastAppended, line: written.line,
      kind: written.isKeyframe ? .keyframe : .change)
    lastAppended = written.seq
    if written.isKeyframe {
      needsKeyframe = false
      mustAsk = false
    } else if needsKeyframe {
      guard let thinned = entry.thinned() else { return true }
      entry = thinned
    }
    if var last = stretches.popLast() {
      if isRoom(in: last, for: entry, limits: limits) {
        last.change { $0.append(entry) }
        bytes += entry.cost
        stretches.append(last)
        return true
      }
      stretches.append(last)
    }
    stretches.append(
      Stretch(age: age, EntryRun(CollectionOfOne(entry)), isThinned: entry.kind == .thinned))
    bytes += entry.cost
    return true
  }

  private func isRoom(in last: Stretch, for entry: KeptEntry, limits: OutboxLimits) -> Bool {
    guard last.run != nil, last.isThinned == (entry.kind == .thinned) else { return false }
    if last.isThinned {
      return last.count < limits.batchEntries && last.bytes + entry.cost <= limits.batchBytes
    }
    return entry.kind != .keyframe || last.bytes < limits.stretchBytes
  }
}

// Giving way.
extension OutboxTimeline {
  /// The oldest stretch in memory that is not thinned.
  var oldestToThin: (index: Int, age: Int)? {
    stretches.firstIndex { !$0.isThinned && $0.run != nil }.map { ($0, stretches[$0].age) }
  }

  /// The oldest stretch in memory.
  var oldestInMemory: (index: Int, age: Int)? {
    stretches.firstIndex { $0.run != nil }.map { ($0, stretches[$0].age) }
  }

  /// Takes the states of a stretch away; how many entries that were.
  mutating func thin(at index: Int, limits: OutboxLimits) -> Int {
    let stretch = stretches[index]
    guard let run = stretch.run else { return 0 }
    var pieces: [EntryRun] = []
    var piece = EntryRun()
    for entry in run.entries {
      guard let thinned = entry.thinned() else { continue }
      if piece.count >= limits.batchEntries
        || !piece.isEmpty && piece.bytes + thinned.cost > limits.batchBytes
      {
        pieces.append(piece)
        piece = EntryRun()
      }
      piece.append(thinned)
    }
    if !piece.isEmpty { pieces.append(piece) }
    bytes -= run.bytes
    bytes += pieces.reduce(0) { $0 + $1.bytes }
    if index == stretches.count - 1 { needKeyframe() }
    stretches.replaceSubrange(
      index...index, with: pieces.map { Stretch(age: stretch.age, $0, isThinned: true) })
    return run.count
  }

  /// Lets a stretch go; how many entries that were.
  mutating func drop(at index: Int, why: String) -> Int {
    if index == stretches.count - 1 { needKeyframe() }
    let stretch = stretches.remove(at: index)
    bytes -= stretch.bytes
    if case .spilled(let place) = stretch.contents { freed.append(place) }
    lossReason = why
    return stretch.count
  }

  /// Moves a stretch to the spill file; its lines, parted by commas, are the answer.
  mutating func spill(at index: Int, to place: SpillPlace) -> [UInt8] {
    guard let run = stretches[index].run else { return [] }
    bytes -= run.bytes
    stretches[index].contents = .spilling(place)
    return Array(run.entries.lazy.map(\.line).joined(separator: CollectionOfOne(0x2C)))
  }

  /// Notes that the next entry has no base.
  mutating func needKeyframe() {
    guard !needsKeyframe else { return }
    needsKeyframe = true
    mustAsk = end == nil
  }

  /// Which stretch is at a place in the spill file.
  func index(of place: SpillPlace) -> Int? {
    stretches.firstIndex { $0.place?.id == place.id }
  }

  /// Notes that a stretch is in the file now.
  mutating func settle(at index: Int) {
    if case .spilling(let place) = stretches[index].contents {
      stretches[index].contents = .spilled(place)
    }
  }
}

// What the other end has.
extension OutboxTimeline {
  /// A connection begins: the other end has the entries up to `durable`, or nothing.
  mutating func connect(durable: Int64?) {
    let durable = durable ?? -1
    isOpened = false
    isRefused = false
    end?.isSent = false
    position = durable
    if durable < acknowledged {
      // What was acknowledged is gone here; an end that lost it has no base for what follows.
      lossReason = "the other end no longer has what it acknowledged"
      if stretches.isEmpty { needKeyframe() }
    }
    acknowledged = durable
    removeDurable()
  }

  /// The other end acknowledged the entries up to a seq; how many are gone by that.
  mutating func acknowledge(through seq: Int64) -> Int {
    let before = count
    if seq > acknowledged { refusals = 0 }
    acknowledged = seq
    // What is durable need not be sent again.
    position = max(position, seq)
    removeDurable()
    return before - count
  }

  /// Notes that entries were sent.
  mutating func noteSent(through seq: Int64) {
    position = seq
    greatestSent = max(greatestSent, seq)
  }

  private mutating func removeDurable() {
    let gone = stretches.firstIndex { $0.last > acknowledged } ?? stretches.count
    for stretch in stretches[..<gone] {
      bytes -= stretch.bytes
      if case .spilled(let place) = stretch.contents { freed.append(place) }
    }
    stretches.removeFirst(gone)
    guard let first = stretches.first, first.run != nil, first.previous < acknowledged else {
      return
    }
    let durable = acknowledged
    change(at: 0) { $0.removeFirst(through: durable) }
  }

  /// Changes the entries of a stretch in memory; an empty one goes.
  mutating func change(at index: Int, _ body: (inout EntryRun) -> Void) {
    bytes -= stretches[index].bytes
    stretches[index].change(body)
    bytes += stretches[index].bytes
    if stretches[index].count == 0 { stretches.remove(at: index) }
  }

  /// Takes the states of an entry that is too large for a message, and of those that build on it;
  /// an entry that cannot be without its state goes.
  mutating func shrink(_ seq: Int64, at index: Int) {
    var isFirst = true
    var reachedEnd = true
    change(at: index) { run in
      run.replace(after: seq - 1) { entry in
        defer { isFirst = false }
        if isFirst {
          // One that has no state any more is too long by its event alone.
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
    lossReason = "an entry was longer than the other end takes"
    omittedInARow += 1
    guard reachedEnd, index >= stretches.count - 1 else { return }
    // A state that does not fit will not fit next time either: it is asked for ever more rarely.
    let wasAsked = mustAsk
    needKeyframe()
    if omittedInARow & (omittedInARow - 1) != 0 { mustAsk = wasAsked }
  }

  /// Takes away what has no base at the other end; how many entries that were.
  mutating func discardBaseless(at index: Int) -> Int {
    let before = stretches[index].count
    var reachedEnd = true
    var discarded = 0
    let isLast = index == stretches.count - 1
    let position = position
    change(at: index) { run in
      run.replace(after: position) { entry in
        guard entry.kind == .change else {
          reachedEnd = false
          return .stop
        }
        discarded += 1
        return .nothing
      }
    }
    lossReason = "the other end no longer has what they build on"
    if reachedEnd, isLast { needKeyframe() }
    return min(before, discarded)
  }

  /// Notes that an entry fitted into a message with its state.
  mutating func noteFitting() { omittedInARow = 0 }
}
