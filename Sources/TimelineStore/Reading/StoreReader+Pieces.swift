internal import Synchronization
internal import Timelines

/// Which piece to return if none holds the seq.
package enum PieceDirection: Sendable {
  /// The first one after it.
  case forward
  /// The last one before it.
  case backward
}

extension StoreReader {
  /// The piece that holds a seq, or the nearest one in a direction; `nil` if there is none.
  ///
  /// To continue, request the seq after `seqs.upperBound`, or before `seqs.lowerBound`. Chunks are
  /// returned whole; of the tail about as much as a chunk, from the row that holds the seq on.
  package func piece(
    of lineage: Lineage, at seq: Int64, _ direction: PieceDirection = .forward
  ) throws(StoreError) -> StoredPiece? {
    var place = lineage.index(of: seq)
    var seq = seq
    while lineage.steps.indices.contains(place) {
      let step = lineage.steps[place]
      if let latest, latest.step == step, latest.piece.seqs.contains(seq) { return latest.piece }
      let found =
        switch direction {
        case .forward: try pieceFromChunksOrTail(of: step, from: max(seq, step.seqs.lowerBound))
        case .backward: try pieceFromTailOrChunks(of: step, to: min(seq, step.seqs.upperBound))
        }
      if let found {
        latest = (step, found)
        return found
      }
      place += direction == .forward ? 1 : -1
      if lineage.steps.indices.contains(place) {
        let next = lineage.steps[place].seqs
        seq = direction == .forward ? next.lowerBound : next.upperBound
      }
    }
    return nil
  }

  private func pieceFromChunksOrTail(
    of step: Lineage.Step, from seq: Int64
  ) throws(StoreError) -> StoredPiece? {
    let chunk = try chunk(
      of: step, "last >= ? ORDER BY last LIMIT 1", seq)
    if let chunk { return chunk }
    return try tail(of: step, "last >= ? ORDER BY last", seq, isBackward: false)
  }

  private func pieceFromTailOrChunks(
    of step: Lineage.Step, to seq: Int64
  ) throws(StoreError) -> StoredPiece? {
    let tail = try tail(of: step, "first <= ? ORDER BY last DESC", seq, isBackward: true)
    if let tail { return tail }
    // The chunk that holds the seq, or else the last one that ends before it.
    let holder = try chunk(of: step, "last >= ? ORDER BY last LIMIT 1", seq)
    if let holder, holder.seqs.lowerBound <= seq { return holder }
    return try chunk(of: step, "last < ? ORDER BY last DESC LIMIT 1", seq)
  }

  private func chunk(
    of step: Lineage.Step, _ condition: String, _ seq: Int64
  ) throws(StoreError) -> StoredPiece? {
    try asking { () throws(DatabaseError) -> StoredPiece? in
      let sql = """
        SELECT id, first, last, t0, t1, base, bytes, indexed, keyframes, lines FROM chunk
        WHERE timeline = ? AND\u{20}
        """
      return try database.first(sql + condition, .int(step.row), .int(seq)) { row in
        let (first, last) = (row.int(1), row.int(2))
        guard first <= last, first <= step.seqs.upperBound, last >= step.seqs.lowerBound else {
          return nil
        }
        let times = row.int(3)...max(row.int(3), row.int(4))
        let content = unpacked(row, id: row.int(0), first: first, last: last)
        return StoredPiece(
          row: step.row,
          seqs: max(first, step.seqs.lowerBound)...min(last, step.seqs.upperBound),
          chunk: first, isIndexed: row.int(7) != 0, times: times, base: row.intOrNil(5),
          keyframes: KeyframePlaces.decoded(row.blob(8)).map { first + Int64($0.index) },
          content: content)
      } ?? nil
    }
  }

  private func unpacked(
    _ row: borrowing Statement, id: Int64, first: Int64, last: Int64
  ) -> Result<EntryRun, StoreError> {
    if let kept = caches.chunks.withLock({ $0.value(id) }) { return .success(kept) }
    let count = Int(clamping: row.int(6))
    let bytes = row.withBlob(9) { zstd?.unpack($0, count: count) }
    guard let bytes, let run = EntryRun(first: first, lines: bytes), run.last == last else {
      return .failure(StoreError(.damaged("the entries \(first) to \(last) cannot be unpacked")))
    }
    caches.chunks.withLock { $0.keep(run, for: id, cost: bytes.count + run.count * 8) }
    return .success(run)
  }

  private func tail(
    of step: Lineage.Step, _ condition: String, _ seq: Int64, isBackward: Bool
  ) throws(StoreError) -> StoredPiece? {
    var rows: [TailRow] = []
    var size = 0
    try asking { () throws(DatabaseError) in
      let sql = "SELECT first, last, t, base, lines FROM tail WHERE timeline = ? AND "
      try database.withStatement(sql + condition) { row throws(DatabaseError) in
        try row.bind([.int(step.row), .int(seq)])
        while size < Self.tailBytes, try row.step() {
          let next = TailRow(
            first: row.int(0), last: row.int(1), t: row.int(2), base: row.intOrNil(3),
            lines: row.blob(4))
          if let last = rows.last {
            let follows = isBackward ? next.last + 1 == last.first : last.last + 1 == next.first
            guard follows else { break }
          }
          size += next.lines.count
          rows.append(next)
        }
      }
    }
    if isBackward { rows.reverse() }
    guard let first = rows.first, let last = rows.last, first.first <= step.seqs.upperBound,
      last.last >= step.seqs.lowerBound, first.first <= last.last
    else { return nil }
    return StoredPiece(
      row: step.row,
      seqs: max(first.first, step.seqs.lowerBound)...min(last.last, step.seqs.upperBound),
      chunk: nil, isIndexed: false, times: first.t...max(first.t, last.t), base: first.base,
      keyframes: nil, content: run(of: rows, in: step.row))
  }

  /// The approximate size of a chunk.
  private static let tailBytes = 64 << 10

  private struct TailRow {
    var first: Int64
    var last: Int64
    var t: Int64
    var base: Int64?
    var lines: [UInt8]
  }

  /// The rows as one run.
  ///
  /// Rows of the tail have no checksum, so each is parsed as if it were new, but only once while
  /// its bytes stay the same.
  private func run(of rows: [TailRow], in row: Int64) -> Result<EntryRun, StoreError> {
    var runs: [EntryRun] = []
    for part in rows {
      let place = RunPlace(row: row, first: part.first)
      if let kept = caches.tail.withLock({ $0.value(place) }), kept.bytes == part.lines {
        runs.append(kept)
        continue
      }
      guard let run = EntryRun(first: part.first, lines: part.lines), run.last == part.last,
        run.holdsEntries
      else { break }
      caches.tail.withLock { $0.keep(run, for: place, cost: run.bytes.count + run.count * 8) }
      runs.append(run)
    }
    guard runs.count == rows.count, let run = EntryRun(joining: runs) else {
      let seqs = "\(rows.first?.first ?? 0) to \(rows.last?.last ?? 0)"
      return .failure(StoreError(.damaged("the entries \(seqs) cannot be read")))
    }
    return .success(run)
  }
}
