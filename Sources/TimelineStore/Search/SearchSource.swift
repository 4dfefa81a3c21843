internal import Synchronization

/// What a search reads of one timeline at one moment: its runs and their index.
///
/// A branch looks like any other timeline here. It lives for one read of the store, and caches what
/// it has read.
final class SearchSource {
  let reader: StoreReader
  let lineage: Lineage

  /// Whether the index has this build's version.
  let hasIndex: Bool

  /// The first and the last seq; `nil` if there are no entries.
  let ends: ClosedRange<Int64>?

  /// For each step of the lineage, where its tail starts, and whether chunks lack their index.
  private let unindexedFrom: [(tail: Int64?, hasChunks: Bool)]

  /// For each key, the last row of postings that was read, and the seqs for which it is the right
  /// one.
  var notes: [PostingRowKey: PostingRow] = [:]

  /// The last chunks that were found, with their keyframes and the newest one before: a search
  /// needs the same one many times.
  private var found: [FoundChunk] = []

  private struct FoundChunk {
    var head: RunHead
    var base: Int64?
    var keyframes: [Int64]
  }

  /// The last runs that were read.
  private var recent: [(head: RunHead, run: EntryRun)] = []

  /// The ids of events' names by the row of the timeline.
  var eventIDs: [Int64: [Int64]] = [:]

  /// Seqs that have no redacted values, according to the index.
  var unredacted: Range<Int64> = 0..<0

  /// For each key of postings, where the last lookup started, and the first seq that it found.
  var ahead: [PostingKey: (asked: Int64, found: Int64)] = [:]

  /// Whether to cache runs for others: not if everything is read once.
  var keepsRuns = true

  init(_ reader: StoreReader, _ lineage: Lineage) throws(StoreError) {
    self.reader = reader
    self.lineage = lineage
    hasIndex = try reader.indexVersion() == TimelineIndexer.formatVersion
    var tails: [(tail: Int64?, hasChunks: Bool)] = []
    var ends: ClosedRange<Int64>?
    for step in lineage.steps {
      let found = try reader.rows.ends(of: step.row)
      tails.append((found.tail, found.hasUnindexed))
      guard let part = found.seqs?.clamped(inside: step.seqs) else { continue }
      ends = (ends?.lowerBound ?? part.lowerBound)...part.upperBound
    }
    (unindexedFrom, self.ends) = (tails, ends)
  }

  // MARK: Runs

  /// The first run with a seq or a later one.
  func run(from seq: Int64) throws(StoreError) -> RunHead? {
    for step in lineage.steps[lineage.index(of: seq)...] {
      let from = max(seq, step.seqs.lowerBound)
      if let head = known(from, of: step) { return head }
      if let head = try chunk(.endingFrom(from), of: step) { return head }
      if let head = try tail(at: from, .forward, of: step) { return head }
    }
    return nil
  }

  /// The last run with a seq or an earlier one.
  func run(upTo seq: Int64) throws(StoreError) -> RunHead? {
    for step in lineage.steps[...lineage.index(of: seq)].reversed() {
      let upTo = min(seq, step.seqs.upperBound)
      if let head = known(upTo, of: step) { return head }
      if let head = try tail(at: upTo, .backward, of: step) { return head }
      if let head = try lastChunk(upTo, of: step) { return head }
    }
    return nil
  }

  /// The chunk that holds a seq, if it was found before.
  private func known(_ seq: Int64, of step: Lineage.Step) -> RunHead? {
    found.first { $0.head.row == step.row && $0.head.seqs.contains(seq) }?.head
  }

  /// The chunk that holds a seq, or else the last one before it.
  private func lastChunk(
    _ seq: Int64, of step: Lineage.Step, unindexedOnly: Bool = false
  ) throws(StoreError) -> RunHead? {
    let holder = try chunk(.endingFrom(seq), of: step, unindexedOnly: unindexedOnly)
    if let holder, holder.seqs.lowerBound <= seq { return holder }
    return try chunk(.endingBefore(seq), of: step, unindexedOnly: unindexedOnly)
  }

  private func chunk(
    _ place: ChunkPlace, of step: Lineage.Step, unindexedOnly: Bool = false
  ) throws(StoreError) -> RunHead? {
    let found = try reader.rows.chunk(place, of: step.row, unindexedOnly: unindexedOnly)
    guard let found, found.first <= found.last,
      let seqs = (found.first...found.last).clamped(inside: step.seqs)
    else { return nil }
    let head = RunHead(
      row: step.row, chunk: found.id, seqs: seqs, whole: found.first...found.last,
      ordinal: found.ordinal, isIndexed: hasIndex && found.isIndexed, times: found.times)
    remember(FoundChunk(head: head, base: found.base, keyframes: found.keyframeSeqs))
    return head
  }

  private func remember(_ chunk: FoundChunk) {
    if found.count == 4 { found.removeFirst() }
    found.append(chunk)
  }

