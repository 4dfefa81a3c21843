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
    let steps = lineage.steps
    let found = try reader.asking { () throws(DatabaseError) in
      var tails: [(tail: Int64?, hasChunks: Bool)] = []
      var ends: ClosedRange<Int64>?
      for step in steps {
        let found = try Self.ends(of: step, reader.database)
        tails.append((found.tail, found.hasUnindexed))
        guard let part = found.ends?.clamped(inside: step.seqs) else { continue }
        ends = (ends?.lowerBound ?? part.lowerBound)...part.upperBound
      }
      return (tails, ends)
    }
    (unindexedFrom, ends) = found
  }

  /// Where the tail of a step starts, whether chunks lack their index, and the first and the last
  /// seq: one query for all, each part of which reads one row in the table's order.
  private static func ends(
    of step: Lineage.Step, _ database: Database
  ) throws(DatabaseError) -> (tail: Int64?, hasUnindexed: Bool, ends: ClosedRange<Int64>?) {
    try database.first(
      """
      SELECT (SELECT first FROM tail WHERE timeline = ?1 ORDER BY last LIMIT 1),
        (SELECT last FROM tail WHERE timeline = ?1 ORDER BY last DESC LIMIT 1),
        (SELECT first FROM chunk WHERE timeline = ?1 ORDER BY last LIMIT 1),
        (SELECT last FROM chunk WHERE timeline = ?1 ORDER BY last DESC LIMIT 1),
        EXISTS (SELECT 1 FROM chunk WHERE timeline = ?1 AND indexed = 0)
      """, .int(step.row)
    ) { row in
      let firsts = [row.intOrNil(0), row.intOrNil(2)].compactMap { $0 }
      let lasts = [row.intOrNil(1), row.intOrNil(3)].compactMap { $0 }
      var ends: ClosedRange<Int64>?
      if let first = firsts.min(), let last = lasts.max(), first <= last { ends = first...last }
      return (row.intOrNil(0), row.int(4) != 0, ends)
    } ?? (nil, false, nil)
  }

  // MARK: Runs

  /// The first run with a seq or a later one.
  func run(from seq: Int64) throws(StoreError) -> RunHead? {
    for step in lineage.steps[lineage.index(of: seq)...] {
      let from = max(seq, step.seqs.lowerBound)
      if let head = known(from, of: step) { return head }
      if let head = try chunk("last >= ? ORDER BY last LIMIT 1", from, of: step) { return head }
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
      if let head = try lastChunk("", upTo, of: step) { return head }
    }
    return nil
  }

  /// The chunk that holds a seq, if it was found before.
  private func known(_ seq: Int64, of step: Lineage.Step) -> RunHead? {
    found.first { $0.head.row == step.row && $0.head.seqs.contains(seq) }?.head
  }

  /// The chunk that holds a seq, or else the last one before it.
  private func lastChunk(
    _ condition: String, _ seq: Int64, of step: Lineage.Step
  ) throws(StoreError) -> RunHead? {
    let holder = try chunk(condition + "last >= ? ORDER BY last LIMIT 1", seq, of: step)
    if let holder, holder.seqs.lowerBound <= seq { return holder }
    return try chunk(condition + "last < ? ORDER BY last DESC LIMIT 1", seq, of: step)
  }

  private func chunk(
    _ condition: String, _ seq: Int64, of step: Lineage.Step
  ) throws(StoreError) -> RunHead? {
    let isUsable = hasIndex
    return try reader.asking { () throws(DatabaseError) in
      let sql = """
        SELECT id, first, last, t0, t1, ordinal, indexed, base, keyframes FROM chunk
        WHERE timeline = ? AND\u{20}
        """
      return try reader.database.first(sql + condition, .int(step.row), .int(seq)) { row in
        let (first, last) = (row.int(1), row.int(2))
        guard first <= last, let seqs = (first...last).clamped(inside: step.seqs) else {
          return nil
        }
        let head = RunHead(
          row: step.row, chunk: row.int(0), seqs: seqs, whole: first...last, ordinal: row.int(5),
          isIndexed: isUsable && row.int(6) != 0, times: row.int(3)...max(row.int(3), row.int(4)))
        remember(
          FoundChunk(
            head: head, base: row.intOrNil(7),
            keyframes: KeyframePlaces.decoded(row.blob(8)).map { first + Int64($0.index) }))
        return head
      } ?? nil
    }
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
    let first = head.whole.lowerBound
    let run = try reader.asking { () throws(DatabaseError) in
      try reader.database.first(
        "SELECT bytes, lines FROM chunk WHERE id = ?", .int(chunk)
      ) { row in
        row.withBlob(1) { reader.zstd?.unpack($0, count: Int(clamping: row.int(0))) }
          .flatMap { EntryRun(first: first, lines: $0) }
      } ?? nil
    }
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
    return try reader.asking { () throws(DatabaseError) in
      try reader.database.first(
        "SELECT base, keyframes FROM chunk WHERE id = ?", .int(chunk)
      ) { row in
        let first = head.whole.lowerBound
        return KeyframePlaces.decoded(row.blob(1)).last { first + Int64($0.index) <= seq }
          .map { first + Int64($0.index) } ?? row.intOrNil(0)
      } ?? nil
    }
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
        let head = try lastChunk("indexed = 0 AND ", upTo, of: step)
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
        let head = try chunk("indexed = 0 AND last >= ? ORDER BY last LIMIT 1", from, of: step)
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
