internal import JSONCore

// Safe: the run that holds the bytes lends them for the length of a call; the places in them are
// those of lines that were checked when they were stored, and nothing reads beyond the end.

/// The seqs of a stretch at which a value is unknown: thinned and lost entries, keyframes without
/// patch, and entries where a stand-in replaces the value.
struct SilentSeqs {
  /// The seqs, ascending.
  private(set) var ranges: [ClosedRange<Int64>] = []

  /// The maximum number of rows to read; beyond them, the rest counts as silent.
  private static let rowLimit = 4 * SeqRanges.limit

  /// Finds them with the index, and in runs without index by reading entries.
  init(
    in seqs: ClosedRange<Int64>, of path: Pointer, hidden: [PostingKey], _ source: SearchSource
  ) throws(StoreError) {
    var found: [ClosedRange<Int64>] = []
    for key in [.unknown, .gap] + hidden {
      // A stand-in hides the value before the next entry, too.
      var seq = hidden.contains(key) ? max(0, seqs.lowerBound - 1) : seqs.lowerBound
      while seq <= seqs.upperBound, let posting = try source.postings(key, from: seq),
        posting.lowerBound <= seqs.upperBound
      {
        guard found.count < Self.rowLimit else {
          found.append(seq...seqs.upperBound)
          break
        }
        if key == .gap {
          found.append(try Self.lost(before: posting.lowerBound, source))
        } else {
          found.append(posting.lowerBound...posting.upperBound + (key == .unknown ? 0 : 1))
        }
        seq = posting.upperBound + 1
      }
    }
    // Only the entry after a loss reports it.
    if let next = try source.run(from: seqs.upperBound), next.seqs.lowerBound > seqs.upperBound {
      found.append(try Self.lost(before: next.seqs.lowerBound, source))
    }
    try search(in: max(0, seqs.lowerBound - 1)...seqs.upperBound, path, source, &found)
    ranges = SeqRanges.union(found.compactMap { $0.clamped(inside: seqs) })
  }

  /// The seqs that were lost before an entry.
  private static func lost(
    before seq: Int64, _ source: SearchSource
  ) throws(StoreError) -> ClosedRange<Int64> {
    let last = try source.run(upTo: seq - 1)?.seqs.upperBound ?? -1
    return min(last + 1, seq - 1)...seq - 1
  }

  private func search(
    in seqs: ClosedRange<Int64>, _ path: Pointer, _ source: SearchSource,
    _ found: inout [ClosedRange<Int64>]
  ) throws(StoreError) {
    var seq = seqs.lowerBound
    while seq <= seqs.upperBound,
      let place = try source.unindexed(from: seq, through: seqs.upperBound),
      place.seqs.lowerBound <= seqs.upperBound
    {
      defer { seq = place.seqs.upperBound + 1 }
      guard let run = try source.entries(of: place) else {
        found.append(place.seqs)
        continue
      }
      try run.bytes.withUnsafeBufferPointer { bytes throws(StoreError) in
        for seq in place.seqs {
          let fields = LineFields(bytes, line: run.place(at: Int(seq - run.first)))
          if !fields.gap.isEmpty { found.append(try Self.lost(before: seq, source)) }
          if fields.patch.isEmpty, seq != 0 { found.append(seq...seq) }
          if !fields.redacted.isEmpty,
            bytes.pointers(at: fields.redacted).contains(where: { $0.isPrefix(of: path) })
          {
            found.append(seq...seq + 1)
          }
        }
      }
    }
  }
}
