internal import Synchronization
internal import Timelines

// Safe: the driver lends a frame for the length of a call.

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
    if let chunk = try chunk(.endingFrom(seq), of: step) { return chunk }
    return try tail(.endingFrom(seq), of: step)
  }

  private func pieceFromTailOrChunks(
    of step: Lineage.Step, to seq: Int64
  ) throws(StoreError) -> StoredPiece? {
    if let tail = try tail(.startingUpTo(seq), of: step) { return tail }
    // The chunk that holds the seq, or else the last one that ends before it.
    if let holder = try chunk(.endingFrom(seq), of: step), holder.seqs.lowerBound <= seq {
      return holder
    }
    return try chunk(.endingBefore(seq), of: step)
  }

  private func chunk(
    _ place: ChunkPlace, of step: Lineage.Step
  ) throws(StoreError) -> StoredPiece? {
    try rows.withChunk(place, of: step.row) { head, lending -> StoredPiece? in
      guard head.first <= head.last, head.first <= step.seqs.upperBound,
        head.last >= step.seqs.lowerBound
      else { return nil }
      let content = unpacked(head, lending)
      return StoredPiece(
        row: step.row,
        seqs: max(head.first, step.seqs.lowerBound)...min(head.last, step.seqs.upperBound),
        chunk: head.first, isIndexed: head.isIndexed, times: head.times, base: head.base,
        keyframes: head.keyframeSeqs, content: content)
    } ?? nil
  }

  private func unpacked(
    _ head: ChunkHead, _ lending: ((UnsafeRawBufferPointer) -> Void) -> Void
  ) -> Result<EntryRun, StoreError> {
    if let kept = caches.chunks.withLock({ $0.value(head.id) }) { return .success(kept) }
    guard let run = run(of: head, lending) else {
      return .failure(
        StoreError(.damaged("the entries \(head.first) to \(head.last) cannot be unpacked")))
    }
    caches.chunks.withLock { $0.keep(run, for: head.id, cost: run.bytes.count + run.count * 8) }
    return .success(run)
  }

  /// The entries of a chunk; `nil` if they cannot be unpacked.
  func run(
    of head: ChunkHead, _ lending: ((UnsafeRawBufferPointer) -> Void) -> Void
  ) -> EntryRun? {
    var bytes: [UInt8]?
    lending { bytes = zstd?.unpack($0, count: Int(clamping: head.bytes)) }
    guard let bytes, let run = EntryRun(first: head.first, lines: bytes), run.last == head.last
    else { return nil }
    return run
  }

  private func tail(
    _ place: TailPlace, of step: Lineage.Step
  ) throws(StoreError) -> StoredPiece? {
    let found = try rows.tail(place, of: step.row, bytes: Self.tailBytes)
    let parts = place.consecutive(found)
    guard let first = parts.first, let last = parts.last, first.first <= step.seqs.upperBound,
      last.last >= step.seqs.lowerBound, first.first <= last.last
    else { return nil }
    return StoredPiece(
      row: step.row,
      seqs: max(first.first, step.seqs.lowerBound)...min(last.last, step.seqs.upperBound),
      chunk: nil, isIndexed: false, times: first.t...max(first.t, last.t), base: first.base,
      keyframes: nil, content: run(of: parts, in: step.row))
  }

  /// The approximate size of a chunk.
  private static let tailBytes = 64 << 10

  /// The rows as one run.
  ///
  /// Rows of the tail have no checksum, so each is parsed as if it were new, but only once while
  /// its bytes stay the same.
  private func run(of parts: [TailPart], in row: Int64) -> Result<EntryRun, StoreError> {
    var runs: [EntryRun] = []
    for part in parts {
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
    guard runs.count == parts.count, let run = EntryRun(joining: runs) else {
      let seqs = "\(parts.first?.first ?? 0) to \(parts.last?.last ?? 0)"
      return .failure(StoreError(.damaged("the entries \(seqs) cannot be read")))
    }
    return .success(run)
  }
}

extension TailPlace {
  /// The rows up to the first one that does not follow, in the order of their seqs.
  fileprivate func consecutive(_ found: [TailPart]) -> [TailPart] {
    var parts: [TailPart] = []
    for part in found {
      if let last = parts.last {
        let follows =
          switch self {
          case .endingFrom: last.last + 1 == part.first
          case .startingUpTo: part.last + 1 == last.first
          }
        guard follows else { break }
      }
      parts.append(part)
    }
    switch self {
    case .endingFrom: return parts
    case .startingUpTo: return parts.reversed()
    }
  }
}
