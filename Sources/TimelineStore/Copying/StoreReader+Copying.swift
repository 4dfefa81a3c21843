package import Timelines

// Safe: arrays lend their bytes for the length of a call, within the lengths that zstd is given.

extension StoreReader {
  /// The own entries of a timeline; `nil` if it has none.
  package func ownExtent(of id: TimelineID) throws(StoreError) -> OwnExtent? {
    let row = try lineage(of: id).row
    return try rows.ends(of: row).seqs.map { OwnExtent(first: $0.lowerBound, last: $0.upperBound) }
  }

  /// The next own entries of a timeline after a seq: a chunk as it is stored, or else a part of one
  /// or of the tail; `nil` at the end.
  package func packedRun(of id: TimelineID, after seq: Int64?) throws(StoreError) -> PackedRun? {
    let own = try ownLineage(of: id)
    let next = max((seq ?? -1) + 1, own.steps[0].seqs.lowerBound)
    if let chunk = try storedChunk(in: own.row, endingFrom: next) {
      guard chunk.first < next else { return try intact(chunk) }
    }
    guard let piece = try piece(of: own, at: next), piece.seqs.upperBound >= next else {
      return nil
    }
    let run = try piece.content.get()
    return try packed(run, from: max(next, run.first))
  }

  /// The own entries of a timeline as a lineage.
  private func ownLineage(of id: TimelineID) throws(StoreError) -> Lineage {
    let steps = try lineage(of: id).steps
    return Lineage(id: id, steps: Array(steps.suffix(1)))
  }

  private func storedChunk(
    in row: Int64, endingFrom seq: Int64
  ) throws(StoreError) -> PackedRun? {
    try rows.withChunk(.endingFrom(seq), of: row) { head, lending in
      var frame: [UInt8] = []
      lending { frame = Array($0) }
      return PackedRun(first: head.first, last: head.last, bytes: head.bytes, frame: frame)
    }
  }

  /// A chunk that can be read, so that damage is reported where it is.
  private func intact(_ chunk: PackedRun) throws(StoreError) -> PackedRun {
    let lines = chunk.frame.withUnsafeBytes { zstd?.unpack($0, count: Int(clamping: chunk.bytes)) }
    guard let lines, let run = EntryRun(first: chunk.first, lines: lines), run.last == chunk.last
    else {
      throw StoreError(.damaged("the entries \(chunk.first) to \(chunk.last) cannot be unpacked"))
    }
    return chunk
  }

  /// The rest of a run, compressed.
  private func packed(_ run: EntryRun, from seq: Int64) throws(StoreError) -> PackedRun? {
    guard let index = run.index(of: seq) else { return nil }
    let lines = Array(run.bytes[run.place(at: index).lowerBound...])
    guard let frame = zstd?.pack(lines, level: 7) else {
      throw StoreError(.packing("there is no memory"))
    }
    return PackedRun(first: seq, last: run.last, bytes: Int64(lines.count), frame: frame)
  }
}

extension Store {
  /// A digest of the lines of some own entries of a timeline: their SHA-256, each line with its
  /// line feed, in hexadecimal digits.
  package nonisolated func digest(
    of id: TimelineID, in seqs: ClosedRange<Int64>
  ) async throws -> String {
    var hash = SHA256()
    var next: Int64? = seqs.lowerBound
    while let start = next, start <= seqs.upperBound {
      try Task.checkCancellation()
      let (bytes, rest) = try await read { reader in
        try reader.lines(of: reader.lineage(of: id), in: start...seqs.upperBound)
      }
      hash.update(bytes)
      next = rest
    }
    return SHA256.hexadecimal(hash.finish())
  }
}
