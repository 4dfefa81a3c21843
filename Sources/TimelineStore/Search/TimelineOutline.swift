package import Timelines

/// What an edit script needs to know of a stored timeline before any entry is read.
package struct TimelineOutline: Sendable {
  /// The existing entries. Fixed points are listed only in the requested stretches.
  package var shape: TimelineShape

  /// Whether any relevant entry holds a stand-in for a redacted value.
  package var hasStandIns: Bool
}

extension StoreReader {
  /// The outline of a timeline up to an entry; `nil` if it has no entries.
  ///
  /// The index supplies losses and redaction, so the cost depends on the script and on the unsealed
  /// entries.
  ///
  /// - Parameters:
  ///   - through: the last relevant seq; `nil` for the last durable one.
  ///   - stretches: where to search for fixed points.
  package func outline(
    of lineage: Lineage, through: Int64?, fixedPointsIn stretches: [ClosedRange<Int64>]
  ) throws(StoreError) -> TimelineOutline? {
    let source = try SearchSource(self, lineage)
    guard let ends = source.ends else { return nil }
    let through = through ?? ends.upperBound
    let seqs = ends.lowerBound...max(ends.lowerBound, min(through, ends.upperBound))
    let known = try indexed(in: seqs, source)
    let rest = try unindexed(in: seqs, source)
    let shape = TimelineShape(
      first: ends.lowerBound, through: through,
      lost: (known.lost + rest.lost).sorted { $0.lowerBound < $1.lowerBound },
      fixedPoints: try fixedPoints(of: lineage, in: stretches, within: seqs))
    return TimelineOutline(shape: shape, hasStandIns: known.hasStandIns || rest.hasStandIns)
  }

  private typealias Found = (lost: [ClosedRange<Int64>], hasStandIns: Bool)

  private func indexed(
    in seqs: ClosedRange<Int64>, _ source: SearchSource
  ) throws(StoreError) -> Found {
    var lost: [ClosedRange<Int64>] = []
    var seq = seqs.lowerBound
    while seq <= seqs.upperBound, let gap = try source.postings(.gap, from: seq)?.lowerBound,
      gap <= seqs.upperBound
    {
      if let range = try lostRange(before: gap, source) { lost.append(range) }
      seq = gap + 1
    }
    let redacted = try source.postings(.redacted, from: seqs.lowerBound)?.lowerBound
    return (lost, redacted.map { $0 <= seqs.upperBound } ?? false)
  }

  private func unindexed(
    in seqs: ClosedRange<Int64>, _ source: SearchSource
  ) throws(StoreError) -> Found {
    var found: Found = ([], false)
    var seq = seqs.lowerBound
    while seq <= seqs.upperBound, let head = try source.unindexed(from: seq),
      head.seqs.lowerBound <= seqs.upperBound
    {
      seq = head.seqs.upperBound + 1
      guard let run = try source.entries(of: head) else { continue }
      var gaps: [Int64] = []
      // Safe: the run that holds the bytes lends them for the length of the closure, and the places
      // are those of its lines.
      run.bytes.withUnsafeBufferPointer { bytes in
        for seq in head.seqs.clamped(to: seqs) {
          let fields = LineFields(bytes, line: run.place(at: Int(seq - run.first)))
          if !fields.gap.isEmpty { gaps.append(seq) }
          if !fields.redacted.isEmpty { found.hasStandIns = true }
        }
      }
      for gap in gaps {
        if let range = try lostRange(before: gap, source) { found.lost.append(range) }
      }
    }
    return found
  }

  /// The seqs that were lost before an entry; `nil` before the first one.
  private func lostRange(
    before seq: Int64, _ source: SearchSource
  ) throws(StoreError) -> ClosedRange<Int64>? {
    guard seq > 0, let last = try source.run(upTo: seq - 1)?.seqs.upperBound, last + 1 < seq else {
      return nil
    }
    return last + 1...seq - 1
  }

  /// The entries of some stretches whose state is given: they are all keyframes.
  private func fixedPoints(
    of lineage: Lineage, in stretches: [ClosedRange<Int64>], within seqs: ClosedRange<Int64>
  ) throws(StoreError) -> [Int64] {
    var found: Set<Int64> = []
    for stretch in stretches where stretch.overlaps(seqs) {
      let stretch = stretch.clamped(to: seqs)
      var next = stretch.lowerBound
      while next <= stretch.upperBound, let piece = try piece(of: lineage, at: next),
        piece.seqs.lowerBound <= stretch.upperBound
      {
        let part = piece.seqs.clamped(to: stretch)
        for seq in piece.keyframes?.filter(part.contains) ?? Array(part)
        where try piece.entry(at: seq).isFixedPoint {
          found.insert(seq)
        }
        next = piece.seqs.upperBound + 1
      }
    }
    return found.sorted()
  }
}
