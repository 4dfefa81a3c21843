internal import JSONCore

// Safe: the bytes are lent for the length of a call by the run that holds them; the places in them
// are those of lines that were checked when they were stored, and nothing reads beyond its end.

/// The seqs of a stretch that do not say what became of a value: thinned and lost entries, keyframes
/// without patch, and where a stand-in replaces the value.
struct SilentSeqs {
  /// The seqs, rising.
  private(set) var ranges: [ClosedRange<Int64>] = []

  /// The most rows that are looked at; beyond them all that is left is taken for silent.
  private static let rowLimit = 4 * SeqRanges.limit

  /// Finds them by the index, and in runs without index by looking.
  init(
    in seqs: ClosedRange<Int64>, of path: Pointer, hidden: [PostingKey], _ source: SearchSource
  ) throws(StoreError) {
    var found: [ClosedRange<Int64>] = []
    for key in [.unknown, .gap] + hidden {
      // A stand-in hides the value before the next entry, too.
      var seq = hidden.contains(key) ? max(0, seqs.lowerBound - 1) : seqs.lowerBound
      while seq <= seqs.upperBound, let noted = try source.noted(key, from: seq),
        noted.lowerBound <= seqs.upperBound
      {
        guard found.count < Self.rowLimit else {
          found.append(seq...seqs.upperBound)
          break
        }
        if key == .gap {
          found.append(try Self.lost(before: noted.lowerBound, source))
        } else {
          found.append(noted.lowerBound...noted.upperBound + (key == .unknown ? 0 : 1))
        }
        seq = noted.upperBound + 1
      }
    }
    // Of what was lost at the end only the entry behind it tells.
    if let next = try source.run(from: seqs.upperBound), next.seqs.lowerBound > seqs.upperBound {
      found.append(try Self.lost(before: next.seqs.lowerBound, source))
    }
    try look(in: max(0, seqs.lowerBound - 1)...seqs.upperBound, path, source, &found)
    ranges = SeqRanges.union(found.compactMap { $0.clamped(inside: seqs) })
  }

  /// What was lost before an entry.
  private static func lost(
    before seq: Int64, _ source: SearchSource
  ) throws(StoreError) -> ClosedRange<Int64> {
    let last = try source.run(upTo: seq - 1)?.seqs.upperBound ?? -1
    return min(last + 1, seq - 1)...seq - 1
  }

  private func look(
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
