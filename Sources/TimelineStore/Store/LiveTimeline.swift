import JSONCore
import Timelines

/// A timeline that is being written: its end, and the entries that are not sealed.
struct LiveTimeline: Sendable {
  let row: Int64
  var header: Header
  var last: Int64?
  var t: Int64
  var newest: Int64?
  var isKnown: Bool
  var nextOrdinal: Int64
  var isClosed: Bool
  /// Whether it is an unfinished import, which may still be removed.
  var isImporting = false

  /// The number of chunks that the sealer is working on.
  var sealing = 0

  /// A counter; the greater, the more recently it was written.
  var used: UInt64 = 0

  /// Runs that were not handed to the sealer, in order, with the newest keyframe before each.
  var waiting: [WaitingRun] = []
  var waitingBytes = 0

  init(row: Int64, header: Header, parent: TimelineRow.Shared? = nil) {
    self.row = row
    self.header = header
    last = parent.flatMap { $0.start > 0 ? $0.start - 1 : nil }
    t = parent?.t ?? 0
    newest = nil
    isKnown = parent?.isKnown ?? false
    nextOrdinal = 0
    isClosed = false
  }

  init(_ stored: StoredEnd) throws(StoreError) {
    do {
      header = try Header(reading: stored.header)
    } catch {
      throw StoreError(.damaged("a header cannot be read: \(error)"))
    }
    row = stored.row
    last = stored.last
    t = stored.t
    newest = stored.newest
    isKnown = stored.isKnown
    nextOrdinal = stored.chunks
    isClosed = stored.isClosed
    isImporting = stored.isImporting
    var known = stored.isKnown
    for part in stored.tail {
      guard let run = DraftRun(first: part.first, stored: part.lines) else {
        throw StoreError(.damaged("the entries from \(part.first) on cannot be read"))
      }
      known = run.isKnownAtEnd
      wait(WaitingRun(run: run, base: part.base, isKnown: known))
    }
  }

  /// The answer to a recorder that opens it.
  func opened(isNew: Bool) -> Opened {
    Opened(isNew: isNew, durable: last, t: t, isStateKnown: isKnown)
  }

  /// Adds a run to seal later.
  mutating func wait(_ run: WaitingRun) {
    waiting.append(run)
    waitingBytes += run.run.bytes.count
  }

  /// A run without the entries that are already stored, and their number.
  func withoutKnown(_ arrived: DraftRun) -> (dropped: Int, run: DraftRun) {
    let known = last.map { $0 - arrived.first + 1 } ?? 0
    let dropped = Int(min(max(0, known), Int64(arrived.count)))
    return (dropped, arrived.dropFirst(dropped))
  }

  /// Checks that a run can follow; returns the row to store, if there are entries.
  mutating func accept(_ run: DraftRun) throws(StoreError) -> TailRow? {
    guard let end = run.facts.last else { return nil }
    try checkPlace(of: run)
    let base = newest
    newest = run.newestKeyframe ?? newest
    isKnown = run.isKnownAtEnd
    last = run.last
    t = end.t
    wait(WaitingRun(run: run, base: base, isKnown: isKnown))
    return TailRow(
      row: row, seqs: run.first...run.last, t: t, base: base, newest: newest, isKnown: isKnown,
      lines: run.bytes)
  }

  /// Checks that a run can follow, as far as its facts show.
  func checkPlace(of run: DraftRun) throws(StoreError) {
    guard run.first <= Entry.lastNumber - Int64(run.count) else {
      throw StoreError(.order(TimelineError(.beyondNumbers, at: run.first)))
    }
    try checkSeq(of: run)
    try checkFacts(of: run)
  }

  private func checkSeq(of run: DraftRun) throws(StoreError) {
    let expected = (last ?? -1) + 1
    if let gap = run.gap {
      guard run.first - expected == gap.lost else {
        let (sum, overflow) = expected.addingReportingOverflow(gap.lost)
        throw StoreError(
          .order(
            TimelineError(
              .gapDoesNotFit(lost: gap.lost, expected: overflow ? nil : sum), at: run.first)))
      }
    } else if run.first != expected {
      throw StoreError(.order(TimelineError(.skips(expected: expected), at: run.first)))
    }
  }

  private func checkFacts(of run: DraftRun) throws(StoreError) {
    var time = t
    var isBaseKnown = isKnown && run.gap == nil
    // A branch starts with a keyframe of its own, even if the state before is known.
    var hasKeyframe = newest != nil
    for (index, fact) in run.facts.enumerated() {
      let seq = run.first + Int64(index)
      guard fact.t >= time else {
        throw StoreError(.order(TimelineError(.timeDecreases(from: time), at: seq)))
      }
      if !fact.isKeyframe, fact.hasPatch, !isBaseKnown || !hasKeyframe {
        throw StoreError(.order(TimelineError(.patchWithoutBase, at: seq)))
      }
      if fact.isKeyframe, !fact.hasPatch, isBaseKnown {
        throw StoreError(.order(TimelineError(.changesMissing, at: seq)))
      }
      time = fact.t
      hasKeyframe = hasKeyframe || fact.isKeyframe
      isBaseKnown = !fact.isThinned
    }
  }

  /// Removes and returns the runs that make full chunks; all of them if `all` is true.
  mutating func removeFullChunks(_ chunkBytes: Int, all: Bool = false) -> [[WaitingRun]] {
    guard all || waitingBytes >= chunkBytes || waiting.contains(where: { $0.run.gap != nil })
    else { return [] }
    var chunks: [[WaitingRun]] = []
    var open: [WaitingRun] = []
    var size = 0
    for run in waiting {
      let bytes = run.run.bytes.count
      // Chunks consist of whole runs, so they exceed their size by at most half, except for long
      // lines.
      if !open.isEmpty,
        run.run.gap != nil || size >= chunkBytes
          || size + bytes > chunkBytes + chunkBytes / 2
      {
        chunks.append(open)
        (open, size) = ([], 0)
      }
      open.append(run)
      size += bytes
    }
    if !open.isEmpty, all || size >= chunkBytes {
      chunks.append(open)
      open = []
    }
    waiting = open
    waitingBytes = open.reduce(0) { $0 + $1.run.bytes.count }
    return chunks
  }
}

/// A run in the tail.
struct WaitingRun: Sendable {
  var run: DraftRun
  var base: Int64?
  var isKnown: Bool
}

extension DraftRun {
  /// A run as a row of the tail; `nil` if it cannot be read.
  init?(first: Int64, stored lines: [UInt8]) {
    guard let run = EntryRun(first: first, lines: lines), run.holdsEntries,
      let head = try? run.entry(at: 0)
    else { return nil }
    self.init(first: first, gap: head.gap)
    for index in 0..<run.count {
      guard let entry = try? run.entry(at: index) else { return nil }
      append(entry)
    }
  }

  /// The seq of the last keyframe in the run.
  var newestKeyframe: Int64? {
    facts.lastIndex { $0.isKeyframe }.map { first + Int64($0) }
  }

  /// Whether the state after the last entry is known, assuming that the run is valid.
  var isKnownAtEnd: Bool { facts.last.map { !$0.isThinned } ?? false }
}
