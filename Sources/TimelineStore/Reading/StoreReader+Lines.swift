package import Timelines

extension StoreReader {
  /// Passes the lines of a range of seqs to a closure, in order, until it returns that it has
  /// enough.
  ///
  /// Lost seqs are skipped; unreadable entries are passed to `damaged`.
  package func forEachLine(
    of lineage: Lineage, in seqs: ClosedRange<Int64>,
    damaged: (ClosedRange<Int64>, StoreError) -> Void = { _, _ in },
    _ body: (Int64, ArraySlice<UInt8>) throws(StoreError) -> Bool
  ) throws(StoreError) {
    var next = seqs.lowerBound
    while next <= seqs.upperBound, let piece = try piece(of: lineage, at: next),
      piece.seqs.lowerBound <= seqs.upperBound
    {
      let wanted = piece.seqs.clamped(to: max(next, piece.seqs.lowerBound)...seqs.upperBound)
      switch piece.content {
      case .failure(let error): damaged(wanted, error)
      case .success(let run):
        for seq in wanted {
          guard try body(seq, run.line(at: Int(seq - run.first))) else { return }
        }
      }
      guard piece.seqs.upperBound < .max else { return }
      next = piece.seqs.upperBound + 1
    }
  }

  /// The first stored seq of a range: losses, even of 2^50 entries, are skipped at once.
  package func firstSeq(
    of lineage: Lineage, in seqs: ClosedRange<Int64>
  ) throws(StoreError) -> Int64? {
    guard let piece = try piece(of: lineage, at: seqs.lowerBound) else { return nil }
    let seq = max(piece.seqs.lowerBound, seqs.lowerBound)
    return seq <= seqs.upperBound ? seq : nil
  }

  /// The entry with a seq; `nil` if it does not exist.
  package func entry(
    of lineage: Lineage, at seq: Int64
  ) throws(StoreError) -> Entry? {
    guard let piece = try piece(of: lineage, at: seq), piece.seqs.contains(seq) else { return nil }
    return try piece.entry(at: seq)
  }
}

extension StoredPiece {
  /// The entry with a seq of the piece.
  package func entry(at seq: Int64) throws(StoreError) -> Entry {
    let run = try content.get()
    do {
      return try run.entry(at: Int(seq - run.first))
    } catch {
      throw StoreError(.damaged("entry \(seq) cannot be read: \(error)"))
    }
  }

  /// The newest keyframe up to a seq of the piece.
  func keyframe(upTo seq: Int64) throws(StoreError) -> Int64? {
    if let keyframes { return keyframes.last { $0 <= seq } ?? base }
    let first = try content.get().first
    var candidate = seq
    while candidate >= first {
      if try entry(at: candidate).isKeyframe { return candidate }
      candidate -= 1
    }
    return base
  }
}
