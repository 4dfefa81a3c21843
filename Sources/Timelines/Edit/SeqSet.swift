/// A set of seqs that is kept as ranges.
struct SeqSet {
  /// Rising, with a hole between any two.
  private(set) var ranges: [ClosedRange<Int64>] = []

  /// Whether a seq is in it.
  func contains(_ seq: Int64) -> Bool {
    ranges.lastSortedIndex(where: { $0.lowerBound <= seq })
      .map { ranges[$0].contains(seq) } ?? false
  }

  /// The parts of it in a range.
  func parts(in range: ClosedRange<Int64>) -> [ClosedRange<Int64>] {
    guard let first = ranges.firstSortedIndex(where: { $0.upperBound >= range.lowerBound }) else {
      return []
    }
    return ranges[first...].prefix { $0.lowerBound <= range.upperBound }
      .map { $0.clamped(to: range) }
  }

  /// The parts of a range that are not in it.
  func holes(in range: ClosedRange<Int64>) -> [ClosedRange<Int64>] {
    var holes: [ClosedRange<Int64>] = []
    var next: Int64? = range.lowerBound
    for part in parts(in: range) {
      if let from = next, from < part.lowerBound { holes.append(from...part.lowerBound - 1) }
      next = part.upperBound == .max ? nil : part.upperBound + 1
    }
    if let from = next, from <= range.upperBound { holes.append(from...range.upperBound) }
    return holes
  }

  /// Adds a range of seqs from 0 on.
  mutating func insert(_ range: ClosedRange<Int64>) {
    let touches = { (other: ClosedRange<Int64>) in
      other.upperBound >= range.lowerBound - 1
    }
    let first = ranges.firstSortedIndex(where: touches) ?? ranges.count
    var end = first
    var merged = range
    while end < ranges.count, ranges[end].lowerBound - 1 <= range.upperBound {
      merged =
        min(
          merged.lowerBound, ranges[end].lowerBound)...max(
          merged.upperBound, ranges[end].upperBound)
      end += 1
    }
    ranges.replaceSubrange(first..<end, with: [merged])
  }
}
