/// Seqs as ranges, for the unknown entries in the answers of searches.
struct SeqRanges: Sendable {
  /// The ranges, in the order in which they were found; adjacent ones are merged.
  private(set) var ranges: [ClosedRange<Int64>] = []

  /// The number of seqs in them.
  private(set) var count: Int64 = 0

  /// The maximum number of ranges in one answer: further ones are merged into the last, including
  /// the known seqs in between, so that nothing is omitted silently and the answer is bounded.
  static let limit = 1_024

  /// Adds a seq next to or beyond the existing ones.
  mutating func add(_ seq: Int64) { add(seq...seq) }

  /// Adds seqs next to or beyond the existing ones; seqs that overlap are counted once.
  mutating func add(_ seqs: ClosedRange<Int64>) {
    guard let last = ranges.last else {
      ranges.append(seqs)
      count += Int64(seqs.count)
      return
    }
    let joined =
      min(last.lowerBound, seqs.lowerBound)...max(last.upperBound, seqs.upperBound)
    let touches =
      seqs.lowerBound <= last.upperBound.advanced(by: last.upperBound == .max ? 0 : 1)
      && seqs.upperBound >= last.lowerBound.advanced(by: last.lowerBound == .min ? 0 : -1)
    if touches {
      count += Int64(joined.count) - Int64(last.count)
      ranges[ranges.count - 1] = joined
    } else {
      count += Int64(seqs.count)
      if ranges.count < Self.limit {
        ranges.append(seqs)
      } else {
        ranges[ranges.count - 1] = joined
      }
    }
  }

  var rising: [ClosedRange<Int64>] { ranges.sorted { $0.lowerBound < $1.lowerBound } }

  /// The union of ranges, ascending, with a hole between any two.
  static func union(_ ranges: [ClosedRange<Int64>]) -> [ClosedRange<Int64>] {
    var all = SeqRanges()
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) { all.add(range) }
    return all.ranges
  }
}