  /// A run of the tail, including its entries.
  private func tail(
    at seq: Int64, _ direction: PieceDirection, of step: Lineage.Step
  ) throws(StoreError) -> RunHead? {
    let place = lineage.steps.firstIndex(of: step) ?? 0
    guard let first = unindexedFrom[place].tail else { return nil }
    let lineage = Lineage(id: lineage.id, steps: [step])
    guard direction == .forward || seq >= first,
      let piece = try reader.piece(of: lineage, at: seq, direction), piece.chunk == nil
    else { return nil }
    var whole = piece.seqs
    if case .success(let run) = piece.content { whole = run.seqs }
    let head = RunHead(row: step.row, seqs: piece.seqs, whole: whole, times: piece.times)
    if case .success(let run) = piece.content { remember(run, head) }
    return head
  }

  /// The entries of a run; `nil` if they cannot be read.
  func entries(of head: RunHead) throws(StoreError) -> EntryRun? {
    if let known = recent.first(where: { $0.head == head }) { return known.run }
    guard let chunk = head.chunk else {
      // The row still exists: both reads are in the same transaction.
      let step = Lineage(id: lineage.id, steps: lineage.steps.filter { $0.row == head.row })
      guard case .success(let run)? = try reader.piece(of: step, at: head.seqs.lowerBound)?.content
      else { return nil }
      return run
    }
    if let kept = reader.caches.chunks.withLock({ $0.value(chunk) }) { return kept }
    let run =
      try reader.rows.withChunk(
        .endingFrom(head.whole.upperBound), of: head.row
      ) { [reader] found, lending in found.id == chunk ? reader.run(of: found, lending) : nil }
      ?? nil
    guard let run, run.seqs == head.whole else { return nil }
    if keepsRuns {
      reader.caches.chunks.withLock {
        $0.keep(run, for: chunk, cost: run.bytes.count + run.count * 8)
      }
    }
    remember(run, head)
    return run
  }

  private func remember(_ run: EntryRun, _ head: RunHead) {
    if recent.count == 4 { recent.removeFirst() }
    recent.append((head, run))
  }

  /// The newest keyframe up to a seq.
  func keyframe(upTo seq: Int64) throws(StoreError) -> Int64? {
    var seq = seq
    while seq >= 0, let head = try run(upTo: seq) {
      let bound = min(seq, head.seqs.upperBound)
      if let found = try keyframe(in: head, upTo: bound) { return found }
      // A branch continues from its parent's state.
      guard let step = lineage.steps.first(where: { $0.row == head.row }) else { return nil }
      seq = step.seqs.lowerBound - 1
    }
    return nil
  }

  private func keyframe(in head: RunHead, upTo seq: Int64) throws(StoreError) -> Int64? {
    guard let chunk = head.chunk else {
      let step = Lineage(id: lineage.id, steps: lineage.steps.filter { $0.row == head.row })
      return try reader.piece(of: step, at: head.seqs.lowerBound)?.keyframe(upTo: seq)
    }
    if let known = found.last(where: { $0.head.chunk == chunk }) {
      return known.keyframes.last { $0 <= seq } ?? known.base
    }
    let place = ChunkPlace.endingFrom(head.whole.upperBound)
    let found = try reader.rows.chunk(place, of: head.row, unindexedOnly: false)
    guard let found, found.id == chunk else { return nil }
    return found.keyframeSeqs.last { $0 <= seq } ?? found.base
  }

  // MARK: Runs without index

  /// The last run without index with a seq or an earlier one.
  func unindexed(upTo seq: Int64) throws(StoreError) -> RunHead? {
    guard hasIndex else { return try run(upTo: seq) }
    let last = lineage.index(of: seq)
    for place in (0...last).reversed() {
      let step = lineage.steps[place]
      let upTo = min(seq, step.seqs.upperBound)
      if let head = try tail(at: upTo, .backward, of: step) { return head }
      if unindexedFrom[place].hasChunks,
        let head = try lastChunk(upTo, of: step, unindexedOnly: true)
      {
        return head
      }
    }
    return nil
  }

  /// The first run without index with a seq or a later one.
  ///
  /// - Parameter last: a tail that starts after it is not read.
  func unindexed(
    from seq: Int64, through last: Int64 = .max
  ) throws(StoreError) -> RunHead? {
    guard hasIndex else { return try run(from: seq) }
    for place in lineage.index(of: seq)..<lineage.steps.count {
      let step = lineage.steps[place]
      let from = max(seq, step.seqs.lowerBound)
      if unindexedFrom[place].hasChunks,
        let head = try chunk(.endingFrom(from), of: step, unindexedOnly: true)
      {
        return head
      }
      if let first = unindexedFrom[place].tail, first <= last,
        let head = try tail(at: max(from, first), .forward, of: step)
      {
        return head
      }
    }
    return nil
  }
}
